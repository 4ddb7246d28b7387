// Indices below are within bounds by construction: checks would cost in the loops.

import { yieldToEventLoop } from '../base/event-loop.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import { childSpan } from '../base/spans.ts'
import { type Database, quote } from '../database/database.ts'
import type { ExportFolder } from '../database/export-folder.ts'
import type { Chunk } from '../database/results.ts'
import type { RunOptions } from '../database/run-limits.ts'
import { stored } from '../database/views.ts'
import type { CopiedFile, CopyForm } from '../encode/row-stream.ts'
import { objectWriter } from '../encode/row-text.ts'
import type { Columns } from '../schema/column.ts'
import { chooseLane, noteLane, remoteFor, type Source } from './choose-lane.ts'
import type { HotLane } from './memory/lane.ts'
import type { Plan } from './plan/plan.ts'
import { copySql, countSql, pageSql, presentSql } from './plan/plan-sql.ts'

/** A page by column, in plan order, and the total number of matching rows. */
export interface PageValues {
  readonly columns: readonly (readonly unknown[])[]
  readonly rowCount: number
  readonly total: number
}

/** The page of a plan: synchronously from memory if the table is loaded, else from DuckDB or the remote lane. */
export function pageValues(
  source: Source,
  plan: Plan,
  kinds: Columns,
  limits: RunOptions,
): MaybePromise<PageValues> {
  const choice = chooseLane(source, plan, kinds)
  if (choice.lane === 'remote') return choice.remote.page(plan, kinds, limits)
  if (choice.lane === 'duckdb') return pageAsked(source, plan, kinds, limits)
  if (plan.group) return choice.table.groups(choice.question)
  const { rows, total } = choice.table.find(choice.question)
  return { columns: choice.table.values(plan.columns, rows), rowCount: rows.length, total }
}

async function pageAsked(
  { database }: Source,
  plan: Plan,
  kinds: Columns,
  limits: RunOptions,
): Promise<PageValues> {
  const { text, values } = pageSql(plan, kinds)
  const result = await database.columns(text, values, limits)
  const { rowCount } = result
  const columns = result.columns.slice(0, -1)
  if (rowCount > 0) return { columns, rowCount, total: result.columns.at(-1)![0] as number }
  const total = plan.offset > 0 ? await counted(database, plan, kinds, limits) : 0
  return { columns, rowCount, total }
}

/** A page as UTF-8 JSON, with a comma before each row, and the total number of matching rows. */
export interface PageJson {
  readonly rows: readonly Buffer[]
  readonly total: number
}

/** The same as JSON. */
export function pageJson(
  source: Source,
  plan: Plan,
  kinds: Columns,
  limits: RunOptions,
): MaybePromise<PageJson> {
  const choice = chooseLane(source, plan, kinds)
  if (choice.lane !== 'memory' || plan.group) return pageWritten(source, plan, kinds, limits)
  const span = childSpan('memory lane')
  const { rows, total } = choice.table.find(choice.question)
  const found = { rows: choice.table.json(plan.columns, rows), total }
  span?.end()
  return found
}

async function pageWritten(
  source: Source,
  plan: Plan,
  kinds: Columns,
  limits: RunOptions,
): Promise<PageJson> {
  const { columns, rowCount, total } = await pageValues(source, plan, kinds, limits)
  const span = childSpan('encode', { 'tranche.format': 'json' })
  const write = objectWriter(plan.columns)
  const text = Array.from({ length: rowCount }, (_, i) => `,${write(columns, i)}`).join('')
  span?.end()
  return { rows: [Buffer.from(text)], total }
}

/** Maximum number of rows whose indexes are kept in memory while they are sent. */
const MOST_NUMBERED = 1 << 16

const isNumbered = ({ group, limit }: Plan): boolean => !group && limit !== null && limit <= MOST_NUMBERED

/** The rows of a plan in chunks: memory does not grow with them. Nothing runs before the first chunk is requested. */
export async function* pageChunks(
  source: Source,
  plan: Plan,
  kinds: Columns,
  limits: RunOptions,
): AsyncGenerator<Chunk> {
  const { database, hot } = source
  const remote = remoteFor(source, plan)
  if (remote) {
    noteLane('remote')
    yield* remote.chunks(plan, kinds, limits)
    return
  }
  const choice = isNumbered(plan) ? hot.choose(plan, kinds) : null
  noteLane(choice?.lane ?? 'duckdb')
  if (choice?.lane === 'memory') {
    for (const chunk of choice.table.chunks(plan.columns, choice.table.find(choice.question).rows)) {
      limits.signal?.throwIfAborted()
      yield chunk
      // Yields to the event loop between chunks.
      await yieldToEventLoop()
    }
    return
  }
  const { text, values } = pageSql(plan, kinds, false)
  yield* database.stream(text, values, limits)
}

/** Up to this many rows, making text from chunks is faster than having DuckDB write a file. */
const FEW = 10_000

