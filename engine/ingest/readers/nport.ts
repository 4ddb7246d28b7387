import { SaxesParser } from 'saxes'
import { firstOf } from '../../base/elements.ts'
import { formatDay, parseDay } from '../../credit/calendar.ts'
import { cusipFromIsin, isCusip, isIsin, isLei } from '../../credit/identifiers.ts'
import { indexEntry } from './filing-index.ts'
import { type Basis, BasisTest } from './price-basis.ts'
import { type Output, type Reader, Refused, type SourceFile } from './reader.ts'
import { dateIn, numberIn } from './source-cells.ts'

/** A reported holding: the text of its elements by name, nested ones (`debtSec/maturityDt`) by path. */
interface Holding {
  readonly at: string
  readonly raw: string
  readonly fields: Readonly<Record<string, string>>
}

interface Report {
  /** The day of the holdings. */
  readonly date: string
  readonly fund: string
}

/** Days from a report's period to its publication, where no index beside it gives the filing date. */
const PUBLIC_AFTER = 60

export const nport: Reader = {
  kind: 'nport',
  doc: 'SEC Form N-PORT, the monthly portfolio of a fund, XML: corporate bonds and loans with the marks of the fund.',
  recognises: file =>
    /<(?:[\w.-]+:)?edgarSubmission\b[^<>]*sec\.gov\/edgar\/nport\b/.test(file.head.slice(0, 4096)),

  async read(file, sink, options) {
    const waiting: Holding[] = []
    let test = new BasisTest()
    const coupons = new CouponTest()
    let report: Report | undefined
    let basis: Basis | undefined
    const tally = { unpriced: 0, unnamed: 0 }
    const known = options.known_from ?? (await indexEntry(file.name))?.filed

    const give = async (holding: Holding, basis: Basis, report: Report) => {
      const known_from = known ?? formatDay(parseDay(report.date) + PUBLIC_AFTER)
      const made = outputsOf(holding.fields, {
        price_date: report.date,
        price_basis: basis,
        known_from,
        list_name: report.fund,
      })
      if (typeof made === 'string') return sink.refuse(holding.at, holding.raw, made)
      if (made.length === 1) tally.unpriced++
      if (firstOf(made).values['bond_id'] !== null) tally.unnamed++
      return sink.take(holding.at, made)
    }
    const settle = async (report: Report) => {
      if (coupons.areFractions) {
        sink.note(
          `${report.fund}, holdings of ${report.date}: coupons are fractions (${coupons.largest} at most), read as percent`,
        )
        test = new BasisTest()
        for (const [i, holding] of waiting.entries()) {
          waiting[i] = inPercent(holding)
          addTo(test, waiting[i].fields, report.date)
        }
      }
      basis = test.decide()
      if (waiting.length > 0)
        sink.note(
          `${report.fund}, holdings of ${report.date}: ${test.explain(basis, 'as the form requires')}`,
        )
      for (const holding of waiting.splice(0)) await give(holding, basis, report)
    }

    for await (const event of holdings(file)) {
      if ('date' in event) {
        report = event
        continue
      }
      if (!report) throw new Refused('the report does not give its date (repPdDate) before its holdings')
      const why = notCorporateDebt(event.fields)
      if (why !== null) await sink.refuse(event.at, event.raw, why)
      else if (basis) await give(coupons.areFractions ? inPercent(event) : event, basis, report)
      else {
        waiting.push(event)
        coupons.add(event.fields)
        addTo(test, event.fields, report.date)
        if (test.isEnough) await settle(report)
      }
    }
    if (!report) throw new Refused('the report does not give its date (repPdDate)')
    if (!basis) await settle(report)
    if (tally.unpriced > 0)
      sink.note(
        `${tally.unpriced} holdings have no price (no balance or no value): their bonds are taken without one`,
      )
    if (tally.unnamed > 0)
      sink.note(
        `${tally.unnamed} instruments have neither CUSIP nor ISIN: they are identified by issuer, title and maturity`,
      )
  },
}

