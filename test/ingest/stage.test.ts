import { join } from 'node:path'
import t from 'tap'
import { Database } from '../../engine/database/database.ts'
import { checkedSql, stagedColumns } from '../../engine/ingest/checks.ts'
import { type IngestRun, Settlement } from '../../engine/ingest/settle.ts'
import { cellOf, Stage } from '../../engine/ingest/stage.ts'
import { ensureLake } from '../../engine/lake/lake.ts'
import { datasetNamed } from '../../engine/schema/datasets/datasets.ts'
import { type OwnsFolder, testFolder } from '../folder.ts'
import { refusedIn, rowsOf } from './lake-rows.ts'

async function staging(t: OwnsFolder, settleRows?: number) {
  const lake = await ensureLake(join(testFolder(t), 'lake'))
  const database = await Database.create({ threads: 1 })
  t.teardown(() => database.close())
  const intake: IngestRun = {
    lake,
    database,
    records: [],
    options: {},
    now: new Date('2026-01-02T03:04:05Z'),
    hashed: new Set(),
    files: [],
  }
  const begin = async (name: string, options = {}) => {
    const settlement = new Settlement(intake, { name, bytes: 1, sha256: name.padStart(64, '0'), options })
    await settlement.begin()
    return { settlement, stage: new Stage(intake, settlement, settleRows) }
  }
  const commit = async ({ settlement, stage }: Awaited<ReturnType<typeof begin>>) => {
    await stage.finish()
    const report = await settlement.report(stage.notes)
    return settlement.commit(report, { kinds: ['test'], refused: null })
  }
  return { lake, intake, begin, commit }
}

const price = (cusip: string, value: unknown, more = {}) => ({
  dataset: 'prices',
  values: { cusip, price_date: '2024-01-02', price: value, price_source: 'vendor', ...more },
})
const bond = (cusip: string, more = {}) => ({ dataset: 'bonds', values: { cusip, ...more } })
const apple = '037833100'
const microsoft = '594918104'

t.test('a source row is taken with all its rows, or refused with all of them', async t => {
  const { lake, begin, commit } = await staging(t)
  const open = await begin('fund.xml')
  const sink = open.stage.sink('fund.xml')
  await sink.take('bond 1', [bond(apple), price(apple, 99.5)])
  await sink.take('bond 2', [bond(microsoft), price(microsoft, -1)])
  await sink.take('bond 3', [bond('594918105'), price(microsoft, 90)])
  await sink.refuse('bond 4', '<x/>', 'is a municipality')
  await sink.take('bond 5', [bond(apple), price(apple, 99.5)])
  await sink.take('bond 6', [bond(apple), price(apple, 99.6, { price_date: '2024-01-03' })])
  await sink.take('header', [])
  sink.note('clean prices')
  const { report, batches } = await commit(open)
  t.strictSame(report, {
    read: 7,
    accepted: 3,
    duplicate: 1,
    rejected: 3,
    added: { bonds: 1, prices: 2 },
    reasons: {
      'cusip must be a CUSIP: 9 characters with a valid check digit': 1,
      'is a municipality': 1,
      'price must be in percent of par, above 0 and at most 1000': 1,
    },
    notes: ['clean prices'],
  })
  t.strictSame(
    batches.map(batch => [batch.path, batch.rows]),
    [
      ['batches/bonds/00000001-00000000-1.parquet', 1],
      ['batches/prices/00000001-00000000-1.parquet', 2],
    ],
  )
  t.strictSame(
    await rowsOf(lake, 'prices', 'cusip, price, price_date, known_from, source, ingested_at', 'price'),
    [
      {
        cusip: apple,
        price: 99.5,
        price_date: '2024-01-02',
        known_from: '2024-01-02',
        source: 'fund.xml:bond 1',
        ingested_at: '2026-01-02T03:04:05.000Z',
      },
      {
        cusip: apple,
        price: 99.6,
        price_date: '2024-01-03',
        known_from: '2024-01-03',
        source: 'fund.xml:bond 6',
        ingested_at: '2026-01-02T03:04:05.000Z',
      },
    ],
  )
  t.strictSame(await refusedIn(lake), [
    'bond 2: price -1 must be in percent of par, above 0 and at most 1000',
    'bond 3: cusip 594918105 must be a CUSIP: 9 characters with a valid check digit',
    'bond 4: is a municipality',
  ])
})

