import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { elementAt } from '../base/elements.ts'
import { version } from '../base/version.ts'
import { isCusip, isIsin } from '../credit/identifiers.ts'
import { type Database, literal, quote } from '../database/database.ts'
import type { RunOptions } from '../database/run-limits.ts'
import { moveWhole, sync } from '../lake/durable.ts'
import { fault } from '../lake/fault.ts'
import { fingerprint } from '../lake/fingerprint.ts'
import {
  type Accounting,
  type BatchFile,
  batchesOf,
  type ImportOptions,
  type ImportRecord,
  type LakeFile,
  nextImportId,
  writeImport,
} from '../lake/imports.ts'
import { inLake, type Lake } from '../lake/lake.ts'
import { verifyFile } from '../lake/verify.ts'
import type { Dataset } from '../schema/dataset.ts'
import {
  batchColumns,
  batchRowsSql,
  checkedSql,
  expectation,
  identity,
  rawJson,
  stagedColumns,
} from './checks.ts'

/** Splits `_at` into the file and the position in it. */
export const AT = '\u001f'

/** The state of one ingest run, shared by its files. */
export interface IngestRun {
  readonly lake: Lake
  /** A new database after a failure that DuckDB does not recover from. */
  database: Database
  /** All committed imports, oldest first; commits append to it. */
  readonly records: ImportRecord[]
  readonly options: RunOptions
  readonly now: Date
  /** Datasets whose stored rows are hashed in table `seen_<dataset>`; `file` there indexes `files`. */
  readonly hashed: Set<string>
  readonly files: string[]
}

export interface SourceIdentity {
  readonly name: string
  readonly bytes: number
  readonly sha256: string
  readonly options: ImportOptions
  /** The same bytes under a less informative name: its rows are replaced by these. */
  readonly replaces?: ImportRecord
}

const REJECTS = ['_row', 'file', 'position', 'dataset', 'column', 'value', 'reason', 'raw']
/** Maximum characters of a refused row to show. */
const LONGEST_RAW = 4000

/**
 * The rows of one source file on their way into the lake: staged as text, checked, compared with the lake, written,
 * and at the end committed with one record or not at all.
 */
export class Settlement {
  readonly id: string
  private readonly intake: IngestRun
  private readonly source: SourceIdentity
  private readonly batches: (BatchFile & { scratch: string })[] = []
  private readonly firstFile: number
  private readonly fallback: string | null
  /** Files moved into the lake before the record is written. */
  private readonly moved: string[] = []
  private readonly added: Record<string, number> = {}
  private accepted = 0
  private duplicate = 0
  /** Settled source rows, without the refused ones. */
  private settled = 0

  constructor(intake: IngestRun, source: SourceIdentity) {
    this.intake = intake
    this.source = source
    this.id = nextImportId(intake.records, source.sha256)
    this.firstFile = intake.files.length
    this.fallback = source.options.known_from ?? source.options.date ?? null
  }

  get rowsSettled(): number {
    return this.settled
  }

  async begin(): Promise<void> {
    const columns = REJECTS.map(name => `${quote(name)} ${name === '_row' ? 'BIGINT' : 'VARCHAR'}`)
    await this.run(`CREATE OR REPLACE TABLE rejects (${columns.join(', ')})`)
    await mkdir(inLake(this.intake.lake, 'tmp', this.id), { recursive: true })
    for (const { dataset, path } of this.source.replaces?.batches ?? []) {
      const index = this.intake.files.indexOf(inLake(this.intake.lake, path))
      if (index >= 0) await this.run(`DELETE FROM "seen_${dataset}" WHERE file = ${index}`)
    }
  }

  /**
   * Checks and writes staged rows: `taken` source rows with their rows in `staged` relations, and `empty` more that
   * are valid and produce none. `isTrimmed` says that texts have no blanks around them.
   */
  async settle(
    staged: ReadonlyMap<Dataset, string>,
    taken: number,
    { empty = 0, isTrimmed = false } = {},
  ): Promise<void> {
    const datasets = [...staged.keys()]
    for (const [dataset, relation] of staged) {
      // Companies and entities do not take the file's day as their known day.
      const { known_from = null } = this.source.options
      const checked = checkedSql(dataset, relation, dataset.reference ? known_from : this.fallback, isTrimmed)
      await this.run(`CREATE OR REPLACE TABLE ${table('checked', dataset)} AS ${checked}`)
      await this.checkDigits(dataset)
    }
    const rejected = await this.rejectFaulty(datasets)
    const left: string[] = []
    let outputs = 0
    for (const dataset of datasets) {
      await this.dropDuplicates(dataset)
      outputs += await this.write(dataset)
      left.push(`SELECT _row FROM ${table('checked', dataset)}`)
    }
    const accepted =
      outputs === 0 ? 0 : await this.count(`SELECT DISTINCT _row FROM (${left.join(' UNION ALL ')})`)
    for (const dataset of datasets) await this.run(`DROP TABLE ${table('checked', dataset)}`)
    this.accepted += accepted + empty
    this.duplicate += taken - rejected - accepted
    this.settled += taken - rejected + empty
  }

