import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBuildOutput } from '../src/build-output.ts';

const LINES = [
  { stream: 'Step 1/3 : FROM busybox' },
  { stream: '\n' },
  { stream: ' ---> 74425ca9c696\n' },
  { stream: 'Step 2/3 : RUN make && \\\n  make install' },
  { stream: ' ---> Running in a0dbb545a25b\n' },
  { stream: 'cc 缘.c\n' },
  { stream: '\u001b[91mno rule\u001b[0m' },
  { stream: 'Removing intermediate container a0dbb545a25b\n' },
  { errorDetail: { code: 2 }, error: "The command '/bin/sh -c make' returned a non-zero code: 2" },
];
const BYTES = Buffer.from(`${LINES.map((line) => JSON.stringify(line)).join('\r\n')}\r\n`);

function read(chunks: readonly Uint8Array[]) {
  const output = createBuildOutput();
  for (const chunk of chunks) output.push(chunk);
  output.end();
  return { error: output.error, step: output.step, stepOutput: output.stepOutput };
}

describe('build output', () => {
  it('names the step that failed and what it printed, however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: BYTES.length })), (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), BYTES.length];
        expect(read(edges.slice(1).map((edge, index) => BYTES.subarray(edges[index], edge)))).toEqual({
          error: "The command '/bin/sh -c make' returned a non-zero code: 2",
          step: 'RUN make && \\\n  make install',
          stepOutput: 'cc 缘.c\nno rule',
        });
      }),
    );
  });

  it('keeps no more than the end of a long output, and goes on after a line without end', () => {
    const printed = JSON.stringify({ stream: 'x'.repeat(10_000) });
    const endless = Buffer.alloc(200_000, 'y');
    const { stepOutput, error } = read([
      Buffer.from(`${printed}\n`),
      endless,
      endless,
      Buffer.from(`\n${JSON.stringify({ error: 'out of space' })}\n`),
    ]);
    expect(stepOutput.length).toBeLessThanOrEqual(2_048);
    expect(error).toBe('out of space');
  });

  it('takes anything', () => {
    fc.assert(fc.property(fc.array(fc.uint8Array()), (chunks) => void read(chunks)));
  });
});
