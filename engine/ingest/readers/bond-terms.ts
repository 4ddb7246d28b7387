import { isCusip, isIsin, repairCusip } from '../../credit/identifiers.ts'
import { cellsByName, csvRecords, headerOf } from './csv-records.ts'
import { type Output, type Reader, Refused } from './reader.ts'
import { dateIn, numberIn, textIn } from './source-cells.ts'

/** Columns of Mergent FISD's issues, and of WRDS Bond Returns, which adds a price a month. */
const NAMES = {
  cusip: ['complete_cusip', 'cusip', 'cusip_id'],
  isin: ['isin'],
  issuerCusip: ['issuer_cusip'],
  issueCusip: ['issue_cusip'],
  issuer: ['prospectus_issuer_name', 'issuer_name', 'cusip_name', 'agent_name'],
  issue: ['issue_name'],
  ticker: ['company_symbol'],
  coupon: ['coupon'],
  couponType: ['coupon_type'],
  frequency: ['interest_frequency', 'ncoups'],
  dayCount: ['day_count_basis'],
  maturity: ['maturity'],
  offered: ['offering_date'],
  dated: ['dated_date'],
  level: ['security_level'],
  amount: ['offering_amt'],
  outstanding: ['amount_outstanding'],
  redeemable: ['redeemable'],
  rule144a: ['rule_144a'],
  convertible: ['convertible', 'conv'],
  type: ['bond_type'],
  foreign: ['foreign_currency'],
  priced: ['t_date'],
  price: ['price_eom'],
  yield: ['yield'],
} as const
type Name = keyof typeof NAMES
type Get = (name: Name) => string | undefined

export const bondTerms: Reader = {
  kind: 'bond-terms',
  doc: 'Terms of bonds as in the issues of Mergent FISD, and the monthly prices of WRDS Bond Returns, CSV with their column names.',
  recognises: file => {
    const names = headerOf(file).map(name => name.toLowerCase())
    const has = (...any: string[]) => any.some(name => names.includes(name))
    return (
      has('complete_cusip', 'cusip', 'issue_cusip') &&
      has('coupon') &&
      has('maturity') &&
      has('offering_date') &&
      has('issue_id')
    )
  },

  async read(file, sink) {
    let get: ((cells: readonly string[]) => Get) | undefined
    let width = 0
    const named = new Set<string>()
    for await (const { at, cells, raw } of csvRecords(file)) {
      if (!get) {
        get = cellsByName(NAMES, cells)
        width = cells.length
        continue
      }
      const made = cells.length === width ? outputsOf(get(cells)) : `has ${cells.length} cells, not ${width}`
      if (typeof made === 'string') {
        await sink.refuse(at, raw, made)
        continue
      }
      // The terms of a bond are the same in each month of the file.
      const [terms, ...prices] = made
      const key = JSON.stringify(terms)
      await sink.take(at, named.has(key) && prices.length > 0 ? prices : made)
      named.add(key)
    }
    if (!get) throw new Refused('no header')
  },
}

/** A day as in other sources, or as SAS writes it: `15MAR2026`, `2026/03/15`. */
const dayIn = (text: string | undefined): string | null =>
  dateIn(
    text
      ?.replace(/^(\d{1,2})([A-Za-z]{3})(\d{4})$/, '$1-$2-$3')
      .replace(/^(\d{4})\/(\d{2})\/(\d{2})$/, '$1-$2-$3'),
  )

const FREQUENCIES = new Set([1, 2, 4, 12])
const DAY_COUNTS: Readonly<Record<string, string>> = {
  '30/360': '30/360',
  'ACT/360': 'ACT/360',
  'ACT/365': 'ACT/365',
  'ACT/ACT': 'ACT/ACT',
}
const COUPON_TYPES: Readonly<Record<string, { rate_type: string; rate_structure: string | null }>> = {
  F: { rate_type: 'fixed', rate_structure: null },
  V: { rate_type: 'floating', rate_structure: null },
  Z: { rate_type: 'fixed', rate_structure: 'zero' },
}
/** Levels as FISD abbreviates them: SENS is senior subordinate, SS senior secured. */
const LEVELS: Readonly<Record<string, string>> = {
  SEN: 'senior_unsecured',
  SS: 'senior_secured',
  SENS: 'subordinated',
  SUB: 'subordinated',
  JUN: 'subordinated',
  JUNS: 'subordinated',
}
/** Bond types of governments, agencies, municipalities, securitizations and preferred stock. */
const NOT_CORPORATE =
  /^(US(BD|BL|BN|NT|SI|SP|TC)|A(DEB|MTN|MTZ|RNT|SPZ|STRIP)|ABS|MBS|CMO|FGOV|FGS|SOV|MUNI|TXMU|PS|PSTK|CP)$/i

