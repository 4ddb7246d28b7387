import { addDays, later } from '../../base/days.ts'
import { withAgreed } from './agreed-facilities.ts'
import { withCompanyLine, withEndings, withTotals } from './ended-facilities.ts'
import type { InstrumentRow } from './instrument-row.ts'
import { empty, type LoadedInstrument, saidBy } from './loaded-instruments.ts'
import {
  agrees,
  candidates,
  FACILITY_TERMS,
  isCalled,
  isFacilityKind,
  isOwed,
  mayBe,
} from './same-facility.ts'

/** Text older than this before the newest balances, in days, says nothing of facilities now. */
const OUTDATED = 480

/**
 * The instruments of a company with the facilities that its texts describe. A text fills in the one facility with its
 * commitment, and says which of several tagged commitments is in force and when it falls due, as names of members are
 * not changed when a facility is extended. Other facilities of the newest text are rows of their own: revolving ones,
 * and loans where the company tags no instruments.
 */
export function withFacilities(
  company: string,
  tagged: readonly InstrumentRow[],
  read: readonly LoadedInstrument[],
): InstrumentRow[] {
  const rows = [...tagged]
  const newest = newestDay(rows.filter(row => !isSold(row)).map(({ balance_date }) => balance_date))
  const texts = read.filter(({ rule }) => rule === 'facility_text')
  const last = newestDay(texts.map(({ balance_date }) => balance_date))
  const current = later(newest, last)
  const since = current === null ? '' : addDays(current, -OUTDATED)
  const newestFirst = texts
    .filter(one => (one.balance_date ?? '') >= since)
    .toSorted((a, b) => ((a.balance_date ?? '') < (b.balance_date ?? '') ? 1 : -1))
    // Lines of which only the undrawn part is told come behind the facilities that they may be.
    .toSorted((a, b) => Number(a.commitment === null) - Number(b.commitment === null))
  const filled = new Map<string, LoadedInstrument>()
  const ids = new Set(rows.map(({ id }) => id))
  for (const one of newestFirst) {
    const same = candidates(rows, one)
    const [row, ...others] = same
    const before = row && others.length === 0 ? filled.get(row.id) : undefined
    // Some filers tag two facilities, one after the other, under one member.
    const isSecond = before !== undefined && isAnother(before, one)
    if (row !== undefined && others.length === 0 && !isSecond) {
      // The newest text of a facility says all.
      if (before !== undefined) continue
      filled.set(row.id, one)
      rows[rows.indexOf(row)] = withText(row, one)
      continue
    }
    // A line of a table that states what is drawn and not what is committed.
    const [line, ...more] = drawnLines(rows, one)
    if (same.length === 0 && line !== undefined && more.length === 0 && !filled.has(line.id)) {
      filled.set(line.id, one)
      rows[rows.indexOf(line)] = withText(line, one)
      continue
    }
    const isNew = one.balance_date === last && (newest === null || last === null || last >= newest)
    const isOwn = one.instrument_type === 'revolver' || tagged.every(({ member }) => member === null)
    const id = `${company}/${one.name}`
    if (
      (same.length > 0 && !isSecond) ||
      !isNew ||
      !isOwn ||
      ids.has(id) ||
      (one.commitment === null && rows.some(isCommitted)) ||
      rows.some(other => mayBe(other, one))
    )
      continue
    ids.add(id)
    filled.set(id, one)
    rows.push({
      ...withText(empty(company, one, null), one),
      id,
      is_counted: false,
      is_current: true,
    })
  }
  const filed = withAgreed(company, rows, read, later(newest, last))
  const endings = read.filter(one => one.rule === 'facility_ended' && (one.balance_date ?? '') >= since)
  return withCompanyLine(withTotals(withEndings(filed, endings, filled), filled))
}

/** Whether one text tells of two facilities: of other commitments, due on other days. */
const isAnother = (told: LoadedInstrument, one: LoadedInstrument): boolean =>
  told.source === one.source &&
  told.balance_date === one.balance_date &&
  told.commitment !== one.commitment &&
  told.maturity !== null &&
  one.maturity !== null &&
  !agrees(told.maturity, one.maturity)

/** Whether the day of a row is that of a sale of notes, which says nothing of other debt. */
const isSold = ({ evidence }: InstrumentRow): boolean =>
  (evidence['balance_date'] as { rule?: string } | undefined)?.rule === 'note_offered'

