import { createWriteStream } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { memberOf } from '../../engine/base/elements.ts'
import { literal } from '../../engine/database/database.ts'
import { encode } from '../../engine/encode/encode.ts'
import { type Answer, benchCase, type Case, type Ground } from '../case.ts'

const columns = ['company_id', 'name', 'sector', 'leverage_ratio', 'total_debt', 'nearest_maturity'] as const

interface Ask {
  readonly rows: number
}

const folder = mkdtemp(join(tmpdir(), 'tranche-bench-export-'))

function exportCase(format: 'csv' | 'ndjson' | 'parquet', copy: string, reader: string): Case {
  const answer = async ({ duck }: Ground, file: string): Promise<Answer> => {
    const sums = columns.map(name => `CAST(sum(hash(CAST(${name} AS VARCHAR)) % 1000003) AS BIGINT)`)
    const types = columns.map(name =>
      name === 'leverage_ratio'
        ? `${name}: 'DOUBLE'`
        : name === 'total_debt'
          ? `${name}: 'BIGINT'`
          : `${name}: 'VARCHAR'`,
    )
    const read = format === 'parquet' ? '' : `, columns = {${types.join(', ')}}`
    const found = await duck.columns(
      `SELECT count(*), ${sums.join(', ')} FROM ${reader}(${literal(file)}${read})`,
    )
    const [total, ...sum] = found.map(([value]) => String(value))
    return { total: Number(total), rows: [sum] }
  }
  let written = 0
  const next = async () => join(await folder, `${written++ % 4}.${format}`)
  return benchCase<Ask>({
    name: `export ${format}`,
    question: `How long does it take to write a million cells and more as ${format}?`,
    sizes: ['medium', 'large'],
    over: 'companies',
    ask: (random, { rows }) => ({ rows: memberOf(rows, 'companies') - random.whole(0, 1000) }),
    baselines: {
      'DuckDB, COPY': {
        async run(ground, { rows }) {
          const file = await next()
          await ground.duck.run(
            `COPY (SELECT ${columns.join(', ')} FROM companies ORDER BY company_id LIMIT ${rows}) TO ${literal(file)} (${copy})`,
          )
          return () => answer(ground, file)
        },
      },
    },
    engine: {
      async run(ground, { rows }) {
        const file = await next()
        const input = { fields: columns, sort: 'company_id', limit: rows }
        await ground.engine.stream('search.companies', input, {}, async stream => {
          await pipeline(Readable.from(encode(format, stream)), createWriteStream(file))
        })
        return () => answer(ground, file)
      },
    },
  })
}

export const exports = [
  exportCase('csv', 'FORMAT csv, HEADER', 'read_csv'),
  exportCase('ndjson', 'FORMAT json', 'read_json'),
  exportCase('parquet', 'FORMAT parquet, COMPRESSION zstd', 'read_parquet'),
]
