import t from 'tap'
import { encode } from '../../engine/encode/encode.ts'
import { open } from '../../engine/engine.ts'
import { panelLists } from '../../engine/operations/panel.ts'
import { panelDays, stretchesOf } from '../../engine/operations/panel-days.ts'
import type { Input } from '../../engine/schema/params.ts'
import { build } from '../../engine/snapshot/build.ts'
import { builtLake } from '../built-lake.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'
import { lastDay, richRows } from '../point-in-time/rich-lake.ts'

// A past day is derived when it is first asked for.
t.setTimeout(600_000)

const late = { ticker: 'LATE', name: 'Late Ferries Inc', cik: '0000000099', known_from: '2025-01-10' }
const lake = await builtLake(
  t.teardown,
  { ...richRows, companies: [...richRows['companies']!, late] },
  { asOf: lastDay },
)
const engine = await open(lake)
t.teardown(() => engine.close())

const dates = ['2024-09-10', '2025-01-31', lastDay]

interface Answer {
  readonly data: readonly Record<string, unknown>[]
  readonly meta: Readonly<Record<string, unknown>>
}
const ask = async (input: Input): Promise<Answer> => (await engine.ask('panel', input)) as unknown as Answer

/** The rows of one call a day, each with its day. */
async function daily(resource: string, input: Input): Promise<Record<string, unknown>[]> {
  const { name, envelope } = panelLists[resource]!
  const rows: Record<string, unknown>[] = []
  for (const day of dates) {
    const answer = await engine.ask(name, { ...input, as_of: day }, {}, { allRows: true })
    for (const row of answer[envelope] as Record<string, unknown>[]) rows.push({ as_of: day, ...row })
  }
  return rows
}

const questions: readonly (readonly [string, Input])[] = [
  ['companies', {}],
  ['companies', { max_age: 'none', sort: '-total_debt', fields: 'ticker,total_debt,rating_bucket' }],
  ['bonds', {}],
  ['bonds', { min_coupon: 4, sort: '-coupon_rate,cusip' }],
  ['companies', { ticker: 'ALFA,LATE,NOBODY', on_unknown: 'skip' }],
  ['financials', {}],
  ['financials', { period: 'TTM', ticker: 'ALFA,DELT' }],
  ['financials', { reported: 'original', include_metadata: true }],
  ['ratings', { latest: true }],
  ['spreads', { latest_only: true }],
]

t.test('a panel has the rows of one call a day, in their order', async t => {
  t.strictSame([...new Set(questions.map(([resource]) => resource))], Object.keys(panelLists))
  let compared = 0
  for (const [resource, input] of questions) {
    const wanted = await daily(resource, input)
    const { data, meta } = await ask({ resource, dates, ...input })
    t.strictSame(data, wanted, `${resource} ${JSON.stringify(input)}`)
    t.equal(meta['total'], wanted.length)
    compared += wanted.length
  }
  t.ok(compared > 100, `${compared} rows were compared`)
})

t.test(
  'a panel asked for again, and one with other filters, comes from memory with the same rows',
  async t => {
    const input = { resource: 'bonds', dates, sort: '-coupon_rate,cusip' } as const
    const first = (await ask(input)).data
    for (let round = 0; round < 5; round++) t.strictSame((await ask(input)).data, first)
    const some = { ...input, min_coupon: 4 }
    t.strictSame((await ask(some)).data, await daily('bonds', { min_coupon: 4, sort: input.sort }))
  },
)

t.test('a long panel is written by the database, with the rows of a short one', async t => {
  const lake = await makeLake(t.teardown.bind(t), {
    ...twoIssuers,
    ratings: Array.from({ length: 5600 }, (_, i) => ({
      ticker: 'ALFA',
      agency: 'sp',
      rating: i % 2 === 0 ? 'BB' : 'B+',
      effective_date: `20${String(10 + (i % 14)).padStart(2, '0')}-0${1 + (i % 9)}-${10 + (i % 19)}`,
      known_from: '2025-01-02',
      id: `r${i}`,
    })),
  })
  await build(lake)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const input = { resource: 'ratings', dates: ['2025-02-03', '2025-03-03'], limit: 20_000 } as const
  let copied = 0
  const csv = (chunked: boolean) =>
    engine.stream('panel', input, {}, async stream => {
      const copy: typeof stream.copy = async form => {
        const file = chunked ? null : ((await stream.copy?.(form)) ?? null)
        if (file !== null) copied = file.rowCount
        return file
      }
      let text = ''
      for await (const piece of encode('csv', { ...stream, copy }, {})) text += piece.toString()
      return text
    })
  const written = await csv(false)
  t.equal(copied, 11_200)
  t.equal(written.split('\n').length, copied + 2)
  t.equal(written, await csv(true))
  const cusip = ['000000AA7', '000000ZZ5']
  const bonds = await engine.ask('panel', { resource: 'bonds', dates: input.dates, cusip })
  t.match(bonds, {
    data: [{ cusip: '000000AA7' }, { cusip: '000000AA7' }],
    meta: { warnings: ['000000ZZ5 is not known as of 2 of the days, the last of them 2025-03-03'] },
  })
})

t.test('days of one group are read together, at most 64', async t => {
  const days = Array.from({ length: 130 }, (_, i) => ({
    day: `d${i}`,
    group: i >= 10 && i < 12 ? 1 : 0,
    rows: i,
  }))
  const stretches = stretchesOf(days)
  t.strictSame(
    stretches.map(({ days }) => days.length),
    [10, 2, 64, 54],
  )
  t.strictSame(
    stretches.flatMap(({ days }) => days),
    days.map(({ day }) => day),
  )
  t.equal(
    stretches.reduce((sum, { rows }) => sum + rows, 0),
    (129 * 130) / 2,
  )
})

