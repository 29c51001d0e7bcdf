// npm start [-- --once …]: installs what is locked, then `yuanbot-cli up` on Node 26.
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { endWithNpm } from './end-with-npm.mjs';
import { installedEnvironment, installLocked, node26, root } from './install.mjs';

endWithNpm();
await installLocked();
const main = join(root, 'services/cli/src/main.ts');
process.exitCode = await runChild(node26, [main, 'up', ...process.argv.slice(2)], { cwd: root, env: installedEnvironment() });
