import { elementAt } from '../../base/elements.ts'
import { addBusinessDays, formatDay, parseDay } from '../../credit/calendar.ts'
import { PERPETUAL_DAY } from '../../credit/display-name.ts'
import { csvRecords, headerOf } from './csv-records.ts'
import { NOT_CORPORATE } from './holding-kinds.ts'
import { listedId, listNameOf } from './list-name.ts'
import { type Output, type Reader, Refused, type SourceFile } from './reader.ts'
import { dateIn, numberIn, textIn } from './source-cells.ts'

/** Column names of such lists, in lower case with `_` for everything but letters and digits. */
const NAMES = {
  name: ['name', 'issuer', 'issuer_name', 'security', 'security_name', 'bond', 'bond_name', 'description'],
  maturity: ['maturity', 'maturity_date'],
  price: ['price', 'clean_price', 'mid_price', 'last_price', 'close_price', 'close'],
  coupon: ['coupon', 'coupon_rate', 'coupon_pct', 'cpn'],
  ytm: ['ytm', 'ytm_pct', 'yield', 'yield_pct', 'yield_to_maturity'],
  ytw: ['ytw', 'ytw_pct', 'yield_to_worst'],
  spread: ['spread', 'spread_bp', 'spread_bps', 'oas', 'oas_bp', 'oas_bps', 'g_spread', 'z_spread'],
  duration: ['mod_duration', 'modified_duration'],
  sector: ['sector'],
  location: ['location', 'country'],
  currency: ['currency', 'ccy', 'market_currency'],
  list: ['etf', 'etf_code', 'fund', 'fund_name', 'list', 'list_name', 'portfolio'],
  priced: ['price_date', 'pricing_date', 'valuation_date', 'as_of', 'as_of_date', 'date'],
  pulled: ['date_of_pull', 'pull_date', 'pulled', 'retrieved', 'retrieved_on', 'download_date'],
} as const
type Field = keyof typeof NAMES
const IDENTIFIERS = ['cusip', 'isin', 'sedol', 'figi', 'bond_id']

const plainName = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')

/** The column of each field in a header. */
function fieldsOf(header: readonly string[]): Partial<Record<Field, number>> {
  const names = header.map(plainName)
  const found: Partial<Record<Field, number>> = {}
  for (const [field, called] of Object.entries(NAMES) as [Field, readonly string[]][]) {
    const at = called.map(name => names.indexOf(name)).find(i => i >= 0)
    if (at !== undefined) found[field] = at
  }
  return found
}

function isPriceList(file: SourceFile): boolean {
  const header = headerOf(file)
  const fields = fieldsOf(header)
  const needed = fields.name !== undefined && fields.maturity !== undefined && fields.price !== undefined
  return needed && !header.some(cell => IDENTIFIERS.includes(plainName(cell)))
}

/** The part of a line that identifies its day and bond. */
interface Line {
  readonly list: string
  /** The day given by the list: of the prices, or of the retrieval. */
  readonly day: string | null
  readonly key: string
  readonly price: number | null
}

/** The close that a list shows, and when it could first be known. */
interface Close {
  readonly date: string
  readonly known_from: string
}

/** If a smaller share of prices changed, the list still shows the previous close. */
const LEAST_CHANGED = 0.1

export const priceList: Reader = {
  kind: 'price-list',
  doc: 'Prices of bonds without CUSIP or ISIN, by issuer, maturity and optionally coupon, CSV; several days and funds in one file.',
  recognises: isPriceList,

  async read(file, sink, options) {
    let fields: Partial<Record<Field, number>> | undefined
    const lines: Line[] = []
    const list = listNameOf(file.name)
    for await (const { cells } of csvRecords(file)) {
      if (fields) lines.push(lineOf(reader(fields, cells), list))
      else fields = fieldsOf(cells)
    }
    if (!fields) return
    if (fields.priced === undefined && fields.pulled === undefined && options.date === undefined)
      throw new Refused('the file does not give its day: add --date YYYY-MM-DD')
    const closes = fields.pulled !== undefined && fields.priced === undefined ? closesOf(lines) : null
    const counts = new Map<string, number>()
    for (const line of lines) counts.set(lineKey(line), (counts.get(lineKey(line)) ?? 0) + 1)
    for (const note of notesOf(closes, fields)) sink.note(note)

    const named = new Set<string>()
    let at = 0
    let isHeader = true
    for await (const record of csvRecords(file)) {
      if (isHeader) {
        isHeader = false
        continue
      }
      const line = elementAt(lines, at++)
      const get = reader(fields, record.cells)
      const close = closes
        ? closes.get(`${line.list}|${line.day}`)
        : closeOn(line.day ?? options.date ?? null)
      const isAlone = counts.get(lineKey(line)) === 1
      const made = close
        ? outputsOf(
            get,
            line,
            { ...close, ...(options.known_from && { known_from: options.known_from }) },
            isAlone,
          )
        : `the day ${JSON.stringify(get('pulled') ?? get('priced') ?? '')} is not a date`
      if (typeof made === 'string') {
        await sink.refuse(record.at, record.raw, made)
        continue
      }
      // A bond's terms are the same on every day of the file.
      const [terms, ...prices] = made
      await sink.take(record.at, named.has(line.key) && prices.length > 0 ? prices : [terms!, ...prices])
      named.add(line.key)
    }
  },
}

type Get = (field: Field) => string | undefined

