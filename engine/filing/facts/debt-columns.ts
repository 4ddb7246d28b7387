import { addDays } from '../../base/days.ts'
import { smallest } from '../../base/lists.ts'
import { cellsOf, filledCellsOf, flatten } from './flat-text.ts'
import { dayNamed } from './maturities.ts'
import { datesIn } from './spelled-dates.ts'

/** What the heads above a table of debt say of its columns of amounts. */
export interface Columns {
  readonly days: readonly string[]
  readonly years: readonly number[]
  /** The days of a line of three cells that are days, `June 30, 2022 | December 31, 2021 | June 30, 2021`; else none. */
  readonly three: readonly string[]
  /** The months of a line of cells that are months, `September 2022 | December 2021`, as fiscal years that end on Saturdays have. */
  readonly months: readonly string[]
  /** What columns are called, in order: `carrying`, `fair`, `principal`. */
  readonly bases: readonly string[]
  /** The same with discounts: `principal`, `unamortized`, `carrying`. */
  readonly parts: readonly string[]
  /** Columns between the days are what was borrowed and paid. */
  readonly isMovement: boolean
  /** `Amount drawn | Undrawn amount`. */
  readonly isDrawnFirst: boolean
  /** A column of face amounts stands before those of the days. */
  readonly isFaceFirst: boolean
  /** Balances are in two columns, what is current and what is long-term: where the first is, and the face amount, if any. */
  readonly twoParts: {
    readonly current: number
    readonly face: number | null
    /** Two days have both parts: `Current | Long-term | Current | Long-term`. */
    readonly isTwice: boolean
  } | null
  /** What the cells of each line of heads say of their columns. */
  readonly named: readonly (readonly Figure[])[]
  /** The first column counts what is mortgaged, `Number of properties`. */
  readonly isCountFirst: boolean
}

/** What a column of figures states: of several of one day each has one. */
type Figure = 'committed' | 'original' | 'face' | 'part' | 'carrying' | 'fair' | 'paid' | null

/** Which amount of a row is that of the report's day, and which its face amount, by their number from the left. */
export interface Column {
  readonly now: number
  readonly face: number | null
  readonly committed?: number | null
  /** Another part of the balance. */
  readonly also?: number
}

const isRateLast = /\brates?(?: (?:as of|at))?$/i

/** Days without that of a column of rates behind those of amounts, `Balance as of | Effective rate as of` above `March 31 | December 31 | March 31`. */
function withoutRateDay({ days, years }: Pick<Columns, 'days' | 'years'>, lines: readonly string[]) {
  const [first, second, last] = days.slice(-3)
  const isBehind =
    last !== undefined &&
    first === last &&
    second !== last &&
    lines.some(line => isRateLast.test(filledCellsOf(line).at(-1) ?? '') && line.includes('|'))
  return { days: isBehind ? days.slice(0, -1) : days, years }
}

/** A longer line is no head of columns. */
const LONGEST_HEAD = 120

/** The day of a column of rates or of years, `Interest Rate at December 31, 2022`, which is none of amounts. */
const RATE_ON_DAY = /(?<=\brates?|\byears)(?: \(?%\)?)? (?:at|as of) [a-z]{3,9} \d{1,2}, 20\d\d/gi

