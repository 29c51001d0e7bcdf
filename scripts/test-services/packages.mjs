/** The Debian packages behind each service of the tests: package → why it is needed. */
export const PACKAGES = {
  dockerEngine: {
    'docker.io': 'the Docker engine that runs container tools',
    'busybox-static': 'one static program that stands in for the image busybox',
  },
  nodeImage: {
    debootstrap: 'makes the root file system that stands in for the image node:26-bookworm-slim',
  },
  wasmToolchain: {
    clang: 'compiles the C tool that shows WebAssembly tools in any language',
    lld: 'links it',
    'wasi-libc': 'its C library',
    'libclang-rt-*-dev-wasm32': "clang's own runtime for WebAssembly",
  },
  python: {
    'python3-grpcio': 'the Python client of the Capability API',
    'protobuf-compiler': "generates that client's messages from proto/schema",
    'protobuf-compiler-grpc': 'generates its calls',
    'libprotobuf-dev': 'the .proto files that ours import (google/protobuf/timestamp.proto)',
  },
};
