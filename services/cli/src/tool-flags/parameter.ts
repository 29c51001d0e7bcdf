/** How a parameter's value is written on a command line. */
export type ValueForm =
  | { readonly form: 'text' }
  | { readonly form: 'number'; readonly whole: boolean }
  | { readonly form: 'switch' }
  /** One of these JSON values: a string is written bare, any other as JSON. */
  | { readonly form: 'choice'; readonly choices: readonly unknown[] }
  /** The flag is repeated, once for each item. */
  | { readonly form: 'list'; readonly item: ScalarForm }
  | { readonly form: 'json' };

export type ScalarForm = Extract<ValueForm, { form: 'text' | 'number' | 'choice' }>;

/** A parameter of a tool, as its JSON Schema declares it. */
export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** `undefined` when the schema names none. */
  readonly default: unknown;
  readonly value: ValueForm;
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * The parameters of an object schema, in its order. Schemas come from files of others: whatever does not have the
 * shape that JSON Schema gives it is taken as not said, and the platform has the last word on every value.
 */
export function parametersOf(schema: unknown): readonly Parameter[] {
  const { properties, required } = asSchema(schema);
  const names = new Set(Array.isArray(required) ? required : []);
  return Object.entries(asSchema(properties)).map(([name, property]) => {
    const { description, default: value } = asSchema(property);
    return {
      name,
      description: typeof description === 'string' ? description : '',
      required: names.has(name),
      default: value,
      value: formOf(asSchema(property)),
    };
  });
}

function formOf(schema: Schema): ValueForm {
  const scalar = scalarFormOf(schema);
  if (scalar !== undefined) return scalar;
  switch (soleTypeOf(schema)) {
    case 'boolean':
      return { form: 'switch' };
    case 'array': {
      const item = scalarFormOf(asSchema(schema['items']));
      return item === undefined ? { form: 'json' } : { form: 'list', item };
    }
    default:
      return { form: 'json' };
  }
}

function scalarFormOf(schema: Schema): ScalarForm | undefined {
  const choices = schema['const'] === undefined ? schema['enum'] : [schema['const']];
  if (Array.isArray(choices) && choices.length > 0) return { form: 'choice', choices };
  switch (soleTypeOf(schema)) {
    case 'string':
      return { form: 'text' };
    case 'integer':
      return { form: 'number', whole: true };
    case 'number':
      return { form: 'number', whole: false };
    default:
      return undefined;
  }
}

/** The type, where it is one; `null` beside it is a value that only `--params` can give. */
function soleTypeOf({ type }: Schema): unknown {
  const types = (Array.isArray(type) ? type : [type]).filter((each) => each !== 'null');
  return types.length === 1 ? types[0] : undefined;
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}
