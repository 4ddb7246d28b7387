import { elementAt } from '../base/elements.ts'
import { invalid, QueryError } from '../base/errors.ts'
import { formatDay, parseDay } from '../credit/calendar.ts'
import { type CurveScenario, scenarioEffect } from '../credit/options/scenario.ts'
import { bps, integer, nullable, number, percent, text, years } from '../schema/column.ts'
import { object, valueSchema } from '../schema/json-schema.ts'
import { type ArgsOf, fallback, many, one } from '../schema/params.ts'
import type { Resource } from '../schema/resource.ts'
import { type ScenarioRow, scenarios } from '../schema/resources/scenarios.ts'
import { ratingBuckets } from '../schema/vocabulary.ts'
import { type ComputedRow, namedCompanies, pageOfComputed } from './computed-rows.ts'
import { checkList } from './list.ts'
import { nearestCusip } from './nearest-cusip.ts'
import { type Context, operation, type Page } from './operation.ts'
import { explainParam, filterParams, pageParams, timeParams, unknownParam } from './params.ts'
import { latticeModel, modelParams } from './risk/risk-params.ts'
import { type FiledCalls, ownSchedule, type RiskTerms } from './risk/terms.ts'
import type { Valuation } from './risk/value-bonds.ts'
import { riskCurves } from './risk-curves.ts'
import { filedCallsOf, riskTermsOf } from './risk-terms.ts'

const resource = scenarios as unknown as Resource

/** Maximum number of bonds that one scenario values. */
const MOST_BONDS = 1000
/** Bonds valued before other requests have their turn. */
const AT_ONCE = 5

const totalColumns = {
  bonds: integer('Bonds selected.'),
  valued: integer('Those with figures.'),
  weight_valued: nullable(percent('Share of all weights that they have.')),
  change_percent: nullable(percent('Change of their dirty value, valued in full; null if none has figures.')),
  estimate_percent: nullable(percent('The same by duration and convexity.')),
  rates_percent: nullable(percent('Change by the curve alone.')),
  spread_percent: nullable(percent('Change by spreads alone.')),
  effective_duration: nullable(years('Weighted effective duration.')),
}

const params = {
  ...filterParams(scenarios),
  weights: many(number('Weights of `cusip`, in its order; default equal.'), {
    min: 0,
  }),
  shift: fallback(one(bps('Shift of all Treasury spot rates.'), { min: -1000, max: 1000 }), 0),
  twist: fallback(one(bps('Rise of the 30-year rate less the 2-year.'), { min: -1000, max: 1000 }), 0),
  pivot: fallback(one(years('Tenor that a twist leaves.'), { min: 2, max: 30 }), 10),
  spread_shock: fallback(one(bps('Shock of every spread.'), { min: -1000, max: 5000 }), 0),
  rating_shocks: many(text('Further shocks by rating bucket, basis points.', { example: 'HY-B:150' })),
  sector_shocks: many(text('Further shocks by sector, basis points.', { example: 'Energy:200' })),
  ...modelParams,
  steps: { ...modelParams.steps, fallback: 100 },
  ...pageParams<typeof scenarios.columns>(scenarios.limit, scenarios.sort),
  ...unknownParam,
  ...timeParams,
  ...explainParam,
}

type ScenarioArgs = ArgsOf<typeof params>

export const marketScenario = operation({
  name: 'market.scenario',
  method: 'GET',
  path: '/v1/scenarios',
  command: 'scenario',
  doc: 'Bonds valued after moves of the curve and shocks of spreads.',
  tier: 'pro',
  cost: 'advanced',
  answers: 'rows',
  envelope: 'data',
  columns: scenarios.columns,
  resource,
  heavy: 'always',
  meta: {
    totals: object(Object.fromEntries(Object.entries(totalColumns).map(([k, c]) => [k, valueSchema(c)]))),
  },
  examples: ['--ticker FLKNT --shift 100', '--sector Energy --twist 50 --rating-shocks HY-B:100,HY-CCC:300'],
  params,
  check: checkScenario,
  async run(context, args) {
    const { ids, unknown } = await namedCompanies(context, args)
    const bonds = await selected(context, args, ids)
    const missing = await missingCusips(context, args)
    const shocks = shocksOf(args, bonds)
    const rows = await valuedRows(context, args, bonds, shocks)
    const weighed = weigh(rows, args)
    return pageOfComputed(
      weighed.rows,
      {
        resource,
        args,
        explains: 'The scenario, the formulas and the terms used.',
        meta: { totals: weighed.totals, ...(shocks.unused.length > 0 && { unused_shocks: shocks.unused }) },
        applied: {
          shift: args.shift,
          twist: args.twist,
          pivot: args.pivot,
          spread_shock: args.spread_shock,
          rating_shocks: args.rating_shocks,
          sector_shocks: args.sector_shocks,
        },
        emptyBecause: n => `${n} bonds are selected, and none of them passes the filters`,
      },
      [...unknown, ...missing],
    )
  },
  out: undefined as Page<ScenarioRow> | undefined,
})

