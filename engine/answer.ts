import { firstOf, memberOf } from './base/elements.ts'
import { invalid, QueryError } from './base/errors.ts'
import { isPromise, type MaybePromise } from './base/maybe-promise.ts'
import { currentSpan } from './base/spans.ts'
import type { RunOptions } from './database/run-limits.ts'
import type { EncodableRows } from './encode/row-stream.ts'
import type { Answer, ListAnswer, Meta, Operation, RowsAnswer } from './operations/operation.ts'
import { undatedWarning } from './operations/params.ts'
import { chooseLane } from './query/choose-lane.ts'
import { type PageJson, type PageValues, pageChunks, pageValues } from './query/page.ts'
import type { Plan } from './query/plan/plan.ts'
import { nest } from './schema/nested-rows.ts'
import type { Input } from './schema/params.ts'
import type { RequestDetails } from './snapshot/call-options.ts'
import type { DayContext } from './snapshot/day-context.ts'

/** Open-ended JSON in pieces; or an answer that is not a list. */
export type UnfinishedJson =
  | { readonly pieces: readonly Buffer[]; readonly snapshot: string }
  | { readonly body: Record<string, unknown> }

/** An answer that has not been sent yet; `plain` is the same without `explain`. */
export interface PendingAnswer {
  readonly operation: Operation
  readonly context: DayContext
  readonly answer: Answer
  readonly args: unknown
  readonly plain: Answer
  readonly limits: RunOptions
  /** Added to the answer's own warnings. */
  readonly warnings?: readonly string[] | undefined
}

export const isExplained = ({ args }: PendingAnswer): boolean => (args as Input)['explain'] === true

export function metaOf({ context, answer, warnings: others = [] }: PendingAnswer, more: Meta): Meta {
  const { snapshot, asOf } = context
  // An object spread takes ten times as long.
  const meta: Record<string, unknown> = Object.assign({}, more, answer.meta, { snapshot, as_of: asOf })
  const own = answer.meta?.['as_of'] ?? more['as_of']
  if (own !== undefined) meta['as_of'] = own
  Object.assign(meta, warnings(context, answer.meta))
  return others.length > 0 ? withWarnings(meta, others) : meta
}

/** A meta with additional members. */
export const withWarnings = (meta: Meta, more: readonly string[]): Meta => ({
  ...meta,
  warnings: [...((meta['warnings'] as readonly string[] | undefined) ?? []), ...more],
})

/** The meta of a list; `more` computes the members that need queries. */
function listMeta(pending: PendingAnswer, total: number, more: Meta | undefined): Meta {
  const { context, answer, plain } = pending
  const { limit, offset } = (answer as ListAnswer).plan
  noteRows({ total, limit, offset })
  const meta: Meta = Object.assign({ total, limit, offset }, more)
  if (isExplained(pending)) meta['lane'] = laneOf(context, plain)
  return metaOf(pending, meta)
}

/** Records in the request's span how many rows it answers. */
export function noteRows({
  total,
  limit,
  offset,
}: {
  total: number
  limit: number | null
  offset: number
}): void {
  currentSpan()?.set({
    'tranche.rows': Math.max(0, Math.min(limit ?? total, total - offset)),
    'tranche.rows_total': total,
  })
}

/** Members that need queries: the list's summary, and why it is empty. */
async function summaryOf({ answer, context }: PendingAnswer, total: number): Promise<Meta | undefined> {
  if (answer.kind !== 'list') return undefined
  const [summary, reasons] = await Promise.all([answer.summary?.(), emptyBecause(context, answer, total)])
  return { ...summary, ...reasons }
}

/** Why a list is empty, if it is. */
export async function emptyBecause(context: DayContext, answer: ListAnswer, total: number): Promise<Meta> {
  if (total > 0 || !answer.narrowing) return {}
  const { whyEmpty } = await import('./operations/why-empty.ts')
  const reasons = await whyEmpty(context, answer)
  return reasons.length > 0 ? { empty_because: reasons } : {}
}

/** Whether a list's meta needs no query. */
export const isMetaReady = ({ summary, narrowing }: ListAnswer, total: number): boolean =>
  !summary && (total > 0 || !narrowing)

