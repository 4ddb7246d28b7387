import type { Random } from '../../cli/sample/random.ts'
import { Database } from '../../engine/database/database.ts'
import { knownRowsSql } from '../../engine/derive/inputs.ts'
import { batchFiles } from '../../engine/lake/imports.ts'
import { inLake, type Lake } from '../../engine/lake/lake.ts'
import { datasetNamed } from '../../engine/schema/datasets/datasets.ts'
import { dayAfter } from './dated-rows.ts'

/** The first day that is tried: before it lakes have curves, and hardly anything else. */
const FIRST = '1996-01-01'

/** Of ten days, this many are those on which a row became known; as many are the day before such a day. */
const OF_TEN = 4

/**
 * Days of a lake up to one of its days, those on which anything became known and the days before them more often than others. Each dataset
 * has the same chance, however many of its days are known: curves are of every day, filings of few.
 */
export async function daysToTry(lake: Lake, until: string, count: number, random: Random): Promise<string[]> {
  const batches = await batchFiles(lake)
  const inputs = new Map(
    [...batches].map(([name, files]) => [name, files.map(({ path }) => inLake(lake, path))]),
  )
  const db = await Database.create()
  const known: string[][] = []
  try {
    for (const name of [...batches.keys()].sort()) {
      const rows = await db.rows<{ day: string }>(
        `SELECT DISTINCT CAST(known_from AS VARCHAR) AS day FROM (${knownRowsSql(datasetNamed(name)!, inputs)})
         WHERE known_from BETWEEN DATE '${FIRST}' AND DATE '${until}' ORDER BY 1`,
      )
      if (rows.length > 0) known.push(rows.map(({ day }) => day))
    }
  } finally {
    db.close()
  }
  const all = known.flat().sort()
  const [first, last] = [all[0]!, all.at(-1)!]
  const span = Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000)
  const days = new Set<string>()
  // A lake may have fewer days than are asked for.
  for (let i = 0; days.size < count && i < 100 * count; i++) {
    const [kind, day] = [random.whole(0, 9), random.pick(random.pick(known))]
    if (kind < OF_TEN) days.add(day)
    else if (kind < 2 * OF_TEN) days.add(dayAfter(day, -1))
    else days.add(dayAfter(first, random.whole(0, span)))
  }
  return [...days].filter(day => day >= first)
}
