import { addDays, later } from '../../base/days.ts'
import { elementAt, firstOf } from '../../base/elements.ts'
import { append, smallest } from '../../base/lists.ts'
import { addMonths, formatDay, parseDay } from '../../credit/calendar.ts'
import {
  type Agreement,
  type AgreementKey,
  agreementKeys,
  agreementsOf,
  isCurrent,
  isReport,
  namesOf,
} from './agreements.ts'
import { type InstrumentKey, instrumentKey, tenorOf, yearOf } from './instrument-key.ts'
import type { LastListed } from './listed-debt.ts'
import { formerAgreements } from './restatements.ts'
import type { EndReason, StatedCovenant } from './stated-covenant.ts'

/** An agreement, or one clause of it, that a document says has ended. */
export interface AgreementEnding {
  readonly company_id: string
  readonly instrument_name: string
  readonly agreement_date: string
  /** The number of the clause that alone ended. */
  readonly section: string | null
  readonly ended_on: string
  readonly ended_because: EndReason
  /** Whether the document calls it the existing or former one: what it restates ended with it. */
  readonly is_existing: boolean
}

/** A covenant as it stands on a day. */
export interface StandingCovenant {
  /** The id of the row by which it was first known. */
  readonly id: string
  /** The row that states it best. */
  readonly shown: number
  /** All rows that state it, newest first. */
  readonly rows: readonly number[]
  readonly threshold: number | null
  /** The one name under which documents' names of the instrument are shown. */
  readonly instrument_name: string | null
  readonly matures: string | null
  readonly last_stated: string | null
  readonly ended_on: string | null
  readonly ended_because: EndReason | null
  /** Index of the ending that a document states; null if the end follows from the covenant's own rows. */
  readonly ending: number | null
}

interface Group {
  readonly rows: number[]
  /** Null where the rows name no instrument. */
  readonly key: InstrumentKey | null
  readonly isReported: boolean
}

const isAnnual = ({ document_type }: StatedCovenant): boolean =>
  /^(?:10-?K|20-?F|40-?F|EX-13)/i.test(document_type ?? '')

/** The covenants that rows known on a day state, each once, with the level in force on that day. */
export function standingCovenants(
  rows: readonly StatedCovenant[],
  asOf: string,
  endings: readonly AgreementEnding[] = [],
): StandingCovenant[] {
  const ofAgreement = agreementKeys(rows)
  return standingOf(rows, merged(rows, grouped(rows, ofAgreement)), { ofAgreement, asOf, endings })
}

/**
 * The pledges that rows state, each once, beside covenants, which say when agreements mature and which replaced which. Names
 * are not joined as those of covenants are: facilities of a parent and of its subsidiary are often secured by assets of one kind.
 */
export function standingPledges(
  pledges: readonly StatedCovenant[],
  covenants: readonly StatedCovenant[],
  asOf: string,
  endings: readonly AgreementEnding[],
  listed: LastListed,
): StandingCovenant[] {
  const rows = [...pledges, ...covenants]
  const asked = pledges.length
  const ofAgreement = agreementKeys(rows)
  const groups = [...grouped(rows, ofAgreement, 0, asked), ...merged(rows, grouped(rows, ofAgreement, asked))]
  return standingOf(rows, groups, { ofAgreement, asOf, endings, asked, listed })
}

interface Standing {
  readonly ofAgreement: AgreementKey
  readonly asOf: string
  readonly endings: readonly AgreementEnding[]
  /** How many of the rows to tell of, the first ones; the others only say what they say of agreements. */
  readonly asked?: number
  readonly listed?: LastListed
}

