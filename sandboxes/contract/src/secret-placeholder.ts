/**
 * What a tool finds in the environment variable of a secret it declares: `{{secret:NAME}}`. The value itself never enters
 * a sandbox; the platform puts it in place of this text in the requests that it makes for the tool.
 */
export function secretPlaceholder(name: string): string {
  return `{{secret:${name}}}`;
}
