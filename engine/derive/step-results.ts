import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Database, literal } from '../database/database.ts'
import { datasetNamed } from '../schema/datasets/datasets.ts'
import { copyOfRows, type DerivationCache, fingerprintOf } from './cache/derivation-cache.ts'
import type { Step, StepOptions } from './steps.ts'

interface Given {
  readonly db: Database
  readonly cache: DerivationCache
  /** The files of a dataset, whose rows never change. */
  readonly files: (dataset: string) => Promise<readonly string[]>
}

/** What larger files lead to is not stored: the cache has no room for it. */
const MOST_BYTES = 256 * 2 ** 20
/** Of a past day more rows are not stored: a few days with all statements of many companies would fill the cache. */
const MOST_ROWS_OF_DAY = 100_000

const isDataset = (name: string): boolean => name.startsWith('in_')
const datasetOf = (name: string): string => name.slice('in_'.length)

/** A table, or what a step reads of it. */
interface Part {
  readonly name: string
  readonly part: string
  /** Its rows, of the table named `input`. */
  readonly rows: string
}

function partOf({ columns }: Step, name: string): Part {
  const of = columns?.[name]
  return of
    ? {
        name,
        part: `${name}(${of.join(', ')})`,
        rows: `row(${of.map(column => `input.${column}`).join(', ')})`,
      }
    : { name, part: name, rows: 'input' }
}

/**
 * Runs the steps of one derivation. What a repeatable step made from equal inputs, on another day or in an earlier build, is
 * read instead. Rows of a dataset known on two days are equal if the files are the same and as many rows are known, because the
 * later day has all rows of the earlier one.
 */
export class StepResults {
  private readonly given: Given
  /** What datasets and tables hold, as text that is equal only if their rows are. */
  private readonly contents = new Map<string, string>()
  /** The same of the tables of repeatable steps. */
  private readonly results = new Map<string, string>()
  /** Tables that are views of stored files. */
  private readonly views = new Set<string>()
  /** What is still to be stored of steps that ran. */
  private readonly unstored = new Map<Step, () => Promise<void>>()
  private readonly storing = new Map<Step, Promise<void>>()

  constructor(given: Given) {
    this.given = given
  }

  /** Runs a step or reads its tables; the datasets that it reads are open. */
  readonly run = async (step: Step, options: StepOptions): Promise<void> => {
    const key = step.isRepeatable ? await this.keyOf(step, options) : null
    if (key === null) return this.derive(step, options)
    const { db, cache } = this.given
    const name = `step-${step.makes[0]}`
    const [stored] = await cache.find(name, [key])
    if (stored) {
      await this.drop(step)
      for (const table of step.makes) {
        await db.run(
          `DROP TABLE IF EXISTS ${table}; CREATE VIEW ${table} AS SELECT * FROM read_parquet(${literal(stored.file(table))})`,
        )
        this.views.add(table)
      }
    } else {
      await this.derive(step, options)
      this.unstored.set(step, async () => {
        if (!options.keepsDays && (await this.rowsOf(step)) > MOST_ROWS_OF_DAY) return
        await cache.keep(name, [key], step.makes, (table, path) => db.run(copyOfRows(`FROM ${table}`, path)))
      })
    }
    for (const table of step.makes) {
      this.results.set(table, `${key} ${table}`)
      // Other inputs often make the same few rows: the rows of small tables are compared instead.
      if (!step.isSmall) this.contents.set(table, `${key} ${table}`)
    }
  }

  /** Stores what repeatable steps made: apart from making it, as whoever waits for the tables need not wait for that. */
  async store(): Promise<void> {
    for (const step of [...this.unstored.keys(), ...this.storing.keys()]) await this.storeStep(step)
  }

  private async storeStep(step: Step): Promise<void> {
    const store = this.unstored.get(step)
    if (store) {
      this.unstored.delete(step)
      const stored = store().finally(() => this.storing.delete(step))
      this.storing.set(step, stored)
    }
    await this.storing.get(step)
  }

