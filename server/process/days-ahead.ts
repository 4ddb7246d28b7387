import { spawn } from 'node:child_process'
import { access, mkdir, constants as modes } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { elementAt } from '../../engine/base/elements.ts'
import { memoryShare } from '../../engine/base/machine.ts'
import { inLake, type Lake, openLake } from '../../engine/lake/lake.ts'
import { readCurrent } from '../../engine/lake/snapshot.ts'
import type { Interval } from '../../engine/operations/panel-days.ts'

/** Past days that a server has ready before they are asked for. */
export interface DaysAhead {
  /** Folder of the lake. */
  readonly lake: string
  /** First day, or month written `2015-01`. */
  readonly from: string
  readonly every: Interval
  /** Default those of `tranche days`. */
  readonly tables?: readonly string[] | undefined
  readonly notice: (text: string) => void
}

/** How often a new snapshot is looked for, and how long after a failure the next try begins. */
const LOOK_EVERY_MS = 5000
const AGAIN_AFTER_MS = 60_000

/**
 * Derives past days of the current snapshot, and of each later one, with `tranche days` in a process of low priority. Its tables are files that
 * every server of the lake reads. What a later snapshot leaves as it was is not derived again.
 */
export function deriveAhead(ahead: DaysAhead): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const sleep = (ms: number) => pause(ms, undefined, { signal }).catch(() => {})
  const follow = async (): Promise<void> => {
    let done: string | null = null
    let failing = ''
    while (!signal.aborted) {
      const lake = await openLake(ahead.lake).catch(() => null)
      const current = lake && (await readCurrent(lake).catch(() => null))
      // A lake that is not there yet, or not readable for a moment, has no snapshot.
      if (lake === null || current === null || current === done) {
        await sleep(LOOK_EVERY_MS)
        continue
      }
      if (!(await keepsDays(lake)))
        return ahead.notice(
          'past days cannot be derived ahead: the lake is not writable, so none would be kept',
        )
      const { code, said } = await runDays(ahead, signal)
      if (signal.aborted) return
      if (code === 0) {
        ;[done, failing] = [current, '']
        ahead.notice(`past days of snapshot ${current}: ${said}`)
      } else {
        if (said !== failing) ahead.notice(`past days cannot be derived ahead (code ${code}): ${said}`)
        failing = said
        await sleep(AGAIN_AFTER_MS)
      }
    }
  }
  const followed = follow()
  return {
    async stop() {
      stopping.abort()
      await followed
    },
  }
}

const keepsDays = async (lake: Lake): Promise<boolean> => {
  const folder = inLake(lake, 'days')
  return mkdir(folder, { recursive: true })
    .then(() => access(folder, modes.W_OK))
    .then(
      () => true,
      () => false,
    )
}

/** What the process may use of the memory beside the workers. */
const SHARE_OF_MEMORY = 1 / 8

/** Runs `tranche days` to its end: its exit code, and the last line that it says. */
function runDays(
  { lake, from, every, tables }: DaysAhead,
  signal: AbortSignal,
): Promise<{ readonly code: number | null; readonly said: string }> {
  const program = [...process.execArgv, elementAt(process.argv, 1), 'days', '--lake', lake]
  const days = ['--from', from, '--every', every, ...(tables ? ['--tables', tables.join(',')] : [])]
  const how = ['--memory', memoryShare(SHARE_OF_MEMORY), '--format', 'ndjson']
  return new Promise(resolve => {
    const child = spawn(process.execPath, [...program, ...days, ...how], {
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-MOST_SAID)
    })
    child.once('spawn', () => {
      try {
        setPriority(child.pid!, constants.priority.PRIORITY_LOW)
      } catch {
        // It has ended, or a container forbids it.
      }
    })
    child.once('error', error => {
      said ||= error.message
      if (child.pid === undefined) resolve({ code: null, said })
    })
    child.once('close', code => resolve({ code, said: said.trim().split('\n').at(-1) ?? '' }))
  })
}

const MOST_SAID = 2000
