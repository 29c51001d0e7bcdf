import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import {
  addHealth,
  addReflection,
  create,
  createClient,
  createServer,
  type DuplexCall,
  RpcError,
  type RpcServer,
  RpcStatus,
} from '@yuanbot/proto';
import {
  CapabilityService,
  ExecuteToolsRequestSchema,
  ExecuteToolsResponseSchema,
  file_yuanbot_capability_v1_capability,
} from '@yuanbot/proto/capability';
import { SandboxManagerService } from '@yuanbot/proto/sandbox';
import { afterEach, describe, expect, it } from 'vitest';

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const internalErrors: unknown[] = [];

async function serve(configure: (server: RpcServer) => void, address = '127.0.0.1:0'): Promise<string> {
  const server = createServer({ maxReceiveBytes: 64 * 1024, onInternalError: (error) => internalErrors.push(error.cause) });
  configure(server);
  const listening = await server.listen(address);
  cleanups.push(() => server.close(AbortSignal.timeout(1000)));
  return listening;
}

function connect(address: string) {
  const client = createClient(CapabilityService, address);
  cleanups.push(() => client.close());
  return client;
}

describe('a call', () => {
  it('goes through a real socket and back, over TCP and a unix socket', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'yuanbot-rpc-'));
    cleanups.push(() => rm(folder, { recursive: true }));
    for (const address of ['127.0.0.1:0', '[::1]:0', `unix:${join(folder, 's')}`]) {
      const listening = await serve((server) => {
        server.handle(CapabilityService, { executeTool: ({ toolId }) => ({ result: { toolId, success: true } }) });
      }, address);
      expect(listening).not.toMatch(/:0$/);
      const { result } = await connect(listening).executeTool({ toolId: '天气' });
      expect(result).toMatchObject({ toolId: '天气', success: true });
    }
  });

  it('rejects with the status that the handler threw', async () => {
    const address = await serve((server) => {
      server.handle(CapabilityService, {
        executeTool: () => {
          throw new RpcError(RpcStatus.FAILED_PRECONDITION, 'Set REDIS_URL first.');
        },
      });
    });
    await expect(connect(address).executeTool({})).rejects.toMatchObject({
      code: RpcStatus.FAILED_PRECONDITION,
      message: 'Set REDIS_URL first.',
    });
  });

  it('survives a status whose message is as long as a careless handler makes it', async () => {
    const address = await serve((server) => {
      server.handle(CapabilityService, {
        executeTool: ({ toolId }) => {
          throw new RpcError(RpcStatus.NOT_FOUND, `There is no ${toolId}.`);
        },
        listCapabilities: () => ({}),
      });
    });
    const client = connect(address);
    const failed = client.executeTool({ toolId: '缘'.repeat(20_000) });
    await expect(failed).rejects.toMatchObject({
      code: RpcStatus.NOT_FOUND,
      message: expect.stringMatching(/^There is no 缘+…$/),
    });
    expect(await client.listCapabilities({})).toMatchObject({ capabilities: [] });
  });

  it('tells the caller nothing of a failure of ours, and us everything', async () => {
    const address = await serve((server) => {
      server.handle(CapabilityService, {
        executeTool: () => {
          throw new Error('password is hunter2');
        },
      });
    });
    const error = await connect(address)
      .executeTool({})
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: RpcStatus.INTERNAL });
    expect(String(error)).not.toContain('hunter2');
    expect(String(internalErrors.at(-1))).toContain('hunter2');
  });

  it('that is too large is RESOURCE_EXHAUSTED, one without a handler UNIMPLEMENTED', async () => {
    const address = await serve((server) => server.handle(CapabilityService, { executeTool: () => ({}) }));
    const client = connect(address);
    await expect(client.executeTool({ paramsJson: 'x'.repeat(70_000) })).rejects.toMatchObject({
      code: RpcStatus.RESOURCE_EXHAUSTED,
    });
    await expect(client.loadSkill({})).rejects.toMatchObject({ code: RpcStatus.UNIMPLEMENTED });
  });

  it('that is cancelled reaches the handler as an aborted signal', async () => {
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const address = await serve((server) => {
      server.handle(CapabilityService, {
        executeTool: async (_request, { signal }) => {
          signal.addEventListener('abort', () => resolve());
          arrive();
          await aborted;
          return {};
        },
      });
    });
    const controller = new AbortController();
    const call = connect(address).executeTool({}, { signal: controller.signal });
    await arrived;
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: RpcStatus.CANCELLED });
    await aborted;
  });

  it('has a deadline', async () => {
    const address = await serve((server) => server.handle(CapabilityService, { executeTool: () => new Promise(() => {}) }));
    await expect(connect(address).executeTool({}, { timeoutMs: 50 })).rejects.toMatchObject({
      code: RpcStatus.DEADLINE_EXCEEDED,
    });
  });
});

