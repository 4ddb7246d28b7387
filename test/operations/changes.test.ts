import t, { type Test } from 'tap'
import type { QueryError } from '../../engine/base/errors.ts'
import { type Engine, open } from '../../engine/engine.ts'
import { builtLake } from '../built-lake.ts'
import type { Rows } from '../make-lake.ts'
import { lastDay, richRows } from '../point-in-time/rich-lake.ts'

async function opened(t: Test, rows: Rows, asOf: string): Promise<Engine> {
  const lake = await builtLake(t.teardown, rows, { asOf })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  return engine
}

const engine = await opened(t, richRows, lastDay)

const changed = async (ticker: string, since: string, until: string) =>
  (await engine.call('changes.company', { ticker, since, until })).data

t.test('debt issued, removed and changed is listed with the reason', async t => {
  const { changes, summary } = await changed('ALFA', '2024-06-09', '2025-03-31')
  t.match(changes.removed_debt, [
    { id: 'B006', maturity_date: '2025-03-01', reason: 'matured' },
    { id: 'B007', maturity_date: '2033-06-01', reason: 'retired' },
  ])
  t.strictSame(changes.changed_debt, [
    {
      id: 'B001',
      name: 'ALFA 1',
      display_name: 'ALFA 4.5 01/15/29',
      cusip: null,
      currency: 'USD',
      changes: { outstanding: { previous: 101_000_000_00, current: 450_000_000_00 } },
    },
  ])
  t.equal(summary['net_debt_change'], 450_000_000_00 - 101_000_000_00 - 106_000_000_00 - 107_000_000_00)
  const issued = await changed('GAMA', '2024-06-28', '2024-07-01')
  t.match(issued.changes.new_debt, [{ id: 'B010', issue_date: '2024-07-01', reason: 'issued' }])
  const defaulted = await changed('BETA', '2025-02-17', '2025-02-18')
  t.match(defaulted.changes.changed_debt, [
    { id: 'B009', changes: { status: { previous: 'active', current: 'defaulted' } } },
  ])
})

t.test('events on since are excluded, events on until are included', async t => {
  const on = async (since: string, until: string) =>
    (await changed('ALFA', since, until)).changes.removed_debt.map(bond => bond['id'])
  t.strictSame(await on('2025-02-27', '2025-02-28'), [])
  t.strictSame(await on('2025-02-28', '2025-03-01'), ['B006'])
  t.strictSame(await on('2025-03-01', '2025-03-02'), [])
  t.strictSame(await on('2025-03-01', '2025-03-01'), [])
})

t.test('a rating is upgraded, withdrawn, new, or changes only its outlook', async t => {
  const { changes } = await changed('ALFA', '2024-06-09', '2025-06-30')
  t.match(changes.rating_changes, [
    { agency: 'fitch', previous: null, current: 'BB+', direction: 'new' },
    { agency: 'moodys', previous: 'Ba3', current: 'WR', direction: 'withdrawn' },
    { agency: 'sp', previous: 'BB-', current: 'BB', direction: 'upgrade', effective_date: '2025-05-20' },
  ])
  const outlook = await changed('ALFA', '2024-06-09', '2024-06-10')
  t.match(outlook.changes.rating_changes, [
    { previous_outlook: 'stable', outlook: 'positive', direction: 'outlook' },
  ])
  const down = await changed('BETA', '2025-02-18', '2025-02-19')
  t.match(down.changes.rating_changes, [{ previous: 'A', current: 'CCC+', direction: 'downgrade' }])
})

t.test('entities are added and removed on the day they are listed', async t => {
  const { changes } = await changed('ALFA', '2024-06-09', '2025-03-31')
  t.match(changes.entity_changes, { added: [{ id: 'e11' }], removed: [{ id: 'e10' }] })
})

t.test('a filing is listed once, whether from a list, facts or text', async t => {
  const { changes } = await changed('BETA', '2024-10-31', '2025-06-30')
  t.match(
    changes.new_filings.map(({ accession, form, filed_date }) => ({ accession, form, filed_date })),
    [
      { form: '10-Q', filed_date: '2024-11-14' },
      { form: '10-K', filed_date: '2025-02-14' },
      { form: '10-K/A', filed_date: '2025-04-22' },
    ],
  )
  const quoted = await changed('ALFA', '2024-06-09', '2024-10-31')
  t.strictSame(
    quoted.changes.new_filings.map(filing => [filing['accession'], filing['form']]),
    [
      ['00000000-2024-2', '10-Q'],
      ['0000000011-24-000009', '8-K'],
      ['8-K 2024-09-09', '8-K'],
    ],
  )
})

