import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { elementAt } from '../../engine/base/elements.ts'
import { type Code, QueryError } from '../../engine/base/errors.ts'
import { listen, urlOf } from '../http/listen.ts'
import { openFiles } from '../limits/open-files.ts'
import type { Counts } from '../log/metrics.ts'
import type { RunningRequest } from '../log/running-requests.ts'
import { type HandOver, handOver } from './hand-over.ts'
import { stateOf } from './process-state.ts'
import { pauseAfter } from './restart-pause.ts'
import type { RunningServer } from './serve.ts'
import { PING_MS, SILENT_MS, STARVED_MS } from './silence.ts'
import { type Watch, watch } from './watchdog.ts'

/** More than Node's default four: a heavy statement holds a thread, and small ones must not wait for it. */
const THREADS = '16'
/**
 * Megabytes for the young generation: with Node's default of 16, many request-lived objects are promoted before they
 * die.
 */
const YOUNG = '--max-semi-space-size=64'
/** A worker that lived this long did not die because of its start. */
const SETTLED_MS = 60_000
/** Requests that a worker lists when it responds to a ping. */
const REPORTED = 10
/** How long a worker may take to return its counters. */
const COUNTING_MS = 2000

/** Messages between the processes. */
type Message =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string; readonly code?: Code; readonly details?: object }
  | { readonly kind: 'connection'; readonly id: number }
  | { readonly kind: 'confirmed'; readonly id: number }
  | { readonly kind: 'ping'; readonly id: number }
  | { readonly kind: 'pong'; readonly id: number; readonly running: readonly RunningRequest[] }
  | { readonly kind: 'leaving' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'count' }
  | { readonly kind: 'counted'; readonly counts: Counts }
  | { readonly kind: 'gather'; readonly id: number }
  | { readonly kind: 'gathered'; readonly id: number; readonly text: string }
  | { readonly kind: 'copy'; readonly snapshot: string }
  | { readonly kind: 'copied'; readonly snapshot: string; readonly isHere: boolean | null }

export interface Supervision {
  readonly workers: number
  readonly scheme: 'http' | 'https'
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** Called once, when all workers serve. */
  readonly onReady: (url: string) => Promise<void> | void
  readonly onLost: (why: string) => void
  /** Copies a snapshot from the store that the lake is a copy of; false if the store does not hold it. */
  readonly copySnapshot?: (id: string) => Promise<boolean>
}

export interface Stopped {
  readonly signal: NodeJS.Signals
  /** False if a worker could not write everything, or did not end by itself. */
  readonly whole: boolean
}

export const isWorker = (): boolean => process.connected && process.env[PLACE] !== undefined

// Over 80 lines: the life of the workers, over the same set of processes.
/**
 * Runs this program again as this many workers, and hands them the connections of one port in turn, until stopped.
 * Node reads its thread pool size at process start, so even a single server runs as a worker. The port is held here,
 * so that connections wait for the replacement of a dead worker.
 */
