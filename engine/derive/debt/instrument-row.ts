import { formatDay } from '../../credit/calendar.ts'
import type { balanceReasons } from '../../schema/vocabulary.ts'
import { minorUnits } from '../statements/minor-units.ts'
import { wholeOfLine } from './agreed-lines.ts'
import { isAmount, type Role } from './amounts.ts'
import type { CompanyInstruments, DebtTable } from './company-debt.ts'
import { indexOf } from './debt-axes.ts'
import { entityName } from './entity-name.ts'
import { titleOf, withCommitment } from './instrument-title.ts'
import { isUsual } from './member-name.ts'
import { isOwedBeside } from './owed-beside.ts'
import type { Reconciliation } from './reconcile.ts'
import { couponOf, type DebtFact, percentOf, type TaggedInstrument } from './tagged-instruments.ts'

/** A row of `instruments`, before bonds are matched. */
export interface InstrumentRow {
  id: string
  company_id: string
  name: string
  issuer: string | null
  instrument_type: string | null
  seniority: string | null
  security_type: string | null
  is_group: boolean
  principal: number | null
  carrying_amount: number | null
  commitment: number | null
  drawn: number | null
  undrawn: number | null
  currency: string | null
  rate_type: string | null
  coupon_rate: number | null
  effective_rate: number | null
  benchmark: string | null
  spread_bps: number | null
  floor_bps: number | null
  /** `2032-03-15`, `2032-03` or `2032`. */
  maturity: string | null
  callable: boolean | null
  call_schedule: string | null
  make_whole_bps: number | null
  par_call_date: string | null
  change_of_control_price: number | null
  guarantors: string | null
  /** When a text says it ended before it fell due, and why. */
  ended_on: string | null
  ended_because: string | null
  balance_date: string | null
  is_counted: boolean
  is_current: boolean
  /** The line of several instruments that holds its balance. */
  part_of: string | null
  balance_null_because: (typeof balanceReasons)[number] | null
  denomination: string | null
  member: string | null
  cusip: string | null
  isin: string | null
  form: string | null
  accession: string | null
  source: string | null
  known_from: string | null
  evidence: Record<string, unknown>
  /** A series of which terms alone are known: it has no balance now, and no other row is the same notes. */
  isTermsOnly?: boolean
  /** What a filing tags of a facility's commitment, for the text that says which facility is in force. */
  facility?: { readonly commitments: readonly number[]; readonly isDoubtful: boolean }
  /** A text describes it. */
  isDescribed?: boolean
  /** It stands for facilities only where none is known. */
  isOnlyIfNone?: boolean
}

/** What filings do not tag by instrument; sources of the dataset `instruments` may say it. */
export const untagged = {
  cusip: null,
  isin: null,
  callable: null,
  call_schedule: null,
  make_whole_bps: null,
  par_call_date: null,
  change_of_control_price: null,
  guarantors: null,
  ended_on: null,
  ended_because: null,
  part_of: null,
  balance_null_because: null,
} as const

/** What is said of a field: the figure as tagged, or the name that says it. */
const evidenceOf = ({ concept, value, unit, end, dimensions, accession, source }: DebtFact): object => ({
  concept,
  value,
  unit,
  date: formatDay(end),
  dimensions,
  accession,
  source,
})

/** The rows of a company, those of its debt table first. */
export function instrumentRows(company: string, { table, others }: CompanyInstruments): InstrumentRow[] {
  const own = table.instruments.map((each, i) => rowOf(company, each, table.filing, table, i))
  const rows = own.map((row, i) =>
    isOwedBeside(table.instruments[i], row, own) ? { ...row, is_current: true } : row,
  )
  const named = rows.map(row => {
    const isOthers = rows.some(other => other.name === row.name && other.issuer !== row.issuer)
    return isOthers && row.issuer !== null ? { ...row, name: `${row.name}, ${row.issuer}` } : row
  })
  const later = others.map(({ instrument, filing }) => rowOf(company, instrument, filing, null, 0))
  const ids = new Map<string, number>()
  return [...named, ...later].map(row => {
    const times = (ids.get(row.id) ?? 0) + 1
    ids.set(row.id, times)
    return times === 1 ? row : { ...row, id: `${row.id} ${times}` }
  })
}

const local = (member: string): string => member.slice(member.indexOf(':') + 1).replace(/Member$/, '')

