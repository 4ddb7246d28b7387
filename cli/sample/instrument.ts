import { type Day, formatDay, packedCivil, toDay } from '../../engine/credit/calendar.ts'
import type { bonds } from '../../engine/schema/datasets/bonds.ts'
import type { guarantees } from '../../engine/schema/datasets/guarantees.ts'
import type { Entity, Group } from './entities.ts'
import { cusipOf, foreignIsin, usIsin } from './identifiers.ts'
import type { Issuer } from './issuers.ts'
import type { Random } from './random.ts'
import type { Row } from './tables.ts'

/** How an instrument is priced. */
export type Pricing =
  /** Trades, and counts for the spread series. */
  | 'liquid'
  /** Trades, but is not a fixed senior unsecured bond of one to twelve years. */
  | 'traded'
  /** Estimates only. */
  | 'estimated'
  | 'none'

export interface Instrument {
  /** Its name in texts and tables of filings: the CUSIP, else the ISIN, else the source's id. */
  readonly key: string
  readonly name: string
  readonly entity: Entity
  readonly guarantors: readonly Entity[]
  readonly coupon: number | null
  readonly issued: Day
  readonly matures: Day
  /** Redeemed before maturity. */
  readonly retired: Day | null
  /** The issuer stopped paying. */
  readonly defaulted: Day | null
  /** Cents. */
  readonly amount: number
  readonly seniority: 'senior_secured' | 'senior_unsecured' | 'subordinated'
  readonly currency: string
  readonly pricing: Pricing
  readonly row: Row<typeof bonds>
}

/** The terms of an instrument. Unsecured senior debt by default. */
export interface Terms {
  readonly label: string
  readonly instrument_type: NonNullable<Row<typeof bonds>['instrument_type']>
  readonly seniority?: Instrument['seniority']
  readonly security_type?: 'first_lien' | 'second_lien' | 'unsecured'
  readonly entity: Entity
  readonly guarantors?: readonly Entity[]
  readonly dollars: number
  readonly issued: Day
  readonly matures: Day
  readonly coupon?: number | null
  readonly pricing?: Pricing
  readonly currency?: string
  readonly retired?: Day | null
  /** Its identifier: a CUSIP, a foreign ISIN, or the source's own id. */
  readonly numbered?: 'cusip' | 'isin' | string
  readonly row?: Row<typeof bonds>
}

export const DEFAULT_DAY = toDay(2024, 10, 15)

export const yearOf = (day: Day): number => Math.floor(packedCivil(day) / 10_000)

const percentText = (coupon: number) => `${coupon.toFixed(3)}%`

/** Dollars rounded to whole steps, at least one, in cents. */
export const wholeSteps = (dollars: number, step: number): number =>
  Math.max(step, Math.round(dollars / step) * step) * 100

/** The debt of one issuer while it is generated. */
export class DebtStack {
  readonly instruments: Instrument[] = []
  readonly issuer: Issuer
  readonly group: Group
  readonly random: Random
  /** The guarantors of secured debt. */
  readonly subsidiaries: readonly Entity[]
  private issues = 0
  private foreignIssues = 0

  constructor(issuer: Issuer, group: Group, random: Random) {
    this.issuer = issuer
    this.group = group
    this.random = random
    this.subsidiaries = group.all.filter(e => e.isGuarantor)
  }

  add(terms: Terms): void {
    const { issuer } = this
    const { entity, issued, matures, coupon = null, retired = null, seniority = 'senior_unsecured' } = terms
    const currency = terms.currency ?? (issuer.is('euro_reporter') ? 'EUR' : 'USD')
    const ids = this.identifiers(terms.numbered ?? (currency === 'EUR' ? 'isin' : 'cusip'))
    const amount = wholeSteps(terms.dollars, terms.dollars > 2e9 ? 50e6 : terms.dollars > 1e8 ? 25e6 : 1e6)
    const name = terms.row?.name ?? nameOf(terms)
    const isDefaulted = issuer.is('defaulted') && matures > DEFAULT_DAY && issued < DEFAULT_DAY
    this.instruments.push({
      key: (ids.cusip ?? ids.isin ?? ids.bond_id)!,
      name,
      entity,
      guarantors: terms.guarantors ?? [],
      coupon,
      issued,
      matures,
      retired,
      defaulted: isDefaulted ? DEFAULT_DAY : null,
      amount,
      seniority,
      currency,
      pricing: terms.pricing ?? 'none',
      row: {
        ...ids,
        name,
        ...this.issuerFields(entity),
        ...rateFields(terms, currency),
        maturity_date: formatDay(matures),
        issue_date: formatDay(issued),
        seniority,
        security_type: terms.security_type ?? 'unsecured',
        instrument_type: terms.instrument_type,
        currency,
        outstanding: amount,
        principal: isLoan(terms) ? null : amount,
        status: 'active',
        restricted: isLoan(terms) ? null : issuer.rank > 10,
        ...terms.row,
      },
    })
  }

