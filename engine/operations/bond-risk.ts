import { elementAt, firstOf } from '../base/elements.ts'
import { QueryError } from '../base/errors.ts'
import { formatDay, parseDay } from '../credit/calendar.ts'
import { exerciseStyles } from '../credit/options/rights.ts'
import {
  bps,
  type Columns,
  date,
  integer,
  nullable,
  number,
  oneOf,
  type RowOf,
  shaped,
  text,
  list as texts,
  years,
} from '../schema/column.ts'
import { arrayOf, object, valueSchema, wholeRow } from '../schema/json-schema.ts'
import { type ArgsOf, fallback, many, one, required } from '../schema/params.ts'
import { priceSources } from '../schema/vocabulary.ts'
import { nearestCusip } from './nearest-cusip.ts'
import { operation } from './operation.ts'
import { explainParam, timeParams } from './params.ts'
import { latticeModel, modelParams, scheduleGiven } from './risk/risk-params.ts'
import { type FiledCalls, ownSchedule, type RiskTerms } from './risk/terms.ts'
import type { ValuedBond } from './risk/value-bonds.ts'
import { riskCurves } from './risk-curves.ts'
import { filedCallsOf, riskTermsOf } from './risk-terms.ts'

const perPar = { unit: 'per 100 par' }

const headColumns = {
  id: text('Id of the bond.'),
  cusip: nullable(shaped('cusip', 'CUSIP.')),
  name: text("The desk's name."),
  ticker: nullable(shaped('ticker', 'Ticker of the company.')),
  price: nullable(number('Clean price that the figures are of.', { unit: 'percent of par' })),
  price_from: oneOf(
    ['latest', 'given', 'oas'],
    'The latest price, the one given, or the price at the given OAS.',
  ),
  price_date: nullable(date('Day of the price.')),
  price_source: nullable(oneOf(priceSources, 'Kind of the latest price.')),
  staleness_days: nullable(integer('Days since the latest price.', { unit: 'days' })),
  settlement_date: nullable(date('Day from which flows are discounted.')),
  accrued: nullable(number('Accrued interest.', perPar)),
  null_because: nullable(text('Why there are no figures.')),
  oas: nullable(number('Spread over Treasury spot rates with options valued.', { unit: 'basis points' })),
  oas_null_because: nullable(
    text('Why there is no OAS: `no_call_terms` if the other figures are of the flows to maturity.'),
  ),
  z_spread: nullable(
    number('Spread over Treasury spot rates of the flows without options.', { unit: 'basis points' }),
  ),
  option_value: nullable(
    number('Price at the OAS without options less the price: positive for calls, negative for puts.', perPar),
  ),
  effective_duration: nullable(
    years('Relative fall in dirty price as all spot rates rise, at a constant spread.'),
  ),
  effective_convexity: nullable(number('Its curvature.', { unit: 'years squared' })),
  spread_duration: nullable(years('The same as the spread rises.')),
  cs01: nullable(number('Price change for one basis point of spread.', { unit: 'cents per 100 par' })),
  dts: nullable(number('Spread duration x spread.', { unit: 'years x basis points' })),
  curve_date: nullable(date('Day of the Treasury curve.')),
  flows_to: nullable(date('Last payment valued: maturity, or the last fixed day of a fixed-to-float bond.')),
  options: nullable(
    oneOf(
      ['bond', 'instrument', 'given', 'none', 'unknown'],
      'Source of the call terms. `none`: a source says noncallable.',
    ),
  ),
  exercise: nullable(oneOf(exerciseStyles, 'When calls can be exercised.')),
  volatility: nullable(bps('Volatility of the short rate, a year; null without options.')),
  reversion: nullable(number('Mean reversion of the short rate.', { unit: 'per year' })),
  steps: nullable(integer('Steps of the lattice.')),
  shift: bps('Move of rates and spreads in durations.'),
} satisfies Columns

