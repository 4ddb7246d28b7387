import { isDeepStrictEqual } from 'node:util'
import { elementAt } from '../../base/elements.ts'
import type { Day } from '../../credit/calendar.ts'
import { type Database, literal } from '../../database/database.ts'
import { type CachedStep, copyOfRows, type DerivationCache } from '../cache/derivation-cache.ts'
import type { CompanyRead } from './read-company.ts'
import { gathered } from './statement-tables.ts'

/** Whether the statements as of a day are those of a later reading that were known by then. */
export function isUnchanged(earlier: CompanyRead, day: Day, later: CompanyRead): boolean {
  const [before, after] = [earlier.company, later.company]
  if (!before || !after) return false
  const { observed } = before
  const next = after.observed[observed.length]
  return (
    observed.every((each, i) => each === after.observed[i]) &&
    (next === undefined || next.filing.known > day) &&
    before.calendar.isPartOf(after.calendar) &&
    isDeepStrictEqual(before.forms, after.forms) &&
    [...before.reports].every(([filing, slot]) => after.reports.get(filing) === slot) &&
    isDeepStrictEqual(earlier.left, later.left) &&
    isDeepStrictEqual(
      earlier.quarantined,
      later.quarantined.filter(({ known }) => known !== null && known <= day),
    )
  )
}

/** A day of a company, by the key of what was known then. */
export interface UnchangedDay {
  readonly key: string
  readonly day: Day
  /** The key of what its statements are stored under that contain those of the day. */
  readonly later: string
}

const step: CachedStep = { step: 'unchanged_statements', tables: ['unchanged_days'] }

/** Stores on which days statements are those of a later day that were known by then. */
export async function keepUnchanged(
  db: Database,
  cache: DerivationCache,
  days: readonly UnchangedDay[],
): Promise<void> {
  if (days.length === 0) return
  const keys = days.map(({ key }) => key)
  const rows = `SELECT unnest(?::JSON::VARCHAR[]) AS cache_key, unnest(?::JSON::VARCHAR[]) AS later_key, unnest(?::JSON::INTEGER[]) AS day`
  const values = [keys, days.map(({ later }) => later), days.map(({ day }) => day)].map(each =>
    JSON.stringify(each),
  )
  await cache.keep(step.step, keys, step.tables, (_, path) => db.run(copyOfRows(rows, path), values))
}

/** What is stored of days, by their keys. */
async function daysStored(
  db: Database,
  cache: DerivationCache,
  keys: Iterable<string>,
): Promise<readonly UnchangedDay[]> {
  const wanted = [...keys]
  const days = await cache.find(step.step, wanted)
  if (days.length === 0) return []
  const files = days.map(({ file }) => literal(file(elementAt(step.tables, 0)))).join(', ')
  return db.rows<UnchangedDay>(
    `SELECT cache_key AS key, later_key AS later, min(day) AS day FROM read_parquet([${files}])
     WHERE cache_key IN (SELECT unnest(?::JSON::VARCHAR[])) GROUP BY ALL ORDER BY ALL`,
    [JSON.stringify(wanted)],
  )
}

/**
 * The companies whose statements are those of a later day that were known by then.
 * @param keys by company
 * @param later the keys of the later day, by company
 */
export async function unchangedUntil(
  db: Database,
  cache: DerivationCache,
  keys: ReadonlyMap<string, string>,
  later: ReadonlyMap<string, string>,
): Promise<Set<string>> {
  const companies = [...keys]
    .filter(([company, key]) => later.get(company) === key)
    .map(([company]) => company)
  const found = new Set(companies)
  const others = [...keys].filter(([company]) => later.has(company) && !found.has(company))
  const days = await daysStored(
    db,
    cache,
    others.map(([, key]) => key),
  )
  const stored = new Set(days.map(each => `${each.key} ${each.later}`))
  for (const [company, key] of others) if (stored.has(`${key} ${later.get(company)}`)) found.add(company)
  return found
}

/**
 * Inserts the statements of companies that are stored with those of a later day; `keys` are by company. Returns the companies
 * found.
 * @param prefix of the names of the tables
 */
export async function insertUnchanged(
  db: Database,
  cache: DerivationCache,
  keys: ReadonlyMap<string, string>,
  prefix = '',
): Promise<Set<string>> {
  const known = new Map<string, UnchangedDay>()
  for (const each of await daysStored(db, cache, keys.values()))
    if (!known.has(each.key)) known.set(each.key, each)
  if (known.size === 0) return new Set()
  const parts = await cache.find(gathered.step, new Set([...known.values()].map(({ later }) => later)))
  const dayOf = new Map<string, Day>([...known.values()].map(({ later, day }) => [later, day]))
  const sources = parts.flatMap(({ keys, file }) => keys.map(key => ({ key, file, day: dayOf.get(key) })))
  if (sources.length === 0) return new Set()
  const stored = (table: string) => `
    FROM read_parquet([${[...new Set(sources.map(({ file }) => literal(file(table))))].join(', ')}], filename = true) r
    JOIN (SELECT unnest(?::JSON::VARCHAR[]) AS cache_key, unnest(?::JSON::VARCHAR[]) AS filename, unnest(?::JSON::INTEGER[]) AS day) s
      ON s.cache_key = r.cache_key AND s.filename = r.filename`
  const values = (table: string) =>
    [
      sources.map(({ key }) => key),
      sources.map(({ file }) => file(table)),
      sources.map(({ day }) => day),
    ].map(each => JSON.stringify(each))
  const rows = 'r.* EXCLUDE (cache_key, filename)'
  const one = ['company_id', 'fiscal_year', 'fiscal_quarter', 'basis'].map(name => `r.${name}`).join(', ')
  await db.run(
    `INSERT INTO ${prefix}statement_rows
     SELECT ${rows} REPLACE (r.version = n.version AS is_latest) ${stored('statement_rows')}
     JOIN (SELECT ${one}, max(r.version) AS version ${stored('statement_rows')} WHERE r.known_day <= s.day GROUP BY ALL) n
       USING (company_id, fiscal_year, fiscal_quarter, basis)
     WHERE r.known_day <= s.day`,
    [...values('statement_rows'), ...values('statement_rows')],
  )
  await db.run(
    `INSERT INTO ${prefix}quarantined_figures SELECT ${rows} ${stored('quarantined_figures')} WHERE r.known_day <= s.day`,
    values('quarantined_figures'),
  )
  await db.run(
    `INSERT INTO ${prefix}statements_left SELECT ${rows} ${stored('statements_left')}`,
    values('statements_left'),
  )
  const found = new Set(sources.map(({ key }) => key))
  const keysFound = new Set([...known.values()].filter(({ later }) => found.has(later)).map(({ key }) => key))
  return new Set([...keys].filter(([, key]) => keysFound.has(key)).map(([company]) => company))
}