/** What is said of a bond: its terms, and its price if it has one; or why the row is refused. */
function outputsOf(get: Get): Output[] | string {
  const type = textIn(get('type'))
  if (type !== null && NOT_CORPORATE.test(type)) return `not corporate debt: bond type ${type}`
  const isinText = get('isin')?.toUpperCase() ?? ''
  const isin = isIsin(isinText) ? isinText : null
  const parts = `${get('issuerCusip') ?? ''}${get('issueCusip') ?? ''}`.toUpperCase()
  const cusip = repairCusip(get('cusip') ?? '', isin) ?? (isCusip(parts) ? parts : null)
  if (cusip === null && isin === null) return `CUSIP ${JSON.stringify(get('cusip') ?? parts)} is invalid`
  const numbers: Partial<Record<Name, number | null>> = {}
  for (const name of ['coupon', 'frequency', 'amount', 'outstanding', 'price', 'yield'] as const) {
    const value = numberIn(get(name))
    if (Number.isNaN(value)) return `${NAMES[name][0]}: ${JSON.stringify(get(name))} is not a number`
    numbers[name] = value
  }
  const days: Partial<Record<Name, string | null>> = {}
  for (const name of ['maturity', 'offered', 'dated', 'priced'] as const) {
    const text = get(name)
    days[name] = text === undefined ? null : dayIn(text)
    if (text !== undefined && days[name] === null)
      return `${NAMES[name][0]}: ${JSON.stringify(text)} is not a date`
  }
  const couponType = COUPON_TYPES[get('couponType')?.toUpperCase() ?? ''] ?? {
    rate_type: null,
    rate_structure: null,
  }
  const level = get('level')?.toUpperCase() ?? ''
  const issuer = textIn(get('issuer'))
  const id = { cusip, isin, bond_id: null }
  const currency = /^y/i.test(get('foreign') ?? '') ? null : 'USD'
  const terms: Output = {
    dataset: 'bonds',
    values: {
      ...id,
      ticker: textIn(get('ticker')),
      name: [issuer, textIn(get('issue'))].filter(part => part !== null).join(' ') || null,
      issuer_name: issuer,
      coupon_rate: couponType.rate_type === 'floating' ? null : (numbers.coupon ?? null),
      coupon_frequency: FREQUENCIES.has(numbers.frequency ?? 0) ? numbers.frequency : null,
      day_count: DAY_COUNTS[get('dayCount')?.toUpperCase() ?? ''] ?? null,
      ...couponType,
      maturity_date: days.maturity,
      issue_date: days.offered,
      accrual_date: days.dated,
      seniority: LEVELS[level] ?? null,
      instrument_type: /^(y|1)/i.test(get('convertible') ?? '') ? 'convertible_notes' : null,
      currency,
      principal: thousandsInCents(numbers.amount),
      callable: yesOrNo(get('redeemable')),
      restricted: yesOrNo(get('rule144a')),
    },
  }
  const price = numbers.price ?? null
  if (price === null || days.priced === null) return [terms]
  return [
    terms,
    {
      dataset: 'prices',
      values: {
        ...id,
        price_date: days.priced,
        price,
        price_basis: 'clean',
        price_source: 'vendor',
        currency,
        published_ytm: numbers.yield ?? null,
        list_name: 'WRDS Bond Returns',
      },
    },
  ]
}

/** FISD gives amounts in thousands. */
const thousandsInCents = (amount: number | null | undefined): number | null =>
  amount == null ? null : Math.round(amount * 1000 * 100)

const yesOrNo = (text: string | undefined): boolean | null =>
  text === undefined ? null : /^y/i.test(text) ? true : /^n/i.test(text) ? false : null