const newestDay = (days: readonly (string | null)[]): string | null =>
  days.reduce((last, day) => later(last, day), null)

/** A term loan that a table calls a credit facility: drawn in full, and due when the text says. */
const isDrawnInFull = (row: InstrumentRow, one: LoadedInstrument): boolean =>
  isFacilityKind(row) &&
  row.carrying_amount !== null &&
  one.commitment !== null &&
  row.carrying_amount >= 0.97 * one.commitment &&
  agrees(row.maturity, one.maturity)

/** The lines of a debt table that may be what is drawn under the facility of a text; those due with it, if any are. */
function drawnLines(rows: readonly InstrumentRow[], one: LoadedInstrument): InstrumentRow[] {
  const all = rows.filter(row => isDrawnPart(row, one))
  const due = all.filter(row => agrees(row.maturity, one.maturity))
  // Of several, the one that the table calls by the name that the text gives it.
  const named = all.length > 1 ? all.filter(row => isCalled(row, one)) : []
  const lines = named.length > 0 ? named : due.length > 0 ? due : all
  return lines.filter(({ carrying_amount: drawn }) => drawn !== null && drawn <= (one.commitment ?? 0))
    .length === lines.length
    ? lines
    : []
}

/** A line of the same report with what the text says is drawn, of a facility that it says was extended since. */
const isExtended = (row: InstrumentRow, one: LoadedInstrument): boolean =>
  row.accession === one.accession &&
  one.drawn !== null &&
  one.drawn > 0 &&
  (row.carrying_amount === one.drawn || row.principal === one.drawn) &&
  row.maturity !== null &&
  one.maturity !== null &&
  row.maturity < one.maturity

/** Whether a line of a debt table, of the same day, is what is drawn under the facility of a text. */
const isDrawnPart = (row: InstrumentRow, one: LoadedInstrument): boolean =>
  row.member === null &&
  row.is_current &&
  !row.is_group &&
  row.commitment === null &&
  (row.instrument_type === one.instrument_type || isDrawnInFull(row, one)) &&
  row.balance_date === one.balance_date &&
  row.carrying_amount !== null &&
  isOwed(row.carrying_amount, one) &&
  (row.maturity === null ||
    agrees(row.maturity, one.maturity) ||
    isExtended(row, one) ||
    // A table of liquidity states no maturity, and what is drawn tells the line.
    (one.maturity === null && one.drawn !== null))

/** A facility whose commitment is known: lines of which a text tells only what is undrawn may be it. */
const isCommitted = (row: InstrumentRow): boolean =>
  row.is_current && isFacilityKind(row) && row.commitment !== null

const OF_DAY = ['drawn', 'undrawn'] as const
/** A row with what the text says of its facility. */
function withText(row: InstrumentRow, one: LoadedInstrument): InstrumentRow {
  const said = saidBy(one)
  const values: Record<string, unknown> = {}
  const evidence: Record<string, unknown> = { ...row.evidence }
  const set = (field: string, value: unknown) => {
    values[field] = value
    evidence[field] = said
  }
  if (row.commitment !== one.commitment) set('commitment', one.commitment)
  const isByName = (row.evidence['maturity'] as { name?: string } | undefined)?.name !== undefined
  const isMoreExact =
    one.maturity !== null && (row.maturity === null || one.maturity.startsWith(row.maturity))
  if (
    one.maturity !== null &&
    one.maturity !== row.maturity &&
    (isMoreExact || isExtended(row, one) || (isByName && !agrees(row.maturity, one.maturity)))
  )
    set('maturity', one.maturity)
  for (const field of FACILITY_TERMS) if (row[field] === null && one[field] !== null) set(field, one[field])
  if (row.rate_type === null && one.rate_type !== null && row.coupon_rate === null)
    set('rate_type', one.rate_type)
  const isOfDay = row.balance_date === null || row.balance_date === one.balance_date
  for (const field of OF_DAY)
    if (isOfDay && row[field] === null && one[field] !== null) set(field, one[field])
  if (values['drawn'] !== undefined || values['undrawn'] !== undefined)
    values['balance_date'] = one.balance_date
  return {
    ...row,
    ...values,
    evidence,
    is_current: true,
    isDescribed: true,
    known_from: later(row.known_from, one.known_from),
  }
}