function standingOf(
  rows: readonly StatedCovenant[],
  groups: readonly Group[],
  { ofAgreement, asOf, endings, asked = rows.length, listed = () => null }: Standing,
): StandingCovenant[] {
  const replaced = replacements(rows)
  const annual = annualReports(rows.slice(0, asked))
  const ended = endingsBy(agreementKey, endings)
  const ofTenor = endingsBy(tenorKey, endings)
  const former = formerAgreements(rows, endings)
  const nameOf = namesOf(rows, ofAgreement)
  const covenants = groups.map(group => {
    const newestFirst = group.rows.toSorted((a, b) => b - a)
    return { group, newestFirst, shown: shownRow(rows, newestFirst) }
  })
  const agreements = agreementsOf(
    covenants.map(({ group, shown }) => ({
      shown: elementAt(rows, shown),
      rows: group.rows.map(n => elementAt(rows, n)),
    })),
    ofAgreement,
  )
  return covenants.flatMap(({ group, newestFirst, shown }, i) => {
    if (shown >= asked) return []
    const row = elementAt(rows, shown)
    const days = newestFirst.flatMap(n => elementAt(rows, n).day ?? [])
    const lastStated = days.length === 0 ? null : days.reduce((a, b) => (a > b ? a : b))
    const agreement = agreements[i] ?? null
    const matures = agreement?.matures ?? row.agreement_maturity_date
    const told = { shown, agreement, matures, lastStated }
    const end = endOf(rows, group, told, { asOf, replaced, annual, ended, ofTenor, former, listed })
    return {
      id: elementAt(rows, smallest(group.rows)).id,
      shown,
      rows: newestFirst,
      threshold: levelOn(row, asOf),
      instrument_name: nameOf(row),
      matures,
      last_stated: lastStated,
      ended_on: end?.day ?? null,
      ended_because: end?.because ?? null,
      ending: end?.ending ?? null,
    }
  })
}

/** Rows of one covenant, of those from `from` to `to`: of one id, or of one company, agreement or instrument, name and metric. */
function grouped(
  rows: readonly StatedCovenant[],
  ofAgreement: AgreementKey,
  from = 0,
  to = rows.length,
): Group[] {
  const groups = new Map<string, Group>()
  const groupOfId = new Map<string, Group>()
  for (let n = from; n < to; n++) {
    const row = elementAt(rows, n)
    const isExtracted = row.rule !== null && row.company_id !== null
    const key = row.instrument_name === null ? null : instrumentKey(row.instrument_name, row.agreement_date)
    const name = isExtracted
      ? [
          row.company_id,
          row.covenant_name,
          row.test_metric,
          ofAgreement(row) ?? `${key?.family}\n${key?.words}`,
        ].join('\n')
      : row.id
    const group = groupOfId.get(row.id) ?? groups.get(name) ?? { rows: [], key, isReported: isReport(row) }
    group.rows.push(n)
    groups.set(name, groups.get(name) ?? group)
    groupOfId.set(row.id, group)
  }
  return [...new Set(groups.values())].filter(({ rows: own }) => own.length > 0)
}

/** The first and last day of a group. */
function spanOf(rows: readonly StatedCovenant[], { rows: own }: Group): readonly [string, string] {
  const days = own.map(n => elementAt(rows, n).day ?? '').sort()
  return [firstOf(days), elementAt(days, days.length - 1)]
}

/**
 * Groups of reports joined to the one covenant that they can mean: an agreement that the company has, or the only
 * instrument of the same time whose name says more. Where two could be meant, both stay apart.
 */
function merged(rows: readonly StatedCovenant[], groups: readonly Group[]): Group[] {
  const families = new Map<string, Group[]>()
  for (const group of groups) {
    const { company_id, rule, covenant_name, test_metric } = elementAt(rows, firstOf(group.rows))
    if (rule === null || company_id === null) continue
    const name = [company_id, covenant_name, test_metric].join('\n')
    families.set(name, [...(families.get(name) ?? []), group])
  }
  const left = new Set(groups)
  for (const members of families.values()) {
    // First what says least about its instrument, so that it can join what says more.
    const reported = members.filter(group => group.isReported).sort((a, b) => told(a) - told(b))
    for (const group of reported) {
      const others = members.filter(other => left.has(other) && other !== group)
      const agreements = others.filter(other => !other.isReported && canMean(rows, group, other))
      const named = others.filter(
        other => other.isReported && told(other) > told(group) && isSame(rows, group, other),
      )
      // `2026 Senior Notes` are those of the indenture whose notes mature in 2026.
      const ofYear = agreements.filter(agreement => maturesIn(rows, agreement) === yearIn(group))
      const into = yearIn(group) && ofYear.length > 0 ? ofYear : agreements.length > 0 ? agreements : named
      const only = into.length === 1 ? into[0] : undefined
      if (!only) continue
      append(only.rows, group.rows)
      left.delete(group)
    }
  }
  return [...left]
}

