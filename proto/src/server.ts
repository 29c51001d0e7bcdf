import {
  create,
  type DescMethod,
  type DescService,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import {
  logVerbosity,
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  setLogVerbosity,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import { grpcTarget } from './address.ts';
import { asRpcError, type RpcError } from './rpc-error.ts';
import { serviceDefinition } from './service-definition.ts';

export interface CallContext {
  /** Aborted when the caller cancels, disconnects, or its deadline passes. */
  readonly signal: AbortSignal;
}

type Request<M extends DescMethod> = MessageShape<M['input']>;
type Answer<M extends DescMethod> = MessageInitShape<M['output']>;

/** A bidirectional stream as a handler sees it. */
export type DuplexCall<M extends DescMethod> = ServerDuplexStream<Request<M>, MessageShape<M['output']>>;

type Handler<M extends DescMethod> = M['methodKind'] extends 'unary'
  ? (request: Request<M>, context: CallContext) => Promise<Answer<M>> | Answer<M>
  : M['methodKind'] extends 'server_streaming'
    ? (request: Request<M>, context: CallContext) => AsyncIterable<Answer<M>>
    : M['methodKind'] extends 'client_streaming'
      ? (requests: AsyncIterable<Request<M>>, context: CallContext) => Promise<Answer<M>>
      : (call: DuplexCall<M>) => void;

/** One function per method; a method without one answers UNIMPLEMENTED. */
export type Handlers<S extends DescService> = { readonly [K in keyof S['method']]?: Handler<S['method'][K]> };

export interface ServerOptions {
  /** Largest message a caller may send, in bytes; a larger one is answered RESOURCE_EXHAUSTED. */
  readonly maxReceiveBytes: number;
  /** Called with every failure that is ours, not the caller's, before it is answered INTERNAL. */
  onInternalError(error: RpcError, method: string): void;
}

export interface RpcServer {
  readonly grpc: Server;
  handle<S extends DescService>(service: S, handlers: Handlers<S>): void;
  /** Binds in plain text and resolves to the address, a port of 0 filled in. */
  listen(address: string): Promise<string>;
  /** Stops taking calls; resolves when those in flight have ended, or ends them when `signal` aborts. */
  close(signal: AbortSignal): Promise<void>;
}

export function createServer(options: ServerOptions): RpcServer {
  // grpc-js writes plain lines to stderr about what it also reports by status or rejection; our log is structured.
  setLogVerbosity(logVerbosity.NONE);
  const grpc = new Server({
    'grpc.max_receive_message_length': options.maxReceiveBytes,
    'grpc.max_send_message_length': -1,
  });
  return {
    grpc,
    handle(service, handlers) {
      const byName = handlers as Record<string, ((...args: never[]) => unknown) | undefined>;
      const implementation: Record<string, UntypedHandleCall> = {};
      for (const method of service.methods) {
        const handler = byName[method.localName];
        if (handler !== undefined) implementation[method.localName] = adapt(method, handler, options);
      }
      grpc.addService(serviceDefinition(service), implementation);
    },
    listen(address) {
      return new Promise((resolve, reject) => {
        grpc.bindAsync(grpcTarget(address), ServerCredentials.createInsecure(), (error, port) => {
          if (error) reject(error);
          else resolve(address.startsWith('unix:') ? address : address.replace(/:\d+$/, `:${port}`));
        });
      });
    },
    close(signal) {
      return new Promise((resolve) => {
        const force = () => grpc.forceShutdown();
        grpc.tryShutdown(() => {
          signal.removeEventListener('abort', force);
          resolve();
        });
        if (signal.aborted) force();
        else signal.addEventListener('abort', force, { once: true });
      });
    },
  };
}

type AnyHandler = (...args: never[]) => unknown;

function adapt(method: DescMethod, handler: AnyHandler, options: ServerOptions): UntypedHandleCall {
  const fail = (error: unknown): RpcError => {
    const rpcError = asRpcError(error);
    if (rpcError !== error) options.onInternalError(rpcError, method.name);
    return rpcError;
  };
  switch (method.methodKind) {
    case 'unary': {
      const run = handler as unknown as (request: Message, context: CallContext) => Promise<Message>;
      return async (call: ServerUnaryCall<Message, Message>, callback: sendUnaryData<Message>) => {
        try {
          callback(null, create(method.output, await run(call.request, contextOf(call))));
        } catch (error) {
          callback(fail(error));
        }
      };
    }
    case 'client_streaming': {
      const run = handler as unknown as (requests: AsyncIterable<Message>, context: CallContext) => Promise<Message>;
      return async (call: ServerReadableStream<Message, Message>, callback: sendUnaryData<Message>) => {
        try {
          callback(null, create(method.output, await run(call as AsyncIterable<Message>, contextOf(call))));
        } catch (error) {
          callback(fail(error));
        }
      };
    }
    case 'server_streaming': {
      const run = handler as unknown as (request: Message, context: CallContext) => AsyncIterable<Message>;
      return async (call: ServerWritableStream<Message, Message>) => {
        try {
          for await (const answer of run(call.request, contextOf(call))) {
            if (!call.write(create(method.output, answer))) await drained(call);
          }
          call.end();
        } catch (error) {
          // Not destroy(): grpc-js takes the status from the event and ends the call with it.
          call.emit('error', fail(error));
        }
      };
    }
    case 'bidi_streaming': {
      const run = handler as unknown as (call: ServerDuplexStream<Message, Message>) => void;
      return (call: ServerDuplexStream<Message, Message>) => {
        // Headers go out at once, not with the first answer: a caller then knows that the stream is open.
        call.sendMetadata(new Metadata());
        run(call);
      };
    }
  }
}

interface Cancellable {
  readonly cancelled: boolean;
  on(event: 'cancelled', listener: () => void): unknown;
}

function contextOf(call: Cancellable): CallContext {
  const controller = new AbortController();
  if (call.cancelled) controller.abort();
  else call.on('cancelled', () => controller.abort());
  return { signal: controller.signal };
}

function drained(call: ServerWritableStream<Message, Message>): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      call.off('drain', done);
      call.off('cancelled', done);
      resolve();
    };
    call.on('drain', done);
    call.on('cancelled', done);
  });
}
