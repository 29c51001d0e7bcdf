/** A fraction of whole numbers: the reference that decimal results are held against. `den` is above 0. */
export interface Rational {
  readonly num: bigint;
  readonly den: bigint;
}

export function rational(num: bigint, den: bigint): Rational {
  return den < 0n ? { num: -num, den: -den } : { num, den };
}

/** Reads `12`, `-1.50` or `1.5e-7`. */
export function parseDecimal(text: string): Rational {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/.exec(text) ?? [];
  const num = BigInt(`${sign}${whole}${fraction}`);
  const shift = Number(exponent) - fraction.length;
  return shift >= 0 ? rational(num * 10n ** BigInt(shift), 1n) : rational(num, 10n ** BigInt(-shift));
}

export function equals(a: Rational, b: Rational): boolean {
  return a.num * b.den === b.num * a.den;
}

/** |a - b| ≤ |b| · 10^-digits */
export function agreesTo(digits: number, a: Rational, b: Rational): boolean {
  const difference = abs(a.num * b.den - b.num * a.den);
  return difference * 10n ** BigInt(digits) <= abs(b.num) * a.den;
}

export function apply(operator: '+' | '-' | '*' | '/', a: Rational, b: Rational): Rational {
  switch (operator) {
    case '+':
      return rational(a.num * b.den + b.num * a.den, a.den * b.den);
    case '-':
      return rational(a.num * b.den - b.num * a.den, a.den * b.den);
    case '*':
      return rational(a.num * b.num, a.den * b.den);
    case '/':
      return rational(a.num * b.den, a.den * b.num);
  }
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
