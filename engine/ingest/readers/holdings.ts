import { firstOf, memberOf } from '../../base/elements.ts'
import { addBusinessDays, formatDay, parseDay } from '../../credit/calendar.ts'
import { isIsin, repairCusip } from '../../credit/identifiers.ts'
import { columnsOf, csvRecords, hasColumns, headLines } from './csv-records.ts'
import { listedId, listNameOf } from './list-name.ts'
import { type Output, type Reader, Refused } from './reader.ts'
import { dateIn, numberIn, textIn } from './source-cells.ts'

/** Lines that may precede the header: fund name, `Fund Holdings as of`, inception date, share counts. */
const PREAMBLE = 20

const isHeader = (cells: readonly string[]): boolean =>
  hasColumns(cells, 'Name', 'Asset Class', 'Market Value', 'Price')

const saysDay = (cells: readonly string[]): boolean => /^(fund )?holdings as of/i.test(cells[0] ?? '')

// Non-corporate holdings of broad bond funds, by these files' sector names.
export const NOT_CORPORATE =
  /treasur|^agency|agencies|^abs\b|asset.?backed|mbs|mortgage|whole (business|loan)|supranational|sovereign|local authority|government|municipal|covered|pfandbrief|cash|derivative/i

export const holdings: Reader = {
  kind: 'holdings',
  doc: 'Holdings of a bond fund as iShares publishes them, CSV: bonds with price, yield and duration.',
  recognises: file => {
    const lines = headLines(file, PREAMBLE)
    const at = lines.findIndex(isHeader)
    return at === 0 || (at > 0 && lines.slice(0, at).some(saysDay))
  },

  async read(file, sink, options) {
    let cell: ((cells: readonly string[], name: string) => string | undefined) | undefined
    let width = 0
    let date: string | null = null
    let fund: string | null = null
    let known_from = ''
    for await (const { at, cells, raw } of csvRecords(file)) {
      if (!cell) {
        if (saysDay(cells)) date = dateIn(cells[1]) ?? dateIn(firstOf(cells).split(/as of/i)[1])
        if (!isHeader(cells)) {
          if (cells.length === 1 && !saysDay(cells)) fund ??= textIn(cells[0])
          continue
        }
        if (!hasColumns(cells, 'Maturity', 'Coupon (%)'))
          throw new Refused("no columns Maturity and Coupon (%): not a bond fund's holdings")
        if (date && options.date && date !== options.date)
          sink.note(`the file gives its own day ${date}: --date ${options.date} is ignored`)
        date ??= options.date ?? null
        if (date === null) throw new Refused('the file does not give its day: add --date YYYY-MM-DD')
        known_from = options.known_from ?? formatDay(addBusinessDays(parseDay(date), 1))
        sink.note(
          `holdings of ${date}, known from ${known_from}; coupons in the file are rounded to two decimals`,
        )
        const column = columnsOf(cells)
        cell = (cells, name) => {
          const i = column(name)
          return i === undefined ? undefined : cells[i]
        }
        width = cells.length
        continue
      }
      const get = (name: string) => cell!(cells, name)
      const made =
        cells.length !== width
          ? 'not a holding: text of the publisher'
          : outputsOf(get, { date: date!, known_from, list_name: fund ?? listNameOf(file.name) })
      if (typeof made === 'string') await sink.refuse(at, raw, made)
      else await sink.take(at, made)
    }
    if (!cell) throw new Refused('no header with Name, Asset Class, Market Value and Price')
  },
}

/** The bond and its mark, the bond alone if it has no price, or why the row is refused. */
function outputsOf(
  get: (name: string) => string | undefined,
  { date, known_from, list_name }: { date: string; known_from: string; list_name: string },
): Output[] | string {
  const name = textIn(get('Name'))
  const assetClass = textIn(get('Asset Class'))
  const sector = textIn(get('Sector'))
  if (assetClass === null || name === null) return 'not a holding: text of the publisher'
  if (!/^fixed income$/i.test(assetClass)) return `not a bond: asset class ${assetClass}`
  if (sector !== null && NOT_CORPORATE.test(sector)) return `not corporate debt: sector ${sector}`

  const numbers: Record<string, number | null> = {}
  for (const column of FIGURES) {
    const value = numberIn(get(column))
    if (Number.isNaN(value)) return `${column}: ${JSON.stringify(get(column))} is not a number`
    numbers[column] = value
  }
  const days: Record<string, string | null> = {}
  for (const column of ['Maturity', 'Accrual Date']) {
    const text = textIn(get(column))
    days[column] = text === null ? null : dateIn(text)
    if (text !== null && days[column] === null) return `${column}: ${JSON.stringify(text)} is not a date`
  }
  const isinText = textIn(get('ISIN'))?.toUpperCase() ?? null
  const isin = isinText !== null && isIsin(isinText) ? isinText : null
  const cusip = repairCusip(textIn(get('CUSIP')) ?? '', isin)
  const coupon = memberOf(numbers, 'Coupon (%)')
  const id = {
    cusip,
    isin,
    bond_id: cusip === null && isin === null ? listedId(name, coupon, days['Maturity'] ?? null) : null,
  }
  const currency = textIn(get('Market Currency')) ?? textIn(get('Currency'))
  const bond: Output = {
    dataset: 'bonds',
    values: {
      ...id,
      name,
      issuer_name: name,
      sector,
      coupon_rate: coupon,
      coupon_rounded: coupon === null ? null : true,
      maturity_date: days['Maturity'],
      accrual_date: days['Accrual Date'],
      currency,
      known_from,
    },
  }
  const price = memberOf(numbers, 'Price')
  if (price === null || price === 0) return [bond]
  return [
    bond,
    {
      dataset: 'prices',
      values: {
        ...id,
        price_date: date,
        price,
        price_basis: 'clean',
        price_source: 'fund_mark',
        accrued: accruedIn(numbers),
        trade_count: 0,
        currency,
        published_ytm: numbers['YTM (%)'],
        published_ytw: numbers['Yield to Worst (%)'],
        published_duration: numbers['Mod. Duration'],
        published_spread: SPREADS.map(name => numbers[name]).find(value => value != null) ?? null,
        list_name,
        known_from,
      },
    },
  ]
}

/** Spreads over Treasuries or a swap curve, as exports name them; basis points. */
const SPREADS = [
  'Spread (bp)',
  'Spread (bps)',
  'OAS (bp)',
  'OAS (bps)',
  'Option Adjusted Spread',
  'OAS',
] as const

const FIGURES = [
  'Market Value',
  'Par Value',
  'Price',
  'Coupon (%)',
  'YTM (%)',
  'Yield to Worst (%)',
  'Mod. Duration',
  'FX Rate',
  ...SPREADS,
] as const

// Prices have two decimals, so market value over par less price may be this far below zero accrued.
const PRICE_ROUNDING = 0.0051

/**
 * Market value over par less price, in percent of par; null if that is not at most a year's interest, or value and
 * par are in different currencies.
 */
function accruedIn(numbers: Readonly<Record<string, number | null>>): number | null {
  const [value, par, price, coupon] = [
    numbers['Market Value'],
    numbers['Par Value'],
    numbers['Price'],
    numbers['Coupon (%)'],
  ]
  if (value == null || !par || price == null || coupon == null || (numbers['FX Rate'] ?? 1) !== 1) return null
  const accrued = (value / par) * 100 - price
  const isSane = accrued >= -PRICE_ROUNDING && accrued <= coupon + 2 * PRICE_ROUNDING
  return isSane ? Math.round(accrued * 1e6) / 1e6 : null
}
