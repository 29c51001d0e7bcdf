import type { ErrorCode } from '@yuanbot/contract';

/**
 * What each code of the closed list means, in the words for Chinese readers; the sandboxes' own English detail
 * follows in brackets (`sandboxSays`).
 */
export const HEADLINES: Readonly<Record<ErrorCode, string>> = {
  ERR_TOOL_NOT_FOUND: '没有这个工具',
  ERR_TOOL_DISABLED: '工具已停用',
  ERR_PARAMS_INVALID: '参数不正确',
  ERR_PERMISSION_DENIED: '没有权限',
  ERR_APPROVAL_REJECTED: '用户拒绝了这次调用',
  ERR_APPROVAL_TIMEOUT: '用户没有确认',
  ERR_APPROVAL_UNDELIVERABLE: '无法向用户询问',
  ERR_TOKEN_INVALID: '执行令牌无效',
  ERR_TOKEN_EXPIRED: '执行令牌已过期',
  ERR_TOKEN_REPLAYED: '执行令牌已被使用',
  ERR_SCOPE_DENIED: '超出了这次调用允许的范围',
  ERR_SANDBOX_UNAVAILABLE: '所需的沙盒不可用，工具没有执行',
  ERR_POOL_EXHAUSTED: '沙盒已满，请稍后重试',
  ERR_SANDBOX_START: '工具无法启动',
  ERR_SANDBOX_TIMEOUT: '工具运行超时',
  ERR_SANDBOX_MEMORY: '工具内存超限',
  ERR_SANDBOX_CRASHED: '工具运行时崩溃',
  ERR_OUTPUT_LIMIT: '工具输出超限',
  ERR_OUTPUT_INVALID: '工具输出不符合规定',
  ERR_EGRESS_DENIED: '不允许访问该地址',
  ERR_EGRESS_FAILED: '网络请求失败',
  ERR_SECRET_MISSING: '缺少所需的密钥',
  ERR_STEP_INVALID: '工具请求的步骤不正确',
  ERR_STEP_LIMIT: '工具请求的步骤过多',
  ERR_TOOL_FAILED: '工具执行失败',
  ERR_CANCELLED: '调用已取消',
  ERR_INTERNAL: '平台内部出错',
};
