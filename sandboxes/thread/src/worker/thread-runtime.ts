import { ToolCallError } from '@yuanbot/contract';
import type { Program, Runtime } from '@yuanbot/host/runtime';
import { createPowers } from './powers.ts';
import { encodeContent } from './result-encoding.ts';
import { loadScript, type Script } from './script.ts';
import { messageOf } from './thrown-message.ts';

/** Runs thread tools. One instance a worker, after `lockdown`. */
export function createThreadRuntime(): Runtime {
  const scripts = new WeakMap<Program, Script>();

  return {
    prepare(program) {
      const script = loadScript(program.artifact);
      // Its first lines run now, so that one that cannot even start is known before somebody calls it.
      script.instantiate();
      scripts.set(program, script);
    },

    async run(program, call) {
      const script = scripts.get(program);
      if (script === undefined)
        throw new ToolCallError('ERR_INTERNAL', 'The thread sandbox was asked to run a tool that is not prepared.');
      const tool = script.instantiate();
      const powers = createPowers(program, call);
      const params: unknown = JSON.parse(call.paramsJson);
      let returned: unknown;
      try {
        returned = await tool(params, powers.ctx);
      } catch (error) {
        throw new ToolCallError('ERR_TOOL_FAILED', messageOf(error));
      }
      const { content, parts } = powers.unwrap(returned);
      return { contentJson: encodeContent(content), parts, steps: powers.steps(), peakMemoryBytes: 0 };
    },
  };
}
