/**
 * The grpc-js name of a listen address of ours: `host:port` stays, `unix:/path` stays, and `[::1]:port` is
 * what grpc-js calls `ipv6:[::1]:port`.
 */
export function grpcTarget(address: string): string {
  return address.startsWith('[') ? `ipv6:${address}` : address;
}
