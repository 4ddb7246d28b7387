import t from 'tap'
import { Database, literal, quote } from '../../engine/database/database.ts'
import type { ImportRecord } from '../../engine/lake/imports.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { type Columns, sqlType } from '../../engine/schema/column.ts'
import { tables } from '../../engine/schema/resources/tables.ts'
import { build } from '../../engine/snapshot/build.ts'
import {
  adviceOf,
  qualityChecks,
  qualityReport,
  refusalAdvice,
  refusals,
  sentenceOf,
} from '../../engine/snapshot/quality.ts'
import { builtLake } from '../built-lake.ts'
import { twoIssuers } from '../make-lake.ts'

const defaults = (columns: Columns, row: Record<string, unknown>): string =>
  Object.entries(columns)
    .map(([name, column]) => {
      const value = row[name]
      return `CAST(${value === undefined || value === null ? 'NULL' : literal(String(value))} AS ${sqlType(column)})`
    })
    .join(', ')

/** Every table of a snapshot, with only these rows. */
async function tablesWith(rows: Record<string, Record<string, unknown>[]>): Promise<Database> {
  const db = await Database.create({ threads: 1 })
  for (const { table, columns } of tables) {
    const names = Object.entries(columns).map(([name, column]) => `${quote(name)} ${sqlType(column)}`)
    await db.run(`CREATE TABLE ${table} (${names.join(', ')})`)
    for (const row of rows[table] ?? [])
      await db.run(`INSERT INTO ${table} VALUES (${defaults(columns, row)})`)
  }
  await db.run('CREATE TABLE in_treasury_yields (date DATE, tenor_months DOUBLE)')
  await db.run("INSERT INTO in_treasury_yields SELECT '2025-01-02', unnest([1, 12, 24, 60, 120])")
  await db.run("INSERT INTO in_treasury_yields VALUES ('2025-01-03', 120)")
  return db
}

t.test('nothing is found in empty tables', async t => {
  const db = await tablesWith({})
  t.teardown(() => db.close())
  const report = await qualityReport(db, '2025-06-30')
  t.strictSame(report.findings, [])
  t.equal(report.tables.length, tables.length)
})

t.test('collateral is dated by its document, not by its valuation', async t => {
  const db = await tablesWith({ collateral: [{ id: 'c', source_document_date: '2024-03-01' }] })
  t.teardown(() => db.close())
  const { tables } = await qualityReport(db, '2025-06-30')
  const { first, last } = tables.find(({ table }) => table === 'collateral')!
  t.strictSame([first, last], ['2024-03-01', '2024-03-01'])
})

const bond = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  is_active: true,
  company_id: 'A',
  company_ticker: 'A',
  ...more,
})
const trailing = {
  ticker: 'A',
  company_id: 'A',
  fiscal_year: 2024,
  fiscal_quarter: 4,
  basis: 'ttm',
  is_newest: true,
  is_latest: true,
}
const quarter = (fiscal_year: number, fiscal_quarter: number) => ({
  ...trailing,
  fiscal_year,
  fiscal_quarter,
  basis: 'quarter',
  is_newest: false,
  known_from: '2024-05-01',
})
const spread = (spread_date: string, spread_bps: number) => ({
  ticker: 'A',
  company_id: 'A',
  spread_date,
  tenor: '5Y',
  spread_bps,
  source: 'bond_spread_proxy',
  known_from: spread_date,
})