export function columnsIn(above: string): Columns {
  const lines = above.split('\n')
  const heads = flatten(
    lines.filter(line => line.includes('|') || (line.length <= LONGEST_HEAD && !isGroup(line))).join(' '),
  ).replace(RATE_ON_DAY, '')
  const inHeads = withoutRateDay(datedIn(heads), lines)
  const { days, years: named } =
    lastTwo(inHeads.days).length + lastTwo(inHeads.years).length > 0 ? inHeads : datedIn(flatten(above))
  const alone = yearsAlone(lines)
  const years = lastTwo(alone).length > 0 ? alone : named
  const dates = datesIn(heads)
  const firstDay = smallest(
    dates.slice(-2).map(({ from }) => from),
    heads.length,
  )
  return {
    days,
    years,
    three: threeDaysIn(lines),
    months: monthsIn(lines),
    parts: wordsIn(heads, /\b(?:gross carrying|carrying|fair|principal|face|book|unamortized|hedg)/gi),
    bases: wordsIn(heads, /\b(?:carrying|fair|principal|face|book)\b/gi),
    isMovement:
      /\b(?:borrowings|issuances|additions)\b[^.]{0,60}\b(?:payments|repayments|reductions)\b/i.test(heads),
    twoParts: twoPartsIn(lines, heads),
    isDrawnFirst: /\b(?:amounts? )?drawn(?: amounts?)?\b[^a-z]{0,20}\bundrawn\b/i.test(heads),
    named: lines.filter(line => line.includes('|')).map(line => figuresNamed(cellsOf(line))),
    isCountFirst:
      /\b(?:encumbered|mortgaged|number of)\s{1,3}(?:properties|hotels|vessels|communities|buildings|aircraft)\b/i.test(
        heads,
      ),
    isFaceFirst:
      /\b(?:principal|face)\b[^.]{0,140}$/i.test(heads.slice(0, firstDay)) || isParBeforeYears(lines),
  }
}

const FIGURES: readonly (readonly [Exclude<Figure, null>, RegExp])[] = [
  ['fair', /\b(?:fair|market)\b/i],
  ['paid', /\bpayments?\b/i],
  ['original', /^(?:original|initial)\b/i],
  ['committed', /\b(?:total available|commitments?|facility (?:size|amount)|capacity)\b/i],
  [
    'part',
    /^(?:less:? |plus:? )?(?:net )?(?:unamortized|unaccreted|(?:debt )?(?:issuance|financing) costs|deferred|discounts?|premiums?)\b/i,
  ],
  [
    'carrying',
    /\b(?:carrying|book|recorded|total debt|long-term debt, net|debt, net|net debt)\b|^net (?:of (?:unamortized |any )?(?:discounts?|premiums?|(?:debt )?(?:issuance|financing) costs|fees)\b|(?:value|amount|balance|principal)$)/i,
  ],
  [
    'face',
    /\b(?:principal|face|par value|stated value|outstanding balance|gross|inclusive of discount|long-term debt)\b/i,
  ],
]

const figureNamed = (cell: string): Figure => FIGURES.find(([, named]) => named.test(cell))?.[0] ?? null

/** A total behind a part is what a balance is with it: `Principal | Unamortized costs | Total`. */
function figuresNamed(cells: readonly string[]): Figure[] {
  const figures = cells.map(figureNamed)
  return cells.map((cell, i) =>
    /^(?:total|net)$/i.test(cell) && figures[i - 1] === 'part' ? 'carrying' : (figures[i] ?? null),
  )
}

/** Three days in cells of one line, or with their years in the next, as quarters have: `June 30, | December 31, | June 30,`. */
function threeDaysIn(lines: readonly string[]): string[] {
  const rows = lines.filter(line => line.includes('|')).map(filledCellsOf)
  const days = rows.flatMap((cells, at) => {
    const next = rows[at + 1] ?? []
    const whole = cells.map((cell, i) =>
      /\d,?$/.test(cell) ? `${cell.replace(/,$/, '')}, ${next[i] ?? ''}` : cell,
    )
    const read = (/20\d\d$/.test(cells[0] ?? '') ? cells : whole).filter(cell => isDay.test(cell))
    return cells.length === 3 && read.length === 3 ? [read.flatMap(cell => datesIn(cell)[0]?.date ?? [])] : []
  })
  return days.at(-1) ?? []
}

/** The months that are all cells of the last line of heads that has any; that of names may have another. */
function monthsIn(lines: readonly string[]): string[] {
  const all = lines.map(line => filledCellsOf(line).filter(cell => !/^\(.{1,30}\)$/.test(cell)))
  const months = all.findLast(cells => cells.length > 1 && cells.every(cell => isMonth.test(cell))) ?? []
  return months.flatMap(month => dayNamed(month) ?? [])
}

