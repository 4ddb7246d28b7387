import t from 'tap'
import { Database } from '../../../engine/database/database.ts'
import { HotLane } from '../../../engine/query/memory/lane.ts'
import { HotMemory } from '../../../engine/query/memory/memory.ts'
import type { Plan } from '../../../engine/query/plan/plan.ts'
import { boolean, date } from '../../../engine/schema/column.ts'

const kinds = { day: date('Day.'), flag: boolean('Flag.') }
const plan: Plan = {
  table: 'days',
  columns: Object.entries(kinds).map(([name, column]) => ({ name, column })),
  where: [],
  after: [],
  order: [],
  limit: 10,
  offset: 0,
}

t.test('a table is loaded if its columns fit in the reserved memory', async t => {
  const database = await Database.create({ threads: 1 })
  t.teardown(() => database.close())
  await database.run('CREATE SCHEMA stored')
  await database.run(
    `CREATE TABLE stored.days AS SELECT DATE '2025-01-01' + i::INTEGER AS day, i % 2 = 0 AS flag FROM range(8000) r(i)`,
  )
  const bytes = 8000 * (4 + 1) + 1000
  for (const [limit, lane] of [
    [bytes, 'memory'],
    [bytes - 1, 'duckdb'],
  ] as const) {
    const hot = new HotLane(database, new HotMemory(limit))
    await hot.warm(plan, kinds)
    const choice = hot.choose(plan, kinds)
    t.equal(choice.lane, lane)
    if (choice.lane === 'duckdb') t.match(choice.why, /days would take 1 MB of the 1 MB/)
    await hot.close()
  }
})
