import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A command line, with the folder and the environment in which it was given. */
export interface Asked {
  readonly args: readonly string[]
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

export interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Everything that the other end sends, until it ends. */
export async function readJson<T>(socket: Socket): Promise<T> {
  const parts: Buffer[] = []
  socket.on('data', part => parts.push(part))
  await once(socket, 'end')
  const text = Buffer.concat(parts).toString()
  if (text === '') throw new Error('the command ended the process: it needs one of its own')
  return JSON.parse(text) as T
}

/** Has the resident program at this socket run a command line. */
export async function askResident(path: string, asked: Asked): Promise<Said> {
  const socket = connect({ path, allowHalfOpen: true })
  socket.end(JSON.stringify(asked))
  return readJson(socket)
}
