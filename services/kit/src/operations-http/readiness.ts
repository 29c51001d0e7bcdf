import type { LifecycleState, Timer } from '../lifecycle/index.ts';

/** Resolves to undefined when ready, else to a sentence that says what is missing. A rejection is "not ready" too. */
export type ReadinessCheck = () => undefined | string | Promise<undefined | string>;

export interface ReadinessOptions {
  /** The lifecycle's state now. */
  readonly state: () => LifecycleState;
  /** By the name that the answer gives them. */
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  readonly timer: Timer;
}

export interface ReadinessReport {
  readonly ready: boolean;
  readonly state: LifecycleState;
  /** What is not ready, and why. */
  readonly not_ready: readonly { readonly check: string; readonly reason: string }[];
}

/** Answers whether the service can take work now: it is RUNNING and every check passes. Never rejects. */
export type Readiness = () => Promise<ReadinessReport>;

/** Well below the time that Kubernetes and load balancers give a probe that is set with care (seconds). */
const CHECK_TIMEOUT_MS = 2000;

/** Probes that come while one is being answered share its answer: a flood of them asks each check once at a time. */
export function createReadiness({ state, checks, timer }: ReadinessOptions): Readiness {
  let underWay: Promise<ReadinessReport> | undefined;

  const look = async (): Promise<ReadinessReport> => {
    const reasons = await Promise.all(
      Object.entries(checks).map(async ([check, run]) => ({ check, reason: await reasonOf(run, timer) })),
    );
    const now = state();
    const notReady = reasons.flatMap(({ check, reason }) => (reason === undefined ? [] : [{ check, reason }]));
    if (now !== 'RUNNING') notReady.unshift({ check: 'lifecycle', reason: `The service is ${now}.` });
    return { ready: notReady.length === 0, state: now, not_ready: notReady };
  };

  return () => {
    underWay ??= look().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

async function reasonOf(check: ReadinessCheck, timer: Timer): Promise<string | undefined> {
  const late = Promise.withResolvers<string>();
  const stop = timer.after(CHECK_TIMEOUT_MS, () => late.resolve(`It did not answer within ${CHECK_TIMEOUT_MS} ms.`));
  try {
    return await Promise.race([check(), late.promise]);
  } catch (error) {
    return `The check failed: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    stop();
  }
}