// Over 80 lines: one object literal, a line a field.
function rowOf(
  company: string,
  instrument: TaggedInstrument,
  filing: DebtTable['filing'],
  table: DebtTable | null,
  at: number,
): InstrumentRow {
  const { facts, named, members, entity, standing, index, day } = instrument
  const { currency } = filing
  const evidence: Record<string, unknown> = {}
  const amount = (field: string, ...roles: readonly Role[]): number | null => {
    const found = roles.map(role => facts.get(role)).filter(fact => fact !== undefined)
    if (found.length === 0) return null
    evidence[field] = found.length === 1 ? evidenceOf(found[0]!) : found.map(evidenceOf)
    return Math.round(found.reduce((sum, { value }) => sum + value, 0) * minorUnits(currency))
  }
  const rate = (field: string, role: Role, scale = 1): number | null => {
    const fact = facts.get(role)
    if (!fact) return null
    evidence[field] = evidenceOf(fact)
    return Math.round(percentOf(fact.value) * scale * 1e6) / 1e6
  }
  const byName = <T>(field: string, value: T | null): T | null => {
    if (value !== null) evidence[field] = { name: members.join(' '), ...ofShared(facts) }
    return value
  }
  const counted = table?.reconciliation.counted[at] ?? null
  const carrying = carryingRoles(instrument, table?.reconciliation)
  const isDrawable = named.isRevolving || facts.has('commitment')
  const carrying_amount = amount('carrying_amount', ...carrying)
  const stated = couponOf(instrument)
  const spread = rate('spread_bps', 'margin', 100)
  const isOfDay = stated !== null && isRateOfTheDay(instrument, stated)
  const isFloating = named.isFloating || spread !== null || (isOfDay && named.type !== 'commercial_paper')
  const coupon = isFloating || isOfDay ? null : stated
  const names = [...facts.values()]
  const isFacility = facts.has('commitment')
  // What may be issued under a programme is no commitment of lenders.
  const isCommitted = isFacility && named.type !== 'commercial_paper'
  const isDoubtful =
    isFacility && table !== null && (isOfEarlierDay(instrument, table) || hasRunOut(instrument))
  // A member's name is not changed when the facility is extended.
  const isExtended =
    isFacility && named.maturity !== null && named.maturity < formatDay(day).slice(0, named.maturity.length)
  return {
    id: [company, ...[...members].map(local).sort(), ...(entity ? [local(entity)] : [])].join('/'),
    company_id: company,
    name: withCommitment(titleOf(named.words, coupon), facts.get('commitment')?.value ?? null),
    issuer: entity && byEntity(entity, evidence),
    instrument_type: byName(
      'instrument_type',
      named.type ?? (isFacility && /\bfacilit|\blines?\b/i.test(named.words) ? 'revolver' : null),
    ),
    seniority: byConvention(byName('seniority', named.seniority), named, evidence),
    security_type: byName('security_type', named.security),
    is_group: instrument.isGroup,
    principal: isFaceOf(instrument, carrying) ? amount('principal', 'principal') : null,
    carrying_amount,
    commitment:
      amount('commitment', 'commitment') ??
      (isUntouched(instrument) ? amount('commitment', 'undrawn', ...carrying) : null),
    drawn: isDrawable ? amount('drawn', ...carrying) : null,
    undrawn: amount('undrawn', 'undrawn'),
    currency,
    rate_type: isFloating ? 'floating' : coupon === null ? null : 'fixed',
    coupon_rate:
      coupon !== null && facts.has('coupon') ? rate('coupon_rate', 'coupon') : byName('coupon_rate', coupon),
    effective_rate:
      rate('effective_rate', 'effective_rate') ??
      // Some tag the margin as the stated rate too.
      (isOfDay && stated * 100 !== spread ? rate('effective_rate', 'coupon') : null),
    benchmark: byIndex(index, facts, evidence) ?? byName('benchmark', indexOf(members.join(' '))),
    spread_bps: spread,
    floor_bps: rate('floor_bps', 'floor', 100),
    maturity: byName('maturity', isExtended ? null : named.maturity),
    ...untagged,
    balance_date: carrying_amount === null && counted === null ? null : formatDay(day),
    is_counted: counted !== null,
    is_current:
      standing === 'counted' &&
      !isDoubtful &&
      // What was left under it on an earlier day says nothing of the balance date.
      ((counted ?? 0) !== 0 || isCommitted || facts.get('undrawn')?.end === day),
    denomination: named.denomination,
    member: members.join(' '),
    form: filing.form,
    accession: filing.accession,
    source: names.find(({ end }) => end === day)?.source ?? names[0]?.source ?? null,
    known_from:
      names.length === 0 ? null : dayOrNull(names.reduce((last, { known }) => Math.max(last, known), -1e9)),
    evidence,
    ...((isFacility || isDrawable) && {
      facility: {
        commitments: instrument.commitments.map(value => Math.round(value * minorUnits(currency))),
        isDoubtful,
      },
    }),
  }
}

