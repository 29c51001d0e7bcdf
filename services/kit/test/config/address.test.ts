import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Address, AddressError, formatAddress, isLocalAddress, parseAddress } from '../../src/config/index.ts';

const port = fc.integer({ min: 0, max: 65_535 });
const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,10}[a-z0-9])?$/);
const tcpHost = fc.oneof(
  fc.ipV4(),
  fc.ipV6().filter((text) => !text.includes('%')),
  fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.')),
);
const address: fc.Arbitrary<Address> = fc.oneof(
  fc.record({ kind: fc.constant('tcp' as const), host: tcpHost, port }),
  fc.record({ kind: fc.constant('unix' as const), path: fc.stringMatching(/^(\/[A-Za-z0-9_.-]{1,12}x){1,4}$/) }),
);

describe('parseAddress', () => {
  it('reads back what formatAddress wrote', () => {
    fc.assert(
      fc.property(address, (given) => {
        expect(parseAddress(formatAddress(given), '/run')).toEqual(given);
      }),
    );
  });

  it('answers any text with an address or an AddressError', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `unix:${text}`),
          fc.string().map((text) => `${text}:80`),
        ),
        (text) => {
          try {
            parseAddress(text, '/run');
          } catch (error) {
            expect(error).toBeInstanceOf(AddressError);
          }
        },
      ),
    );
  });

  it.each([
    ['unix:manager.sock', { kind: 'unix', path: '/run/manager.sock' }],
    ['unix:///run/a.sock', { kind: 'unix', path: '/run/a.sock' }],
    ['[::1]:7420', { kind: 'tcp', host: '::1', port: 7420 }],
    ['LOCALHOST:0', { kind: 'tcp', host: 'localhost', port: 0 }],
  ])('reads %s', (text, expected) => {
    expect(parseAddress(text, '/run')).toEqual(expected);
  });

  it.each([
    '',
    ':80',
    '127.0.0.1',
    '127.0.0.1:',
    '127.0.0.1:65536',
    '127.0.0.1:+1',
    '127.1:80',
    '0x7f.0.0.1:80',
    '2130706433:80',
    '::1:80',
    '[::1%lo]:80',
    '[127.0.0.1]:80',
    'a b:80',
    '-a:80',
    'http://a:80',
    'unix:',
    'unix:@abstract',
    'unix:/a\u0000b',
  ])('refuses %j', (text) => {
    expect(() => parseAddress(text, '/run')).toThrow(AddressError);
  });

  it('refuses a socket path that the system would cut', () => {
    expect(() => parseAddress(`unix:/${'a'.repeat(106)}`, '/run')).not.toThrow();
    expect(() => parseAddress(`unix:/${'a'.repeat(107)}`, '/run')).toThrow('has 108 bytes, at most 107 fit');
    expect(() => parseAddress(`unix:/${'元'.repeat(36)}`, '/run')).toThrow('has 109 bytes');
  });
});

describe('isLocalAddress', () => {
  it.each(['127.0.0.1:1', '127.9.9.9:1', '[::1]:1', '[0:0::1]:1', '[::ffff:127.0.0.1]:1', 'localhost:1', 'unix:/a'])(
    'holds %s local',
    (text) => {
      expect(isLocalAddress(parseAddress(text, '/'))).toBe(true);
    },
  );

  it.each(['0.0.0.0:1', '[::]:1', '10.0.0.1:1', '[::ffff:10.0.0.1]:1', 'localhost.example.com:1', 'manager:1', '128.0.0.1:1'])(
    'holds %s reachable',
    (text) => {
      expect(isLocalAddress(parseAddress(text, '/'))).toBe(false);
    },
  );
});