const isMonth = /^[a-z]{3,9} 20\d\d$/i

/** The month that a report's day ends, which may be the first days of the next. */
const monthOf = (day: string): string => addDays(day, Number(day.slice(8)) < 8 ? -7 : 0).slice(0, 7)

const isDay = /^(?:as of |at )?[a-z]{3,9}\.? \d{1,2}, 20\d\d$/i

/** `Net Carrying Value | Unpaid Principal Balance` above `Current | Long-Term`, of one day; `Outstanding` above both, of two. */
function twoPartsIn(lines: readonly string[], heads: string): Columns['twoParts'] {
  const line = lines.findLast(each => /\bcurrent\s{0,3}\|\s{0,3}(?:long-term|non-?current)\b/i.test(each))
  if (line === undefined) return null
  const cells = cellsOf(line)
  const pairs = cells.filter((cell, i) => isCurrent.test(cell) && isLongTerm.test(cells[i + 1] ?? ''))
  if (pairs.length === 2 && cells.filter(cell => isCurrent.test(cell) || isLongTerm.test(cell)).length === 4)
    return { current: 0, face: null, isTwice: true }
  if (!/\bcarrying\b/i.test(heads)) return null
  const at = cells.findIndex(cell => isCurrent.test(cell))
  if (at < 0 || !isLongTerm.test(cells[at + 1] ?? '')) return null
  const hasFace = /\bprincipal\b/i.test(heads)
  // The column of names has a head of its own.
  const current = at > 1 ? 1 : 0
  return { current, face: hasFace ? (current === 1 ? 0 : 2) : null, isTwice: false }
}

const isCurrent = /^current$/i
const isLongTerm = /^(?:long-term|non-?current)$/i

/** Years that are all of their cells, as heads of columns are: `2023 | 2022 | Maturity at December 31, 2023`. */
const yearsAlone = (lines: readonly string[]): number[] =>
  lines
    .filter(line => line.includes('|'))
    .flatMap(line => line.split('|'))
    .map(cell => flatten(cell).trim())
    .filter(cell => /^20\d\d$/.test(cell))
    .map(Number)

/** `Par Value | 2021 | 2020`. */
const isParBeforeYears = (lines: readonly string[]): boolean => {
  const cells =
    lines.map(filledCellsOf).findLast(each => each.filter(cell => /^20\d\d$/.test(cell)).length === 2) ?? []
  const first = cells.findIndex(cell => /^20\d\d$/.test(cell))
  return (
    first === cells.length - 2 && /^(?:par|face|principal)(?: value| amount)?$/i.test(cells[first - 1] ?? '')
  )
}

const wordsIn = (text: string, every: RegExp): string[] =>
  [...text.matchAll(every)].map(match => match[0].toLowerCase())

/** A heading of rows: `2013 debt issuance of $17.0 billion:`. */
const isGroup = (line: string): boolean => !line.includes('|') && /:\s*$|\bissuances?\b|\bdue\b/i.test(line)

const datedIn = (flat: string): Pick<Columns, 'days' | 'years'> => ({
  days: datesIn(flat).map(({ date }) => date),
  years: [...flat.matchAll(/(?<![\d/])20\d\d\b/g)].map(match => Number(match[0])),
})

/** Whether the report's own day is in the first or the second of two columns: the last two days, or years, above. */
function orderOf({ days, years }: Columns, day: string): 'first' | 'second' | null {
  const [one, other] = lastTwo(days)
  if (one === day) return 'first'
  if (other === day) return 'second'
  if (one !== undefined) return null
  const [first, second] = lastTwo(years)
  const own = yearsOf(day).find(year => year === Math.max(first ?? 0, second ?? 0))
  if (own === undefined || Math.abs((first ?? 0) - (second ?? 0)) !== 1) return null
  return first === own ? 'first' : 'second'
}

