import { type Column, yearsOf } from './debt-columns.ts'
import { filledCellsOf, flatten } from './flat-text.ts'
import { datesIn } from './spelled-dates.ts'
import type { TableRow } from './table-rows.ts'

/** What one column of amounts of a table adds up to. */
export interface Proof {
  /** The rows whose amounts add up to a total of the column. */
  readonly rows: readonly TableRow[]
  readonly totals: readonly TableRow[]
  /** The amount of the last total. */
  readonly amount: number
}

interface Proven extends Proof {
  readonly place: number
  /** What the lines of heads call the column, from top to bottom. */
  readonly name: string
}

/** Fewest lines that prove a column, and those of them that name debt. */
const FEWEST_LINES = 3
const FEWEST_NAMED = 2
/** Most amounts that a total of debt has. */
const MOST_COLUMNS = 8

/**
 * The column of balances of a table of debt whose heads are not understood: its lines add up to a total of debt, and of the
 * columns that do its name has the report's day. Null where another column may be meant as well.
 */
export function columnByProof(table: {
  /** What stands above the first row. */
  readonly above: string
  readonly rows: readonly TableRow[]
  /** How many amounts the total has. */
  readonly count: number
  readonly day: string
  readonly proofOf: (place: number) => Proof | null
}): Column | null {
  const { above, rows, count, day, proofOf } = table
  if (count > MOST_COLUMNS || rows.filter(namesDebt).length < FEWEST_NAMED) return null
  const lines = above.split('\n')
  const heads = lines.filter(line => line.includes('|') || isShort(line))
  if (heads.some(line => isOfFlows.test(line)) || rows.some(({ label }) => isOfOther.test(label))) return null
  const names = namesOf(heads, count)
  const proven: Proven[] = Array.from({ length: count }, (_, place) => place).flatMap(place => {
    const proof = proofOf(place)
    return proof !== null && isOfDebt(proof) ? [{ ...proof, place, name: names[place] ?? '' }] : []
  })
  const ofBalances = proven.filter(({ name }) => !isOtherFigure.test(name))
  // Where a column has no name, any of them may be the one that a head calls otherwise.
  const isUnnamed = ofBalances.some(({ name }) => !isName.test(name))
  if (isUnnamed && heads.some(line => isOtherFigure.test(line))) return null
  return balanceOf(ofBalances, { heads, above, day, names, isKnown: proven.length === count || !isUnnamed })
}

const isShort = (line: string): boolean => line.length <= LONGEST_HEAD && !/:\s*$/.test(line)
const LONGEST_HEAD = 120
const isName = /[a-z]{3}/i

/** Tables of payments, of periods, of parts of a group, or of what is not so yet. */
const isOfFlows =
  /\b(?:ended|thereafter|payments?|repaid|repayments?|borrowed|proceeds|expense|by period|less than|guarantors?|parent|eliminations?|pro forma|as adjusted|assumed|acquired|notional|swaps?|derivatives?|hedge[sd]?|hedging|level [123]|quoted|changes?|additions|issued)\b/i
/** Rows of balance sheets, capitalization and results. */
const isOfOther =
  /\b(?:equity|assets|capitalization|expenses?|income|accounts payable|deposits|operating leases?|purchase obligations|cash|proceeds|payments?|interest (?:on|paid|cost)|derivatives?|swaps?|EBITDA)\b/i
/** Columns of something else than what is owed. */
const isOtherFigure =
  /\b(?:fair|market|available|availability|commit\w*|capacity|unused|undrawn|limits?|size|facilit(?:y|ies) amount|credit facilities|original|initial|maximum|rates?|average|letters|collateral|pledged|secured by|cost|number|unamortized|due)\b/i
const isFace = /\b(?:principal|face|par)\b/i

const COSTS =
  /^(?:less|plus|add|net)\b|\b(?:unamortized|discounts?|premiums?|(?:issuance|financing) costs|deferred|adjustments?|current (?:portion|maturities))\b/i
const DEBT =
  /\b(?:debt|borrowings?|notes?|bonds?|debentures?|indebtedness|loans?|mortgages?|commercial paper|facility|facilities|revolver|lines? of credit|obligations|securitization|advances)\b/i

/** A line that says what debt it is, by a noun, a coupon or a maturity. */
export const namesDebt = ({ label, marks }: TableRow): boolean =>
  !COSTS.test(label) &&
  !/^(?:sub-?)?total\b/i.test(label) &&
  (DEBT.test(label) || /\d ?%|\bdue\b/i.test(label) || marks.some(({ kind }) => kind !== 'amount'))

/** What was issued or repaid in a year, and sums with more than debt. */
const isOtherTotal =
  /\b(?:liabilit|leases?\b|issued\b|issuances?$|repaid\b|redeemed\b|repurchased\b|retired\b|exchanged\b|tendered\b|available|commitments?\b)/i

function isOfDebt({ rows, totals }: Proof): boolean {
  const lines = rows.filter(({ label }) => !COSTS.test(label))
  const named = lines.filter(namesDebt)
  return (
    lines.length >= FEWEST_LINES &&
    named.length >= FEWEST_NAMED &&
    named.length * 2 >= lines.length &&
    totals.every(({ label }) => !isOtherTotal.test(label))
  )
}

