import { undeclared } from '../engine/encode/undeclared.ts'
import type { Engine } from '../engine/engine.ts'
import type { DaysAsked } from '../engine/operations/panel-days.ts'
import { type Choice, noticeRows, onTerminal, writeRows } from './output.ts'
import { plotting } from './plot.ts'

/** Maximum rows of a table on a terminal. */
const TERMINAL_ROWS = 1000

export interface Shown {
  /** Columns to plot instead of a table. */
  readonly plot?: readonly string[] | undefined
}

export interface StatementOptions extends Shown {
  /** Values of `$name`. */
  readonly params: Readonly<Record<string, string>>
  readonly asOf: string | undefined
  /** The days that the statement is over, in place of `asOf`. */
  readonly days?: DaysAsked
  readonly signal?: AbortSignal
}

/** Runs one statement and writes its rows. */
export async function writeSql(
  engine: Engine,
  statement: string,
  { params, asOf, days, signal, plot }: StatementOptions,
  choice: Choice,
): Promise<void> {
  const options = { ...days, ...(asOf && { asOf }), ...(signal && { signal }) }
  await engine.sqlStream(statement, params, options, stream =>
    writeStream(
      stream,
      { snapshot: engine.snapshot, as_of: String(asOf ?? engine.manifest.as_of) },
      { plot },
      choice,
    ),
  )
}

/** Writes the rows of a statement; `about` says what they are of. */
export async function writeStream(
  stream: Parameters<typeof undeclared>[0],
  about: Readonly<Record<string, string>>,
  { plot }: Shown,
  choice: Choice,
): Promise<void> {
  const { columns, chunks } = await undeclared(stream)
  let total = 0
  const counting = async function* () {
    for await (const chunk of chunks) {
      total += chunk.rowCount
      yield chunk
    }
  }
  const meta = async () => ({
    total,
    columns: columns.map(({ name, column }) => ({ name, kind: column.kind })),
    ...about,
  })
  const most = choice.file === null && onTerminal() ? TERMINAL_ROWS : Number.POSITIVE_INFINITY
  await writeRows({ columns, chunks: counting(), meta }, choice, {
    about,
    most,
    ...(plot && { print: plotting(plot) }),
  })
  if (choice.format === 'table') noticeRows(Math.min(total, most), total, choice)
}
