import { describe, expect, it } from 'vitest';
import { createBuildArguments } from '../src/build-arguments.ts';

describe('build arguments', () => {
  it.each<[string[], string, string | undefined]>([
    [[], 'node:26', 'node:26'],
    [['V=26'], 'node:$V', 'node:26'],
    [['V=26'], `node:\${V}-slim`, 'node:26-slim'],
    [['V="26"'], 'node:$V', 'node:26'],
    [['V=26', 'B=node:$V'], '$B', 'node:26'],
    [['V=25', 'V=26'], 'node:$V', 'node:26'],
    [['V'], `node:\${V:-26}`, 'node:26'],
    [['V='], `node:\${V:-26}`, 'node:26'],
    [[], 'node:$V', undefined],
    [['V'], 'node:$V', undefined],
    [['V=26', 'V'], 'node:$V', undefined],
    [['V=a b'], '$V', undefined],
    [["V='26'"], '$V', undefined],
    [['V=26'], `\${V:+27}`, undefined],
    [['V=26'], `\${V#2}`, undefined],
    [['V=26'], '\\$V', undefined],
    [[], '"node"', undefined],
  ])('%j: %s is %s', (declared, text, substituted) => {
    const buildArguments = createBuildArguments();
    for (const rest of declared) buildArguments.declare(rest);
    expect(buildArguments.substitute(text)).toBe(substituted);
  });
});
