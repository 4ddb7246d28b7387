import { firstOf } from '../../base/elements.ts'
import { cusipFromIsin, isCusip, isIsin, isLei } from '../../credit/identifiers.ts'
import { type Basis, BasisTest } from './price-basis.ts'
import type { Output, Sink } from './reader.ts'
import { dateIn, numberIn } from './source-cells.ts'

/**
 * A holding of Form N-PORT, wherever it was published: the text of its elements by name, nested ones
 * (`debtSec/maturityDt`) by path.
 */
export interface Holding {
  readonly at: string
  readonly raw: string
  readonly fields: Readonly<Record<string, string>>
}

export interface Report {
  /** The day of the holdings. */
  readonly date: string
  readonly fund: string
  readonly known_from: string
}

/** The registrant and its series, as far as they have names. */
export const fundName = (...names: readonly (string | undefined)[]): string =>
  names.filter(name => name && name !== 'N/A').join(', ') || 'a fund'

/** Holdings of reports of which something is said to the user. */
export interface Tally {
  unpriced: number
  unnamed: number
}

/**
 * The corporate debt of one report, in the order of the report. What depends on several holdings (values with or without
 * accrued interest, coupons as fractions) is decided once enough were added; until then they wait.
 */
export class ReportedDebt {
  private readonly report: Report
  private readonly sink: Sink
  private readonly tally: Tally
  private readonly waiting: Holding[] = []
  private readonly coupons = new CouponTest()
  private test = new BasisTest()
  private basis: Basis | undefined

  constructor(report: Report, sink: Sink, tally: Tally) {
    this.report = report
    this.sink = sink
    this.tally = tally
  }

  add(holding: Holding): void | Promise<void> {
    if (this.basis) return this.give(this.coupons.areFractions ? inPercent(holding) : holding, this.basis)
    this.waiting.push(holding)
    this.coupons.add(holding.fields)
    addTo(this.test, holding.fields, this.report.date)
    return this.test.isEnough ? this.decide() : undefined
  }

  /** Once, after the last holding. */
  async end(): Promise<void> {
    if (!this.basis) await this.decide()
  }

  /** What was decided, in sentences; nothing of a report without corporate debt. */
  get notes(): string[] {
    const { fund, date } = this.report
    const of = `${fund}, holdings of ${date}`
    return [
      ...(this.coupons.areFractions
        ? [`${of}: coupons are fractions (${this.coupons.largest} at most), read as percent`]
        : []),
      ...(this.isEmpty ? [] : [`${of}: ${this.test.explain(this.priceBasis, 'as the form requires')}`]),
    ]
  }

  get isEmpty(): boolean {
    return this.coupons.seen === 0
  }

  get hasFractions(): boolean {
    return this.coupons.areFractions
  }

  get priceBasis(): Basis {
    return this.basis ?? 'clean'
  }

  private async decide(): Promise<void> {
    if (this.coupons.areFractions) {
      this.test = new BasisTest()
      for (const [i, holding] of this.waiting.entries()) {
        const percent = inPercent(holding)
        this.waiting[i] = percent
        addTo(this.test, percent.fields, this.report.date)
      }
    }
    this.basis = this.test.decide()
    for (const holding of this.waiting.splice(0)) await this.give(holding, this.basis)
  }

  private give(holding: Holding, price_basis: Basis): void | Promise<void> {
    const { date, fund, known_from } = this.report
    const made = outputsOf(holding.fields, { price_date: date, price_basis, known_from, list_name: fund })
    if (typeof made === 'string') return this.sink.refuse(holding.at, holding.raw, made)
    if (made.length === 1) this.tally.unpriced++
    if (firstOf(made).values['bond_id'] !== null) this.tally.unnamed++
    return this.sink.take(holding.at, made)
  }
}

/** What is said of the holdings of all reports of a file. */
export const tallyNotes = ({ unpriced, unnamed }: Tally): string[] => [
  ...(unpriced > 0
    ? [
        `${unpriced} holdings have no price (no balance, value or exchange rate): their bonds are taken without one`,
      ]
    : []),
  ...(unnamed > 0
    ? [
        `${unnamed} instruments have neither CUSIP nor ISIN: they are identified by issuer, title and maturity`,
      ]
    : []),
]

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

/** Why a holding is not corporate debt held long, and what the fund says of it in its own words. */
export interface OtherHolding {
  readonly why: string
  readonly described?: string
}

export const sentence = ({ why, described }: OtherHolding): string =>
  described ? `${why}, described as ${JSON.stringify(described)}` : why

/** Null if a holding is corporate debt held long. */
export function notCorporateDebt(fields: Holding['fields']): OtherHolding | null {
  const asset = fields['assetCat'] ?? fields['assetConditional@assetCat'] ?? 'none'
  const described = fields['assetConditional@desc']
  const isDebt =
    asset === 'DBT' || asset === 'LON' || (described !== undefined && isDebtInWords(described, fields))
  if (!isDebt) {
    const category = `not a corporate bond or loan: asset category ${asset}`
    const known = ASSETS[asset]
    if (known === undefined && described) return { why: category, described }
    return { why: `${category}, ${known ?? 'not debt'}` }
  }
  const issuer = fields['issuerCat'] ?? fields['issuerConditional@issuerCat'] ?? 'none'
  const issuerSaid = fields['issuerConditional@desc'] ?? ''
  if (issuer !== 'CORP' && !(issuer === 'OTHER' && /\breits?\b|real estate investment/i.test(issuerSaid))) {
    const category = `not a corporate issuer: issuer category ${issuer}`
    const known = ISSUERS[issuer]
    if (known === undefined && issuerSaid) return { why: category, described: issuerSaid }
    return { why: `${category}, ${known ?? 'not a company'}` }
  }
  const units = fields['units'] ?? 'none'
  if (units !== 'PA') return { why: `held in units ${units}, not as a principal amount (PA)` }
  if (fields['payoffProfile'] === 'Short' || Number(fields['balance']) < 0) return { why: 'a short position' }
  if (isDerivative(fields)) return { why: 'a derivative' }
  return null
}

/** Whether a category and a kind of issuer leave open that a holding is corporate debt. */
export const mayBeCorporateDebt = (asset: string, issuer: string): boolean =>
  !(asset in ASSETS) && !(issuer in ISSUERS)

const isDerivative = (fields: Holding['fields']): boolean =>
  fields['derivativeInfo/derivAddlInfo/name'] !== undefined ||
  Object.keys(fields).some(name => name.startsWith('derivativeInfo/') && name.endsWith('@derivCat'))

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

/**
 * Value over balance in percent of par, in the bond's own currency; null without a balance or a value. Values are in
 * dollars and balances in the bond's currency, so without an exchange rate only bonds in dollars have a price.
 */
function priceOf(fields: Holding['fields']): number | null {
  const balance = numberIn(fields['balance'])
  const value = numberIn(fields['valUSD'])
  const isForeign = !/^(USD|N\/?A)$/.test(fields['curCd'] ?? fields['currencyConditional@curCd'] ?? 'USD')
  const rate = numberIn(fields['currencyConditional@exchangeRt']) ?? (isForeign ? null : 1)
  if (balance === null || value === null || rate === null) return null
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
  /** Holdings, with or without a coupon. */
  seen = 0

  add(fields: Holding['fields']): void {
    this.seen++
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
