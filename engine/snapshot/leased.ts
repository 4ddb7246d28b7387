/** Something that questions read from: once retired, it is closed when the last of its readers is done. */
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

  /** To be read by nobody new. */
  retire(): void {
    this.retired = true
    if (this.readers === 0) this.close()
  }

  protected abstract close(): void

  /** A reader came. */
  protected entered(): void {}

  /** The last reader went, and others may come. */
  protected left(): void {}
}
