import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { elementAt, firstOf } from '../base/elements.ts'
import { memoryShare } from '../base/machine.ts'
import { Database, literal } from '../database/database.ts'
import { publicSql } from '../database/views.ts'
import { derive } from '../derive/derive.ts'
import { datasetSql } from '../derive/inputs.ts'
import type { LinkedMention } from '../derive/issuers/issuers.ts'
import { batchesOf } from '../lake/imports.ts'
import { inLake, type Lake } from '../lake/lake.ts'
import { type Manifest, verifiedFile } from '../lake/snapshot.ts'
import { verifiedInputs } from '../lake/verify.ts'
import { copyColumns, type SpreadWidth, spreadCopies } from '../query/spread-copies.ts'
import { datasets } from '../schema/datasets/datasets.ts'
import { tables } from '../schema/resources/tables.ts'
import type { Workbench } from './recomputation.ts'

export interface WorkbenchOptions {
  /** An earlier day than the snapshot's, whose tables are derived first. */
  readonly asOf?: string
  /** Number of companies to sample, chosen by id; default all. */
  readonly sample?: number
  readonly memory?: string
}

/** Opens a snapshot's batches and tables side by side, with every file verified. */
export async function withWorkbench<T>(
  lake: Lake,
  manifest: Manifest,
  options: WorkbenchOptions,
  work: (bench: Workbench) => Promise<T>,
): Promise<T> {
  const temp = inLake(lake, 'tmp', `verify-${process.pid}`)
  await mkdir(temp, { recursive: true })
  const memory = options.memory ?? memoryShare(1 / 4)
  const db = await Database.create({ temp, memory })
  try {
    const asOf = options.asOf ?? manifest.as_of!
    const assumeSeniority = (manifest.options['assume_seniority'] as string | null) ?? null
    const undated = asOf === manifest.as_of
    const inputs = await verifiedInputs(lake, batchesOf([{ batches: manifest.inputs }]))
    const stated = (name: string) =>
      datasetSql(datasets.find(dataset => dataset.name === name)!, inputs.get(name) ?? [])
    for (const { name, reference, filed } of datasets) {
      const always = undated || reference ? 'known_from IS NULL OR ' : ''
      await db.run(
        `CREATE VIEW raw_${name} AS SELECT * FROM (${withFilingDates(filed, stated(name), stated('filings'), asOf)})
         WHERE ${always}CAST(known_from AS VARCHAR) <= ${literal(asOf)}`,
      )
    }
    let mentions: readonly LinkedMention[]
    const files = new Map<string, string>()
    if (undated) {
      for (const { name, ...file } of manifest.tables)
        files.set(name, await verifiedFile(lake, manifest, { ...file }))
      const links = manifest.files.find(f => f.file === 'links.json')!
      mentions = JSON.parse(await readFile(await verifiedFile(lake, manifest, links), 'utf8'))
    } else {
      const past = await Database.create({ temp, memory })
      try {
        const derived = await derive(past, inputs, { asOf, undated, assumeSeniority })
        mentions = derived.mentions.map(mention => JSON.parse(mention))
        for (const table of tables) {
          const file = join(temp, `${table.table}.parquet`)
          await past.run(`COPY (${await publicSql(past, table)}) TO ${literal(file)} (FORMAT parquet)`)
          files.set(table.table, file)
        }
      } finally {
        past.close()
      }
    }
    await keep(db, files, options.sample)
    await joinInstruments(db)
    await linkCompanies(db, mentions)
    const width = manifest.options['spread_copies'] as SpreadWidth | undefined
    const copies = new Map(
      spreadCopies.flatMap(({ name }) => (width && files.has(name) ? [[name, width] as const] : [])),
    )
    return await work({ db, asOf, assumeSeniority, sampled: options.sample !== undefined, copies })
  } finally {
    db.close()
    await rm(temp, { recursive: true, force: true })
  }
}

/**
 * Rows without the date of their filing, and so without a known day, take it from the lists of filings known that
 * day.
 */
function withFilingDates(day: string | undefined, rows: string, filings: string, asOf: string): string {
  if (day === undefined) return rows
  return `SELECT r.* REPLACE (coalesce(r.${day}, listed.day) AS ${day},
      CASE WHEN r.${day} IS NULL AND listed.day IS NOT NULL THEN listed.day ELSE r.known_from END AS known_from)
    FROM (${rows}) r LEFT JOIN (SELECT accession AS number, min(filed_date) AS day FROM (${filings})
      WHERE CAST(known_from AS VARCHAR) <= ${literal(asOf)} GROUP BY accession) listed ON listed.number = r.accession`
}

