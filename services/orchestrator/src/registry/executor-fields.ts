import { SANDBOX_KINDS, TOOL_PROTOCOLS } from '@yuanbot/contract';
import * as z from 'zod';
import { timeoutField } from './duration-field.ts';
import { relativePath } from './fields.ts';
import { formatNetPattern, type NetPattern, parseNetPattern } from './net-pattern.ts';
import type { KeyRule } from './shape.ts';

/** Entries of one list of a tool's file; more names than any tool needs, few enough for a token. */
const MAX_ENTRIES = 64;

/** A docker image reference, with a registry, a tag or a digest: never something the engine could read as an option. */
const IMAGE = /^[a-z0-9][a-z0-9._-]*(?::\d{1,5})?(?:\/[a-z0-9][a-z0-9._-]*)*(?::\w[\w.-]{0,127})?(?:@sha256:[a-f0-9]{64})?$/;
const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** Variables that change how a program starts or where it talks to: a placeholder there would break it or open it. */
const RESERVED_ENV = /^(?:PATH|HOME|USER|SHELL|NODE_.*|LD_.*|DYLD_.*|PYTHON.*|(?:HTTP|HTTPS|ALL|NO)_PROXY)$/i;
const DB_OPERATION = /^[a-z][a-z0-9_]{0,63}$/;
/** Operations that only read, by the names they must have until a tool can look up the operations there are. */
const READING_OPERATION = /^(?:read|list|search|get)_/;

const argument = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[^\0]*$/);
const netPattern = z.string().transform((text, context): NetPattern => {
  const pattern = parseNetPattern(text);
  if (pattern !== undefined) return pattern;
  context.addIssue({ code: 'custom', input: text });
  return z.NEVER;
});

const MEND_NET =
  'Write methods, scheme and host name, e.g. `GET https://*.qweather.com` or `GET,POST https://api.example.com:8443`: no path, no IP address.';

/** The `executor:` block (seed 003 §5.1, DESIGN §3). Bounds are what one call may ever have. */
export const executorSchema = z.object({
  type: z.enum(SANDBOX_KINDS).optional(),
  image: z.string().max(512).regex(IMAGE).optional(),
  build: z.union([z.literal('.'), z.literal('./').transform(() => '.' as const), relativePath]).optional(),
  entry: relativePath.optional(),
  command: z.array(argument).max(MAX_ENTRIES).default([]),
  protocol: z.enum(TOOL_PROTOCOLS).default('oneshot'),
  network: z.enum(['none', 'proxy']).default('none'),
  timeout: timeoutField.optional(),
  resources: z
    .object({
      memory_mb: z.number().int().min(8).max(8192).optional(),
      cpus: z.number().min(0.05).max(8).optional(),
      pids: z.number().int().min(1).max(1024).optional(),
      output_kb: z.number().int().min(1).max(4096).optional(),
    })
    .default({}),
  env: z
    .array(
      z
        .string()
        .regex(ENV_NAME)
        .refine((name) => !RESERVED_ENV.test(name)),
    )
    .max(MAX_ENTRIES)
    .default([]),
  net: z.array(netPattern).max(MAX_ENTRIES).default([]),
  db: z.array(z.string().regex(DB_OPERATION)).max(MAX_ENTRIES).default([]),
  fs: z.enum(['none', 'read']).default('none'),
  fallback: z.literal('local_thread').optional(),
});

export type ExecutorFields = z.infer<typeof executorSchema>;

export const EXECUTOR_KEYS: readonly (readonly [string, KeyRule])[] = [
  ['executor', { mend: 'Write an `executor:` block with `type:` and `image:`, `build:` or `entry:`.' }],
  ['executor.type', { mend: 'Write `type: docker`, `type: wasm` or `type: local_thread`.' }],
  ['executor.image', { mend: 'Write an image reference, e.g. `image: yuanbot/tool-weather:latest`.' }],
  ['executor.build', { mend: 'Write `build: .`, or a folder below the tool’s own, without `..`.' }],
  [
    'executor.entry',
    { mend: 'Name the script or module below the tool’s own folder, e.g. `entry: query_weather.js`, a path without `..`.' },
  ],
  ['executor.command', { mend: `Write a list of at most ${MAX_ENTRIES} texts, e.g. \`command: [python3, /app/tool.py]\`.` }],
  ['executor.protocol', { mend: 'Write `protocol: oneshot` or `protocol: serve`.' }],
  ['executor.network', { mend: 'Write `network: none` or `network: proxy`.' }],
  [
    'executor.timeout',
    { mend: 'Write e.g. `timeout: 10s`, `timeout: 500ms`, or a number of seconds; at most 600s.', restricts: true },
  ],
  [
    'executor.resources',
    { mend: 'Write e.g. `resources: { memory_mb: 64, cpus: 0.5, pids: 32, output_kb: 256 }`.', restricts: true },
  ],
  ['executor.resources.memory_mb', { mend: 'Write a whole number from 8 to 8192.', restricts: true }],
  ['executor.resources.cpus', { mend: 'Write a number from 0.05 to 8; 0.5 is half a core.', restricts: true }],
  ['executor.resources.pids', { mend: 'Write a whole number from 1 to 1024.', restricts: true }],
  ['executor.resources.output_kb', { mend: 'Write a whole number from 1 to 4096.', restricts: true }],
  ['executor.env', { mend: 'Write names of secrets, e.g. `env: [QWEATHER_KEY]`; variables such as PATH are the platform’s.' }],
  ['executor.net', { mend: MEND_NET }],
  ['executor.db', { mend: 'Write names of operations, e.g. `db: [read_memories]`.' }],
  ['executor.fs', { mend: 'Write `fs: none` or `fs: read`.' }],
  ['executor.fallback', { mend: 'Write `fallback: local_thread`, or leave it out.' }],
];

/** As they stand in the token's scope: normalised, each once, sorted. */
export function netScope(patterns: readonly NetPattern[]): readonly string[] {
  return [...new Set(patterns.map(formatNetPattern))].sort();
}

export function isReadingOperation(operation: string): boolean {
  return READING_OPERATION.test(operation);
}