const keyColumns = {
  tenor: years('Tenor of the spot rate that moves.'),
  duration: years('Duration to it.'),
}
const rightColumns = {
  date: date('First day of the price.'),
  price: number('Clean price of redemption.', { unit: 'percent of par' }),
}

type Head = RowOf<typeof headColumns>

export interface BondRisk extends Head {
  key_rate_durations: RowOf<typeof keyColumns>[] | null
  calls: RowOf<typeof rightColumns>[] | null
  puts: RowOf<typeof rightColumns>[] | null
  notes: string[]
  _explain?: unknown
}

const params = {
  cusip: required(one(shaped('cusip', 'CUSIP of the bond.'))),
  price: one(number('Clean price instead of the latest.', { unit: 'percent of par' }), {
    min: 0.001,
    max: 1000,
  }),
  oas: one(bps('Price at this OAS instead.'), { min: -5000, max: 50_000 }),
  ...modelParams,
  calls: many(
    text('Call dates and prices; `none` for no calls.', {
      example: '2027-06-01:102.5',
    }),
    {
      length: 2000,
    },
  ),
  puts: many(text('Put dates and prices; `none` for no puts.', { example: '2028-06-01:100' }), {
    length: 2000,
  }),
  shift: fallback(one(bps('Move of rates in durations.'), { min: 0.1, max: 200 }), 50),
  ...timeParams,
  ...explainParam,
}

type RiskArgs = ArgsOf<typeof params>

export const bondRisk = operation({
  name: 'bond.risk',
  method: 'GET',
  path: '/v1/bonds/{cusip}/risk',
  command: 'risk',
  doc: 'Option-adjusted spread, durations and other risk of a bond.',
  tier: 'pro',
  cost: 'advanced',
  answers: 'object',
  envelope: 'data',
  columns: null,
  objectSchema: object(
    {
      ...Object.fromEntries(Object.entries(headColumns).map(([name, column]) => [name, valueSchema(column)])),
      key_rate_durations: orNull(arrayOf(wholeRow(keyColumns))),
      calls: orNull(arrayOf(wholeRow(rightColumns))),
      puts: orNull(arrayOf(wholeRow(rightColumns))),
      notes: valueSchema(texts('What was assumed or left out.')),
      _explain: {
        type: 'object',
        description: 'Formulas, terms with their sources, spot rates of the curve.',
      },
    },
    ['_explain'],
  ),
  positional: ['cusip'],
  examples: [
    '998XSRA10',
    '998XSRA10 --volatility 120 --exercise bermudan',
    '998XSRA10 --price 101.5 --calls none',
  ],
  params,
  check: checkRisk,
  async run(context, args) {
    checkRisk(args)
    const [terms] = await riskTermsOf(context, { cusips: [args.cusip] })
    if (!terms) throw await nearestCusip(context, args.cusip)
    const filed =
      ownSchedule(terms) === null && args.calls === undefined
        ? (await filedCallsOf(context, [terms.id])).get(terms.id)
        : undefined
    const { bondValuer } = await import('./risk/value-bonds.ts')
    const value = bondValuer(await riskCurves(context), parseDay(context.asOf))
    const { valued, reason } = value(terms, filed, {
      model: latticeModel(args),
      exercise: args.exercise,
      calls: scheduleGiven('calls', args.calls),
      puts: scheduleGiven('puts', args.puts),
      price: args.price,
      oas: args.oas === undefined ? undefined : args.oas / 10_000,
    })
    const data: BondRisk = {
      ...headOf(terms, args),
      ...(valued === null ? { null_because: reason } : await figuresOf(valued, args)),
      notes: notesOf(terms, valued),
    }
    return {
      kind: 'object',
      data: { ...data, ...(args.explain && { _explain: explainOf(terms, filed, valued) }) },
    }
  },
  out: undefined as { data: BondRisk; meta: Record<string, unknown> } | undefined,
})