t.test('pages go on from one day to the next', async t => {
  const all = (await ask({ resource: 'bonds', dates })).data
  for (let offset = 0; offset <= all.length; offset += 3) {
    const { data, meta } = await ask({ resource: 'bonds', dates, limit: 3, offset })
    t.strictSame(data, all.slice(offset, offset + 3), `from ${offset}`)
    t.match(meta, { total: all.length, limit: 3, offset })
  }
})

t.test('the same rows come one by one, as a table and in every format', async t => {
  const input = { resource: 'companies', dates, fields: 'ticker,total_debt' } as const
  const { data } = await ask(input)
  const rows: unknown[] = []
  for await (const row of engine.rows('panel', input)) rows.push(row)
  t.strictSame(rows, data)
  const table = await engine.table('panel', input)
  t.strictSame(
    table.schema.fields.map(field => field.name),
    ['as_of', 'ticker', 'total_debt'],
  )
  t.equal(table.numRows, data.length)
})

t.test(
  'a company is an error where the last day does not know it, and a warning where only earlier days do not',
  async t => {
    await t.rejects(ask({ resource: 'bonds', dates, ticker: 'NOBODY' }), { code: 'INVALID_TICKER' })
    const { data, meta } = await ask({ resource: 'companies', dates, ticker: 'LATE' })
    t.strictSame(
      data.map(row => row['as_of']),
      dates.slice(1),
    )
    t.ok((meta['warnings'] as string[]).includes('LATE is not known as of 2024-09-10'))
  },
)

t.test('names are looked up on many days as on few', async t => {
  const many = Array.from({ length: 10 }, (_, i) => `2025-01-${String(6 + i).padStart(2, '0')}`)
  const input = { resource: 'companies', ticker: 'late,ALFA', fields: 'ticker' } as const
  const { data, meta } = await ask({ ...input, dates: many })
  const halves = [many.slice(0, 5), many.slice(5)]
  const few = await Promise.all(halves.map(half => ask({ ...input, dates: half })))
  t.strictSame(
    data,
    few.flatMap(answer => answer.data),
  )
  t.equal(data.length, 16)
  t.ok(
    (meta['warnings'] as string[]).includes(
      'LATE is not known as of 4 of the days, the last of them 2025-01-09',
    ),
  )
})

t.test('an empty panel says why', async t => {
  const { data, meta } = await ask({ resource: 'bonds', dates, min_coupon: 90 })
  t.strictSame(data, [])
  t.match(meta['empty_because'], [/without min_coupon/])
})

t.test('what cannot be asked is refused', async t => {
  const refused = async (input: Input, code: string, message: RegExp) =>
    t.rejects(ask(input), { code, message }, message.source)
  await refused({ dates }, 'MISSING_PARAMETER', /resource/)
  await refused({ resource: 'bonds' }, 'MISSING_PARAMETER', /dates/)
  await refused({ resource: 'bonds', dates, every: 'month' }, 'INVALID_PARAMETER', /without from/)
  await refused({ resource: 'bonds', dates, min_leverage: 4 }, 'INVALID_PARAMETER', /bonds has no parameter/)
  await refused(
    { resource: 'bonds', dates: ['2999-01-01'] },
    'INVALID_PARAMETER',
    /^dates is after the snapshot/,
  )
  await refused({ resource: 'bonds', dates: ['1900-01-01'] }, 'NO_SNAPSHOT', /the first day is/)
  await refused({ resource: 'financials', dates, period: 'sometime' }, 'INVALID_PARAMETER', /period/)
})

t.test('days are weekdays, or end their weeks, months and quarters', async t => {
  const days = (input: object) => panelDays(input, '2025-06-20')
  t.strictSame(days({ from: '2025-03', to: '2025-05' }), ['2025-03-31', '2025-04-30', '2025-05-31'])
  t.strictSame(days({ from: '2025-04-30' }), ['2025-04-30', '2025-05-31'], 'June has not ended')
  t.strictSame(days({ from: '2023-11-15', to: '2024-06-30', every: 'quarter' }), [
    '2023-12-31',
    '2024-03-31',
    '2024-06-30',
  ])
  t.strictSame(days({ from: '2024-02-26', to: '2024-03-10', every: 'week' }), ['2024-03-01', '2024-03-08'])
  t.strictSame(
    days({ from: '2024-02-29', to: '2024-03-05', every: 'day' }),
    ['2024-02-29', '2024-03-01', '2024-03-04', '2024-03-05'],
    'Monday to Friday',
  )
  t.throws(() => days({ from: '2024-03-02', to: '2024-03-03', every: 'day' }), /no weekday ends/)
  t.throws(
    () => days({ from: '2025-06-18', to: '2025-06-23', every: 'day' }),
    /weekday up to .* after the as-of/,
  )
  t.strictSame(days({ dates: ['2025-02-01', '2024-01-01'] }), ['2024-01-01', '2025-02-01'])
  t.equal(days({ from: '1980-01', to: '2024-12' }).length, 45 * 12)
  t.throws(() => days({ from: '2025-13' }), { code: 'INVALID_PARAMETER' })
  t.throws(() => days({ from: '2025-05-02', to: '2025-05-30' }), /no month ends/)
  t.throws(() => days({ from: '2025-05', to: '2025-04' }), /from is after/)
  t.throws(() => days({ from: '1980-01', every: 'week' }), /more than 1000 days/)
})
