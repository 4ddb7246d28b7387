import { memberOf } from '../base/elements.ts'
import {
  FURTHEST_FROM_MEDIAN_BPS,
  HIGHEST_SPREAD_BPS,
  LEAST_DEVIATION_BPS,
  LOWEST_PRICE,
  LOWEST_SPREAD_BPS,
  medianOf,
  SIGMAS,
  SMALLEST_SIGMA_GROUP,
  TENORS,
} from '../credit/spread-series.ts'
import { stored } from '../database/views.ts'
import type { Context, ListAnswer } from './operation.ts'

const needs = ['company_id', 'spread_date', 'tenor', 'source', 'spread_bps']

/** A price considered for a company and day, with the figures of `spread_inputs`. */
interface Input {
  readonly company_id: string
  readonly spread_date: string
  readonly tenor: string | null
  readonly bond_id: string
  readonly spread_bps: number | null
  readonly outcome: string
  readonly [figure: string]: unknown
}

/** The outcomes by which each step excludes a bond. */
const LEFT_OUT_BY: Readonly<Record<string, readonly string[]>> = {
  eligible: ['not_eligible'],
  tenor: ['outside_tenors'],
  quality: ['price_below_60', 'estimated', 'maturity_below_1_year', 'no_spread'],
  outliers: ['beyond_3_sigma', 'outside_range', 'far_from_issuer_median'],
}

