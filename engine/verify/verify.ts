import { literal, quote } from '../database/database.ts'
import type { Lake } from '../lake/lake.ts'
import type { Manifest } from '../lake/snapshot.ts'
import { spreadCopies } from '../query/spread-copies.ts'
import { tables } from '../schema/resources/tables.ts'
import { makeCompanies } from './companies.ts'
import { compare } from './compare.ts'
import { copyDifferences } from './copies.ts'
import { makeEntities } from './entities.ts'
import { makeFiledTerms } from './instruments.ts'
import { invariants } from './invariants.ts'
import { makePrices } from './prices.ts'
import { makeRatings } from './ratings.ts'
import type { Difference, Recomputation, Workbench } from './recomputation.ts'
import { recomputations, shown } from './recomputations.ts'
import { makeSpreads } from './spread-series.ts'
import { makeStatements } from './statements.ts'
import { makeTerms } from './terms.ts'
import { records, type WorkbenchOptions, withWorkbench } from './workbench.ts'
import { makeYieldFlags } from './yield-flags.ts'

export interface VerifyOptions extends WorkbenchOptions {
  /** Only these tables; default all. */
  readonly tables?: readonly string[]
  readonly progress?: (step: string, done?: number) => void
  /** Called for each difference. */
  readonly found: (difference: Difference) => void
}

export interface Verified {
  readonly as_of: string
  /** Rows and figures compared, by table. */
  readonly tables: readonly {
    readonly table: string
    readonly rows: number
    readonly columns: number
    readonly differences: number
  }[]
  readonly differences: number
}

/** Recomputes a snapshot from its batches by independent methods, and reports differences. */
export const verifyFigures = (lake: Lake, manifest: Manifest, options: VerifyOptions): Promise<Verified> =>
  withWorkbench(lake, manifest, options, async bench => {
    const { progress = () => {} } = options
    const wanted = (table: string) => options.tables === undefined || options.tables.includes(table)
    const counts = new Map<string, number>()
    const found = (difference: Difference) => {
      if (!wanted(difference.dataset) && !isCopy(difference.dataset)) return
      counts.set(difference.dataset, (counts.get(difference.dataset) ?? 0) + 1)
      options.found(difference)
    }
    progress('terms of bonds')
    await makeTerms(bench)
    await makeFiledTerms(bench)
    await makeEntities(bench)
    await makePrices(bench, done => progress('prices', done))
    progress('ratings')
    await makeRatings(bench)
    await makeYieldFlags(bench)
    await bench.db.run(shown)
    await bench.db.run(`CREATE TABLE made_pricing AS ${await recomputationOf('pricing').make(bench)}`)
    progress('spreads')
    await makeSpreads(bench)
    progress('statements')
    await makeStatements(bench, found)
    progress('companies')
    await makeCompanies(bench)

    const compared: { table: string; rows: number; columns: Set<string> }[] = []
    for (const recomputation of recomputations) {
      const { table, columns } = recomputation
      if (!wanted(table)) continue
      progress(`comparing ${table}`)
      const made = await recomputation.make(bench)
      for await (const difference of compare(bench, recomputation, made)) found(difference)
      const [row] = await bench.db.rows<{ n: number }>(`SELECT count(*) AS n FROM kept_${table}`)
      const entry = compared.find(t => t.table === table)
      if (entry) for (const name of Object.keys(columns)) entry.columns.add(name)
      else compared.push({ table, rows: row!.n, columns: new Set(Object.keys(columns)) })
    }
    progress('invariants')
    for await (const difference of brokenInvariants(bench)) found(difference)
    if (wanted('spreads')) for await (const difference of copyDifferences(bench)) found(difference)
    return {
      as_of: bench.asOf,
      tables: compared.map(t => ({
        table: t.table,
        rows: t.rows,
        columns: t.columns.size,
        differences: counts.get(t.table) ?? 0,
      })),
      differences: [...counts.values()].reduce((a, b) => a + b, 0),
    }
  })

const isCopy = (name: string): boolean => spreadCopies.some(copy => copy.name === name)

const recomputationOf = (table: string): Recomputation => recomputations.find(r => r.table === table)!

async function* brokenInvariants({ db }: Workbench): AsyncGenerator<Difference> {
  for (const { table, key } of tables) {
    const own = invariants.filter(i => i.table === table)
    const found = own.map(
      ({ field, says, broken }) =>
        `CASE WHEN ${broken} THEN {'field': ${literal(field)}, 'stored': CAST(${quote(field)} AS VARCHAR), 'says': ${literal(says)}} END`,
    )
    const rows = records<{ key: string; d: { field: string; stored: string | null; says: string } }>(
      db,
      `SELECT key, unnest(list_filter(found, x -> x IS NOT NULL)) AS d FROM (
         SELECT concat_ws(' ', ${key.map(name => `coalesce(CAST(${quote(name)} AS VARCHAR), '-')`).join(', ')}) AS key,
           [${found.join(', ')}] AS found FROM kept_${table}) ORDER BY key`,
      { few: true },
    )
    for await (const { key, d } of rows)
      yield {
        dataset: table,
        key,
        field: d.field,
        stored: d.stored,
        recomputed: null,
        difference: null,
        cause: `cannot be: ${d.says}`,
      }
  }
}
