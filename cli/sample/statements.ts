import { append } from '../../engine/base/lists.ts'
import {
  addBusinessDays,
  addMonths,
  type Day,
  daysInMonth,
  formatDay,
  packedCivil,
  parseDay,
  toDay,
} from '../../engine/credit/calendar.ts'
import type { filings } from '../../engine/schema/datasets/filings.ts'
import type { statements } from '../../engine/schema/datasets/statements.ts'
import { accessionOf } from './identifiers.ts'
import { type Instrument, outstandingOn, yearOf } from './instrument.ts'
import type { Issuer } from './issuers.ts'
import { lastDay } from './market.ts'
import type { Random } from './random.ts'
import type { Row } from './tables.ts'

export type Statement = Row<typeof statements>

const flows = [
  'revenue',
  'gross_profit',
  'operating_income',
  'depreciation_amortization',
  'interest_expense',
  'net_income',
  'operating_cash_flow',
  'capex',
  'investing_cash_flow',
  'financing_cash_flow',
] as const
type Flow = (typeof flows)[number]
type Flows = Record<Flow, number>

/** Figures are stated in hundreds of thousands. */
const rounded = (cents: number) => Math.round(cents / 1e7) * 1e7

const leverageByRank = (rank: number) =>
  rank <= 4 ? 1.4 : rank <= 7 ? 2.1 : rank <= 10 ? 2.9 : rank <= 13 ? 3.7 : rank <= 16 ? 5.2 : 8

interface Quarter {
  readonly end: Day
  readonly fiscalYear: number
  readonly fiscalQuarter: number
}

/** The quarter ends of 2021 to the middle of 2025, by the issuer's fiscal calendar. */
function quarters(yearEnd: number): Quarter[] {
  const out: Quarter[] = []
  for (let month = 3; month <= 12 * 5; month++) {
    const year = 2021 + Math.floor((month - 1) / 12)
    const of = ((month - 1) % 12) + 1
    const after = (of - yearEnd + 12) % 12
    if (after % 3 !== 0) continue
    const fiscalQuarter = after === 0 ? 4 : after / 3
    // A year that ends in January is named after the calendar year that contains most of it.
    const fiscalYear = (of > yearEnd ? year + 1 : year) - (yearEnd <= 1 ? 1 : 0)
    out.push({ end: toDay(year, of, daysInMonth(year, of)), fiscalYear, fiscalQuarter })
  }
  return out
}

const clamped = (value: number, most: number) => Math.max(-most, Math.min(most, value))

/** The newest quarter that all have reported: leverage at its end is consistent with the rating. */
const LAST_QUARTER = toDay(2025, 3, 31)

