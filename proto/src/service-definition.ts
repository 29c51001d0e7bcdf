import type { DescMessage } from '@bufbuild/protobuf';
import { type DescMethod, type DescService, fromBinary, type Message, type MessageShape, toBinary } from '@bufbuild/protobuf';
import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';

/**
 * Where the generated code (protobuf-es) and the transport (grpc-js) meet: turns a generated service into
 * the definition that grpc-js servers and clients take.
 */
export function serviceDefinition(service: DescService): ServiceDefinition {
  return Object.fromEntries(service.methods.map((method) => [method.localName, methodDefinition(method)]));
}

export function methodDefinition(method: DescMethod): MethodDefinition<Message, Message> {
  const input = codec(method.input);
  const output = codec(method.output);
  return {
    path: `/${method.parent.typeName}/${method.name}`,
    originalName: method.localName,
    requestStream: method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming',
    responseStream: method.methodKind === 'server_streaming' || method.methodKind === 'bidi_streaming',
    requestSerialize: input.serialize,
    requestDeserialize: input.deserialize,
    responseSerialize: output.serialize,
    responseDeserialize: output.deserialize,
  };
}

function codec(schema: DescMessage) {
  return {
    serialize(message: Message): Buffer {
      const bytes = toBinary(schema, message as MessageShape<DescMessage>);
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
    deserialize: (bytes: Buffer): Message => fromBinary(schema, bytes),
  };
}
