import { QueryError } from '../../engine/base/errors.ts'
import type { Over } from '../../engine/sql/admit-statement.ts'
import { forkBare } from './fork.ts'
import type { Limits } from './limits.ts'
import type { Done, Failed, Message, Named, Reply, RunMessage } from './messages.ts'

/** A process for statements, one at a time. Once killed or dead it is `gone`. */
export interface Worker {
  readonly file: string | null
  readonly gone: boolean
  /** Statements answered, and megabytes in use after the last. */
  readonly worn: boolean
  open(file: string): Promise<void>
  run(message: RunMessage): Promise<Done>
  /** The documented tables that a statement reads. */
  tables(sql: string, over: Over): Promise<readonly string[]>
  kill(): void
}

/** JavaScript heap of a child, megabytes. */
const HEAP = 256
/** Megabytes of a child beside DuckDB's memory: Node, the heap, the result. */
const BESIDE = 384
const LIFETIME = 500

export function startWorker(limits: Limits): Worker {
  const child = forkBare('child', HEAP)
  const state = { file: null as string | null, gone: false, ran: 0, resident: 0 }
  let settle: { resolve: (reply: Reply) => void; reject: (error: unknown) => void } | null = null
  const ready = ask(null)
  ready.catch(() => {})

  function ask(message: Message | null): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (state.gone) return reject(new Error('the SQL process has ended'))
      settle = { resolve, reject }
      if (message) child.send(message)
    })
  }
  function end(error: unknown): void {
    state.gone = true
    settle?.reject(error)
    settle = null
    child.kill('SIGKILL')
  }
  child.on('message', (reply: Reply) => {
    if (reply.kind === 'memory') return end(outOfMemory())
    settle?.resolve(reply)
    settle = null
  })
  child.on('error', end)
  child.on('exit', (code, signal) => {
    // The system's out-of-memory killer gives no reason; V8 aborts when its heap is full.
    const memory = signal === 'SIGKILL' || signal === 'SIGABRT' || code === 134
    end(memory ? outOfMemory() : new Error(`the SQL process ended: ${signal ?? code}`))
  })
  child.unref()
  child.channel?.unref()

  return {
    get file() {
      return state.file
    },
    get gone() {
      return state.gone
    },
    get worn() {
      return state.ran >= LIFETIME || state.resident > limits.memory
    },
    async open(file) {
      await ready
      state.file = null
      const { memory, threads } = limits
      const reply = await ask({ kind: 'open', file, memory, resident: memory + BESIDE, threads })
      if (reply.kind === 'failed') throw new Error(reply.message)
      state.file = file
    },
    async run(message) {
      const reply = await ask(message)
      state.ran++
      if (reply.kind === 'failed') throw errorOf(reply)
      const done = reply as Done
      state.resident = done.resident
      return done
    },
    async tables(sql, over) {
      const reply = await ask({ kind: 'tables', sql, over })
      if (reply.kind === 'failed') throw errorOf(reply)
      return (reply as Named).tables
    },
    kill: () => end(new Error('the SQL process was stopped')),
  }
}

const outOfMemory = () =>
  new QueryError('MEMORY_LIMIT', 'the statement exceeded its memory limit: select less at a time')

export const errorOf = ({ code, message, details }: Failed): Error =>
  code === null ? new Error(message) : new QueryError(code, message, { ...details })
