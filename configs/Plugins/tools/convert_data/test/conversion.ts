import { createWasmDriver } from '@yuanbot/wasm-sandbox';
import { afterAll, beforeAll } from 'vitest';
import { createToolRunner, type ToolRunner } from '../../../test/tool-runner.ts';

/** Parameters of convert_data.schema.json. */
export interface Params {
  readonly input: string;
  readonly from: 'csv' | 'json';
  readonly to: 'csv' | 'json';
  readonly delimiter?: string;
  readonly output_delimiter?: string;
  readonly header?: boolean;
  readonly types?: 'text' | 'infer';
  readonly indent?: number;
}

export interface Conversion {
  readonly output: string;
  readonly rows?: number;
  readonly columns?: number;
}

/** The shipped module in the sandbox it is shipped for, for as long as the tests of the calling file run. */
export function useConverter() {
  const driver = createWasmDriver({ nodePath: process.execPath, hosts: 1, workersPerHost: 1 });
  let run: ToolRunner;
  beforeAll(async () => {
    run = await createToolRunner(driver, 'wasm', new URL('../convert_data.wasm', import.meta.url));
  });
  afterAll(() => driver.close());

  async function convert(params: Params): Promise<Conversion> {
    return (await run(params)) as Conversion;
  }

  return { convert, outputOf: async (params: Params) => (await convert(params)).output };
}
