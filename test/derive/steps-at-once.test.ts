import t from 'tap'
import { type Step, steps } from '../../engine/derive/steps.ts'
import { makeLake } from '../make-lake.ts'
import { derivation } from './derivation.ts'
import { year } from './reports.ts'

const lake = await makeLake(t.teardown, {
  companies: [{ cik: '0000001234', ticker: 'ACME', name: 'Acme Inc.' }],
  facts: year(2022),
  bonds: [
    {
      cusip: '037833100',
      ticker: 'ACME',
      name: 'Acme 5% 2030',
      coupon_rate: 5,
      maturity_date: '2030-06-15',
      known_from: '2022-01-03',
    },
  ],
  ratings: [{ ticker: 'ACME', agency: 'sp', rating: 'BBB', effective_date: '2022-01-10' }],
})

t.test('a day runs two steps at once, each after those that make what it reads', async t => {
  const { made, rows } = await derivation(t, lake, '2023-06-30')
  const running = new Set<Step>()
  const done = new Set<string>()
  let most = 0
  for (const step of steps) {
    const { run } = step
    t.teardown(() => Object.assign(step, { run }))
    Object.assign(step, {
      async run(...given: Parameters<Step['run']>) {
        const makers = steps.filter(({ makes }) => makes.some(name => step.reads.includes(name)))
        t.ok(
          makers.every(({ makes }) => makes.every(name => done.has(name))),
          `${step.makes[0]} has what it reads`,
        )
        most = Math.max(most, running.add(step).size)
        await run(...given)
        running.delete(step)
        for (const name of step.makes) done.add(name)
      },
    })
  }
  await Promise.all([made.make('companies'), made.make('bonds', 'financials')])
  t.equal(most, 2)
  for (const table of ['companies', 'bonds', 'financials'])
    t.ok((await rows(table)).length > 0, `${table} has rows`)
})

t.test('no two steps create tables of one name', async t => {
  const { made, db } = await derivation(t, lake, '2023-06-30')
  const by = new Map<string, Set<string>>()
  const run = db.run.bind(db)
  let step = ''
  Object.assign(db, {
    run: (sql: string, ...rest: []) => {
      for (const [, name = ''] of sql.matchAll(
        /CREATE (?:OR REPLACE )?(?:TABLE|VIEW|MACRO) (?:IF NOT EXISTS )?"?(\w+)/g,
      ))
        if (!name.startsWith('in_')) by.set(name, (by.get(name) ?? new Set()).add(step))
      return run(sql, ...rest)
    },
  })
  for (const { makes } of steps) {
    step = makes[0]!
    await made.make(...makes)
  }
  t.ok(by.size > steps.length)
  t.strictSame(
    [...by].filter(([, those]) => those.size > 1),
    [],
  )
})
