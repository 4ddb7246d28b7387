import { setPriority } from 'node:os'
import { hostile, ordinary } from './hostile-requests.ts'

// A process that sends one hostile request repeatedly, as its parent tells it; see hostile.ts.

/** What to send, and where; nothing means stop. Replies when it has begun or stopped. */
export interface Attack {
  readonly name?: string
  readonly host?: string
  readonly port?: number
  readonly keys?: readonly string[]
}

setPriority(10)
let stop = new AbortController()
let running: Promise<void> | undefined

process.on('message', async ({ name, host, port, keys }: Attack) => {
  stop.abort()
  await running
  stop = new AbortController()
  running = undefined
  const attack = [ordinary, ...hostile].find(one => one.name === name)
  if (attack && host && port && keys) running = attack.run({ host, port, keys, signal: stop.signal })
  process.send?.('done')
})
process.on('disconnect', () => process.exit())