  /** A CUSIP or ISIN is validated once, however many rows have it. */
  private async checkDigits(dataset: Dataset): Promise<void> {
    const checked = table('checked', dataset)
    for (const [name, column] of Object.entries(dataset.columns)) {
      const holds = column.format === 'cusip' ? isCusip : column.format === 'isin' ? isIsin : null
      if (!holds) continue
      const bad: string[] = []
      const distinct = `SELECT DISTINCT ${quote(name)} FROM ${checked} WHERE ${quote(name)} IS NOT NULL`
      for await (const { columns } of this.intake.database.stream(distinct, [], this.intake.options))
        for (const value of columns[0] as string[]) if (!holds(value)) bad.push(value)
      if (bad.length === 0) continue
      await this.run('CREATE OR REPLACE TABLE bad_values (value VARCHAR)')
      await this.intake.database.append('bad_values', [bad], bad.length)
      const packed = identity(dataset).map(each => `${literal(each)}: ${quote(each)}`)
      await this.run(
        `UPDATE ${checked} SET _fault = {'column': ${literal(name)}, 'value': ${quote(name)}, ` +
          `'reason': ${literal(expectation(column))}}, _raw = ${rawJson(packed.join(', '))} ` +
          `WHERE _fault IS NULL AND ${quote(name)} IN (SELECT value FROM bad_values)`,
      )
    }
  }

  /** A source row with a fault in any of its rows is refused whole; returns the number of refused rows. */
  private async rejectFaulty(datasets: readonly Dataset[]): Promise<number> {
    const faulty = datasets.map(
      (dataset, i) =>
        `SELECT _row, ${i} AS _order, split_part(_at, chr(31), 1) AS file, split_part(_at, chr(31), 2) AS position, ` +
        `${literal(dataset.name)} AS dataset, _fault['column'] AS "column", _fault.value AS value, ` +
        `_fault.reason AS reason, ${shortened('_raw')} AS raw FROM ${table('checked', dataset)} WHERE _fault IS NOT NULL`,
    )
    await this.run(
      `CREATE OR REPLACE TABLE faulty AS SELECT DISTINCT ON (_row) * FROM (${faulty.join(' UNION ALL ')}) ORDER BY _row, _order`,
    )
    const rejected = await this.count('SELECT 1 FROM faulty')
    if (rejected === 0) return 0
    await this.run(`INSERT INTO rejects SELECT ${REJECTS.map(quote).join(', ')} FROM faulty ORDER BY _row`)
    for (const dataset of datasets)
      await this.run(`DELETE FROM ${table('checked', dataset)} WHERE _row IN (SELECT _row FROM faulty)`)
    return rejected
  }

  /** Removes rows that the lake or an earlier part of the file has. Hashes find candidates, whole rows decide. */
  private async dropDuplicates(dataset: Dataset): Promise<void> {
    await this.hashStored(dataset)
    const checked = table('checked', dataset)
    const seen = table('seen', dataset)
    const columns = identity(dataset).map(quote)
    const known = `_hash IN (SELECT hash FROM ${seen})`
    if ((await this.count(`SELECT 1 FROM ${checked} WHERE ${known} LIMIT 1`)) > 0) {
      const files = await this.rows<{ file: number }>(
        `SELECT DISTINCT file FROM ${seen} WHERE hash IN (SELECT _hash FROM ${checked})`,
      )
      const stored = batchRowsSql(
        dataset,
        files.map(({ file }) => elementAt(this.intake.files, file)),
      )
      const same = columns.map(column => `a.${column} IS NOT DISTINCT FROM b.${column}`)
      await this.run(
        `DELETE FROM ${checked} WHERE rowid IN (SELECT a._id FROM (SELECT rowid AS _id, * FROM ${checked} WHERE ${known}) a ` +
          `SEMI JOIN (${stored}) b ON a._hash = b._hash AND ${same.join(' AND ')})`,
      )
    }
    const repeated = `SELECT _hash FROM ${checked} GROUP BY _hash HAVING count(*) > 1`
    if ((await this.count(`${repeated} LIMIT 1`)) > 0)
      await this.run(
        `DELETE FROM ${checked} WHERE rowid IN (SELECT _id FROM (SELECT rowid AS _id, ` +
          `row_number() OVER (PARTITION BY ${columns.join(', ')} ORDER BY _row, rowid) AS _nth ` +
          `FROM ${checked} WHERE _hash IN (${repeated})) WHERE _nth > 1)`,
      )
  }