t.test("a restatement changes a company's figures on its filing day", async t => {
  const { changes } = await changed('BETA', '2025-04-21', '2025-04-22')
  const { ebitda_ttm, leverage_ratio } = changes.metric_changes
  t.equal(ebitda_ttm!.change, -29e6 * 100)
  t.ok(leverage_ratio!.current! > leverage_ratio!.previous!)
  t.equal(changes.metric_changes['total_debt'], undefined, 'what did not change is not listed')
})

t.test('a newly covered company is the issuer formerly known by its name', async t => {
  const { changes } = await changed('EPSI', '2024-09-15', '2024-09-16')
  t.strictSame(changes.new_debt, [], 'its bond was there before')
})

for (const ticker of ['ALFA', 'GAMA'])
  t.test(`changes of ${ticker} over two periods add up to those over both`, async t => {
    const [a, b, c] = ['2024-06-09', '2024-10-31', '2025-03-31']
    const [first, second, both] = [
      await changed(ticker, a, b),
      await changed(ticker, b, c),
      await changed(ticker, a, c),
    ]
    const ids = (rows: readonly Record<string, unknown>[]) => rows.map(row => row['id'] as string)
    const known = ({ new_debt, newly_known_debt }: typeof both.changes) =>
      ids([...new_debt, ...newly_known_debt])
    const came = [...known(first.changes), ...known(second.changes)]
    const went = [...ids(first.changes.removed_debt), ...ids(second.changes.removed_debt)]
    t.strictSame(came.filter(id => !went.includes(id)).sort(), known(both.changes).sort())
    t.strictSame(went.filter(id => !came.includes(id)).sort(), ids(both.changes.removed_debt).sort())
    t.equal(
      both.summary['net_debt_change'],
      first.summary['net_debt_change']! + second.summary['net_debt_change']!,
    )
    t.ok(Object.keys(both.changes.metric_changes).length > 3)
    for (const [metric, { previous, current, change }] of Object.entries(both.changes.metric_changes)) {
      const parts = [first, second].flatMap(part => part.changes.metric_changes[metric] ?? [])
      t.strictSame([parts[0]!.previous, parts.at(-1)!.current], [previous, current], metric)
      if (change !== null && parts.every(part => part.change !== null))
        t.ok(Math.abs(parts.reduce((sum, part) => sum + part.change!, 0) - change) < 1e-5, metric)
    }
  })

t.test('as_of hides later data, and explain adds only the sources of both days', async t => {
  const ask = { ticker: 'ALFA', since: '2024-06-09', as_of: '2024-10-31' }
  const plain = await engine.call('changes.company', ask)
  t.equal(plain.data.until, '2024-10-31')
  t.strictSame(plain.data, await changed('ALFA', '2024-06-09', '2024-10-31'))
  const { _explain, ...rest } = (await engine.call('changes.company', { ...ask, explain: true })).data
  t.strictSame(rest, plain.data)
  t.match(_explain, {
    previous: { as_of: '2024-06-09', debt: { B001: Object }, metrics: Object },
    current: { as_of: '2024-10-31', ratings: Object, filings: { '0000000011-24-000009': /^filings\.csv/ } },
  })
})

t.test("days outside the lake's range are refused with that range", async t => {
  const refusal = (input: Record<string, string>) =>
    engine.call('changes.company', { ticker: 'ALFA', ...input }).then(
      () => null,
      (error: QueryError) => ({ code: error.code, details: error.details }),
    )
  t.match(await refusal({ until: '2025-07-01' }), { code: 'INVALID_PARAMETER', details: { max: lastDay } })
  t.match(await refusal({ since: '1990-01-01' }), {
    code: 'NO_SNAPSHOT',
    details: { earliest: '2022-05-16' },
  })
  t.match(await refusal({ since: '2025-02-02', until: '2025-02-01' }), {
    code: 'INVALID_PARAMETER',
    details: { parameter: 'since' },
  })
  t.match(await refusal({ as_of: '2024-05-01', until: '2024-06-01' }), { details: { max: '2024-05-01' } })
})