/** Rows that each check must find, and how many. */
const planted: Record<string, { rows: Record<string, Record<string, unknown>[]>; count: number }> = {
  'bonds without a price': { rows: { bonds: [bond('1'), bond('2', { is_active: false })] }, count: 1 },
  'prices without a yield': {
    rows: { pricing: [{ bond_id: '1', yield_null_because: 'no_terms', known_from: '2025-01-01' }] },
    count: 1,
  },
  'prices without a spread': {
    rows: {
      pricing: [
        { bond_id: '1', ytm: 5, spread_null_because: 'outside_curve', known_from: '2025-01-01' },
        { bond_id: '2', ytm: 5, spread: 100, known_from: '2025-01-01' },
      ],
    },
    count: 1,
  },
  'published yields': {
    rows: {
      bonds: [bond('2', { rate_structure: 'fixed_to_float' })],
      pricing: [
        { bond_id: '1', ytm: 5, published_ytm: 5.3, known_from: '2025-01-01' },
        { bond_id: '2', ytm: 5, published_ytm: 5.3, published_ytw: 4.7, known_from: '2025-01-01' },
      ],
    },
    count: 2,
  },
  'published spreads': {
    rows: { pricing: [{ bond_id: '1', spread: 100, published_spread: 130, known_from: '2025-01-01' }] },
    count: 1,
  },
  'thin curve days': {
    rows: { pricing_history: [{ date: '2025-01-03', known_from: '2025-01-03' }] },
    count: 1,
  },
  'stale prices': {
    rows: { bonds: [bond('1', { 'pricing.last_price': 99, 'pricing.staleness_days': 45 })] },
    count: 1,
  },
  'excluded prices': {
    rows: {
      excluded_prices: [{ bond_id: '1', date: '2025-01-01', reason: 'price_slip', known_from: '2025-01-01' }],
    },
    count: 1,
  },
  'days without a curve': {
    rows: { pricing_history: [{ date: '2025-02-03', known_from: '2025-02-03' }] },
    count: 1,
  },
  'days served by an older curve': {
    rows: { pricing_history: [{ date: '2025-01-06', known_from: '2025-02-03' }] },
    count: 1,
  },
  'bonds without seniority': { rows: { bonds: [bond('1')] }, count: 1 },
  'bonds without an amount': { rows: { bonds: [bond('1')] }, count: 1 },
  'bonds of unlinked issuers': {
    rows: {
      bonds: [bond('1', { company_id: 'NAME:X' }), bond('2', { company_id: 'NAME:X' })],
      companies: [{ company_id: 'NAME:X', name: 'X' }],
    },
    count: 2,
  },
  'companies without statements': { rows: { companies: [{ company_id: 'A', ticker: 'A' }] }, count: 1 },
  'statements without leverage': {
    rows: { companies: [{ company_id: 'A', ticker: 'A', period_end_date: '2025-03-31' }] },
    count: 1,
  },
  'doubtful leverage': {
    rows: {
      companies: [
        {
          company_id: 'A',
          ticker: 'A',
          leverage_ratio: 2,
          '_metadata.leverage_data_quality.is_annualized': true,
        },
      ],
    },
    count: 1,
  },
  'old figures': { rows: { companies: [{ company_id: 'A', period_end_date: '2023-12-31' }] }, count: 1 },
  'companies without a rating': { rows: { companies: [{ company_id: 'A', ticker: 'A' }] }, count: 1 },
  'companies without spreads': {
    rows: { bonds: [bond('1', { 'pricing.spread': 100 })], companies: [{ company_id: 'A', name: 'A' }] },
    count: 1,
  },
  'spread series with gaps': {
    rows: {
      spreads: [
        spread('2025-01-01', 1),
        spread('2025-01-03', 1),
        { ...spread('2025-01-02', 1), company_id: 'B' },
      ],
    },
    count: 1,
  },
  'missing quarters': { rows: { financials: [quarter(2023, 4), quarter(2024, 3)] }, count: 1 },
  'quarantined figures': {
    rows: {
      quarantine: [
        {
          ticker: 'A',
          company_id: 'A',
          item: 'us-gaap:Revenues',
          period_end: '2024-12-31',
          reason: '1000 times its neighbour',
          known_from: '2025-01-01',
        },
      ],
    },
    count: 1,
  },
  'rows without a day': { rows: { spreads: [{ ...spread('2025-01-01', 1), known_from: null }] }, count: 1 },
  'negative debt': {
    rows: { financials: [{ ...trailing, total_debt: -1, known_from: '2025-01-01' }] },
    count: 1,
  },
  'cash above assets': {
    rows: {
      financials: [{ ...trailing, cash_and_equivalents: 2, total_assets: 1, known_from: '2025-01-01' }],
    },
    count: 1,
  },
  'debt above assets': {
    rows: { financials: [{ ...trailing, total_debt: 4, total_assets: 1, known_from: '2025-01-01' }] },
    count: 1,
  },
  'EBITDA above revenue': {
    rows: { financials: [{ ...trailing, ebitda: 4, revenue: 1, known_from: '2025-01-01' }] },
    count: 1,
  },
  'absurd leverage': { rows: { companies: [{ company_id: 'A', leverage_ratio: 101 }] }, count: 1 },
  'absurd coverage': {
    rows: { companies: [{ company_id: 'A', leverage_ratio: 3, interest_coverage: 1200 }] },
    count: 1,
  },
  'debt due above total debt': {
    rows: { companies: [{ company_id: 'A', debt_due_3yr: 200, total_debt: 100 }] },
    count: 1,
  },
  'impossible prices': {
    rows: {
      pricing: [
        { bond_id: '1', last_price: 1013 },
        { bond_id: '2', last_price: 101.3 },
      ],
    },
    count: 1,
  },
  'companies under two ids': {
    rows: {
      companies: [
        { company_id: 'A', name: 'Acme, Inc.' },
        { company_id: 'CIK0000000001', name: 'ACME CORP' },
        { company_id: 'B', name: 'Bolt Inc' },
      ],
    },
    count: 1,
  },
  'companies without a sector': {
    rows: {
      companies: [
        { company_id: 'A', bond_count: 2 },
        { company_id: 'B', bond_count: 2, sector: 'Energy' },
        { company_id: 'C', bond_count: 0 },
      ],
    },
    count: 1,
  },
  'impossible yields': { rows: { pricing: [{ bond_id: '1', ytm: 140 }] }, count: 1 },
  'impossible spreads': { rows: { spreads: [spread('2025-01-01', 5001)] }, count: 1 },
  'dates out of order': {
    rows: { bonds: [bond('1', { issue_date: '2030-01-01', maturity_date: '2029-01-01' })] },
    count: 1,
  },
}