/** A balance exceeds the face amount by premiums and hedges of less than this. */
const ABOVE_FACE = 1.05

/**
 * Whether a face amount is of the debt whose balance a row has. One tagged as of another day is that of another loan under the same
 * name, or of a first issue, where more is owed; of a revolving facility it is what was drawn then, if not what is committed.
 */
function isFaceOf({ facts, named, day }: TaggedInstrument, carrying: readonly Role[]): boolean {
  const face = facts.get('principal')
  if (face === undefined || face.end === day) return face !== undefined
  if (named.isRevolving) return (facts.get('commitment')?.value ?? face.value) === face.value
  const owed = carrying.reduce((sum, role) => sum + (facts.get(role)?.value ?? 0), 0)
  return owed <= ABOVE_FACE * face.value
}

/** Commitments are agreed in such sums; letters of credit leave others. */
const ROUND = 25e6

/** A revolving line under which nothing is owed: what is left of it is its commitment. */
const isUntouched = (instrument: TaggedInstrument): boolean => {
  const undrawn = instrument.facts.get('undrawn')?.value ?? 0
  const isRound = undrawn > 0 && undrawn % ROUND === 0
  return instrument.named.isRevolving && isRound && wholeOfLine(instrument) === undrawn
}

/**
 * A facility whose commitment is that of an earlier day, without a balance, where the filing states another's at the
 * balance date: it may have ended.
 */
function isOfEarlierDay({ facts, day }: TaggedInstrument, { instruments }: DebtTable): boolean {
  const isOf = (each: TaggedInstrument) =>
    each.standing === 'counted' && each.facts.get('commitment')?.end === day
  const hasBalance = [...facts.values()].some(
    ({ role, end }) => end === day && (isAmount(role) || role === 'undrawn'),
  )
  return facts.get('commitment')?.end !== day && !hasBalance && instruments.some(isOf)
}

/** Days of the longest facility that is called one of 364 days. */
const YEAR = 366

/** A facility of 364 days that was agreed more than a year before, or one whose name fell due, of which nothing is said since. */
function hasRunOut({ facts, named, day }: TaggedInstrument): boolean {
  const agreed = facts.get('commitment')?.end
  const isSaidSince = [...facts.values()].some(({ role, end }) => end === day && role !== 'commitment')
  if (agreed === undefined || agreed === day || isSaidSince) return false
  const isOfOneYear = /\b36[0-9] ?-? ?day\b/i.test(named.words) && agreed + YEAR <= day
  const hasFallenDue =
    named.maturity !== null && named.maturity < formatDay(day).slice(0, named.maturity.length)
  return isOfOneYear || hasFallenDue
}

/** Loans and facilities bear a rate that is set anew: what is tagged as theirs is that of the day, as are odd ones of term loans. */
function isRateOfTheDay({ named, facts }: TaggedInstrument, coupon: number): boolean {
  if (!facts.has('coupon') || /\bfixed\b/i.test(named.words)) return false
  if (named.type === 'revolver' || named.type === 'commercial_paper') return true
  return named.type?.startsWith('term_loan') === true && !isUsual(coupon)
}

const dayOrNull = (day: number): string | null => (day < -500_000 ? null : formatDay(day))

/** Members of the shared taxonomy that a figure carries beside the filer's own: they name the kind. */
function ofShared(facts: ReadonlyMap<Role, DebtFact>): object {
  const [first] = facts.values()
  return first
    ? {
        concept: first.concept,
        dimensions: first.dimensions,
        accession: first.accession,
        source: first.source,
      }
    : {}
}