/** The business itself: flows by quarter, in minor units. */
function operations(
  issuer: Issuer,
  instruments: readonly Instrument[],
  all: readonly Quarter[],
  random: Random,
): Flows[] {
  const own = issuer.is('euro_reporter') ? 'EUR' : 'USD'
  const debtAt = (day: Day) => outstandingOn(issuer, instruments, day)
  const reference = debtAt(LAST_QUARTER)
  // Within a quarter of what its rating has, so that no issuer is an oddity.
  const leverage = leverageByRank(issuer.rank) * Math.exp(clamped(random.normal(), 1.4) * 0.16)
  const earned = issuer.is('negative_ebitda') ? -reference * random.between(0.02, 0.06) : reference / leverage
  const margin = issuer.industry.margin * random.between(0.85, 1.15)
  const growth = random.between(-0.006, 0.018)
  const share = random.between(0.2, 0.38)
  // Without depreciation, EBITDA is taken to be the operating income.
  const yearly = issuer.is('no_depreciation') ? earned / (1 - share) : earned
  const season = random.between(0, 0.14)
  const others = random.fork('other cash flows')
  return all.map((q, i) => {
    const wave = 1 + season * Math.sin(((Math.PI / 2) * ((packedCivil(q.end) / 100) % 100)) / 3)
    const scale = (1 + growth) ** (i - 14) * wave
    const ebitda = (yearly / 4) * scale * (1 + random.normal() * 0.035)
    const depreciation = rounded((Math.abs(yearly) / 4) * share * (1 + growth) ** (i - 14))
    const revenue = rounded((Math.abs(yearly) / 4 / margin) * scale * (1 + random.normal() * 0.02))
    const operating = rounded(ebitda) - depreciation
    let interest = 0
    for (const b of instruments)
      if (b.issued <= q.end && q.end < (b.retired ?? b.matures) && b.currency === own)
        interest += ((b.row.outstanding ?? 0) * (b.coupon ?? 4.3 + (b.row.spread_bps ?? 100) / 100)) / 400
    const before = operating - interest
    const operating_cash_flow = rounded((ebitda - interest) * random.between(0.7, 0.95))
    const capex = rounded(depreciation * random.between(0.75, 1.3))
    const investing_cash_flow = -rounded(capex * others.between(1, 1.25))
    return {
      revenue,
      gross_profit: rounded(Math.min(0.82 * revenue, Math.max(0.12 * revenue, ebitda * 1.5))),
      operating_income: operating,
      depreciation_amortization: depreciation,
      interest_expense: rounded(interest),
      net_income: rounded(before > 0 ? before * 0.79 : before * 0.95),
      operating_cash_flow,
      capex,
      investing_cash_flow,
      financing_cash_flow: -rounded((operating_cash_flow + investing_cash_flow) * others.between(0.8, 1.1)),
    }
  })
}

export interface Filing {
  readonly form: string
  readonly accession: string
  readonly filed: Day
  readonly end: Day
}

/** Common properties of all statements of an issuer. */
interface Profile {
  readonly issuer: Issuer
  readonly instruments: readonly Instrument[]
  readonly isFinancial: boolean
  /** Total assets and cash over debt. */
  readonly assets: number
  readonly cash: number
  /** An item that the issuer never states. */
  readonly missing:
    | 'operating_income'
    | 'interest_expense'
    | 'total_liabilities'
    | 'capex'
    | 'cash_and_equivalents'
    | null
  readonly hasLiabilities: boolean
  /** Current assets and liabilities over total assets. */
  readonly current: { readonly assets: number; readonly liabilities: number }
  /** Net interest income and credit losses of a bank over interest expense. */
  readonly lending: { readonly margin: number; readonly losses: number }
}

function profileOf(issuer: Issuer, instruments: readonly Instrument[], random: Random): Profile {
  const isFinancial = issuer.shape === 'financial'
  const assets = isFinancial ? random.between(5, 9) : random.between(1.5, 3.2)
  const cash = random.between(0.03, 0.16)
  const missing = issuer.is('missing_items')
    ? random.pick([
        'operating_income',
        'interest_expense',
        'total_liabilities',
        'capex',
        'cash_and_equivalents',
      ] as const)
    : null
  const hasLiabilities = random.chance(0.85)
  const further = random.fork('further items')
  const current = { assets: further.between(0.18, 0.42), liabilities: further.between(0.08, 0.2) }
  const lending = { margin: further.between(1.1, 1.7), losses: further.between(0.06, 0.25) }
  return { issuer, instruments, isFinancial, assets, cash, missing, hasLiabilities, current, lending }
}

/** The filings of an issuer, numbered within each calendar year. */
class Filings {
  readonly filed: Filing[] = []
  private readonly cik: string
  private readonly random: Random
  private sequence = 0
  private year = 0

  constructor(cik: string, random: Random) {
    this.cik = cik
    this.random = random
  }

  add(form: string, day: Day, end: Day): Filing {
    const year = yearOf(day)
    this.sequence = (year === this.year ? this.sequence : 0) + this.random.whole(1, 9)
    this.year = year
    const filing = { form, filed: day, end, accession: accessionOf(this.cik, year, this.sequence) }
    this.filed.push(filing)
    return filing
  }
}