async function keep(db: Database, files: ReadonlyMap<string, string>, sample: number | undefined) {
  const companies = `read_parquet(${literal(files.get('companies')!)})`
  await db.run(`CREATE TABLE scope AS SELECT company_id FROM ${companies}
    ${sample === undefined ? '' : `ORDER BY md5(company_id) LIMIT ${sample}`}`)
  const read = [
    ...tables.map(({ table, columns }) => ({ name: table, columns })),
    ...spreadCopies.map(({ name }) => ({ name, columns: copyColumns })),
  ]
  for (const { name, columns } of read) {
    const file = files.get(name)
    if (file === undefined) continue
    const narrow =
      sample !== undefined && columns['company_id']
        ? ' WHERE company_id IN (SELECT company_id FROM scope)'
        : ''
    await db.run(`CREATE VIEW kept_${name} AS SELECT * FROM read_parquet(${literal(file)})${narrow}`)
  }
}

/**
 * `company_of(ticker, cik, lei, name, company_id)`: the company of each mention. Links are decisions, not figures:
 * they are listed by `tranche link` and taken as they are.
 */
async function linkCompanies(db: Database, mentions: readonly LinkedMention[]): Promise<void> {
  await db.run(
    'CREATE TABLE company_of (ticker VARCHAR, cik VARCHAR, lei VARCHAR, name VARCHAR, company_id VARCHAR)',
  )
  await db.append(
    'company_of',
    [
      mentions.map(m => m.ticker),
      mentions.map(m => m.cik),
      mentions.map(m => m.lei),
      mentions.map(m => m.name),
      mentions.map(m => m.company_id),
    ],
    mentions.length,
  )
}

/**
 * Rows of lists without identifiers get those of the bond they were joined to. Joins are decisions too: `other_ids`
 * of the stored bonds is taken as it is.
 */
async function joinInstruments(db: Database): Promise<void> {
  await db.run(
    'CREATE TABLE joined AS SELECT unnest(other_ids) AS own, id FROM kept_bonds WHERE other_ids IS NOT NULL',
  )
  const [row] = await db.rows<{ n: number }>('SELECT count(*) AS n FROM joined')
  if (row!.n === 0) return
  for (const dataset of ['bonds', 'prices'])
    await db.run(`
      ALTER VIEW raw_${dataset} RENAME TO loaded_${dataset};
      CREATE VIEW raw_${dataset} AS SELECT r.* REPLACE (
        CASE WHEN r.cusip IS NULL AND r.isin IS NULL AND length(j.id) = 9 THEN j.id ELSE r.cusip END AS cusip,
        CASE WHEN r.cusip IS NULL AND r.isin IS NULL AND length(j.id) = 12 THEN j.id ELSE r.isin END AS isin)
      FROM loaded_${dataset} r LEFT JOIN joined j ON j.own = r.bond_id`)
}

/** The instrument of a raw row: CUSIP, also inside a US or Canadian ISIN, else ISIN, else the source's id. */
export const instrument = (alias: string): string =>
  `CASE WHEN ${alias}.cusip IS NOT NULL THEN ${alias}.cusip
    WHEN ${alias}.isin LIKE 'US%' OR ${alias}.isin LIKE 'CA%' THEN substr(${alias}.isin, 3, 9)
    WHEN ${alias}.isin IS NOT NULL THEN ${alias}.isin ELSE ${alias}.bond_id END`

export const dayOf = (column: string): string => `CAST(${column} - DATE '1970-01-01' AS INTEGER)`

/** Streams rows one at a time; `few` are made before the first. */
export async function* records<T>(
  db: Database,
  sql: string,
  options: { readonly few?: boolean } = {},
): AsyncGenerator<T> {
  for await (const { names, columns, rowCount } of db.stream(sql, [], options))
    for (let i = 0; i < rowCount; i++)
      yield Object.fromEntries(names.map((name, j) => [name, elementAt(columns, j)[i] ?? null])) as T
}

/** Groups of consecutive rows, in query order: a value of `by` must not recur. */
export async function* grouped<T>(rows: AsyncIterable<T>, by: (row: T) => unknown): AsyncGenerator<T[]> {
  let group: T[] = []
  for await (const row of rows) {
    if (group.length > 0 && by(firstOf(group)) !== by(row)) {
      yield group
      group = []
    }
    group.push(row)
  }
  if (group.length > 0) yield group
}

/** Buffers rows for a table and writes them in thousands. */
export class RowBuffer<T extends object> {
  private readonly db: Database
  private readonly table: string
  private readonly names: readonly (keyof T & string)[]
  private rows: T[] = []

  private constructor(db: Database, table: string, names: readonly (keyof T & string)[]) {
    this.db = db
    this.table = table
    this.names = names
  }

  static async table<T extends object>(
    db: Database,
    table: string,
    columns: Readonly<Record<keyof T & string, string>>,
  ): Promise<RowBuffer<T>> {
    const names = Object.keys(columns) as (keyof T & string)[]
    await db.run(`CREATE TABLE ${table} (${names.map(name => `"${name}" ${columns[name]}`).join(', ')})`)
    return new RowBuffer(db, table, names)
  }

  async add(row: T): Promise<void> {
    this.rows.push(row)
    if (this.rows.length >= 20_000) await this.flush()
  }

  async flush(): Promise<void> {
    await this.db.append(
      this.table,
      this.names.map(name => this.rows.map(row => row[name])),
      this.rows.length,
    )
    this.rows = []
  }
}
