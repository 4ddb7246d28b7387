import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database, literal, quote } from '../engine/database/database.ts'
import { inputColumns } from '../engine/derive/inputs.ts'
import { fingerprint } from '../engine/lake/fingerprint.ts'
import { type BatchFile, readImports, writeImport } from '../engine/lake/imports.ts'
import { ensureLake, inLake, type Lake } from '../engine/lake/lake.ts'
import { sqlType } from '../engine/schema/column.ts'
import { datasetNamed } from '../engine/schema/datasets/datasets.ts'
import { removeFolder } from './folder.ts'

export type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** A lake in a temporary folder with these rows as one import, as ingest would have accepted them. */
export async function makeLake(teardown: (done: () => Promise<void>) => void, rows: Rows): Promise<Lake> {
  const folder = await mkdtemp(join(tmpdir(), 'tranche-test-'))
  teardown(() => removeFolder(folder))
  const lake = await ensureLake(folder)
  await addRows(lake, rows)
  return lake
}

/** Appends rows as another import. */
export async function addRows(lake: Lake, rows: Rows): Promise<void> {
  const id = await nextImport(lake)
  const db = await Database.create()
  const batches: BatchFile[] = []
  for (const [dataset, those] of Object.entries(rows)) {
    const columns = inputColumns(datasetNamed(dataset)!)
    const unknown = those.flatMap(row => Object.keys(row)).find(name => !Object.hasOwn(columns, name))
    if (unknown) throw new Error(`${dataset} has no column ${unknown}`)
    const given = { source: 'test', ingested_at: '2026-01-01T00:00:00Z' }
    const values = those.map(
      row =>
        `(${Object.entries(columns)
          .map(([name, column]) => sqlValue({ ...given, ...row }[name], sqlType(column)))
          .join(', ')})`,
    )
    const path = `batches/${dataset}/${id}-1.parquet`
    await mkdir(inLake(lake, 'batches', dataset), { recursive: true })
    await db.run(
      `COPY (SELECT * FROM (VALUES ${values.join(', ')}) t(${Object.keys(columns).map(quote).join(', ')}))
       TO ${literal(inLake(lake, path))} (FORMAT parquet)`,
    )
    batches.push({ dataset, path, rows: those.length, ...(await fingerprint(inLake(lake, path))) })
  }
  db.close()
  await commitBatches(lake, batches)
}

/** Records written batches as one import. */
export async function commitBatches(lake: Lake, batches: readonly BatchFile[]): Promise<void> {
  await mkdir(inLake(lake, 'imports'), { recursive: true })
  await writeImport(lake, {
    id: await nextImport(lake),
    name: 'test',
    bytes: 0,
    sha256: '',
    kinds: ['test'],
    options: {},
    report: { read: 0, accepted: 0, duplicate: 0, rejected: 0, added: {}, reasons: {}, notes: [] },
    refused: null,
    batches,
    rejects: null,
    at: '2026-01-01T00:00:00Z',
    engine: 'test',
  })
}

const nextImport = async (lake: Lake): Promise<string> =>
  `${String((await readImports(lake)).length + 1).padStart(8, '0')}-00000000`

function sqlValue(value: unknown, type: string): string {
  if (value === undefined || value === null) return `CAST(NULL AS ${type})`
  if (Array.isArray(value)) return `CAST([${value.map(v => literal(String(v))).join(', ')}] AS ${type})`
  return `CAST(${literal(String(value))} AS ${type})`
}

const curve = (date: string, rates: Record<number, number>) =>
  Object.entries(rates).map(([months, rate]) => ({
    date,
    tenor_months: Number(months),
    rate,
    publisher: 'treasury',
    known_from: date,
  }))

