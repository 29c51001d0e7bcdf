import { createThreadDriver } from '@yuanbot/thread-sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToolRunner, type ToolRunner } from '../../../test/tool-runner.ts';

interface Answer {
  readonly text: string;
  readonly iso: string;
  readonly timezone: string;
  readonly utc_offset: string;
  readonly weekday: string;
  readonly unix: number;
}

const driver = createThreadDriver({ nodePath: process.execPath, hosts: 1, workersPerHost: 1 });
let run: ToolRunner;
beforeAll(async () => {
  run = await createToolRunner(driver, 'local_thread', new URL('../get_current_datetime.js', import.meta.url));
});
afterAll(() => driver.close());

async function full(timezone: string): Promise<Answer> {
  return (await run({ format: 'full', timezone })) as Answer;
}

// The reference is Intl, which the tool itself does not have; the clock is the machine's.
function reference(unix: number, timezone: string) {
  const format = new Intl.DateTimeFormat('zh-CN', {
    timeZone: timezone,
    dateStyle: 'full',
    timeStyle: 'medium',
    hourCycle: 'h23',
  });
  const zone = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' }).formatToParts(unix * 1000);
  const offset = zone.find(({ type }) => type === 'timeZoneName')?.value.slice('GMT'.length);
  return { text: format.format(unix * 1000).replace('日星期', '日 星期'), offset: offset === '' ? '+00:00' : offset };
}

describe('full', () => {
  test.each([
    'Asia/Shanghai',
    'UTC',
    'America/New_York',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
  ])('is the time that it is in %s', async (timezone) => {
    const before = Math.floor(Date.now() / 1000);
    const answer = await full(timezone);
    expect(answer.unix).toBeGreaterThanOrEqual(before);
    expect(answer.unix).toBeLessThanOrEqual(Date.now() / 1000);
    expect(Date.parse(answer.iso)).toBe(answer.unix * 1000);
    const { text, offset } = reference(answer.unix, timezone);
    expect(answer).toEqual({
      text,
      iso: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/),
      timezone,
      utc_offset: offset,
      weekday: text.split(' ')[1],
      unix: answer.unix,
    });
  });
});

test('date and time give only what they are asked for', async () => {
  expect(await run({ format: 'date', timezone: 'UTC' })).toEqual({
    text: expect.stringMatching(/^\d{4}年\d{1,2}月\d{1,2}日 星期[一二三四五六日]$/),
    iso: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    timezone: 'UTC',
    weekday: expect.stringMatching(/^星期[一二三四五六日]$/),
  });
  expect(await run({ format: 'time', timezone: 'Asia/Tokyo' })).toEqual({
    text: expect.stringMatching(/^\d\d:\d\d:\d\d$/),
    iso: expect.stringMatching(/^\d\d:\d\d:\d\d\+09:00$/),
    timezone: 'Asia/Tokyo',
    utc_offset: '+09:00',
  });
});

test.each(['Asia/Peking', '北京', '__proto__', '../../etc/localtime'])('%s is not a time zone', async (timezone) => {
  await expect(run({ format: 'full', timezone })).rejects.toMatchObject({
    code: 'ERR_TOOL_FAILED',
    message: `There is no time zone ${JSON.stringify(timezone)}; use an IANA name such as "Asia/Shanghai".`,
  });
});
