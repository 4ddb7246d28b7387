const QUOTE = 34

let memory = Buffer.alloc(1 << 16)

/** JSON of a page in UTF-8, written to memory that all pages share: nothing may be awaited between the first `add` and `end`. */
export class JsonPage {
  private length = 0

  add(text: string): void {
    this.fit(text.length * 3)
    this.length += memory.write(text, this.length)
  }

  addBytes(text: Uint8Array): void {
    this.fit(text.length)
    memory.set(text, this.length)
    this.length += text.length
  }

  /** Text in which nothing is to be escaped, as a string of JSON. */
  addQuoted(text: Uint8Array): void {
    this.fit(text.length + 2)
    memory[this.length++] = QUOTE
    memory.set(text, this.length)
    this.length += text.length
    memory[this.length++] = QUOTE
  }

  end(): Buffer {
    return Buffer.from(memory.subarray(0, this.length))
  }

  private fit(more: number): void {
    if (this.length + more <= memory.length) return
    const larger = Buffer.alloc((this.length + more) * 2)
    memory.copy(larger, 0, 0, this.length)
    memory = larger
  }
}
