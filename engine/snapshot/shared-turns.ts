type Pass = () => Promise<void>

/**
 * The turns of the queries that wait for the same work, so that it goes on in whichever has one. Were it to wait for the turn of the
 * first query alone, it would wait for ever: the second has that turn, and waits for the work.
 */
export class SharedTurns {
  private readonly passes = new Set<Pass>()
  private goOn: (() => void) | null = null
  private passing: Promise<void> | null = null

  /** Adds a query, which has its turn now, until the work is done. */
  async during<T>(pass: Pass | undefined, work: () => Promise<T>): Promise<T> {
    if (!pass) return work()
    // Of its own for each query: one may wait for the same work twice.
    const own = () => pass()
    this.passes.add(own)
    this.goOn?.()
    try {
      return await work()
    } finally {
      this.passes.delete(own)
    }
  }

  /**
   * Lets others have the turns; resolves when one of the queries has its turn again, or another joins in its own. Parts that run at
   * once share the wait.
   */
  pass(): Promise<void> {
    this.passing ??= this.passAll().finally(() => {
      this.passing = null
    })
    return this.passing
  }

  private async passAll(): Promise<void> {
    const passes = [...this.passes]
    if (passes.length === 0) return
    const joined = new Promise<void>(resolve => {
      this.goOn = resolve
    })
    await Promise.race([joined, ...passes.map(pass => pass())])
    this.goOn = null
  }
}
