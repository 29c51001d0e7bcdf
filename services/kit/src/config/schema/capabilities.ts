import { byteSize } from '../values/byte-size.ts';
import { choice } from '../values/choice.ts';
import { duration } from '../values/duration.ts';
import { section } from '../values/section.ts';
import { wholeNumber } from '../values/whole-number.ts';
import { defaultLimitsSchema } from './default-limits.ts';
import { sandboxSchema } from './sandbox.ts';
import type { Surroundings } from './surroundings.ts';

/** The block of seed 003 §9.3, and what belongs beside it. */
export function capabilitiesSchema(surroundings: Surroundings) {
  return section({
    loading_strategy: choice({
      of: ['progressive', 'full'],
      default: 'progressive',
      meaning: 'progressive: definitions of matching skills and tools only; full: of all that the caller may use.',
    }),
    max_skills_per_turn: wholeNumber({ min: 0, max: 1000, default: 2, meaning: 'Skills offered for one turn, at most.' }),
    max_tools_per_turn: wholeNumber({ min: 0, max: 1000, default: 3, meaning: 'Tools offered for one turn, at most.' }),
    tool_execution_timeout: duration({
      min: 1,
      max: 3_600_000,
      default: 10,
      meaning: 'How long a tool may run when its file does not say; a bare number is seconds.',
    }),
    max_params_bytes: byteSize({
      min: 1024,
      max: 64 * 1024 ** 2,
      default: '1MiB',
      meaning: "Largest size of a call's parameters as JSON.",
    }),
    sandbox: sandboxSchema(surroundings),
    default_limits: defaultLimitsSchema(),
  })
    .transform((read) => ({
      loadingStrategy: read.loading_strategy,
      maxSkillsPerTurn: read.max_skills_per_turn,
      maxToolsPerTurn: read.max_tools_per_turn,
      toolExecutionTimeoutMs: read.tool_execution_timeout,
      maxParamsBytes: read.max_params_bytes,
      sandbox: read.sandbox,
      defaultLimits: read.default_limits,
    }))
    .prefault({})
    .describe('What is offered to a model, and how tools run.');
}
