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
