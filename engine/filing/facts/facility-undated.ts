import { type Drawing, drawnIn } from './facility-drawn.ts'
import type { Mention } from './facility-mentions.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { datesIn } from './spelled-dates.ts'

// A facility whose maturity a text does not state is read where the text shows otherwise that it is in force.

/** Whether sentences say what is drawn under a facility, or left, at the report's day. */
export const isDrawn = (about: readonly string[], drawing: Drawing): boolean =>
  Object.keys(drawnIn(about, drawing)).length > 0

/** Whether a facility is named behind its own amount, `a $3.5 billion facility`, or by what may be borrowed: what stands behind one may be what is owed. */
export const isOfSize = (flat: string, { from, isCapacity }: Mention): boolean =>
  isCapacity === true || /^(?:[A-Z]{0,3}\$|[\u20ac\u00a3\u00a5])/.test(flat.slice(from, from + 4))

/** Whether a facility is the only one of its kind that a note tells, in its text or its tables of facilities. */
export const isOnlyOfKind = (
  each: Pick<Mention, 'kind'>,
  told: readonly Pick<Mention, 'kind'>[],
  rows: readonly InstrumentLine[],
): boolean =>
  told.every(other => other === each || other.kind !== each.kind) &&
  rows.every(row => row.instrument_type !== each.kind)

const daysFrom = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000

type Told = Pick<Mention, 'kind' | 'commitment' | 'from' | 'to'>

/** Days before a report within which what it tells was agreed with it. */
const RECENT = 100
/** How far before a facility the day of its agreement may stand, characters. */
const BEFORE = 2500
/** `replaces the existing loans with`, `refinanced its existing loan with`: what stands behind is new. */
const replacing = /\b(?:replac|refinanc)\w*\b[^.;]{0,120}?\bwith\b/i
/** `On October 24, 2025, the Company entered into`. */
const enteredOn =
  /\bon\s{1,3}[A-Z][a-z]{2,8}\s{1,3}\d{1,2},\s{1,3}20\d\d,[^.;]{2,60}?\b(?:entered\s{1,3}into|executed|closed|amended)\b/gi
/** A facility as it was told before, or one that is not yet agreed. */
const isEarlier =
  /\b(?:previously|originally|initially|as\s{1,3}(?:of|at)|commitment\s{1,3}letters?|expects?|intends?|proposed|prior\s{1,3}to|existing)\b/i

/** Whether a report tells of a facility as agreed about its own day: the last day before it is one of these. */
export function isAgreedNow(
  flat: string,
  { from: at, isAvailable }: Mention,
  [from]: readonly [from: number, end: number],
  day: string,
): boolean {
  if (isAvailable === true || isEarlier.test(flat.slice(from, at).replace(replacing, ' '))) return false
  // A day far ahead is one on which something falls due.
  const past = (text: string) => datesIn(text).filter(({ date }) => daysFrom(date, day) >= -RECENT)
  const begin = Math.max(0, from - BEFORE)
  const before = flat.slice(begin, from)
  const entered = [...before.matchAll(enteredOn)].flatMap(match => past(match[0])[0] ?? []).at(-1)
  const last = past(flat.slice(from, at))[0] ?? entered ?? past(before).at(-1)
  return last !== undefined && daysFrom(last.date, day) <= RECENT
}

/** Facilities of a report without a maturity, of which it tells no other of that kind and amount; a list may have several. */
export function undatedIn<T extends Told>(undated: readonly T[], dated: readonly Told[]): T[] {
  const isSame = (a: Told, b: Told) =>
    a.kind === b.kind &&
    a.commitment.value === b.commitment.value &&
    a.commitment.currency === b.commitment.currency
  const apart = undated.filter(
    (each, i) =>
      !dated.some(other => isSame(each, other)) && !undated.slice(0, i).some(other => isSame(each, other)),
  )
  // Of one kind the sentence that tells first of the agreement names them all.
  return apart.filter(each =>
    apart.every(other => other.kind !== each.kind || other.from >= each.from || isTogether(other, each)),
  )
}

/** How far apart the facilities of one sentence may stand, characters. */
const TOGETHER = 600
const isTogether = (first: Told, second: Told): boolean => second.from - first.to < TOGETHER