t.test('equal rows of different files are duplicates, unless their known day differs', async t => {
  const { lake, begin, commit } = await staging(t)
  const first = await begin('a')
  await first.stage.sink('a').take('row 1', [price(apple, 99)])
  t.match((await commit(first)).report, { accepted: 1 })
  const second = await begin('b')
  await second.stage.sink('b').take('row 1', [price(apple, '99.0')])
  await second.stage.sink('b').take('row 2', [price(apple, 99, { known_from: '2024-02-01' })])
  t.match((await commit(second)).report, { accepted: 1, duplicate: 1 })
  t.strictSame(await rowsOf(lake, 'prices', 'known_from, source', 'known_from'), [
    { known_from: '2024-01-02', source: 'a:row 1' },
    { known_from: '2024-02-01', source: 'b:row 2' },
  ])
})

t.test("the known day comes from the row's own column, its date, or the option", async t => {
  const { lake, begin, commit } = await staging(t)
  const open = await begin('a', { known_from: '2024-06-01', date: '2024-05-01' })
  const sink = open.stage.sink('a')
  const rating = (values: object) => ({
    dataset: 'ratings',
    values: { ticker: 'A', agency: 'sp', ...values },
  })
  await sink.take('1', [rating({ rating: 'A', effective_date: '2024-01-01', known_from: '2024-01-05' })])
  await sink.take('2', [rating({ rating: 'AA', effective_date: '2024-01-01' })])
  await sink.take('3', [rating({ rating: 'B' })])
  await commit(open)
  const dated = await begin('b', { date: '2024-05-01' })
  await dated.stage.sink('b').take('4', [rating({ rating: 'C' })])
  await commit(dated)
  const bare = await begin('c')
  await bare.stage.sink('c').take('5', [rating({ rating: 'D' })])
  await commit(bare)
  t.strictSame(
    (await rowsOf<{ known_from: string }>(lake, 'ratings', 'known_from', 'source')).map(
      row => row.known_from,
    ),
    ['2024-01-05', '2024-01-01', '2024-06-01', '2024-05-01', null],
  )
})

t.test('a long file is settled in parts between source rows, with duplicates found across them', async t => {
  const { lake, begin, commit } = await staging(t, 1000)
  const open = await begin('long')
  const sink = open.stage.sink('long')
  const n = 60_000
  for (let i = 0; i < n; i++) {
    // Every tenth row repeats one far before it.
    const k = i % 10 === 9 ? i - 9 : i
    void sink.take(`row ${i}`, [
      bond('', { bond_id: `b${k}` }),
      price('', 50 + (k % 100), { bond_id: `b${k}` }),
    ])
    if (i % 5000 === 0) await sink.drain()
  }
  const { report, batches } = await commit(open)
  t.match(report, {
    read: n,
    accepted: n * 0.9,
    duplicate: n * 0.1,
    rejected: 0,
    added: { bonds: n * 0.9, prices: n * 0.9 },
  })
  t.ok(batches.length > 4, `${batches.length} files`)
  const [row] = await rowsOf<{ n: number }>(lake, 'prices', 'count(DISTINCT bond_id) AS n', '1')
  t.equal(row!.n, n * 0.9)
})

t.test('rows of an archive member can be undone until they are settled', async t => {
  const { begin, commit } = await staging(t)
  const open = await begin('a.zip')
  await open.stage.sink('a.zip!1').take('row 1', [price(apple, 99)])
  const mark = open.stage.mark()
  const sink = open.stage.sink('a.zip!2')
  await sink.take('row 1', [price(microsoft, 99)])
  await sink.refuse('row 2', 'x', 'no')
  sink.note('half')
  t.equal(await open.stage.undo(mark, 'a.zip!2'), true)
  t.match((await commit(open)).report, { read: 1, accepted: 1, rejected: 0, notes: [] })
})

t.test('an abandoned file leaves no duplicates', async t => {
  const { intake, begin, commit } = await staging(t)
  const gone = await begin('a')
  await gone.stage.sink('a').take('row 1', [price(apple, 99)])
  await gone.stage.finish()
  await gone.settlement.abandon()
  t.strictSame(intake.records, [])
  const open = await begin('b')
  await open.stage.sink('b').take('row 1', [price(apple, 99)])
  t.match((await commit(open)).report, { accepted: 1, duplicate: 0 })
})

