import type { Executable } from '@yuanbot/contract';
import { BUSYBOX_IMAGE } from '../../fixtures/images.ts';
import { tarOf } from '../../fixtures/tar.ts';
import { type Behaviour, DB_STEP, FAILURE, HTTP_STEP, MAIL_STEP, RUDE_FAILURE } from '../behaviours.ts';
import { executableOf } from './executable.ts';

/** The field of the envelope that follows `"params":`; greedy, so that text inside the params cannot end it. */
const ECHO = String.raw`sed 's/^{"params":\(.*\),"approved":.*$/{"type":"result","content":\1}/'`;

/** Prints the step at first, and its answer, from the envelope's last field, the second time. */
function stepScript(step: object, field: string): string {
  const answer = String.raw`sed 's/^.*,"${field}":\(.*\)}$/{"type":"result","content":\1}/'`;
  return `read -r line; case "$line" in *',"${field}":'*) printf '%s\\n' "$line" | ${answer};; *) echo '${JSON.stringify(step)}';; esac`;
}

const SCRIPTS: Readonly<Record<Behaviour, string>> = {
  echo: ECHO,
  count: `n=$(cat /tmp/count 2>/dev/null || echo 0); echo $((n + 1)) > /tmp/count; echo '{"type":"result","content":'$((n + 1))'}'`,
  sleep: 'sleep 3600',
  spin: 'while :; do :; done',
  flood: 'yes "more and more and more"',
  'not-json': 'echo "it is 20 degrees"',
  fail: `echo '${JSON.stringify({ type: 'error', message: FAILURE })}'`,
  'fail-rudely': `printf '%s\\n' '${JSON.stringify({ type: 'error', message: RUDE_FAILURE })}'`,
  crash: 'kill -SEGV $$',
  memory: 'tail /dev/zero',
  'http-step': stepScript(HTTP_STEP, 'response'),
  'db-step': stepScript(DB_STEP, 'db_response'),
  'mail-step': stepScript(MAIL_STEP, 'response'),
  'bad-step': `echo '{"type":"ftp","url":"ftp://example.com"}'`,
  'step-then-sleep': `read -r line; case "$line" in *',"response":'*) sleep 3600;; *) echo '${JSON.stringify(HTTP_STEP)}';; esac`,
};

/** A busybox script as the command of an image. */
export function dockerTool(behaviour: Behaviour): Executable {
  return executableOf('docker', { image: BUSYBOX_IMAGE, command: ['sh', '-c', SCRIPTS[behaviour]] });
}

/** A tool that comes as a build context with this Dockerfile. */
export async function builtTool(dockerfile: string, files: Readonly<Record<string, string>> = {}): Promise<Executable> {
  const entries = Object.entries({ Dockerfile: dockerfile, ...files }).map(([name, content]) => ({ name, content }));
  return executableOf('docker', { artifact: await tarOf(entries) });
}

/** The echo, built. `mark` makes its content, and so its image, another. */
export function builtEcho(mark: string): Promise<Executable> {
  return builtTool(`FROM ${BUSYBOX_IMAGE}\n# ${mark}\nCOPY echo.sh /echo.sh\nCMD ["sh", "/echo.sh"]\n`, { 'echo.sh': ECHO });
}
