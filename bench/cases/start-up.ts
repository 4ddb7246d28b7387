import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { literal } from '../../engine/database/database.ts'
import { benchCase, type Contestant } from '../case.ts'

const run = promisify(execFile)

/** As compiled: beside this file's folder. */
const program = join(import.meta.dirname, '../../cli/main.js')

const asked = `
const [sql] = process.argv.slice(1)
const ask = async ({ DuckDBInstance }) => {
  const connection = await (await DuckDBInstance.create()).connect()
  process.stdout.write(JSON.stringify((await connection.runAndReadAll(sql)).getRowsJson()))
}
`

/** The minimum: Node that opens DuckDB, runs one query and prints. */
const bare = (type: 'module' | 'commonjs', load: string): Contestant<number> => ({
  async run({ engine }, least) {
    const file = join(engine.lake.root, 'snapshots', engine.snapshot, 'companies.parquet')
    const words = [`--input-type=${type}`, '-e', `${asked}${load}`, companySql(file, least)]
    const { stdout } = await run(process.execPath, words, { cwd: import.meta.dirname })
    const rows = JSON.parse(stdout) as [string, string, number][]
    return () => ({ total: rows[0]?.[2] ?? 0, rows: rows.map(([ticker, sector]) => [ticker, sector]) })
  },
})

const companySql = (file: string, least: number) => `
  SELECT ticker, sector, CAST(count(*) OVER () AS INTEGER) FROM read_parquet(${literal(file)})
  WHERE leverage_ratio >= ${least} ORDER BY leverage_ratio DESC NULLS LAST, company_id LIMIT 20`

export const startUp = benchCase<number>({
  name: 'start-up',
  question:
    'From a cold process to a printed table: what does the program add to Node that opens DuckDB and asks once?',
  ask: random => random.whole(100, 500) / 100,
  baselines: {
    'bare Node, import of DuckDB': bare('module', "await ask(await import('@duckdb/node-api'))"),
    'bare Node, require of DuckDB': bare('commonjs', "ask(require('@duckdb/node-api'))"),
  },
  engine: {
    async run({ engine }, least) {
      const words = [
        'companies',
        '--min-leverage',
        String(least),
        '--sort',
        '-leverage_ratio',
        '--limit',
        '20',
      ]
      const printed = ['--fields', 'ticker,sector', '--format', 'table', '--lake', engine.lake.root]
      const { stdout, stderr } = await run(process.execPath, [program, ...words, ...printed])
      return () => {
        const lines = stdout.trimEnd().split('\n')
        const rows = lines.slice(lines.findIndex(line => line.startsWith('─')) + 1)
        return {
          total: Number(/of ([\d,]+) rows/.exec(stderr)?.[1]?.replaceAll(',', '') ?? rows.length),
          rows: rows.map(line => line.split(/ {2,}/)),
        }
      }
    },
  },
})
