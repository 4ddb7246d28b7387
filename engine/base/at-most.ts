/** Runs works in the order in which they are given, at most so many at once. */
export class AtMost {
  private free: number
  private readonly waiting: (() => void)[] = []

  constructor(most: number) {
    this.free = most
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--
    else await new Promise<void>(resolve => this.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next) next()
      else this.free++
    }
  }
}
