import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { Database, literal, quote } from '../../engine/database/database.ts'
import { inLake, type Lake, openLake } from '../../engine/lake/lake.ts'
import type { Manifest } from '../../engine/lake/snapshot.ts'
import { spreadCopies } from '../../engine/query/spread-copies.ts'
import { spreads } from '../../engine/schema/resources/spreads.ts'
import { tables } from '../../engine/schema/resources/tables.ts'
import { fileOrder, parseSort } from '../../engine/schema/sort.ts'
import { build } from '../../engine/snapshot/build.ts'
import { byNight } from '../by-night.ts'
import { removeFolder } from '../folder.ts'
import { addRows, makeLake, type Rows } from '../make-lake.ts'
import { richRows } from '../point-in-time/rich-lake.ts'

t.setTimeout(230_000)

type Row = Readonly<Record<string, unknown>>

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))
const known = { known_from: '2024-03-01' }

/** Enough rows that threads share the work. */
const many: Rows = {
  ratings: times(400, i => ({
    company_name: `Rated ${i} Inc`,
    agency: ['sp', 'moodys', 'fitch'][i % 3],
    rating: ['BB', 'Ba2', 'BB+'][i % 3],
    effective_date: '2024-01-10',
    source: `many.csv:row ${i}`,
    ...known,
  })),
  covenants: times(400, i => ({
    ticker: 'ALFA',
    instrument_name: `Note ${i}`,
    covenant_type: 'financial',
    covenant_name: 'Maximum leverage',
    test_metric: 'leverage_ratio',
    source: `many.csv:row ${i}`,
    ...known,
  })),
  entities: times(400, i => ({
    id: `many-${i}`,
    ticker: 'ALFA',
    name: `Subsidiary ${i} LLC`,
    parent_id: 'e0',
    source: `many.csv:row ${i}`,
    ...known,
  })),
  guarantees: times(400, i => ({
    guarantor_id: `many-${i}`,
    instrument_name: `Note ${i % 90}`,
    source: `many.csv:row ${i}`,
    ...known,
  })),
  documents: times(200, i => ({
    id: `many-${i}`,
    ticker: 'GAMA',
    doc_type: '10-K',
    section_type: 'debt_footnote',
    section_title: `Note ${i}`,
    content: `The borrower may draw up to ${i} million under the revolving facility. ${'Senior notes rank equally. '.repeat(i % 7)}`,
    filing_date: '2024-03-01',
    source: `many.txt:section ${i}`,
    ...known,
  })),
}

/** One position of a source with several equal-keyed rows: only their values distinguish them. */
const ways = (n: number, make: (i: number) => Row): Row[] =>
  times(n, i => ({ source: 'one.txt:section 1', ...known, ...make(i) }))

const tagged = {
  cik: '0000000022',
  unit: 'USD',
  period_end: '2023-12-31',
  accession: '0000000022-24-000001',
  form: '10-K',
  filed_date: '2024-02-14',
}

const ties: Rows = {
  covenants: ways(9, i => ({
    ticker: 'BETA',
    covenant_type: 'financial',
    covenant_name: 'Minimum coverage',
    threshold_value: i,
  })),
  collateral: ways(9, i => ({ id: 'tie', ticker: 'BETA', type: 'equipment', description: `Rig ${i}` })),
  corrections: ways(9, i => ({
    corrects: 'collateral',
    row_id: 'tie',
    action: 'set',
    field: 'description',
    value: `Corrected rig ${i}`,
    reason: 'as the agreement says',
    made_by: 'reader',
    made_on: '2024-03-01',
    made_at: '2024-03-01T10:00:00Z',
  })),
  instruments: ways(9, i => ({
    ticker: 'BETA',
    name: 'Notes',
    instrument_id: 'tie',
    currency: 'USD',
    carrying_amount: 100 + i,
    balance_date: '2024-12-31',
    known_from: '2025-02-01',
  })),
  entities: ways(9, i => ({
    id: 'tie',
    ticker: 'BETA',
    name: `Tie ${i} LLC`,
    jurisdiction: `Place ${i}`,
    document_type: 'EX-21.1',
    company_name: `Filer ${i} Inc`,
  })),
  ownership: ways(9, i => ({ parent_id: 'e1', child_id: 'tie', ownership_pct: 51 + i })),
  guarantees: ways(9, i => ({ guarantor_id: 'tie', bond_id: 'B009', guarantee_type: `kind ${i}` })),
  ratings: ways(9, i => ({
    ticker: 'GAMA',
    agency: 'fitch',
    rating: 'BBB',
    effective_date: '2024-02-02',
    outlook: ['stable', 'positive', 'negative'][i % 3],
  })),
  bonds: ways(9, i => ({
    cusip: '000000AA7',
    bond_id: `name ${i}`,
    name: `Tied ${i}`,
    coupon_rate: 5 + i / 8,
  })),
  prices: ways(9, i => ({
    cusip: '000000AA7',
    price_date: '2024-03-01',
    price: 95 + i,
    price_source: 'vendor',
  })),
  treasury_yields: ways(9, i => ({
    date: '2024-03-01',
    tenor_months: 120,
    rate: 4 + i / 10,
    publisher: 'treasury',
  })),
  indices: ways(9, i => ({
    series: 'IG',
    index_name: `Corporate ${i}`,
    index_date: '2024-03-01',
    option_adjusted_spread: 1 + i / 10,
  })),
  companies: ways(9, i => ({
    ticker: 'TIED',
    name: 'Tied Holdings Inc',
    cik: '0000000077',
    industry: `Trade ${i}`,
  })),
  directory: ways(9, i => ({
    registry: 'gleif',
    name: 'SUBSIDIARY 7 LLC',
    lei: `5299000000000000000${i}`,
    jurisdiction: 'US-DE',
  })),
  documents: ways(9, i => ({
    id: 'tie',
    ticker: 'BETA',
    doc_type: '10-Q',
    section_type: 'debt_footnote',
    content: `One of ${i} texts.`,
  })),
  spreads: ways(9, i => ({
    ticker: 'DELT',
    spread_date: '2024-03-04',
    tenor: '3Y',
    spread_bps: 100 + i,
    feed: 'trade_repository',
  })),
  facts: [
    ...ways(9, i => ({ ...tagged, concept: 'us-gaap:Goodwill', value: 10e6, decimals: -i })),
    ...ways(9, i => ({
      ...tagged,
      concept: 'us-gaap:LineOfCreditFacilityRemainingBorrowingCapacity',
      value: (10 + i) * 1e6,
    })),
  ],
}

