import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { groupOf } from '../engine/base/elements.ts'
import { openState } from '../server/state/open.ts'

/** A Business key is limited to 500 requests a minute, so the load is spread over this many: 12,500 a second. */
const KEYS = 1500

/** Keys of a new state store. */
export async function createKeys(state: string): Promise<readonly string[]> {
  const store = await openState(state)
  const keys: string[] = []
  for (let i = 0; i < KEYS; i++)
    keys.push((await store.createKey({ email: `desk${i}@example.com`, tier: 'business' })).key)
  await store.close()
  return keys
}

export interface Served {
  readonly url: string
  /** Milliseconds of processor time that a program which reports it has used. */
  readonly cpuMs: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** Starts a program that prints the address it listens on. */
export async function served(file: string, ...words: string[]): Promise<Served> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...words], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let out = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', data => {
      out += data
      const found = /^listening on (\S+)/m.exec(out)
      if (found) resolve(groupOf(found, 1))
    })
    child.once('exit', code => reject(new Error(`${file} ended with code ${code}`)))
  })
  const cpuMs = async () => {
    const [told] = await Promise.all([once(child, 'message'), child.send('cpu')])
    return told[0] as number
  }
  return { url, cpuMs, stop: () => ended(child) }
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exit
}
