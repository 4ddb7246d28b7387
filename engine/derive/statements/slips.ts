import type { Day } from '../../credit/calendar.ts'
import { borrowings, conceptsUnder, repayments } from './borrowings.ts'
import { balances, conceptsOf, type Derivation, flows } from './concepts.ts'
import { trailingZeros } from './digits.ts'

/** A figure as one filing tells it. */
export interface ReportedFigure {
  readonly concept: string
  readonly unit: string
  /** Quarters that a flow covers; 0 for a balance. */
  readonly quarters: number
  readonly end: Day
  readonly value: number
  /** -6 where the filing rounds the figure to millions. */
  readonly decimals: number | null
  readonly filing: string
}

/** A figure that is out by a power of ten: `position` is its place among the figures judged. */
export interface ScaleError {
  readonly position: number
  readonly factor: number
  readonly reason: string
}

const POWERS = [2, 3, 6, -2, -3, -6]
/** Two figures of neighbouring periods are alike when neither is more than twice the other. */
const ALIKE = Math.log10(2)
/** Where nothing else speaks against a figure its neighbours have to be nearer. */
const CLOSE = Math.log10(1.5)
/** A restatement moves a figure; a slip leaves its digits, but for rounding. */
const SAME_DIGITS = Math.log10(1.006)
/** Below this share of a power of 100 no slip is possible. */
const LEAST_JUMP = 2 - ALIKE
const SAME_PERIOD = 10
const NEAR = 400
const FAR = 800

const itemConcepts = (items: Readonly<Record<string, readonly Derivation[]>>): ReadonlySet<string> =>
  new Set(
    Object.entries(items).flatMap(([item, ways]) => [
      `statement:${item}`,
      ...ways.flatMap(way => conceptsOf(way.formula)),
    ]),
  )

const { total_assets, total_liabilities, debt_due_1yr, debt_due_5yr, secured_debt } = balances
const { revenue, depreciation_amortization } = flows
/** What does not come and go. */
const steady = itemConcepts({ total_assets, total_liabilities, revenue, depreciation_amortization })
/** What may be next to nothing in one period and large in the next. */
const fleeting: ReadonlySet<string> = new Set([
  ...itemConcepts({ debt_due_1yr, debt_due_5yr, secured_debt }),
  ...[
    borrowings.allCurrent,
    borrowings.currentPortion,
    borrowings.currentPortionWithLeases,
    borrowings.shortTerm,
    borrowings.notesAndLoans,
    ...repayments,
  ].flatMap(conceptsUnder),
])

/** A period of a series, with the places of the figures told of it. */
interface Period {
  readonly end: Day
  readonly told: number[]
  readonly series: readonly Period[]
  readonly at: number
}

interface Neighbours {
  /** Magnitudes, as logarithms. */
  readonly sizes: readonly number[]
  /** One before and one after, and not two on one side. */
  readonly bothSides: boolean
}

/**
 * The figures of one company that are 100, 1,000 or a million times too large or too small: by the same digits told
 * otherwise by another filing, or by the periods before and after (at the ends of a series the two nearest, or the only
 * other one), where the digits betray the shift and the company's other figures of the filing stayed where they were.
 */
