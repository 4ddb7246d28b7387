import { elementAt } from '../engine/base/elements.ts'
import {
  accruedInterest,
  cleanPrice,
  convexity,
  dv01,
  macaulayDuration,
  modifiedDuration,
  yieldToCall,
  yieldToMaturity,
  yieldToWorst,
} from '../engine/credit/bond.ts'
import {
  bootstrapSpot,
  interpolate,
  type ParCurve,
  type SpotCurve,
  spotRate,
  zSpread,
} from '../engine/credit/curve.ts'
import type { DayCount } from '../engine/credit/day-count.ts'
import { discountMargin } from '../engine/credit/floating.ts'
import { Lattice } from '../engine/credit/options/lattice.ts'
import {
  type EffectiveRisk,
  effectiveRisk,
  keyRateDurations,
  spreadOfPrice,
} from '../engine/credit/options/measures.ts'
import { latticeScratch, withOptions, withoutOptions } from '../engine/credit/options/priced-bond.ts'
import { promisedFlows } from '../engine/credit/options/promised.ts'
import type { ExerciseStyle } from '../engine/credit/options/rights.ts'
import { sinkingFlows, yieldOfFlows } from '../engine/credit/options/sinking.ts'
import { dirtyFromFlows, type Valuation } from '../engine/credit/solve-yield.ts'
import type { Bond, Frequency, Redemption } from '../engine/credit/terms.ts'

type Cell = number | string | null | readonly unknown[]

