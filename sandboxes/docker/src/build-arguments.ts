/** What `ARG` before the first `FROM` gives a name to, for use in `FROM`. Builds are given no arguments from outside. */
export interface BuildArguments {
  /** Takes what follows `ARG`. A value that is not plain is not known afterwards. */
  declare(rest: string): void;
  /** `text` with its variables replaced; undefined when one of them is not known. */
  substitute(text: string): string | undefined;
}

/** Characters of image names, and so of their parts. */
const PLAIN = /^[\w.\-/:@]*$/;
const VARIABLE = /\$(?:\{(\w+)(?::-([\w.\-/:@]*))?\}|(\w+))/g;

export function createBuildArguments(): BuildArguments {
  const values = new Map<string, string>();

  function substitute(text: string): string | undefined {
    let known = true;
    const substituted = text.replace(VARIABLE, (_all, braced?: string, fallback?: string, bare?: string) => {
      const value = values.get(braced ?? bare ?? '') || fallback;
      known &&= value !== undefined;
      return value ?? '';
    });
    return known && PLAIN.test(substituted) ? substituted : undefined;
  }

  return {
    declare(rest) {
      const [, name = '', , value] = /^(\w+)(=(.*))?$/s.exec(rest) ?? [];
      const plain = value === undefined ? undefined : substitute(value.replace(/^"(.*)"$/s, '$1'));
      if (plain === undefined) values.delete(name);
      else values.set(name, plain);
    },
    substitute,
  };
}
