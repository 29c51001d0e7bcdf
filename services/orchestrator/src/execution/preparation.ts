import { TOKEN_TYPES, type TokenMinter } from '@yuanbot/kit/token';
import { definitionProblem } from '../registry/definition-problem.ts';
import type { Problem, Tool } from '../registry/model.ts';
import type { Registry } from '../registry/registry.ts';
import type { PrepareOutcome, SandboxLink } from './sandbox-link.ts';
import { SchemaError, type SchemaValidator } from './schema-validator.ts';
import { callClaims } from './token-claims.ts';

export interface PreparationDeps {
  readonly registry: Registry;
  readonly link: SandboxLink;
  readonly mint: TokenMinter;
  readonly validatorFor: (schema: Tool['parameters']) => SchemaValidator;
  readonly newId: () => string;
  readonly onPrepared: (tool: Tool, problem: string | undefined, ms: number) => void;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Of `{}`: a preparation has no parameters. */
const NO_PARAMS_DIGEST = 'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';

/**
 * Has every tool made ready in its sandbox, one after another, so that a broken one shows in the listing before somebody
 * needs it. Called when the link comes up. Resolves when all are done or `signal` aborts.
 */
export async function prepareTools(
  deps: PreparationDeps,
  signal: AbortSignal,
  isDue: (tool: Tool) => boolean = () => true,
): Promise<void> {
  const { registry, onPrepared, clock } = deps;
  for (const tool of registry.snapshot().all()) {
    if (tool.kind !== 'tool' || !isWorthPreparing(tool) || !isDue(tool)) continue;
    const startedAt = clock();
    const outcome = await prepare(deps, tool, signal);
    if (signal.aborted) return;
    registry.reportPreparation(tool.id, tool.executor.digest, outcome.ready ? undefined : finding(tool, outcome));
    onPrepared(tool, outcome.ready ? undefined : outcome.message, clock() - startedAt);
  }
}

/** A tool whose sandbox was not there when it was looked at: it may have come meanwhile. */
export function lacksSandbox({ problems }: Tool): boolean {
  return problems.some(({ foundBy, severity }) => foundBy === 'sandbox' && severity === 'warning');
}

/** What is switched off or broken as it is written has nothing to make ready. */
function isWorthPreparing(tool: Tool): boolean {
  return tool.enabled && definitionProblem(tool) === undefined;
}

async function prepare(
  { link, mint, validatorFor, newId }: PreparationDeps,
  tool: Tool,
  signal: AbortSignal,
): Promise<PrepareOutcome> {
  try {
    validatorFor(tool.parameters);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return { ready: false, code: 'ERR_TOOL_DISABLED', message: error.message };
  }
  const identity = { userId: '', sessionId: '', invocationId: `prepare-${newId()}`, idempotent: false };
  const claims = callClaims(tool, tool.executor, identity, NO_PARAMS_DIGEST, tool.limits.timeoutMs);
  return link.prepare(tool.executor.descriptor, mint(TOKEN_TYPES.PREPARATION, claims), signal);
}

/** A sandbox that is not there is no fault of the tool: it may come, and a fallback may serve meanwhile. */
function finding({ file }: Tool, { code, message }: PrepareOutcome & { ready: false }): Problem {
  return {
    severity: code === 'ERR_SANDBOX_UNAVAILABLE' ? 'warning' : 'error',
    file,
    line: 0,
    message: `${code}: ${message}`,
    mend: 'Mend what the message names; the tool is tried again when it is called.',
    foundBy: 'sandbox',
  };
}