/** The report's date once known, then each holding, streamed. */
async function* holdings(file: SourceFile): AsyncGenerator<Report | Holding> {
  const parser = new SaxesParser()
  const found: (Report | Holding)[] = []
  const path: string[] = []
  const envelope: Record<string, string> = {}
  let fields: Record<string, string> | undefined
  let raw = ''
  let text = ''
  let holdingDepth = 0
  let count = 0

  parser.on('opentag', ({ name, attributes, isSelfClosing }) => {
    const element = localName(name)
    path.push(element)
    text = ''
    if (element === 'invstOrSec' && !fields) {
      if (count++ === 0) found.push(reportOf(envelope))
      fields = {}
      raw = ''
      holdingDepth = path.length
    }
    if (!fields) return
    raw += `<${element}`
    for (const [key, value] of Object.entries(attributes as Record<string, string>)) {
      raw += ` ${key}="${escaped(value)}"`
      keep(fields, `${path.slice(holdingDepth).join('/')}@${localName(key)}`, value)
    }
    raw += isSelfClosing ? '/>' : '>'
  })
  parser.on('text', part => {
    text += part
  })
  parser.on('cdata', part => {
    text += part
  })
  parser.on('closetag', ({ name, isSelfClosing }) => {
    const element = localName(name)
    const value = text.trim()
    text = ''
    if (fields) {
      if (!isSelfClosing) raw += `${escaped(value)}</${element}>`
      if (path.length === holdingDepth) {
        found.push({ at: `invstOrSec ${count}`, raw, fields })
        fields = undefined
      } else if (value !== '') keep(fields, path.slice(holdingDepth).join('/'), value)
    } else if (value !== '' && count === 0) keep(envelope, element, value)
    path.pop()
  })
  parser.on('error', error => {
    throw new Refused(`not well-formed XML (${error.message}): fetch the file again`)
  })

  const source = await file.open()
  source.setEncoding('utf8')
  let begun = false
  for await (const chunk of source as AsyncIterable<string>) {
    // Some filed reports begin with a blank line or byte order mark, which no XML declaration may follow.
    const part: string = begun ? chunk : chunk.replace(/^[\s\uFEFF]+/, '')
    begun ||= part !== ''
    parser.write(part)
    yield* found.splice(0)
  }
  parser.close()
  if (count === 0) found.push(reportOf(envelope))
  yield* found
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The first value of a name is used: derivatives repeat names further down. */
function keep(fields: Record<string, string>, name: string, value: string): void {
  fields[name] ??= value
}

function reportOf(envelope: Readonly<Record<string, string>>): Report {
  const date = dateIn(envelope['repPdDate'])
  if (date === null) throw new Refused('the report does not give the date of its holdings (repPdDate)')
  const name = [envelope['regName'], envelope['seriesName']].filter(part => part && part !== 'N/A')
  return { date, fund: name.join(', ') || 'a fund' }
}

const ASSETS: Readonly<Record<string, string>> = {
  STIV: 'a short-term investment vehicle (cash fund, deposit or bill)',
  RA: 'a repurchase agreement',
  EC: 'common equity',
  EP: 'preferred equity',
  DCO: 'a commodity derivative',
  DCR: 'a credit derivative',
  DE: 'an equity derivative',
  DFE: 'a foreign exchange derivative',
  DIR: 'an interest rate derivative',
  DO: 'a derivative',
  SN: 'a structured note',
  'ABS-MBS': 'mortgage-backed',
  'ABS-APCP': 'asset-backed commercial paper',
  'ABS-CBDO': 'a collateralized bond or debt obligation',
  'ABS-O': 'asset-backed',
  COMM: 'a commodity',
  RE: 'real estate',
}

const ISSUERS: Readonly<Record<string, string>> = {
  UST: 'the US Treasury',
  USGA: 'a US government agency',
  USGSE: 'a US government sponsored enterprise',
  MUN: 'a municipality',
  NUSS: 'a sovereign or supranational',
  PF: 'a private fund',
  RF: 'a registered fund',
}

/** Why a holding is not corporate debt held long, or null if it is. */
function notCorporateDebt(fields: Holding['fields']): string | null {
  const asset = fields['assetCat'] ?? fields['assetConditional@assetCat'] ?? 'none'
  const described = fields['assetConditional@desc']
  const isDebt =
    asset === 'DBT' || asset === 'LON' || (described !== undefined && isDebtInWords(described, fields))
  if (!isDebt) {
    const what = ASSETS[asset] ?? (described ? `described as ${JSON.stringify(described)}` : 'not debt')
    return `not a corporate bond or loan: asset category ${asset}, ${what}`
  }
  const issuer = fields['issuerCat'] ?? fields['issuerConditional@issuerCat'] ?? 'none'
  const issuerSaid = fields['issuerConditional@desc'] ?? ''
  if (issuer !== 'CORP' && !(issuer === 'OTHER' && /\breits?\b|real estate investment/i.test(issuerSaid))) {
    const who =
      ISSUERS[issuer] ?? (issuerSaid ? `described as ${JSON.stringify(issuerSaid)}` : 'not a company')
    return `not a corporate issuer: issuer category ${issuer}, ${who}`
  }
  const units = fields['units'] ?? 'none'
  if (units !== 'PA') return `held in units ${units}, not as a principal amount (PA)`
  if (fields['payoffProfile'] === 'Short' || Number(fields['balance']) < 0) return 'a short position'
  if (fields['derivativeInfo/derivAddlInfo/name'] !== undefined) return 'a derivative'
  return null
}

const isDebtInWords = (described: string, fields: Holding['fields']): boolean =>
  /\b(loans?|bonds?|notes?|debentures?|debt)\b/i.test(described) &&
  !/asset.?backed|mortgage|collateral|structured|linked|repurchase|derivative|swap|municipal/i.test(
    described,
  ) &&
  fields['debtSec/maturityDt'] !== undefined

// Filers also write Fixed for bonds that float or reset later, so it does not describe the whole life.
const RATE_TYPES: Readonly<Record<string, { rate_type: string; rate_structure: string | null }>> = {
  fixed: { rate_type: 'fixed', rate_structure: null },
  floating: { rate_type: 'floating', rate_structure: 'floating' },
  variable: { rate_type: 'floating', rate_structure: 'floating' },
  none: { rate_type: 'fixed', rate_structure: 'zero' },
}

/** In default, or in arrears. */
const isUnpaid = (fields: Holding['fields']): boolean =>
  fields['debtSec/isDefault'] === 'Y' || fields['debtSec/areIntrstPmntsInArrs'] === 'Y'

/** Only the title tells what kind of loan it is. */
function loanKind(title: string): string | null {
  if (/\brevolv|\brcf\b/i.test(title)) return 'revolver'
  if (/\bterm (loan )?b\d*\b|\btlb\d*\b/i.test(title)) return 'term_loan_b'
  if (/\bterm (loan )?a\d*\b|\btla\d*\b/i.test(title)) return 'term_loan_a'
  return /\bterm loan\b|\btl\b/i.test(title) ? 'term_loan' : null
}

interface Mark {
  readonly price_date: string
  readonly price_basis: Basis
  readonly known_from: string
  readonly list_name: string
}

/** The bond and its mark, the bond alone if no price can be formed, or why the holding is refused. */
function outputsOf(fields: Holding['fields'], mark: Mark): Output[] | string {
  const upper = (name: string) => fields[name]?.toUpperCase() ?? ''
  const title = said(fields['title'])
  const issuer = said(fields['name'])
  const isin = isIsin(upper('identifiers/isin@value')) ? upper('identifiers/isin@value') : null
  const cusip =
    isCusip(upper('cusip')) && !/^0+$/.test(upper('cusip')) ? upper('cusip') : isin && cusipFromIsin(isin)
  const lei = isLei(upper('lei')) ? upper('lei') : null
  const maturityText = said(fields['debtSec/maturityDt'])
  const maturity = dateIn(maturityText ?? '')
  if (maturityText !== null && maturity === null) return `maturityDt ${maturityText} is not a date`
  const rate = numberIn(fields['debtSec/annualizedRt'])
  if (Number.isNaN(rate)) return `annualizedRt ${fields['debtSec/annualizedRt']} is not a number`
  const kind = fields['debtSec/couponKind']?.toLowerCase() ?? ''
  // A zero-coupon paper with a stated rate is contradictory: it is often the yield at purchase.
  const isUnclear = kind === 'none' && rate !== null && rate !== 0
  const type = (isUnclear ? undefined : RATE_TYPES[kind]) ?? { rate_type: null, rate_structure: null }
  const coupon = isUnclear ? null : kind === 'none' ? 0 : rate
  const isLoan = (fields['assetCat'] ?? '') === 'LON' || /\bloan/i.test(fields['assetConditional@desc'] ?? '')
  const currency = said(fields['curCd']) ?? said(fields['currencyConditional@curCd'])
  if (cusip === null && isin === null && issuer === null && title === null)
    return 'no CUSIP, ISIN, name or title: the bond cannot be identified'
  const id = {
    cusip,
    isin,
    bond_id:
      cusip === null && isin === null
        ? [lei ?? issuer, title, type.rate_type === 'floating' ? null : coupon, maturity, currency]
            .map(part => part ?? '')
            .join('|')
            .toUpperCase()
        : null,
  }
  const terms: Output = {
    dataset: 'bonds',
    values: {
      ...id,
      name: title ?? issuer,
      issuer_name: issuer ?? title,
      issuer_lei: lei,
      coupon_rate: coupon,
      ...type,
      maturity_date: maturity,
      instrument_type: isLoan
        ? loanKind(title ?? '')
        : fields['debtSec/isMandatoryConvrtbl'] === undefined
          ? null
          : 'convertible_notes',
      currency,
      status: isUnpaid(fields) ? 'defaulted' : null,
      status_date: isUnpaid(fields) ? mark.price_date : null,
      restricted: fields['isRestrictedSec'] === undefined ? null : fields['isRestrictedSec'] === 'Y',
      known_from: mark.known_from,
    },
  }
  const price = priceOf(fields)
  if (price === null || price <= 0) return [terms]
  if (price > 1000)
    return `value ${fields['valUSD']} for a balance of ${fields['balance']} is ${price.toFixed(2)} % of par`
  return [
    terms,
    {
      dataset: 'prices',
      values: {
        ...id,
        ...mark,
        price: Math.round(price * 1e6) / 1e6,
        price_source: 'fund_mark',
        trade_count: 0,
        currency,
      },
    },
  ]
}

function said(text: string | undefined): string | null {
  return text === undefined || /^(n\/?a|none|xx+|-*)$/i.test(text.trim()) ? null : text.trim()
}

/** Value over balance in percent of par, in the bond's own currency; null without a balance or a value. */
function priceOf(fields: Holding['fields']): number | null {
  const balance = numberIn(fields['balance'])
  const value = numberIn(fields['valUSD'])
  const rate = numberIn(fields['currencyConditional@exchangeRt']) ?? 1
  if (balance === null || value === null) return null
  const price = ((value * rate) / balance) * 100
  return Number.isFinite(price) ? price : null
}

/** Adds a holding to the test of the basis, if it is a fixed-rate bond in dollars with a value. */
function addTo(test: BasisTest, fields: Holding['fields'], date: string): void {
  const price = priceOf(fields)
  const coupon = numberIn(fields[RATE])
  const maturity = dateIn(fields['debtSec/maturityDt'])
  const isUsd = fields['currencyConditional@exchangeRt'] === undefined
  if (price === null || !coupon || maturity === null || !isUsd || fields['debtSec/couponKind'] !== 'Fixed')
    return
  test.add({ price, par: Number(fields['balance']), coupon, maturity, date })
}

const FEWEST_COUPONS = 10
/** No fund has only bonds with coupons below this many percent; as a fraction it is a coupon of 30 percent. */
const LARGEST_FRACTION = 0.3

/** Whether a fund gives coupons as fractions (0.0525) where the form asks for percent. */
class CouponTest {
  private count = 0
  largest = 0

  add(fields: Holding['fields']): void {
    const rate = numberIn(fields[RATE])
    if (rate === null || !(rate > 0) || fields['debtSec/couponKind'] !== 'Fixed') return
    this.count++
    this.largest = Math.max(this.largest, rate)
  }

  get areFractions(): boolean {
    return this.count >= FEWEST_COUPONS && this.largest < LARGEST_FRACTION
  }
}

const RATE = 'debtSec/annualizedRt'

/** A holding whose coupon is a fraction, with the coupon in percent. */
function inPercent(holding: Holding): Holding {
  const rate = numberIn(holding.fields[RATE])
  if (rate === null || Number.isNaN(rate)) return holding
  return { ...holding, fields: { ...holding.fields, [RATE]: String(Math.round(rate * 1e10) / 1e8) } }
}
