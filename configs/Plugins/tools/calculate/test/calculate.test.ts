import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calculate } from '../src/calculate.ts';
import { CalculationProblem } from '../src/problem.ts';
import { agreesTo, apply, equals, parseDecimal, type Rational } from './rational.ts';

function resultOf(expression: string, precision = 34): string {
  return calculate(expression, precision).result;
}

describe('exact values', () => {
  test.each([
    ['0.1+0.2', '0.3'],
    ['1.10*3', '3.3'],
    ['12345678901234567890*98765432109', '1219326311359396431223746380010'],
    ['10^50', `1${'0'.repeat(50)}`],
    ['2**10', '1024'],
    ['2^-3', '0.125'],
    ['25!', '15511210043330985984000000'],
    ['sqrt(0.25)', '0.5'],
    ['4^0.5', '2'],
    ['log10(0.001)', '-3'],
    ['exp(0)+ln(1)', '1'],
    ['15% * 200', '30'],
    ['200*(1-15%)', '170'],
    ['50%-3', '-2.5'],
    ['17 % 5', '2'],
    ['-7 % 3', '2'],
    ['7 % (-3)', '-2'],
    ['mod(5.5, 2)', '1.5'],
    ['7^100 % 13', '9'],
    ['min(3, 1, 2) + max(1.5)', '2.5'],
    ['sum(0.1, 0.2, 0.3)', '0.6'],
    ['avg(1, 2, 4, 5)', '3'],
    ['abs(-2) + floor(-1.5) + ceil(1.2)', '2'],
    ['round(2.345, 2)', '2.35'],
    ['round(-2.5)', '-3'],
    ['round(1250, -2)', '1300'],
    ['round(pi, 4)', '3.1416'],
    ['pow(2, 3)', '8'],
    ['1e3 + 2.5E-1', '1000.25'],
    ['1e400 - 1e400', '0'],
    ['0^0', '1'],
  ])('%s = %s', (expression, result) => {
    expect(calculate(expression, 34)).toEqual({ expression, result, rounded: false });
  });
});

describe('values that are not finite decimals are rounded, and said to be', () => {
  test.each([
    ['1/3', '0.3333333333333333333333333333333333'],
    ['2/3', '0.6666666666666666666666666666666667'],
    ['1/3*3', '1'],
    ['pi', '3.141592653589793238462643383279503'],
    ['π', '3.141592653589793238462643383279503'],
    ['e', '2.718281828459045235360287471352662'],
    ['sqrt(2)', '1.414213562373095048801688724209698'],
    ['sqrt(2)^2 - 2', '0'],
    ['floor(sqrt(2)^2)', '2'],
    ['ln(e^2)', '2'],
    ['8^(1/3)', '2'],
    ['1e600 + 1e-600', '1e+600'],
    ['(1/(1+1e-600) - 1)*1e600', '-1'],
    ['(7^100 - 13*floor(7^100/13))*pi', '28.27433388230813914616379044951553'],
    ['sqrt(2)^2 % 2', '0'],
    ['3^3000 - 3^3000', '0'],
    ['2^300', '2.037035976334486086268445688409378e+90'],
    ['100!', '9.33262154439441526816992388562667e+157'],
  ])('%s ≈ %s', (expression, result) => {
    expect(calculate(expression, 34)).toEqual({ expression, result, rounded: true });
  });

  test('to as many significant digits as asked for', () => {
    expect(resultOf('1/7', 1)).toBe('0.1');
    expect(resultOf('22/7', 3)).toBe('3.14');
    expect(calculate('2^300', 100)).toMatchObject({ result: String(2n ** 300n), rounded: false });
  });
});