/** The flows of a statement: banks have no gross profit or EBITDA, some issuers no depreciation. */
function reportedFlows({ issuer, isFinancial, lending, missing }: Profile, f: Flows): Partial<Statement> {
  const out: Partial<Statement> = { ...f }
  if (isFinancial)
    Object.assign(out, {
      gross_profit: null,
      operating_income: null,
      depreciation_amortization: null,
      capex: null,
      revenue: rounded(f.interest_expense * 3.2),
      net_income: rounded(f.interest_expense * 0.55),
      net_interest_income: rounded(f.interest_expense * lending.margin),
      provision_for_credit_losses: rounded(f.interest_expense * lending.losses),
      pre_provision_profit: rounded(f.interest_expense * (0.55 / 0.79 + lending.losses)),
    })
  if (issuer.shape === 'utility') out.gross_profit = null
  if (issuer.is('no_depreciation')) out.depreciation_amortization = null
  if (missing && missing in out) out[missing] = null
  return out
}

const sumOf = (quarters: readonly Flows[]): Flows =>
  Object.fromEntries(flows.map(f => [f, quarters.reduce((total, q) => total + q[f], 0)])) as Flows

const debtAtReference = ({ issuer, instruments }: Profile): number =>
  outstandingOn(issuer, instruments, toDay(2024, 12, 31))

function balanceSheet(profile: Profile, end: Day, total_assets: number, random: Random): Partial<Statement> {
  const { issuer, instruments, isFinancial, missing } = profile
  const debtOf = (meets?: (b: Instrument) => boolean) => outstandingOn(issuer, instruments, end, meets)
  const due = (years: number) => rounded(debtOf(b => b.matures <= addMonths(end, 12 * years)))
  // Discounts and issue costs not yet written off.
  const total_debt = rounded(debtOf() * 0.992)
  const total_liabilities = rounded(total_debt + total_assets * (isFinancial ? 0.72 : 0.24))
  const hasLiabilities = profile.hasLiabilities && missing !== 'total_liabilities'
  return {
    total_assets,
    total_liabilities: hasLiabilities ? total_liabilities : null,
    stockholders_equity: total_assets - total_liabilities,
    total_debt,
    cash_and_equivalents:
      missing === 'cash_and_equivalents'
        ? null
        : rounded(debtAtReference(profile) * profile.cash * Math.exp(random.normal() * 0.2)),
    secured_debt: rounded(debtOf(b => b.seniority === 'senior_secured') * 0.992),
    debt_due_1yr: due(1),
    debt_due_2yr: due(2),
    debt_due_3yr: due(3),
    // The balance sheets of banks are not classified into current and noncurrent.
    ...(!isFinancial && {
      current_assets: rounded(total_assets * profile.current.assets),
      current_liabilities: rounded(due(1) + total_assets * profile.current.liabilities),
    }),
  }
}

/** A quarter as one row, or with the cash flows since the start of the fiscal year in a row of their own. */
function quarterRows(
  profile: Profile,
  row: Statement,
  base: Statement,
  toDate: readonly Flows[] | null,
): Statement[] {
  if (toDate === null) return [row]
  const cumulative = reportedFlows(profile, sumOf(toDate))
  const stated = ['operating_cash_flow', 'capex', 'investing_cash_flow', 'financing_cash_flow'] as const
  return [
    { ...row, ...Object.fromEntries(stated.map(item => [item, null])) },
    {
      ...base,
      period_months: 3 * toDate.length,
      ...Object.fromEntries(stated.map(item => [item, cumulative[item] ?? null])),
    },
  ]
}

