import { SandboxKind, type ToolExecutionResult } from '@yuanbot/proto/capability';
import { ExecutorKind, type Sandbox } from '@yuanbot/proto/sandbox';
import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import { startTableDocument, startTableText } from '../../src/start-table/show-start-table.ts';
import { calledRow, type StartCall, unavailableRow } from '../../src/start-table/start-row.ts';

const CALL: StartCall = { executor: ExecutorKind.DOCKER, sandbox: SandboxKind.DOCKER, tool: 'text_stats', params: {} };

const FOUND = { kind: ExecutorKind.DOCKER, available: true, isolation: 'runc', reason: '' } as Sandbox;

function result(outcome: Partial<ToolExecutionResult> & { sandbox?: SandboxKind }): ToolExecutionResult {
  const stats = { sandbox: outcome.sandbox ?? SandboxKind.DOCKER, isolation: 'runc' };
  return { success: false, resultJson: '', errorCode: '', parts: [], stats, ...outcome } as unknown as ToolExecutionResult;
}

describe('a row', () => {
  test('is ok when the call came back from that sandbox', () => {
    expect(calledRow(CALL, FOUND, result({ success: true, resultJson: '{"字":2}' }), 12.3)).toMatchObject({
      state: 'ok',
      text: '{"字":2}',
    });
  });

  test('is a failure when the call ran elsewhere', () => {
    const row = calledRow(CALL, FOUND, result({ success: true, resultJson: '1', sandbox: SandboxKind.LOCAL_THREAD }), 1);
    expect(row).toMatchObject({ state: 'failed', text: 'It ran in local_thread instead.' });
  });

  test('is a failure, with its code, when a sandbox that is there fails', () => {
    const failed = result({ errorCode: 'ERR_SANDBOX_START', error: 'The Dockerfile has an unknown instruction.' });
    expect(calledRow(CALL, FOUND, failed, 1)).toMatchObject({ state: 'failed', errorCode: 'ERR_SANDBOX_START' });
  });

  test('says that the sandbox is not there when its base image is not', () => {
    const error =
      'The image cannot be built: its base image node:26 is not on this machine and could not be pulled (x). Run: docker pull node:26';
    const row = calledRow(CALL, FOUND, result({ errorCode: 'ERR_SANDBOX_START', error }), 1);
    expect(row).toMatchObject({ state: 'unavailable', text: error });
  });

  test('tells why a sandbox is not there', () => {
    const missing = { ...FOUND, available: false, reason: 'There is no engine. Run: apt-get install docker.io' };
    expect(unavailableRow(CALL, missing)).toMatchObject({ state: 'unavailable', text: missing.reason });
    expect(unavailableRow(CALL, undefined).text).toBe('The sandbox-manager does not know this sandbox.');
  });
});

test('the table and its document', () => {
  const rows = [
    calledRow(CALL, FOUND, result({ success: true, resultJson: '{"n":12345678901234567890}' }), 12.3),
    unavailableRow(CALL, { ...FOUND, available: false, reason: 'no engine' }),
    calledRow(CALL, FOUND, result({ errorCode: 'ERR_INTERNAL', error: 'broken' }), 3),
  ];
  expect(startTableText(rows, pc.createColors(false)).split('\n')).toEqual([
    'SANDBOX  TOOL        ISOLATION   TIME  RESULT',
    'docker   text_stats  runc       12 ms  {"n":12345678901234567890}',
    'docker   text_stats  –              –  not available: no engine',
    'docker   text_stats  runc        3 ms  failed: ERR_INTERNAL: broken',
    '',
  ]);
  expect(JSON.parse(JSON.stringify(startTableDocument(rows)))).toMatchObject([
    { sandbox: 'docker', state: 'ok', reason: null, time_ms: 12 },
    { state: 'unavailable', result: null, reason: 'no engine', time_ms: null },
    { state: 'failed', error_code: 'ERR_INTERNAL', reason: 'broken' },
  ]);
  expect(JSON.stringify(startTableDocument(rows))).toContain('12345678901234567890');
});