  /** On a dataset's first use its stored rows are hashed, after verifying their files. */
  private async hashStored(dataset: Dataset): Promise<void> {
    const { intake } = this
    if (intake.hashed.has(dataset.name)) return
    const seen = table('seen', dataset)
    await this.run(`CREATE OR REPLACE TABLE ${seen} (hash UBIGINT, file INTEGER)`)
    const { replaces } = this.source
    const records = intake.records.filter(({ id }) => id !== replaces?.id)
    const stored = batchesOf(records).get(dataset.name) ?? []
    for (const file of stored) {
      const path = inLake(intake.lake, file.path)
      await verifyFile(path, file, file.path)
      intake.files.push(path)
    }
    if (stored.length > 0) {
      const paths = stored.map(file => inLake(intake.lake, file.path))
      await this.run('CREATE OR REPLACE TABLE stored_files (path VARCHAR, file INTEGER)')
      await intake.database.append(
        'stored_files',
        [paths, paths.map((_, i) => intake.files.length - paths.length + i)],
        paths.length,
      )
      await this.run(
        `INSERT INTO ${seen} SELECT _hash, f.file FROM (${batchRowsSql(dataset, paths)}) b JOIN stored_files f ON f.path = b._file`,
      )
    }
    intake.hashed.add(dataset.name)
  }

  /** Writes a dataset's remaining rows to a scratch file; returns their number. */
  private async write(dataset: Dataset): Promise<number> {
    const { lake, now, files } = this.intake
    const checked = table('checked', dataset)
    const rows = await this.count(`SELECT 1 FROM ${checked}`)
    if (rows === 0) return 0
    const file = `${this.id}-${this.batches.filter(b => b.dataset === dataset.name).length + 1}.parquet`
    const scratch = inLake(lake, 'tmp', this.id, `${dataset.name}-${file}`)
    const made: Record<string, string> = {
      source: `replace(_at, chr(31), ':')`,
      ingested_at: `TIMESTAMP ${literal(now.toISOString().replace('Z', ''))}`,
    }
    const columns = Object.keys(batchColumns(dataset)).map(name =>
      name in made ? `${made[name]} AS ${quote(name)}` : quote(name),
    )
    await this.run(
      `COPY (SELECT ${columns.join(', ')} FROM ${checked}) TO ${literal(scratch)} (FORMAT parquet, COMPRESSION zstd)`,
    )
    fault('import:batch-written')
    const index = files.push(scratch) - 1
    await this.run(`INSERT INTO ${table('seen', dataset)} SELECT _hash, ${index} FROM ${checked}`)
    this.batches.push({
      dataset: dataset.name,
      path: `batches/${dataset.name}/${file}`,
      rows,
      ...(await fingerprint(scratch)),
      scratch,
    })
    this.added[dataset.name] = (this.added[dataset.name] ?? 0) + rows
    return rows
  }

  /** Rows refused before staging: by readers, or as malformed lines. */
  async reject(columns: readonly ArrayLike<unknown>[], rows: number): Promise<void> {
    await this.intake.database.append('rejects', columns, rows)
  }

  /** Runs SQL that inserts into `rejects`, and whatever else a direct reader needs. */
  async run(sql: string): Promise<void> {
    this.intake.options.signal?.throwIfAborted()
    await this.intake.database.run(sql, [], this.intake.options)
  }

  async rows<T>(sql: string): Promise<T[]> {
    this.intake.options.signal?.throwIfAborted()
    return this.intake.database.rows<T>(sql, [], this.intake.options)
  }

  private async count(sql: string): Promise<number> {
    const [row] = await this.rows<{ n: number }>(`SELECT count(*) AS n FROM (${sql})`)
    return row!.n
  }

  async report(notes: readonly string[]): Promise<Accounting> {
    const reasons = await this.rows<{ reason: string; n: number }>(
      `SELECT coalesce("column" || ' ', '') || reason AS reason, count(*) AS n FROM rejects GROUP BY 1 ORDER BY 2 DESC, 1`,
    )
    const rejected = reasons.reduce((sum, { n }) => sum + n, 0)
    return {
      read: this.settled + rejected,
      accepted: this.accepted,
      duplicate: this.duplicate,
      rejected,
      added: this.added,
      reasons: Object.fromEntries(reasons.map(({ reason, n }) => [reason, n])),
      notes,
    }
  }

