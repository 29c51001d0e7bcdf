import { type ConfigKey, listKeys } from './keys.ts';
import { botSchema } from './schema/bot.ts';
import type { Surroundings } from './schema/surroundings.ts';

/** Every key with its variable, its default and its meaning, in the order of configs/bot.yaml. */
export function describeConfig(surroundings: Surroundings): readonly ConfigKey[] {
  return listKeys(botSchema(surroundings));
}
