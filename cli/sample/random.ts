/** Pseudo-random numbers, reproducible from a seed. */
export interface Random {
  /** At least 0, below 1. */
  next(): number
  between(low: number, high: number): number
  /** An integer, both ends included. */
  whole(low: number, high: number): number
  chance(probability: number): boolean
  /** Mean 0, standard deviation 1. */
  normal(): number
  pick<T>(values: readonly T[]): T
  shuffled<T>(values: readonly T[]): T[]
  /** An independent stream, determined by this one's seed and the label alone, however much was drawn before. */
  fork(label: string): Random
}

function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

export function random(seed: string): Random {
  let [a, b, c, d] = [hash(`a${seed}`), hash(`b${seed}`), hash(`c${seed}`), 1]
  // sfc32
  function next(): number {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + t
    return (t >>> 0) / 4_294_967_296
  }
  for (let i = 0; i < 12; i++) next()

  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    whole,
    between: (low, high) => low + next() * (high - low),
    chance: probability => next() < probability,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    pick: values => values[whole(0, values.length - 1)]!,
    shuffled(values) {
      const out = [...values]
      for (let i = out.length - 1; i > 0; i--) {
        const j = whole(0, i)
        const last = out[i]!
        out[i] = out[j]!
        out[j] = last
      }
      return out
    },
    fork: label => random(`${seed}/${label}`),
  }
}