/** The year of a report's day, or the one before of a fiscal year that ends in the first days of January. */
export const yearsOf = (day: string): readonly number[] => {
  const year = Number(day.slice(0, 4))
  return /-01-0[1-7]$/.test(day) ? [year, year - 1] : [year]
}

/** The last of a list, after the last that differs from it. */
export function lastTwo<T>(list: readonly T[]): [T, T] | [] {
  const second = list.at(-1)
  const first = list.findLast(each => each !== second)
  return first === undefined || second === undefined ? [] : [first, second]
}

/** Which of the amounts of a total are those of the report's day; null where the heads do not say. */
export function columnOf(columns: Columns, count: number, day: string): Column | null {
  const ofMonth = columns.months.indexOf(monthOf(day))
  if (columns.months.length === count && ofMonth >= 0 && columns.days.length === 0)
    return { now: ofMonth, face: null }
  const order = orderOf(columns, day)
  const { bases, days, isFaceFirst, isMovement } = columns
  const hasFair = bases.includes('fair')
  if (columns.twoParts?.isTwice === true)
    return order === null || count !== 2 ? null : { now: order === 'first' ? 0 : 1, face: null }
  if (columns.twoParts !== null)
    return days.at(-1) !== day || count > 2
      ? null
      : { now: 0, face: count === 2 && columns.twoParts.face !== null ? 1 : null }
  if (count === 1) {
    const isOnly = new Set(days).size === 1 && days[0] === day
    return isOnly && !hasFair ? { now: 0, face: null } : null
  }
  // What was borrowed and repaid between two days.
  const [before, last] = lastTwo(days)
  if (count > 3 && last === day && before !== undefined && isMovement) return { now: count - 1, face: null }
  if (count === 3 && isThreeYears(columns, day)) return { now: 0, face: null }
  if (count === 3 && columns.three.length === 3 && columns.three.filter(each => each === day).length === 1)
    return { now: columns.three.indexOf(day), face: null }
  if (order === null) {
    if (new Set(days).size !== 1 || days[0] !== day) return null
    return count === 2 && columns.isDrawnFirst
      ? { now: 0, face: null }
      : (columnOfParts(columns, count) ?? columnNamed(columns, count, 'only'))
  }
  const now = order === 'first' ? 0 : 1
  if (count === 3 && columns.isCountFirst && !hasFair) return { now: now + 1, face: null }
  // Heads of one day, the last above them.
  const ofOne = count > 2 && days.at(-1) === day ? columnNamed(columns, count, 'only') : null
  if (ofOne !== null) return ofOne
  if (count === 2) return hasFair && bases.every(base => base === 'fair') ? null : { now, face: null }
  if (count === 3) return isFaceFirst && !hasFair ? { now: now + 1, face: 0 } : null
  return (
    (count === 4 ? columnOfFour(columns, now) : null) ??
    columnOfDays(columns, count, now) ??
    columnNamed(columns, count, order)
  )
}

/** Columns of three years, the report's own first. */
function isThreeYears({ years }: Columns, day: string): boolean {
  const own = Number(day.slice(0, 4))
  const last = years.slice(-3)
  return last.length === 3 && last.every((year, i) => year === own - i)
}

/** The columns of a line of heads that names each of them, each figure once a day, of one day or of two. */
function columnNamed({ named }: Columns, count: number, order: 'first' | 'second' | 'only'): Column | null {
  const figures = figuresOf(named, count)
  if (figures === undefined) return null
  const half = count / 2
  const isTwice = count % 2 === 0 && figures.slice(0, half).every((figure, i) => figure === figures[half + i])
  if (isTwice === (order === 'only')) return null
  const from = isTwice && order === 'second' ? half : 0
  const own = isTwice ? figures.slice(from, from + half) : figures
  if (hasTwice(own.filter(figure => figure !== 'part'))) return null
  const place = (figure: Figure) => (own.includes(figure) ? from + own.indexOf(figure) : null)
  const now = place('carrying') ?? place('face')
  return now === null ? null : { now, face: place('face'), committed: place('committed') }
}

