import { TextBuilder } from './text-builder';

/** A converted text and the size of its table; `hasTable` is false where the data need not be one. */
export class Conversion {
  readonly out: TextBuilder = new TextBuilder();
  hasTable: bool = true;
  rows: i32 = 0;
  columns: i32 = 0;
}