function checkScenario(args: ScenarioArgs): void {
  checkList(resource, args)
  const { cusip, weights } = args
  if (weights !== undefined && weights.length !== (cusip?.length ?? 0))
    throw invalid('weights', weights.length, 'weights must be as many as the bonds in cusip, in their order')
  for (const [name] of pairs('rating_shocks', args.rating_shocks))
    if (!(ratingBuckets as readonly string[]).includes(name))
      throw invalid('rating_shocks', name, `rating_shocks has no bucket ${name}`, { allowed: ratingBuckets })
  pairs('sector_shocks', args.sector_shocks)
}

/** `name:basis points` items. */
function pairs(parameter: string, items: readonly string[] = []): [name: string, bps: number][] {
  return items.map(item => {
    const at = item.lastIndexOf(':')
    const value = Number(item.slice(at + 1))
    if (at < 1 || item.slice(at + 1).trim() === '' || !Number.isFinite(value) || Math.abs(value) > 5000)
      throw invalid(parameter, item, `${parameter} must be names with basis points, such as HY-B:150`)
    return [item.slice(0, at).trim(), value]
  })
}

/** The bonds that filters select, active ones unless CUSIPs are named. */
async function selected(
  context: Context,
  args: ScenarioArgs,
  companies: readonly string[] | null,
): Promise<readonly RiskTerms[]> {
  const bonds = await riskTermsOf(context, {
    companies,
    cusips: args.cusip,
    sectors: args.sector,
    ratingBuckets: args.rating_bucket,
    isActive: !args.cusip,
  })
  if (bonds.length > MOST_BONDS)
    throw new QueryError(
      'RESULT_TOO_LARGE',
      `${bonds.length} bonds are selected; a scenario values at most ${MOST_BONDS}: name companies, a sector, a rating bucket or CUSIPs`,
      { bonds: bonds.length, max: MOST_BONDS },
    )
  return bonds
}

/** CUSIPs that no bond has, whatever the other filters. */
async function missingCusips(context: Context, { cusip = [], on_unknown }: ScenarioArgs): Promise<string[]> {
  if (cusip.length === 0) return []
  const found = new Set((await riskTermsOf(context, { cusips: cusip })).map(row => row.cusip))
  const missing = cusip.filter(each => !found.has(each))
  if (missing.length > 0 && on_unknown === 'error') throw await nearestCusip(context, elementAt(missing, 0))
  return missing
}

interface Shocks {
  /** In basis points. */
  readonly of: (bond: RiskTerms) => number
  /** Names that no selected bond has. */
  readonly unused: readonly string[]
}