t.test('every check finds its problem and has advice', async t => {
  for (const { name, severity } of qualityChecks) {
    const case_ = planted[name]
    if (!case_) {
      t.fail(`no rows are planted for ${name}`)
      continue
    }
    const db = await tablesWith(case_.rows)
    const { findings } = await qualityReport(db, '2025-06-30')
    db.close()
    const found = findings.find(f => f.check === name)
    t.match(found, { check: name, severity, count: case_.count }, name)
    if (!found) continue
    t.match(sentenceOf(found), /^\d/)
    t.ok(adviceOf(name).length > 20, `${name} says what to do`)
  }
})

t.test('a finding reads as a sentence', async t => {
  t.equal(
    sentenceOf({
      check: 'absurd leverage',
      severity: 'problem',
      kind: null,
      count: 1,
      of: 1287,
      examples: ['STLD'],
    }),
    '1 of 1,287 companies have leverage above 100: STLD',
  )
  t.equal(
    sentenceOf({
      check: 'stale prices',
      severity: 'note',
      kind: 'over a year',
      count: 12,
      of: null,
      examples: ['A', 'B'],
    }),
    '12 active bonds have a latest price this old (over a year): A, B, …',
  )
})

t.test('a build writes the report into its manifest, deterministically', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const first = await currentManifest(lake)
  const second = await build(lake)
  t.strictSame(first.quality, second.quality)
  const { quality } = await currentManifest(lake)
  t.strictSame(quality, second.quality)
  t.match(
    quality!.tables.find(x => x.table === 'bonds'),
    { rows: 3, companies: 2 },
  )
  t.match(
    quality!.findings.find(f => f.check === 'bonds without a price'),
    { count: 2, of: 3 },
  )
})

t.test(
  'refusals are counted by reason without quoted values, and equal file refusals are merged',
  async t => {
    const record = (name: string, refused: string | null, reasons: Record<string, number>) =>
      ({ name, refused, report: { reasons } }) as unknown as ImportRecord
    t.strictSame(
      refusals([
        record('a', null, { x: 1, y: 5, 'value "2016-03-31" is not a number': 2 }),
        record('b', 'has 5 columns', {
          x: 7,
          'value "n/a" is not a number': 1,
          'agency "KBRA" is not covered': 2,
        }),
        record('c', 'has 6 columns', {}),
      ]),
      {
        rows: [
          { reason: 'x', count: 8 },
          { reason: 'y', count: 5 },
          { reason: 'value "2016-03-31" is not a number (and other values)', count: 3 },
          { reason: 'agency "KBRA" is not covered', count: 2 },
        ],
        files: [{ reason: 'has 5 columns', names: ['b', 'c'] }],
      },
    )
    for (const reason of ['not corporate debt: sector Sovereign', 'no value (holiday)', 'text, not a figure'])
      t.match(refusalAdvice.rows(reason), /^nothing: /, reason)
    for (const reason of ['value "n/a" is not a number', 'price must be positive', '"x" is not a date'])
      t.match(refusalAdvice.rows(reason), /^correct these rows/, reason)
  },
)
