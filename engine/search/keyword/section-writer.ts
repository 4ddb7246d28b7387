// Indices below are within bounds by construction: checks would cost in the loops.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { append } from '../../base/lists.ts'
import { writeArrays } from '../files/array-file.ts'
import { ByteWriter } from '../files/byte-writer.ts'
import type { CutPassages, CutSection } from '../text/cut-sections.ts'
import { HeadingWords } from '../text/heading-words.ts'
import { dayNumber, headingOf, NO_DAY, type Section } from '../text/section.ts'
import { TITLES, TitleList } from '../text/title.ts'
import { functionWords } from '../text/words.ts'
import { BODY, InvertedWriter } from './inverted-writer.ts'
import { hashOfTerm, NearCopies, signatureOf } from './near-copies.ts'

/** The columns of `sections.arrays`: what filters and ranking need of every section. */
export interface SectionColumns extends Record<string, Int32Array | Uint32Array | Float64Array | Uint8Array> {
  /** Numbers of `names.company`, -1 for none. */
  company: Int32Array
  docType: Int32Array
  sectionType: Int32Array
  /** Days since 1970, or NO_DAY. */
  filed: Int32Array
  known: Int32Array
  extended: Uint8Array
  /** Words of text and heading, without function words. */
  words: Uint32Array
  /** Percent of the text that is not boilerplate. */
  prose: Uint8Array
  /** The section of which this one is a near-copy; its own number if there is none. */
  original: Uint32Array
  /** First passage, and first byte of text, record and terms; one more at the end. */
  passagesFrom: Uint32Array
  textAt: Float64Array
  recordAt: Float64Array
  termsAt: Float64Array
  /** `HASH_WORDS` numbers per section, by which the next build recognises its text and heading. */
  hash: Uint32Array
}

/** The columns of `passages.arrays`. */
export interface PassageColumns extends CutPassages, Record<string, Uint32Array> {}

/** Distinct values that filters compare with, by number. */
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

/** Words of some cut sections, with the index terms of those seen before. */
export class Vocabulary {
  readonly words: readonly string[]
  /** By word number: the term's number, or -1 before its first occurrence. */
  readonly terms: Int32Array

  constructor(words: readonly string[]) {
    this.words = words
    this.terms = new Int32Array(words.length).fill(-1)
  }
}

/** A section's own words, with a 128-bit hash of them. */
export interface Read {
  readonly section: Section
  /** Well-formed. */
  readonly text: string
  readonly hash: Uint32Array
}

export const HASH_WORDS = 4
export const TERMS = 'terms.bin'
/** Words of titles and issuers, in lower case. */
export const HEADING_WORDS = 'heading-words.json'

/** Later than any day that is known. */
const EVER = 2 ** 31

/** Receives cut sections one by one and writes the parts of the index that come from their text. */
export class SectionWriter {
  private readonly folder: string
  private readonly inverted: InvertedWriter
  private readonly texts: ByteWriter
  private readonly records: ByteWriter
  /** Terms by number: heading, then text, each preceded by its count. Read back by `TermsFile`. */
  private readonly terms: ByteWriter
  private readonly vocabulary = new Numbered()
  /** By term: 1, or 0 for function words. */
  private readonly tells: number[] = []
  private readonly termHashes: number[] = []
  private readonly signatures: Uint32Array[] = []
  private readonly headingWords = new HeadingWords()
  private readonly titles = new TitleList()
  private readonly names = { company: new Numbered(), docType: new Numbered(), sectionType: new Numbered() }
  private readonly rows = {
    company: [] as number[],
    docType: [] as number[],
    sectionType: [] as number[],
    filed: [] as number[],
    known: [] as number[],
    extended: [] as number[],
    words: [] as number[],
    prose: [] as number[],
    passagesFrom: [0] as number[],
    textAt: [0] as number[],
    recordAt: [0] as number[],
    termsAt: [0] as number[],
    hash: [] as number[],
  } satisfies Record<Exclude<keyof SectionColumns & string, 'original'>, number[]>
  private readonly passages = {
    start: [] as number[],
    bytes: [] as number[],
    word: [] as number[],
    end: [] as number[],
    prose: [] as number[],
  }

  constructor(folder: string) {
    this.folder = folder
    this.inverted = new InvertedWriter(folder)
    this.texts = new ByteWriter(join(folder, 'text.bin'))
    this.records = new ByteWriter(join(folder, 'records.bin'))
    this.terms = new ByteWriter(join(folder, TERMS))
  }

  get count(): number {
    return this.rows.words.length
  }

