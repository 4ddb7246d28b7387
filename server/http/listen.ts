import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { QueryError } from '../../engine/base/errors.ts'

export interface Listening {
  /** The port that was found where 0 was asked for. */
  readonly port: number
  /** Accepts nothing more. Who is accepted by then is handed over. */
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
      // Whoever waits to be accepted is, before the door is closed.
      await setImmediate()
      server.close()
    },
  }
}

export const urlOf = (scheme: 'http' | 'https', host: string, port: number): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const reasons: Readonly<Record<string, readonly ['port' | 'host', string]>> = {
    EADDRINUSE: ['port', 'another program listens there: name another with --port, or 0 for a free one'],
    EACCES: ['port', 'this user may not: name a port above 1023'],
    EADDRNOTAVAIL: ['host', 'this machine has no such address: name another with --host'],
    ENOTFOUND: ['host', 'no machine has this name: name another with --host'],
    EAI_AGAIN: ['host', 'this name cannot be looked up now: name an address with --host'],
  }
  const known = reasons[error.code ?? '']
  if (!known) return error
  const [parameter, reason] = known
  return new QueryError('INVALID_PARAMETER', `cannot listen on ${host}:${port}: ${reason}`, {
    parameter,
    value: parameter === 'port' ? port : host,
  })
}
