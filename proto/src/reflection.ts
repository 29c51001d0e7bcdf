import { type DescFile, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import type { Server } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';

/** gRPC server reflection (v1 and v1alpha) for the given files and what they import: `grpcurl list` works. */
export function addReflection(server: Server, files: readonly DescFile[]): void {
  const fileDescriptorProtos = withImports(files).map((file) => Buffer.from(toBinary(FileDescriptorProtoSchema, file.proto)));
  new ReflectionService({ yuanbot: { format: 'Protocol Buffer 3 DescriptorProto', type: {}, fileDescriptorProtos } }).addToServer(
    server,
  );
}

function withImports(files: readonly DescFile[]): DescFile[] {
  const seen = new Map<string, DescFile>();
  const visit = (file: DescFile): void => {
    if (seen.has(file.name)) return;
    seen.set(file.name, file);
    file.dependencies.forEach(visit);
  };
  files.forEach(visit);
  return [...seen.values()];
}
