// Run by tests in a separate process, to be killed: node write-lake.js LAKE WORK [ARGUMENT ...]
import { join } from 'node:path'
import { QueryError } from '../../engine/base/errors.ts'
import { Database, literal } from '../../engine/database/database.ts'
import { ingest } from '../../engine/ingest/ingest.ts'
import { batchFiles } from '../../engine/lake/imports.ts'
import { inLake, type Lake, openLake } from '../../engine/lake/lake.ts'
import { takeLock } from '../../engine/lake/lock.ts'
import { prune, publish } from '../../engine/lake/snapshot.ts'

const [folder, work, ...rest] = process.argv.slice(2)

/** A snapshot with one table that counts the spreads of the lake. */
async function build(lake: Lake): Promise<string> {
  const manifest = await publish(lake, async into => {
    const batches = (await batchFiles(lake)).get('spreads') ?? []
    const from = batches.map(batch => literal(inLake(lake, batch.path))).join(', ')
    const database = await Database.create({ threads: 1 })
    await database.run(
      `COPY (SELECT ticker, count(*) AS n FROM ${from ? `read_parquet([${from}])` : `(SELECT '' AS ticker WHERE false)`}
       GROUP BY ticker ORDER BY ticker) TO ${literal(join(into, 'counts.parquet'))} (FORMAT parquet)`,
    )
    database.close()
    return { as_of: null, options: {}, inputs: batches, tables: [{ name: 'counts', file: 'counts.parquet' }] }
  })
  return manifest.id
}

const say = (line: string) => process.stdout.write(`${line}\n`)

try {
  const lake = await openLake(folder!)
  switch (work) {
    case 'hold':
      await takeLock(lake, 'hold')
      say('held')
      await new Promise(resolve => setTimeout(resolve, 600_000))
      break
    case 'build':
      say(`built ${await build(lake)}`)
      break
    case 'prune':
      say(`pruned ${(await prune(lake, 1)).length}`)
      break
    case 'ingest': {
      const { totals } = await ingest(lake, rest)
      say(`accepted ${totals.accepted}`)
      break
    }
    case 'work':
      say('ready')
      for (const file of rest) {
        await ingest(lake, [file])
        say(`ingested ${file}`)
        say(`built ${await build(lake)}`)
      }
      break
    default:
      throw new Error(`no work ${work}`)
  }
} catch (error) {
  if (!(error instanceof QueryError)) throw error
  say(`${error.code} ${error.message}`)
  process.exitCode = 5
}