/** How much a group says about its instrument: nothing, its family, or which one. */
const told = ({ key }: Group): number => (key === null ? 0 : key.words === '' ? 1 : 2)

const sameFamily = (a: Group, b: Group): boolean =>
  a.key === null || b.key === null || a.key.family === b.key.family

const yearIn = ({ key }: Group): string | null => (key === null ? null : yearOf(key))

/** The year in which the notes of an indenture mature, as its own documents say; null where they say none. */
const maturesIn = (rows: readonly StatedCovenant[], { rows: own, key }: Group): string | null =>
  key?.family === 'notes'
    ? (own
        .map(n => elementAt(rows, n).agreement_maturity_date)
        .find(date => date !== null)
        ?.slice(0, 4) ?? null)
    : null

/** Whether a report can speak of an agreement: dated by then, and of a level that it states. */
function canMean(rows: readonly StatedCovenant[], report: Group, agreement: Group): boolean {
  if (!sameFamily(report, agreement) || agreement.key?.family === 'ancillary') return false
  const [begun] = spanOf(rows, agreement)
  const [, last] = spanOf(rows, report)
  if (begun > last) return false
  const [year, matures] = [yearIn(report), maturesIn(rows, agreement)]
  if (year !== null && matures !== null && year !== matures) return false
  const levels = new Set(agreement.rows.flatMap(n => levelsOf(elementAt(rows, n))))
  return report.rows.every(n => {
    const { threshold_value } = elementAt(rows, n)
    return threshold_value === null || levels.size === 0 || levels.has(threshold_value)
  })
}

const levelsOf = ({ threshold_value, steps }: StatedCovenant): number[] => [
  ...(threshold_value === null ? [] : [threshold_value]),
  ...steps.map(step => step.threshold_value),
]

/** Whether a name that says less can mean the same instrument: of one family, and of the time of one that says which. */
function isSame(rows: readonly StatedCovenant[], less: Group, more: Group): boolean {
  if (
    !sameFamily(less, more) ||
    (less.key?.owner ?? null) !== (more.key?.owner ?? null) ||
    differAtOnce(rows, less, more)
  )
    return false
  if (told(more) < 2) return true
  const [begun, ended] = spanOf(rows, less)
  const [otherBegun, otherEnded] = spanOf(rows, more)
  return begun <= otherEnded && otherBegun <= ended
}

/** Whether reports of one day state different levels under two names: of a company's loan and of its subsidiary's. */
const differAtOnce = (rows: readonly StatedCovenant[], a: Group, b: Group): boolean =>
  a.rows.some(n =>
    b.rows.some(m => {
      const [one, other] = [elementAt(rows, n), elementAt(rows, m)]
      const [levels, others] = [levelsOf(one), levelsOf(other)]
      return (
        one.day === other.day &&
        levels.length > 0 &&
        others.length > 0 &&
        !levels.some(level => others.includes(level))
      )
    }),
  )

/** Of documents the newest agreement with a level, else the newest with one, else the newest; of loaded rows the newest. */
function shownRow(rows: readonly StatedCovenant[], newestFirst: readonly number[]): number {
  const newest = firstOf(newestFirst)
  if (elementAt(rows, newest).rule === null) return newest
  const level = newestFirst.filter(n => elementAt(rows, n).threshold_value !== null)
  const among = level.length > 0 ? level : newestFirst
  return among.find(n => !isReport(elementAt(rows, n))) ?? firstOf(among)
}

/** The level of a row on a day: the last step begun by then. */
function levelOn({ threshold_value, steps }: StatedCovenant, day: string): number | null {
  if (threshold_value === null) return null
  return steps.findLast(step => step.date !== null && step.date <= day)?.threshold_value ?? threshold_value
}

