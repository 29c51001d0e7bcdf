import { type ExecutorDescriptor, ToolCallError } from '@yuanbot/contract';

/** Refuses with ERR_SANDBOX_START what a tool's file may ask for and this driver cannot do. */
export function assertSupported(descriptor: ExecutorDescriptor): void {
  if (descriptor.protocol === 'serve') {
    throw new ToolCallError('ERR_SANDBOX_START', 'Docker tools of protocol "serve" cannot run yet; use "oneshot".');
  }
  if (descriptor.network !== 'none') {
    throw new ToolCallError('ERR_SANDBOX_START', 'Docker tools with "network: proxy" cannot run yet; use http steps.');
  }
}
