import { addDays, isAfter, later } from '../../base/days.ts'
import { instrumentBalances } from '../../schema/datasets/instruments.ts'
import { isShared } from './debt-axes.ts'
import { asTaggedTerms, isAmountOf, isSeries } from './earlier-series.ts'
import { linesHolding, withHolders } from './held-notes.ts'
import type { InstrumentRow } from './instrument-row.ts'
import { empty, FIELDS, isRead, type LoadedInstrument, saidBy } from './loaded-instruments.ts'
import { cents } from './match-bonds.ts'
import { isUsual, type NamedTerms, namedTerms } from './member-name.ts'
import { withFacilities } from './read-facilities.ts'
import { agrees } from './same-facility.ts'

const BALANCES: ReadonlySet<string> = new Set([...instrumentBalances, 'balance_date'])

/**
 * The instruments of a company with what its filings say of them in tables and texts, which adds what they do not
 * tag. Rows that are none of the tagged ones are the company's instruments where it tags none; those of texts that
 * state terms of a series stay without a balance.
 */
export function withRead(
  company: string,
  tagged: readonly InstrumentRow[],
  loaded: readonly LoadedInstrument[],
): InstrumentRow[] {
  const all = loaded.filter(one => isRead(one) && !one.rule?.startsWith('facility_'))
  const read = all.filter(one => one.is_earlier !== true)
  const rows = tagged.map(row => withTableName(withWords(row, read), read))
  const ids = new Set(rows.map(({ id }) => id))
  const newest = dayOfTables(read)
  const told = read.filter(({ rule }) => rule !== 'note_offered' && rule !== 'note_terms')
  const last = [...tagged, ...told].reduce<string | null>((day, each) => later(day, each.balance_date), null)
  const isOfDay = ({ balance_date }: LoadedInstrument) =>
    Number(balance_date !== null && balance_date === newest)
  const newestFirst = read.toSorted(
    (a, b) =>
      isOfDay(b) - isOfDay(a) ||
      compare(b.balance_date, a.balance_date) ||
      compare(b.known_from, a.known_from),
  )
  for (const one of newestFirst) {
    const named = namedTerms(one.name, Number((one.known_from ?? '1900').slice(0, 4)))
    const denomination = named.denomination
    const bySeries = rows.filter(row => isSame(row, one, denomination) && !isOtherLine(row, one))
    const alike = bySeries.length > 0 ? bySeries : onlyOneLike(rows, one, read)
    const [same, ...others] = alike
    if (same !== undefined && others.length === 0) {
      const told = withName(added(same, one), one, named)
      const isOwed = isWithoutAmount(same) && same.isTermsOnly !== true && isInLine(rows, one)
      rows[rows.indexOf(same)] = isOwed ? { ...told, is_current: true } : told
      continue
    }
    const face = alike.length === 0 ? onlyFace(rows, one, named) : null
    if (face !== null) {
      rows[rows.indexOf(face)] = {
        ...face,
        carrying_amount: one.carrying_amount,
        balance_date: one.balance_date,
        is_current: true,
        is_counted: true,
        evidence: { ...face.evidence, carrying_amount: saidBy(one) },
      }
      continue
    }
    const id = `${company}/${one.name}`
    const statesTerms = one.rule === 'note_terms' || (!LOANS.has(named.type) && isSeries(one, last, read))
    if (alike.length > 0 || ids.has(id)) continue
    const isHeld = tagged.length > 0 && (isInLine(rows, one) || isShortTerm(rows, one))
    const isNew = one.rule === 'note_offered' && isOfferedSince(rows, one, last)
    if (tagged.length > 0 && !statesTerms && !isHeld && !isNew) continue
    const isOwed = isHeld || isNew || (tagged.length === 0 && isOwedByText(one, newest))
    // What was sold before the newest balances is in them, or gone.
    if (one.rule === 'note_offered' && !isOwed && !statesTerms) continue
    ids.add(id)
    const row = newRow(company, one, named, newest)
    const isTermsOnly = statesTerms && !isOwed
    const isCounted = row.is_counted && !isTermsOnly && one.rule !== 'note_terms' && !isHeld
    rows.push({ ...row, id, is_counted: isCounted, is_current: isOwed, isTermsOnly })
  }
  addEarlier(
    rows,
    all.filter(one => one.is_earlier === true),
  )
  return withHolders(withFacilities(company, rows, loaded)).map(row =>
    asTaggedTerms(withoutUnstated(row), last),
  )
}

