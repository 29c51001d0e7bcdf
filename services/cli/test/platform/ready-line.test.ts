import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseReadyLine } from '../../src/platform/ready-line.ts';

test('law: a ready line is read back, and nothing else is one', () => {
  const ready = fc.record({ service: fc.string(), listen: fc.string(), http: fc.string() });
  fc.assert(
    fc.property(ready, (line) => {
      expect(parseReadyLine(JSON.stringify({ ready: true, ...line }))).toEqual(line);
      expect(parseReadyLine(JSON.stringify({ ...line }))).toBeUndefined();
      expect(parseReadyLine(JSON.stringify({ ready: true, ...line, http: 1 }))).toBeUndefined();
    }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
      expect(parseReadyLine(line)).toBeUndefined();
    }),
  );
});
