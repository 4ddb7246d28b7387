import type { InstrumentLine } from './instrument-line.ts'
import { fullDate, spelledMaturity } from './maturities.ts'

/** The notes of two sentences that tell issues of one series at two times: their principal is what both issued. */
export function withBothIssues(same: readonly InstrumentLine[], one: InstrumentLine): InstrumentLine | null {
  const told = same.filter(other => isSameNote(one, other))
  const [first, second] = told
  if (first === undefined || second === undefined || told.length !== 2) return null
  const [a, b] = [first.principal, second.principal]
  if (a == null || b == null || first.currency !== second.currency || first.evidence === second.evidence)
    return null
  const times = [first, second].map(({ evidence }) => ISSUED_IN.exec(evidence ?? '')?.groups?.['time'])
  const isApart = times[0] !== undefined && times[1] !== undefined && times[0] !== times[1]
  const isAdded = /\badditional\b/i.test(second.evidence ?? '')
  return isApart || isAdded ? { ...one, principal: a + b } : null
}

/** `In the second quarter of 2024, we issued`. */
const ISSUED_IN =
  /^(?:In|On|During)\s(?<time>[^$]{3,40}?20\d\d)\b[^$]{0,60}\b(?:issued|completed\sthe\ssale|sold)\b/m

/** Of an issue that was reopened the text has two amounts, and its principal is neither. */
export const isReopened = (same: readonly InstrumentLine[], one: InstrumentLine): boolean =>
  same.some(other => isSameNote(one, other) && other.principal !== one.principal)

/** A balance differs from the amount issued by discounts and costs. */
const NEAR = 0.04

/** A line that says no more than that it is notes. */
const isPlain = ({ name, coupon_rate: coupon, maturity, carrying_amount: amount }: InstrumentLine): boolean =>
  /^(?:senior |unsecured )*notes(?: \([^()]*\))?$/i.test(name ?? '') &&
  coupon == null &&
  maturity == null &&
  amount != null

/** Lines called `Notes` with the terms of the one series of the text whose amount they have, so that it is listed once. */
export function namedByText(
  lines: readonly InstrumentLine[],
  notes: readonly InstrumentLine[],
): InstrumentLine[] {
  const areNear = (line: InstrumentLine, note: InstrumentLine): boolean =>
    isPlain(line) && line.currency === note.currency && isNear(line.carrying_amount, note.principal)
  return lines.map(line => {
    const [note, ...others] = notes.filter(each => areNear(line, each))
    if (note === undefined || others.length > 0 || lines.filter(each => areNear(each, note)).length > 1)
      return line
    // What the line states of its amount, and its words, go before those of the text.
    const { carrying_amount, balance_date, evidence, evidence_section, evidence_offset } = line
    const stated = { carrying_amount, balance_date, evidence, evidence_section, evidence_offset }
    return { ...note, ...(stated as InstrumentLine), rule: 'debt_table' }
  })
}

/** Whether two lines without a coupon, of one year, are the notes of a text together, as a part of them is swapped. */
export const areLinesOf = (lines: readonly InstrumentLine[], one: InstrumentLine): boolean => {
  const alike = lines.filter(
    ({ coupon_rate: coupon, maturity, carrying_amount: amount }) =>
      coupon == null &&
      amount != null &&
      maturity != null &&
      maturity.slice(0, 4) === one.maturity?.slice(0, 4),
  )
  return alike.some((a, i) =>
    alike.slice(i + 1).some(b => isNear((a.carrying_amount ?? 0) + (b.carrying_amount ?? 0), one.principal)),
  )
}

/** Whether a line without a coupon, as its table has effective rates, is the notes of a text: their amount and year. */
export const isLineOf = (line: InstrumentLine, { principal, maturity, currency }: InstrumentLine): boolean =>
  line.coupon_rate == null &&
  line.maturity != null &&
  line.maturity.slice(0, 4) === maturity?.slice(0, 4) &&
  (isNear(line.carrying_amount, principal) || currency !== 'USD')

/** Whether the one line with the coupon of the notes of a text is they: its table does not say when it falls due. */
export function isOfCoupon(
  lines: readonly InstrumentLine[],
  { coupon_rate: coupon }: InstrumentLine,
): boolean {
  const [line, ...others] = lines.filter(each => coupon != null && each.coupon_rate === coupon)
  return line !== undefined && others.length === 0 && line.maturity == null
}

