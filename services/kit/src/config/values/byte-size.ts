import { type Quantity, type QuantityKey, quantityKey } from './quantity.ts';

export const BYTE_SIZE: Quantity = {
  noun: 'a size',
  examples: '256KiB, 1MiB, or a number of bytes',
  units: new Map([
    ['B', 1],
    ['KiB', 1024],
    ['MiB', 1024 ** 2],
    ['GiB', 1024 ** 3],
  ]),
  bare: 1,
};

/** A size in bytes. */
export function byteSize(key: QuantityKey) {
  return quantityKey(BYTE_SIZE, key);
}