/** What the columns of amounts state, where a line of heads names each: those of names, rates and levels stand beside them. */
function figuresOf(named: Columns['named'], count: number): readonly Figure[] | undefined {
  return named.map(line => line.filter(figure => figure !== null)).findLast(line => line.length === count)
}

/** The same where some columns are called otherwise, as fair values and their levels below a head of both. */
function cellByCell(named: Columns['named'], count: number): readonly Figure[] {
  const line = named.findLast(each => each.length === count + 1 && each[0] === null)
  return line?.slice(1) ?? []
}

/** Where a row of one day has what it is made of, `Principal | Unamortized discount | Carrying value`; else null. */
export function partsOf(
  columns: Columns,
  count: number,
  day: string,
): { readonly face: number; readonly parts: readonly number[]; readonly carrying: number } | null {
  const { days, named } = columns
  const figures = figuresOf(named, count) ?? cellByCell(named, count)
  const at = (figure: Figure) => figures.flatMap((each, i) => (each === figure ? [i] : []))
  const [[face, ...faces], parts, [carrying, ...others]] = [at('face'), at('part'), at('carrying')]
  const isOfDay = days.length > 0 && days.every(each => each === day)
  if (!isOfDay || face === undefined || carrying === undefined || parts.length === 0) return null
  return faces.length + others.length > 0 ? null : { face, parts, carrying }
}

/** Two days with as many figures as each has names: `principal, carrying, fair, principal, carrying`. */
function columnOfDays({ parts }: Columns, count: number, now: 0 | 1): Column | null {
  const second = parts.findIndex((part, i) => parts.indexOf(part) < i && part !== 'unamortized')
  if (parts.length !== count || second <= 0) return null
  const all = [parts.slice(0, second), parts.slice(second)]
  // A day has each of its figures once: what is committed, beside what is owed, may be called principal too.
  if (all.some(own => hasTwice(own.filter(part => part !== 'unamortized')))) return null
  const from = now === 0 ? 0 : second
  const own = all[now] ?? []
  const [face, carried] = [/principal|face|gross/, /^(?:carrying|book)/].map(each =>
    own.findIndex(part => each.test(part)),
  )
  if (face === undefined || carried === undefined || Math.max(face, carried) < 0) return null
  return { now: from + (carried >= 0 ? carried : face), face: face >= 0 ? from + face : null }
}

/** One day with what a balance is made of: `principal, unamortized discount, carrying`, or `principal, carrying`. */
function columnOfParts({ parts }: Columns, count: number): Column | null {
  if (parts.length !== count) return null
  const [face, now] = [/principal|face|gross/, /^(?:carrying|book)/].map(each =>
    parts.findIndex(part => each.test(part)),
  )
  return face === undefined || now === undefined || face < 0 || now < 0 ? null : { now, face }
}

const hasTwice = <T>(list: readonly T[]): boolean => new Set(list).size < list.length

/** Two days with two figures each, or two figures of two days each: `carrying, fair, carrying, fair` or `principal, principal, fair, fair`. */
function columnOfFour({ bases, years }: Columns, now: 0 | 1): Column | null {
  const four = bases.slice(-4)
  const [a, b, c, d] = four
  const placed: [string, number][] =
    four.length === 4 && a !== b && a === c && b === d
      ? [
          [a ?? '', 2 * now],
          [b ?? '', 2 * now + 1],
        ]
      : bases.length === 2 && bases[0] !== bases[1] && isInTurns(years.slice(-4))
        ? [
            [bases[0] ?? '', now],
            [bases[1] ?? '', 2 + now],
          ]
        : []
  const place = (pattern: RegExp) => placed.find(([base]) => pattern.test(base))?.[1] ?? null
  const [carried, face] = [place(/carrying|book/), place(/principal|face/)]
  return carried === null && face === null ? null : { now: carried ?? face ?? 0, face }
}

const isInTurns = ([a, b, c, d]: readonly number[]): boolean =>
  a !== b && a === c && b === d && a !== undefined