/** The row of an instrument that is none of those known. */
function newRow(
  company: string,
  one: LoadedInstrument,
  named: NamedTerms,
  newest: string | null,
): InstrumentRow {
  const row = withRateOfDay(added(empty(company, one, newest), one), named)
  // Notes called senior are unsecured by convention, which gives way to what their filing says.
  const isConvention = named.seniority === 'senior_unsecured' && named.security !== 'unsecured'
  const rank = isConvention && row.seniority !== null ? null : named.seniority
  return {
    ...row,
    denomination: named.denomination,
    instrument_type: named.type ?? row.instrument_type,
    seniority: rank ?? row.seniority,
    security_type: named.security ?? row.security_type,
    is_group: isGroup(one, named),
    evidence: {
      ...row.evidence,
      ...(named.type !== null && { instrument_type: { name: one.name } }),
      ...(rank !== null && { seniority: { name: one.name } }),
      ...(named.security !== null && { security_type: { name: one.name } }),
    },
  }
}

/** Adds the terms that earlier rows of the same series state and the newest does not repeat. */
function addEarlier(rows: InstrumentRow[], earlier: readonly LoadedInstrument[]): void {
  for (const one of earlier.toSorted((a, b) => compare(b.balance_date, a.balance_date))) {
    const { denomination } = namedTerms(one.name, Number((one.known_from ?? '1900').slice(0, 4)))
    const [same, ...others] = rows.filter(row => isSame(row, one, denomination) && !isOtherLine(row, one))
    if (same !== undefined && others.length === 0) rows[rows.indexOf(same)] = added(same, one)
  }
}

/**
 * A row of a table whose rate is that of the day: of a revolver or of commercial paper, and of a term loan if it is no
 * usual coupon. Loans float then.
 */
function withRateOfDay(row: InstrumentRow, { type, words }: NamedTerms): InstrumentRow {
  const { coupon_rate: rate } = row
  const isPaper = type === 'commercial_paper'
  const isLoan = type === 'revolver' || type?.startsWith('term_loan') === true
  if (rate === null || (!isPaper && !isLoan) || /\bfixed\b/i.test(words)) return row
  if (isLoan && type !== 'revolver' && isUsual(rate)) return row
  const { coupon_rate: said, ...others } = row.evidence
  return {
    ...row,
    name: row.name.replace(/^[\d.]{1,8}% /, ''),
    coupon_rate: null,
    effective_rate: rate,
    rate_type: isLoan ? 'floating' : null,
    evidence: { ...others, effective_rate: said },
  }
}

/** A row of which no filing states an amount, and that no line holds, is not current. */
function withoutUnstated(row: InstrumentRow): InstrumentRow {
  if (row.balance_null_because !== 'not_stated' || row.principal !== null) return row
  const coupon = row.evidence['coupon_rate'] as { rule?: string } | undefined
  const isTermsOnly = coupon?.rule === 'note_terms'
  return { ...row, is_current: false, balance_null_because: null, isTermsOnly }
}

/**
 * A row under names of the shared taxonomy alone, with the words of the one line of its filing's tables that has its
 * balance: the filer may have chosen a name that misleads, as notes to banks for notes and debentures.
 */
function withWords(row: InstrumentRow, read: readonly LoadedInstrument[]): InstrumentRow {
  if (row.member === null || !row.member.split(' ').every(isShared)) return row
  const line = lineWithBalance(row, read)
  if (line === null) return row
  const { type } = namedTerms(line.name, Number((line.known_from ?? '1900').slice(0, 4)))
  if (type === null || type === row.instrument_type || LOANS.has(type)) return row
  return { ...row, instrument_type: type, evidence: { ...row.evidence, instrument_type: saidBy(line) } }
}

