import { createClosers } from './closers.ts';
import { createDrainGate, type Release } from './drain-gate.ts';
import { createExpiry } from './expiry.ts';
import type { Timer } from './timer.ts';

/**
 * STARTING → RUNNING → DRAINING → STOPPED, or FAILED in place of STOPPED when something did not stop. A service that
 * never ran drains nothing, but is closed the same way.
 */
export type LifecycleState = 'STARTING' | 'RUNNING' | 'DRAINING' | 'STOPPED' | 'FAILED';

export interface ShutdownDeadlines {
  /** How long work in flight may take to finish, in ms. */
  readonly drainMs: number;
  /** How long all closers together may take after that, in ms. */
  readonly closeMs: number;
}

export interface ShutdownReport {
  /** Work that was still in flight when waiting for it ended. */
  readonly abandoned: number;
  /** Closers that did not end in time, by name. */
  readonly unfinished: readonly string[];
  /** Closers that threw. */
  readonly failures: readonly { readonly name: string; readonly error: unknown }[];
  /** Whether `force` cut the waiting short. */
  readonly forced: boolean;
  /** Nothing abandoned, unfinished or failed. */
  readonly clean: boolean;
}

export interface Lifecycle {
  readonly state: LifecycleState;
  readonly inFlight: number;
  /**
   * Aborted when work in flight has had its time (the drain deadline, or `force`): whoever works ends its work then.
   * Never aborted by a drain that ends in time.
   */
  readonly signal: AbortSignal;
  /** STARTING → RUNNING. Without effect in a later state: a service told to stop while it starts does not run. */
  started(): void;
  /** A place for one piece of work; undefined unless RUNNING. Whoever entered must release, whatever came of the work. */
  enter(): Release | undefined;
  /**
   * Has `close` run at shutdown, in the reverse order of registration: what was opened last is closed first. One that is
   * registered after the closing began runs at once, alone, and its rejection is the caller's.
   */
  onClose(name: string, close: () => void | Promise<void>): Promise<void>;
  /** Drains, then closes. The first call decides the deadlines; every call resolves to the one report. Never rejects. */
  shutdown(deadlines: ShutdownDeadlines): Promise<ShutdownReport>;
  /** Ends all waiting of a shutdown under way, now. Without effect when none is. */
  force(): void;
}

export function createLifecycle({ timer }: { readonly timer: Timer }): Lifecycle {
  const gate = createDrainGate();
  const closers = createClosers();
  const cancel = new AbortController();
  const forced = Promise.withResolvers<void>();
  let wasForced = false;
  let state: LifecycleState = 'STARTING';
  let report: Promise<ShutdownReport> | undefined;

  const drain = async (drainMs: number): Promise<number> => {
    const expiry = createExpiry({ timer, ms: drainMs, early: forced.promise });
    await Promise.race([gate.shut(), expiry.expired]);
    expiry.stop();
    const abandoned = gate.inFlight;
    if (abandoned > 0) cancel.abort(new Error('The service stops and the time for calls in flight is over.'));
    return abandoned;
  };

  const close = async ({ drainMs, closeMs }: ShutdownDeadlines): Promise<ShutdownReport> => {
    state = 'DRAINING';
    const abandoned = await drain(drainMs);
    const expiry = createExpiry({ timer, ms: closeMs, early: forced.promise });
    const { unfinished, failures } = await closers.closeAll(expiry.expired);
    expiry.stop();
    const clean = abandoned === 0 && unfinished.length === 0 && failures.length === 0;
    state = clean ? 'STOPPED' : 'FAILED';
    return { abandoned, unfinished, failures, forced: wasForced, clean };
  };

  return {
    get state() {
      return state;
    },
    get inFlight() {
      return gate.inFlight;
    },
    signal: cancel.signal,
    started() {
      if (state === 'STARTING') state = 'RUNNING';
    },
    enter: () => (state === 'RUNNING' ? gate.enter() : undefined),
    onClose: (name, run) => closers.add(name, run),
    shutdown(deadlines) {
      report ??= close(deadlines);
      return report;
    },
    force() {
      if (state !== 'DRAINING') return;
      wasForced = true;
      forced.resolve();
    },
  };
}
