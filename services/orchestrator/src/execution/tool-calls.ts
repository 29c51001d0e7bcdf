import { randomUUID } from 'node:crypto';
import { type ErrorCode, ToolCallError } from '@yuanbot/contract';
import { canonicalJson, sha256Digest } from '@yuanbot/kit/canonical';
import { type CallMemory, CallMemoryError, outcomeBytes, type Remembered } from '@yuanbot/kit/idempotency';
import { TOKEN_TYPES, type TokenMinter } from '@yuanbot/kit/token';
import { type Locale, say } from '../messages/catalogue.ts';
import { HEADLINES } from '../messages/error-headlines.ts';
import { decidePermission } from '../policy/permission.ts';
import { definitionProblem } from '../registry/definition-problem.ts';
import type { Tool, ToolExecutor } from '../registry/model.ts';
import type { Registry, RegistrySnapshot } from '../registry/registry.ts';
import { CallRefused } from './call-refused.ts';
import { nearestId } from './nearest-id.ts';
import { canonicalParameters, isParsable } from './parameters.ts';
import type { LinkOutcome, SandboxLink } from './sandbox-link.ts';
import { SchemaError, type SchemaValidator } from './schema-validator.ts';
import { type CallIdentity, callClaims } from './token-claims.ts';
import type { Caller, ToolCallOutcome, ToolCallRequest } from './tool-call.ts';