  /** What a table of a repeatable step depends on; null for others. */
  contentOf(table: string): string | null {
    return this.results.get(table) ?? null
  }

  private async rowsOf({ makes }: Step): Promise<number> {
    const names = makes.map(literal).join(', ')
    const [sum] = await this.given.db.rows<{ n: number | null }>(
      `SELECT CAST(sum(estimated_size) AS BIGINT) AS n FROM duckdb_tables() WHERE table_name IN (${names})`,
    )
    return sum?.n ?? 0
  }

  private async derive(step: Step, options: StepOptions): Promise<void> {
    await this.drop(step)
    await step.run(this.given.db, options)
  }

  /** Makes room for the tables of a step: those of it that were made of fewer rows are stored before they go. */
  private async drop(step: Step): Promise<void> {
    await this.storeStep(step).catch(() => {})
    for (const table of step.makes) {
      for (const name of [...this.contents.keys()])
        if (name === table || name.startsWith(`${table}(`)) this.contents.delete(name)
      this.results.delete(table)
      if (this.views.delete(table)) await this.given.db.run(`DROP VIEW IF EXISTS ${table}`)
    }
  }

  /** What the tables of a step depend on; null if too much to store. */
  private async keyOf(step: Step, options: StepOptions): Promise<string | null> {
    const { statements, assumeSeniority } = options
    const files = await Promise.all(
      step.reads.filter(isDataset).map(name => this.given.files(datasetOf(name))),
    )
    const sizes = await Promise.all(files.flat().map(async path => (await stat(path)).size))
    if (!step.isSmall && sizes.reduce((sum, size) => sum + size, 0) > MOST_BYTES) return null
    const read = step.reads.map(name => partOf(step, name))
    await this.describe(read)
    const inputs = read.map(({ name, part }) => this.contents.get(name) ?? this.contents.get(part)!)
    const option = step.option ? [step.option, options[step.option] ?? false] : []
    const day = step.ofDay ? [step.ofDay(options.asOf)] : []
    return createHash('sha256')
      .update(JSON.stringify([inputs, statements ?? 'all', assumeSeniority, ...option, ...day]))
      .digest('hex')
  }

  private async describe(read: readonly Part[]): Promise<void> {
    const unknown = read.filter(({ name, part }) => !this.contents.has(name) && !this.contents.has(part))
    if (unknown.length === 0) return
    const parts = unknown.map(({ name, part, rows }) =>
      isDataset(name)
        ? `SELECT ${literal(name)} AS name, concat_ws('/', count(known_from), count(*)) AS content FROM ${name}`
        : `SELECT ${literal(part)} AS name, ${fingerprintOf(rows)} AS content FROM ${name} input`,
    )
    const rows = await this.given.db.rows<{ name: string; content: string }>(parts.join(' UNION ALL '))
    const [version] = await this.given.db.rows<{ duckdb: string }>('SELECT version() AS duckdb')
    for (const { name, content } of rows)
      this.contents.set(
        name,
        isDataset(name)
          ? `${await this.filesOf(datasetOf(name))} ${content}`
          : // A hash of rows may change with the version.
            `${version?.duckdb} ${content}`,
      )
  }

  /**
   * The files that decide what a dataset holds, as they are named in any copy of the lake. Where lists of filings say when rows
   * became known, how many of these are known counts too.
   */
  private async filesOf(dataset: string): Promise<string> {
    const paths = [...(await this.given.files(dataset))]
    const named = paths.map(path => join(basename(dirname(path)), basename(path)))
    if (datasetNamed(dataset)?.filed === undefined) return named.join(' ')
    await this.describe([{ name: 'in_filings', part: 'in_filings', rows: 'input' }])
    return `${named.join(' ')} (${this.contents.get('in_filings')})`
  }
}
