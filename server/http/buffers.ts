/** Buffer sizes in bytes, and how many of each are kept for reuse. */
const LEAST = 1 << 14
const MOST = 1 << 18
const WAITING = 32

const free = new Map<number, Buffer[]>()
const lent = new WeakMap<ArrayBufferLike, Buffer>()

/**
 * Joins pieces in reused memory: allocating answers of some ten thousand bytes each costs the garbage collector more
 * than everything else about them.
 */
export function joinPooled(pieces: readonly Buffer[]): Buffer {
  const size = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
  if (size < LEAST || size > MOST) return Buffer.concat(pieces, size)
  const whole = 2 ** Math.ceil(Math.log2(size))
  const memory = free.get(whole)?.pop() ?? Buffer.allocUnsafeSlow(whole)
  lent.set(memory.buffer, memory)
  let at = 0
  for (const piece of pieces) {
    memory.set(piece, at)
    at += piece.byteLength
  }
  return memory.subarray(0, size)
}

export const isPooled = ({ buffer }: Uint8Array): boolean => lent.has(buffer)

/** Returns memory to the pool; other memory is ignored. */
export function releasePooled({ buffer }: Uint8Array): void {
  const memory = lent.get(buffer)
  if (!memory) return
  lent.delete(buffer)
  const others = free.get(memory.byteLength) ?? []
  if (others.length < WAITING) others.push(memory)
  free.set(memory.byteLength, others)
}
