/** What reads an input, and inputs by their length. */
export interface Growing {
  readonly run: (input: string) => unknown
  readonly input: (length: number) => string
}

/** Processor time of one run, milliseconds: the least of several. Other processes on the machine do not count. */
export function cpuTime(runs: number, run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < runs; i++) {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

/** Short inputs, close enough to each other to show exponential time before it takes minutes. */
const SHORT = [16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448]
/** More than any linear reader takes for an input this short, milliseconds. */
const SHORT_LIMIT = 30
/** Four times the input takes four times as long in linear time and sixteen times in quadratic time. */
const MOST_GROWTH = 8

interface Limits {
  /** The longest input that is tried first, characters. */
  readonly longest: number
  /** Time that is not looked into, milliseconds. */
  readonly trivial: number
  /** Whether exponential time is possible: without repetition inside a repetition it is not. */
  readonly isNested: boolean
}

/**
 * How a reader grows above linear time, in words; null where it does not. It is run on inputs of growing length; where
 * a run takes more than the trivial time, the times of inputs of four times the length are compared, twice.
 */
export function aboveLinear({ run, input }: Growing, { longest, trivial, isNested }: Limits): string | null {
  const time = (runs: number, length: number): number => {
    const text = input(length)
    return cpuTime(runs, () => run(text))
  }
  for (const length of isNested ? SHORT : [64, 128, 256, 512])
    if (time(1, length) > SHORT_LIMIT) {
      const again = time(2, length)
      if (again > SHORT_LIMIT) return `${again.toFixed(0)} ms for ${input(length).length} characters`
    }
  for (let length = 1024; length <= longest; length *= 4) {
    if (time(1, length) < trivial) continue
    if (time(2, length) < MOST_GROWTH * time(3, length / 4)) continue
    const [short, long] = [time(3, length / 2), time(2, 2 * length)]
    if (long < MOST_GROWTH * short) continue
    return `${short.toFixed(1)} ms for ${length / 2} characters, ${long.toFixed(1)} ms for ${2 * length}`
  }
  return null
}