  add(
    { section, text, hash }: Read,
    { heading, text: words, passages }: CutSection,
    vocabulary: Vocabulary,
  ): void {
    const number = this.count
    const put = (terms: Uint32Array, first: number): number => {
      let telling = 0
      this.terms.varint(terms.length)
      for (let i = 0; i < terms.length; i++) telling += this.addTerm(vocabulary, terms[i]!, number, first + i)
      return telling
    }
    const telling = put(heading, 0) + put(words, BODY)
    const { terms } = vocabulary
    this.signatures.push(signatureOf(words.length, word => this.termHashes[terms[words[word]!]!]!))
    this.inverted.endSection(this.vocabulary.names.length)

    const { rows } = this
    const name = (kind: keyof Names, value: string | null) =>
      value === null ? -1 : this.names[kind].of(value)
    rows.company.push(name('company', section.company_id))
    rows.docType.push(name('docType', section.doc_type))
    rows.sectionType.push(name('sectionType', section.section_type))
    rows.filed.push(dayNumber(section.filing_date))
    rows.known.push(dayNumber(section.known_from))
    rows.extended.push(section.coverage === 'extended' ? 1 : 0)
    rows.words.push(telling)
    this.headingWords.add(headingOf(section))
    this.titles.add(section.section_title, number)
    rows.prose.push(meanProse(passages))

    for (const column of ['start', 'bytes', 'word', 'end', 'prose'] as const)
      for (const value of passages[column]) this.passages[column].push(value)
    rows.passagesFrom.push(this.passages.start.length)
    this.texts.bytes(Buffer.from(text))
    rows.textAt.push(this.texts.at)
    this.records.bytes(Buffer.from(JSON.stringify(section.shown)))
    rows.recordAt.push(this.records.at)
    rows.termsAt.push(this.terms.at)
    append(rows.hash, hash)
  }

  /** Writes the remaining buffers. */
  finish(): Written {
    this.texts.close()
    this.records.close()
    this.terms.close()
    this.inverted.finish(this.vocabulary.names)
    const { rows } = this
    const sections: SectionColumns = {
      company: Int32Array.from(rows.company),
      docType: Int32Array.from(rows.docType),
      sectionType: Int32Array.from(rows.sectionType),
      filed: Int32Array.from(rows.filed),
      known: Int32Array.from(rows.known),
      extended: Uint8Array.from(rows.extended),
      words: Uint32Array.from(rows.words),
      prose: Uint8Array.from(rows.prose),
      original: this.originals(),
      passagesFrom: Uint32Array.from(rows.passagesFrom),
      textAt: Float64Array.from(rows.textAt),
      recordAt: Float64Array.from(rows.recordAt),
      termsAt: Float64Array.from(rows.termsAt),
      hash: Uint32Array.from(rows.hash),
    }
    const passages: PassageColumns = {
      start: Uint32Array.from(this.passages.start),
      bytes: Uint32Array.from(this.passages.bytes),
      word: Uint32Array.from(this.passages.word),
      end: Uint32Array.from(this.passages.end),
      prose: Uint32Array.from(this.passages.prose),
    }
    writeArrays(join(this.folder, 'sections.arrays'), sections)
    writeArrays(join(this.folder, 'passages.arrays'), passages)
    writeFileSync(join(this.folder, TITLES), this.titles.toJson())
    writeFileSync(join(this.folder, HEADING_WORDS), `${JSON.stringify(this.headingWords.frequent())}\n`)
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

  /**
   * Near-copies by the same filer. They are compared in the order in which they became known, those of one day oldest first, so that
   * groups as of a day do not depend on what became known later: a section without a filing day comes last, and may be known late.
   */
  private originals(): Uint32Array {
    const { company, docType, sectionType, known, words } = this.rows
    const original = Uint32Array.from(company.keys())
    const copies = new NearCopies()
    const since = (section: number) => (known[section] === NO_DAY ? EVER : known[section]!)
    const byDay = [...company.keys()].sort((a, b) => since(a) - since(b) || b - a)
    for (const section of byDay) {
      if (company[section]! < 0) continue
      const group = `${company[section]} ${docType[section]} ${sectionType[section]}`
      original[section] = copies.add(group, section, words[section]!, this.signatures[section]!)
    }
    return original
  }

  /** Returns its contribution to the section's length. */
  private addTerm({ words, terms }: Vocabulary, word: number, section: number, position: number): number {
    let term = terms[word]!
    if (term < 0) {
      term = this.vocabulary.of(words[word]!)
      terms[word] = term
      if (term === this.tells.length) {
        this.tells.push(functionWords.has(words[word]!) ? 0 : 1)
        this.termHashes.push(hashOfTerm(words[word]!))
      }
    }
    this.terms.varint(term)
    this.inverted.add(term, section, position)
    return this.tells[term]!
  }
}

/** Percent of a text that is prose, by the bytes of its passages. */
function meanProse({ bytes, prose }: CutPassages): number {
  let [all, said] = [0, 0]
  for (let p = 0; p < bytes.length; p++) {
    all += bytes[p]!
    said += bytes[p]! * prose[p]!
  }
  return all === 0 ? 100 : Math.round(said / all)
}

export interface Written {
  readonly sections: SectionColumns
  readonly passages: PassageColumns
  readonly vocabulary: readonly string[]
  readonly names: Names
}
