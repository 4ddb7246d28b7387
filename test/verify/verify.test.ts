import { cp, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tap from 'tap'
import { snapToEighth } from '../../engine/credit/coupon-snap.ts'
import { ratingRank } from '../../engine/credit/rating-scale.ts'
import { Database, literal, quote } from '../../engine/database/database.ts'
import { fingerprint } from '../../engine/lake/fingerprint.ts'
import { inLake, type Lake, openLake } from '../../engine/lake/lake.ts'
import { sealed } from '../../engine/lake/seal.ts'
import { currentManifest, type Manifest } from '../../engine/lake/snapshot.ts'
import { type Column, isNumeric } from '../../engine/schema/column.ts'
import { tables } from '../../engine/schema/resources/tables.ts'
import { build } from '../../engine/snapshot/build.ts'
import { causeOf } from '../../engine/verify/compare.ts'
import { rankOf } from '../../engine/verify/ratings.ts'
import type { Difference } from '../../engine/verify/recomputation.ts'
import { recomputations } from '../../engine/verify/recomputations.ts'
import { eighthOf } from '../../engine/verify/terms.ts'
import { standingTrades } from '../../engine/verify/trades.ts'
import { verifyFigures } from '../../engine/verify/verify.ts'
import { removeFolder } from '../folder.ts'
import { makeLake, type Rows, twoIssuers } from '../make-lake.ts'

const verifiedColumns = (table: string): ReadonlySet<string> =>
  new Set(recomputations.filter(r => r.table === table).flatMap(r => Object.keys(r.columns)))

tap.test('every derived column of every table has a recomputation', async t => {
  for (const { table, columns } of tables) {
    const verified = verifiedColumns(table)
    const left = Object.keys(columns).filter(name => columns[name]!.derived && !verified.has(name))
    t.strictSame(left, [], table)
  }
})

tap.test('every recomputed column belongs to its table', async t => {
  for (const { table, columns } of recomputations) {
    const declared = tables.find(r => r.table === table)!.columns
    t.strictSame(
      Object.keys(columns).filter(name => !Object.hasOwn(declared, name)),
      [],
      table,
    )
  }
})

const trade = (trade_id: string, day: string, price: number, more: object = {}) => ({
  cusip: '000000AA7',
  trade_id,
  action: 'trade',
  trade_date: day,
  trade_time: '10:00:00',
  reported_date: day,
  price,
  quantity: 1_000_000_00,
  known_from: day,
  ...more,
})

const flow = (
  concept: string,
  start: string,
  end: string,
  value: number,
  accession: string,
  filed: string,
) => ({
  cik: '0000000002',
  concept: `us-gaap:${concept}`,
  unit: 'USD',
  period_start: start === '' ? null : start,
  period_end: end,
  value,
  accession,
  form: accession.endsWith('9') ? '10-K' : '10-Q',
  report_date: end,
  filed_date: filed,
  known_from: filed,
})

/** Two issuers with rows in every dataset, so that no column is empty. */
const whole: Rows = {
  ...twoIssuers,
  trades: [
    trade('1', '2025-05-30', 99),
    trade('2', '2025-05-30', 98, { trade_time: '11:00:00', quantity: 3_000_000_00 }),
    trade('3', '2025-05-30', 97, { trade_time: '12:00:00' }),
    trade('4', '2025-05-31', 97, { action: 'cancel', original_trade_id: '3', trade_date: '2025-05-30' }),
    trade('5', '2025-05-29', 9.8, { trade_time: '09:00:00' }),
    trade('6', '2025-05-28', 98),
  ],
  guarantees: [{ guarantor_id: 'e2', bond_id: 'ALFA-TLB', guarantee_type: 'full', known_from: '2024-03-01' }],
  ownership: [{ parent_id: 'e1', child_id: 'e2', ownership_pct: 80, known_from: '2024-03-01' }],
  spreads: [
    {
      ticker: 'BETA',
      spread_date: '2025-06-02',
      tenor: '5Y',
      spread_bps: 210.5,
      feed: 'settlement_price',
      known_from: '2025-06-02',
    },
  ],
  documents: [
    {
      id: 'd1',
      ticker: 'ALFA',
      doc_type: '10-K',
      section_type: 'notes',
      content: 'Debt falls due.',
      filing_date: '2025-02-09',
      known_from: '2025-02-09',
    },
  ],
  collateral: [
    ...twoIssuers['collateral']!,
    {
      id: 'k2',
      ticker: 'ALFA',
      type: 'real_estate',
      description: 'A yard, in a filing whose day only the list of filings tells',
      accession: '0000000001-25-000007',
      known_from: '2025-05-15',
      source: 'indenture.htm:1',
    },
  ],
  filings: [
    ...(twoIssuers['filings'] ?? []),
    {
      cik: '0000000001',
      company_name: 'Alfa Drilling Corp',
      accession: '0000000001-25-000007',
      form: '10-K',
      filed_date: '2025-02-11',
      known_from: '2025-02-11',
    },
  ],
  facts: [
    flow('Revenues', '2024-01-01', '2024-12-31', 480, 'a-9', '2025-02-20'),
    flow('Revenues', '2024-01-01', '2024-03-31', 100, 'a-1', '2024-05-01'),
    flow('Revenues', '2024-01-01', '2024-06-30', 210, 'a-2', '2024-08-01'),
    flow('Revenues', '2024-01-01', '2024-09-30', 330, 'a-3', '2024-11-01'),
    flow('OperatingIncomeLoss', '2024-01-01', '2024-12-31', 90, 'a-9', '2025-02-20'),
    flow('OperatingIncomeLoss', '2024-01-01', '2024-09-30', 60, 'a-3', '2024-11-01'),
    flow('Assets', '', '2024-12-31', 900, 'a-9', '2025-02-20'),
    flow('LongTermDebtNoncurrent', '', '2024-12-31', 300, 'a-9', '2025-02-20'),
  ],
}

/** A separate built lake. */
let built: Promise<Lake> | undefined
async function copyOfLake(t: { teardown: (done: () => Promise<void>) => void }): Promise<Lake> {
  built ??= makeLake(done => tap.teardown(done), whole).then(async lake => {
    await build(lake)
    return lake
  })
  const folder = await mkdtemp(join(tmpdir(), 'tranche-test-'))
  t.teardown(() => removeFolder(folder))
  await cp((await built).root, folder, { recursive: true })
  return openLake(folder)
}

async function verified(lake: Lake, options: { asOf?: string; sample?: number; tables?: string[] } = {}) {
  const differences: Difference[] = []
  const result = await verifyFigures(lake, await currentManifest(lake), {
    ...options,
    found: difference => void differences.push(difference),
  })
  return { ...result, found: differences }
}

tap.test('a build agrees with its recomputation, for its own day and an earlier one', async t => {
  const lake = await copyOfLake(t)
  const { found, tables: compared } = await verified(lake)
  t.strictSame(found, [])
  t.equal(compared.find(c => c.table === 'pricing_history')!.rows, 4)
  t.ok(compared.find(c => c.table === 'financials')!.rows > 8)
  t.strictSame((await verified(lake, { asOf: '2025-05-30' })).found, [], 'before the cancel was reported')
  const past = await verified(lake, { asOf: '2025-03-31', tables: ['collateral'] })
  t.strictSame(past.found, [], 'a filing is known from its day in the list of filings')
  t.match(past.tables, [{ table: 'collateral', rows: 2 }])
  const sampled = await verified(lake, { sample: 1 })
  t.strictSame(sampled.found, [])
  t.equal(sampled.tables.find(c => c.table === 'companies')!.rows, 1)
  const some = await verified(lake, { tables: ['ratings'] })
  t.strictSame(
    some.tables.map(c => c.table),
    ['ratings'],
  )
})

/** A plausible wrong value. */
function mutated(name: string, column: Column): string {
  const q = quote(name)
  if (column.kind === 'cents') return `coalesce(${q}, 0) * 100 + 12300`
  if (isNumeric(column)) return `coalesce(${q}, 0) * 1.5 + 7`
  if (column.kind === 'boolean') return `NOT coalesce(${q}, FALSE)`
  if (column.kind === 'date') return `coalesce(${q}, DATE '2025-01-01') + 400`
  if (column.kind === 'list') return "['wrong']"
  return `concat(${q}, 'wrong')`
}

/** Puts one wrong cell into some columns of each table, with matching checksums. */
async function mutate(
  lake: Lake,
  columnsOf: (table: string) => readonly string[],
): Promise<Map<string, string>> {
  const manifest = await currentManifest(lake)
  const folder = inLake(lake, 'snapshots', manifest.id)
  const db = await Database.create()
  const keys = new Map<string, string>()
  const stored: Manifest['tables'][number][] = []
  for (const table of manifest.tables) {
    const declared = tables.find(r => r.table === table.name)
    if (!declared) {
      // Copies of the spreads hold no columns of their own.
      stored.push(table)
      continue
    }
    const { columns, key } = declared
    const path = `${folder}/${table.file}`
    const rows = `(SELECT *, row_number() OVER () AS n FROM read_parquet(${literal(path)}))`
    const changes: string[] = []
    for (const name of table.rows > 0 ? columnsOf(table.name) : []) {
      const [row] = await db.rows<{ n: number; key: string }>(
        `SELECT n, concat_ws(' ', ${key.map(k => `CAST(${quote(k)} AS VARCHAR)`).join(', ')}) AS key FROM ${rows}
         ORDER BY ${quote(name)} IS NULL, n LIMIT 1`,
      )
      keys.set(`${table.name}.${name}`, row!.key)
      changes.push(
        `CASE WHEN n = ${row!.n} THEN ${mutated(name, columns[name]!)} ELSE ${quote(name)} END AS ${quote(name)}`,
      )
    }
    if (changes.length > 0) {
      await db.run(
        `CREATE TABLE changed AS SELECT * EXCLUDE (n) REPLACE (${changes.join(', ')}) FROM ${rows}`,
      )
      await db.run(`COPY changed TO ${literal(path)} (FORMAT parquet); DROP TABLE changed`)
    }
    stored.push({ ...table, ...(await fingerprint(path)) })
  }
  db.close()
  await writeFile(`${folder}/manifest.json`, sealed({ ...manifest, tables: stored }))
  return keys
}

tap.test('a wrong cell in any derived column is found, with its row', async t => {
  const lake = await copyOfLake(t)
  const keys = await mutate(lake, table => {
    const { columns, key } = tables.find(r => r.table === table)!
    return [...verifiedColumns(table)].filter(name => columns[name]!.derived && !key.includes(name))
  })
  t.ok(keys.size > 120, `${keys.size} columns`)
  const { found } = await verified(lake)
  for (const [field, key] of keys) {
    const those = found.filter(d => `${d.dataset}.${d.field}` === field)
    t.ok(
      those.some(d => d.key.replaceAll(' -', '').startsWith(key) || d.key.startsWith(key)),
      `${field} of ${key}, not only of ${those.map(d => d.key)}`,
    )
  }
  const slip = found.find(d => d.dataset === 'companies' && d.field === 'cash')
  t.type(slip?.difference, 'number')
})

tap.test('a spread copy that differs from its table is found', async t => {
  const lake = await copyOfLake(t)
  const manifest = await currentManifest(lake)
  const db = await Database.create()
  const stored = []
  for (const table of manifest.tables) {
    const path = inLake(lake, 'snapshots', manifest.id, table.file)
    const isCopy = table.name === 'spreads_by_ticker'
    if (isCopy)
      await db.run(
        `CREATE TABLE changed AS SELECT * REPLACE (CAST(spread_tenths + (rowid = 0)::INTEGER AS SMALLINT) AS spread_tenths)
           FROM (SELECT *, row_number() OVER () - 1 AS rowid FROM read_parquet(${literal(path)}));
         COPY (SELECT * EXCLUDE (rowid) FROM changed) TO ${literal(path)} (FORMAT parquet)`,
      )
    stored.push(isCopy ? { ...table, ...(await fingerprint(path)) } : table)
  }
  db.close()
  const folder = inLake(lake, 'snapshots', manifest.id)
  await writeFile(`${folder}/manifest.json`, sealed({ ...manifest, tables: stored }))
  const { found } = await verified(lake)
  t.strictSame(
    found.map(d => [d.dataset, d.field]),
    [
      ['spreads_by_ticker', 'spread_bps'],
      ['spreads_by_ticker', 'spread_bps'],
    ],
    'what it says, and what it should',
  )
  const [one, other] = found
  t.equal(one!.key, other!.key)
  t.equal(
    Math.round(
      10 * Math.abs(Number(one!.stored ?? other!.stored) - Number(one!.recomputed ?? other!.recomputed)),
    ),
    1,
  )
})

tap.test('columns copied from the source are compared with it', async t => {
  const lake = await copyOfLake(t)
  const keys = await mutate(
    lake,
    table =>
      ({
        covenants: ['threshold_value'],
        bonds: ['maturity_date', 'outstanding'],
        ratings: ['effective_date'],
      })[table] ?? [],
  )
  const fields = new Set((await verified(lake)).found.map(d => `${d.dataset}.${d.field}`))
  for (const field of keys.keys()) t.ok(fields.has(field), field)
})

tap.test('a statement that cites a nonexistent fact is found', async t => {
  const lake = await copyOfLake(t)
  const manifest = await currentManifest(lake)
  const table = manifest.tables.find(f => f.name === 'financials')!
  const path = inLake(lake, 'snapshots', manifest.id, table.file)
  const db = await Database.create()
  await db.run(
    `CREATE TABLE f AS SELECT * REPLACE (replace(_explain, '"value":480,', '"value":481,') AS _explain) FROM read_parquet(${literal(path)});
     COPY f TO ${literal(path)} (FORMAT parquet)`,
  )
  db.close()
  const tables = manifest.tables.map(f => f)
  tables[tables.indexOf(table)] = { ...table, ...(await fingerprint(path)) }
  await writeFile(inLake(lake, 'snapshots', manifest.id, 'manifest.json'), sealed({ ...manifest, tables }))
  const { found } = await verified(lake)
  t.match(
    found
      .filter(d => d.field === 'revenue')
      .map(d => d.cause)
      .join('\n'),
    /cites us-gaap:Revenues 481 .* which no row known by 2025-02-20 states/,
  )
})

tap.test('a missing or extra row is found', async t => {
  const lake = await copyOfLake(t)
  const manifest = await currentManifest(lake)
  const table = manifest.tables.find(f => f.name === 'pricing_history')!
  const path = inLake(lake, 'snapshots', manifest.id, table.file)
  const db = await Database.create()
  await db.run(`CREATE TABLE p AS SELECT * REPLACE (CASE WHEN date = '2025-06-02' THEN DATE '2025-06-01' ELSE date END AS date)
    FROM read_parquet(${literal(path)}); COPY p TO ${literal(path)} (FORMAT parquet)`)
  db.close()
  const stored = manifest.tables.map(f => f)
  stored[stored.indexOf(table)] = { ...table, ...(await fingerprint(path)) }
  await writeFile(
    inLake(lake, 'snapshots', manifest.id, 'manifest.json'),
    sealed({ ...manifest, tables: stored }),
  )
  const rows = (await verified(lake)).found.filter(d => d.field === '(row)')
  t.strictSame(
    rows.map(d => [d.key, d.stored, d.recomputed]),
    [
      ['000000AA7 2025-06-01', 'present', null],
      ['000000AA7 2025-06-02', null, 'present'],
    ],
  )
})

tap.test('a difference names its likely cause', async t => {
  const cause = (stored: string | null, recomputed: string | null) =>
    causeOf({ stored, recomputed }, 'by hand')
  t.match(cause('12300', '123'), /100 times too large/)
  t.match(cause('123', '123000'), /1,000 times too small/)
  t.match(cause('-5', '5'), /sign/)
  t.match(cause('400', '100'), /quarter taken for a year/)
  t.match(cause(null, '1'), /give a figure: by hand/)
  t.match(cause('nan', '1'), /not a number/)
})

tap.test('ranks by arithmetic agree with the rating scale', async t => {
  const letters =
    'AAA AA+ Aa1 AA Aa2 AA- Aa3 A+ A1 A- A3 BBB+ Baa1 BBB Baa2 BBB- Baa3 BB+ Ba1 BB- Ba3 B+ B1 B B2 B- B3 CCC+ Caa1 CCC Caa2 CCC- Caa3 CC Ca C D SD RD NR WR (P)Ba1 BB+*- BBu P-1 X AAA+'
  for (const letter of letters.split(' ')) t.equal(rankOf(letter), ratingRank('sp', letter), letter)
})

tap.test('eighths by search agree with rounding', async t => {
  for (let hundredths = 0; hundredths <= 1200; hundredths++)
    t.equal(eighthOf(hundredths / 100), snapToEighth(hundredths / 100), `${hundredths / 100}`)
})

tap.test('a cancel removes one report, and a reversal without a number the first equal one', async t => {
  const report = (number: string, action: string, more: object) => ({
    id: 'b',
    day: 1,
    is_trade: true,
    action,
    number,
    undoes: null,
    price: 99,
    basis: 'clean',
    time: '10:00:00',
    reported: 1,
    quantity: 5,
    capped: null,
    side: 'buy',
    counterparty: 'customer',
    trade_count: null,
    when_issued: null,
    special: null,
    agency: null,
    commission: null,
    kind: 'trade',
    known: null,
    ingested: '',
    source: number,
    ...more,
  })
  const { standing, excluded } = standingTrades([
    report('1', 'trade', {}),
    report('2', 'trade', {}),
    report('3', 'trade', { price: 98 }),
    report('4', 'cancel', { undoes: '3', price: 98 }),
    report('5', 'reversal', { reported: 2 }),
  ] as never)
  t.strictSame(
    standing.map(r => r.number),
    ['2'],
  )
  t.strictSame(
    excluded.map(e => [e.report.number, e.reason]),
    [
      ['3', 'cancelled'],
      ['1', 'reversed'],
    ],
  )
})