export interface Section {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** The output of certify-quantlib.py. */
export interface Certificate {
  readonly source: string
  readonly spot: { readonly days: readonly number[]; readonly zeroPct: readonly number[] }
  readonly bonds: Section
  readonly callable: Section
  readonly floaters: Section
  readonly curves: Section
  /** The spot curves of options, and the shift of their durations, in decimals. */
  readonly shapes: {
    readonly days: readonly number[]
    readonly zeroPct: readonly (readonly number[])[]
    readonly shift: number
  }
  readonly options: Section
  readonly american: Section
  readonly sinking: Section
}

type SectionName = 'bonds' | 'callable' | 'floaters' | 'curves' | 'options' | 'american' | 'sinking'
type Row = Readonly<Record<string, unknown>>
type Figures = number | null | readonly (number | null)[]

/** A compared figure: how ours is computed from a row, and its tolerance. */
interface Measure {
  readonly section: SectionName
  /** The column with the certificate's figure, or a list of them. */
  readonly column: string
  readonly tolerance: number
  readonly unit: string
  readonly ours: (row: Row, spot: SpotCurve, shapes: Certificate['shapes']) => Figures
}

const cell = (row: Row, name: string) => row[name] as number

const bondOf = (row: Row): Bond => ({
  coupon: cell(row, 'coupon'),
  maturity: cell(row, 'maturity'),
  accrualStart: cell(row, 'accrualStart'),
  firstCoupon: cell(row, 'firstCoupon'),
  lastRegularCoupon: cell(row, 'lastRegularCoupon'),
  frequency: cell(row, 'frequency') as Frequency,
  dayCount: row['dayCount'] as DayCount,
  endOfMonth: cell(row, 'endOfMonth') === 1,
  isDefaulted: false,
})

const atYield =
  (figure: (bond: Bond, yieldPct: number, settle: number) => number) =>
  (row: Row): number =>
    figure(bondOf(row), cell(row, 'yieldPct'), cell(row, 'settle'))

const callsOf = (row: Row): Redemption[] =>
  (row['calls'] as [number, number][]).map(([day, price]) => ({ day, price }))

const parCurve = (row: Row): ParCurve => ({
  tenorYears: row['tenorYears'] as number[],
  ratePct: row['ratePct'] as number[],
})

const atYears = (row: Row, figure: (years: number) => number | null): Figures =>
  (row['years'] as number[]).map(figure)

const scratch = latticeScratch(new Lattice())

/** A bond with its options on a lattice, and the spread at which it has the row's price. */
function optionsOf(row: Row, { days, zeroPct }: Certificate['shapes'], style: ExerciseStyle) {
  const bond = bondOf(row)
  const right = (name: string) => {
    const dates = (row[name] as [number, number][]).map(([day, price]) => ({ day, price }))
    return dates.length === 0 ? null : { style, dates }
  }
  const priced = withOptions(
    { bond, flows: promisedFlows(bond, cell(row, 'settle')), calls: right('calls'), puts: right('puts') },
    { years: days.map(day => day / 365), zeroPct: elementAt(zeroPct, cell(row, 'curve')) },
    { volatility: cell(row, 'volatility'), reversion: cell(row, 'reversion'), steps: cell(row, 'steps') },
    scratch,
  )!
  return { priced, oas: spreadOfPrice(priced, cell(row, 'clean') + priced.accrued)! }
}

const oasBps =
  (style: ExerciseStyle): Measure['ours'] =>
  (row, _, shapes) =>
    optionsOf(row, shapes, style).oas * 10_000

const effective =
  (figure: keyof EffectiveRisk): Measure['ours'] =>
  (row, _, shapes) => {
    const { priced, oas } = optionsOf(row, shapes, 'bermudan')
    return effectiveRisk(priced, oas, shapes.shift)[figure]
  }

/** The flows of a sinking bond per 100 outstanding. */
const sinkingOf = (row: Row) =>
  sinkingFlows(
    bondOf(row),
    cell(row, 'settle'),
    (row['schedule'] as [number, number][]).map(([day, percent]) => ({ day, percent })),
  )!

const sinkingAtYield =
  (figure: Exclude<keyof Valuation, 'growth'>): Measure['ours'] =>
  row =>
    dirtyFromFlows(sinkingOf(row), cell(row, 'yieldPct'))[figure]

/** Every figure of the certificate, with its tolerance. */
export const measures: readonly Measure[] = [
  { section: 'bonds', column: 'clean', tolerance: 1e-8, unit: 'of par', ours: atYield(cleanPrice) },
  {
    section: 'bonds',
    column: 'accrued',
    tolerance: 1e-9,
    unit: 'of par',
    ours: row => accruedInterest(bondOf(row), cell(row, 'settle')),
  },
  {
    section: 'bonds',
    column: 'solvedYieldPct',
    tolerance: 1e-6,
    unit: 'percent',
    ours: row => yieldToMaturity(bondOf(row), cell(row, 'clean'), cell(row, 'settle')).ytm,
  },
  {
    section: 'bonds',
    column: 'modDuration',
    tolerance: 1e-6,
    unit: 'relative',
    ours: atYield(modifiedDuration),
  },
  {
    section: 'bonds',
    column: 'macaulayDuration',
    tolerance: 1e-6,
    unit: 'relative',
    ours: atYield(macaulayDuration),
  },
  { section: 'bonds', column: 'convexity', tolerance: 1e-6, unit: 'relative', ours: atYield(convexity) },
  { section: 'bonds', column: 'dv01', tolerance: 1e-6, unit: 'relative', ours: atYield(dv01) },
  {
    section: 'bonds',
    column: 'zSpreadBps',
    tolerance: 0.01,
    unit: 'bp',
    ours: (row, spot) => zSpread(bondOf(row), cell(row, 'clean'), cell(row, 'settle'), spot).bps,
  },
  {
    section: 'callable',
    column: 'yieldsToCall',
    tolerance: 1e-6,
    unit: 'percent',
    ours: row =>
      callsOf(row).map(call => yieldToCall(bondOf(row), cell(row, 'clean'), cell(row, 'settle'), call).ytm),
  },
  {
    section: 'callable',
    column: 'yieldToWorst',
    tolerance: 1e-6,
    unit: 'percent',
    ours: row => yieldToWorst(bondOf(row), cell(row, 'clean'), cell(row, 'settle'), callsOf(row)).ytw,
  },
  {
    section: 'floaters',
    column: 'discountMarginBps',
    tolerance: 1e-5,
    unit: 'bp',
    ours: row =>
      discountMargin(
        {
          maturity: cell(row, 'maturity'),
          frequency: cell(row, 'frequency') as Frequency,
          quotedMarginBps: cell(row, 'quotedMarginBps'),
          floorBps: cell(row, 'floorBps'),
        },
        {
          settle: cell(row, 'settle'),
          cleanPrice: cell(row, 'price'),
          indexPct: cell(row, 'indexPct'),
          ...(row['currentCouponPct'] !== null && { currentCouponPct: cell(row, 'currentCouponPct') }),
        },
      ).bps,
  },
  {
    section: 'curves',
    column: 'parPct',
    tolerance: 1e-9,
    unit: 'percent',
    ours: row => atYears(row, years => interpolate(parCurve(row), years)?.ratePct ?? null),
  },
  {
    section: 'curves',
    column: 'zeroPct',
    tolerance: 1e-8,
    unit: 'percent',
    ours: row => {
      const curve = bootstrapSpot(parCurve(row))
      return atYears(row, years => curve && spotRate(curve, years))
    },
  },
  { section: 'options', column: 'oasBps', tolerance: 0.5, unit: 'bp', ours: oasBps('bermudan') },
  { section: 'options', column: 'nativeOasBps', tolerance: 0.5, unit: 'bp', ours: oasBps('bermudan') },
  {
    section: 'options',
    column: 'effectiveDuration',
    tolerance: 0.005,
    unit: 'relative',
    ours: effective('duration'),
  },
  {
    section: 'options',
    column: 'effectiveConvexity',
    tolerance: 10,
    unit: 'years squared',
    ours: effective('convexity'),
  },
  {
    section: 'options',
    column: 'keyRates',
    tolerance: 0.01,
    unit: 'years',
    ours: (row, _, shapes) => {
      const tenors = (row['keyDays'] as number[] | null)?.map(day => day / 365)
      if (!tenors) return null
      const { priced, oas } = optionsOf(row, shapes, 'bermudan')
      return keyRateDurations(priced, oas, shapes.shift, tenors)
    },
  },
  {
    section: 'sinking',
    column: 'clean',
    tolerance: 1e-8,
    unit: 'of par',
    ours: row => {
      const flows = sinkingOf(row)
      return dirtyFromFlows(flows, cell(row, 'yieldPct')).price - flows.accrued
    },
  },
  {
    section: 'sinking',
    column: 'accrued',
    tolerance: 1e-9,
    unit: 'of par',
    ours: row => sinkingOf(row).accrued,
  },
  {
    section: 'sinking',
    column: 'solvedYieldPct',
    tolerance: 1e-6,
    unit: 'percent',
    ours: row => yieldOfFlows(sinkingOf(row), cell(row, 'clean')).ytm,
  },
  {
    section: 'sinking',
    column: 'modDuration',
    tolerance: 1e-6,
    unit: 'relative',
    ours: sinkingAtYield('modDuration'),
  },
  {
    section: 'sinking',
    column: 'convexity',
    tolerance: 1e-6,
    unit: 'relative',
    ours: sinkingAtYield('convexity'),
  },
  {
    section: 'sinking',
    column: 'zSpreadBps',
    tolerance: 0.01,
    unit: 'bp',
    ours: (row, spot) => {
      const flows = sinkingOf(row)
      const spread = spreadOfPrice(withoutOptions(flows, spot), cell(row, 'clean') + flows.accrued)
      return spread === null ? null : spread * 10_000
    },
  },
  { section: 'american', column: 'oasBps', tolerance: 0.5, unit: 'bp', ours: oasBps('american') },
]

export interface Compared {
  readonly name: string
  /** Figures compared; those missing from the certificate are not. */
  readonly figures: number
  readonly worst: number
  readonly tolerance: number
  readonly unit: string
  /** Rows beyond the tolerance. */
  readonly failing: readonly Row[]
}

/** Our figures compared with a certificate's. */
export function compare(certificate: Certificate): Compared[] {
  const spot = {
    years: certificate.spot.days.map(days => days / 365),
    zeroPct: certificate.spot.zeroPct,
  }
  return measures.map(({ section, column, tolerance, unit, ours }) => {
    const { columns, rows } = certificate[section]
    let [figures, worst] = [0, 0]
    const failing: Row[] = []
    for (const cells of rows) {
      const row = Object.fromEntries(columns.map((name, j) => [name, cells[j]]))
      const theirs = [row[column] as Figures].flat()
      const found = [ours(row, spot, certificate.shapes)].flat()
      const errors = theirs.flatMap((their, k) =>
        their === null ? [] : [errorOf(found[k] ?? Number.NaN, their, unit)],
      )
      figures += errors.length
      worst = Math.max(worst, ...errors)
      if (!errors.every(error => error <= tolerance)) failing.push({ ...row, found })
    }
    return { name: `${section} ${column}`, figures, worst, tolerance, unit, failing }
  })
}

/** A missing figure is infinitely far. */
function errorOf(ours: number, theirs: number, unit: string): number {
  const error = Math.abs(ours - theirs) / (unit === 'relative' ? Math.max(1e-3, Math.abs(theirs)) : 1)
  return Number.isNaN(error) ? Number.POSITIVE_INFINITY : error
}
