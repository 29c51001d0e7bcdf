import type { TokenUse } from '@yuanbot/proto/capability';
import type { Colors } from '../terminal/terminal.ts';

/** What a turn's capabilities cost, beside what all of them together would. */
export function tokensLine(use: TokenUse | undefined, colors: Colors): string {
  if (use === undefined) return '';
  const { skills, tools, allSkills, allTools } = use;
  return `${colors.dim(`tokens: ${skills} of ${allSkills} for skills, ${tools} of ${allTools} for tools`)}\n`;
}
