import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { QueryError } from '../../engine/base/errors.ts'

export interface Listening {
  /** The actual port if 0 was requested. */
  readonly port: number
  /** Stops accepting. Connections accepted by then are handed over. */
  stop(): Promise<void>
}

/** Accepts connections and hands them over unread. */
export async function listen(
  { host, port }: { readonly host: string; readonly port: number },
  handOver: (socket: Socket) => void,
): Promise<Listening> {
  const server = createServer({ pauseOnConnect: true }, handOver)
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(cannotListen(error, host, port)))
    server.listen({ host, port, backlog: 1024 }, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      // Pending connections are accepted before the port is closed.
      await setImmediate()
      server.close()
    },
  }
}

export const urlOf = (scheme: 'http' | 'https', host: string, port: number): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const reasons: Readonly<Record<string, readonly ['port' | 'host', string]>> = {
    EADDRINUSE: ['port', 'the port is in use: choose another with --port, or 0 for a free one'],
    EACCES: ['port', 'permission denied: choose a port above 1023'],
    EADDRNOTAVAIL: ['host', 'this machine has no such address: choose another with --host'],
    ENOTFOUND: ['host', 'unknown host: choose another with --host'],
    EAI_AGAIN: ['host', 'the host name cannot be resolved now: give an address with --host'],
  }
  const known = reasons[error.code ?? '']
  if (!known) return error
  const [parameter, reason] = known
  return new QueryError('INVALID_PARAMETER', `cannot listen on ${host}:${port}: ${reason}`, {
    parameter,
    value: parameter === 'port' ? port : host,
  })
}
