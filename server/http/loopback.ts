import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** True for the names and addresses of this machine that no other machine can reach. */
export const isThisMachine = (host: string): boolean =>
  isIP(host) ? loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4') : host.toLowerCase() === 'localhost'

/** The same of a Host header: a page whose name was turned to this machine (DNS rebinding) still sends its own name. */
export function namesThisMachine(host: string | undefined): boolean {
  const name = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec(host ?? '')
  return name !== null && isThisMachine(name[1] ?? name[2] ?? '')
}
