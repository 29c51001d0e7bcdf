/** How a WASI function ended the instance from inside. */
export type ForcedEnd = { readonly kind: 'exited'; readonly code: number } | { readonly kind: 'output-limit' };

/** Unwinds the module's frames. It carries nothing: how the instance ended is in `InstanceEnd`. */
export class InstanceEnded extends Error {
  override readonly name = 'InstanceEnded';
}

/**
 * Whether an instance was ended from inside. A module with exception handling can catch what a function throws and run
 * on, so the throw alone proves nothing: the first end stands, and every later WASI call throws again.
 */
export interface InstanceEnd {
  readonly forced: ForcedEnd | undefined;
  end(how: ForcedEnd): never;
  /** Throws when the instance has been ended. */
  check(): void;
}

export function createInstanceEnd(): InstanceEnd {
  let forced: ForcedEnd | undefined;
  return {
    get forced() {
      return forced;
    },
    end(how) {
      forced ??= how;
      throw new InstanceEnded();
    },
    check() {
      if (forced !== undefined) throw new InstanceEnded();
    },
  };
}
