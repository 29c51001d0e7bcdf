import { type Executable, type ExecutorDescriptor, type SandboxKind, ToolCallError } from '@yuanbot/contract';
import type { Program } from './runtime-contract.ts';

/** What of a descriptor a kind of hosted tool has a use for, beside its program file, secrets and resources. */
export interface HostedKind {
  readonly kind: SandboxKind;
  /** Its programs get a command line. */
  readonly takesCommand: boolean;
}

/**
 * What a host process runs for an executable. Throws ERR_SANDBOX_START for one that asks for anything that would not be
 * done: a field that a hosted tool has no use for is refused, and so is one that nobody here knows.
 */
export function programOf(hosted: HostedKind, { descriptor, digest, artifact, resources }: Executable): Program {
  const refusal = refusalOf(hosted, descriptor);
  if (refusal !== undefined) throw new ToolCallError('ERR_SANDBOX_START', refusal);
  if (artifact === undefined)
    throw new ToolCallError('ERR_SANDBOX_START', `The tool has no program file; a ${hosted.kind} tool needs an \`entry\`.`);
  return { digest, artifact, command: descriptor.command, env: descriptor.env, resources };
}

/** Why a descriptor cannot be carried out in full, in a sentence. */
function refusalOf({ kind, takesCommand }: HostedKind, descriptor: ExecutorDescriptor): string | undefined {
  if (descriptor.kind !== kind) return `A ${descriptor.kind} tool cannot run in the ${kind} sandbox.`;
  if (descriptor.protocol !== 'oneshot')
    return `A ${kind} tool of protocol "${descriptor.protocol}" cannot run: it speaks the protocol oneshot.`;
  if (descriptor.network !== 'none') return `A ${kind} tool has no network; remove \`network\` and use http steps.`;
  if (descriptor.image !== '') return `A ${kind} tool has no image; remove \`image\`, or write \`type: docker\`.`;
  if (!takesCommand && descriptor.command.length > 0) return `A ${kind} tool has no command line; remove \`command\`.`;
  const unknown = Object.keys(descriptor).find((field) => !Object.hasOwn(KNOWN_FIELDS, field));
  return unknown === undefined ? undefined : `The ${kind} sandbox does not know what \`${unknown}\` asks of it.`;
}

/** Those that are carried out, or refused above. */
const KNOWN_FIELDS: Readonly<Record<keyof ExecutorDescriptor, true>> = {
  kind: true,
  image: true,
  artifact: true,
  command: true,
  env: true,
  protocol: true,
  network: true,
  resources: true,
};
