import { elementAt } from '../../base/elements.ts'
import type { Day } from '../../credit/calendar.ts'
import { borrowings, conceptsUnder, repayments } from './borrowings.ts'
import { balances, conceptsOf, type Derivation, flows } from './concepts.ts'
import { trailingZeros } from './digits.ts'

/** A figure as one filing reports it. */
export interface ReportedFigure {
  readonly concept: string
  readonly unit: string
  /** Quarters that a flow covers; 0 for a balance. */
  readonly quarters: number
  readonly end: Day
  readonly value: number
  /** -6 if the filing rounds the figure to millions. */
  readonly decimals: number | null
  readonly filing: string
}

/** A figure that is wrong by a power of ten, or impossible; `position` is its index among the figures given. */
export interface ScaleError {
  readonly position: number
  /** Null if only the figure is known to be wrong. */
  readonly factor: number | null
  readonly reason: string
}

const POWERS = [2, 3, 6, -2, -3, -6]
/** Figures of neighbouring periods are alike if neither is more than twice the other. */
const ALIKE = Math.log10(2)
/** The tolerance if nothing but the neighbours indicates an error. */
const CLOSE = Math.log10(1.5)
/** A restatement changes the digits; a scale error keeps them, but for rounding. */
const SAME_DIGITS = Math.log10(1.006)
/** A smaller jump, as a logarithm, cannot be a factor of 100. */
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
const { revenue, depreciation_amortization, interest_expense } = flows
const assets = itemConcepts({ total_assets })
const interest = itemConcepts({ interest_expense })
/** Items that change slowly. */
const steady = itemConcepts({ total_assets, total_liabilities, revenue, depreciation_amortization })
/** Items that may be almost nothing in one period and large in the next. */
const erratic: ReadonlySet<string> = new Set([
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

/** A figure under examination. */
interface Entry {
  readonly figure: ReportedFigure
  readonly position: number
  /** Base 10 logarithm of its magnitude. */
  readonly size: number
  /** Null for a figure of zero. */
  period: Period | null
}

/** A period of the series of one concept, unit and length, with the figures reported for it, by their day. */
interface Period {
  readonly end: Day
  readonly reported: Entry[]
  readonly series: readonly Period[]
  /** Its index in the series. */
  at: number
  /** Of the sizes of its figures. */
  least: number
  most: number
}

interface Neighbours {
  /** Base 10 logarithms of their magnitudes. */
  readonly sizes: readonly number[]
  /** True for one before and one after, false for two on one side. */
  readonly bothSides: boolean
}

/**
 * Finds figures of one company that are 100, 1,000 or a million times too large or too small, among those added so far. The evidence is the
 * same digits at another scale in another filing; or the periods before and after (at the ends of a series the two
 * nearest, or the only other one), if the digits show the shift and the company's other figures in the filing did not
 * move. Interest above all assets is wrong whatever its digits.
 */
export class ScaleCheck {
  private readonly series = new Map<string, Period[]>()
  private readonly byFiling = new Map<string, Entry[]>()
  private readonly assets: Entry[] = []
  private readonly interest: Interest[] = []
  /** Periods with figures added since errors were asked for. */
  private readonly changed = new Set<Period>()
  private readonly jumps = new Set<Entry>()

  /** @param position tells figures apart, and orders those of one day */
  add(figure: ReportedFigure, position: number): void {
    const entry: Entry = { figure, position, size: Math.log10(Math.abs(figure.value)), period: null }
    append(this.byFiling, figure.filing, entry)
    if (assets.has(figure.concept) && figure.value > 0) {
      this.assets.push(entry)
      for (const paid of this.interest) compareWithAssets(paid, entry)
    }
    if (interest.has(figure.concept) && figure.quarters >= 1 && figure.quarters <= 4) {
      const paid: Interest = { entry, mostAssets: null }
      for (const balance of this.assets) compareWithAssets(paid, balance)
      this.interest.push(paid)
    }
    if (figure.value === 0) return
    const key = seriesKey(figure)
    const series = this.series.get(key) ?? []
    this.series.set(key, series)
    for (const period of placed(entry, series)) this.changed.add(period)
  }

  errors(): ScaleError[] {
    for (const { series, at } of this.changed)
      for (const near of [series[at - 1], series[at], series[at + 1]])
        for (const entry of near?.reported ?? [])
          if (maybeWrong(entry)) this.jumps.add(entry)
          else this.jumps.delete(entry)
    this.changed.clear()
    const errors = [...this.jumps].flatMap((entry): ScaleError[] => {
      const error = judge(entry, this.byFiling.get(entry.figure.filing) ?? [])
      return error ? [{ position: entry.position, ...error }] : []
    })
    const found = new Set(errors.map(({ position }) => position))
    const above = this.interest.flatMap(aboveAssets).filter(({ position }) => !found.has(position))
    const inOrder = (a: ScaleError, b: ScaleError) => a.position - b.position
    return [...errors.sort(inOrder), ...above.sort(inOrder)]
  }
}

/** Interest of a year or less, and the largest total assets reported for about that time. */
interface Interest {
  readonly entry: Entry
  mostAssets: number | null
}

function compareWithAssets(paid: Interest, { figure: { unit, end, value } }: Entry): void {
  const { figure } = paid.entry
  if (unit !== figure.unit || Math.abs(end - figure.end) > NEAR) return
  paid.mostAssets = Math.max(paid.mostAssets ?? value, value)
}

/** Interest that exceeds all assets. */
function aboveAssets({ entry: { figure, position }, mostAssets: most }: Interest): ScaleError[] {
  if (most === null || Math.abs(figure.value) <= most) return []
  return [{ position, factor: null, reason: `above all assets at the time (${most.toLocaleString('en')})` }]
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** A figure that may be wrong, with the evidence. */
interface Suspect extends Entry {
  readonly beside: Neighbours
  /** The figures reported for the same period. */
  readonly reported: readonly Entry[]
  /** All figures of the filing. */
  readonly siblings: readonly Entry[]
  /** The power of ten to which the filing rounds. */
  readonly unit: number
}

function judge(entry: Entry, siblings: readonly Entry[]): Omit<ScaleError, 'position'> | null {
  const suspect: Suspect = {
    ...entry,
    beside: neighbours(entry),
    reported: entry.period?.reported ?? [],
    siblings,
    unit: roundingOf(entry, siblings),
  }
  for (const power of POWERS) {
    const against = againstTwin(suspect, power) ?? againstNeighbours(suspect, power)
    if (against === null) continue
    const times = (10 ** Math.abs(power)).toLocaleString('en')
    const reason = `${times} times too ${power > 0 ? 'large' : 'small'} against ${against}`
    return { factor: 10 ** power, reason }
  }
  return null
}

/** Another figure of the period with the same digits at the corrected scale, closer to the neighbours. */
function againstTwin(suspect: Suspect, power: number): string | null {
  const { figure, size, beside, reported, unit } = suspect
  const right = size - power
  const twin = reported.find(
    other => other.figure.value !== figure.value && Math.abs(right - other.size) <= SAME_DIGITS,
  )
  if (!twin) return null
  const isNearer =
    beside.sizes.length > 0
      ? beside.sizes.every(b => Math.abs(right - b) < Math.abs(size - b))
      : shiftInDigits(figure.value, power, unit) === 'yes'
  return isNearer ? `the same digits in ${twin.figure.filing}` : null
}

function againstNeighbours(suspect: Suspect, power: number): string | null {
  const { beside, size } = suspect
  const isAlike = beside.sizes.length > 0 && beside.sizes.every(b => Math.abs(size - power - b) <= ALIKE)
  if (!isAlike || !isSure(suspect, power)) return null
  const shift = otherShift(suspect)
  const isLone = beside.sizes.length === 1
  const isAlone = shift === null ? !isLone : Math.abs(shift) < 0.5
  const isWholeFiling = shift !== null && Math.abs(shift - power) < 0.15
  if (!isAlone && !isWholeFiling) return null
  const against = beside.bothSides
    ? 'the periods before and after'
    : isLone
      ? 'the one other period'
      : 'the two nearest periods'
  return isWholeFiling ? `${against}, as are the other figures of the filing` : against
}

/** Whether digits and neighbours together leave no doubt. */
function isSure(suspect: Suspect, power: number): boolean {
  const { figure, size, beside, reported, unit } = suspect
  const { concept } = figure
  const isConfirmed = reported.some(
    other => other.figure.filing !== figure.filing && Math.abs(other.size - size) <= SAME_DIGITS,
  )
  const isClose = !isConfirmed && beside.sizes.every(b => Math.abs(size - power - b) <= CLOSE)
  const isLone = beside.sizes.length === 1
  const digits = shiftInDigits(figure.value, power, unit)
  if (digits === 'yes') return beside.bothSides || (isClose && !(isLone && erratic.has(concept)))
  if (digits === 'no' || !isClose || isLone) return false
  return (
    steady.has(concept) || (beside.bothSides && !erratic.has(concept)) || (power > 0 && isAboveAll(suspect))
  )
}

/** The median shift of the other figures of the filing and period from their neighbours, as a logarithm. */
function otherShift({ figure: { end, concept }, siblings }: Suspect): number | null {
  const shifts: number[] = []
  for (const other of siblings) {
    const { figure, size } = other
    if (figure.concept === concept || Math.abs(figure.end - end) > SAME_PERIOD || figure.value === 0) continue
    const [nearest] = neighbours(other).sizes
    if (nearest !== undefined) shifts.push(size - nearest)
  }
  return shifts.sort((a, b) => a - b)[shifts.length >> 1] ?? null
}

/** The power of ten to which the filing of a figure rounds. */
function roundingOf({ figure: { decimals }, position }: Entry, siblings: readonly Entry[]): number {
  if (decimals !== null && decimals <= 0) return -decimals
  const others = siblings.filter(other => other.position !== position && other.figure.value !== 0)
  const zeros = others.map(other => trailingZeros(other.figure.value)).sort((a, b) => a - b)
  return zeros[Math.floor(zeros.length / 5)] ?? 0
}

/** Whether the figure exceeds everything else that the filing reports for the day, total assets included. */
const isAboveAll = ({ figure: { end }, position, size, siblings }: Suspect): boolean =>
  siblings
    .filter(other => other.position !== position && Math.abs(other.figure.end - end) <= SAME_PERIOD)
    .every(other => other.size < size - ALIKE)

const seriesKey = ({ concept, unit, quarters }: ReportedFigure): string => `${concept} ${unit} ${quarters}`

/** Adds a figure to the period for which it is reported. Returns the periods that changed. */
function placed(entry: Entry, series: Period[]): readonly Period[] {
  const { end } = entry.figure
  let at = series.length - 1
  while (at >= 0 && elementAt(series, at).end > end) at--
  const own = series[at]
  if (own && end - own.end <= SAME_PERIOD) {
    join(own, entry)
    return [own]
  }
  const next = series[at + 1]
  if (next && next.end - end <= SAME_PERIOD) return rebuilt(entry, series)
  const period: Period = { end, reported: [], series, at: at + 1, least: entry.size, most: entry.size }
  join(period, entry)
  series.splice(at + 1, 0, period)
  for (let later = at + 2; later < series.length; later++) elementAt(series, later).at = later
  return [period]
}

function join(period: Period, entry: Entry): void {
  const { reported } = period
  let at = reported.length
  while (at > 0 && isBefore(entry, elementAt(reported, at - 1))) at--
  reported.splice(at, 0, entry)
  period.least = Math.min(period.least, entry.size)
  period.most = Math.max(period.most, entry.size)
  entry.period = period
}

const isBefore = (a: Entry, b: Entry): boolean =>
  a.figure.end < b.figure.end || (a.figure.end === b.figure.end && a.position < b.position)

/** The periods of a series to which a figure is added that begins one of them earlier. */
function rebuilt(entry: Entry, series: Period[]): readonly Period[] {
  const reported = [...series.flatMap(period => period.reported), entry]
  reported.sort((a, b) => a.figure.end - b.figure.end || a.position - b.position)
  series.length = 0
  for (const each of reported) placed(each, series)
  return series
}

/** A cheap first test with false positives: far from some figure of the same or a neighbouring period. */
function maybeWrong({ period, size }: Entry): boolean {
  if (!period) return false
  const { series, at } = period
  const isFar = ({ least, most }: Period) => most - size >= LEAST_JUMP || size - least >= LEAST_JUMP
  return [series[at - 1], period, series[at + 1]].some(near => near !== undefined && isFar(near))
}

function neighbours({ figure: { filing, end }, period }: Entry): Neighbours {
  if (!period) return { sizes: [], bothSides: false }
  const { series, at } = period
  // Prefers another filing's figure: what shifts one figure of a filing may shift its neighbours too.
  const size = (near: Period | undefined, within: number): number | null => {
    if (!near || Math.abs(near.end - end) > within) return null
    const other = near.reported.find(entry => entry.figure.filing !== filing) ?? near.reported[0]
    return other?.size ?? null
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
function shiftInDigits(value: number, power: number, unit: number): 'yes' | 'no' | 'unknown' {
  const zeros = trailingZeros(value)
  if (power > 0) return zeros < unit + power ? 'no' : Math.abs(value) >= 10 ** (zeros + 1) ? 'yes' : 'unknown'
  if (!Number.isInteger(value)) return 'yes'
  if (unit === 0) return 'unknown'
  return zeros < unit && zeros >= unit + power ? 'yes' : 'no'
}
