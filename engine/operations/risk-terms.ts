import { memoize } from '../base/memoize.ts'
import { callsIn } from '../credit/calls.ts'
import { stored } from '../database/views.ts'
import { dayNumber } from '../derive/bonds/instruments.ts'
import { isOfBond } from '../derive/debt/filed-terms.ts'
import { inMemory, type KeyedRows, rowsByKey } from './keyed-rows.ts'
import type { Context } from './operation.ts'
import type { FiledCalls, RiskTerms } from './risk/terms.ts'
import { valueConditions } from './value-conditions.ts'

type Named = readonly string[] | null | undefined

/** Bonds by what a caller names of them, in any case. */
export interface BondChoice {
  readonly companies?: Named
  readonly cusips?: Named
  readonly sectors?: Named
  readonly ratingBuckets?: Named
  readonly currencies?: Named
  readonly ids?: Named
  readonly isActive?: boolean
}

const termsSql = (where: string, { coverage }: Context): string =>
  `SELECT id, cusip, display_name, company_ticker AS ticker, company_name, company_sector AS sector, rating_bucket,
     coalesce(currency, 'USD') AS currency, status, is_active, rate_structure, coupon_rate AS coupon,
     ${dayNumber('maturity_date')} AS maturity, ${dayNumber('last_fixed_date')} AS last_fixed,
     ${dayNumber('coalesce(accrual_date, issue_date)')} AS accrual, ${dayNumber('coalesce(issue_date, accrual_date)')} AS issued,
     ${dayNumber('first_coupon_date')} AS first_coupon,
     coupon_frequency AS frequency, replace(day_count, 'ACT/365', 'ACT/365F') AS day_count, spread_bps AS margin,
     floor_bps AS floor, callable, CAST(call_schedule AS VARCHAR) AS call_schedule, make_whole_bps,
     CAST(put_schedule AS VARCHAR) AS put_schedule, CAST(sinking_schedule AS VARCHAR) AS sinking_schedule,
     "pricing.last_price" AS price,
     ${dayNumber('"pricing.last_trade_date"')} AS price_day, "pricing.price_source" AS price_source,
     "pricing.staleness_days" AS staleness_days,
     json_extract_string(_explain, '$.price.ytm_null_because') AS yield_null_because,
     json_extract_string(_explain, '$.terms.from') AS source,
     coalesce(contains(json_extract_string(_explain, '$.terms.from_filing.terms'), '"call_schedule"'), FALSE) AS calls_are_filed, seniority, company_id, coverage,
     outstanding, ${dayNumber('retired_from')} AS retired_from
   FROM ${stored('bonds')} WHERE ${where} ${coverage === 'standard' ? "AND coverage = 'standard'" : ''}
   ORDER BY id`

const bondTerms: KeyedRows<RiskTerms> = {
  name: 'terms of bonds',
  tables: ['bonds'],
  keyOf: row => row.company_id ?? '',
  sql: (among, context) => termsSql(`TRUE ${among('company_id')}`, context),
}

/** The terms of bonds that a caller may see, by id. */
export async function riskTermsOf(context: Context, choice: BondChoice): Promise<readonly RiskTerms[]> {
  const known = await inMemory(context, bondTerms)
  if (known !== null) return chosenAmong(known, choice)
  const { conditions, values } = valueConditions([
    ['company_id', choice.companies],
    ['cusip', choice.cusips],
    ['company_sector', choice.sectors],
    ['rating_bucket', choice.ratingBuckets],
    ["coalesce(currency, 'USD')", choice.currencies],
    ['id', choice.ids],
  ])
  if (choice.isActive) conditions.push('is_active')
  return context.database.rows<RiskTerms>(termsSql(['TRUE', ...conditions].join(' AND '), context), values)
}

type TermsInMemory = NonNullable<Awaited<ReturnType<typeof inMemory<RiskTerms>>>>

function chosenAmong(known: TermsInMemory, choice: BondChoice): readonly RiskTerms[] {
  const { companies, cusips, sectors, ratingBuckets, currencies, ids, isActive } = choice
  const passes = [
    among(companies, row => row.company_id),
    among(cusips, row => row.cusip),
    among(sectors, row => row.sector),
    among(ratingBuckets, row => row.rating_bucket),
    among(currencies, row => row.currency),
    among(ids, row => row.id),
    ...(isActive ? [(row: RiskTerms) => row.is_active] : []),
  ].filter(test => test !== null)
  const looked = companies
    ? companies.flatMap(id => known.places.get(id) ?? [])
    : placesByCusip(known, cusips)
  const rows = looked
    ? [...new Set(looked)].sort((a, b) => a - b).flatMap(place => known.rows[place] ?? [])
    : known.rows
  return rows.filter(row => passes.every(test => test(row)))
}

function among(named: Named, read: (row: RiskTerms) => string | null): ((row: RiskTerms) => boolean) | null {
  if (!named) return null
  const values = new Set(named.map(value => value.toLowerCase()))
  return row => {
    const value = read(row)
    return value !== null && values.has(value.toLowerCase())
  }
}

const cusipPlaces = memoize(({ rows }: TermsInMemory): ReadonlyMap<string, readonly number[]> => {
  const places = new Map<string, number[]>()
  for (const [place, { cusip }] of rows.entries()) {
    if (cusip === null) continue
    const same = places.get(cusip.toLowerCase())
    if (same) same.push(place)
    else places.set(cusip.toLowerCase(), [place])
  }
  return places
})

const placesByCusip = (known: TermsInMemory, cusips: Named): readonly number[] | null =>
  cusips ? cusips.flatMap(cusip => cusipPlaces(known).get(cusip.toLowerCase()) ?? []) : null

type FiledTerms = Omit<FiledCalls, 'dates'> & {
  readonly bond_id: string
  readonly call_schedule: string | null
  readonly par_call: number | null
}

/** Nothing where two instruments are one bond. */
const filedTerms: KeyedRows<FiledTerms> = {
  name: 'call terms of instruments',
  tables: ['instruments'],
  keyOf: row => row.bond_id,
  sql: among =>
    `SELECT bond_id, id AS instrument_id, callable, CAST(call_schedule AS VARCHAR) AS call_schedule,
       ${dayNumber('par_call_date')} AS par_call, make_whole_bps, source, accession, CAST(known_from AS VARCHAR) AS known_from
     FROM ${stored('instruments')} WHERE ${isOfBond()} AND bond_id IS NOT NULL ${among('bond_id')}
     QUALIFY count(*) OVER (PARTITION BY bond_id) = 1`,
}

const filedCalls = memoize(({ bond_id: _, call_schedule, par_call, ...row }: FiledTerms): FiledCalls => {
  const said = call_schedule === null ? null : callsIn(call_schedule)
  const before = said?.filter(({ day }) => par_call === null || day < par_call) ?? []
  return { ...row, dates: par_call === null ? said : [...before, { day: par_call, price: 100 }] }
})

/** The call terms of instruments by the bond they are matched to. */
export async function filedCallsOf(
  context: Context,
  bonds: readonly string[],
): Promise<ReadonlyMap<string, FiledCalls>> {
  const rows = await rowsByKey(context, filedTerms, bonds)
  return new Map(rows.map(row => [row.bond_id, filedCalls(row)]))
}
