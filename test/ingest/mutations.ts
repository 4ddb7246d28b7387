/** Pseudo-random numbers from 0 to below 1, reproducible from a seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export type Damage = 'cut' | 'deletion' | 'repetition' | 'flip' | 'noise' | 'zeros' | 'swap'
export const damages: readonly Damage[] = ['cut', 'deletion', 'repetition', 'flip', 'noise', 'zeros', 'swap']

/** A damaged copy: everything before `from` is unchanged. */
export function damaged(content: Buffer, damage: Damage, random: () => number, from = 0): Buffer {
  const place = (least = from) => least + Math.floor(random() * Math.max(1, content.length - least))
  const at = place()
  const end = Math.min(content.length, at + 1 + Math.floor(random() * 200))
  const span = content.subarray(at, end)
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))
  switch (damage) {
    case 'cut':
      return content.subarray(0, at)
    case 'deletion':
      return Buffer.concat([content.subarray(0, at), content.subarray(end)])
    case 'repetition':
      return Buffer.concat([content.subarray(0, end), span, content.subarray(end)])
    case 'flip': {
      const copy = Buffer.from(content)
      for (let i = 0; i <= random() * 3; i++) copy[place()]! ^= 1 << Math.floor(random() * 8)
      return copy
    }
    case 'noise':
      return Buffer.concat([content.subarray(0, at), bytes(span.length), content.subarray(end)])
    case 'zeros':
      return Buffer.concat([content.subarray(0, at), Buffer.alloc(span.length), content.subarray(end)])
    case 'swap': {
      const other = place(end)
      const second = content.subarray(other, other + span.length)
      return Buffer.concat([
        content.subarray(0, at),
        second,
        content.subarray(end, other),
        span,
        content.subarray(other + second.length),
      ])
    }
  }
}