/** Marks a rank that the name implies by the market's convention and does not state. */
function byConvention<T>(
  seniority: T,
  { security }: TaggedInstrument['named'],
  evidence: Record<string, unknown>,
): T {
  if (seniority === 'senior_unsecured' && security !== 'unsecured')
    evidence['seniority'] = {
      ...(evidence['seniority'] as object),
      convention: 'notes called senior and not secured are senior unsecured',
    }
  return seniority
}

function byEntity(entity: string, evidence: Record<string, unknown>): string {
  evidence['issuer'] = { name: entity }
  return entityName(entity)
}

function byIndex(
  index: string | null,
  facts: ReadonlyMap<Role, DebtFact>,
  evidence: Record<string, unknown>,
): string | null {
  const margin = facts.get('margin')
  if (index !== null && margin) evidence['benchmark'] = evidenceOf(margin)
  return index
}

/** The roles whose figures are the balance: those in the sum, else any at the balance date. */
function carryingRoles({ facts, day }: TaggedInstrument, reconciliation: Reconciliation | undefined): Role[] {
  const has = (role: Role) => facts.get(role)?.end === day
  const inParts = reconciliation?.basis === 'carrying_amount_in_parts'
  if (inParts && has('whole') && has('current')) return ['whole', 'current']
  if (reconciliation?.basis === 'amount_owed' && has('stated')) return ['stated']
  if (has('whole')) return ['whole']
  const parts = (['noncurrent', 'current'] as const).filter(has)
  return parts.length > 0 ? parts : has('stated') ? ['stated'] : []
}

/** A row of `debt_reconciliations`. */
export function reconciliationRow(company: string, table: DebtTable): Record<string, unknown> {
  const { filing, day, reconciliation, total, way, instruments } = table
  const { counted, sum, adjustments, difference, basis } = reconciliation
  const minor = minorUnits(filing.currency)
  const money = (value: number | null) => (value === null ? null : Math.round(value * minor))
  const line = (item: string) => {
    const those = adjustments.filter(each => each.item === item)
    return those.length === 0 ? null : money(those.reduce((all, { value }) => all + value, 0))
  }
  const used = instruments.filter((_, i) => counted[i] !== null)
  const facts = used.flatMap(({ facts: own }) => [...own.values()])
  return {
    company_id: company,
    balance_date: formatDay(day),
    currency: filing.currency,
    tagged_debt: money(total),
    instruments: used.length,
    instruments_sum: money(sum),
    finance_leases: line('finance_leases'),
    lines_without_instruments: line('line_without_instruments'),
    unamortized_discount: line('unamortized_discount'),
    hedge_adjustment: line('hedge_adjustment'),
    tagged_in_other_unit: line('tagged_in_other_unit'),
    likely_causes: JSON.stringify(likelyCauses(table, difference)),
    basis,
    form: filing.form,
    accession: filing.accession,
    debt_read_as: way,
    lines: JSON.stringify(adjustments),
    known_from:
      facts.length === 0 ? null : dayOrNull(facts.reduce((last, { known }) => Math.max(last, known), -1e9)),
  }
}

/** Below this share of tagged debt a difference is rounding. */
const ROUNDING = 0.001

function likelyCauses(table: DebtTable, difference: number | null): string[] {
  const { total, reconciliation, inOtherUnits, filing, instruments } = table
  if (total === null) return ['the filing tags no total debt that covers its borrowings']
  if (difference === null || Math.abs(difference) <= ROUNDING * total) return []
  const { adjustments, basis } = reconciliation
  const has = (item: string) => adjustments.some(each => each.item === item)
  const causes: string[] = []
  const isGross = basis === 'amount_owed' || basis === 'principal'
  if (inOtherUnits.length > 0 && !has('tagged_in_other_unit'))
    causes.push(
      `balances tagged in ${[...new Set(inOtherUnits.map(({ unit }) => unit))].sort().join(', ')} are not in the sum`,
    )
  if (difference > 0) {
    if (filing.form !== null && /10-Q/.test(filing.form))
      causes.push('a quarterly report tags only some instruments')
    if (!has('finance_leases')) causes.push('finance leases that the filing does not tag apart')
    causes.push('debt that no instrument stands for')
  } else {
    if (isGross && !has('unamortized_discount')) causes.push('unamortized discounts and issuance costs')
    causes.push('instruments that repeat others', 'hedge adjustments')
  }
  if (instruments.some(({ facts }) => facts.has('fair_value')) && !isGross)
    causes.push('balances at fair value')
  return causes
}