t.test('the first load of a list is no issuance; issued or newly priced debt is', async t => {
  const bond = (cusip: string, more: Record<string, unknown> = {}) => ({
    cusip,
    ticker: 'ALFA',
    name: cusip,
    coupon_rate: 5,
    rate_type: 'fixed',
    maturity_date: '2030-06-15',
    currency: 'USD',
    known_from: '2025-03-03',
    ...more,
  })
  const price = (cusip: string, list_name: string, price_date: string, known_from = price_date) => ({
    cusip,
    price_date,
    price: 99,
    price_source: 'fund_mark',
    list_name,
    known_from,
  })
  const own = await opened(
    t,
    {
      companies: [{ ticker: 'ALFA', name: 'Alfa Drilling Corp', cik: '0000000001' }],
      bonds: [
        bond('000000AA7', { known_from: '2025-01-06' }),
        bond('000000BB4'),
        bond('000000CC2'),
        bond('000000DD0', { accrual_date: '2025-02-20' }),
        bond('000000EE8', { issue_date: '2020-06-15' }),
      ],
      prices: [
        price('000000AA7', 'Known Fund', '2025-01-06'),
        price('000000BB4', 'Known Fund', '2025-03-03'),
        price('000000CC2', 'New Fund', '2025-03-03'),
        price('000000DD0', 'New Fund', '2025-03-03'),
        price('000000EE8', 'Known Fund', '2025-03-03'),
      ],
    },
    '2025-06-30',
  )
  const { changes, summary } = (
    await own.call('changes.company', { ticker: 'ALFA', since: '2025-01-31', until: '2025-06-30' })
  ).data
  t.strictSame(
    changes.new_debt.map(({ cusip, reason }) => [cusip, reason]),
    [
      ['000000BB4', 'first_priced'],
      ['000000DD0', 'issued'],
    ],
  )
  t.strictSame(
    changes.newly_known_debt.map(({ cusip, issue_date }) => [cusip, issue_date]),
    [
      ['000000CC2', null],
      ['000000EE8', '2020-06-15'],
    ],
  )
  t.match(summary, { new_debt: 2, newly_known_debt: 2 })
})

t.test('a bond from a list without identifiers stays the same bond when it gets them', async t => {
  const listed = 'ALFA DRILLING CORP|5|2030-06-15'
  const terms = { coupon_rate: 5, rate_type: 'fixed', maturity_date: '2030-06-15', currency: 'USD' }
  const own = await opened(
    t,
    {
      companies: [{ ticker: 'ALFA', name: 'Alfa Drilling Corp', cik: '0000000001' }],
      bonds: [
        { ...terms, bond_id: listed, issuer_name: 'ALFA DRILLING CORP', known_from: '2025-01-06' },
        { ...terms, cusip: '000000AA7', issuer_name: 'Alfa Drilling Corp', known_from: '2025-03-03' },
      ],
    },
    '2025-06-30',
  )
  const { changes } = (
    await own.call('changes.company', { ticker: 'ALFA', since: '2025-01-31', until: '2025-06-30' })
  ).data
  t.strictSame(
    [changes.new_debt, changes.newly_known_debt, changes.removed_debt, changes.changed_debt],
    [[], [], [], []],
  )
})

t.test('what becomes known or unknown of debt is no change of it', async t => {
  const stated = {
    cusip: '000000AA7',
    issuer_name: 'Alfa Drilling Corp',
    coupon_rate: 5,
    rate_type: 'fixed',
    maturity_date: '2030-06-15',
    currency: 'USD',
    seniority: 'senior_unsecured',
  }
  const own = await opened(
    t,
    {
      companies: [
        { ticker: 'ALFA', name: 'Alfa Drilling Corp', cik: '0000000001' },
        { ticker: 'BETA', name: 'Beta Mining Corp', cik: '0000000002' },
      ],
      bonds: [
        { ...stated, known_from: '2025-01-06' },
        { ...stated, outstanding: 500_000_000_00, known_from: '2025-03-03' },
        { ...stated, outstanding: 400_000_000_00, known_from: '2025-05-05' },
      ],
    },
    '2025-06-30',
  )
  const asked = async (ticker: string, since: string, until: string) => {
    const { data } = await own.call('changes.company', { ticker, since, until })
    return [data.changes.changed_debt.length, data.summary['net_debt_change']]
  }
  t.strictSame(await asked('ALFA', '2025-01-31', '2025-04-30'), [0, null], 'an amount became known')
  t.strictSame(await asked('ALFA', '2025-03-31', '2025-04-30'), [0, 0])
  t.strictSame(await asked('ALFA', '2025-03-31', '2025-06-30'), [1, -100_000_000_00])
  t.strictSame(await asked('BETA', '2025-03-31', '2025-06-30'), [0, null], 'no debt is known')
})