/** Errors found later: the period is filed again with smaller figures. */
function restated(row: Statement, filed: Day, filings: Filings, random: Random): Statement[] {
  const again = addBusinessDays(filed + random.whole(90, 200), 0)
  if (again > lastDay - 3) return []
  const form = `${row.filing_type}/A`
  const { accession } = filings.add(form, again, parseDay(row.period_end_date!))
  const less = (value: number | null | undefined, by: number) => (value == null ? null : rounded(value * by))
  const cut = random.between(0.9, 0.97)
  return [
    {
      ...row,
      filing_type: form,
      filed_date: formatDay(again),
      accession,
      revenue: less(row.revenue, 1 - (1 - cut) / 3),
      operating_income: less(row.operating_income, cut),
      net_income: less(row.net_income, cut - 0.03),
    },
  ]
}

/** The statements of an issuer, and the filings that contain them, oldest first. */
export function makeStatements(
  issuer: Issuer,
  instruments: readonly Instrument[],
  random: Random,
): { rows: Statement[]; filed: readonly Filing[] } {
  const all = quarters(issuer.yearEnd)
  const byQuarter = operations(issuer, instruments, all, random)
  const profile = profileOf(issuer, instruments, random)
  const from = issuer.is('few_quarters') ? toDay(2024, 11, 1) : toDay(2022, 3, 1)
  const filings = new Filings(issuer.cik, random)
  const rows: Statement[] = []
  for (const [i, q] of all.entries()) {
    const isAnnual = q.fiscalQuarter === 4
    if (q.end < from || (isAnnual && i < 3)) continue
    const day = addBusinessDays(q.end + (isAnnual ? random.whole(45, 72) : random.whole(26, 43)), 0)
    if (day > lastDay - 3) continue
    const noise = 1 + random.normal() * 0.01
    const assets = debtAtReference(profile) * profile.assets * (1 + 0.004 * (i - 14)) * noise
    const { form, accession } = filings.add(isAnnual ? '10-K' : '10-Q', day, q.end)
    const base: Statement = {
      ticker: issuer.ticker,
      cik: issuer.cik,
      company_name: issuer.name,
      fiscal_year: q.fiscalYear,
      fiscal_quarter: q.fiscalQuarter,
      period_end_date: formatDay(q.end),
      filing_type: form,
      filed_date: formatDay(day),
      accession,
      currency: issuer.is('euro_reporter') ? 'EUR' : 'USD',
      ...balanceSheet(profile, q.end, rounded(assets), random),
    }
    const flowsSince = (first: number) => byQuarter.slice(first, i + 1)
    const months = isAnnual ? 12 : 3
    const ofPeriod = reportedFlows(profile, sumOf(flowsSince(isAnnual ? i - 3 : i)))
    const row: Statement = { ...base, period_months: months, ...ofPeriod }
    const yearStart = i - q.fiscalQuarter + 1
    const isToDate = issuer.is('cash_flow_to_date') && !isAnnual && q.fiscalQuarter > 1 && yearStart >= 0
    append(rows, quarterRows(profile, row, base, isToDate ? flowsSince(yearStart) : null))
    if (issuer.is('restated') && isRestated(q, random)) append(rows, restated(row, day, filings, random))
  }
  return { rows, filed: filings.filed }
}

/** The fiscal year 2023 always, the second quarter after it usually. */
const isRestated = ({ fiscalYear, fiscalQuarter }: Quarter, random: Random): boolean =>
  fiscalQuarter === 4 ? fiscalYear === 2023 : fiscalYear === 2024 && fiscalQuarter === 2 && random.chance(0.6)

export const filingRows = (issuer: Issuer, filed: readonly Filing[]): Row<typeof filings>[] =>
  filed.map(({ form, accession, filed: day, end }) => ({
    cik: issuer.cik,
    company_name: issuer.name,
    accession,
    form,
    filed_date: formatDay(day),
    report_date: formatDay(end),
    primary_document: `${issuer.ticker.toLowerCase()}-${formatDay(end).replaceAll('-', '')}.htm`,
    is_xbrl: true,
    source_url: urlOf(accession),
  }))

/** A URL as real filings have it, under a domain reserved for examples. */
export const urlOf = (accession: string): string => `https://example.com/filings/${accession}`
