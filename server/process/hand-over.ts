import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { smallest } from '../../engine/base/lists.ts'

/** Sends a connection to a worker, which acknowledges its number. */
export type SendConnection = (worker: ChildProcess, id: number, socket: Socket) => void

export interface HandOver {
  /** Hands a connection to the least loaded worker, or keeps it until there is one. */
  give(socket: Socket): void
  /** A worker is ready for connections. */
  join(worker: ChildProcess): void
  /** A worker takes no more connections; it may still acknowledge those already sent. */
  leave(worker: ChildProcess): void
  /** A worker has this connection: it is closed here, so that it ends with the worker. */
  confirm(worker: ChildProcess, id: number): void
  /** A worker has seen everything up to this number. What it has not acknowledged by then did not reach it. */
  settle(worker: ChildProcess, id: number): void
  /** A worker is dead. Connections that it never acknowledged were not read, so another worker gets them. */
  lose(worker: ChildProcess): void
  /** Closes connections that have waited for a worker for so many milliseconds. */
  expire(ms: number): void
  /** The number of the last connection sent. */
  readonly last: () => number
  /** Closes every connection still held, and later ones. */
  close(): void
}

/**
 * Hands accepted connections to workers. A connection stays open here until its worker acknowledges it: a socket in
 * transit is lost with its process, and `child.send` alone would neither report nor close it.
 * @param most maximum number of held connections; more are reset
 */
export function handOver(send: SendConnection, most: number): HandOver {
  const unconfirmed = new Map<ChildProcess, Map<number, Socket>>()
  const ready: ChildProcess[] = []
  const waiting: { readonly socket: Socket; readonly since: number }[] = []
  let sent = 0
  let closed = false

  const sentTo = (worker: ChildProcess) => unconfirmed.get(worker)!
  /** Round robin, except that a worker that does not acknowledge gets no more while others do. */
  function next(): ChildProcess | undefined {
    const fewest = smallest(ready.map(worker => sentTo(worker).size))
    const at = ready.findIndex(worker => sentTo(worker).size === fewest)
    const [worker] = ready.splice(at, 1)
    if (worker) ready.push(worker)
    return worker
  }
  const heldCount = () => [...unconfirmed.values()].reduce((sum, { size }) => sum + size, waiting.length)

  function give(socket: Socket): void {
    if (closed || heldCount() >= most) {
      socket.destroy()
      return
    }
    const worker = ready.length > 0 ? next() : undefined
    if (!worker) {
      waiting.push({ socket, since: performance.now() })
      return
    }
    sentTo(worker).set(++sent, socket)
    send(worker, sent, socket)
  }
  const leave = (worker: ChildProcess) => {
    const at = ready.indexOf(worker)
    if (at >= 0) ready.splice(at, 1)
  }
  function confirm(worker: ChildProcess, id: number): void {
    unconfirmed.get(worker)?.get(id)?.destroy()
    unconfirmed.get(worker)?.delete(id)
  }
  return {
    give,
    join(worker) {
      unconfirmed.set(worker, new Map())
      ready.push(worker)
      for (const { socket } of waiting.splice(0)) give(socket)
    },
    leave,
    confirm,
    settle(worker, id) {
      for (const number of unconfirmed.get(worker)?.keys() ?? []) if (number <= id) confirm(worker, number)
    },
    lose(worker) {
      leave(worker)
      const left = [...(unconfirmed.get(worker)?.values() ?? [])]
      unconfirmed.delete(worker)
      for (const socket of left) give(socket)
    },
    expire(ms) {
      const now = performance.now()
      // In the order in which they began to wait.
      const kept = waiting.findIndex(({ since }) => now - since < ms)
      for (const { socket } of waiting.splice(0, kept < 0 ? waiting.length : kept)) socket.resetAndDestroy()
    },
    last: () => sent,
    close() {
      closed = true
      for (const { socket } of waiting.splice(0)) socket.destroy()
      for (const sockets of unconfirmed.values()) for (const socket of sockets.values()) socket.destroy()
    },
  }
}