function bodyOf(
  pending: PendingAnswer,
  { columns, rowCount, total }: PageValues,
  more?: Meta,
): Record<string, unknown> {
  const rows = nest((pending.answer as ListAnswer).plan.columns, columns, rowCount)
  return { [pending.operation.envelope]: rows, meta: listMeta(pending, total, more) }
}

async function bodyLater(
  pending: PendingAnswer,
  page: MaybePromise<PageValues>,
): Promise<Record<string, unknown>> {
  const found = await page
  return bodyOf(pending, found, await summaryOf(pending, found.total))
}

/** The same with `_explain`. */
async function explainedBody(
  pending: PendingAnswer,
  answer: ListAnswer,
  limits: RunOptions,
): Promise<Record<string, unknown>> {
  const { rows, total } = await explainedRows(pending.context, answer, limits)
  return {
    [pending.operation.envelope]: rows,
    meta: listMeta(pending, total, await summaryOf(pending, total)),
  }
}

export function openJsonOf(pending: PendingAnswer, { rows, total }: PageJson, more?: Meta): UnfinishedJson {
  const meta = JSON.stringify(listMeta(pending, total, more))
  const pieces = [Buffer.from(`{"${pending.operation.envelope}":[`), ...rows]
  if (rows.length > 0) pieces[1] = firstOf(rows).subarray(1)
  pieces.push(Buffer.from(`],"meta":${meta.slice(0, -1)}`))
  return { pieces, snapshot: pending.context.snapshot }
}

/** The answer as one object. `nonempty`: one that found nothing is NOT_FOUND. */
export function wholeBody(
  pending: PendingAnswer,
  { nonempty }: RequestDetails,
): MaybePromise<Record<string, unknown>> {
  const { context, answer, limits } = pending
  const { name, envelope } = pending.operation
  if (answer.kind === 'object') {
    if (nonempty && answer.empty)
      throw new QueryError('NOT_FOUND', `${name} found nothing: use fewer filters, or other words`)
    if (!answer.whole) return { [envelope]: answer.data, meta: metaOf(pending, {}) }
    return { ...answer.data, meta: metaOf(pending, { ...(answer.data['meta'] as Meta | undefined) }) }
  }
  if (answer.kind === 'rows') {
    const { total, limit, offset } = answer
    return rowsOf(answer).then(rows => ({
      [envelope]: rows,
      meta: metaOf(pending, { total, limit, offset }),
    }))
  }
  if (isExplained(pending)) return explainedBody(pending, answer, limits)
  const { plan, kinds } = answer
  const page = pageValues(context, plan, kinds, limits)
  return isPromise(page) || !isMetaReady(answer, page.total)
    ? bodyLater(pending, page)
    : bodyOf(pending, page)
}

/** The same as an answer in JSON that is not a list. */
export const bodyAlone = async (
  pending: PendingAnswer,
  request: RequestDetails,
): Promise<UnfinishedJson> => ({ body: await wholeBody(pending, request) })

/** Rows computed by an operation, as objects. */
async function rowsOf({ columns, chunks, rows: made }: RowsAnswer): Promise<Record<string, unknown>[]> {
  if (made) return made()
  const rows: Record<string, unknown>[] = []
  for await (const chunk of chunks())
    for (const row of nest(columns, chunk.columns, chunk.rowCount)) rows.push(row)
  return rows
}

export async function openJsonOfRows(pending: PendingAnswer, answer: RowsAnswer): Promise<UnfinishedJson> {
  const { total, limit, offset } = answer
  noteRows(answer)
  const meta = JSON.stringify(metaOf(pending, { total, limit, offset }))
  const { snapshot } = pending.context
  const before = `{"${pending.operation.envelope}":[`
  const after = `],"meta":${meta.slice(0, -1)}`
  if (answer.json) return { pieces: [Buffer.from(before), answer.json(), Buffer.from(after)], snapshot }
  const rows = JSON.stringify(await rowsOf(answer))
  return { pieces: [Buffer.from(`${before}${rows.slice(1, -1)}${after}`)], snapshot }
}