function shocksOf(args: ScenarioArgs, bonds: readonly RiskTerms[]): Shocks {
  const byRating = new Map(pairs('rating_shocks', args.rating_shocks))
  const bySector = new Map(
    pairs('sector_shocks', args.sector_shocks).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const ratings = new Set(bonds.map(({ rating_bucket }) => rating_bucket))
  const sectors = new Set(bonds.map(({ sector }) => sector?.toLowerCase()))
  return {
    of: ({ rating_bucket, sector }) =>
      args.spread_shock +
      (byRating.get(rating_bucket ?? '') ?? 0) +
      (bySector.get(sector?.toLowerCase() ?? '') ?? 0),
    unused: [
      ...[...byRating.keys()].filter(name => !ratings.has(name)),
      ...[...bySector.keys()].filter(name => !sectors.has(name)),
    ],
  }
}

async function valuedRows(
  context: Context,
  args: ScenarioArgs,
  bonds: readonly RiskTerms[],
  shocks: Shocks,
): Promise<ComputedRow[]> {
  const [{ bondValuer }, { effectiveRisk }] = await Promise.all([
    import('./risk/value-bonds.ts'),
    import('../credit/options/measures.ts'),
  ])
  const undated = bonds.filter(bond => ownSchedule(bond) === null).map(({ id }) => id)
  const filed = await filedCallsOf(context, undated)
  const value = bondValuer(await riskCurves(context), parseDay(context.asOf))
  const assumptions = { model: latticeModel(args), exercise: args.exercise }
  const scenario = { shift: args.shift / 10_000, twist: args.twist / 10_000, pivot: args.pivot }
  const rows: ComputedRow[] = []
  for (const [n, bond] of bonds.entries()) {
    if (n % AT_ONCE === AT_ONCE - 1) await context.turn()
    const valuation = value(bond, filed.get(bond.id), assumptions)
    const duration = valuation.valued
      ? effectiveRisk(valuation.valued.priced, valuation.valued.spread, DURATION_SHIFT).duration
      : null
    const row = rowOf(bond, valuation, scenario, shocks.of(bond), duration)
    rows.push(
      args.explain ? { ...row, _explain: explainOf(bond, filed.get(bond.id), valuation, scenario) } : row,
    )
  }
  return rows
}

/** The move of rates of an effective duration, in decimals, as in `bond.risk`. */
const DURATION_SHIFT = 0.005

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6

function rowOf(
  bond: RiskTerms,
  { valued, reason }: Valuation,
  scenario: CurveScenario,
  shock: number,
  duration: number | null,
): ComputedRow {
  const head = {
    id: bond.id,
    cusip: bond.cusip,
    name: bond.display_name,
    ticker: bond.ticker,
    sector: bond.sector,
    rating_bucket: bond.rating_bucket,
    seniority: bond.seniority,
    price: bond.price,
    price_date: bond.price_day === null ? null : formatDay(bond.price_day),
    price_source: bond.price_source,
    spread_shock: shock,
    null_because: reason,
    company_id: bond.company_id,
    coverage: bond.coverage,
  }
  if (valued === null) return head
  const effect = scenarioEffect(valued.priced, valued.spread, scenario, shock / 10_000)
  return {
    ...head,
    price_after: rounded(effect.dirty - valued.priced.accrued),
    change_percent: rounded(100 * effect.full),
    estimate_percent: rounded(100 * effect.estimate),
    rates_percent: rounded(100 * effect.rates),
    spread_percent: rounded(100 * effect.spread),
    spread: rounded(valued.spread * 10_000),
    effective_duration: duration === null ? null : rounded(duration),
    options: valued.options,
  }
}

const summed = [
  'change_percent',
  'estimate_percent',
  'rates_percent',
  'spread_percent',
  'effective_duration',
] as const

/** The rows with their weights, and the sums over those with figures. */
function weigh(rows: readonly ComputedRow[], { cusip = [], weights }: ScenarioArgs) {
  const given = new Map(cusip.map((each, i) => [each, weights?.[i]]))
  const weightOf = (row: ComputedRow) => (weights ? (given.get(String(row['cusip'])) ?? 0) : 1)
  const total = (those: readonly ComputedRow[]) => those.reduce((sum, row) => sum + weightOf(row), 0)
  const valued = rows.filter(row => row['null_because'] === null)
  const [all, known] = [total(rows), total(valued)]
  const sum = (name: string) =>
    known === 0
      ? null
      : rounded(valued.reduce((each, row) => each + weightOf(row) * (row[name] as number), 0) / known)
  return {
    rows: rows.map(row =>
      row['null_because'] === null && known > 0
        ? { ...row, weight: rounded((100 * weightOf(row)) / known) }
        : row,
    ),
    totals: {
      bonds: rows.length,
      valued: valued.length,
      weight_valued: all === 0 ? null : rounded((100 * known) / all),
      ...Object.fromEntries(summed.map(name => [name, sum(name)])),
    },
  }
}

const formulas = {
  change_percent:
    '100 x (P(curve moved, spread shocked) / P - 1), dirty, options valued again at the new rates',
  estimate_percent:
    '-D x move + C x move^2 / 2, with duration and convexity along the scenario from a tenth of it to both sides',
  twist: 'a spot rate of t years moves by shift + twist x (t - pivot) / 28, t held within 2 and 30 years',
  spread_shock: 'spread_shock + the shocks of its rating bucket and of its sector',
  weight: 'weight / sum of the weights of bonds with figures',
}

function explainOf(
  bond: RiskTerms,
  filed: FiledCalls | undefined,
  { valued }: Valuation,
  scenario: CurveScenario,
) {
  return {
    formulas,
    scenario,
    terms: {
      from: bond.source,
      coupon_rate: bond.coupon,
      call_schedule: bond.call_schedule === null ? null : JSON.parse(bond.call_schedule),
      put_schedule: bond.put_schedule === null ? null : JSON.parse(bond.put_schedule),
      sinking_schedule: bond.sinking_schedule === null ? null : JSON.parse(bond.sinking_schedule),
      instrument: filed?.instrument_id ?? null,
    },
    valuation: valued && {
      settlement_date: formatDay(valued.settle),
      curve_date: formatDay(valued.curveDay),
      flows_to: formatDay(valued.flowsTo),
      steps: valued.steps,
    },
  }
}
