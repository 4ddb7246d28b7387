import { invalid } from '../base/errors.ts'
import { rounded } from '../base/rounded.ts'
import { type Day, formatDay, settlementDay } from '../credit/calendar.ts'
import type { ComputedRow } from './computed-rows.ts'
import type { Context } from './operation.ts'
import { pricePoints } from './return-prices.ts'
import { type BondPeriod, bondPeriods, type ReturnRules } from './returns/bond-returns.ts'
import { type ListPeriod, listPeriods, type Member } from './returns/list-returns.ts'
import { type Periods, pairsOf } from './returns/periods.ts'
import type { ReturnArgs } from './returns/return-params.ts'
import type { RiskTerms } from './risk/terms.ts'
import { riskCurves } from './risk-curves.ts'
import { type BondChoice, riskTermsOf } from './risk-terms.ts'

interface Asked {
  readonly args: ReturnArgs
  /** Companies named; null for all. */
  readonly ids: readonly string[] | null
  readonly periods: Periods
  readonly asOf: Day
}

/** Bonds computed before other requests have their turn. */
const AT_ONCE = 50
/** Digits of percentages: more would only show how they were added up. */
const DIGITS = 10

/** Every period of every bond selected. */
export async function bondRows(context: Context, asked: Asked): Promise<ComputedRow[]> {
  const rows: ComputedRow[] = []
  for (const { terms, periods } of await returnsOfBonds(context, asked)) {
    let level: number | null = 100
    for (const period of periods) {
      level = level === null || period.total === null ? null : level * (1 + period.total / 100)
      const row = bondRow(terms, period, level)
      rows.push(asked.args.explain ? { ...row, _explain: explainOf(terms, period, asked.args) } : row)
    }
  }
  return rows
}

/** Every period of the list of the bonds selected. */
export async function listRows(context: Context, asked: Asked): Promise<ComputedRow[]> {
  const { args, periods } = asked
  if (periods.ends === null || args.weight === undefined)
    throw invalid('every', args.every, 'a weighted list needs periods: use every=week, month or quarter', {
      allowed: ['week', 'month', 'quarter'],
    })
  const currency = args.currency ?? (args.cusip ? undefined : ['USD'])
  const chosen = { ...asked, args: { ...args, currency } }
  const found = await returnsOfBonds(context, chosen)
  const currencies = [...new Set(found.map(({ terms }) => terms.currency))].sort()
  if (currencies.length > 1)
    throw invalid('currency', null, 'the bonds of a weighted list must have one currency: choose it', {
      allowed: currencies,
    })
  const pairs = pairsOf(periods.ends)
  const byPeriod: Member[][] = []
  for (const [from] of pairs) {
    const sizes = args.members === 'period_start' ? await sizesAt(context, chosen, from) : null
    byPeriod.push(
      found.flatMap(({ terms, periods: own }) => {
        const period = own.find(each => each.from === from)
        if (!period || (sizes && !sizes.has(terms.id))) return []
        const outstanding = sizes ? (sizes.get(terms.id) ?? null) : terms.outstanding
        return [{ id: terms.id, terms: { outstanding }, period }]
      }),
    )
  }
  let level: number | null = 100
  return listPeriods(byPeriod, args.weight).map((period, i) => {
    level = level === null || period.total === null ? null : level * (1 + period.total / 100)
    const [from, to] = pairs[i] as readonly [Day, Day]
    const row = listRow(period, from, to, level)
    return args.explain ? { ...row, _explain: listFormulas } : row
  })
}

interface Returns {
  readonly terms: RiskTerms
  readonly periods: readonly BondPeriod[]
}

/** The periods of the bonds that the filters select, by what is known on the as-of day. */
async function returnsOfBonds(context: Context, { args, ids, periods, asOf }: Asked): Promise<Returns[]> {
  await context.tables('bonds', 'pricing_history', 'treasury_yields')
  const bonds =
    args.weight !== undefined && args.members === 'period_start'
      ? await everSelected(context, { args, ids, periods, asOf })
      : await selected(context, args, ids)
  const { spots } = await riskCurves(context)
  const points = await pricePoints(
    context,
    bonds.map(({ id }) => id),
    periods,
    args.max_staleness,
  )
  const rules: ReturnRules = {
    periods,
    maxStaleness: args.max_staleness,
    match: args.match,
    asOf,
    spots,
  }
  const found: Returns[] = []
  for (const [i, terms] of bonds.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await context.turn()
    found.push({ terms, periods: bondPeriods(terms, points.get(terms.id) ?? [], rules) })
  }
  return found
}

/** The bonds that the filters select, matured and retired ones among them. */
function selected(
  context: Context,
  args: ReturnArgs,
  companies: readonly string[] | null,
): Promise<readonly RiskTerms[]> {
  return riskTermsOf(context, choiceOf(args, companies))
}

/** Those that the filters select at the start of any period, with the terms of the as-of day. */
async function everSelected(context: Context, asked: Asked): Promise<readonly RiskTerms[]> {
  const ids = new Set<string>()
  for (const [from] of pairsOf(asked.periods.ends ?? []))
    for (const id of (await sizesAt(context, asked, from)).keys()) ids.add(id)
  return riskTermsOf(context, { ids: [...ids] })
}

