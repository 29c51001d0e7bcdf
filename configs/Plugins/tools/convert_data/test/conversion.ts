import { createWasmDriver } from '@yuanbot/wasm-sandbox';
import { createToolRunner } from '../../../test/tool-runner.ts';

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

/** The shipped module in the sandbox it is shipped for. Disposing of it ends the sandbox. */
export async function createConverter() {
  const driver = createWasmDriver({ nodePath: process.execPath, hosts: 1, workersPerHost: 1 });
  const run = await createToolRunner(driver, 'wasm', new URL('../convert_data.wasm', import.meta.url));
  return {
    convert: async (params: Params) => (await run(params)) as Conversion,
    close: () => driver.close(),
  };
}
