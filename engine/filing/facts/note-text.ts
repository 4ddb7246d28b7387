import { sentenceAround } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { type NotesOf, onlySeriesIn, type Series } from './note-series.ts'

export type Term = Pick<
  InstrumentLine,
  'make_whole_bps' | 'par_call_date' | 'call_schedule' | 'change_of_control_price' | 'callable' | 'cusip'
>

/** A term of a series, with the words that state it. */
export type Found = readonly [series: Series, term: Term, from: number, to: number]

/** A section with the series that its document names. */
export interface NoteText {
  readonly text: string
  readonly flat: string
  readonly notes: NotesOf
}

/** Where the row of a table around a position begins and ends; null in running text. */
function rowAround(text: string, at: number): readonly [number, number] | null {
  const from = text.lastIndexOf('\n', at) + 1
  const end = text.indexOf('\n', at)
  const to = end < 0 ? text.length : end
  return text.slice(from, to).includes('|') ? [from, to] : null
}

/** The sentence around a position, within its row of a table. */
export function statementAround({ text, flat }: NoteText, at: number): readonly [number, number] {
  const [from, to] = sentenceAround(flat, at)
  const row = rowAround(text, at)
  return row ? [Math.max(from, row[0]), Math.min(to, row[1])] : [from, to]
}

const label = /\b20\d\d (?:senior |secured |unsecured ){0,2}notes ?: /gi
/** How far before a statement in a row its label may be, characters. */
const BEFORE = 1500

/**
 * The one series that a statement is about: the one it names, else that of the label before it in its row, else the one
 * that its document is about.
 */
export function subjectOf({ text, flat, notes }: NoteText, from: number, to: number): Series | null {
  const named = onlySeriesIn(flat, from, to, notes)
  if (named !== undefined) return named
  const row = rowAround(text, from)
  const begin = row ? Math.max(row[0], from - BEFORE) : from
  const before = [...flat.slice(begin, from).matchAll(label)].at(-1)
  if (before) return onlySeriesIn(flat, begin + before.index, from, notes) ?? null
  return notes.subject
}
