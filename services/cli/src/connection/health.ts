import { asRpcError } from '@yuanbot/proto';
import { service as healthService } from 'grpc-health-check';

/** What grpc.health.v1 answers for a whole server. */
export type HealthAnswer = 'SERVING' | 'NOT_SERVING' | 'UNKNOWN' | 'SERVICE_UNKNOWN';

type Codec = { serialize(value: object): Buffer; deserialize(bytes: Buffer): object };

/** The part of a grpc-js client that this needs. */
interface UnaryCaller {
  makeUnaryRequest(
    path: string,
    serialize: Codec['serialize'],
    deserialize: Codec['deserialize'],
    request: object,
    options: { deadline: number },
    callback: (error: Error | null, answer?: object) => void,
  ): unknown;
}

/** Asks a service whether it takes calls. Rejects with `RpcError`. */
export function checkHealth(channel: UnaryCaller, deadline: number): Promise<HealthAnswer> {
  const check = healthService['Check'];
  if (check === undefined) throw new Error('grpc.health.v1 has no method Check');
  return new Promise((resolve, reject) => {
    channel.makeUnaryRequest(
      check.path,
      check.requestSerialize,
      check.responseDeserialize,
      { service: '' },
      { deadline },
      (error, answer) => {
        if (error) reject(asRpcError(error));
        else resolve(statusOf(answer));
      },
    );
  });
}

function statusOf(answer: object | undefined): HealthAnswer {
  const status = answer !== undefined && 'status' in answer ? answer.status : undefined;
  return status === 'SERVING' || status === 'NOT_SERVING' || status === 'SERVICE_UNKNOWN' ? status : 'UNKNOWN';
}
