import { choice } from '../values/choice.ts';
import { section } from '../values/section.ts';

export function authSchema() {
  return section({
    mode: choice({
      of: ['none'],
      default: 'none',
      meaning: 'none: callers are not asked who they are; every server must listen on loopback or a unix socket.',
    }),
  })
    .prefault({})
    .describe('How callers of the Capability API prove who they are.');
}
