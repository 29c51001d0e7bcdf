/**
 * Where tool code is evaluated: the hardened language, a silent `console`, and nothing else. `fresh` is for one use;
 * `sealed` may be used again, because everything in it is frozen.
 */
export function openCompartment(kind: 'fresh' | 'sealed'): Compartment {
  const compartment = new Compartment({ __options__: true, globals: { console: SILENT_CONSOLE } });
  // SES gives these to every compartment. A tool has no use for them: the realm is locked already, and a
  // compartment in the compartment could do nothing that the tool's own cannot.
  delete compartment.globalThis.lockdown;
  delete compartment.globalThis.Compartment;
  return kind === 'sealed' ? seal(compartment) : compartment;
}

function seal(compartment: Compartment): Compartment {
  harden(compartment.globalThis);
  return compartment;
}

/** Libraries warn through `console` while they load; to have none would break them for nothing. */
const SILENT_CONSOLE = Object.freeze(
  Object.fromEntries(['debug', 'log', 'info', 'warn', 'error', 'trace'].map((name) => [name, Object.freeze(() => {})])),
);