interface Ends {
  readonly asOf: string
  /** When the agreement of a company, family and date was replaced. */
  readonly replaced: ReadonlyMap<string, string>
  /** The days of a company's annual reports that state covenants, in order. */
  readonly annual: ReadonlyMap<string, readonly string[]>
  /** What documents say of the end of an agreement. */
  readonly ended: ReadonlyMap<string, readonly Stated[]>
  /** The same by the tenor of the agreement. */
  readonly ofTenor: ReadonlyMap<string, readonly Stated[]>
  /** Endings of what restates an agreement, by the row that states a covenant of the agreement. */
  readonly former: (row: StatedCovenant) => readonly (AgreementEnding & { readonly ending: number })[]
  readonly listed: LastListed
}

/** An ending with its index. */
type Stated = AgreementEnding & { readonly ending: number }

interface End {
  readonly day: string
  readonly because: EndReason
  readonly ending?: number
}

/** What is known of a covenant before its end is. */
interface Told {
  readonly shown: number
  readonly agreement: Agreement | null
  readonly matures: string | null
  readonly lastStated: string | null
}

function endOf(
  rows: readonly StatedCovenant[],
  group: Group,
  { shown, agreement: shared, matures: stated, lastStated }: Told,
  { asOf, replaced, annual, ended, ofTenor, former, listed }: Ends,
): End | null {
  const row = elementAt(rows, shown)
  if (row.ended_on !== null)
    return row.ended_on <= asOf ? { day: row.ended_on, because: row.ended_because ?? 'terminated' } : null
  const ends: End[] = []
  const agreement = agreementKey(row)
  const own = agreement === null ? [] : (ended.get(agreement) ?? []).filter(each => isOf(each, row))
  const byTenor = isOfReports(rows, group) ? endingsOfTenor(row, lastStated, ofTenor) : []
  for (const { ending, ended_on: day, ended_because: because } of [...own, ...byTenor])
    if (day <= asOf) ends.push({ day, because, ending })
  for (const { ending, ended_on: day, ended_because: because } of former(row))
    if (day <= asOf && lastStated !== null && lastStated <= day) ends.push({ day, because, ending })
  const by = agreement === null ? undefined : replaced.get(agreement)
  if (by !== undefined && by <= asOf) ends.push({ day: by, because: 'replaced' })
  const isTold = ends.some(({ ending }) => ending !== undefined)
  const matures = stated ?? (isTold ? null : endOfTenor(row, lastStated))
  if (matures !== null && matures < asOf) ends.push({ day: matures, because: 'matured' })
  const repeated = [
    // Of an instrument that is still listed among the debt, a report need not say again what secures it.
    ...(isToldByReports(rows, group) ? [later(lastStated, listed(row, lastStated))] : []),
    // What only a current report told of notes stands as long as reports tell of the notes.
    ...(group.key?.family === 'notes' && shared?.isToldByReports ? [shared.lastStated] : []),
  ]
  for (const last of repeated) {
    const later = last === null ? undefined : annual.get(row.company_id ?? '')?.find(day => day > last)
    if (later !== undefined && row.rule !== null) ends.push({ day: later, because: 'not_repeated' })
  }
  return ends.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))[0] ?? null
}

/**
 * The last day of a loan whose name states its tenor, of which nothing is said since: `364-Day Credit Agreement`. It runs
 * from the date of the agreement, without one at the latest from the day on which it was last stated.
 */
function endOfTenor(
  { instrument_name: name, agreement_date, rule }: StatedCovenant,
  lastStated: string | null,
): string | null {
  const [length, unit] = tenorOf(name ?? '')?.split('-') ?? []
  const begun = agreement_date ?? lastStated
  if (rule === null || begun === null || lastStated === null || unit === undefined) return null
  if (instrumentKey(name!, null).family !== 'loan') return null
  const ends =
    unit === 'day'
      ? addDays(begun, Number(length))
      : formatDay(addMonths(parseDay(begun), Number(length) * (unit === 'year' ? 12 : 1)))
  return lastStated <= ends ? ends : null
}

