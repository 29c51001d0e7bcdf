import { Option } from 'commander';

export function embeddedOption(): Option {
  return new Option('--embedded', 'bring a platform up for the length of this command');
}
