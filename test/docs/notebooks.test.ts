import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { root } from '../root.ts'
import { start } from '../server/start.ts'

const python = process.env['PYTHON'] ?? 'python3'
const skip =
  spawnSync(python, ['-c', 'import duckdb, pandas, polars, pyarrow']).status !== 0 &&
  'pandas, polars, duckdb and pyarrow are not all installed, so docs/notebooks.md is not run'

interface Table {
  readonly name: string
  readonly rows: number
  readonly types: Readonly<Record<string, string>>
}

t.test('the Python of docs/notebooks.md runs, and finds typed rows', { skip }, async t => {
  const { url, keys, lake, ask } = await start(t)
  // Not synchronous: the server that it calls runs in this process.
  const { stdout } = await promisify(execFile)(python, [join(root, 'scripts/notebook.py')], {
    env: { ...process.env, TRANCHE_URL: url, TRANCHE_KEY: keys.business, TRANCHE_LAKE: lake.root },
  })
  const lines = stdout.trimEnd().split('\n')
  const tables: Record<string, Table> = Object.fromEntries(
    lines.map(line => JSON.parse(line) as Table).map(table => [table.name, table]),
  )
  const total = async (path: string): Promise<number> => (await ask(path)).body.meta.total
  t.equal(tables['companies']!.rows, await total('/v1/companies?min_leverage=2'))
  t.equal(tables['bonds']!.rows, await total('/v1/bonds?has_pricing=true'))
  t.equal(tables['spreads']!.rows, await total('/v1/market/cds?latest_only=true'))
  t.equal(tables['prices']!.rows, await total('/v1/pricing'))
  t.equal(tables['company_files']!.rows, await total('/v1/companies'))
  for (const name of ['companies', 'bonds', 'spreads', 'company_files', 'bond_files', 'spread_files'])
    t.ok(tables[name]!.rows > 0, `${name} has rows`)
  t.match(tables['bonds']!.types, { maturity_date: 'Date', outstanding: 'Int64', 'pricing.ytm': 'Float64' })
  t.match(tables['spreads']!.types, { spread_date: 'DATE', spread_bps: 'DOUBLE' })
  t.match(tables['companies']!.types, { total_debt: 'int64' })
  t.match(tables['units']!.types, { outstanding: 'cents', 'pricing.ytm': 'percent' })
})
