import { type Database, literal } from '../../database/database.ts'

/** Rows of companies that were derived together, stored in one file per table. */
export interface CachedPart {
  /** The keys that were sought and are in this part. */
  readonly keys: readonly string[]
  /** The file of a table. */
  readonly file: (table: string) => string
}

/**
 * Rows derived for single companies, stored under keys: a fingerprint of everything that they were derived from. A day,
 * a build or another process that has the same inputs of a company uses them.
 */
export interface DerivationCache {
  /** The parts in which rows of these keys are stored, each key in one part only. */
  find(step: string, keys: Iterable<string>): Promise<readonly CachedPart[]>
  /** Stores rows of keys: `write` writes the file of each table. */
  keep(
    step: string,
    keys: readonly string[],
    tables: readonly string[],
    write: (table: string, path: string) => Promise<void>,
  ): Promise<void>
}

export interface CacheOptions {
  readonly cache?: DerivationCache | undefined
}

/** A fingerprint of the rows of a group, in any order: their number and two sums of their hashes. */
export const fingerprintOf = (row: string): string =>
  `concat_ws('/', count(*), bit_xor(hash(${row})), sum(CAST(hash(${row}) AS HUGEINT)))`

/** The fingerprint of all rows of a query. */
export async function fingerprintOfRows(db: Database, query: string): Promise<string> {
  const [row] = await db.rows<{ fingerprint: string }>(
    `SELECT ${fingerprintOf('input')} AS fingerprint FROM (${query}) input`,
  )
  return row!.fingerprint
}

/** Tables of a step whose rows belong to companies, or to what another column than `company_id` says. */
export interface CachedStep {
  readonly step: string
  readonly tables: readonly string[]
  readonly by?: string
}

/**
 * Inserts stored rows of companies into tables of the same columns; `keys` are by company. Returns the companies found.
 * @param prefix of the names of the tables
 */
export async function insertCached(
  db: Database,
  cache: DerivationCache,
  { step, tables }: CachedStep,
  keys: ReadonlyMap<string, string>,
  prefix = '',
): Promise<Set<string>> {
  const parts = await cache.find(step, keys.values())
  if (parts.length === 0) return new Set()
  for (const table of tables) {
    const sources = parts.flatMap(({ keys, file }) => keys.map(key => ({ key, file: file(table) })))
    const files = parts.map(({ file }) => literal(file(table)))
    await db.run(
      `INSERT INTO ${prefix}${table} SELECT r.* EXCLUDE (cache_key, filename)
       FROM read_parquet([${files.join(', ')}], filename = true) r
       SEMI JOIN (SELECT unnest(?::JSON::VARCHAR[]) AS cache_key, unnest(?::JSON::VARCHAR[]) AS filename) s
         ON s.cache_key = r.cache_key AND s.filename = r.filename`,
      [JSON.stringify(sources.map(s => s.key)), JSON.stringify(sources.map(s => s.file))],
    )
  }
  const found = new Set(parts.flatMap(part => part.keys))
  return new Set([...keys].filter(([, key]) => found.has(key)).map(([company]) => company))
}

/** Rows of companies are long texts: more rows a group would take gigabytes while they are written. */
const ROWS_A_GROUP = 8_192

/** Writes rows of companies to a file of a part. */
export const copyOfRows = (rows: string, path: string): string =>
  `COPY (${rows}) TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROWS_A_GROUP})`

/**
 * Stores the rows of companies, by their keys, for later derivations: in the order in which they were derived.
 * @param prefix of the names of the tables
 */
export async function keepDerived(
  db: Database,
  cache: DerivationCache,
  { step, tables, by = 'company_id' }: CachedStep,
  keys: ReadonlyMap<string, string>,
  prefix = '',
): Promise<void> {
  if (keys.size === 0) return
  const names = `"${prefix}${step}_cache_keys"`
  await db.run(
    `CREATE OR REPLACE TABLE ${names} AS
     SELECT unnest(?::JSON::VARCHAR[]) AS ${by}, unnest(?::JSON::VARCHAR[]) AS cache_key`,
    [JSON.stringify([...keys.keys()]), JSON.stringify([...keys.values()])],
  )
  await cache.keep(step, [...keys.values()], tables, (table, path) =>
    db.run(
      copyOfRows(`SELECT k.cache_key, r.* FROM ${prefix}${table} r JOIN ${names} k USING (${by})`, path),
    ),
  )
  await db.run(`DROP TABLE ${names}`)
}