describe('grammar', () => {
  test.each([
    ['-2^2', '-4'],
    ['(-2)^2', '4'],
    ['2^3^2', '512'],
    ['2^-2^2', '0.0625'],
    ['-2^-2', '-0.25'],
    ['2*-3', '-6'],
    ['3--2', '5'],
    ['--3', '3'],
    ['2+3*4-5', '9'],
    ['8/4/2', '1'],
    ['10-4-3', '3'],
    ['3!^2', '36'],
    ['-3!', '-6'],
    ['5!%', '1.2'],
    ['10%^2', '0.01'],
    ['max(1%, 2%)', '0.02'],
    ['  1 +\n\t1 ', '2'],
    ['.5+1.', '1.5'],
  ])('%s = %s', (expression, result) => expect(resultOf(expression)).toBe(result));

  test('full-width and mathematical signs are read as the plain ones', () => {
    expect(calculate('（１＋２）×３÷４－０。５', 34)).toEqual({ expression: '(1+2)*3/4-0.5', result: '1.75', rounded: false });
    expect(resultOf('ｍａｘ（１，２）＊２％')).toBe('0.04');
    expect(resultOf('5−3')).toBe('2');
  });
});

describe('mistakes are named with their place', () => {
  test.each([
    ['', /empty.*character 1 /],
    ['1+', /ends where a number is expected.*character 3 /],
    ['(1+2', /never closed.*character 1 /],
    ['1+2)', /closes nothing.*character 4 /],
    ['1,234', /thousands separators.*character 2 /],
    ['(1,2)', /thousands separators.*character 3 /],
    [',', /Unexpected ",".*character 1 /],
    [' ,1', /Unexpected ",".*character 2 /],
    [',1', /Unexpected ",".*character 1 /],
    ['2(3)', /Expected an operator.*"\(".*character 2 /],
    ['2pi', /Expected an operator.*"p".*character 2 /],
    ['1..2', /Expected an operator.*character 3 /],
    ['1 2', /Expected an operator.*character 3 /],
    ['*2', /Expected a number.*character 1 /],
    ['sqrt()', /found "\)".*character 6 /],
    ['max(1,)', /found "\)".*character 7 /],
    ['5²', /"²" has no meaning.*character 2 /],
    ['1;2', /";" has no meaning.*character 2 /],
    ['"a"', /has no meaning.*character 1 /],
    ['1 + foo', /Unknown name "foo"; known are .*character 5 /],
    ['constructor', /Unknown name.*character 1 /],
    ['__proto__(1)', /Unknown name.*character 1 /],
    ['log(10)', /ln\(x\) or log10\(x\).*character 1 /],
    ['2*sqrt', /write sqrt\(…\).*character 3 /],
    ['1+round(1,2,3)', /takes 1 to 2 argument.*not 3.*character 3 /],
    ['3 / (2 - 2)', /Division by zero.*character 6 /],
    ['5 % 0', /Remainder of a division by zero.*character 5 /],
    ['3^3000 % 10', /remainder is lost.*character 10 /],
    ['1.5^(3^3000 - 3^3000)', /result is lost.*character 6 /],
    ['0^-1', /negative power of 0.*character 3 /],
    ['sqrt(-1)', /no real square root.*character 1 /],
    ['(-8)^(1/3)', /no real power.*character 7 /],
    ['ln(0)', /above 0.*character 1 /],
    ['2.5!', /whole number from 0 to 1000.*character 4 /],
    ['1001!', /whole number from 0 to 1000/],
    ['round(1, 0.5)', /decimal places.*character 1 /],
    ['9^9^9', /too large.*character 3 /],
    ['exp(1000000)', /too large/],
    ['exp(-1000000)', /too close to zero/],
    ['1e-99999', /too close to zero.*character 1 /],
    ['1e99999', /too large.*character 1 /],
  ])('%j', (expression, message) => {
    expect(() => calculate(expression, 34)).toThrow(CalculationProblem);
    expect(() => calculate(expression, 34)).toThrow(message);
  });
});

