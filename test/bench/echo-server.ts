// The peer that everything is compared with: a bare grpc-js server whose unary method does nothing but answer. A
// process of its own, like the services. Prints its address, ends with its stdin.
import { Server, ServerCredentials, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { echoService } from './echo-service.ts';

const server = new Server();
const implementation: UntypedServiceImplementation = {
  echo: (call: { request: Buffer }, callback: (error: null, answer: Buffer) => void) => callback(null, call.request),
};
server.addService(echoService, implementation);
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(`127.0.0.1:${port}`);
});
process.stdin.on('end', () => process.exit(0)).resume();