export interface ToolCallsDeps {
  readonly registry: Registry;
  readonly link: SandboxLink;
  readonly mint: TokenMinter;
  readonly memory: CallMemory<ToolCallOutcome>;
  readonly validatorFor: (schema: Tool['parameters']) => SchemaValidator;
  readonly observer: ToolCallObserver;
  /** `capabilities.max_params_bytes`. */
  readonly maxParamsBytes: number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export interface ToolCallObserver {
  /** A call has ended; `cause` is what the log should know and the caller should not. */
  toolCallEnded(request: ToolCallRequest, outcome: ToolCallOutcome, cause: unknown): void;
}

export interface ToolCalls {
  /**
   * Runs one call. Everything that a model could react to is an outcome; rejects only with `CallRefused`, when the
   * request itself is not one (nothing runs then).
   */
  execute(request: ToolCallRequest, caller: Caller, signal: AbortSignal): Promise<ToolCallOutcome>;
}

/** Ids are short; anything longer is a mistake or an attack. In characters. */
const MAX_ID_LENGTH = 256;

/** The path of a call: idempotency → tool → permission → parameters → token → sandbox → outcome. */
export function createToolCalls(deps: ToolCallsDeps): ToolCalls {
  const { registry, link, mint, memory, validatorFor, observer, maxParamsBytes, clock } = deps;

  async function runInSandbox(
    tool: Tool,
    request: ToolCallRequest,
    identity: CallIdentity,
    signal: AbortSignal,
  ): Promise<SandboxRun> {
    const paramsJson = canonicalParameters(request.paramsJson, validatorFor(tool.parameters), maxParamsBytes, request.locale);
    const paramsDigest = sha256Digest(paramsJson);
    const timeoutMs = request.timeoutMs > 0 ? Math.min(request.timeoutMs, tool.limits.timeoutMs) : tool.limits.timeoutMs;
    const runIn = async (executor: ToolExecutor, fallback: boolean): Promise<SandboxRun> => {
      const token = mint(TOKEN_TYPES.EXECUTION, callClaims(tool, executor, identity, paramsDigest, timeoutMs));
      const call = { toolId: tool.id, invocationId: identity.invocationId, paramsJson, token, executor: executor.descriptor };
      return { executor, fallback, answer: await link.execute(call, signal) };
    };
    const first = await runIn(tool.executor, false);
    const unavailable = first.answer.error?.code === 'ERR_SANDBOX_UNAVAILABLE' && first.answer.disposition === 'not_run';
    // The registry keeps `fallback` only for readonly docker tools that declare it.
    return unavailable && tool.fallback !== undefined ? runIn(tool.fallback, true) : first;
  }

  /** One call that is not remembered under its id, or the first of those that are. */
  async function executeOnce(
    request: ToolCallRequest,
    identity: CallIdentity,
    signal: AbortSignal,
  ): Promise<Remembered<ToolCallOutcome>> {
    const arrivedAt = clock();
    let run: SandboxRun | undefined;
    let failure: ToolCallError | undefined;
    try {
      const tool = callableTool(registry.snapshot(), request);
      run = await runInSandbox(tool, request, identity, signal);
      failure = sandboxFailure(run.answer, request.locale);
      const started = run.answer.disposition === 'ran' && !run.fallback;
      if (started && tool.problems.some(({ foundBy }) => foundBy === 'sandbox')) {
        registry.reportPreparation(tool.id, tool.executor.digest, undefined);
      }
    } catch (error) {
      if (error instanceof CallRefused) throw error;
      failure = asLocalFailure(error, request);
    }
    const outcome: ToolCallOutcome = {
      invocationId: identity.invocationId,
      toolId: request.toolId,
      contentJson: failure === undefined ? run?.answer.contentJson : undefined,
      parts: failure === undefined ? (run?.answer.parts ?? []) : [],
      error: failure === undefined ? undefined : { code: failure.code, message: failure.message },
      stats: {
        sandbox: run?.executor.descriptor.kind,
        execution: run?.answer.stats,
        totalMs: clock() - arrivedAt,
        fallback: run?.fallback ?? false,
      },
    };
    observer.toolCallEnded(request, outcome, failure?.cause);
    const ran = run !== undefined && run.answer.disposition !== 'not_run';
    return { outcome, ran, bytes: outcomeBytes(outcome) };
  }

  return {
    async execute(request, caller, signal) {
      checkRequest(request);
      const idempotent = request.invocationId !== '';
      const identity: CallIdentity = {
        userId: request.userId,
        sessionId: request.sessionId,
        invocationId: idempotent ? request.invocationId : randomUUID(),
        idempotent,
      };
      if (!idempotent) return (await executeOnce(request, identity, signal)).outcome;
      try {
        return await memory.run(
          `${caller.id}\n${identity.invocationId}`,
          fingerprintOf(request, maxParamsBytes),
          signal,
          (shared) => executeOnce(request, identity, shared),
        );
      } catch (error) {
        if (!(error instanceof CallMemoryError)) throw error;
        if (error.reason === 'detached') return cancelledOutcome(request, identity.invocationId);
        throw new CallRefused(REFUSALS[error.reason], error.message);
      }
    },
  };
}

interface SandboxRun {
  readonly executor: ToolExecutor;
  readonly fallback: boolean;
  readonly answer: LinkOutcome;
}

const REFUSALS = { conflict: 'invalid_argument', forgotten: 'failed_precondition', full: 'resource_exhausted' } as const;

function checkRequest(request: ToolCallRequest): void {
  for (const [field, value] of [
    ['tool_id', request.toolId],
    ['invocation_id', request.invocationId],
    ['user_id', request.userId],
    ['session_id', request.sessionId],
  ] as const) {
    if (value.length > MAX_ID_LENGTH)
      throw new CallRefused('invalid_argument', `${field} may have ${MAX_ID_LENGTH} characters at most.`);
    if (/\p{Cc}/u.test(value)) throw new CallRefused('invalid_argument', `${field} may not contain control characters.`);
  }
  if (request.toolId === '') throw new CallRefused('invalid_argument', 'tool_id is empty: name the tool to call.');
}

function callableTool(snapshot: RegistrySnapshot, { toolId, roles, locale }: ToolCallRequest): Tool {
  const tool = snapshot.tool(toolId);
  if (tool === undefined) throw notFound(snapshot, toolId, locale);
  if (!tool.enabled) throw new ToolCallError('ERR_TOOL_DISABLED', say(locale, 'toolDisabled', { tool: toolId }));
  const problem = definitionProblem(tool);
  if (problem !== undefined) {
    throw new ToolCallError('ERR_TOOL_DISABLED', say(locale, 'toolBroken', { tool: toolId, problem: problem.message }));
  }
  switch (decidePermission(tool, roles)) {
    case 'allowed':
      return tool;
    case 'needs_admin':
      throw new ToolCallError('ERR_PERMISSION_DENIED', say(locale, 'needsAdmin', { tool: toolId }));
    case 'needs_confirmation':
      throw new ToolCallError('ERR_APPROVAL_UNDELIVERABLE', say(locale, 'nobodyToAsk', { tool: toolId }));
  }
}

function notFound(snapshot: RegistrySnapshot, toolId: string, locale: Locale): ToolCallError {
  if (snapshot.get(toolId) !== undefined)
    return new ToolCallError('ERR_TOOL_NOT_FOUND', say(locale, 'skillIsNoTool', { tool: toolId }));
  const nearest = nearestId(snapshot, toolId);
  return new ToolCallError(
    'ERR_TOOL_NOT_FOUND',
    nearest === undefined
      ? say(locale, 'toolNotFound', { tool: toolId })
      : say(locale, 'toolNotFoundDidYouMean', { tool: toolId, nearest }),
  );
}

/** The sandbox's own words are English; a Chinese reader gets the code's meaning first. */
function sandboxFailure({ error, disposition }: LinkOutcome, locale: Locale): ToolCallError | undefined {
  if (disposition === 'conflict') throw new CallRefused('invalid_argument', error?.message ?? '');
  if (disposition === 'forgotten') throw new CallRefused('failed_precondition', error?.message ?? '');
  if (error === undefined) return undefined;
  if (disposition === 'lost') return new ToolCallError(error.code, say(locale, 'linkLost'));
  if (error.code === 'ERR_CANCELLED') return new ToolCallError(error.code, say(locale, 'cancelled'));
  return new ToolCallError(error.code, say(locale, 'sandboxSays', { headline: HEADLINES[error.code], detail: error.message }));
}

function asLocalFailure(error: unknown, { toolId, locale }: ToolCallRequest): ToolCallError {
  if (error instanceof ToolCallError) return error;
  if (error instanceof SchemaError) {
    return new ToolCallError('ERR_TOOL_DISABLED', say(locale, 'toolBroken', { tool: toolId, problem: error.message }), {
      cause: error,
    });
  }
  return new ToolCallError('ERR_INTERNAL', say(locale, 'internal'), { cause: error });
}

function cancelledOutcome({ toolId, locale }: ToolCallRequest, invocationId: string): ToolCallOutcome {
  const code: ErrorCode = 'ERR_CANCELLED';
  return {
    invocationId,
    toolId,
    contentJson: undefined,
    parts: [],
    error: { code, message: say(locale, 'cancelled') },
    stats: { sandbox: undefined, execution: undefined, totalMs: 0, fallback: false },
  };
}

/** Equal exactly for requests that ask for the same: parameters are compared as JSON, not as text. */
function fingerprintOf({ toolId, paramsJson, userId, sessionId }: ToolCallRequest, maxParamsBytes: number): string {
  return sha256Digest(JSON.stringify([toolId, comparable(paramsJson, maxParamsBytes), userId, sessionId]));
}

/** Parameters that will be refused anyway are the same only as themselves: nothing large or deep is parsed for it. */
function comparable(paramsJson: string, maxParamsBytes: number): string {
  if (!isParsable(paramsJson, maxParamsBytes)) return sha256Digest(paramsJson);
  try {
    return canonicalJson(JSON.parse(paramsJson === '' ? '{}' : paramsJson));
  } catch {
    return sha256Digest(paramsJson);
  }
}
