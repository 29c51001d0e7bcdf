import type { Executable } from '@yuanbot/contract';
import { type Behaviour, DB_STEP, FAILURE, HTTP_STEP, MAIL_STEP, RUDE_FAILURE } from '../behaviours.ts';
import { executableOf } from './executable.ts';

const BODIES: Readonly<Record<Behaviour, string>> = {
  echo: 'return params;',
  count: 'globalThis.count = (globalThis.count ?? 0) + 1; return globalThis.count;',
  sleep: 'return new Promise(() => {});',
  spin: 'for (;;);',
  flood: "return 'more and more '.repeat(100_000);",
  'not-json': 'const self = {}; self.self = self; return self;',
  fail: `throw new Error(${JSON.stringify(FAILURE)});`,
  'fail-rudely': `throw new Error(${JSON.stringify(RUDE_FAILURE)});`,
  crash: 'const again = () => again() + 1; return again();',
  memory: 'const kept = []; for (;;) kept.push(new Array(100_000).fill(kept.length));',
  'http-step': `return ctx.http(${withoutType(HTTP_STEP)});`,
  'db-step': `return ctx.db(${argumentsOf(DB_STEP)});`,
  'mail-step': `return ctx.mail(${argumentsOf(MAIL_STEP)});`,
  'bad-step': 'return ctx.http({ method: 7 });',
  'step-then-sleep': `await ctx.http(${withoutType(HTTP_STEP)}); return new Promise(() => {});`,
};

export function threadTool(behaviour: Behaviour): Executable {
  return scriptOf(`module.exports = async (params, ctx) => { ${BODIES[behaviour]} };`);
}

export function brokenThread(): readonly Executable[] {
  return ['module.exports = async (params) => {', 'module.exports = 7;', "throw new Error('not today');"].map(scriptOf);
}

function scriptOf(source: string): Executable {
  return executableOf('local_thread', { artifact: Buffer.from(source) });
}

function withoutType({ type: _type, ...step }: { type: string }): string {
  return JSON.stringify(step);
}

function argumentsOf({ operation, params }: { operation: string; params: object }): string {
  return `${JSON.stringify(operation)}, ${JSON.stringify(params)}`;
}
