import t from 'tap'
import { start } from './start.ts'

t.setTimeout(200_000)

const dayBefore = (day: string, n: number): string =>
  new Date(Date.parse(day) - n * 86_400_000).toISOString().slice(0, 10)

t.test('a key that asks for many days delays neither a page of today nor a day of another key', async t => {
  const { ask, engine, keys } = await start(t)
  const last = engine.manifest.as_of!
  const companies = (key: string, asOf?: string) =>
    ask(`/v1/companies?fields=ticker${asOf ? `&as_of=${asOf}` : ''}`, { key })
  t.equal((await companies(keys.pro)).status, 200)

  const order: string[] = []
  const ended = async (name: string, answer: ReturnType<typeof companies>) => {
    t.equal((await answer).status, 200, name)
    order.push(name)
  }
  const many = Array.from({ length: 8 }, (_, i) =>
    ended(`day ${i} of the first`, companies(keys.business, dayBefore(last, i + 1))),
  )
  // Once they run and wait.
  await new Promise(resolve => setTimeout(resolve, 20))
  const today = ended('today', companies(keys.pro))
  const other = ended('a day of the other', companies(keys.pro, dayBefore(last, 20)))
  await Promise.all([...many, today, other])
  // One of the first key's days runs when the other key asks, and may end before a page of today is sent.
  t.ok(order.indexOf('today') <= 2, order.join(', '))
  t.ok(order.indexOf('a day of the other') <= 4, order.join(', '))
})

t.test('while days are derived, heavy requests and days that are ready do not wait', async t => {
  const { ask, engine, keys } = await start(t)
  const last = engine.manifest.as_of!
  const key = keys.business
  const companies = (asOf: string) => ask(`/v1/companies?fields=ticker&as_of=${asOf}`, { key })
  const ready = dayBefore(last, 40)
  t.notOk(engine.isReadyAsOf(ready, 'companies'))
  t.equal((await companies(ready)).status, 200)
  t.ok(engine.isReadyAsOf(ready, 'companies'))
  t.notOk(engine.isReadyAsOf(ready, 'bonds'))
  t.equal((await companies(last)).status, 200)
  t.ok(engine.isReadyAsOf(last, 'companies'), 'the day of the snapshot itself')

  const order: string[] = []
  const ended = async (name: string, answer: ReturnType<typeof ask>) => {
    t.equal((await answer).status, 200, name)
    order.push(name)
  }
  const cold = [50, 60, 70].map(n => ended(`${n} days before`, companies(dayBefore(last, n))))
  const dates = [80, 90, 100, 110].map(n => dayBefore(last, n)).join(',')
  cold.push(
    ended(
      'a panel of days before',
      ask(`/v1/panel?resource=companies&fields=ticker&dates=${dates}`, { key }),
    ),
  )
  await new Promise(resolve => setTimeout(resolve, 20))
  const others = [
    ended('ready', companies(ready)),
    ended('today', companies(last)),
    ended('heavy', ask('/v1/market/cds/aggregate', { key })),
  ]
  await Promise.all([...cold, ...others])
  // A day may be derived before the answers that it does not hold up are sent.
  t.ok(order.slice(0, 4).filter(name => !name.includes('before')).length === 3, order.join(', '))
})

t.test('a panel lets a day of another key be derived between its own', async t => {
  const { ask, engine, keys } = await start(t)
  const last = engine.manifest.as_of!
  const order: string[] = []
  const ended = async (name: string, answer: ReturnType<typeof ask>) => {
    t.equal((await answer).status, 200, name)
    order.push(name)
  }
  const dates = Array.from({ length: 10 }, (_, n) => dayBefore(last, 130 + 10 * n)).join(',')
  const panel = ended(
    'panel',
    ask(`/v1/panel?resource=companies&fields=ticker&dates=${dates}`, { key: keys.business }),
  )
  await new Promise(resolve => setTimeout(resolve, 20))
  const other = ended(
    'a day of the other',
    ask(`/v1/companies?fields=ticker&as_of=${dayBefore(last, 300)}`, { key: keys.pro }),
  )
  await Promise.all([panel, other])
  t.strictSame(order, ['a day of the other', 'panel'])
})

t.test('panels of one new day that are asked for at once do not wait for each other', async t => {
  const { ask, engine, keys } = await start(t)
  const last = engine.manifest.as_of!
  const [{ ticker }] = (await engine.call('search.companies', { fields: 'ticker', limit: 1 })).data as [
    { ticker: string },
  ]
  for (const [n, named] of ['', `&ticker=${ticker}`].entries()) {
    const days = [dayBefore(last, 300 + n), dayBefore(last, 310 + n)].join(',')
    const asked = [keys.business, keys.business, keys.pro].map((key, i) =>
      ask(`/v1/panel?resource=companies&fields=ticker&dates=${days}${named}&limit=${i + 5}`, { key }),
    )
    // Each waited for the turn of the other until its own time was over.
    t.strictSame(
      (await Promise.all(asked)).map(({ status }) => status),
      [200, 200, 200],
      named,
    )
  }
})
