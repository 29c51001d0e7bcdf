import { ERRNO } from './abi.ts';
import type { Descriptors } from './descriptors.ts';
import type { WasiFunctions } from './signatures.ts';

type SocketFunctions = Pick<WasiFunctions, 'sock_accept' | 'sock_recv' | 'sock_send' | 'sock_shutdown'>;

/** No descriptor is a socket: EBADF or ENOTSOCK, as the specification wants for one that is not. */
export function createSockets(descriptors: Descriptors): SocketFunctions {
  const refuse = (fd: number): number => {
    descriptors.get(fd);
    return ERRNO.notsock;
  };
  return { sock_accept: refuse, sock_recv: refuse, sock_send: refuse, sock_shutdown: refuse };
}
