import type { Limits, SandboxKind } from '@yuanbot/contract';

/** What holds where a tool's file says nothing (bot.yaml, `capabilities:`). */
export interface ToolDefaults {
  /** `capabilities.sandbox.default_type` */
  readonly sandboxKind: SandboxKind;
  /** `capabilities.tool_execution_timeout` and `capabilities.default_limits` */
  readonly limits: Limits;
}
