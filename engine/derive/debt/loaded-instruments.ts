import { later } from '../../base/days.ts'
import { instrumentTerms, readRules } from '../../schema/datasets/instruments.ts'
import { type InstrumentRow, untagged } from './instrument-row.ts'

export const FIELDS = ['cusip', 'isin', ...instrumentTerms, 'balance_date'] as const

/** A row of the dataset `instruments`, of one company. */
export type LoadedInstrument = {
  readonly company_id: string
  readonly instrument_id: string | null
  readonly name: string
  readonly maturity_date: string | null
  readonly maturity: string | null
  readonly ended_on: string | null
  readonly ended_because: string | null
  readonly guarantors: readonly string[] | null
  readonly evidence: string | null
  readonly evidence_section: string | null
  readonly evidence_offset: number | null
  readonly rule: string | null
  readonly source: string | null
  /** A later row has its name: it adds terms that the later one does not repeat. */
  readonly is_earlier?: boolean
} & Pick<InstrumentRow, (typeof FIELDS)[number] | 'accession' | 'known_from'>

/** Whether a row was read out of a filing, not loaded by a user. */
export const isRead = ({ rule }: LoadedInstrument): boolean => rule !== null && readRules.includes(rule)

/**
 * The rows of a company with what was loaded: a loaded instrument that is one of the tagged ones replaces the fields
 * it states, others are rows of their own.
 */
export function withLoaded(
  company: string,
  tagged: readonly InstrumentRow[],
  all: readonly LoadedInstrument[],
): InstrumentRow[] {
  const loaded = all.filter(one => !isRead(one))
  const rows = [...tagged]
  const newest = loaded.reduce<string | null>((last, { balance_date }) => later(last, balance_date), null)
  for (const one of loaded) {
    // Among the tagged ones only: a list may hold several with one coupon and maturity.
    const same = rows.slice(0, tagged.length).filter(row => isSame(row, one))
    const at = same.length === 1 ? rows.indexOf(same[0]!) : -1
    if (at >= 0) rows[at] = filled(rows[at]!, one)
    else rows.push(filled(empty(company, one, newest), one))
  }
  return rows
}

const lower = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

function isSame(row: InstrumentRow, one: LoadedInstrument): boolean {
  if (!row.is_current) return false
  if (one.instrument_id !== null && row.id === one.instrument_id) return true
  if (lower(row.name) === lower(one.name)) return true
  if (row.is_group || one.coupon_rate === null || one.maturity_date === null || row.maturity === null)
    return false
  return row.coupon_rate === one.coupon_rate && one.maturity_date.startsWith(row.maturity)
}

/** What a loaded row says, as the evidence of a field. */
export const saidBy = (one: LoadedInstrument): object => ({
  source: one.source,
  accession: one.accession,
  ...(one.evidence !== null && {
    row: one.name,
    quotation: one.evidence,
    section: one.evidence_section,
    offset: one.evidence_offset,
    rule: one.rule,
  }),
})

function filled(row: InstrumentRow, one: LoadedInstrument): InstrumentRow {
  const said = saidBy(one)
  const evidence: Record<string, unknown> = { ...row.evidence }
  const values: Record<string, unknown> = {}
  for (const field of FIELDS)
    if (one[field] !== null) {
      values[field] = one[field]
      evidence[field] = said
    }
  const maturity = one.maturity_date ?? one.maturity
  if (maturity !== null) {
    values['maturity'] = maturity
    evidence['maturity'] = said
  }
  if (one.guarantors !== null) {
    values['guarantors'] = JSON.stringify(one.guarantors)
    evidence['guarantors'] = said
  }
  if (one.ended_on !== null || one.ended_because !== null) {
    Object.assign(values, { ended_on: one.ended_on, ended_because: one.ended_because, is_current: false })
    evidence['ended'] = said
  }
  return { ...row, ...values, evidence, known_from: later(row.known_from, one.known_from) }
}

/** A row without values. Balances before the newest date that was loaded are not the company's debt any more. */
export const empty = (
  company: string,
  one: Pick<
    LoadedInstrument,
    | 'instrument_id'
    | 'cusip'
    | 'isin'
    | 'name'
    | 'carrying_amount'
    | 'balance_date'
    | 'accession'
    | 'source'
    | 'known_from'
  >,
  newest: string | null,
): InstrumentRow => ({
  id: one.instrument_id ?? one.cusip ?? one.isin ?? `${company}/${one.name}`,
  company_id: company,
  name: one.name,
  issuer: null,
  instrument_type: null,
  seniority: null,
  security_type: null,
  is_group: false,
  principal: null,
  carrying_amount: null,
  commitment: null,
  drawn: null,
  undrawn: null,
  currency: null,
  rate_type: null,
  coupon_rate: null,
  effective_rate: null,
  benchmark: null,
  spread_bps: null,
  floor_bps: null,
  maturity: null,
  ...untagged,
  balance_date: null,
  is_counted: one.carrying_amount !== null && one.balance_date === newest,
  is_current: one.balance_date === null || one.balance_date === newest,
  denomination: null,
  member: null,
  form: null,
  accession: one.accession,
  source: one.source,
  known_from: one.known_from,
  evidence: {},
})
