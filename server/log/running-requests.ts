import { elementAt } from '../../engine/base/elements.ts'

const MOST = 128
const SLOT_BYTES = 256
const HEAD_BYTES = 8
const TEXT_AT = 16
const LONGEST = SLOT_BYTES - TEXT_AT

/** A running request. */
export interface RunningRequest {
  readonly request_id: string
  readonly endpoint: string
  /** Milliseconds since it began. */
  readonly ms: number
}

/**
 * The running requests of this process, in memory that another thread can read while this one is blocked. Recording
 * one takes a fraction of a microsecond.
 */
export interface RunningRequests {
  readonly memory: SharedArrayBuffer
  /** Records a request; the returned number ends it. Only 128 are recorded at once. */
  begin(requestId: string, endpoint: string, at: number): number
  end(slot: number): void
  /** Called on every tick of the event loop. */
  beat(): void
}

export function runningRequests(): RunningRequests {
  const memory = new SharedArrayBuffer(HEAD_BYTES + MOST * SLOT_BYTES)
  const { bytes, beats, numbers } = viewsOf(memory)
  const free = Array.from({ length: MOST }, (_, i) => i)
  return {
    memory,
    begin(requestId, endpoint, at) {
      const slot = free.pop()
      if (slot === undefined) return -1
      const start = HEAD_BYTES + slot * SLOT_BYTES
      numbers[(start + 8) / 8] = at
      bytes[start] = bytes.write(`${requestId} ${endpoint}`, start + TEXT_AT, LONGEST, 'latin1')
      return slot
    },
    end(slot) {
      if (slot < 0) return
      bytes[HEAD_BYTES + slot * SLOT_BYTES] = 0
      free.push(slot)
    },
    beat() {
      Atomics.add(beats, 0, 1)
    },
  }
}

/** Number of ticks, as counted by `beat`. */
export const beatsIn = (memory: SharedArrayBuffer): number => Atomics.load(viewsOf(memory).beats, 0)

/** Running requests, newest first: the newest most likely blocks the rest. */
export function requestsIn(memory: SharedArrayBuffer, now: number): RunningRequest[] {
  const { bytes, numbers } = viewsOf(memory)
  const found: RunningRequest[] = []
  for (let start = HEAD_BYTES; start < memory.byteLength; start += SLOT_BYTES) {
    const length = elementAt(bytes, start)
    if (length === 0) continue
    const text = bytes.toString('latin1', start + TEXT_AT, start + TEXT_AT + length)
    const at = text.indexOf(' ')
    const ms = Math.max(0, Math.round(now - elementAt(numbers, (start + 8) / 8)))
    found.push({ request_id: text.slice(0, at), endpoint: text.slice(at + 1), ms })
  }
  return found.sort((a, b) => a.ms - b.ms)
}

const viewsOf = (memory: SharedArrayBuffer) => ({
  bytes: Buffer.from(memory),
  beats: new Int32Array(memory, 0, 1),
  numbers: new Float64Array(memory),
})
