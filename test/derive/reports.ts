import type { Test } from 'tap'
import { Database, quote } from '../../engine/database/database.ts'
import type { DerivationCache } from '../../engine/derive/cache/derivation-cache.ts'
import { deriveStatements } from '../../engine/derive/statements/statements.ts'
import { sqlType } from '../../engine/schema/column.ts'
import { provenance } from '../../engine/schema/dataset.ts'
import { datasets } from '../../engine/schema/datasets/datasets.ts'

export type Row = Record<string, unknown>
const CIK = '0000001234'

interface Report {
  readonly form: string
  readonly filed: string
  readonly fy?: number
  readonly accession?: string
  readonly cik?: string
  readonly rounded?: boolean
}

/** Facts of one filing: `[concept, value in millions, end, start]`. */
export type Figure = readonly [concept: string, millions: number, end: string, start?: string]

let filings = 0
export function report(
  { form, filed, fy, accession, cik = CIK, rounded }: Report,
  ...figures: Figure[]
): Row[] {
  const number = accession ?? `0000001234-00-${String(++filings).padStart(6, '0')}`
  return figures.map(([concept, millions, end, start]) => ({
    cik,
    company_name: 'Acme Inc.',
    concept: `us-gaap:${concept}`,
    unit: 'USD',
    period_start: start ?? null,
    period_end: end,
    value: millions * 1e6,
    accession: number,
    form,
    fiscal_year: fy ?? null,
    filed_date: filed,
    known_from: filed,
    dates_rounded: rounded ?? null,
    source: 'test.json',
  }))
}

export async function derived(
  t: Test,
  {
    facts = [],
    financials = [],
    calculations = [],
    company = {},
    cache,
  }: {
    facts?: Row[]
    financials?: Row[]
    calculations?: Row[]
    company?: Row
    cache?: DerivationCache | undefined
  },
) {
  const db = await Database.create({ threads: 1 })
  t.teardown(() => db.close())
  for (const [name, rows] of Object.entries({ facts, financials, calculations, filings: [] as Row[] })) {
    const columns = { ...datasets.find(d => d.name === name)!.columns, ...provenance }
    const list = Object.entries(columns).map(
      ([column, { kind }]) => `${quote(column)} ${sqlType({ kind } as never)}`,
    )
    await db.run(`CREATE TABLE in_${name} (${list.join(', ')})`)
    for (const row of rows) {
      const names = Object.keys(row)
      await db.run(
        `INSERT INTO in_${name} (${names.map(quote).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        Object.values(row) as never,
      )
    }
  }
  await db.run(`
    CREATE TABLE companies_base AS SELECT 'acme' AS company_id, 'ACME' AS ticker, 'Acme' AS name,
      ${company['sector'] ? `'${company['sector']}'` : 'NULL::VARCHAR'} AS sector, NULL::VARCHAR AS industry,
      ${company['sic'] ? `'${company['sic']}'` : 'NULL::VARCHAR'} AS sic, 'standard' AS coverage;
    CREATE TABLE company_of_cik AS SELECT DISTINCT cik, 'acme' AS company_id FROM in_facts;
    CREATE TABLE company_link AS SELECT DISTINCT ticker, cik, NULL::VARCHAR AS lei, company_name, 'acme' AS company_id FROM in_financials`)
  await deriveStatements(db, { cache })
  return {
    rows: (where = 'TRUE') =>
      db.rows(`SELECT *, fiscal_year || 'Q' || fiscal_quarter AS period FROM statements_derived WHERE ${where}
        ORDER BY period_end_date, basis, version`),
    left: () => db.rows(`SELECT * FROM statements_left`),
    quarantined: () => db.rows(`SELECT * FROM quarantine ORDER BY item, period_end`),
  }
}

export const explained = (row: Row) => JSON.parse(String(row['explain'])) as Record<string, Row>
export const pick = (rows: Row[], ...names: string[]) => rows.map(row => names.map(name => row[name]))
export const dollars = (millions: number) => millions * 1e8

/** A calendar year on three 10-Qs and a 10-K; `k` scales its figures. */
export function year(y: number, k = 1): Row[] {
  const from = `${y}-01-01`
  const quarter = (q: number, end: string, start: string): Row[] =>
    report(
      { form: '10-Q', filed: `${y}-${String(3 * q + 2).padStart(2, '0')}-01`, fy: y },
      ['Revenues', 100 * k * q, end, start],
      ...(q > 1 ? ([['Revenues', (100 * k * q * (q + 1)) / 2, end, from]] as Figure[]) : []),
      ['OperatingIncomeLoss', 20 * k, end, start],
      ['NetCashProvidedByUsedInOperatingActivities', 10 * k * q, end, from],
      ['DepreciationDepletionAndAmortization', 5 * k * q, end, from],
      ['Assets', 1000, end],
      ['LongTermDebtNoncurrent', 300, end],
      ['CashAndCashEquivalentsAtCarryingValue', 50, end],
    )
  return [
    ...quarter(1, `${y}-03-31`, from),
    ...quarter(2, `${y}-06-30`, `${y}-04-01`),
    ...quarter(3, `${y}-09-30`, `${y}-07-01`),
    ...report(
      { form: '10-K', filed: `${y + 1}-02-15`, fy: y },
      ['Revenues', 1000 * k, `${y}-12-31`, from],
      ['OperatingIncomeLoss', 90 * k, `${y}-12-31`, from],
      ['NetCashProvidedByUsedInOperatingActivities', 45 * k, `${y}-12-31`, from],
      ['DepreciationDepletionAndAmortization', 20 * k, `${y}-12-31`, from],
      ['Assets', 1000, `${y}-12-31`],
      ['LongTermDebtNoncurrent', 300, `${y}-12-31`],
      ['CashAndCashEquivalentsAtCarryingValue', 50, `${y}-12-31`],
    ),
  ]
}

export const END = '2024-12-31'
export const BEFORE = '2023-12-31'

/** The newest statement of an annual report, with its balance sheet on two dates; other rows are in the same filing. */
export async function balanceSheet(
  t: Test,
  lines: readonly (readonly [string, number])[],
  more: Row[] = [],
  calculations: Row[] = [],
) {
  const accession = '0000001234-25-000001'
  const both = [['Assets', 900] as const, ...lines].flatMap(([concept, millions]): Figure[] => [
    [concept, millions, END],
    [concept, millions * 0.9, BEFORE],
  ])
  const facts = report(
    { form: '10-K', filed: '2025-02-15', fy: 2024, accession },
    ['Revenues', 100, END, '2024-01-01'],
    ['OperatingIncomeLoss', 40, END, '2024-01-01'],
    ...both,
  ).map(row => ({
    ...row,
    concept: String(row['concept']).replace(/^us-gaap:(?=.*:)/, ''),
    source: 'folder/acme-20241231_htm.xml.gz:fact 1',
  }))
  const { rows } = await derived(t, {
    facts: [...facts, ...more.map(row => ({ ...facts[0], period_start: null, period_end: END, ...row }))],
    calculations,
  })
  const row = (await rows(`basis = 'ttm' AND period_end_date = DATE '${END}'`))[0]!
  return { row, debt: explained(row)['total_debt'] as Record<string, unknown> & { inputs: Row[] } }
}