/** A list that may be null. */
function orNull({ type, ...schema }: ReturnType<typeof arrayOf>) {
  return { type: [type, 'null'], ...schema }
}

function checkRisk({ price, oas, calls, puts }: Pick<RiskArgs, 'price' | 'oas' | 'calls' | 'puts'>): void {
  if (price !== undefined && oas !== undefined)
    throw new QueryError('INVALID_PARAMETER', 'give price or oas, not both', { parameter: 'oas' })
  scheduleGiven('calls', calls)
  scheduleGiven('puts', puts)
}

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits

function headOf(terms: RiskTerms, { price, oas, shift }: RiskArgs): Omit<BondRisk, 'notes'> {
  const isLatest = price === undefined && oas === undefined
  return {
    id: terms.id,
    cusip: terms.cusip,
    name: terms.display_name,
    ticker: terms.ticker,
    price: isLatest ? terms.price : (price ?? null),
    price_from: isLatest ? 'latest' : price === undefined ? 'oas' : 'given',
    price_date: isLatest && terms.price_day !== null ? formatDay(terms.price_day) : null,
    price_source: isLatest ? (terms.price_source as Head['price_source']) : null,
    staleness_days: isLatest ? terms.staleness_days : null,
    settlement_date: null,
    accrued: null,
    null_because: null,
    oas: null,
    oas_null_because: null,
    z_spread: null,
    option_value: null,
    effective_duration: null,
    effective_convexity: null,
    spread_duration: null,
    cs01: null,
    dts: null,
    curve_date: null,
    flows_to: null,
    options: null,
    exercise: null,
    volatility: null,
    reversion: null,
    steps: null,
    shift,
    key_rate_durations: null,
    calls: null,
    puts: null,
  }
}

async function figuresOf(valued: ValuedBond, args: RiskArgs): Promise<Partial<BondRisk>> {
  const { effectiveRisk, KEY_TENORS, keyRateDurations, spreadDuration } = await import(
    '../credit/options/measures.ts'
  )
  const { priced, straight, spread, zSpread, options, steps } = valued
  const shift = args.shift / 10_000
  const dirty = valued.clean + priced.accrued
  const { duration, convexity } = effectiveRisk(priced, spread, shift)
  const spreadYears = spreadDuration(priced, spread, shift)
  const isKnown = options !== 'unknown'
  return {
    price: rounded(valued.clean, 6),
    settlement_date: formatDay(valued.settle),
    accrued: rounded(priced.accrued, 6),
    oas: isKnown ? rounded(spread * 10_000, 4) : null,
    oas_null_because: isKnown ? null : 'no_call_terms',
    z_spread: zSpread === null ? null : rounded(zSpread * 10_000, 4),
    option_value: isKnown ? rounded(steps === null ? 0 : straight.dirty(spread) - dirty, 6) : null,
    effective_duration: rounded(duration, 6),
    effective_convexity: rounded(convexity, 4),
    spread_duration: rounded(spreadYears, 6),
    cs01: rounded((spreadYears * dirty) / 100, 6),
    dts: rounded(spreadYears * spread * 10_000, 4),
    curve_date: formatDay(valued.curveDay),
    flows_to: formatDay(valued.flowsTo),
    options,
    ...(steps !== null && {
      exercise: args.exercise,
      volatility: args.volatility,
      reversion: args.reversion,
      steps,
    }),
    key_rate_durations: keyRateDurations(priced, spread, shift).map((years, key) => ({
      tenor: elementAt(KEY_TENORS, key),
      duration: rounded(years, 6),
    })),
    calls: rightsOf(valued.calls),
    puts: rightsOf(valued.puts),
  }
}

const rightsOf = (rights: ValuedBond['calls']) =>
  rights.map(({ day, price }) => ({ date: formatDay(day), price }))

