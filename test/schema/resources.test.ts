import t from 'tap'
import { Database, literal } from '../../engine/database/database.ts'
import { open } from '../../engine/engine.ts'
import { inLake } from '../../engine/lake/lake.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { operations } from '../../engine/operations/api.ts'
import type { Operation } from '../../engine/operations/operation.ts'
import type { Param } from '../../engine/schema/params.ts'
import { tables } from '../../engine/schema/resources/tables.ts'
import { builtLake } from '../built-lake.ts'
import { firstOf } from '../by-night.ts'
import { twoIssuers } from '../make-lake.ts'

/** A valid value for a parameter of this kind. */
function sample({ column, min }: Param): unknown {
  if (column.kind === 'boolean') return true
  if (column.values) return column.values[0]
  if (column.kind === 'date') return '2025-01-01'
  if (column.format === 'cusip') return '000000AA7'
  if (column.format === 'isin') return 'US0378331005'
  if (column.format === 'currency') return 'USD'
  if (column.kind === 'text' && !column.format && column.example !== undefined) return column.example
  if (column.kind === 'text' || column.kind === 'list') return 'ALFA'
  return min ?? 1
}

/** Further arguments that operations need. */
const needed: Record<string, Record<string, unknown>> = {
  'history.pricing': { cusip: '000000AA7' },
  'get.company': { ticker: 'ALFA' },
  'changes.company': { ticker: 'ALFA' },
  'recovery.company': { ticker: 'ALFA' },
  'compare.covenants': { ticker: 'ALFA,BETA' },
  'market.scenario': { cusip: '000000AA7', weights: 1 },
  'resolve.bond': { q: 'alfa 6 2030' },
  'search.documents': { q: 'debt' },
  'count.facets': { data_type: 'bonds' },
  export: { data_type: 'bonds' },
  panel: { resource: 'bonds', dates: '2025-06-02' },
  'search.changes': { since: '2024-06-28', column: 'total_debt' },
  'traverse.entities': { start: 'company:ALFA', relationships: 'debt' },
}

const neededBy = ({ name, params }: Operation): Record<string, unknown> => ({
  ...Object.fromEntries(
    Object.entries(params).flatMap(([param, declared]) =>
      declared.required ? [[param, sample(declared)]] : [],
    ),
  ),
  ...needed[name],
})

/** Parameters that select another mode of an operation than the one tested here; `lane` needs a remote engine. */
const alone = new Set([
  'date_from',
  'date_to',
  'date',
  'aggregation',
  'period',
  'from',
  'to',
  'every',
  'lane',
])

t.test('every declaration binds and answers on a real lake', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const manifest = await currentManifest(lake)
  const engine = await open(lake)
  t.teardown(() => engine.close())

  await t.test('every parameter of every operation is accepted', async t => {
    for (const o of operations)
      for (const [name, param] of Object.entries(o.params)) {
        if (
          alone.has(name) ||
          (o.listParams && !['limit', 'offset', 'as_of', 'snapshot', 'currency'].includes(name))
        )
          continue
        if (needed[o.name]?.[name] !== undefined || param.column.kind === 'json') continue
        const value =
          name === 'snapshot'
            ? manifest.id
            : name === 'as_of'
              ? '2025-06-02'
              : name === 'sort' || name === 'fields'
                ? undefined
                : sample(param)
        await t.resolves(engine.ask(o.name, { [name]: value, ...neededBy(o) }), `${o.name} ${name}`)
      }
  })

  await t.test('every column sorts both ways and can be selected alone', async t => {
    for (const o of operations) {
      if (!o.resource || !o.params['fields']) continue
      const input = neededBy(o)
      const columns = Object.entries(o.resource.columns)
      for (const [i, [name, column]] of columns.entries()) {
        const sorts =
          column.kind === 'json' || column.kind === 'list' ? [{}] : [{ sort: `-${name}` }, { sort: name }]
        for (const sort of firstOf(1, i % 2 ? sorts : sorts.toReversed()))
          await t.resolves(
            engine.ask(o.name, { fields: name, ...sort, ...input }),
            `${o.name} ${name} ${JSON.stringify(sort)}`,
          )
      }
    }
  })

  await t.test('a snapshot has every table with exactly its declared columns and types', async t => {
    const db = await Database.create()
    for (const table of tables) {
      const stored = manifest.tables.find(m => m.name === table.table)!
      const described = await db.rows<{ column_name: string }>(
        `SELECT column_name FROM (DESCRIBE SELECT * FROM ${literal(inLake(lake, 'snapshots', manifest.id, stored.file))})`,
      )
      t.strictSame(
        described.map(d => d.column_name),
        Object.keys(table.columns),
        table.table,
      )
    }
    db.close()
  })

  await t.test('keys are unique, so the order of every list is total', async t => {
    for (const table of tables) {
      const key = table.key.map(k => `"${k}"`).join(', ')
      const [row] = await engine.sql<{ n: number }>(
        `SELECT count(*) AS n FROM (SELECT ${key} FROM ${table.table} GROUP BY ALL HAVING count(*) > 1)`,
      )
      t.equal(row!.n, 0, table.table)
    }
  })

  await t.test('walking pages yields every row exactly once', async t => {
    for (const name of ['search.bonds', 'search.ratings', 'search.financials', 'search.companies']) {
      const whole = (await engine.ask(name, { limit: 100 })) as { meta: { total: number } }
      const seen: unknown[] = []
      for (let offset = 0; offset <= whole.meta.total; offset++) {
        const page = await engine.ask(name, { limit: 1, offset })
        seen.push(...((page['data'] ?? page['ratings']) as unknown[]).map(row => JSON.stringify(row)))
        t.equal((page['meta'] as { total: number }).total, whole.meta.total, `${name} total at ${offset}`)
      }
      t.equal(new Set(seen).size, whole.meta.total, name)
    }
  })
})
