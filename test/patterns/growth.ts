/** A reader of an input, and inputs by their length. */
export interface Growing {
  readonly run: (input: string) => unknown
  readonly input: (length: number) => string
}

/** Processor time of a run in milliseconds. What the run throws does not count. */
export async function cpuTime(run: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  try {
    await run()
  } catch {}
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Processor time is counted in ticks of up to 10 ms, and compiling and collecting garbage come in between. */
const BATCH_MS = 25
/** Enough to see that there is nothing to compare. */
const SHORT_BATCH_MS = 8

/** Processor time of one of many runs in milliseconds: the minimum of three batches, for comparisons. */
export async function steadyTime(run: () => unknown, batchMs = BATCH_MS): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let batch = 0; batch < 3; batch++) {
    let [spent, runs] = [0, 0]
    while (spent < batchMs && runs < 1000) {
      spent += await cpuTime(run)
      runs++
    }
    best = Math.min(best, spent / runs)
  }
  return best
}

/** Short inputs, close enough to each other to show exponential time before it takes minutes. */
const SHORT = [16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448]
/**
 * More than any linear reader takes for so short an input, milliseconds, also on a busy machine, where processor time is twice
 * and three times as long. In exponential time one of these lengths takes seconds.
 */
const SHORT_LIMIT = 120
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
export async function aboveLinear(
  { run, input }: Growing,
  { longest, trivial, isNested }: Limits,
): Promise<string | null> {
  const once = (length: number): Promise<number> => {
    const text = input(length)
    return cpuTime(() => run(text))
  }
  const steady = (length: number, batchMs?: number): Promise<number> => {
    const text = input(length)
    return steadyTime(() => run(text), batchMs)
  }
  for (const length of isNested ? SHORT : [64, 128, 256, 512])
    if ((await once(length)) > SHORT_LIMIT) {
      const again = Math.min(await once(length), await once(length))
      if (again > SHORT_LIMIT) return `${again.toFixed(0)} ms for ${input(length).length} characters`
    }
  for (let length = 1024; length <= longest; length *= 4) {
    const first = await once(length)
    if (first < trivial || first < MOST_GROWTH * (await steady(length / 4, SHORT_BATCH_MS))) continue
    if ((await once(length)) < MOST_GROWTH * (await steady(length / 4))) continue
    const [short, long] = [await steady(length / 2), await steady(2 * length)]
    if (long < MOST_GROWTH * short) continue
    return `${short.toFixed(1)} ms for ${length / 2} characters, ${long.toFixed(1)} ms for ${2 * length}`
  }
  return null
}

/** Of several times the input: linear time grows as often, quadratic time by the square; the limit is in the middle, where chance is not. */
const mostGrowth = (times: number): number => 1.1 * times ** 1.5
/** How many times as long the longer input is. Short inputs are compared with longer ones, since chance is a larger part of their time. */
const timesFor = (length: number): number => (length < 16_000 ? 8 : 4)
/** A longer input that may take more is not tried: only one of twice the length. */
const MOST_MS = 5000

/**
 * How a reader's time grows beyond linear from one length on, in words; null if it does not, or if it takes less than
 * the trivial time, milliseconds. Compares the times of several times the length; only of twice the length where by its growth
 * from a quarter of it more would not end. The quarter itself proves nothing: a reader of a short input may run in the fast
 * path of a pattern that a longer one leaves.
 */
export async function slowGrowth(
  { run, input }: Growing,
  { length, trivial }: { length: number; trivial: number },
): Promise<string | null> {
  const steady = (text: string): Promise<number> => steadyTime(() => run(text))
  const short = input(length)
  // The first run compiles.
  for (let attempt = 0; attempt < 2; attempt++) if ((await cpuTime(() => run(short))) < trivial) return null
  const time = await steady(short)
  const before = time / (await steady(input(length / 4)))
  const expected = time * before ** (Math.log(timesFor(length)) / Math.log(4))
  const times = before > mostGrowth(4) && expected > MOST_MS ? 2 : timesFor(length)
  const long = input(times * length)
  let growth = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 3 && growth >= mostGrowth(times); attempt++)
    growth = (await steady(long)) / (await steady(short))
  if (growth < mostGrowth(times)) return null
  return `takes ${growth.toFixed(1)} times as long for ${long.length} as for ${short.length} characters`
}
