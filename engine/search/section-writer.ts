import { join } from 'node:path'
import { writeArrays } from './array-file.ts'
import { ByteWriter } from './byte-writer.ts'
import { BODY, InvertedWriter } from './inverted-writer.ts'
import { cutText } from './passages.ts'
import { dayNumber, headingOf, type Section } from './section.ts'
import { functionWords, termOf, termsOf } from './words.ts'

/** The columns of `sections.arrays`: what filters and ranking need of every section. */
export interface SectionColumns extends Record<string, Int32Array | Uint32Array | Float64Array | Uint8Array> {
  /** Numbers of `names.company`, -1 where there is none. */
  company: Int32Array
  docType: Int32Array
  sectionType: Int32Array
  /** Days since 1970, or NO_DAY. */
  filed: Int32Array
  known: Int32Array
  extended: Uint8Array
  /** Words of text and heading, without those that every text is full of. */
  words: Uint32Array
  /** First passage, first byte of the text, first byte of the record; one more at the end. */
  passagesFrom: Uint32Array
  textAt: Float64Array
  recordAt: Float64Array
}

/** The columns of `passages.arrays`. */
export interface PassageColumns extends Record<string, Uint32Array> {
  /** Bytes from the beginning of the section's text. */
  start: Uint32Array
  bytes: Uint32Array
  /** First word and the one after the last, counted from the beginning of the text. */
  word: Uint32Array
  end: Uint32Array
}

/** What filters compare with, each once, by number. */
export interface Names {
  readonly company: readonly string[]
  readonly docType: readonly string[]
  readonly sectionType: readonly string[]
}

class Numbered {
  readonly names: string[] = []
  private readonly numbers = new Map<string, number>()

  of(name: string): number {
    let number = this.numbers.get(name)
    if (number === undefined) {
      number = this.names.push(name) - 1
      this.numbers.set(name, number)
    }
    return number
  }
}

/** Terms of a passage's heading and text by number, with how often each is said. */
export type Bag = ReadonlyMap<number, number>

const HEADING_TERMS = 1000

/** Takes sections one after the other, and writes everything of the index that is read off their text. */
export class SectionWriter {
  private readonly folder: string
  private readonly inverted: InvertedWriter
  private readonly texts: ByteWriter
  private readonly records: ByteWriter
  /** Terms by number: heading, then text, a number before each saying how many. Read back by `readBags`. */
  private readonly terms: ByteWriter
  private readonly vocabulary = new Numbered()
  private readonly names = { company: new Numbered(), docType: new Numbered(), sectionType: new Numbered() }
  private readonly rows: Record<keyof SectionColumns & string, number[]> = {
    company: [],
    docType: [],
    sectionType: [],
    filed: [],
    known: [],
    extended: [],
    words: [],
    passagesFrom: [0],
    textAt: [0],
    recordAt: [0],
  }
  private readonly passages = {
    start: [] as number[],
    bytes: [] as number[],
    word: [] as number[],
    end: [] as number[],
  }

  constructor(folder: string) {
    this.folder = folder
    this.inverted = new InvertedWriter(folder)
    this.texts = new ByteWriter(join(folder, 'text.bin'))
    this.records = new ByteWriter(join(folder, 'records.bin'))
    this.terms = new ByteWriter(join(folder, 'terms.tmp'))
  }

  get count(): number {
    return this.rows.words!.length
  }

  add(section: Section): void {
    const text = section.content.toWellFormed()
    const heading = termsOf(headingOf(section).toWellFormed()).slice(0, HEADING_TERMS)
    const number = this.count
    const { words, passages } = cutText(text)
    this.terms.varint(heading.length)
    let telling = 0
    for (const [i, term] of heading.entries()) telling += this.addTerm(term, number, i)
    this.terms.varint(words.length)
    for (let i = 0; i < words.length; i++) telling += this.addTerm(termOf(words[i]!), number, BODY + i)
    this.inverted.endSection(this.vocabulary.names.length)

    const { rows } = this
    const name = (kind: keyof Names, value: string | null) =>
      value === null ? -1 : this.names[kind].of(value)
    rows.company!.push(name('company', section.company_id))
    rows.docType!.push(name('docType', section.doc_type))
    rows.sectionType!.push(name('sectionType', section.section_type))
    rows.filed!.push(dayNumber(section.filing_date))
    rows.known!.push(dayNumber(section.known_from))
    rows.extended!.push(section.coverage === 'extended' ? 1 : 0)
    rows.words!.push(telling)

    // Passages overlap: their edges are counted in bytes once, in order.
    const edges = [...new Set(passages.flatMap(p => [p.start, p.end]))].sort((a, b) => a - b)
    const bytesAt = new Map<number, number>()
    let bytes = 0
    for (const [i, edge] of edges.entries()) {
      bytes += Buffer.byteLength(text.slice(i === 0 ? 0 : edges[i - 1], edge))
      bytesAt.set(edge, bytes)
    }
    for (const { from, to, start, end } of passages) {
      this.passages.start.push(bytesAt.get(start)!)
      this.passages.bytes.push(bytesAt.get(end)! - bytesAt.get(start)!)
      this.passages.word.push(from)
      this.passages.end.push(to)
    }
    rows.passagesFrom!.push(this.passages.start.length)
    this.texts.bytes(Buffer.from(text))
    rows.textAt!.push(this.texts.at)
    this.records.bytes(Buffer.from(JSON.stringify(section.shown)))
    rows.recordAt!.push(this.records.at)
  }

  /** Writes what is left. The passages' terms stay in `terms.tmp` for the embedder. */
  finish(): Written {
    this.texts.close()
    this.records.close()
    this.terms.close()
    this.inverted.finish(this.vocabulary.names)
    const { rows } = this
    const sections: SectionColumns = {
      company: Int32Array.from(rows.company!),
      docType: Int32Array.from(rows.docType!),
      sectionType: Int32Array.from(rows.sectionType!),
      filed: Int32Array.from(rows.filed!),
      known: Int32Array.from(rows.known!),
      extended: Uint8Array.from(rows.extended!),
      words: Uint32Array.from(rows.words!),
      passagesFrom: Uint32Array.from(rows.passagesFrom!),
      textAt: Float64Array.from(rows.textAt!),
      recordAt: Float64Array.from(rows.recordAt!),
    }
    const passages: PassageColumns = {
      start: Uint32Array.from(this.passages.start),
      bytes: Uint32Array.from(this.passages.bytes),
      word: Uint32Array.from(this.passages.word),
      end: Uint32Array.from(this.passages.end),
    }
    writeArrays(join(this.folder, 'sections.arrays'), sections)
    writeArrays(join(this.folder, 'passages.arrays'), passages)
    return {
      sections,
      passages,
      vocabulary: this.vocabulary.names,
      names: {
        company: this.names.company.names,
        docType: this.names.docType.names,
        sectionType: this.names.sectionType.names,
      },
    }
  }

  /** Returns how much it adds to the length of the section. */
  private addTerm(term: string, section: number, position: number): number {
    const number = this.vocabulary.of(term)
    this.terms.varint(number)
    this.inverted.add(number, section, position)
    return functionWords.has(term) ? 0 : 1
  }
}

export interface Written {
  readonly sections: SectionColumns
  readonly passages: PassageColumns
  readonly vocabulary: readonly string[]
  readonly names: Names
}
