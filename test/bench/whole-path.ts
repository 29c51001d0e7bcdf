import { randomUUID } from 'node:crypto';
import { create, createClient, type RpcClient } from '@yuanbot/proto';
import {
  CapabilityService,
  ExecuteToolsRequestSchema,
  type ExecuteToolsResponse,
  type ToolExecutionResult,
} from '@yuanbot/proto/capability';
import type { Call } from './measure.ts';

/** Whole path: client → orchestrator → token → manager → sandbox → back. */
export interface WholePath {
  /** One ExecuteTool call. */
  unary(toolId: string): Call;
  /** One call on the long ExecuteTools stream. */
  streamed(toolId: string): Call;
  close(): void;
}

export function connectWholePath(address: string, paramsJson: string): WholePath {
  const client: RpcClient<typeof CapabilityService> = createClient(CapabilityService, address);
  const stream = client.executeTools();
  const pending = new Map<string, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();

  stream.on('data', ({ message }: ExecuteToolsResponse) => {
    if (message.case === 'result') {
      const { resolve, reject } = take(message.value.invocationId);
      check(message.value, resolve, reject);
    } else if (message.case === 'rejected') {
      take(message.value.invocationId).reject(new Error(message.value.message));
    }
  });
  stream.on('error', (error: Error) => {
    for (const { reject } of pending.values()) reject(error);
  });

  function take(id: string) {
    const entry = pending.get(id);
    if (entry === undefined) throw new Error(`an answer to nothing: ${id}`);
    pending.delete(id);
    return entry;
  }

  function check(
    result: ToolExecutionResult | undefined,
    resolve: (value: unknown) => void,
    reject: (error: Error) => void,
  ): void {
    if (result?.resultJson === paramsJson) resolve(result);
    else reject(new Error(`not the echo: ${result?.errorCode} ${result?.error} ${result?.resultJson}`));
  }

  return {
    unary: (toolId) => async () => {
      const { result } = await client.executeTool({ toolId, paramsJson });
      return new Promise((resolve, reject) => check(result, resolve, reject));
    },
    streamed: (toolId) => () =>
      new Promise((resolve, reject) => {
        // Answers are matched by the id, so each call on the stream has one of its own.
        const invocationId = randomUUID();
        pending.set(invocationId, { resolve, reject });
        stream.write(
          create(ExecuteToolsRequestSchema, { message: { case: 'execute', value: { toolId, invocationId, paramsJson } } }),
        );
      }),
    close() {
      stream.end();
      client.close();
    },
  };
}