export function findScaleErrors(figures: readonly ReportedFigure[]): ScaleError[] {
  const sizes = figures.map(({ value }) => Math.log10(Math.abs(value)))
  const periods = periodsOf(figures)
  const jumps = [...figures.keys()].filter(position => mayBeOut(sizes, periods[position], position))
  if (jumps.length === 0) return []
  const byFiling = new Map<string, number[]>()
  for (const [position, { filing }] of figures.entries()) {
    const those = byFiling.get(filing)
    if (those) those.push(position)
    else byFiling.set(filing, [position])
  }

  const neighboursOf = (position: number): Neighbours =>
    neighbours(figures, sizes, position, periods[position]!)
  /** How far the other figures of the filing and period are from their neighbours: the median, as a logarithm. */
  const otherShift = (position: number): number | null => {
    const { filing, end, concept } = figures[position]!
    const shifts: number[] = []
    for (const other of byFiling.get(filing)!) {
      const told = figures[other]!
      if (told.concept === concept || Math.abs(told.end - end) > SAME_PERIOD || told.value === 0) continue
      const [nearest] = neighboursOf(other).sizes
      if (nearest !== undefined) shifts.push(sizes[other]! - nearest)
    }
    return shifts.length === 0 ? null : shifts.sort((a, b) => a - b)[shifts.length >> 1]!
  }
  const unitOf = (position: number): number => {
    const { filing, decimals } = figures[position]!
    if (decimals !== null && decimals <= 0) return -decimals
    const others = byFiling.get(filing)!.filter(other => other !== position && figures[other]!.value !== 0)
    const zeros = others.map(other => trailingZeros(figures[other]!.value)).sort((a, b) => a - b)
    return zeros[Math.floor(zeros.length / 5)] ?? 0
  }
  /** Above everything else the filing tells of the day, total assets among it. */
  const towers = (position: number): boolean => {
    const { filing, end } = figures[position]!
    return byFiling
      .get(filing)!
      .filter(other => other !== position && Math.abs(figures[other]!.end - end) <= SAME_PERIOD)
      .every(other => sizes[other]! < sizes[position]! - ALIKE)
  }

  const found: ScaleError[] = []
  for (const position of jumps) {
    const slip = judge(position)
    if (slip) found.push({ position, ...slip })
  }
  return found

  function judge(position: number): Omit<ScaleError, 'position'> | null {
    const { value, concept } = figures[position]!
    const size = sizes[position]!
    const beside = neighboursOf(position)
    const { told } = periods[position]!
    const others = told.filter(other => figures[other]!.value !== value)
    for (const power of POWERS) {
      const right = size - power
      const fits = (within: number) =>
        beside.sizes.length > 0 && beside.sizes.every(b => Math.abs(right - b) <= within)
      const digits = digitsBetray(value, power, unitOf(position))
      const twin = others.find(other => Math.abs(right - sizes[other]!) <= SAME_DIGITS)
      if (twin !== undefined) {
        const nearer =
          beside.sizes.length > 0
            ? beside.sizes.every(b => Math.abs(right - b) < Math.abs(size - b))
            : digits === 'yes'
        if (nearer) return slip(power, `the same digits in ${figures[twin]!.filing}`)
      }
      if (!fits(ALIKE)) continue
      const confirmed = told.some(
        other =>
          figures[other]!.filing !== figures[position]!.filing &&
          Math.abs(sizes[other]! - size) <= SAME_DIGITS,
      )
      const close = fits(CLOSE) && !confirmed
      const isLone = beside.sizes.length === 1
      const isSure =
        digits === 'yes'
          ? beside.bothSides || (close && !(isLone && fleeting.has(concept)))
          : digits === 'unknown' &&
            close &&
            !isLone &&
            (steady.has(concept) ||
              (beside.bothSides && !fleeting.has(concept)) ||
              (power > 0 && towers(position)))
      if (!isSure) continue
      const shift = otherShift(position)
      const alone = shift === null ? !isLone : Math.abs(shift) < 0.5
      const whole = shift !== null && Math.abs(shift - power) < 0.15
      if (alone || whole)
        return slip(
          power,
          beside.bothSides
            ? 'the periods before and after'
            : isLone
              ? 'the one other period'
              : 'the two nearest periods',
          whole ? ', as are the other figures of the filing' : '',
        )
    }
    return null
  }

  function slip(power: number, against: string, more = ''): Omit<ScaleError, 'position'> {
    const times = (10 ** Math.abs(power)).toLocaleString('en')
    const reason = `${times} times too ${power > 0 ? 'large' : 'small'} against ${against}${more}`
    return { factor: 10 ** power, reason }
  }
}

const seriesKey = ({ concept, unit, quarters }: ReportedFigure): string => `${concept} ${unit} ${quarters}`

/** The period that each figure is told of, in a series of one concept, unit and length; none for nothing at all. */
function periodsOf(figures: readonly ReportedFigure[]): (Period | undefined)[] {
  const series = new Map<string, number[]>()
  for (const [position, told] of figures.entries()) {
    if (told.value === 0) continue
    const key = seriesKey(told)
    const those = series.get(key)
    if (those) those.push(position)
    else series.set(key, [position])
  }
  const periods: (Period | undefined)[] = new Array(figures.length)
  for (const those of series.values()) {
    those.sort((a, b) => figures[a]!.end - figures[b]!.end || a - b)
    const all: Period[] = []
    for (const position of those) {
      const { end } = figures[position]!
      let last = all.at(-1)
      if (!last || end - last.end > SAME_PERIOD) {
        last = { end, told: [], series: all, at: all.length }
        all.push(last)
      }
      last.told.push(position)
      periods[position] = last
    }
  }
  return periods
}

/** Cheap and generous: far from some figure of the same or a neighbouring period. */
function mayBeOut(sizes: readonly number[], period: Period | undefined, position: number): boolean {
  if (!period) return false
  const { series, at } = period
  const isFar = (other: number) => Math.abs(sizes[other]! - sizes[position]!) >= LEAST_JUMP
  return [series[at - 1], period, series[at + 1]].some(near => near?.told.some(isFar))
}

function neighbours(
  figures: readonly ReportedFigure[],
  sizes: readonly number[],
  position: number,
  { series, at }: Period,
): Neighbours {
  const { filing, end } = figures[position]!
  // Another filing's figure where there is one: what shifts one figure of a filing may shift its neighbours too.
  const size = (period: Period | undefined, within: number): number | null => {
    if (!period || Math.abs(period.end - end) > within) return null
    const other = period.told.find(p => figures[p]!.filing !== filing) ?? period.told[0]!
    return sizes[other]!
  }
  const before = size(series[at - 1], NEAR)
  const after = size(series[at + 1], NEAR)
  if (before !== null && after !== null) return { sizes: [before, after], bothSides: true }
  const next = size(series[before === null ? at + 2 : at - 2], FAR)
  return { sizes: [before ?? after, next].filter(s => s !== null), bothSides: false }
}

/**
 * Whether the digits show a shift by a power of ten in a filing that rounds to 10^unit: too many zeros behind at least
 * two digits, or digits finer than the rounding.
 */
function digitsBetray(value: number, power: number, unit: number): 'yes' | 'no' | 'unknown' {
  const zeros = trailingZeros(value)
  if (power > 0) return zeros < unit + power ? 'no' : Math.abs(value) >= 10 ** (zeros + 1) ? 'yes' : 'unknown'
  if (!Number.isInteger(value)) return 'yes'
  if (unit === 0) return 'unknown'
  return zeros < unit && zeros >= unit + power ? 'yes' : 'no'
}
