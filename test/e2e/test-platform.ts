import { type Platform, startPlatform } from '@yuanbot/cli/platform';
import { createClient, type RpcClient } from '@yuanbot/proto';
import { CapabilityService, type ToolExecutionResult } from '@yuanbot/proto/capability';
import { type PluginFolder, type ToolFixture, writePluginFolder } from '../fixtures/plugin-folder.ts';

export interface TestPlatform extends AsyncDisposable {
  readonly platform: Platform;
  readonly client: RpcClient<typeof CapabilityService>;
  /** Calls a tool and answers with its result message. */
  execute(toolId: string, params?: unknown, more?: Readonly<Record<string, unknown>>): Promise<ToolExecutionResult>;
}

export interface TestPlatformOptions {
  /** Undefined: the shipped plugins. */
  readonly tools?: readonly ToolFixture[];
  /** Beside the tools, by path in the plugin folder. */
  readonly otherFiles?: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
  readonly restart?: boolean;
  /** False: the platform finds no Docker engine. */
  readonly docker?: boolean;
}

export const ROOT = new URL('../..', import.meta.url).pathname;

/** The real platform: both services as processes of their own, on unix sockets, in a temporary folder. */
export async function startTestPlatform({
  tools,
  otherFiles = {},
  overrides,
  restart = false,
  docker = true,
}: TestPlatformOptions = {}): Promise<TestPlatform> {
  const plugins: PluginFolder | undefined = tools === undefined ? undefined : await writePluginFolder(tools, otherFiles);
  const platform = await startPlatform({
    root: ROOT,
    nodePath: process.execPath,
    env: process.env,
    ephemeral: true,
    restart,
    overrides: {
      // Whatever plugins the checkout's own data folder holds are none of the tests' business.
      YUANBOT_PLUGINS__USER: '/nonexistent/plugins',
      YUANBOT_CAPABILITIES__SANDBOX__DOCKER__SOCKET: docker ? dockerSocket() : '/nonexistent/docker.sock',
      ...(plugins === undefined ? {} : { YUANBOT_PLUGINS__SYSTEM: plugins.root }),
      ...overrides,
    },
  });
  const client = createClient(CapabilityService, platform.orchestrator.listen);
  return {
    platform,
    client,
    async execute(toolId, params = {}, more = {}) {
      const { result } = await client.executeTool({
        toolId,
        paramsJson: typeof params === 'string' ? params : JSON.stringify(params),
        locale: 'en',
        ...more,
      });
      if (result === undefined) throw new Error('the answer carries no result');
      return result;
    },
    async [Symbol.asyncDispose]() {
      client.close();
      await platform.stop();
      await plugins?.[Symbol.asyncDispose]();
    },
  };
}

/** The engine that the test set-up started. */
export function dockerSocket(): string {
  const socket = process.env['YUANBOT_TEST_DOCKER_SOCKET'];
  if (socket === undefined) throw new Error('YUANBOT_TEST_DOCKER_SOCKET is not set: run these tests with `npm run test:e2e`.');
  return socket;
}
