import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether a name or address is this machine's own and unreachable from others. */
export const isThisMachine = (host: string): boolean =>
  isIP(host) ? loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4') : host.toLowerCase() === 'localhost'

/** The same for a Host header: under DNS rebinding a page still sends its own name. */
export function namesThisMachine(host: string | undefined): boolean {
  const name = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec(host ?? '')
  return name !== null && isThisMachine(name[1] ?? name[2] ?? '')
}