/** Two fictional issuers small enough to check by hand. */
export const twoIssuers: Rows = {
  companies: [
    { ticker: 'ALFA', name: 'Alfa Drilling Corp', cik: '0000000001', sector: 'Energy', aliases: ['ALFB'] },
    {
      ticker: 'BETA',
      name: 'Beta Networks Inc',
      cik: '0000000002',
      sector: 'Technology',
      coverage: 'extended',
    },
  ],
  treasury_yields: [
    ...curve('2025-01-02', { 12: 4, 24: 4, 60: 4, 120: 4.5 }),
    ...curve('2025-06-02', { 12: 4, 24: 4, 60: 4, 120: 4.5 }),
  ],
  bonds: [
    {
      cusip: '000000AA7',
      name: 'Alfa 6% 2030',
      ticker: 'ALFA',
      coupon_rate: 6,
      rate_type: 'fixed',
      maturity_date: '2030-06-15',
      seniority: 'senior_unsecured',
      security_type: 'unsecured',
      instrument_type: 'senior_notes',
      issuer_type: 'holdco',
      outstanding: 50_000_000_00,
      currency: 'USD',
      issue_date: '2020-06-15',
      known_from: '2020-06-15',
    },
    {
      bond_id: 'ALFA-TLB',
      name: 'Alfa Term Loan B',
      ticker: 'ALFA',
      rate_type: 'floating',
      benchmark: 'SOFR',
      spread_bps: 350,
      maturity_date: '2026-01-15',
      seniority: 'senior_secured',
      security_type: 'first_lien',
      instrument_type: 'term_loan_b',
      issuer_type: 'opco',
      outstanding: 30_000_000_00,
      currency: 'USD',
      known_from: '2021-01-15',
    },
    {
      cusip: '000000BB4',
      name: 'Beta 0% 2027',
      ticker: 'BETA',
      coupon_rate: 0,
      rate_type: 'fixed',
      maturity_date: '2027-03-01',
      currency: 'USD',
      known_from: '2024-01-01',
    },
  ],
  prices: [
    {
      cusip: '000000AA7',
      price_date: '2025-06-02',
      price: 100,
      price_source: 'vendor',
      known_from: '2025-06-02',
    },
    {
      cusip: '000000AA7',
      price_date: '2025-01-02',
      price: 95,
      price_source: 'vendor',
      known_from: '2025-01-02',
    },
  ],
  ratings: [
    rating('ALFA', 'sp', 'BB-', '2024-01-10'),
    rating('ALFA', 'sp', 'BB', '2025-05-20'),
    rating('ALFA', 'moodys', 'Ba3', '2024-02-01'),
    rating('BETA', 'fitch', 'A', '2024-02-01'),
  ],
  covenants: [
    {
      id: 'c1',
      ticker: 'ALFA',
      covenant_type: 'financial',
      covenant_name: 'Maximum leverage',
      test_metric: 'leverage_ratio',
      threshold_value: 4.5,
      threshold_type: 'maximum',
      test_frequency: 'quarterly',
      known_from: '2024-03-01',
    },
    {
      id: 'c2',
      ticker: 'BETA',
      covenant_type: 'protective',
      covenant_name: 'Change of control put',
      put_price_pct: 101,
      known_from: '2024-03-01',
    },
  ],
  collateral: [
    {
      id: 'k1',
      bond_id: 'ALFA-TLB',
      ticker: 'ALFA',
      type: 'equipment',
      description: 'Rigs',
      priority: 'first_lien',
      estimated_value: 40_000_000_00,
      known_from: '2024-03-01',
    },
  ],
  entities: [
    { id: 'e1', ticker: 'ALFA', name: 'Alfa Drilling Corp', entity_type: 'holdco', known_from: '2024-03-01' },
    {
      id: 'e2',
      ticker: 'ALFA',
      name: 'Alfa Rigs LLC',
      entity_type: 'opco',
      parent_id: 'e1',
      is_guarantor: true,
      known_from: '2024-03-01',
    },
  ],
  financials: [
    ...[1, 2, 3].map(quarter =>
      statement(2024, quarter, 3, ['2024-03-31', '2024-06-30', '2024-09-30'][quarter - 1]!),
    ),
    statement(2024, 4, 12, '2024-12-31'),
    statement(2025, 1, 3, '2025-03-31'),
  ],
}

function rating(ticker: string, agency: string, letter: string, effective_date: string) {
  return { ticker, agency, rating: letter, effective_date, known_from: effective_date }
}

/** Revenue 100, operating income 15 and D&A 5 a quarter, in millions of cents. */
function statement(
  fiscal_year: number,
  fiscal_quarter: number,
  period_months: number,
  period_end_date: string,
) {
  const quarters = period_months / 3
  const filed = new Date(Date.parse(period_end_date) + 40 * 86_400_000).toISOString().slice(0, 10)
  return {
    ticker: 'ALFA',
    fiscal_year,
    fiscal_quarter,
    period_months,
    period_end_date,
    filing_type: period_months === 12 ? '10-K' : '10-Q',
    filed_date: filed,
    known_from: filed,
    currency: 'USD',
    revenue: 100_000_000 * quarters,
    operating_income: 15_000_000 * quarters,
    depreciation_amortization: 5_000_000 * quarters,
    interest_expense: 4_000_000 * quarters,
    total_debt: 320_000_000,
    cash_and_equivalents: 80_000_000,
  }
}