/** A balance sheet line of which one quarter is a thousand times too large. */
const slips: Rows = {
  facts: richRows['facts']!.filter(fact => fact['concept'] === 'us-gaap:Assets').map((fact, i) => ({
    ...fact,
    concept: 'us-gaap:Liabilities',
    value: (2_345_678 + 321 * i) * (i === 3 ? 1e6 : 1e3),
    decimals: -3,
    source: `slips.csv:row ${i}`,
  })),
}

const batches: readonly Rows[] = [richRows, many, ties, slips]

async function lakeOf(parts: readonly Rows[]): Promise<Lake> {
  const lake = await makeLake(t.teardown, parts[0]!)
  for (const rows of parts.slice(1)) await addRows(lake, rows)
  return lake
}

/** The same lake in another folder, without its snapshots. */
async function copyOf(lake: Lake): Promise<Lake> {
  const folder = await mkdtemp(join(tmpdir(), 'tranche-test-'))
  t.teardown(() => removeFolder(folder))
  for (const name of ['lake.json', 'batches', 'imports'])
    await cp(inLake(lake, name), join(folder, name), { recursive: true })
  return openLake(folder)
}

const hashes = ({ tables, files }: Manifest): Record<string, string> =>
  Object.fromEntries([...tables, ...files].map(({ file, sha256 }) => [file, sha256]))

const later = (row: Row): Row => ({ ingested_at: '2026-05-06T07:08:09Z', ...row })

const contentHash = ({ id }: Manifest): string => id.slice(-8)

const lake = await lakeOf(batches)
const made = await build(lake, { threads: 1 })

const patient = { timeout: 120_000 }

t.test(
  'two builds of a lake write the same bytes, in any folder, on any number of threads',
  patient,
  async t => {
    const again = await build(await copyOf(lake), { threads: 4, memory: '400MiB' })
    t.strictSame(hashes(again), hashes(made))
    t.equal(contentHash(again), contentHash(made), 'and their ids end alike')
  },
)

t.test('neither row order, import order nor import time changes a file', patient, async t => {
  const reversed = [...batches]
    .reverse()
    .map(rows =>
      Object.fromEntries(
        Object.entries(rows).map(([dataset, those]) => [dataset, [...those].reverse().map(later)]),
      ),
    )
  t.strictSame(hashes(await build(await lakeOf(reversed), { threads: 2 })), hashes(made))
})

t.test('a build that uses what earlier ones derived writes the bytes of a full one', patient, async t => {
  const growing = await lakeOf([richRows])
  await build(growing)
  for (const rows of byNight ? [[many], [slips]] : [[many, slips]]) {
    for (const added of rows) await addRows(growing, added)
    const after = await build(growing)
    t.strictSame(hashes(after), hashes(await build(await copyOf(growing), { full: true })))
  }
})

const db = await Database.create()
t.teardown(() => db.close())
const rowsIn = (name: string) => {
  const { file } = made.tables.find(table => table.name === name)!
  return `read_parquet(${literal(inLake(lake, 'snapshots', made.id, file))}, file_row_number = true)`
}
const count = async (sql: string) =>
  (await db.rows<{ n: number }>(`SELECT count(*) AS n FROM (${sql})`))[0]!.n

for (const { name, order, key } of [
  ...tables.map(table => ({ name: table.table, order: fileOrder(table), key: table.key })),
  ...spreadCopies.map(copy => ({ name: copy.name, order: copy.order.map(parseSort), key: spreads.key })),
]) {
  t.test(`${name} is in its declared order, and no two rows share a place in it`, async t => {
    const named = new Set(order.map(({ column }) => column))
    t.strictSame(
      key.filter(column => !named.has(column)),
      [],
      'the order has the key in it',
    )
    const keys = key.map(quote).join(', ')
    t.equal(await count(`SELECT ${keys} FROM ${rowsIn(name)} GROUP BY ALL HAVING count(*) > 1`), 0)
    const sorted = order.map(s => `${quote(s.column)} ${s.descending ? 'DESC' : 'ASC'} NULLS LAST`).join(', ')
    const misplaced = `SELECT 1 FROM ${rowsIn(name)} QUALIFY row_number() OVER (ORDER BY ${sorted}) - 1 <> file_row_number`
    t.equal(await count(misplaced), 0)
  })
}

t.test('the lake of this test has rows in every table', async t => {
  t.strictSame(
    made.tables.filter(table => table.rows === 0).map(table => table.name),
    [],
  )
})