t.test('a reader that names an undeclared column is a bug', async t => {
  const { begin } = await staging(t)
  const { stage } = await begin('a')
  const sink = stage.sink('a')
  t.throws(() => sink.take('1', [{ dataset: 'bond', values: {} }]), { message: 'no dataset bond' })
  t.throws(() => sink.take('1', [{ dataset: 'bonds', values: { cupon: 1 } }]), { message: /no column cupon/ })
})

t.test('text with NUL is refused, not truncated', async t => {
  const { lake, begin, commit } = await staging(t)
  const open = await begin('a')
  await open.stage.sink('a').take('row 1', [bond(apple, { name: 'Ap\0ple' })])
  t.match((await commit(open)).report, { rejected: 1 })
  t.strictSame(await refusedIn(lake), ['row 1: has a NUL character in a text'])
})

t.test('values of every kind are kept exactly', async t => {
  const { lake, begin, commit } = await staging(t)
  const open = await begin('a')
  await open.stage.sink('a').take('1', [
    {
      dataset: 'companies',
      values: {
        name: ' Müller & Söhne "AG" \u{1F4B6} ',
        former_names: ['A;B', 'C "D"'],
        aliases: [],
        ticker: 'brk.b',
        cik: 320193,
      },
    },
    bond(apple, {
      coupon_rate: 5.125,
      outstanding: 9007199254740991,
      callable: true,
      call_schedule: [{ date: '2027-06-01', price: 102.5 }],
      spread_bps: -0,
    }),
    { dataset: 'links', values: { name: 'X', decided_at: '2026-01-02T03:04:05+02:00', ticker: null } },
  ])
  t.match((await commit(open)).report, { accepted: 1, rejected: 0 })
  t.strictSame(await rowsOf(lake, 'companies', 'name, former_names, aliases, ticker, cik'), [
    {
      name: 'Müller & Söhne "AG" \u{1F4B6}',
      former_names: ['A;B', 'C "D"'],
      aliases: [],
      ticker: 'BRK.B',
      cik: '0000320193',
    },
  ])
  t.strictSame(await rowsOf(lake, 'bonds', 'coupon_rate, outstanding, callable, call_schedule, spread_bps'), [
    {
      coupon_rate: 5.125,
      outstanding: 9007199254740991,
      callable: true,
      call_schedule: '[{"date":"2027-06-01","price":102.5}]',
      spread_bps: 0,
    },
  ])
  t.strictSame(await rowsOf(lake, 'links', 'decided_at'), [{ decided_at: '2026-01-02T01:04:05.000Z' }])
})

t.test('plain values are written as text', async t => {
  t.strictSame([1.5, 'x', true, null, undefined, ['a'], 12n, new Date(0)].map(cellOf), [
    '1.5',
    'x',
    'true',
    null,
    null,
    '["a"]',
    '12',
    '1970-01-01T00:00:00.000Z',
  ])
})

t.test('texts are trimmed as the SQL trims those of tables', async t => {
  const database = await Database.create({ threads: 1 })
  t.teardown(() => database.close())
  const dataset = datasetNamed('facts')!
  const blanks = ['', ' ', '\t', '\n', '\r', '\u00a0', ' \u00a0\t', '\v', '\u2003']
  const texts = blanks.flatMap(before =>
    blanks.flatMap(after => ['', 'a', 'a b', 'é'].map(text => before + text + after)),
  )
  const names = stagedColumns(dataset).map(name => (name === 'form' ? 'form' : `NULL::VARCHAR AS "${name}"`))
  await database.run('CREATE TABLE given (_row BIGINT, _at VARCHAR, form VARCHAR)')
  await database.append('given', [texts.map((_, i) => BigInt(i)), texts, texts], texts.length)
  await database.run(`CREATE VIEW staged AS SELECT _row, _at, ${names.join(', ')} FROM given`)
  const rows = await database.rows<{ form: string | null }>(
    `SELECT form FROM (${checkedSql(dataset, 'staged', null)}) ORDER BY _row`,
  )
  t.strictSame(
    rows.map(({ form }) => form),
    texts.map(cellOf),
  )
})