const RULES = {
  eligible: 'fixed-rate senior unsecured USD bonds with a price',
  tenor: `by remaining years: ${TENORS.map(({ tenor, from, to }, i) => `${tenor} [${from},${to}${i === TENORS.length - 1 ? ']' : ')'}`).join(', ')}`,
  quality: `price at least ${LOWEST_PRICE}, not estimated, at least 1 year left, with a spread`,
  outliers: `${SMALLEST_SIGMA_GROUP} bonds or more: out beyond ${SIGMAS} standard deviations (at least ${LEAST_DEVIATION_BPS} bp) of the others; fewer: out outside [${LOWEST_SPREAD_BPS}, ${HIGHEST_SPREAD_BPS}] bp or more than ${FURTHEST_FROM_MEDIAN_BPS} bp from the issuer's median of all tenors that day`,
  median: `median of what is left, at least ${LOWEST_SPREAD_BPS}, in tenths of a basis point`,
}

/** The five steps behind each spread of a page: bonds used, bonds excluded by each step, and thresholds. */
export const explainSpreads = (context: Context): NonNullable<ListAnswer['explain']> => ({
  needs,
  async of(rows) {
    if (rows.length === 0) return []
    const days = rows.map(row => [String(row['company_id']), String(row['spread_date'])] as const)
    const inputs = await inputsOf(context, days)
    return rows.map(row => {
      if (row['source'] !== 'bond_spread_proxy')
        return { source: row['source'], formula: 'as loaded by the operator' }
      const those = inputs.filter(
        i => i.company_id === row['company_id'] && i.spread_date === row['spread_date'],
      )
      return explainSpread(those, String(row['tenor']))
    })
  },
})

/** The steps of one spread, from all prices of its company and day. */
export function explainSpread(those: readonly Input[], tenor: string) {
  const [group, issuer] = [those.filter(i => i.tenor === tenor), those.map(({ outcome }) => outcome)]
  const tested = group.filter(
    i => i.outcome === 'used' || memberOf(LEFT_OUT_BY, 'outliers').includes(i.outcome),
  )
  const passed = those.filter(
    i => i.outcome === 'used' || memberOf(LEFT_OUT_BY, 'outliers').includes(i.outcome),
  )
  const issuerMedian = middle(passed)
  const used = group.filter(i => i.outcome === 'used').map(i => shown(i, tested, issuerMedian))
  const median = middle(group.filter(i => i.outcome === 'used'))
  const leftOut = (step: string) =>
    those
      .filter(i => memberOf(LEFT_OUT_BY, step).includes(i.outcome) && (i.tenor === tenor || i.tenor === null))
      .map(i => (step === 'outliers' ? shown(i, tested, issuerMedian) : shown(i)))
  return {
    formula: 'median of the spreads of the bonds used',
    looked_at: issuer.length,
    used,
    steps: {
      eligible: { rule: RULES.eligible, left_out: leftOut('eligible') },
      tenor: { rule: RULES.tenor, left_out: leftOut('tenor') },
      quality: { rule: RULES.quality, left_out: leftOut('quality') },
      outliers: {
        rule: RULES.outliers,
        test: tested.length >= SMALLEST_SIGMA_GROUP ? 'leave_one_out_3_sigma' : 'range',
        bonds: tested.length,
        ...statistics(tested.map(i => i.spread_bps!)),
        issuer_median: issuerMedian,
        left_out: leftOut('outliers'),
      },
      median: { rule: RULES.median, median, floor_applied: median !== null && median < LOWEST_SPREAD_BPS },
    },
  }
}

/** A bond with its outlier test: the others' mean and deviation, or the issuer's median. */
function shown(input: Input, tested: readonly Input[] = [], issuerMedian: number | null = null) {
  const { company_id: _company, spread_date: _day, ...figures } = input
  if (tested.length === 0) return figures
  if (tested.length < SMALLEST_SIGMA_GROUP)
    return {
      ...figures,
      from_issuer_median: rounded(input.spread_bps! - issuerMedian!),
      limit: FURTHEST_FROM_MEDIAN_BPS,
    }
  const others = statistics(tested.filter(i => i !== input).map(i => i.spread_bps!))
  return {
    ...figures,
    mean_of_others: others.mean,
    deviation_of_others: others.deviation,
    from_mean_of_others: rounded(input.spread_bps! - others.mean!),
    limit: rounded(SIGMAS * Math.max(LEAST_DEVIATION_BPS, others.deviation!)),
  }
}

const rounded = (value: number) => Math.round(value * 1e4) / 1e4

/** Mean and sample standard deviation in basis points; null with too few values. */
function statistics(values: readonly number[]): { mean: number | null; deviation: number | null } {
  if (values.length === 0) return { mean: null, deviation: null }
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return {
    mean: rounded(mean),
    deviation: values.length < 2 ? null : rounded(Math.sqrt(squares / (values.length - 1))),
  }
}

const middle = (inputs: readonly Input[]): number | null =>
  inputs.length === 0
    ? null
    : rounded(
        medianOf(
          Float64Array.from(inputs, i => i.spread_bps!),
          inputs.length,
        ),
      )

/** Every price of companies on days, including those excluded by the first step. */
async function inputsOf(context: Context, days: readonly (readonly [string, string])[]): Promise<Input[]> {
  await context.tables('spread_inputs', 'pricing_history', 'bonds')
  const keys = days.map(() => '(?, CAST(? AS DATE))').join(', ')
  const values = days.flat()
  return context.database.rows<Input & Record<string, unknown>>(
    `SELECT i.company_id, CAST(i.spread_date AS VARCHAR) AS spread_date, i.tenor, i.bond_id, i.cusip, i.bond_name, i.last_price,
       i.ytm, i.spread_bps, i.remaining_years, i.trade_count, i.outcome, b.seniority IS NULL AS seniority_assumed, NULL AS because, i.source
     FROM ${stored('spread_inputs')} i JOIN ${stored('bonds')} b ON b.id = i.bond_id WHERE (i.company_id, i.spread_date) IN (${keys})
     UNION ALL BY NAME
     SELECT p.company_id, CAST(p.date AS VARCHAR) AS spread_date, p.bond_id, p.cusip, p.bond_name, p.last_price, p.ytm,
       p.spread AS spread_bps, p.remaining_years, p.trade_count, 'not_eligible' AS outcome, p.source,
       CASE WHEN b.rate_structure IS DISTINCT FROM 'fixed' THEN 'rate_structure is ' || coalesce(b.rate_structure, 'not known')
         WHEN coalesce(b.currency, 'USD') <> 'USD' THEN 'currency is ' || b.currency
         ELSE 'seniority is ' || coalesce(b.seniority, 'not known') END AS because
     FROM ${stored('pricing_history')} p JOIN ${stored('bonds')} b ON b.id = p.bond_id WHERE (p.company_id, p.date) IN (${keys})
       AND NOT EXISTS (SELECT 1 FROM ${stored('spread_inputs')} i WHERE i.bond_id = p.bond_id AND i.spread_date = p.date)
     ORDER BY bond_id`,
    [...values, ...values],
  )
}