const reader =
  (fields: Partial<Record<Field, number>>, cells: readonly string[]): Get =>
  field => {
    const at = fields[field]
    return at === undefined ? undefined : cells[at]
  }

const lineKey = ({ list, day, key }: Line): string => `${list}|${day}|${key}`

function lineOf(get: Get, list: string): Line {
  const price = numberIn(get('price'))
  return {
    list: textIn(get('list')) ?? list,
    day: dateIn(get('priced')) ?? dateIn(get('pulled')),
    key: listedId(textIn(get('name')) ?? '', couponIn(get), dateIn(get('maturity'))),
    price: price === null || Number.isNaN(price) ? null : price,
  }
}

const couponIn = (get: Get): number | null => {
  const coupon = numberIn(get('coupon'))
  return Number.isNaN(coupon) ? null : coupon
}

/** The close of a business day is public on the next one. */
const closeOn = (date: string | null): Close | undefined =>
  date === null ? undefined : { date, known_from: formatDay(addBusinessDays(parseDay(date), 1)) }

/**
 * The close shown by each retrieval of each list. A fund publishes the close of the previous business day; a list
 * whose prices equal those of the retrieval before still shows that one's close.
 */
function closesOf(lines: readonly Line[]): Map<string, Close> {
  const closes = new Map<string, Close>()
  const byList = new Map<string, Map<string, Map<string, number | null>>>()
  for (const { list, day, key, price } of lines) {
    if (day === null) continue
    const days = byList.get(list) ?? new Map<string, Map<string, number | null>>()
    byList.set(list, days)
    const prices = days.get(day) ?? new Map<string, number | null>()
    days.set(day, prices)
    prices.set(key, price)
  }
  for (const [list, days] of byList) {
    let before: { prices: Map<string, number | null>; close: Close } | undefined
    for (const [day, prices] of [...days].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const isSame = before !== undefined && changedShare(before.prices, prices) < LEAST_CHANGED
      const close = isSame
        ? before!.close
        : { date: formatDay(addBusinessDays(parseDay(day), -1)), known_from: day }
      closes.set(`${list}|${day}`, close)
      before = { prices, close }
    }
  }
  return closes
}

/** The share of the common bonds whose price differs; 1 if they have none in common. */
function changedShare(before: Map<string, number | null>, now: Map<string, number | null>): number {
  let [common, changed] = [0, 0]
  for (const [key, price] of now) {
    if (!before.has(key)) continue
    common++
    if (before.get(key) !== price) changed++
  }
  return common === 0 ? 1 : changed / common
}

function notesOf(closes: Map<string, Close> | null, fields: Partial<Record<Field, number>>): string[] {
  const notes = []
  if (closes) {
    const days = new Set([...closes.values()].map(({ date }) => date))
    const shown = `${closes.size} ${closes.size === 1 ? 'retrieval shows' : 'retrievals show'} ${days.size} ${days.size === 1 ? 'close' : 'closes'}`
    notes.push(
      `${shown}: the last business day before each, or that of the retrieval before where its prices are the same`,
    )
  }
  if (fields.coupon === undefined)
    notes.push(
      'the list has no coupons: its bonds have prices but no yields, unless joined to bonds with terms',
    )
  if (fields.location !== undefined)
    notes.push('state-owned companies (sector Agency outside the United States) count as corporate')
  return notes
}

function outputsOf(get: Get, line: Line, { date, known_from }: Close, isAlone: boolean): Output[] | string {
  const name = textIn(get('name'))
  const sector = textIn(get('sector'))
  const location = textIn(get('location'))
  if (name === null) return 'not a bond: no name'
  const isStateOwned = /^agenc/i.test(sector ?? '') && location !== null && !/^united states/i.test(location)
  if (sector !== null && NOT_CORPORATE.test(sector) && !isStateOwned)
    return `not corporate debt: sector ${sector}`
  const maturityText = textIn(get('maturity'))
  const maturity = maturityText === null ? null : dateIn(maturityText)
  if (maturityText === null) return 'not a bond: no maturity'
  if (maturity === null) return `maturity ${JSON.stringify(maturityText)} is not a date`
  if (!isAlone)
    return 'several lines of this day have the same name, coupon and maturity: these bonds cannot be distinguished'
  const numbers: Partial<Record<Field, number | null>> = {}
  for (const field of ['price', 'coupon', 'ytm', 'ytw', 'spread', 'duration'] as const) {
    const value = numberIn(get(field))
    if (Number.isNaN(value)) return `${field}: ${JSON.stringify(get(field))} is not a number`
    numbers[field] = value
  }
  const currency = textIn(get('currency'))
  const id = { cusip: null, isin: null, bond_id: line.key }
  const bond: Output = {
    dataset: 'bonds',
    values: {
      ...id,
      name,
      issuer_name: name,
      sector,
      coupon_rate: numbers.coupon ?? null,
      maturity_date: maturity === PERPETUAL_DAY ? null : maturity,
      currency,
      known_from,
    },
  }
  if (numbers.price == null || numbers.price === 0) return [bond]
  return [
    bond,
    {
      dataset: 'prices',
      values: {
        ...id,
        price_date: date,
        price: numbers.price,
        price_basis: 'clean',
        price_source: 'fund_mark',
        trade_count: 0,
        currency,
        published_ytm: numbers.ytm ?? null,
        published_ytw: numbers.ytw ?? null,
        published_duration: numbers.duration ?? null,
        published_spread: numbers.spread ?? null,
        list_name: line.list,
        known_from,
      },
    },
  ]
}
