import {
  addBusinessDays,
  addMonths,
  type Day,
  daysInMonth,
  formatDay,
  packedCivil,
  toDay,
} from '../../engine/credit/calendar.ts'
import type { filings } from '../../engine/schema/datasets/filings.ts'
import type { statements } from '../../engine/schema/datasets/statements.ts'
import { type Instrument, outstandingOn } from './capital.ts'
import { accessionOf } from './identifiers.ts'
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

/** Figures are told in hundreds of thousands. */
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
    // A year that ends in January is named after the one it mostly lies in.
    const fiscalYear = (of > yearEnd ? year + 1 : year) - (yearEnd <= 1 ? 1 : 0)
    out.push({ end: toDay(year, of, daysInMonth(year, of)), fiscalYear, fiscalQuarter })
  }
  return out
}

/** How the business does: flows by quarter, in minor units. */
function operations(
  issuer: Issuer,
  instruments: readonly Instrument[],
  all: readonly Quarter[],
  random: Random,
): Flows[] {
  const own = issuer.is('euro_reporter') ? 'EUR' : 'USD'
  const debtAt = (day: Day) => outstandingOn(issuer, instruments, day)
  const reference = debtAt(toDay(2024, 12, 31))
  const leverage = leverageByRank(issuer.rank) * Math.exp(random.normal() * 0.16)
  const yearly = issuer.is('negative_ebitda') ? -reference * random.between(0.02, 0.06) : reference / leverage
  const margin = issuer.industry.margin * random.between(0.85, 1.15)
  const growth = random.between(-0.006, 0.018)
  const share = random.between(0.2, 0.38)
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

/** The statements an issuer has filed, and the filings they stand in, oldest first. */
export function makeStatements(
  issuer: Issuer,
  instruments: readonly Instrument[],
  random: Random,
): { rows: Statement[]; filed: Filing[] } {
  const all = quarters(issuer.yearEnd)
  const byQuarter = operations(issuer, instruments, all, random)
  const isFinancial = issuer.shape === 'financial'
  const from = issuer.is('few_quarters') ? toDay(2024, 11, 1) : toDay(2022, 3, 1)
  const assetsTo = isFinancial ? random.between(5, 9) : random.between(1.5, 3.2)
  const cashTo = random.between(0.03, 0.16)
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
  const rows: Statement[] = []
  const filed: Filing[] = []
  let sequence = 0
  let year = 0

  function file(form: string, day: Day, end: Day): Filing {
    const calendarYear = Math.floor(packedCivil(day) / 10_000)
    sequence = calendarYear === year ? sequence + random.whole(1, 9) : random.whole(1, 9)
    year = calendarYear
    const filing = { form, filed: day, end, accession: accessionOf(issuer.cik, calendarYear, sequence) }
    filed.push(filing)
    return filing
  }
  const sum = (from: number, to: number): Flows =>
    Object.fromEntries(
      flows.map(f => [f, byQuarter.slice(from, to + 1).reduce((total, q) => total + q[f], 0)]),
    ) as Flows

  /** What is told of the flows: banks have no gross profit or EBITDA, some say no depreciation. */
  function told(f: Flows): Partial<Statement> {
    const out: Partial<Statement> = { ...f }
    if (isFinancial) {
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
    }
    if (issuer.shape === 'utility') out.gross_profit = null
    if (issuer.is('no_depreciation')) out.depreciation_amortization = null
    if (missing && missing in out) out[missing] = null
    return out
  }

  for (const [i, q] of all.entries()) {
    const isAnnual = q.fiscalQuarter === 4
    if (q.end < from || (isAnnual && i < 3)) continue
    const day = addBusinessDays(q.end + (isAnnual ? random.whole(45, 72) : random.whole(26, 43)), 0)
    if (day > lastDay - 3) continue
    const debtOf = (meets?: (b: Instrument) => boolean) => outstandingOn(issuer, instruments, q.end, meets)
    const due = (years: number) => rounded(debtOf(b => b.matures <= addMonths(q.end, 12 * years)))
    const debt = debtOf()
    // Discounts and issue costs not yet written off.
    const total_debt = rounded(debt * 0.992)
    const reference = outstandingOn(issuer, instruments, toDay(2024, 12, 31))
    const total_assets = rounded(reference * assetsTo * (1 + 0.004 * (i - 14)) * (1 + random.normal() * 0.01))
    const total_liabilities = rounded(total_debt + total_assets * (isFinancial ? 0.72 : 0.24))
    const { form, accession } = file(isAnnual ? '10-K' : '10-Q', day, q.end)
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
      total_assets,
      total_liabilities: hasLiabilities && missing !== 'total_liabilities' ? total_liabilities : null,
      stockholders_equity: total_assets - total_liabilities,
      total_debt,
      cash_and_equivalents:
        missing === 'cash_and_equivalents'
          ? null
          : rounded(reference * cashTo * Math.exp(random.normal() * 0.2)),
      secured_debt: rounded(debtOf(b => b.seniority === 'senior_secured') * 0.992),
      debt_due_1yr: due(1),
      debt_due_2yr: due(2),
      debt_due_3yr: due(3),
      // Banks do not part their balance sheets.
      ...(!isFinancial && {
        current_assets: rounded(total_assets * current.assets),
        current_liabilities: rounded(due(1) + total_assets * current.liabilities),
      }),
    }
    if (isAnnual) {
      const row = { ...base, period_months: 12, ...told(sum(i - 3, i)) }
      rows.push(row)
      if (issuer.is('restated') && q.fiscalYear === 2023) restate(row, day)
      continue
    }
    const row: Statement = { ...base, period_months: 3, ...told(byQuarter[i]!) }
    if (issuer.is('cash_flow_to_date') && q.fiscalQuarter > 1 && i >= q.fiscalQuarter - 1) {
      const toDate = told(sum(i - q.fiscalQuarter + 1, i))
      const stated = ['operating_cash_flow', 'capex', 'investing_cash_flow', 'financing_cash_flow'] as const
      rows.push({ ...row, ...Object.fromEntries(stated.map(item => [item, null])) })
      rows.push({
        ...base,
        period_months: 3 * q.fiscalQuarter,
        ...Object.fromEntries(stated.map(item => [item, toDate[item] ?? null])),
      })
    } else rows.push(row)
    if (issuer.is('restated') && q.fiscalYear === 2024 && q.fiscalQuarter === 2 && random.chance(0.6))
      restate(row, day)
  }

  /** Errors found later: the period is filed again with smaller figures. */
  function restate(row: Statement, day: Day) {
    const again = addBusinessDays(day + random.whole(90, 200), 0)
    if (again > lastDay - 3) return
    const { accession } = file(`${row.filing_type}/A`, again, packedDay(row))
    const less = (value: number | null | undefined, by: number) =>
      value == null ? null : rounded(value * by)
    const cut = random.between(0.9, 0.97)
    rows.push({
      ...row,
      filing_type: `${row.filing_type}/A`,
      filed_date: formatDay(again),
      accession,
      revenue: less(row.revenue, 1 - (1 - cut) / 3),
      operating_income: less(row.operating_income, cut),
      net_income: less(row.net_income, cut - 0.03),
    })
  }
  return { rows, filed }
}

const packedDay = (row: Statement): Day => {
  const [y, m, d] = row.period_end_date!.split('-').map(Number)
  return toDay(y!, m!, d!)
}

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

/** Where a filing would be read, were it real: a name reserved for examples. */
export const urlOf = (accession: string): string => `https://example.com/filings/${accession}`
