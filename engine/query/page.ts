// Indices below are within bounds by construction: checks would cost in the loops.

import { yieldToEventLoop } from '../base/event-loop.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import { type Database, quote } from '../database/database.ts'
import type { ExportFolder } from '../database/export-folder.ts'
import type { Chunk } from '../database/results.ts'
import type { RunOptions } from '../database/run-limits.ts'
import { stored } from '../database/views.ts'
import type { CopiedFile, CopyForm } from '../encode/row-stream.ts'
import { objectWriter } from '../encode/row-text.ts'
import type { Columns } from '../schema/column.ts'
import type { HotLane } from './memory/lane.ts'
import type { Plan } from './plan/plan.ts'
import { copySql, countSql, pageSql, presentSql } from './plan/plan-sql.ts'

/** What a plan is answered from. */
export interface Source {
  readonly database: Database
  readonly hot: HotLane
}

/** A page column by column, in the order of the plan's columns, and how many rows match over all pages. */
export interface PageValues {
  readonly columns: readonly (readonly unknown[])[]
  readonly rowCount: number
  readonly total: number
}

/** The page of a plan: at once from memory where the table is held there, else from DuckDB. */
export function pageValues(
  source: Source,
  plan: Plan,
  kinds: Columns,
  limits: RunOptions,
): MaybePromise<PageValues> {
  const choice = source.hot.choose(plan, kinds)
  if (choice.lane !== 'memory') return pageAsked(source, plan, kinds, limits)
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

/** A page as JSON in UTF-8, a comma before each row, and how many match over all pages. */
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
  const choice = source.hot.choose(plan, kinds)
  if (choice.lane !== 'memory' || plan.group) return pageWritten(source, plan, kinds, limits)
  const { rows, total } = choice.table.find(choice.question)
  return { rows: choice.table.json(plan.columns, rows), total }
}

async function pageWritten(
  source: Source,
  plan: Plan,
  kinds: Columns,
  limits: RunOptions,
): Promise<PageJson> {
  const { columns, rowCount, total } = await pageValues(source, plan, kinds, limits)
  const write = objectWriter(plan.columns)
  const text = Array.from({ length: rowCount }, (_, i) => `,${write(columns, i)}`).join('')
  return { rows: [Buffer.from(text)], total }
}

/** Rows of which memory may hold the numbers while they are sent. */
const MOST_NUMBERED = 1 << 16

const isNumbered = ({ group, limit }: Plan): boolean => !group && limit !== null && limit <= MOST_NUMBERED

/** The rows of a plan in chunks: memory does not grow with them. Nothing is asked before the first is. */
export async function* pageChunks(
  { database, hot }: Source,
  plan: Plan,
  kinds: Columns,
  limits: RunOptions,
): AsyncGenerator<Chunk> {
  const choice = isNumbered(plan) ? hot.choose(plan, kinds) : null
  if (choice?.lane === 'memory') {
    for (const chunk of choice.table.chunks(plan.columns, choice.table.find(choice.question).rows)) {
      limits.signal?.throwIfAborted()
      yield chunk
      // Others have their turn between two chunks.
      await yieldToEventLoop()
    }
    return
  }
  const { text, values } = pageSql(plan, kinds, false)
  yield* database.stream(text, values, limits)
}

/** Up to so many rows of a table, text is sooner made of chunks than of a file that DuckDB writes. */
const FEW = 10_000

/** Whether the text of a plan's rows is made of chunks: rows in memory, few rows, or groups, of which nobody knows how many. */
export async function isEncodedInChunks(
  { hot }: Pick<Source, 'hot'>,
  plan: Plan,
  kinds: Columns,
  count: () => Promise<number>,
): Promise<boolean> {
  if (plan.group || (plan.limit !== null && plan.limit <= FEW)) return true
  if (isNumbered(plan) && hot.choose(plan, kinds).lane === 'memory') return true
  return (await count()) - plan.offset <= FEW
}

/** The rows of a plan as a file: DuckDB writes it, and no row passes JavaScript. */
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

/** Some rows of a table: their places in it as a scan gives them, and their ids. */
export interface ChosenRows {
  readonly rows: readonly number[]
  readonly ids: readonly string[]
}

/**
 * Values of chosen rows of a table, column by column, in the order in which they were chosen. Who asks once is answered by
 * DuckDB, by id; after that the columns are read into memory, where places say them at once.
 */
export function valuesOfRows(
  { database, hot }: Source,
  { table, kinds, columns }: { table: string; kinds: Columns; columns: Plan['columns'] },
  chosen: ChosenRows,
): MaybePromise<readonly (readonly unknown[])[]> {
  if (chosen.rows.length === 0) return columns.map(() => [])
  const held = hot.hold(table, kinds, columns)
  return held ? held.values(columns, chosen.rows) : valuesRead(database, table, columns, chosen.ids)
}

/** Stands between ids in one bound text; no id holds it. */
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

/** How many rows a plan matches over all pages. */
export async function countRows(
  { database, hot }: Source,
  plan: Plan,
  kinds: Columns,
  limits: RunOptions = {},
): Promise<number> {
  return countedInMemory(hot, plan, kinds) ?? counted(database, plan, kinds, limits)
}

/** How many rows match, where memory has what it takes; else null. */
function countedInMemory(hot: HotLane, plan: Plan, kinds: Columns): number | null {
  const choice = hot.choose({ ...plan, columns: [], order: [], limit: 0, offset: 0 }, kinds)
  return choice.lane === 'memory' ? choice.table.count(choice.question) : null
}

/** Which of some words of a column are in the rows of a plan: one by one in memory, else all at once by DuckDB. */
export async function presentValues(
  { database, hot }: Source,
  plan: Plan,
  kinds: Columns,
  { column, words }: { column: string; words: readonly string[] },
): Promise<Set<string>> {
  const rowsWith = (values: readonly string[]): Plan => ({
    ...plan,
    where: [...plan.where, { column, op: 'in', values }],
  })
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
