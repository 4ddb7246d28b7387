import { elementAt } from '../../base/elements.ts'
import { addBusinessDays, formatDay, parseDay } from '../../credit/calendar.ts'
import { isCusip, isIsin, repairCusip } from '../../credit/identifiers.ts'
import { type CsvRecord, csvRecords } from './csv-records.ts'
import { notCorporateBond } from './holding-kinds.ts'
import { findLayout, type HoldingField, type HoldingsLayout, layoutOf } from './holdings-columns.ts'
import { HoldingsUnits } from './holdings-units.ts'
import { listedId, listNameOf } from './list-name.ts'
import { DecimalMark, dayInText, localizedDate, localizedNumber } from './localized-cells.ts'
import type { Basis } from './price-basis.ts'
import { type Output, type Reader, type ReadOptions, Refused, type SourceFile } from './reader.ts'
import { textIn } from './source-cells.ts'

/** `Fund Holdings as of`, `Holdings: As of 25-Nov-2024`, `Fondsposition per`: the line that gives the day. */
const SAYS_DAY =
  /\bas of\b|^holdings\b|^date\b|^(fonds)?position(en)? (per|zum)|^fonds(position(en)?|best[aä]nde) (per|am)|^stand\b|^stichtag|^(avoirs|positions?)( du fonds)? au\b|^posizioni del fondo al|^posiciones del fondo/i
/** Days of other things: `Inception Date`, `Auflegung`. */
const OTHER_DAY = /inception|auflage|auflegung|lancement|lancio|launch|share class|performance/i
const FUND_LABEL = /^(fund( name)?|fondsname|nom du fonds|etf( name)?|portfolio( name)?):?$/i

/** What the lines before the header say. */
interface Preamble {
  readonly day: string | null
  readonly fund: string | null
}

function preambleOf(before: readonly (readonly string[])[]): Preamble {
  let day: string | null = null
  let other: string | null = null
  let fund: string | null = null
  for (const line of before) {
    const cells = line.filter(cell => textIn(cell) !== null)
    const [label = '', value] = cells
    const text = cells.join(' ')
    if (FUND_LABEL.test(label.trim()) && value !== undefined) fund = value.trim()
    else if (SAYS_DAY.test(text)) day ??= dayInText(text)
    else if (!OTHER_DAY.test(text)) {
      other ??= dayInText(text)
      if (cells.length === 1 && dayInText(text) === null && !/^[^:]{0,40}:/.test(text)) fund ??= label.trim()
    }
  }
  return { day: day ?? other, fund }
}

