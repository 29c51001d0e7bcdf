import { TOKEN_TYPES, type TokenMinter } from '@yuanbot/kit/token';
import type { Tool } from '../registry/model.ts';
import type { Registry } from '../registry/registry.ts';
import type { SandboxLink } from './sandbox-link.ts';
import { callClaims } from './token-claims.ts';

export interface PreparationDeps {
  readonly registry: Registry;
  readonly link: SandboxLink;
  readonly mint: TokenMinter;
  readonly newId: () => string;
  readonly onPrepared: (tool: Tool, problem: string | undefined, ms: number) => void;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Of `{}`: a preparation has no parameters. */
const NO_PARAMS_DIGEST = 'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';

/**
 * Has every callable tool made ready in its sandbox, one after another, so that a broken one shows in the listing before
 * somebody needs it. Called when the registry changes and when the link comes up. Resolves when all are done or `signal`
 * aborts.
 */
export async function prepareTools(
  { registry, link, mint, newId, onPrepared, clock }: PreparationDeps,
  signal: AbortSignal,
): Promise<void> {
  for (const tool of registry.snapshot().all()) {
    if (signal.aborted) return;
    if (tool.kind !== 'tool' || !tool.enabled) continue;
    const identity = { userId: '', sessionId: '', invocationId: `prepare-${newId()}`, idempotent: false };
    const token = mint(
      TOKEN_TYPES.PREPARATION,
      callClaims(tool, tool.executor, identity, NO_PARAMS_DIGEST, tool.limits.timeoutMs),
    );
    const startedAt = clock();
    const outcome = await link.prepare(tool.executor.descriptor, token, signal);
    if (signal.aborted) return;
    const problem = outcome.ready ? undefined : `${outcome.code}: ${outcome.message}`;
    registry.reportPreparation(
      tool.id,
      tool.executor.digest,
      problem === undefined
        ? undefined
        : {
            severity: outcome.ready || outcome.code !== 'ERR_SANDBOX_START' ? 'warning' : 'error',
            file: tool.file,
            line: 0,
            foundBy: 'sandbox',
            message: problem,
            mend: 'Mend what the message names; the tool is tried again when its files change and when it is called.',
          },
    );
    onPrepared(tool, problem, clock() - startedAt);
  }
}