function notesOf(terms: RiskTerms, valued: ValuedBond | null): string[] {
  if (valued === null) return []
  return [
    ...(valued.options === 'unknown'
      ? [
          `no source tells its call terms: figures are ${valued.puts.length > 0 ? 'without calls' : 'of the flows to maturity'}`,
        ]
      : []),
    ...(terms.rate_structure === 'fixed_to_float'
      ? ['flows end at par on the last fixed day, as in its yield']
      : []),
    ...(terms.rate_structure === 'floating'
      ? [
          'coupons are the forward rates of the Treasury curve plus the margin; the running one does not move with it',
        ]
      : []),
    ...(terms.sinking_schedule === null
      ? []
      : ['flows are per 100 outstanding at settlement, with the repayments of its sinking schedule']),
    ...(terms.make_whole_bps !== null || valued.options === 'bond' || valued.options === 'instrument'
      ? ['make-whole calls are left out']
      : []),
    ...(valued.calls.some(({ price }) => price + 1 < valued.clean) &&
    firstOf(valued.calls).day <= valued.settle + 60
      ? ['the price is above a call that is in force: the OAS is of a redemption within weeks']
      : []),
  ]
}

const formulas = {
  oas: 'shift of all Treasury spot rates, compounded twice a year, at which the lattice gives the dirty price',
  z_spread: 'the same shift for the flows without options',
  option_value: 'price without options at the OAS - price',
  effective_duration:
    '(P(-shift) - P(+shift)) / (2 x shift x P), dirty, spot rates moved at a constant spread',
  effective_convexity: '(P(-shift) + P(+shift) - 2P) / (shift^2 x P)',
  key_rate_durations:
    'the same for triangular moves of one tenor, held beyond the first and last; they sum to effective_duration',
  spread_duration: 'the same for a move of the spread',
  cs01: 'spread_duration x dirty price / 100, cents per 100 par',
  dts: 'spread_duration x spread',
  lattice:
    'Hull-White dr = (theta(t) - reversion x r) dt + volatility dW, trinomial, a level on every payment and exercise date',
}

function explainOf(terms: RiskTerms, filed: FiledCalls | undefined, valued: ValuedBond | null) {
  const day = (value: number | null) => (value === null ? null : formatDay(value))
  return {
    formulas,
    terms: {
      from: terms.source,
      rate_structure: terms.rate_structure,
      coupon_rate: terms.coupon,
      maturity_date: day(terms.maturity),
      last_fixed_date: day(terms.last_fixed),
      accrues_from: day(terms.accrual),
      first_coupon_date: day(terms.first_coupon),
      coupon_frequency: terms.frequency ?? (terms.rate_structure === 'floating' ? 4 : 2),
      coupon_frequency_assumed: terms.frequency === null,
      day_count: terms.rate_structure === 'floating' ? 'ACT/360' : (terms.day_count ?? '30/360'),
      day_count_assumed: terms.day_count === null,
      spread_bps: terms.margin,
      floor_bps: terms.floor,
      callable: terms.callable,
      call_schedule: terms.call_schedule === null ? null : JSON.parse(terms.call_schedule),
      put_schedule: terms.put_schedule === null ? null : JSON.parse(terms.put_schedule),
      sinking_schedule: terms.sinking_schedule === null ? null : JSON.parse(terms.sinking_schedule),
    },
    from_filing: filed
      ? {
          instrument_id: filed.instrument_id,
          callable: filed.callable,
          make_whole_bps: filed.make_whole_bps,
          source: filed.source,
          accession: filed.accession,
          known_from: filed.known_from,
        }
      : null,
    spot_rates: valued && {
      compounding: 'continuous, percent, linear between points, flat outside',
      points: valued.curve.years
        .map((at, i) => ({ years: at, rate: rounded(elementAt(valued.curve.zeroPct, i), 6) }))
        .filter(({ years: at }) => at < 1 || Number.isInteger(at)),
    },
  }
}
