import type { CallEntry } from '@yuanbot/kit/lifecycle';
import { type CallContext, type Handlers, RpcError, RpcStatus } from '@yuanbot/proto';
import { type CapabilityService, Provider } from '@yuanbot/proto/capability';
import { CallRefused } from '../execution/call-refused.ts';
import type { Caller } from '../execution/tool-call.ts';
import type { ToolCalls } from '../execution/tool-calls.ts';
import { listCapabilities } from '../loading/list-capabilities.ts';
import type { LoadForIntent } from '../loading/load-for-intent.ts';
import type { ReadResource } from '../loading/read-resource.ts';
import { RequestError } from '../loading/request-errors.ts';
import type { LoadedRegistry } from '../registry/create-registry.ts';
import {
  fromCapability,
  fromLoadResult,
  fromProblem,
  fromResource,
  toListRequest,
  toLoadRequest,
} from './capability-messages.ts';
import { serveExecuteTools } from './execute-tools-stream.ts';
import { refusalStatus } from './refusal-status.ts';
import { fromCallRefused, fromToolCallOutcome, toToolCallRequest } from './tool-call-messages.ts';

export interface CapabilityServiceDeps {
  readonly registry: LoadedRegistry;
  readonly loadForIntent: LoadForIntent;
  readonly readResource: ReadResource;
  readonly calls: ToolCalls;
  readonly enter: () => CallEntry;
  readonly onInternalError: (error: Error) => void;
}

/** Everybody who can reach a local listener, while `auth.mode` is `none`. */
const LOCAL_CALLER: Caller = { id: 'local' };

/** `yuanbot.capability.v1.CapabilityService`: messages in, domain calls, messages out. */
export function capabilityHandlers(deps: CapabilityServiceDeps): Handlers<typeof CapabilityService> {
  const { registry, loadForIntent, readResource, calls, enter, onInternalError } = deps;

  async function counted<T>(work: () => T | Promise<T>): Promise<T> {
    const { leave, refused } = enter();
    if (refused !== undefined) throw refusalStatus(refused);
    try {
      return await work();
    } catch (error) {
      throw asStatus(error);
    } finally {
      leave();
    }
  }

  return {
    listCapabilities: (request) =>
      counted(() => {
        const snapshot = registry.snapshot();
        const { capabilities, nextPageToken } = listCapabilities(snapshot, toListRequest(request));
        const fileProblems = request.pageToken === '' ? snapshot.problems().map(fromProblem) : [];
        return { capabilities: capabilities.map(fromCapability), nextPageToken, fileProblems };
      }),
    loadForIntent: (request) =>
      counted(() => {
        if (request.provider > Provider.OPENAI) {
          throw new RpcError(RpcStatus.UNIMPLEMENTED, 'Tool definitions come in the OpenAI shape only, for now.');
        }
        if (request.strictSchemas) throw new RpcError(RpcStatus.UNIMPLEMENTED, 'Strict schemas are not made yet.');
        return fromLoadResult(loadForIntent(registry.snapshot(), toLoadRequest(request)));
      }),
    readResource: ({ capabilityId, path, offset, limit }) =>
      counted(async () => {
        const part = await readResource(registry, { capabilityId, path, offset: Number(offset), limit: Number(limit) });
        return { content: part.content, info: fromResource(part.info), end: part.end };
      }),
    executeTool: (request, { signal }: CallContext) =>
      counted(async () => ({
        result: fromToolCallOutcome(await calls.execute(toToolCallRequest(request), LOCAL_CALLER, signal)),
      })),
    executeTools: (stream) => serveExecuteTools(stream, { calls, caller: LOCAL_CALLER, enter, onInternalError }),
  };
}

const REQUEST_STATUSES = {
  invalid: RpcStatus.INVALID_ARGUMENT,
  not_found: RpcStatus.NOT_FOUND,
} as const satisfies Record<RequestError['kind'], RpcStatus>;

function asStatus(error: unknown): unknown {
  if (error instanceof CallRefused) return fromCallRefused(error);
  if (error instanceof RequestError) return new RpcError(REQUEST_STATUSES[error.kind], error.message, { cause: error });
  return error;
}