/**
 * Lines with a coupon and without a maturity that are the one of their coupon, with the maturity and the principal of the one note
 * with it that another table or a sentence has: `5.150% Senior Notes | 246.7` and `5.150% Senior Notes | $250 | April 1, 2045`.
 */
export function withMaturityOfCoupon(
  lines: readonly InstrumentLine[],
  notes: readonly InstrumentLine[],
  day: string | null,
): InstrumentLine[] {
  return lines.map(line => {
    const { coupon_rate: coupon, maturity, evidence_offset: at, name } = line
    if (name === undefined || coupon == null || maturity != null || day === null) return line
    if (lines.some(other => other !== line && other.coupon_rate === coupon)) return line
    const same = notes.filter(each => each.coupon_rate === coupon && each.evidence_offset !== at)
    const [note] = same
    if (note?.maturity == null || note.maturity < day.slice(0, note.maturity.length)) return line
    if (new Set(same.map(each => each.maturity?.slice(0, 4))).size > 1) return line
    const exact =
      same.flatMap(each => each.maturity ?? []).toSorted((a, b) => b.length - a.length)[0] ?? note.maturity
    const face = same.find(
      each => isNear(line.carrying_amount, each.principal) && each.currency === line.currency,
    )
    return {
      ...line,
      name: /\b20\d\d\b/.test(name) ? name : `${name} due ${spelledMaturity(exact)}`,
      maturity: exact,
      maturity_date: fullDate(exact),
      ...(line.principal == null && face?.principal != null && { principal: face.principal }),
      rule: 'debt_table',
    }
  })
}

/**
 * Whether a line without a coupon, as its table has effective rates, is what a part redemption left of the notes of a
 * text: both are the only ones of their year.
 */
export function isRestOf(
  lines: readonly InstrumentLine[],
  told: readonly InstrumentLine[],
  one: InstrumentLine,
): boolean {
  const isOfYear = ({ maturity }: InstrumentLine) =>
    maturity != null && maturity.slice(0, 4) === one.maturity?.slice(0, 4)
  const [line, ...others] = lines.filter(isOfYear)
  const { principal, currency } = one
  return (
    line !== undefined &&
    others.length === 0 &&
    told.filter(isOfYear).length === 1 &&
    /\bnotes?\b|\bbonds?\b|\bdebentures?\b/i.test(line.name ?? '') &&
    line.coupon_rate == null &&
    line.rate_type !== 'floating' &&
    line.currency === currency &&
    line.carrying_amount != null &&
    principal != null &&
    line.carrying_amount < principal
  )
}

const isNear = (one: number | null | undefined, other: number | null | undefined): boolean =>
  one != null && other != null && Math.abs(one - other) <= NEAR * other

export const withoutAmount = ({ principal: _, ...line }: InstrumentLine): InstrumentLine => line

/** Notes by coupon and year of maturity. */
export const bySeries = (lines: readonly InstrumentLine[]): Map<string, InstrumentLine[]> =>
  grouped(lines, seriesOf)

export function grouped<K>(lines: readonly InstrumentLine[], keyOf: (line: InstrumentLine) => K) {
  const found = new Map<K, InstrumentLine[]>()
  for (const line of lines) {
    const same = found.get(keyOf(line))
    if (same) same.push(line)
    else found.set(keyOf(line), [line])
  }
  return found
}

const seriesOf = ({ coupon_rate, maturity }: InstrumentLine): string =>
  `${coupon_rate ?? ''} ${(maturity ?? '').slice(0, 4)}`

export const hasNote = (
  listed: ReadonlyMap<string, readonly InstrumentLine[]>,
  one: InstrumentLine,
): boolean =>
  listed
    .get(seriesOf(one))
    // A line without a coupon is a class of notes, unless it floats too.
    ?.some(other => isSameNote(one, other) && (one.coupon_rate != null || other.rate_type === 'floating')) ===
  true

/** Whether two rows of one coupon and year have one maturity, said more or less exactly. */
export const isSameNote = (
  { maturity: a = null }: InstrumentLine,
  { maturity: b = null }: InstrumentLine,
): boolean => a !== null && b !== null && (a.startsWith(b) || b.startsWith(a))