/** Whether text is made from chunks: for rows in memory, few rows, or groups, whose number is unknown. */
async function isEncodedInChunks(
  { hot }: Source,
  { plan, kinds, count }: Pick<FileAsked, 'plan' | 'kinds' | 'count'>,
): Promise<boolean> {
  if (plan.group || (plan.limit !== null && plan.limit <= FEW)) return true
  if (isNumbered(plan) && hot.choose(plan, kinds).lane === 'memory') return true
  return (await count()) - plan.offset <= FEW
}

interface FileAsked {
  readonly plan: Plan
  readonly kinds: Columns
  readonly limits: RunOptions
  /** The number of rows over all pages. */
  readonly count: () => Promise<number>
}

/** The rows of a plan as a file; null where it is better made from chunks, as of rows on a remote engine. */
export async function pageFile(
  source: Source,
  asked: FileAsked,
  folder: ExportFolder,
  form: CopyForm,
): Promise<CopiedFile | null> {
  const { plan, kinds, limits } = asked
  if (remoteFor(source, plan)) return null
  if (form.format !== 'parquet' && (await isEncodedInChunks(source, asked))) return null
  return pageCopy(source, plan, kinds, limits, folder, form)
}

/** The rows of a plan as a file written by DuckDB; no row passes through JavaScript. */
export async function pageCopy(
  { database }: Pick<Source, 'database'>,
  plan: Plan,
  kinds: Columns,
  limits: RunOptions,
  folder: ExportFolder,
  form: CopyForm,
): Promise<CopiedFile> {
  const { bytes, result } = await folder.written(file => {
    const { text, values } = copySql(plan, kinds, file, form)
    return database.rows<{ Count: number }>(text, values, limits)
  })
  return { bytes, rowCount: result[0]!.Count }
}

/** Some rows of a table: their indexes in scan order, and their ids. */
export interface ChosenRows {
  readonly rows: readonly number[]
  readonly ids: readonly string[]
}

/**
 * Values of chosen rows by column, in the order chosen. The first call is answered by DuckDB, by id; later ones from
 * columns in memory, by index.
 */
export function valuesOfRows(
  { database, hot }: Source,
  { table, kinds, columns }: { table: string; kinds: Columns; columns: Plan['columns'] },
  chosen: ChosenRows,
): MaybePromise<readonly (readonly unknown[])[]> {
  if (chosen.rows.length === 0) return columns.map(() => [])
  const loaded = hot.hold(table, kinds, columns)
  return loaded ? loaded.values(columns, chosen.rows) : valuesRead(database, table, columns, chosen.ids)
}

/** Separates ids in one bound text; no id contains it. */
const SEPARATOR = '\x1f'

async function valuesRead(
  database: Database,
  table: string,
  columns: Plan['columns'],
  ids: readonly string[],
): Promise<readonly (readonly unknown[])[]> {
  const { columns: read } = await database.columns(
    `SELECT ${columns.map(({ name }) => quote(name)).join(', ')}, id AS "_id" FROM ${stored(table)}
     WHERE id IN (SELECT unnest(string_split(?, chr(31))))`,
    [ids.join(SEPARATOR)],
  )
  const place = new Map((read.at(-1) as string[]).map((id, i) => [id, i]))
  return columns.map((_, c) => ids.map(id => read[c]![place.get(id)!]))
}

/** The total number of rows that match a plan. */
export async function countRows(
  source: Source,
  plan: Plan,
  kinds: Columns,
  limits: RunOptions = {},
): Promise<number> {
  const remote = remoteFor(source, plan)
  if (remote) return remote.count(plan, kinds, limits)
  return countedInMemory(source.hot, plan, kinds) ?? counted(source.database, plan, kinds, limits)
}

/** The number of matching rows if it can be computed in memory, else null. */
function countedInMemory(hot: HotLane, plan: Plan, kinds: Columns): number | null {
  const choice = hot.choose({ ...plan, columns: [], order: [], limit: 0, offset: 0 }, kinds)
  return choice.lane === 'memory' ? choice.table.count(choice.question) : null
}

/**
 * Which of the given words of a column occur in the rows of a plan: one by one in memory, else with one statement.
 */
export async function presentValues(
  source: Source,
  plan: Plan,
  kinds: Columns,
  { column, words }: { column: string; words: readonly string[] },
  limits: RunOptions = {},
): Promise<Set<string>> {
  const rowsWith = (values: readonly string[]): Plan => ({
    ...plan,
    where: [...plan.where, { column, op: 'in', values }],
  })
  const { database, hot } = source
  const remote = remoteFor(source, plan)
  if (remote) return remote.present(rowsWith(words), kinds, column, limits)
  const present = new Set<string>()
  for (const word of words) {
    const count = countedInMemory(hot, rowsWith([word]), kinds)
    if (count === null) {
      const { text, values } = presentSql(rowsWith(words), kinds, column)
      const rows = await database.rows<{ word: string }>(text, values)
      return new Set(rows.map(row => row.word))
    }
    if (count > 0) present.add(word)
  }
  return present
}

async function counted(database: Database, plan: Plan, kinds: Columns, limits: RunOptions): Promise<number> {
  const { text, values } = countSql(plan, kinds)
  const [row] = await database.rows<{ total: number }>(text, values, limits)
  return row!.total
}