describe('streams', () => {
  it('of answers are read with for await, and end or fail as they should', async () => {
    const address = await serve((server) => {
      server.handle(CapabilityService, {
        async *watchCapabilities() {
          for (const id of ['a', 'b']) yield { capability: { id } };
          throw new RpcError(RpcStatus.UNAVAILABLE, 'Going away.');
        },
      });
    });
    const seen: string[] = [];
    const read = async () => {
      for await (const { capability } of connect(address).watchCapabilities({})) seen.push(capability?.id ?? '');
    };
    await expect(read()).rejects.toMatchObject({ code: RpcStatus.UNAVAILABLE });
    expect(seen).toEqual(['a', 'b']);
  });

  it('of requests are collected', async () => {
    const address = await serve((server) => {
      server.handle(SandboxManagerService, {
        async putArtifact(requests) {
          let digest = '';
          for await (const request of requests) digest += request.digest;
          return { digest };
        },
      });
    });
    const client = createClient(SandboxManagerService, address);
    cleanups.push(() => client.close());
    expect(await client.putArtifact([{ digest: 'a' }, { digest: 'b' }])).toMatchObject({ digest: 'ab' });
  });

  it('in both directions carry messages as they come', async () => {
    const address = await serve((server) => {
      server.handle(CapabilityService, {
        executeTools: (call: DuplexCall<typeof CapabilityService.method.executeTools>) => {
          call.on('data', ({ message }) => {
            const invocationId = message.case === 'execute' ? message.value.invocationId : '';
            call.write(create(ExecuteToolsResponseSchema, { message: { case: 'result', value: { invocationId } } }));
          });
          call.on('end', () => call.end());
        },
      });
    });
    const stream = connect(address).executeTools();
    await once(stream, 'metadata');
    stream.write(create(ExecuteToolsRequestSchema, { message: { case: 'execute', value: { invocationId: '1' } } }));
    const [answer] = await once(stream, 'data');
    expect(answer).toMatchObject({ message: { case: 'result', value: { invocationId: '1' } } });
    stream.end();
    const [status] = await once(stream, 'status');
    expect(status).toMatchObject({ code: RpcStatus.OK });
  });
});

describe('operations', () => {
  it('health says what it was told, for the server and each service', async () => {
    const { promise: health, resolve } = Promise.withResolvers<ReturnType<typeof addHealth>>();
    const address = await serve((server) => resolve(addHealth(server.grpc, [CapabilityService.typeName])));
    const client = new Client(address, credentials.createInsecure());
    cleanups.push(() => client.close());
    const check = (service: string) =>
      new Promise<Buffer | undefined>((done, fail) => {
        const request = Buffer.concat([Buffer.from([0x0a, service.length]), Buffer.from(service)]);
        client.makeUnaryRequest(
          '/grpc.health.v1.Health/Check',
          (bytes: Buffer) => bytes,
          (bytes: Buffer) => bytes,
          request,
          (error, answer) => (error ? fail(error) : done(answer)),
        );
      });
    // HealthCheckResponse.status is field 1: 1 is SERVING, 2 NOT_SERVING.
    expect(await check('')).toEqual(Buffer.from([0x08, 2]));
    (await health).setServing(true);
    expect(await check(CapabilityService.typeName)).toEqual(Buffer.from([0x08, 1]));
  });

  it('reflection lists the service', async () => {
    const address = await serve((server) => {
      server.handle(CapabilityService, {});
      addReflection(server.grpc, [file_yuanbot_capability_v1_capability]);
    });
    const client = new Client(address, credentials.createInsecure());
    cleanups.push(() => client.close());
    const stream = client.makeBidiStreamRequest(
      '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => bytes,
    );
    // ServerReflectionRequest.list_services is field 7.
    stream.write(Buffer.from([0x3a, 0x00]));
    const [answer] = await once(stream, 'data');
    expect(String(answer)).toContain('yuanbot.capability.v1.CapabilityService');
    stream.end();
  });
});
