/** A reader of an input, and inputs by their length. */
export interface Growing {
  readonly run: (input: string) => unknown
  readonly input: (length: number) => string
}

/** Processor time of one run in milliseconds: the minimum of several, so that other processes do not count. */
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
/** More than any linear reader takes for so short an input, milliseconds. */
const SHORT_LIMIT = 30
/** Four times the input takes four times as long in linear time and sixteen times in quadratic time. */
const MOST_GROWTH = 8

interface Limits {
  /** The longest input to try first, characters. */
  readonly longest: number
  /** Times below this are not compared, milliseconds. */
  readonly trivial: number
  /** Whether exponential time is possible: not without nested repetition. */
  readonly isNested: boolean
}

/**
 * How a reader's time grows beyond linear, in words; null if it does not. Runs it on inputs of growing length; once a
 * run takes more than the trivial time, compares the times for four times the length, twice.
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
