import type { Capability, Tool } from './model.ts';

/**
 * A model calls a tool by its function's name, so no two tools may share one. A name belongs to the tool whose id it is;
 * every other tool that claims it is not callable, and where it is nobody's id, none of the claimants is.
 */
export function withCallNamesSettled(capabilities: readonly Capability[]): readonly Capability[] {
  const tools = capabilities.filter((capability): capability is Tool => capability.kind === 'tool' && capability.callable);
  const claimants = Map.groupBy(tools, ({ callName }) => callName);
  return capabilities.map((capability) => {
    if (capability.kind !== 'tool' || !capability.callable || capability.callName === capability.id) return capability;
    const [other] = (claimants.get(capability.callName) ?? []).filter(({ id }) => id !== capability.id);
    return other === undefined ? capability : refuse(capability, other);
  });
}

function refuse(tool: Tool, other: Tool): Tool {
  const problem = {
    severity: 'error',
    file: tool.file,
    line: 0,
    message: `The function name \`${tool.callName}\` is also that of the tool \`${other.id}\`.`,
    mend: `Write \`"name": "${tool.id}"\` in the schema file.`,
  } as const;
  return { ...tool, problems: [...tool.problems, problem], callable: false };
}
