/** A mistake in the expression that its author can mend; thrown to the platform, which shows the message. */
export class CalculationProblem extends Error {
  /** `at` is the 0-based index of the character that the problem is about. */
  constructor(message: string, at: number) {
    super(`${message} (at character ${at + 1} of the expression)`);
  }
}