// Nothing a thousand characters can say takes long; the runner's time-out stands behind these.
describe('expressions made to cost much', { timeout: 30_000 }, () => {
  test.each([
    ['1000 signs', `${'-'.repeat(998)}1`, '1'],
    ['500 parentheses', `${'('.repeat(499)}1${')'.repeat(499)}`, '1'],
    ['a tower of powers', Array(333).fill('.9').join('^'), '0.9086993130917371428582448474739738'],
    ['large factorials', Array(200).fill('999!').join('+'), '8.04774520154187547087404867846008e+2566'],
    ['many roots', Array(125).fill('sqrt(4)').join('+'), '250'],
    ['many logarithms', Array(160).fill('ln(1)').join('+'), '0'],
  ])('%s', (_title, expression, result) => expect(resultOf(expression)).toBe(result));

  test('a longer expression is refused', () => {
    expect(() => calculate(`${'1+'.repeat(500)}1`, 34)).toThrow(/longer than 1000/);
  });
});

describe('laws', () => {
  interface Sample {
    readonly text: string;
    readonly value: Rational;
  }
  const literal: fc.Arbitrary<Sample> = fc
    .tuple(fc.nat({ max: 99_999 }), fc.nat({ max: 4 }))
    .map(([digits, places]) => (places === 0 ? String(digits) : `${digits}.${'0'.repeat(places - 1)}7`))
    .map((text) => ({ text, value: parseDecimal(text) }));
  const { expression } = fc.letrec<{ expression: Sample; operation: Sample }>((tie) => ({
    expression: fc.oneof({ maxDepth: 4 }, literal, tie('operation')),
    operation: fc
      .tuple(tie('expression'), fc.constantFrom('+', '-', '*', '/'), tie('expression'))
      .filter(([, operator, right]) => operator !== '/' || right.value.num !== 0n)
      .map(([left, operator, right]) => ({
        text: `(${left.text}${operator}${right.text})`,
        value: apply(operator, left.value, right.value),
      })),
  }));

  test('a result is the true value, or says that it is rounded and is right to its last digit but one', () => {
    fc.assert(
      fc.property(expression, fc.integer({ min: 2, max: 100 }), ({ text, value }, precision) => {
        const { result, rounded } = calculate(text, precision);
        const found = parseDecimal(result);
        return rounded ? agreesTo(precision - 1, found, value) : equals(found, value);
      }),
    );
  });

  test('digits that are shown are right: more precision only adds digits', () => {
    const positive = fc.letrec<{ value: string; call: string; operation: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        literal.map(({ text }) => text).filter((text) => /[1-9]/.test(text)),
        tie('call'),
        tie('operation'),
      ),
      call: fc
        .tuple(fc.constantFrom('sqrt', 'abs', 'exp(-1/', 'ln(1+', 'log10(1+', '0.7^(1/'), tie('value'))
        .map(([name, inner]) => {
          const opened = name.includes('(') ? name : `${name}(`;
          return `${opened}${inner}${')'.repeat((opened.match(/\(/g) ?? []).length)}`;
        }),
      operation: fc
        .tuple(tie('value'), fc.constantFrom('+', '*', '/'), tie('value'))
        .map(([a, operator, b]) => `(${a}${operator}${b})`),
    })).value;
    fc.assert(
      fc.property(positive, fc.integer({ min: 2, max: 60 }), (text, precision) => {
        let precise: string;
        try {
          precise = resultOf(text, 100);
        } catch (error) {
          if (error instanceof CalculationProblem) return fc.pre(false);
          throw error;
        }
        return agreesTo(precision - 1, parseDecimal(resultOf(text, precision)), parseDecimal(precise));
      }),
    );
  });

  test('whatever is written, the answer is a calculation or a problem with a place', () => {
    const scrap = fc.constantFrom(
      ...'0123456789.,+-*/%^!() eE',
      'sqrt(',
      'max(',
      'pi',
      'round(',
      '**',
      '（',
      '×',
      '１',
      '😀',
      '"',
      '[',
      '?',
    );
    fc.assert(
      fc.property(fc.array(scrap, { maxLength: 40 }), (pieces) => {
        try {
          const { result } = calculate(pieces.join(''), 34);
          return /^-?\d+(\.\d+)?(e[+-]\d+)?$/.test(result);
        } catch (error) {
          return error instanceof CalculationProblem && /\(at character \d+ of the expression\)$/.test(error.message);
        }
      }),
    );
  });
});