  /** Moves the files into place and writes the record: from here on they exist. */
  async commit(
    report: Accounting,
    { kinds, refused, members = [] }: Pick<ImportRecord, 'kinds' | 'refused' | 'members'>,
  ): Promise<ImportRecord> {
    const { lake, records, now } = this.intake
    const rejects = report.rejected > 0 ? await this.writeRejects(report.rejected) : null
    const moves = [...this.batches, ...(rejects ? [rejects] : [])]
    const folders = new Set(['imports', ...moves.map(({ path }) => dirname(path))])
    for (const folder of folders) await makeFolder(lake, folder)
    for (const { scratch, path } of moves) {
      await sync(scratch)
      this.moved.push(path)
      await moveWhole(scratch, inLake(lake, path))
      fault('import:file-moved')
    }
    const bare = ({ scratch: _, ...file }: (typeof moves)[number]) => file
    const record: ImportRecord = {
      id: this.id,
      name: this.source.name,
      bytes: this.source.bytes,
      sha256: this.source.sha256,
      kinds,
      options: this.source.options,
      report,
      refused,
      members: members.map(({ name, reason }) => ({ name, reason })),
      batches: this.batches.map(batch => bare(batch) as BatchFile),
      ...(this.source.replaces && refused === null && { replaces: this.source.replaces.id }),
      rejects: rejects && bare(rejects),
      at: now.toISOString(),
      engine: version,
    }
    await writeImport(lake, record)
    records.push(record)
    this.moved.length = 0
    for (const [i, batch] of this.batches.entries())
      this.intake.files[this.indexOf(batch.scratch, i)] = inLake(lake, batch.path)
    await this.sweep()
    return record
  }

  private indexOf(scratch: string, from: number): number {
    return this.intake.files.indexOf(scratch, this.firstFile + from)
  }

  private async writeRejects(rows: number): Promise<LakeFile & { scratch: string }> {
    const scratch = inLake(this.intake.lake, 'tmp', this.id, 'rejects.parquet')
    const columns = REJECTS.slice(1).map(quote).join(', ')
    await this.run(
      `COPY (SELECT ${columns} FROM rejects ORDER BY _row) TO ${literal(scratch)} (FORMAT parquet, COMPRESSION zstd)`,
    )
    return { path: `rejects/${this.id}.parquet`, rows, ...(await fingerprint(scratch)), scratch }
  }

  /** Rolls back: the lake is as before. A record is removed before the files that it names. */
  async abandon(): Promise<void> {
    const { lake } = this.intake
    for (const path of this.moved.length > 0 ? [`imports/${this.id}.json`, ...this.moved] : [])
      await rm(inLake(lake, path), { force: true })
    for (const dataset of this.intake.hashed)
      await this.run(`DELETE FROM "seen_${dataset}" WHERE file IN (${this.ownFiles().join(', ') || 'NULL'})`)
    // Superseded rows stay; they are hashed again when next needed.
    if (this.source.replaces) this.intake.hashed.clear()
    await this.sweep()
  }

  private ownFiles(): number[] {
    return this.batches.map((batch, i) => this.indexOf(batch.scratch, i))
  }

  private async sweep(): Promise<void> {
    await rm(inLake(this.intake.lake, 'tmp', this.id), { recursive: true, force: true })
  }
}

async function makeFolder(lake: Lake, folder: string): Promise<void> {
  const path = inLake(lake, folder)
  if (await stat(path).catch(() => null)) return
  await mkdir(path, { recursive: true })
  for (let above = dirname(path); above.length >= lake.root.length; above = dirname(above)) await sync(above)
}

export const table = (role: 'stage' | 'checked' | 'seen', dataset: Dataset): string =>
  quote(`${role}_${dataset.name}`)

/** SQL that truncates a long raw row with a note. */
export const shortened = (raw: string) =>
  `CASE WHEN length(${raw}) > ${LONGEST_RAW} THEN left(${raw}, ${LONGEST_RAW}) || '… (' || length(${raw}) || ' characters)' ELSE ${raw} END`

export const shorten = (raw: string): string =>
  raw.length > LONGEST_RAW ? `${raw.slice(0, LONGEST_RAW)}… (${raw.length} characters)` : raw

/** Creates a dataset's empty staging table. */
export const stageTableSql = (dataset: Dataset): string =>
  `CREATE OR REPLACE TABLE ${table('stage', dataset)} (_row BIGINT, _at VARCHAR, ` +
  `${stagedColumns(dataset)
    .map(name => `${quote(name)} VARCHAR`)
    .join(', ')})`
