import { isNumber } from './json-number';

/** Whether a bare CSV field reads as a number, true or false when types are inferred. */
export function isBareScalar(text: string): bool {
  return isNumber(text) || text === 'true' || text === 'false';
}