/** A heading or a fence of Markdown, in which a file of holdings is described. */
const IN_MARKDOWN = /^(?:#{1,6} |```|~~~)/

/** Text that mentions a header is no holdings: a line before a header gives a day or names the fund. */
function isHoldings(file: SourceFile): boolean {
  const found = findLayout(file)
  if (!found) return false
  if (found.before.length === 0) return true
  if (found.before.some(line => IN_MARKDOWN.test(line[0] ?? ''))) return false
  const { day } = preambleOf(found.before)
  return (
    day !== null || found.before.some(line => SAYS_DAY.test(line.join(' ')) || FUND_LABEL.test(line[0] ?? ''))
  )
}

/** How the cells of a file are read. */
interface Reading {
  readonly layout: HoldingsLayout
  readonly isCommaDecimal: boolean
  readonly units: HoldingsUnits
  readonly fund: string
  /** The day of the file, if its rows have none. */
  readonly day: string | null
  /** The currency of the values, if its rows have none. */
  readonly currency: string | null
}

type Get = (field: HoldingField) => string | undefined

const getterOf =
  ({ columns }: HoldingsLayout, { cells }: CsvRecord): Get =>
  field => {
    const at = columns[field]
    return at === undefined ? undefined : cells[at]
  }

export const holdings: Reader = {
  kind: 'holdings',
  doc: 'Holdings of a bond fund as its manager publishes them, CSV or Excel: iShares, SPDR, Vanguard, Invesco, VanEck and others, also in German and French.',
  recognises: isHoldings,

  async read(file, sink, options) {
    const reading = await firstPass(file, options)
    for (const note of notesOf(reading, options)) sink.note(note)
    const tally = { otherCurrency: 0 }
    for await (const record of rowsOf(file, reading.layout)) {
      const text = notARow(record, reading.layout)
      if (text !== null) {
        await sink.refuse(record.at, record.raw, text)
        continue
      }
      const made = outputsOf(getterOf(reading.layout, record), reading, options, tally)
      if (typeof made === 'string') await sink.refuse(record.at, record.raw, made)
      else await sink.take(record.at, made)
    }
    if (tally.otherCurrency > 0)
      sink.note(
        `${tally.otherCurrency} holdings are in another currency than the values of the file, which gives no price: their bonds are taken without one`,
      )
  },
}

/** The records after the header. */
async function* rowsOf(file: SourceFile, layout: HoldingsLayout): AsyncGenerator<CsvRecord> {
  let isBelow = false
  for await (const record of csvRecords(file, layout.delimiter)) {
    if (isBelow) yield record
    else isBelow = layoutOf(trimmed(record.cells), layout.delimiter) !== null
  }
}

const trimmed = (cells: readonly string[]): string[] => cells.map(cell => cell.replace(/^\uFEFF/, '').trim())

/** Why a record is no row of a holding: text, or the header of a second list below the first. */
function notARow(record: CsvRecord, layout: HoldingsLayout): string | null {
  if (!isRow(record, layout)) return 'not a holding: text of the publisher'
  return isHeader(record, layout) ? 'not a holding: the header of another list' : null
}

/** The cells of the header, again. */
const isHeader = ({ cells }: CsvRecord, { header }: HoldingsLayout): boolean =>
  header.every((cell, i) => cell === cells[i]?.trim())

/** Rows may add empty cells at the end; a line of text has another number of cells, or one that is filled. */
function isRow({ cells }: CsvRecord, { header }: HoldingsLayout): boolean {
  const isWide = cells.length >= header.length && cells.slice(header.length).every(cell => cell === '')
  return isWide && cells.filter(cell => cell.replaceAll('\u00a0', ' ').trim() !== '').length > 1
}

/** Reads the file once to learn how it writes numbers, and in which units prices and coupons are. */
async function firstPass(file: SourceFile, options: ReadOptions): Promise<Reading> {
  const found = findLayout(file)
  if (!found)
    throw new Refused('no header with Name, Maturity, Market Value, and Price or Par Value and Weight')
  const { layout, before } = found
  const { columns } = layout
  if (columns.maturity === undefined || columns.coupon === undefined)
    throw new Refused("no columns Maturity and Coupon (%): not a bond fund's holdings")
  const { day, fund } = preambleOf(before)
  const mark = new DecimalMark()
  const numeric = ['value', 'par', 'price', 'weight', 'coupon'] as const
  const records: CsvRecord[] = []
  for await (const record of rowsOf(file, layout)) {
    if (notARow(record, layout) !== null) {
      refuseOtherDay(record, day)
      continue
    }
    const get = getterOf(layout, record)
    for (const field of numeric) mark.add(get(field))
    records.push(record)
  }
  const units = new HoldingsUnits(columns.price !== undefined)
  for (const record of records) {
    const get = getterOf(layout, record)
    const number = (field: HoldingField) => localizedNumber(get(field), mark.isComma)
    if (notCorporateBond(get, localizedDate) !== null) continue
    units.add({
      value: number('value'),
      par: number('par'),
      price: number('price'),
      coupon: number('coupon'),
      maturity: localizedDate(get('maturity')),
      date: localizedDate(get('day')) ?? day ?? options.date ?? null,
      isOwnCurrency: (number('fx') ?? 1) === 1,
      currency: currencyIn(get),
    })
  }
  const names = new Set(records.map(record => textIn(getterOf(layout, record)('fund'))))
  const [own] = names
  const ownDay = records.some(record => localizedDate(getterOf(layout, record)('day')) !== null)
  if (day === null && !ownDay && options.date === undefined)
    throw new Refused('the file does not give its day: add --date YYYY-MM-DD')
  units.decide()
  const signs = new Set(records.map(record => getterOf(layout, record)('value')?.trim().charAt(0) ?? ''))
  const [sign = ''] = signs
  return {
    layout,
    isCommaDecimal: mark.isComma,
    units,
    fund: fund ?? (names.size === 1 && own ? own : listNameOf(file.name)),
    day: day ?? (ownDay ? null : (options.date ?? null)),
    currency:
      (columns.value === undefined ? null : currencyOfHeader(elementAt(layout.header, columns.value))) ??
      (signs.size === 1 ? (CURRENCY_SIGNS[sign] ?? null) : null),
  }
}

/** A list below the first, as where a fund holds another, must be of the same day. */
function refuseOtherDay({ cells }: CsvRecord, day: string | null): void {
  const text = cells.join(' ')
  const other = /^(fund )?holdings\b.{0,20}\bas of\b/i.test(text.trim()) ? dayInText(text) : null
  if (day !== null && other !== null && other !== day)
    throw new Refused(`holds lists of two days, ${day} and ${other}: save each as a file of its own`)
}

const CURRENCY_SIGNS: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP' }

/** `USD` of `Market value (USD)` and `Market value ($)`. */
const currencyOfHeader = (header: string): string | null => {
  const found = /\(?\b(USD|EUR|GBP|CHF|CAD|JPY|AUD)\b|([$€£])/.exec(header)
  return found ? (found[1] ?? CURRENCY_SIGNS[found[2] ?? ''] ?? null) : null
}

const currencyIn = (get: Get): string | null => {
  const text = textIn(get('marketCurrency')) ?? textIn(get('currency'))
  return text === null ? null : text.toUpperCase()
}

function notesOf({ day, units, isCommaDecimal }: Reading, options: ReadOptions): string[] {
  const notes: string[] = []
  if (day !== null && options.date !== undefined && day !== options.date)
    notes.push(`the file gives its own day ${day}: --date ${options.date} is ignored`)
  const first =
    day === null
      ? 'holdings of the days in its rows'
      : `holdings of ${day}, known from ${knownFrom(day, options)}`
  notes.push(units.areCouponsRounded ? `${first}; coupons in the file are rounded to two decimals` : first)
  if (isCommaDecimal) notes.push('numbers are written with a decimal comma')
  return [...notes, ...units.notes]
}

/** Holdings of a day are public on the next business day. */
const knownFrom = (day: string, options: ReadOptions): string =>
  options.known_from ?? formatDay(addBusinessDays(parseDay(day), 1))

const FIGURES = ['value', 'par', 'price', 'coupon', 'ytm', 'ytw', 'duration', 'fx', 'spread'] as const
type Figures = Record<(typeof FIGURES)[number], number | null>

/** A coupon in words: `FRN`, `Variable`. */
const FLOATS = /^(float(ing|er)?|frn|var(iable)?|vrn|variabel)$/i

/** The figures of a row, or which of them is none. */
function figuresOf(get: Get, { layout, isCommaDecimal }: Reading): Figures | string {
  const figures: Partial<Figures> = {}
  for (const field of FIGURES) {
    const text = get(field)
    const value =
      field === 'coupon' && FLOATS.test(text?.trim() ?? '') ? null : localizedNumber(text, isCommaDecimal)
    if (Number.isNaN(value)) return `${headerOf(layout, field)}: ${JSON.stringify(text)} is not a number`
    figures[field] = value
  }
  return figures as Figures
}

const headerOf = ({ header, columns }: HoldingsLayout, field: HoldingField): string =>
  columns[field] === undefined ? field : elementAt(header, columns[field])

/** The identifiers of a row: of its own columns, or of one that holds either. */
function identifiersOf(get: Get): { cusip: string | null; isin: string | null } {
  const either = textIn(get('identifier'))?.toUpperCase().replace(/\s/g, '') ?? ''
  const isinText = textIn(get('isin'))?.toUpperCase() ?? ''
  const isin = [isinText, either].find(isIsin) ?? null
  const cusipText = textIn(get('cusip')) ?? ''
  const cusip = repairCusip(cusipText === '' && isCusip(either.padStart(9, '0')) ? either : cusipText, isin)
  return { cusip, isin }
}

/** The bond and its mark, the bond alone if it has no price, or why the row is refused. */
function outputsOf(
  get: Get,
  reading: Reading,
  options: ReadOptions,
  tally: { otherCurrency: number },
): Output[] | string {
  const other = notCorporateBond(get, localizedDate)
  if (other !== null) return other
  const figures = figuresOf(get, reading)
  if (typeof figures === 'string') return figures
  const dates: Partial<Record<HoldingField, string | null>> = {}
  for (const field of ['maturity', 'accrualDate', 'day'] as const) {
    const text = textIn(get(field))
    dates[field] = text === null ? null : localizedDate(text)
    if (text !== null && dates[field] === null)
      return `${headerOf(reading.layout, field)}: ${JSON.stringify(text)} is not a date`
  }
  const date = dates.day ?? reading.day
  if (date === null) return `no ${headerOf(reading.layout, 'day')}: the file does not give another day`
  if ((figures.par ?? 0) < 0) return 'a short position'
  const name = textIn(get('name'))!
  const coupon = reading.units.couponOf(figures.coupon)
  const ids = identifiersOf(get)
  const id = {
    ...ids,
    bond_id: ids.cusip === null && ids.isin === null ? listedId(name, coupon, dates.maturity ?? null) : null,
  }
  const currency = currencyIn(get) ?? reading.currency
  const known_from = knownFrom(date, options)
  const bond: Output = {
    dataset: 'bonds',
    values: {
      ...id,
      name,
      issuer_name: name,
      sector: textIn(get('sector')),
      coupon_rate: coupon,
      coupon_rounded: coupon === null || !reading.units.areCouponsRounded ? null : true,
      maturity_date: dates.maturity,
      accrual_date: dates.accrualDate,
      currency,
      known_from,
    },
  }
  const isOther = reading.units.isOtherCurrency(currencyIn(get)) || (figures.fx ?? 1) !== 1
  const mark = reading.units.priceOf(figures, isOther)
  if (mark === 'other currency') tally.otherCurrency++
  if (mark === 'other currency' || mark === null) return [bond]
  if (mark.price > 1000)
    return `a price of ${mark.price.toFixed(2)} % of par: value or par is not of this bond`
  return [bond, markOf({ ...mark, id, date, currency, figures, fund: reading.fund, known_from })]
}

function markOf(mark: {
  price: number
  basis: Basis
  accrued: number | null
  id: object
  date: string
  currency: string | null
  figures: Figures
  fund: string
  known_from: string
}): Output {
  const { price, basis, accrued, id, date, currency, figures, fund, known_from } = mark
  return {
    dataset: 'prices',
    values: {
      ...id,
      price_date: date,
      price,
      price_basis: basis,
      price_source: 'fund_mark',
      accrued,
      trade_count: 0,
      currency,
      published_ytm: figures.ytm,
      published_ytw: figures.ytw,
      published_duration: figures.duration,
      published_spread: figures.spread,
      list_name: fund,
      known_from,
    },
  }
}