const isOfReports = (rows: readonly StatedCovenant[], { rows: own }: Group): boolean =>
  own.every(n => isReport(elementAt(rows, n)))

/**
 * The endings of a loan that reports tell without its date, `Five-Year Facility`: of the company's agreement of that tenor, if
 * reports told of it between its date and its end.
 */
function endingsOfTenor(
  row: StatedCovenant,
  lastStated: string | null,
  ofTenor: ReadonlyMap<string, readonly Stated[]>,
): readonly Stated[] {
  const key = tenorKey(row)
  if (row.agreement_date !== null || row.rule === null || key === null || lastStated === null) return []
  return (ofTenor.get(key) ?? []).filter(
    ({ section, agreement_date, ended_on }) =>
      section === null && agreement_date <= lastStated && lastStated <= ended_on,
  )
}

/** A company, and the family and tenor of one of its agreements. */
function tenorKey({
  company_id,
  instrument_name: name,
}: Pick<StatedCovenant, 'company_id' | 'instrument_name'>): string | null {
  const tenor = tenorOf(name ?? '')
  return company_id === null || name === null || tenor === null
    ? null
    : [company_id, instrumentKey(name, null).family, tenor].join('\n')
}

/** Whether reports alone tell of a covenant, or of notes after the current report that announced them. */
function isToldByReports(rows: readonly StatedCovenant[], { rows: own, key }: Group): boolean {
  const stated = own.map(n => elementAt(rows, n))
  if (key?.family !== 'notes') return stated.every(isReport)
  return stated.some(isReport) && stated.every(row => isReport(row) || isCurrent(row))
}

const agreementKey = ({
  company_id,
  instrument_name,
  agreement_date,
}: Pick<StatedCovenant, 'company_id' | 'instrument_name' | 'agreement_date'>): string | null =>
  company_id === null || agreement_date === null || instrument_name === null
    ? null
    : `${company_id}\n${instrumentKey(instrument_name, agreement_date).family}\n${agreement_date}`

/** Whether an ending is that of a covenant: of its clause, where it names one, and of a facility of its tenor. */
function isOf({ section, ended_on, instrument_name }: AgreementEnding, row: StatedCovenant): boolean {
  if (section !== null)
    return clauseNumber(row.evidence_section) === section && (row.day === null || row.day <= ended_on)
  const [one, other] = [tenorOf(instrument_name), tenorOf(row.instrument_name ?? '')]
  return one === null || other === null || one === other
}

/** `7.14` of `Section 7.14 Financial Covenants`. */
const clauseNumber = (section: string | null): string | null =>
  /\b\d{1,2}\.\d{1,2}\b/.exec(section ?? '')?.[0] ?? null

function endingsBy(
  keyOf: (ending: AgreementEnding) => string | null,
  endings: readonly AgreementEnding[],
): Map<string, Stated[]> {
  const ended = new Map<string, Stated[]>()
  for (const [i, ending] of endings.entries()) {
    const key = keyOf(ending)
    if (key !== null) ended.set(key, [...(ended.get(key) ?? []), { ...ending, ending: i }])
  }
  return ended
}

/** The day on which each agreement was replaced by a later one that says so. */
function replacements(rows: readonly StatedCovenant[]): Map<string, string> {
  const replaced = new Map<string, string>()
  for (const row of rows) {
    if (row.replaces_agreement_date === null) continue
    const key = agreementKey({ ...row, agreement_date: row.replaces_agreement_date })
    const day = row.agreement_date ?? row.day
    if (key === null || day === null) continue
    const before = replaced.get(key)
    if (before === undefined || day < before) replaced.set(key, day)
  }
  return replaced
}

/** The days of each company's annual reports in which covenants were found, in order. */
function annualReports(rows: readonly StatedCovenant[]): Map<string, readonly string[]> {
  const days = new Map<string, Set<string>>()
  for (const row of rows)
    if (row.rule !== null && row.company_id !== null && row.day !== null && isAnnual(row))
      days.set(row.company_id, (days.get(row.company_id) ?? new Set()).add(row.day))
  return new Map([...days].map(([company, all]) => [company, [...all].sort()]))
}