/** A head of names, rates or maturities, which no amounts of a total stand below. */
const isBeside =
  /^(?:\(?(?:[a-z]{1,9} )?in (?:millions|thousands|billions)\b.*|\$|(?:dollars|amounts|description|type|instruments?|series|issuer|borrower|facility|debt|notes?|security|currency|collateral)(?: .{0,30})?|.{0,40}\b(?:maturit(?:y|ies)|matures|rates?|average|interest|coupons?|due|margin|spread|yield)\b.{0,40})$/i

/**
 * The name of each column, where lines of heads have a cell for each of them; one of fewer cells spans them where those below
 * it are the same for each of its cells, `2024 | 2023` above `Principal | Net | Principal | Net`.
 */
function namesOf(heads: readonly string[], count: number): string[] {
  const lines = heads
    .filter(line => line.includes('|'))
    .map(line => filledCellsOf(line).filter(cell => !isBeside.test(cell)))
  const whole = lines.filter(cells => cells.length === count)
  const isRepeated = (width: number) =>
    whole.some(cells => cells.every((cell, i) => cell === cells[i % width])) &&
    whole.every(cells => new Set(cells).size > 1)
  const names = Array.from({ length: count }, () => '')
  for (const cells of lines) {
    const width = count / cells.length
    if (cells.length < 2 || !Number.isInteger(width) || (width > 1 && !isRepeated(width))) continue
    for (let place = 0; place < count; place++)
      names[place] = `${names[place] ?? ''} ${cells[Math.floor(place / width)] ?? ''}`.trim()
  }
  return names
}

/** The day that a name has, or its year alone; undefined where it has none, or more than one. */
function dayOf(name: string): string | undefined {
  const days = [...new Set(datesIn(name).map(({ date }) => date))]
  if (days.length > 0) return days.length === 1 ? days[0] : undefined
  const years = [...new Set([...name.matchAll(/\b20\d\d\b/g)].map(([year]) => year))]
  // The year of a month is not that of a report: `September 2024`.
  return years.length !== 1 ? undefined : ofMonth.test(name) ? `month of ${years[0]}` : years[0]
}

const ofMonth = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b/i

const isOn = (named: string, day: string): boolean =>
  named === day || (named.length === 4 && yearsOf(day).includes(Number(named)))

const isLater = (named: string, day: string): boolean =>
  /^\d/.test(named) && named.slice(0, 4) > day.slice(0, 4)

function balanceOf(
  proven: readonly Proven[],
  {
    heads,
    above,
    day,
    names,
    isKnown,
  }: {
    heads: readonly string[]
    above: string
    day: string
    /** Of all columns, proven or not. */
    names: readonly string[]
    /** Every column is proven, or those that are have names. */
    isKnown: boolean
  },
): Column | null {
  if (proven.length === 0) return null
  const dated = proven.filter(({ name }) => dayOf(name) !== undefined)
  if (dated.length > 0) {
    const others = proven.filter(each => !dated.includes(each))
    // A year after the report's own: payments to come.
    if (dated.some(({ name }) => isLater(dayOf(name) ?? '', day))) return null
    if (others.some(({ name }) => !isFace.test(name)) || others.length > 1) return null
    const own = ofDay(dated.filter(({ name }) => isOn(dayOf(name) ?? '', day)))
    return own === null ? null : { ...own, face: own.face ?? others[0]?.place ?? null }
  }
  // The column of the day is one that does not add up.
  if (names.some(name => dayOf(name) !== undefined)) return null
  const named = namedDays(heads, above)
  // A table of what was issued has no day of a report.
  if (named.length > 0 && named.every(each => each === day))
    return isKnown && yearsIn(heads.join(' ')).every(year => isOn(year, day)) ? ofDay(proven) : null
  // Days in their order, where no head calls the columns otherwise.
  if (proven.length < 2 || named.length !== proven.length || heads.some(line => isFigure.test(line)))
    return null
  const at = named.findIndex(each => isOn(each, day))
  const place = proven[at]?.place
  return place === undefined || named.filter(each => isOn(each, day)).length > 1
    ? null
    : { now: place, face: null }
}

const isFigure =
  /\b(?:principal|carrying|face|par|book|gross|net|total|current|long-term|drawn)\b[^|]{0,40}\|/i

/** The days, or years, of the heads in their order, each once; else those of the last sentence above. */
function namedDays(heads: readonly string[], above: string): string[] {
  const inHeads = daysIn(heads.join(' '))
  return inHeads.length > 0 ? inHeads : daysIn(flatten(above).split('. ').at(-1) ?? '')
}

function daysIn(text: string): string[] {
  const flat = flatten(text)
  const days = datesIn(flat).map(({ date }) => date)
  return [...new Set(days.length > 0 ? days : yearsIn(flat))]
}

const yearsIn = (flat: string): string[] => [...flat.matchAll(/(?<![\d/])20\d\d\b/g)].map(([year]) => year)

/** How far what debt is carried at may be from its face amount. */
const MOST_APART = 0.3

/** Of the columns of one day the one of the balance. */
function ofDay(columns: readonly Proven[]): Column | null {
  const [first, second, third, ...others] = columns
  if (first === undefined || others.length > 0) return null
  // What is current, or long-term, is a part.
  if (second === undefined) return isPart.test(first.name) ? null : { now: first.place, face: null }
  if (third !== undefined) {
    const isSum = [1, -1].some(
      sign => Math.abs(first.amount + sign * second.amount - third.amount) <= first.amount / 1e5,
    )
    return isSum && areNear(first, third) ? { now: third.place, face: first.place } : null
  }
  if (isCurrent.test(first.name) && isLongTerm.test(second.name))
    return { now: first.place, face: null, also: second.place }
  return isFace.test(first.name) && !isFace.test(second.name) && areNear(first, second)
    ? { now: second.place, face: first.place }
    : null
}

const isPart = /\b(?:current|(?:long|short)-term)\b/i
const isCurrent = /\bcurrent(?: portion)?$/i
const isLongTerm = /\b(?:long-term|non-?current)(?: portion)?$/i

const areNear = (face: Proven, carried: Proven): boolean =>
  Math.abs(face.amount - carried.amount) <= MOST_APART * face.amount
