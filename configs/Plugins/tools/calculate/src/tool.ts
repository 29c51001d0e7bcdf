import { calculate } from './calculate.ts';

interface Params {
  readonly expression: string;
  readonly precision: number;
}

/** The tool's entry: `module.exports` of the bundle. Parameters come validated, with defaults filled in. */
export default async ({ expression, precision }: Params) => calculate(expression, precision);
