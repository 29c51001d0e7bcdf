import type { CallEntry } from '@yuanbot/kit/lifecycle';
import { RpcError, RpcStatus } from '@yuanbot/proto';

/** The status of a request that the service has no place for. */
export function refusalStatus(refused: NonNullable<CallEntry['refused']>): RpcError {
  return refused === 'draining'
    ? new RpcError(RpcStatus.UNAVAILABLE, 'The service is shutting down and takes no new calls; another replica may.')
    : new RpcError(
        RpcStatus.RESOURCE_EXHAUSTED,
        'As many calls are in flight as may be (orchestrator.max_calls_in_flight). Try again shortly.',
      );
}
