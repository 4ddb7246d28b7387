import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { removeFolder } from '../folder.ts'
import { plainProcess } from '../plain-process.ts'
import { askResident } from './resident-wire.ts'
import { type Ended, tranche } from './run-cli.ts'

const beside = (name: string): string =>
  fileURLToPath(new URL(`${name}${extname(import.meta.url)}`, import.meta.url))

/** The program in a process that stays until the test ends. */
export interface Resident {
  /** Runs `tranche ARGS`: in a process of its own if it is given input. */
  readonly tranche: (args: readonly string[], input?: string, env?: NodeJS.ProcessEnv) => Promise<Ended>
  /** The command that a shell starts instead of the program, before its arguments. */
  readonly command: readonly string[]
}

/**
 * Starts the program once for many commands: each runs as in a process of its own, without loading the modules anew.
 * For tests of what commands say and do. Tests of streams, signals, waiting and ends start `tranche` of run-cli.ts.
 */
export async function resident(t: Pick<Test, 'teardown'>): Promise<Resident> {
  // Short: the path of a socket has room for 100 characters.
  const folder = await mkdtemp(join(tmpdir(), 'tranche-cli-'))
  t.teardown(() => removeFolder(folder))
  const path = join(folder, 'socket')
  const [command, args] = plainProcess(import.meta.url, beside('resident-process'), [path])
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  t.teardown(async () => {
    if (child.connected) child.disconnect()
    await ended
  })
  await Promise.race([once(child, 'message'), ended])
  const [client, words] = plainProcess(import.meta.url, beside('resident-client'), [path])
  return {
    tranche: (args, input = '', env = {}) =>
      input === ''
        ? askResident(path, {
            args,
            folder: process.cwd(),
            env: { ...process.env, TRANCHE_LAKE: '', ...env },
          })
        : tranche(args, input, env),
    command: [client, ...words],
  }
}
