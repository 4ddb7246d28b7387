import t from 'tap'
import { statementMemory } from '../../engine/derive/statements/statements.ts'
import { derived, type Row, year } from './reports.ts'

t.test('a company is derived again on another day only if something it is derived from differs', async t => {
  const hits: (string | null)[] = []
  const statements = statementMemory(1e6)
  const find = statements.find.bind(statements)
  statements.find = key => {
    const found = find(key)
    hits.push(found === undefined ? null : 'remembered')
    return found
  }
  const derive = async (facts: Row[], company = {}) => {
    hits.length = 0
    const { rows } = await derived(t, { facts, company, statements })
    return { rows: await rows(), hits: [...hits] }
  }
  const filed = year(2022)
  const first = await derive(filed)
  t.strictSame(first.hits, [null])
  t.ok(first.rows.length > 3)
  t.strictSame(await derive(filed), { rows: first.rows, hits: ['remembered'] })

  const later = await derive([...filed, ...year(2023)])
  t.strictSame(later.hits, [null])
  t.ok(later.rows.length > first.rows.length)
  t.strictSame((await derive(filed, { sic: '6021' })).hits, [null], 'a bank has other statements')
  const [fact, ...others] = filed
  const corrected = await derive([{ ...fact!, value: Number(fact!['value']) * 2 }, ...others])
  t.strictSame(corrected.hits, [null])
  t.notSame(corrected.rows, first.rows)
  t.strictSame(await derive(filed), { rows: first.rows, hits: ['remembered'] })
})
