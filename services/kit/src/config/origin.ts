/** Where a piece of configuration was written. */
export type Origin =
  | { readonly kind: 'file'; readonly file: string; readonly line: number }
  | { readonly kind: 'variable'; readonly variable: string }
  | { readonly kind: 'default' };
