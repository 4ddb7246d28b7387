import { groupOf } from '../../base/elements.ts'
import { addBacksIn } from './add-backs.ts'
import { everyWords, oneLine } from './flat-text.ts'

/** A term as a document defines it. */
export interface DefinedTerm {
  readonly term: string
  readonly text: string
  /** Where the definition begins in the text. */
  readonly offset: number
  /** What is added back, for a measure of earnings. */
  readonly add_backs?: readonly string[]
}

interface Definition {
  readonly term: string
  readonly from: number
  readonly to: number
}

/** Longest definition; the add-backs of EBITDA fill pages. */
const LONGEST = 9000
const MOST_QUOTED = 700

const defined = everyWords(
  String.raw`"(?<term>[A-Z][^"]{1,80})"(?:,? or "[^"]{1,60}")?[^".;:]{0,60}?(?: (?:means|mean|shall mean|shall have the meaning|is defined as|will mean)\b|:)`,
)

/** The definitions of a text, by term in lower case; each goes up to the next one. */
export class Definitions {
  private readonly flat: string
  private readonly byTerm = new Map<string, Definition>()

  constructor(flat: string) {
    this.flat = flat
    const all = [...flat.matchAll(defined)]
    for (const [i, match] of all.entries()) {
      const from = match.index
      const to = Math.min(all[i + 1]?.index ?? flat.length, from + LONGEST)
      const term = oneLine(groupOf(match, 'term'), 100)
      const key = term.toLowerCase()
      const before = this.byTerm.get(key)
      // A term that is only referred to elsewhere is defined where its words are.
      if (!before || to - from > before.to - before.from) this.byTerm.set(key, { term, from, to })
    }
  }

  /** The definitions that a test rests on: of its ratio, and of the earnings in that. */
  behind(quantity: string): DefinedTerm[] {
    const ratio = this.named(quantity)
    if (!ratio) return []
    const isEarnings = EARNINGS.test(ratio.term)
    const earnings = isEarnings ? null : this.earningsIn(this.flat.slice(ratio.from, ratio.to))
    return [ratio, ...(earnings ? [earnings] : [])].map(each => this.quoted(each))
  }

  /** The definition of a quantity, with or without words that do not change it. */
  private named(quantity: string): Definition | null {
    const name = oneLine(quantity, 100)
      .toLowerCase()
      .replace(/^(?:(?:maximum|minimum|required|permitted)\s)+/, '')
    const names = [
      name,
      `consolidated ${name}`,
      `total ${name}`,
      name.replace(/^consolidated /, ''),
      `${name} ratio`,
    ]
    return names.map(each => this.byTerm.get(each)).find(each => each !== undefined) ?? null
  }

  /** The defined measure of earnings that a text names first. */
  private earningsIn(text: string): Definition | null {
    for (const match of text.matchAll(earningsNamed)) {
      const found = this.byTerm.get(oneLine(match[0], 100).toLowerCase())
      if (found) return found
    }
    return null
  }

  private quoted({ term, from, to }: Definition): DefinedTerm {
    const text = this.flat.slice(from, to)
    return {
      term,
      text: oneLine(text, MOST_QUOTED),
      offset: from,
      ...(EARNINGS.test(term) && { add_backs: addBacksIn(text) }),
    }
  }
}

/** A measure of earnings, not a ratio to it. */
const EARNINGS = /^(?!.*\b(?:ratio|leverage|coverage|debt)\b).*(?:EBITDA|\bearnings\b|cash\s+flow)/i
const earningsNamed =
  /(?:(?:Consolidated|Adjusted|Pro\s+Forma|Total|Operating|Bank|Covenant|Senior|LTM)\s+){0,4}(?:EBITDA(?:X|RX|R)?|Cash\s+Flow|Operating\s+Cash\s+Flow|Earnings)\b/g
