import { CR, END, isLowSurrogate, LF } from './characters';

/**
 * A text that is read from front to back. AssemblyScript has no exceptions: the first problem is kept here,
 * and what reads returns false (or null) from then on.
 */
export class Reader {
  readonly text: string;
  at: i32 = 0;
  failed: bool = false;
  private problem: string = '';
  private problemAt: i32 = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The next unit, or END. */
  peek(): i32 {
    return this.at < this.text.length ? this.text.charCodeAt(this.at) : END;
  }

  /** Steps over `unit` if it comes next. */
  take(unit: i32): bool {
    if (this.peek() !== unit) return false;
    this.at += 1;
    return true;
  }

  /** Keeps the first problem and its place; always false, so that a reading function can return it. */
  fail(problem: string, at: i32): bool {
    if (!this.failed) {
      this.failed = true;
      this.problem = problem;
      this.problemAt = at;
    }
    return false;
  }

  /** The problem with its line and column, both from 1; a column is a character, whatever its length in UTF-16. */
  describeProblem(): string {
    let line = 1;
    let column = 1;
    for (let i = 0; i < this.problemAt; i++) {
      const unit = this.text.charCodeAt(i);
      const endsLine = unit === LF || (unit === CR && (i + 1 >= this.text.length || this.text.charCodeAt(i + 1) !== LF));
      if (endsLine) {
        line += 1;
        column = 1;
      } else if (!isLowSurrogate(unit)) {
        column += 1;
      }
    }
    return `${this.problem} (line ${line.toString()}, column ${column.toString()} of the input)`;
  }
}