export async function openJsonLater(
  pending: PendingAnswer,
  page: MaybePromise<PageJson>,
): Promise<UnfinishedJson> {
  const found = await page
  return openJsonOf(pending, found, await summaryOf(pending, found.total))
}

/** The lane that answers an unexplained list, and why. */
function laneOf(context: DayContext, answer: Answer): Meta | null {
  if (answer.kind !== 'list') return null
  const choice = chooseLane(context, answer.plan, answer.kinds)
  return choice.lane === 'memory'
    ? { lane: 'memory', why: `${answer.plan.table} is held in memory` }
    : { lane: choice.lane, why: choice.why }
}

/** Rows of a page as objects, with `_explain` if the answer computes it. */
async function explainedRows(
  context: DayContext,
  answer: ListAnswer,
  limits: RunOptions,
): Promise<{ rows: Record<string, unknown>[]; total: number }> {
  const plan = withNeeded(answer)
  const { columns, rowCount, total } = await pageValues(context, plan, answer.kinds, limits)
  return { rows: await explained(answer, plan, columns, rowCount), total }
}

/** The plan of an answer, with the columns that its `_explain` is made from. */
function withNeeded({ plan, kinds, explain }: ListAnswer): Plan {
  const hidden = (explain?.needs ?? [])
    .filter(name => !plan.columns.some(c => c.name === name))
    .map(name => ({ name, column: memberOf(kinds, name) }))
  return hidden.length > 0 ? { ...plan, columns: [...plan.columns, ...hidden] } : plan
}

/** Rows of the plan of `withNeeded` as objects, each with its `_explain` if the answer computes it. */
async function explained(
  { plan: { columns: shown }, explain }: ListAnswer,
  plan: Plan,
  columns: readonly (readonly unknown[])[],
  rowCount: number,
): Promise<Record<string, unknown>[]> {
  const rows = nest(shown, columns, rowCount)
  if (!explain) return rows
  const explanations = await explain.of(nest(plan.columns, columns, rowCount))
  return rows.map((row, i) => ({ ...row, _explain: explanations[i] ?? null }))
}

const notRows = (name: string) => invalid('name', name, `${name} returns one object, not rows: use call`)

/** The rows of a list in chunks as they are read: memory does not grow with their number. */
export function rowChunks({ context, answer, operation }: PendingAnswer, limits: RunOptions): EncodableRows {
  if (answer.kind === 'object') throw notRows(operation.name)
  return answer.kind === 'rows'
    ? { columns: answer.columns, chunks: eachOf(answer.chunks()) }
    : { columns: answer.plan.columns, chunks: pageChunks(context, answer.plan, answer.kinds, limits) }
}

/** The same as objects, one batch per chunk. */
export async function* rowBatches(
  pending: PendingAnswer,
  limits: RunOptions,
): AsyncGenerator<Record<string, unknown>[], void, undefined> {
  const { context, answer, operation } = pending
  if (answer.kind === 'object') throw notRows(operation.name)
  if (answer.kind === 'rows') {
    for await (const { columns, rowCount } of answer.chunks()) yield nest(answer.columns, columns, rowCount)
    return
  }
  const { explain: _, ...plain } = answer
  const list: ListAnswer = isExplained(pending) ? answer : plain
  const plan = withNeeded(list)
  for await (const { columns, rowCount } of pageChunks(context, plan, list.kinds, limits))
    yield explained(list, plan, columns, rowCount)
}

export function withExplain(answer: ListAnswer): ListAnswer {
  const column = answer.kinds['_explain']
  if (answer.explain || !column || answer.plan.group || answer.plan.columns.some(c => c.name === '_explain'))
    return answer
  return {
    ...answer,
    plan: { ...answer.plan, columns: [...answer.plan.columns, { name: '_explain', column }] },
  }
}

/** Notes on the as-of day, after the answer's own. */
export function warnings(context: DayContext, own: Meta | undefined): Meta {
  const { undated } = context
  const ownWarnings = (own?.['warnings'] as string[] | undefined) ?? []
  return undated > 0 ? { warnings: [...ownWarnings, undatedWarning(undated)] } : {}
}

export async function* eachOf<T>(things: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  yield* things
}