/** Rates of a range that the filer wrote without marks: `260320` for 2.60% to 3.20%, `1.432.50`. */
const RUN_TOGETHER = /\d{5,}|\d\.\d+\.\d|\d{3}\.\d/

/**
 * A row with the name of the one line of its tables that has its balance: where its own runs digits together, or is of several
 * notes and says no rates, as `August 2022 Debt`, or other years, and the line does.
 */
function withTableName(row: InstrumentRow, read: readonly LoadedInstrument[]): InstrumentRow {
  const isRunTogether = RUN_TOGETHER.test(row.name)
  if (!isRunTogether && !row.is_group) return row
  const line = lineWithBalance(row, read)
  if (line === null || RUN_TOGETHER.test(line.name)) return row
  const saysMore =
    isRunTogether ||
    (!row.name.includes('%') && (line.name.includes('%') || saysOtherYears(row.name, line.name)))
  if (!saysMore) return row
  const { type } = namedTerms(line.name, Number((line.known_from ?? '1900').slice(0, 4)))
  const isNewKind = row.instrument_type === null && type !== null
  const isOne = line.rule === 'debt_table' && row.coupon_rate !== null && !row.is_group
  return {
    ...row,
    name: line.name,
    is_group: !isOne,
    instrument_type: row.instrument_type ?? type,
    evidence: { ...row.evidence, name: saidBy(line), ...(isNewKind && { instrument_type: saidBy(line) }) },
  }
}

/** A member's name is not changed when its notes fall due: the table of the day says until when the others run. */
function saysOtherYears(name: string, line: string): boolean {
  const [own, said] = [name, line].map(each => each.match(/\b20\d\d\b/g) ?? [])
  return own!.length > 0 && said!.length > 0 && own!.join() !== said!.join()
}

/** The one line of the tables of a row's day that has its balance; null if there is none, or lines of several names. */
function lineWithBalance(row: InstrumentRow, read: readonly LoadedInstrument[]): LoadedInstrument | null {
  if (!row.is_counted || row.carrying_amount === null || row.carrying_amount === 0) return null
  const [line, ...others] = read.filter(
    one =>
      (one.rule === 'debt_schedule' || one.rule === 'debt_table') &&
      one.balance_date === row.balance_date &&
      one.carrying_amount === row.carrying_amount,
  )
  return line === undefined || others.some(({ name }) => name !== line.name) ? null : line
}

/** Whether a row is tagged debt of which no balance or commitment is. */
const isWithoutAmount = (row: InstrumentRow): boolean =>
  !row.is_current && row.carrying_amount === null && row.commitment === null && row.drawn === null

/**
 * The one tagged instrument of which only the face amount is tagged, where a line of the debt table of the tagged balances has
 * this amount and is of its kind.
 */
function onlyFace(
  rows: readonly InstrumentRow[],
  one: LoadedInstrument,
  { type }: NamedTerms,
): InstrumentRow | null {
  if (one.rule !== 'debt_schedule' || !one.carrying_amount || type === null) return null
  const ofDay = rows.filter(row => row.is_counted && row.balance_date === one.balance_date)
  if (ofDay.length === 0 || ofDay.some(row => row.carrying_amount === one.carrying_amount)) return null
  const [face, ...others] = rows.filter(
    row =>
      row.member !== null &&
      isWithoutAmount(row) &&
      row.principal === one.carrying_amount &&
      row.instrument_type === type,
  )
  return face === undefined || others.length > 0 ? null : face
}

/** A balance differs from the amount issued by discounts and costs. */
const NEAR = 0.04

/**
 * Whether notes that a report tells as issued are owed beside the tagged rows of its day: a line of several notes holds
 * them, and none of the others may be the same.
 */
