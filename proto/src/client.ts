import {
  create,
  type DescMethod,
  type DescService,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import {
  Client,
  type ClientDuplexStream,
  type ClientOptions,
  type ClientReadableStream,
  credentials,
  type ServiceError,
} from '@grpc/grpc-js';
import { grpcTarget } from './address.ts';
import { asRpcError } from './rpc-error.ts';
import { methodDefinition } from './service-definition.ts';

export interface CallOptions {
  /** Aborting cancels the call; it then rejects with status CANCELLED. */
  readonly signal?: AbortSignal | undefined;
  /** From now, in ms. None: the call may take for ever. */
  readonly timeoutMs?: number | undefined;
}

type Init<M extends DescMethod> = MessageInitShape<M['input']>;
type Answer<M extends DescMethod> = MessageShape<M['output']>;

type Method<M extends DescMethod> = M['methodKind'] extends 'unary'
  ? (request: Init<M>, options?: CallOptions) => Promise<Answer<M>>
  : M['methodKind'] extends 'server_streaming'
    ? (request: Init<M>, options?: CallOptions) => AsyncIterable<Answer<M>>
    : M['methodKind'] extends 'client_streaming'
      ? (requests: Iterable<Init<M>>, options?: CallOptions) => Promise<Answer<M>>
      : (options?: CallOptions) => ClientDuplexStream<MessageShape<M['input']>, Answer<M>>;

/** A client with one function per method of the service, named as in the generated code. */
export type RpcClient<S extends DescService> = { readonly [K in keyof S['method']]: Method<S['method'][K]> } & {
  readonly channel: Client;
  close(): void;
};

/**
 * Connects lazily to `address` (`host:port`, or `unix:/path`), in plain text: for loopback and unix sockets.
 * Calls reject with `RpcError`.
 */
export function createClient<S extends DescService>(service: S, address: string, options: ClientOptions = {}): RpcClient<S> {
  const channel = new Client(grpcTarget(address), credentials.createInsecure(), {
    // Artifacts and results may be large; the servers set their own limits.
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
    ...options,
  });
  const methods = Object.fromEntries(service.methods.map((method) => [method.localName, bind(channel, method)]));
  return { ...methods, channel, close: () => channel.close() } as unknown as RpcClient<S>;
}

function bind(channel: Client, method: DescMethod) {
  const { path, requestSerialize, responseDeserialize } = methodDefinition(method);
  const start = ({ timeoutMs }: CallOptions = {}) => (timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs });
  switch (method.methodKind) {
    case 'unary':
      return (request: Message, options: CallOptions = {}) => {
        const message = create(method.input, request);
        return answered(options.signal, (done) =>
          channel.makeUnaryRequest(path, requestSerialize, responseDeserialize, message, start(options), done),
        );
      };
    case 'client_streaming':
      return (requests: Iterable<Message>, options: CallOptions = {}) =>
        answered(options.signal, (done) => {
          const call = channel.makeClientStreamRequest(path, requestSerialize, responseDeserialize, start(options), done);
          for (const request of requests) call.write(create(method.input, request));
          call.end();
          return call;
        });
    case 'server_streaming':
      return (request: Message, options: CallOptions = {}) => {
        const message = create(method.input, request);
        const call = channel.makeServerStreamRequest(path, requestSerialize, responseDeserialize, message, start(options));
        return readAll(call, cancelOn(options.signal, call));
      };
    case 'bidi_streaming':
      return (options: CallOptions = {}) => {
        const call = channel.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, start(options));
        const release = cancelOn(options.signal, call);
        call.once('status', release);
        return call;
      };
  }
}

type Done = (error: ServiceError | null, answer?: Message) => void;

/** The one answer of a call that has one. */
function answered(signal: AbortSignal | undefined, begin: (done: Done) => { cancel(): void }): Promise<Message> {
  return new Promise((resolve, reject) => {
    const call = begin((error, answer) => {
      release();
      if (error) reject(asRpcError(error));
      else if (answer !== undefined) resolve(answer);
    });
    const release = cancelOn(signal, call);
  });
}

async function* readAll(call: ClientReadableStream<Message>, release: () => void): AsyncIterable<Message> {
  try {
    for await (const message of call) yield message as Message;
  } catch (error) {
    throw asRpcError(error);
  } finally {
    release();
    call.cancel();
  }
}

function cancelOn(signal: AbortSignal | undefined, call: { cancel(): void }): () => void {
  if (signal === undefined) return () => {};
  const cancel = () => call.cancel();
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return () => signal.removeEventListener('abort', cancel);
}
