import { compileFunction } from 'node:vm';
import { ToolCallError } from '@yuanbot/contract';
import { messageOf } from './thrown-message.ts';

/** Stands for the tool's file in V8's own reports; no path of this machine is in them. */
const FILE_NAME = 'tool.js';

/**
 * Parses `text` as the body of a function, without running anything: V8 tells the line of a syntax error nowhere
 * else, and a text that is a whole function body cannot end its wrapper early and put code around it. The code that
 * runs is evaluated by SES, which parses again. Throws ERR_SANDBOX_START.
 */
export function refuseBadSyntax(text: string): void {
  try {
    compileFunction(`"use strict";${text}`, ['module', 'exports'], { filename: FILE_NAME });
  } catch (error) {
    throw startErrorOf(error);
  }
}

/** What SES refuses before it evaluates, whether in code, in a string or in a comment. */
const SES_REFUSALS: Readonly<Record<string, string>> = {
  SES_IMPORT_REJECTED:
    'dynamic `import(…)` does not exist here, not even in a comment or a string; bundle the tool into one file',
  SES_HTML_COMMENT_REJECTED: '`<!--` and `-->` are not allowed, not even in a string; split them',
  SES_EVAL_REJECTED: 'direct `eval(…)` is not allowed, not even in a comment or a string',
};

const V8_POSITION = /^tool\.js:(\d+)/;
const SES_POSITION = /:(\d+)\. \((SES_\w+)\)/;
const MODULE_SYNTAX = /import statement outside a module|Unexpected token 'export'|import\.meta/;

/** ERR_SANDBOX_START with the line, where it is known, and the cause in words. */
export function startErrorOf(error: unknown): ToolCallError {
  const message = messageOf(error);
  const refused = SES_POSITION.exec(message);
  const stack = error instanceof Error && typeof error.stack === 'string' ? error.stack : '';
  const line = refused?.[1] ?? V8_POSITION.exec(stack)?.[1];
  const cause = SES_REFUSALS[refused?.[2] ?? ''] ?? (MODULE_SYNTAX.test(message) ? `${message}; ${BUNDLE}` : message);
  return new ToolCallError(
    'ERR_SANDBOX_START',
    `The tool's file cannot be used${line === undefined ? '' : `, line ${line}`}: ${cause}.`,
  );
}

const BUNDLE = 'tools are CommonJS: bundle with format `cjs`';