function isInLine(rows: readonly InstrumentRow[], one: LoadedInstrument): boolean {
  if (one.principal === null || one.carrying_amount !== null || one.maturity === null) return false
  if (one.rule !== 'note_text' && one.rule !== 'debt_table') return false
  const ofDay = rows.filter(row => row.is_counted && row.balance_date === one.balance_date)
  // A quarterly report may tag no notes at all.
  if (rows.every(row => !row.is_counted || row.carrying_amount === 0 || LOANS.has(row.instrument_type)))
    return !rows.some(row => !row.is_group && row.is_current && mayBeSame(row, one))
  if (ofDay.some(row => !row.is_group && mayBeSame(row, one))) return false
  return (
    linesHolding(
      ofDay.filter(row => row.is_group),
      one,
    ).length > 0
  )
}

/**
 * Whether a text tells commercial paper or other short-term borrowings of the day of the tagged rows, none of which is short-term, or
 * enough to hold them: some filers have paper that they will refinance among long-term debt.
 */
const isShortTerm = (rows: readonly InstrumentRow[], one: LoadedInstrument): boolean =>
  one.rule === 'note_text' &&
  one.carrying_amount !== null &&
  /^(?:commercial paper|other short-term borrowings)$/i.test(one.name) &&
  (rows.some(row => row.is_counted && row.balance_date === one.balance_date) ||
    rows.every(row => !row.is_counted && compare(row.balance_date, one.balance_date) <= 0)) &&
  !rows.some(
    row =>
      row.is_current &&
      (row.instrument_type === 'commercial_paper' ||
        (/\bshort[- ]term\b|\bcommercial paper\b/i.test(row.name) &&
          (row.carrying_amount === null || row.carrying_amount >= (one.carrying_amount ?? 0)))),
  )

/** Whether a row of a table or text is owed by a company that tags nothing: a text may tell of notes since the newest whole table. */
const isOwedByText = (one: LoadedInstrument, newest: string | null): boolean =>
  (one.carrying_amount !== 0 || isUndrawn(one)) &&
  (newest === null ||
    one.balance_date === newest ||
    ((one.rule === 'note_text' || one.rule === 'note_offered') && compare(one.balance_date, newest) > 0))

/** A facility under which nothing is drawn, and which falls due later. */
const isUndrawn = ({ drawn, maturity, balance_date: day }: LoadedInstrument): boolean =>
  drawn === 0 && maturity !== null && day !== null && isAfter(maturity, day)

/** Whether notes were sold after the last day of which reports tell, and no row may be the same. */
const isOfferedSince = (
  rows: readonly InstrumentRow[],
  one: LoadedInstrument,
  last: string | null,
): boolean =>
  compare(one.balance_date, last) > 0 &&
  !rows.some(row => row.is_current && !row.is_group && row.accession !== one.accession && mayBeSame(row, one))

/** A row that does not state coupon or maturity, with the amount of the notes. */
const mayBeSame = (row: InstrumentRow, one: LoadedInstrument): boolean =>
  (row.coupon_rate === null || row.maturity === null) &&
  (row.maturity === null || agrees(row.maturity, one.maturity)) &&
  (row.currency !== one.currency ||
    [row.principal, row.carrying_amount].some(
      amount => amount !== null && Math.abs(amount - (one.principal ?? 0)) <= NEAR * (one.principal ?? 0),
    ))

/** Tables older than this before the newest say nothing of debt now, days. */
const OUTDATED = 480
/** Share of the most debt that tables of one day have, below which those of another day are part of it. */
const WHOLE = 0.5

