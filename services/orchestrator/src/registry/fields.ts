import * as z from 'zod';
import { isDomain, MAX_DOMAIN_DEPTH } from './domain.ts';
import type { PluginPlace } from './loaded-plugin.ts';
import type { Capability } from './model.ts';
import type { KeyRule } from './shape.ts';

/** Fields that skills and tools share (seed 003 §4.1, §5.1). */

/** What an id may be: it appears in file names, logs, metrics labels and tokens. */
export const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

/** One line of text of at most `max` characters. */
export function line(max: number) {
  return z
    .string()
    .regex(/^[^\p{Cc}]*$/u)
    .transform((text) => text.trim().normalize('NFC'))
    .pipe(z.string().min(1).max(max));
}

/** A relative path below the plugin's folder; whether anything is there shows when it is read. */
export const relativePath = z
  .string()
  .max(512)
  .transform((path) => (path.startsWith('./') ? path.slice(2) : path))
  .pipe(
    z
      .string()
      .regex(/^[^\\\0]+$/)
      .refine((path) => path.split('/').every((segment) => !['', '.', '..'].includes(segment))),
  );

const domain = line(256).refine(isDomain);

/** Domains, tags and personas of one capability: more would make it match nearly everything. */
const MAX_DOMAINS = 16;
const MAX_LABELS = 64;

export const commonFields = {
  name: line(120),
  version: line(64),
  category: domain.optional(),
  domains: z.array(domain).max(MAX_DOMAINS).optional(),
  capability_tags: z.array(line(64)).max(MAX_LABELS).default([]),
  persona_filters: z.array(line(64)).max(MAX_LABELS).default([]),
  enabled: z.boolean().default(true),
  token_cost_estimate: z.number().optional(),
};

const DOMAIN_RULE = `names of letters, digits, \`_\` and \`-\`, at most ${MAX_DOMAIN_DEPTH} levels`;

export const COMMON_KEYS: readonly (readonly [string, KeyRule])[] = [
  ['name', { mend: 'Write a name on one line, e.g. `name: 天气查询`, at most 120 characters.' }],
  ['version', { mend: 'Write a version, e.g. `version: "1.0.0"`.' }],
  ['category', { mend: `Write one capability domain, e.g. \`category: daily_chat/weather\`: ${DOMAIN_RULE}.` }],
  [
    'domains',
    {
      mend: `Write a list of at most ${MAX_DOMAINS} capability domains, e.g. \`domains: [daily_chat/weather]\`: ${DOMAIN_RULE}.`,
    },
  ],
  ['capability_tags', { mend: `Write a list of at most ${MAX_LABELS} words, e.g. \`capability_tags: [weather, forecast]\`.` }],
  [
    'persona_filters',
    { mend: 'Write a list of personas, e.g. `persona_filters: [gentle]`; `[]` stands for every persona.', restricts: true },
  ],
  ['enabled', { mend: 'Write `enabled: true` or `enabled: false`.', restricts: true }],
  ['token_cost_estimate', { mend: 'Write a number, or leave it out: tokens are counted.' }],
];

/** Top-level keys whose plain scalars stay as written, so that `version: 1.10` is not 1.1. */
export const COMMON_TEXT_KEYS = ['name', 'version', 'category', 'domains', 'capability_tags', 'persona_filters'] as const;

/** What skills and tools have in common, in the model's own terms. */
export type CommonPart = Pick<
  Capability,
  'name' | 'version' | 'domains' | 'tags' | 'personaFilters' | 'enabled' | 'source' | 'overridesSystem' | 'file'
>;

type CommonFields = z.infer<z.ZodObject<typeof commonFields>>;

export function commonPart(fields: CommonFields, { source, file }: PluginPlace): CommonPart {
  return {
    name: fields.name,
    version: fields.version,
    domains: domainsOf(fields),
    tags: fields.capability_tags,
    personaFilters: fields.persona_filters,
    enabled: fields.enabled,
    source,
    overridesSystem: false,
    file,
  };
}

/** `category` and `domains` together, in that order, each once. */
function domainsOf({ category, domains }: Pick<CommonFields, 'category' | 'domains'>): readonly string[] {
  return [...new Set([...(category === undefined ? [] : [category]), ...(domains ?? [])])];
}

/** A capability without a domain would never be found. */
export function hasDomain(fields: Pick<CommonFields, 'category' | 'domains'>): boolean {
  return domainsOf(fields).length > 0;
}

/** Where that is told. */
export const DOMAIN_MISSING = { path: ['category'] };