  private identifiers(numbered: string): Pick<Row<typeof bonds>, 'bond_id' | 'cusip' | 'isin'> {
    const { cusip6, ticker } = this.issuer
    if (numbered === 'cusip') {
      const cusip = cusipOf(cusip6, this.issues++)
      return { bond_id: null, cusip, isin: usIsin(cusip) }
    }
    if (numbered === 'isin')
      return { bond_id: null, cusip: null, isin: foreignIsin(cusip6, this.foreignIssues++) }
    return { bond_id: `${ticker}-${numbered}`, cusip: null, isin: null }
  }

  private issuerFields(entity: Entity): Row<typeof bonds> {
    const { issuer } = this
    return {
      issuer_name: entity.name,
      issuer_lei: entity === this.group.holdco ? issuer.lei : null,
      issuer_id: entity.id,
      issuer_type: entity.type === 'holdco' ? 'holdco' : entity.type === 'opco' ? 'opco' : 'subsidiary',
      ticker: issuer.ticker,
      cik: issuer.cik,
      company_name: issuer.name,
      sector: issuer.industry.sector,
    }
  }
}

const isLoan = ({ instrument_type }: Terms): boolean =>
  /term_loan|revolver|commercial_paper/.test(instrument_type)

function nameOf({ label, coupon = null, matures }: Terms): string {
  const plain = `${label} due ${yearOf(matures)}`
  if (coupon === null) return plain
  return coupon === 0 ? `Zero Coupon ${plain}` : `${percentText(coupon)} ${plain}`
}

function rateFields(terms: Terms, currency: string): Row<typeof bonds> {
  const { coupon = null, issued } = terms
  const isEuro = currency === 'EUR'
  const loan = isLoan(terms)
  return {
    coupon_rate: coupon,
    coupon_frequency: loan ? null : coupon === null ? 4 : coupon === 0 ? null : isEuro ? 1 : 2,
    day_count: loan || coupon === null ? 'ACT/360' : isEuro ? 'ACT/ACT' : '30/360',
    rate_type: coupon === null ? 'floating' : 'fixed',
    rate_structure: coupon === null ? 'floating' : coupon === 0 ? 'zero' : 'fixed',
    accrual_date: loan ? null : formatDay(issued),
    callable: loan ? null : coupon !== null && coupon > 0,
  }
}

/** Rows of the instruments: the terms at issue, and a later row if one was redeemed early or defaulted. */
export const instrumentRows = (instruments: readonly Instrument[]): Row<typeof bonds>[] =>
  instruments.flatMap(({ row, retired, defaulted }) => [
    row,
    ...(retired === null
      ? []
      : [{ ...row, status: 'retired' as const, outstanding: 0, known_from: formatDay(retired) }]),
    ...(defaulted === null
      ? []
      : [{ ...row, status: 'defaulted' as const, known_from: formatDay(defaulted) }]),
  ])

export const guaranteeRows = (instruments: readonly Instrument[]): Row<typeof guarantees>[] =>
  instruments.flatMap(i =>
    i.guarantors.map(g => ({
      guarantor_id: g.id,
      bond_id: i.row.bond_id ?? null,
      cusip: i.row.cusip ?? null,
      isin: i.row.isin ?? null,
      guarantee_type: g.share < 100 ? 'limited' : 'full',
      document_date: formatDay(Math.max(i.issued, g.listed)),
    })),
  )

/** Dollars per euro, throughout the sample. */
const EURO = 1.08

/** Outstanding on a day, of the instruments that meet a condition, in minor units of the issuer's own currency. */
export function outstandingOn(
  issuer: Issuer,
  instruments: readonly Instrument[],
  day: Day,
  meets: (i: Instrument) => boolean = () => true,
): number {
  const own = issuer.is('euro_reporter') ? 'EUR' : 'USD'
  let sum = 0
  for (const i of instruments)
    if (i.issued <= day && day < (i.retired ?? i.matures) && meets(i))
      sum += (i.row.outstanding ?? 0) * (i.currency === own ? 1 : EURO)
  return Math.round(sum)
}