/** The day of the newest tables that have the whole debt, as a quarterly report may have a part; else the newest day of any row. */
function dayOfTables(read: readonly LoadedInstrument[]): string | null {
  const sums = new Map<string, number>()
  let last: string | null = null
  for (const { balance_date: day, carrying_amount: amount, rule } of read) {
    if (rule === 'note_offered') continue
    last = later(last, day)
    if (day !== null && amount !== null && (rule === 'debt_table' || rule === 'debt_schedule'))
      sums.set(day, (sums.get(day) ?? 0) + amount)
  }
  const newest = [...sums.keys()].reduce<string | null>(later, null)
  // What texts say since may be all that is left.
  if (newest === null || last === null || newest < addDays(last, -OUTDATED)) return last
  const recent = [...sums].filter(([day]) => day >= addDays(newest, -OUTDATED))
  const most = recent.reduce((sum, [, amount]) => Math.max(sum, amount), 0)
  return recent
    .filter(([, amount]) => amount >= WHOLE * most)
    .reduce<string | null>((day, [each]) => later(day, each), null)
}

const LOANS: ReadonlySet<string | null> = new Set([
  'revolver',
  'term_loan',
  'term_loan_a',
  'term_loan_b',
  'loan',
  'commercial_paper',
])

/** `30-year bond due 2037` is one. */
const SINGLE = /\b(?:note|bond|eurobond|debenture)\b[^()]{0,40}\bdue (?:[a-z]{3,9} (?:\d{1,2}, )?)?20\d\d\b/i

/** Whether a line of a table is several instruments: its name has a range, or says neither coupon nor maturity of notes. */
const isGroup = (one: LoadedInstrument, { isGroup: isByName, type }: NamedTerms): boolean =>
  (one.rule === 'debt_schedule' || isAllNotes(one)) &&
  (isByName ||
    /\d ?%? ?(?:-|to|and) ?\d{1,2}(?:\.\d{1,5})? ?%|\b20\d\d ?(?:-|to|and) ?20\d\d\b/i.test(one.name) ||
    (one.coupon_rate === null && !LOANS.has(type) && !SINGLE.test(one.name)))

/** All notes of a company, of which a sentence tells one amount. */
const isAllNotes = (one: LoadedInstrument): boolean =>
  one.rule === 'note_text' &&
  one.instrument_type === 'notes' &&
  one.carrying_amount !== null &&
  one.coupon_rate === null

/** A filer's number for an instrument, or a slip, in place of its name. */
const NO_NAME = /\bDebt Instrument \w{1,3}$|\bPeriod \d{1,2}$/

/** What the words of a table's row say of an instrument that its own name does not. */
function withName(row: InstrumentRow, one: LoadedInstrument, named: NamedTerms): InstrumentRow {
  if (one.rule !== 'debt_table') return row
  const evidence: Record<string, unknown> = { ...row.evidence }
  const values: Partial<InstrumentRow> = {}
  if (row.instrument_type === null && named.type !== null) {
    values.instrument_type = named.type
    evidence['instrument_type'] = saidBy(one)
  }
  if (row.seniority === null && named.seniority !== null) {
    values.seniority = named.seniority
    evidence['seniority'] = saidBy(one)
  }
  if (row.security_type === null && named.security !== null) {
    values.security_type = named.security
    evidence['security_type'] = saidBy(one)
  }
  return {
    ...row,
    ...values,
    name: NO_NAME.test(row.name) ? one.name : row.name,
    denomination: row.denomination ?? named.denomination,
    evidence,
  }
}

/**
 * The one tagged instrument without a maturity that has the coupon of a row of the same report, or the one floating one
 * with its maturity, where no other row of the report could be meant.
 */
