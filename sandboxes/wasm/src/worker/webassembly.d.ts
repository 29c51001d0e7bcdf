/**
 * The part of the WebAssembly JavaScript interface that this package uses. TypeScript declares it in its browser library
 * only, which would bring a window and a document into a server's types.
 */
declare namespace WebAssembly {
  type ExternalKind = 'function' | 'global' | 'memory' | 'table' | 'tag';

  interface ModuleImports {
    [name: string]: ((...args: (number | bigint)[]) => number) | Memory;
  }

  interface Imports {
    [module: string]: ModuleImports;
  }

  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
    static exports(module: Module): { readonly name: string; readonly kind: ExternalKind }[];
  }

  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: { readonly [name: string]: unknown };
  }

  class Memory {
    constructor(descriptor: { readonly initial: number; readonly maximum: number });
    /** Detached by growth; the property then gives the new one. */
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }

  class CompileError extends Error {}
  class RuntimeError extends Error {}
  /** What a module's own `throw` gives when nothing catches it; not an `Error`. */
  class Exception {}
}
