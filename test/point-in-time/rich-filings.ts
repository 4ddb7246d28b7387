import { dayAfter, known, type Row } from './dated-rows.ts'

const ends = ['03-31', '06-30', '09-30', '12-31']

/** Quarters of a loaded statement, filed 40 days after their end; the second of 2024 is restated a year later. */
export const financials: Row[] = ['ALFA', 'GAMA', 'DELT'].flatMap((ticker, c) => {
  const row = (year: number, quarter: number, more: Row = {}): Row => {
    const end = `${year}-${ends[quarter - 1]}`
    const n = quarter === 4 ? 4 : 1
    return {
      ticker,
      fiscal_year: year,
      fiscal_quarter: quarter,
      period_months: quarter === 4 ? 12 : 3,
      period_end_date: end,
      filing_type: quarter === 4 ? '10-K' : '10-Q',
      filed_date: dayAfter(end, 40),
      accession: `0000000${c}-${year}-${quarter}`,
      currency: 'USD',
      revenue: (100 + year - 2022 + quarter) * 1_000_000_00 * n,
      operating_income: 15 * 1_000_000_00 * n,
      depreciation_amortization: 5 * 1_000_000_00 * n,
      interest_expense: 4 * 1_000_000_00 * n,
      total_debt: (300 + quarter * 7 + c) * 1_000_000_00,
      cash_and_equivalents: 80 * 1_000_000_00,
      debt_due_1yr: 20 * 1_000_000_00,
      debt_due_2yr: 50 * 1_000_000_00,
      debt_due_3yr: 90 * 1_000_000_00,
      ...more,
    }
  }
  const rows = [2023, 2024].flatMap(year => [1, 2, 3, 4].map(quarter => row(year, quarter)))
  rows.push(row(2025, 1))
  rows.push(
    row(2024, 2, {
      operating_income: 9 * 1_000_000_00,
      filed_date: '2025-03-14',
      accession: `0000000${c}-R`,
    }),
  )
  rows.push(row(2022, 4, { filed_date: null, known_from: null }))
  return known(rows, 'filed_date')
})

/** What Beta tags in its filings: years, quarters and years to date, with a restatement and a corrected label. */
export const facts: Row[] = (() => {
  const rows: Row[] = []
  const tag = (
    concept: string,
    start: string | null,
    end: string,
    value: number,
    filed: string,
    more: Row = {},
  ) =>
    rows.push({
      cik: '0000000022',
      company_name: filed > '2025' ? 'Beta Networks Holdings Inc' : 'Beta Networks Inc',
      concept: `us-gaap:${concept}`,
      unit: 'USD',
      period_start: start,
      period_end: end,
      value,
      decimals: -6,
      accession: `0000000022-${filed.slice(2, 4)}-${filed.slice(5, 7)}${filed.slice(8)}00`,
      filed_date: filed,
      known_from: filed,
      ...more,
    })
  for (const year of [2023, 2024]) {
    for (const quarter of [1, 2, 3, 4]) {
      const end = `${year}-${ends[quarter - 1]}`
      const filed = dayAfter(end, 45)
      const label = {
        form: quarter === 4 ? '10-K' : '10-Q',
        fiscal_year: quarter === 3 && year === 2024 ? 2025 : year,
        fiscal_period: quarter === 4 ? 'FY' : `Q${quarter}`,
        report_date: end,
      }
      const start = `${year}-01-01`
      tag('Revenues', start, end, quarter * 250e6, filed, label)
      tag('OperatingIncomeLoss', start, end, quarter * 40e6, filed, label)
      tag('DepreciationDepletionAndAmortization', start, end, quarter * 12e6, filed, label)
      tag('InterestExpense', start, end, quarter * 6e6, filed, label)
      tag('NetIncomeLoss', start, end, quarter * 22e6, filed, label)
      tag('LongTermDebt', null, end, 900e6 + quarter * 5e6, filed, label)
      tag('CashAndCashEquivalentsAtCarryingValue', null, end, 120e6, filed, label)
      tag('Assets', null, end, 4_000e6, filed, label)
      tag('StockholdersEquity', null, end, 1_500e6, filed, label)
    }
  }
  const restated = { form: '10-K/A', fiscal_year: 2024, fiscal_period: 'FY', report_date: '2024-12-31' }
  tag('OperatingIncomeLoss', '2024-01-01', '2024-12-31', 131e6, '2025-04-22', restated)
  tag('Revenues', '2023-01-01', '2023-12-31', 960e6, '2025-04-22', restated)
  return rows
})()

export const filings: Row[] = [
  ...facts
    .filter((fact, i) => facts.findIndex(other => other['accession'] === fact['accession']) === i)
    .map(({ cik, company_name, accession, form, filed_date, report_date, known_from }) => ({
      cik,
      company_name,
      accession,
      form,
      filed_date,
      report_date,
      known_from,
    })),
  {
    cik: '0000000011',
    accession: '0000000011-24-000009',
    form: '8-K',
    filed_date: '2024-09-09',
    items: '1.01',
    known_from: '2024-09-09',
  },
  {
    cik: '0000000011',
    accession: '0000000011-25-000003',
    form: '8-K',
    filed_date: '2025-03-03',
    known_from: '2025-03-03',
  },
]

export const documents: Row[] = [
  ['ALFA', '10-K', '0000000-2023-4', '2024-02-09', 'Debt of Alfa, senior notes and a revolver.'],
  ['ALFA', '8-K', null, '2024-09-09', 'Supplemental indenture of Alfa.'],
  ['GAMA', '10-Q', '0000001-2025-1', '2025-05-10', 'Covenants of Gamma: maximum leverage.'],
  ['BETA', '10-K', null, null, 'A filing that does not say when it was filed.'],
].map(([ticker, doc_type, accession, day, content], i) => ({
  id: `d${i}`,
  ticker,
  doc_type,
  accession,
  filing_date: day,
  section_type: 'debt_footnote',
  section_title: `Section ${i}`,
  content,
  known_from: day,
}))
