import fc from 'fast-check';
import pc from 'picocolors';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { renderTable } from '../../src/terminal/table.ts';

const plain = pc.createColors(false);

test('columns are aligned by what characters take on a screen', () => {
  const rows = [
    { name: '情绪安抚', tokens: 250 },
    { name: 'bedtime', tokens: 7 },
    { name: '👨‍👩‍👧 a', tokens: 1000 },
  ];
  const table = renderTable<(typeof rows)[number]>(
    [
      { title: 'name', text: ({ name }) => name },
      { title: 'tokens', align: 'right', text: ({ tokens }) => String(tokens) },
      { title: 'end', text: () => '|' },
    ],
    rows,
    plain,
  );
  expect(table).toBe(
    ['NAME      TOKENS  END', '情绪安抚     250  |', 'bedtime        7  |', '👨‍👩‍👧 a        1000  |', ''].join('\n'),
  );
});

test('no rows, no table', () => {
  expect(renderTable([{ title: 'a', text: String }], [], plain)).toBe('');
});

test('law: no content breaks its line, moves the cursor or moves the next column', () => {
  const cell = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
      const table = renderTable<[string, string]>(
        [
          { title: 'first', text: ([first]) => first },
          { title: 'second', text: ([, second]) => second },
          { title: 'mark', text: () => 'END' },
        ],
        rows,
        plain,
      );
      const lines = table.split('\n');
      expect(lines).toHaveLength(rows.length + 2);
      expect(table.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      const columns = lines.slice(1, -1).map((line) => stringWidth(line.slice(0, line.lastIndexOf('END'))));
      expect(new Set(columns).size).toBe(1);
    }),
  );
});