export async function superviseWorkers(options: Supervision): Promise<Stopped> {
  const { workers: count, scheme, host, onReady, onLost, copySnapshot = async () => false } = options
  const workers = new Set<ChildProcess>()
  const metrics = gatherer(workers)
  const connections = handOver(sendConnection, connectionsHeld(openFiles()))
  const stopping = new AbortController()
  let whole = true
  const ready = new WeakSet<ChildProcess>()
  const patience = () => ([...workers].some(worker => !ready.has(worker)) ? STARVED_MS : SILENT_MS)
  // Where none can start, a client must not wait for ever.
  setInterval(() => connections.expire(patience()), PING_MS).unref()
  const killAll = () => {
    for (const worker of workers) worker.kill('SIGKILL')
  }

  const start = (place: number) =>
    new Promise<ChildProcess>((resolve, reject) => {
      const threads = process.env['UV_THREADPOOL_SIZE'] ?? THREADS
      const worker = fork(elementAt(process.argv, 1), process.argv.slice(2), {
        execArgv: [...process.execArgv, YOUNG],
        env: { ...process.env, UV_THREADPOOL_SIZE: threads, [PLACE]: String(place) },
      })
      workers.add(worker)
      let watched: HungWatch | null = null
      worker.on('message', (message: Message) => {
        if (message.kind === 'ready') {
          ready.add(worker)
          connections.join(worker)
          watched = replaceWhenHung(worker, connections, onLost)
          resolve(worker)
        } else if (message.kind === 'failed') reject(failure(message))
        else if (message.kind === 'confirmed') connections.confirm(worker, message.id)
        else if (message.kind === 'pong') watched?.answered(message)
        else if (message.kind === 'leaving') connections.leave(worker)
        else if (message.kind === 'gather') void metrics.gather(worker, message.id)
        else if (message.kind === 'copy') void copyFor(worker, message.snapshot, copySnapshot)
        else if (message.kind === 'counted') metrics.note(worker, message.counts)
      })
      worker.once('error', error => {
        if (worker.pid === undefined) workers.delete(worker)
        reject(error)
      })
      worker.once('exit', (code, signal) => {
        workers.delete(worker)
        watched?.stop()
        connections.leave(worker)
        metrics.bury(worker)
        if (ready.has(worker) && stopping.signal.aborted && code !== 0) whole = false
        reject(new Error(`a server process ended before it was ready (${signal ?? `code ${code}`})`))
      })
      // After its end: all of its messages have been read.
      worker.once('close', () => connections.lose(worker))
    })

  /** Keeps one worker running until the server is stopped. */
  const keep = async (place: number, first: ChildProcess): Promise<void> => {
    const { signal } = stopping
    let young = 0
    for (let worker: ChildProcess | null = first; ; ) {
      const since = performance.now()
      if (worker) {
        const how = await ended(worker)
        if (signal.aborted) return
        onLost(`a server process ended (${how}): starting another`)
      }
      young = performance.now() - since > SETTLED_MS ? 0 : young + 1
      await setTimeout(pauseAfter(young), undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      worker = await start(place).catch(error => {
        onLost(`a server process cannot start: ${error instanceof Error ? error.message : error}`)
        return null
      })
    }
  }

  const stopped = new Promise<NodeJS.Signals>(resolve => {
    const stop = (signal: NodeJS.Signals) => {
      if (stopping.signal.aborted) {
        killAll()
        process.exit(INTERRUPTED)
      }
      stopping.abort()
      resolve(signal)
    }
    process.removeAllListeners('SIGINT')
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
  const door = await listen(options, connections.give)
  const serving = async () => {
    const first = await Promise.all(Array.from({ length: count }, (_, i) => start(i)))
    if (stopping.signal.aborted) return
    for (const [place, worker] of first.entries()) void keep(place, worker)
    await onReady(urlOf(scheme, host, door.port))
  }
  try {
    await Promise.race([serving(), stopped])
  } catch (error) {
    stopping.abort()
    killAll()
    await door.stop()
    throw error
  }
  const signal = await stopped
  await door.stop()
  await Promise.all(
    [...workers].map(worker => {
      const over = ended(worker)
      worker.send({ kind: 'stop' } satisfies Message, () => {})
      return over
    }),
  )
  connections.close()
  return { signal, whole }
}

async function copyFor(worker: ChildProcess, snapshot: string, copy: (id: string) => Promise<boolean>) {
  const isHere = await copy(snapshot).catch(() => null)
  worker.send({ kind: 'copied', snapshot, isHere } satisfies Message, () => {})
}

const sendConnection = (worker: ChildProcess, id: number, socket: Socket): void =>
  // Kept open here until acknowledged, or Node would lose it with a worker that dies meanwhile.
  void worker.send({ kind: 'connection', id } satisfies Message, socket, { keepOpen: true }, () => {})

/** Connections held by this process, as a share of the files it may open. */
const connectionsHeld = (files: number | null): number =>
  Math.min(1024, Math.max(8, (files ?? Number.POSITIVE_INFINITY) - 40))

interface HungWatch extends Omit<Watch, 'answered'> {
  answered(message: Message & { kind: 'pong' }): void
}

/** Kills a worker whose event loop does not respond, and logs what it last reported. */
function replaceWhenHung(
  worker: ChildProcess,
  connections: HandOver,
  onLost: (why: string) => void,
): HungWatch {
  const pid = worker.pid!
  let running: readonly RunningRequest[] = []
  const { answered, stop } = watch({
    pid,
    ping: () => worker.send({ kind: 'ping', id: connections.last() } satisfies Message, () => {}),
    onHung() {
      const known = running.map(({ request_id, endpoint }) => `${endpoint} ${request_id}`).join(', ')
      onLost(
        `server process ${pid} (${stateOf(pid)}) has not answered for ${SILENT_MS / 1000} seconds and is killed; ` +
          (known ? `it last said that it runs ${known}` : 'it ran nothing when it last answered'),
      )
      worker.kill('SIGKILL')
    },
  })
  return {
    stop,
    answered(message) {
      running = message.running
      connections.settle(worker, message.id)
      answered()
    },
  }
}

/** The exit code of a program ended by Ctrl-C. */
const INTERRUPTED = 130
const PLACE = 'TRANCHE_WORKER'

/** How a process ended, once it has. */
const ended = (worker: ChildProcess) =>
  new Promise<string>(resolve => {
    const tell = (code: number | null, signal: string | null) => resolve(signal ?? `code ${code}`)
    if (worker.exitCode !== null || worker.signalCode !== null) tell(worker.exitCode, worker.signalCode)
    else worker.once('exit', tell)
  })

/** Loaded on demand: the process that holds the port has little else to load. */
const adding = () => import('../log/metrics.ts')

/** Adds up the counters of workers, including dead ones, so that a sum never decreases. */
function gatherer(workers: ReadonlySet<ChildProcess>) {
  const latest = new Map<ChildProcess, Counts>()
  const waiting = new Map<ChildProcess, (() => void)[]>()
  let past: Promise<Counts> = Promise.resolve([])

  const heard = (worker: ChildProcess) => {
    for (const tell of waiting.get(worker) ?? []) tell()
    waiting.delete(worker)
  }
  const counted = (worker: ChildProcess) =>
    new Promise<void>(resolve => {
      waiting.set(worker, [...(waiting.get(worker) ?? []), resolve])
      worker.send({ kind: 'count' } satisfies Message, error => error && resolve())
    })
  return {
    note(worker: ChildProcess, counts: Counts): void {
      latest.set(worker, counts)
      heard(worker)
    },
    bury(worker: ChildProcess): void {
      const counts = latest.get(worker)
      latest.delete(worker)
      heard(worker)
      if (counts)
        past = Promise.all([past, adding()]).then(
          ([sum, { addUp, countersOnly }]) =>
            addUp([sum, countersOnly(counts)]).getMetricsAsJSON() as Promise<Counts>,
        )
    },
    async gather(asker: ChildProcess, id: number): Promise<void> {
      const all = Promise.all([...workers].map(counted))
      await Promise.race([all, setTimeout(COUNTING_MS, undefined, { ref: false })])
      const { addUp } = await adding()
      const text = await addUp([...latest.values(), await past]).metrics()
      asker.send({ kind: 'gathered', id, text } satisfies Message, () => {})
    },
  }
}

function failure({ message, code, details }: Message & { kind: 'failed' }): Error {
  return code ? new QueryError(code, message, { ...details }) : new Error(message)
}

const tell = (message: Message) =>
  new Promise<void>(resolve => {
    if (!process.connected) resolve()
    else process.send!(message, undefined, undefined, () => resolve())
  })

const hear = (listener: (message: Message, socket?: Socket) => void) => process.on('message', listener)

/** The index of a worker, from 0; a replacement has the same index. */
export const workerIndex = (): number => Number(process.env[PLACE] ?? 0)

/** Serves in this worker until the parent says stop, or is gone. */
export async function runWorker(start: () => Promise<RunningServer>): Promise<never> {
  const gone = new Promise(resolve => process.once('disconnect', resolve))
  let served: RunningServer
  try {
    served = await start()
  } catch (error) {
    const { code, message, details } = error as QueryError
    await tell({ kind: 'failed', message, ...(error instanceof QueryError && { code, details }) })
    process.exit(1)
  }
  process.removeAllListeners('SIGINT')
  // Ctrl-C reaches every process of a terminal: the parent says when to stop.
  process.on('SIGINT', () => {})
  const stopRequested = new Promise<void>(resolve => {
    process.once('SIGTERM', () => resolve())
    hear((message, socket) => {
      if (message.kind === 'stop') resolve()
      else if (message.kind === 'connection') {
        void tell({ kind: 'confirmed', id: message.id })
        // A connection whose client has left in the meantime does not arrive.
        if (socket) served.take(socket)
      } else if (message.kind === 'ping')
        void tell({ kind: 'pong', id: message.id, running: served.running().slice(0, REPORTED) })
      else if (message.kind === 'count')
        void served.counts().then(counts => tell({ kind: 'counted', counts }))
    })
  })
  await tell({ kind: 'ready' })
  await Promise.race([stopRequested, gone])
  await tell({ kind: 'leaving' })
  process.exit((await served.stop()) ? 0 : 1)
}

let lastRequest = 0

/** The metrics of all workers together, as added up by the parent. */
export const gatherMetrics = (): Promise<string> =>
  new Promise(resolve => {
    const id = ++lastRequest
    const listener = (message: Message) => {
      if (message.kind !== 'gathered' || message.id !== id) return
      process.off('message', listener)
      resolve(message.text)
    }
    hear(listener)
    void tell({ kind: 'gather', id })
  })

/** How long a request waits for a snapshot that is being copied; after that its client is asked to come back. */
const COPYING_MS = 5000

/**
 * Asks the process that follows the store for a snapshot that this lake does not hold.
 * @returns false if the store does not hold it either
 * @throws NOT_READY while it is copied, or if the store cannot be read
 */
export const copySnapshot = (snapshot: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const end = (why?: string) => {
      clearTimeout(timer)
      process.off('message', listener)
      if (why) reject(new QueryError('NOT_READY', `snapshot ${snapshot} ${why}`))
    }
    const listener = (message: Message) => {
      if (message.kind !== 'copied' || message.snapshot !== snapshot) return
      if (message.isHere === null)
        return end('is not here, and cannot be copied from the store now: try again soon')
      end()
      resolve(message.isHere)
    }
    const timer = globalThis.setTimeout(
      () => end('is being copied from the store: try again soon'),
      COPYING_MS,
    )
    hear(listener)
    void tell({ kind: 'copy', snapshot })
  })