/** Bonds that the filters select as of an earlier day, with the par outstanding known then. */
async function sizesAt(
  context: Context,
  { args, ids }: Asked,
  day: Day,
): Promise<ReadonlyMap<string, number | null>> {
  const name = `members of returns ${formatDay(day)} ${JSON.stringify([choiceOf(args, ids), context.coverage])}`
  const { sizes } = await context.cached(name, async () => {
    const of = await context.borrow(formatDay(day), 'date_from')
    try {
      const bonds = await selected(of, args, ids)
      return { sizes: new Map(bonds.map(each => [each.id, each.outstanding])), bytes: bonds.length * 80 }
    } finally {
      of.release()
    }
  })
  return sizes
}

const choiceOf = (args: ReturnArgs, companies: readonly string[] | null): BondChoice => ({
  companies,
  cusips: args.cusip,
  sectors: args.sector,
  ratingBuckets: args.rating_bucket,
  currencies: args.currency,
})

const MARKS: ReadonlySet<string> = new Set(['vendor', 'fund_mark', 'estimated'])

function bondRow(terms: RiskTerms, period: BondPeriod, level: number | null): ComputedRow {
  const { start, end, total, treasury } = period
  const isRedemption = end?.source === 'redemption'
  return {
    cusip: terms.cusip,
    bond_name: terms.display_name,
    ticker: terms.ticker,
    company_name: terms.company_name,
    period_start: formatDay(period.from),
    period_end: formatDay(period.to),
    start_date: start && formatDay(start.day),
    end_date: end && formatDay(end.day),
    total_return: digits(total),
    price_return: digits(period.price),
    treasury_return: digits(treasury),
    excess_return: digits(total === null || treasury === null ? null : total - treasury),
    index_level: digits(level),
    null_because: period.reason,
    treasury_null_because: period.treasuryReason,
    ending: period.ending,
    start_price: start?.clean ?? null,
    end_price: end?.clean ?? null,
    coupons: digits(period.coupons),
    repaid: digits(period.repaid),
    bonds: null,
    weight_covered: null,
    turnover: null,
    start_accrued: digits(period.startAccrued),
    end_accrued: digits(period.endAccrued),
    start_source: start?.source ?? null,
    end_source: end && (isRedemption ? null : end.source),
    start_staleness: start && period.from - start.day,
    end_staleness: end && (isRedemption ? 0 : period.to - end.day),
    is_unchanged:
      start && end && !isRedemption
        ? start.clean === end.clean && start.source === end.source && MARKS.has(end.source)
        : null,
    weight_matched: null,
    sector: terms.sector,
    rating_bucket: terms.rating_bucket,
    seniority: terms.seniority,
    currency: terms.currency,
    bond_id: terms.id,
    company_id: terms.company_id,
    coverage: terms.coverage,
  }
}

const listRow = (period: ListPeriod, from: Day, to: Day, level: number | null): ComputedRow => ({
  bond_id: 'list',
  period_start: formatDay(from),
  period_end: formatDay(to),
  total_return: digits(period.total),
  price_return: digits(period.price),
  treasury_return: digits(period.treasury),
  excess_return: digits(period.excess),
  index_level: digits(level),
  null_because: period.reason,
  treasury_null_because: period.treasury === null ? 'no_return' : null,
  bonds: period.bonds,
  weight_covered: digits(period.covered),
  weight_matched: digits(period.matched),
  turnover: digits(period.turnover),
})

const digits = (value: number | null): number | null => (value === null ? null : rounded(value, DIGITS))

const formulas = {
  total_return:
    '100 x (((end_price + end_accrued) x (1 - repaid / 100) + coupons + repaid) / (start_price + start_accrued) - 1)',
  price_return: '100 x (end_price / start_price - 1)',
  excess_return: 'total_return - treasury_return',
  coupons:
    'coupons due after the settlement of the start, up to that of the end; not reinvested before the end',
  duration:
    'treasury_return: of a zero-coupon Treasury whose modified duration at the start is that of the bond, from spot rates at both ends',
  cash_flows:
    'treasury_return: of Treasury zeros that pay what the bond promises, from spot rates at both ends',
}

const listFormulas = {
  total_return: 'mean of the returns of the bonds that have one, by their weights at the start of the period',
  excess_return: 'mean over the bonds that also have a Treasury return',
  turnover: 'half the sum of |weight at the start - weight that the last period left|; redemptions are cash',
}

function explainOf(terms: RiskTerms, { start, end, zeroYears }: BondPeriod, { match }: ReturnArgs) {
  const { total_return, price_return, excess_return, coupons } = formulas
  const day = (value: number | null) => (value === null ? null : formatDay(value))
  return {
    formulas: { total_return, price_return, excess_return, coupons, treasury_return: formulas[match] },
    start_settlement: start && formatDay(settlementDay(start.day)),
    end_settlement: end && formatDay(end.source === 'redemption' ? end.day : settlementDay(end.day)),
    zero_years: zeroYears,
    terms: {
      from: terms.source,
      coupon_rate: terms.coupon,
      rate_structure: terms.rate_structure,
      coupon_frequency: terms.frequency ?? 2,
      coupon_frequency_assumed: terms.frequency === null,
      day_count: terms.day_count ?? '30/360',
      day_count_assumed: terms.day_count === null,
      accrues_from: day(terms.accrual),
      first_coupon_date: day(terms.first_coupon),
      maturity_date: day(terms.maturity),
      status: terms.status,
      call_schedule: terms.call_schedule === null ? null : JSON.parse(terms.call_schedule),
    },
  }
}