function onlyOneLike(
  rows: readonly InstrumentRow[],
  one: LoadedInstrument,
  read: readonly LoadedInstrument[],
): InstrumentRow[] {
  if (one.rule !== 'debt_table') return []
  const isLike = (a: LoadedInstrument) =>
    one.coupon_rate === null
      ? a.coupon_rate === null && agrees(a.maturity, one.maturity)
      : a.coupon_rate !== null && cents(a.coupon_rate) === cents(one.coupon_rate)
  const ofReport = read.filter(each => each.rule === 'debt_table' && each.source === one.source)
  const alikeRows = ofReport.filter(isLike)
  // A report may name a floating loan in two tables.
  const isOne = one.coupon_rate === null && alikeRows.every(each => each.spread_bps === one.spread_bps)
  if (alikeRows.length !== 1 && !isOne) return []
  const alike = rows.filter(row => {
    if (row.is_group || row.member === null) return false
    if (row.carrying_amount === null && (row.principal === null || row.principal !== one.principal))
      return false
    if (
      one.carrying_amount !== null &&
      row.balance_date === one.balance_date &&
      row.carrying_amount !== one.carrying_amount &&
      // Some filers tag what is owed before discounts.
      row.carrying_amount !== one.principal
    )
      return false
    return one.coupon_rate === null
      ? row.rate_type === 'floating' &&
          agrees(row.maturity, one.maturity) &&
          (row.spread_bps ?? one.spread_bps) === (one.spread_bps ?? row.spread_bps)
      : row.maturity === null && row.coupon_rate !== null && cents(row.coupon_rate) === cents(one.coupon_rate)
  })
  return alike.length === 1 ? alike : []
}

const compare = (a: string | null, b: string | null): number => {
  const [one, other] = [a ?? '', b ?? '']
  return one < other ? -1 : one > other ? 1 : 0
}

/** Whether a row is about an instrument: one coupon, and maturities of which one is the other said more exactly. */
function isSame(row: InstrumentRow, one: LoadedInstrument, denomination: string | null): boolean {
  if (row.is_group || row.coupon_rate === null || one.coupon_rate === null) return false
  if (cents(row.coupon_rate) !== cents(one.coupon_rate)) return false
  if (row.denomination !== null && denomination !== null && row.denomination !== denomination) return false
  const due = one.maturity_date ?? one.maturity
  if (row.maturity === null) return hasAmountOf(row, one)
  return due !== null && (due.startsWith(row.maturity) || row.maturity.startsWith(due))
}

/** Balances of one series that two tables state, before and after discounts, differ by less. */
const DISCOUNTED = 0.9

/** Whether a row is another line of the report's tables, as where two companies of a group owe notes of one coupon and year. */
const isOtherLine = (row: InstrumentRow, one: LoadedInstrument): boolean => {
  if (row.member !== null || row.source === null || row.source !== one.source) return false
  if (row.balance_date !== one.balance_date || row.name === one.name) return false
  const [a, b] = [row.carrying_amount, one.carrying_amount]
  return a !== null && b !== null && Math.min(a, b) < DISCOUNTED * Math.max(a, b)
}

/** Whether a row has the balance of a line of the same day; where only its face amount is tagged, that. */
function hasAmountOf(row: InstrumentRow, one: LoadedInstrument): boolean {
  const amount = row.carrying_amount ?? (row.balance_date === one.balance_date ? row.principal : null)
  return amount !== null && amount === one.carrying_amount && (row.carrying_amount !== null || amount > 0)
}

/** A row with what a text says of it and nothing else does. Balances are those of the row's own day. */
function added(row: InstrumentRow, one: LoadedInstrument): InstrumentRow {
  const isOtherDay = row.balance_date !== null && one.balance_date !== row.balance_date
  const said = isOtherDay ? { ...saidBy(one), date: one.balance_date } : saidBy(one)
  const values: Record<string, unknown> = {}
  const evidence: Record<string, unknown> = { ...row.evidence }
  const isOfDay =
    row.balance_date === null ? row.carrying_amount === null : row.balance_date === one.balance_date
  for (const field of FIELDS) {
    if (row[field] !== null || one[field] === null) continue
    if (BALANCES.has(field) && !isOfDay && !(field === 'principal' && isAmountOf(row, one))) continue
    values[field] = one[field]
    evidence[field] = said
  }
  const due = one.maturity_date ?? one.maturity
  if (
    due !== null &&
    (row.maturity === null || (due.length > row.maturity.length && due.startsWith(row.maturity)))
  ) {
    values['maturity'] = due
    evidence['maturity'] = said
  }
  if (Object.keys(values).length === 0) return row
  return { ...row, ...values, evidence, known_from: later(row.known_from, one.known_from) }
}
