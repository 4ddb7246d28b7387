/** A resource with readers: once retired, it is closed when the last reader releases it. */
export abstract class Leased {
  private readers = 0
  private retired = false

  hold(): void {
    this.readers++
    this.entered()
  }

  release(): void {
    if (--this.readers > 0) return
    if (this.retired) this.close()
    else this.left()
  }

  /** Accepts no new readers. */
  retire(): void {
    this.retired = true
    if (this.readers === 0) this.close()
  }

  protected abstract close(): void

  /** Called when the first reader arrives. */
  protected entered(): void {}

  /** Called when the last reader leaves; more may come. */
  protected left(): void {}
}
