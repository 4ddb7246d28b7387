import { randomUUID } from 'node:crypto'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { elementAt } from '../engine/base/elements.ts'
import { invalid, QueryError } from '../engine/base/errors.ts'
import { type FormatName, formatNames, formatOfFile, formats } from '../engine/encode/formats.ts'
import type { EncodableRows, EncodeOptions } from '../engine/encode/row-stream.ts'
import type { Columns } from '../engine/schema/column.ts'
import { boolean, oneOf } from '../engine/schema/column.ts'
import { jsonValue } from '../engine/schema/nested-rows.ts'
import { one, type Params } from '../engine/schema/params.ts'
import { verbatim } from './command.ts'
import type { Drawing } from './drawings.ts'
import { printObject } from './print-object.ts'
import { plainLines, plainText, printTable } from './print-table.ts'

export type Format = 'table' | FormatName

export const outputParams = {
  format: one(oneOf(['table', ...formatNames], 'Output format; default table on a terminal, else ndjson.')),
  output: verbatim('Write to this file; its extension chooses the format.', 'FILE'),
  no_pager: one(boolean('Print a table that is longer than the terminal without the pager (PAGER).')),
  csv_safe: one(
    boolean("CSV: put `'` before text that a spreadsheet would run as a formula; default false."),
  ),
} satisfies Params

export const outputLetters = { o: 'output' } as const

export interface Choice {
  readonly format: Format
  /** Standard output if null. */
  readonly file: string | null
  /** CSV: escape text that a spreadsheet would run as a formula. */
  readonly csvSafe?: boolean
  /** Tables longer than the terminal are shown in a pager. */
  readonly pages?: boolean
}

/** Where and how to write rows. */
export function chooseOutput(
  options: {
    format?: Format | undefined
    output?: string | undefined
    csv_safe?: boolean | undefined
    no_pager?: boolean | undefined
  },
  terminal: boolean,
): Choice {
  const file = options.output && options.output !== '-' ? options.output : null
  const format = options.format ?? (file ? byExtension(file) : terminal ? 'table' : 'ndjson')
  if (file === null && terminal && format !== 'table' && formats[format].binary)
    throw invalid(
      'format',
      format,
      `${format} is binary and would garble the terminal: write it to a file with -o, or pipe it`,
    )
  const pages = terminal && file === null && format === 'table' && options.no_pager !== true
  return { format, file, ...(options.csv_safe && { csvSafe: true }), ...(pages && { pages }) }
}

function byExtension(file: string): Format {
  const found = formatOfFile(file) ?? (/\.txt$/i.test(file) ? 'table' : undefined)
  if (found) return found
  const allowed = [...formatNames.flatMap(name => formats[name].extensions), 'txt']
  throw invalid(
    'output',
    file,
    `output ${file} has no extension that gives its format: add one, or --format`,
    {
      allowed,
    },
  )
}

/** Whether to write every match: files and pipes are for programs, for which a page would be a trap. */
export const wantsAll = ({ format }: Choice): boolean => format !== 'table' && format !== 'json'

export type Write = (part: string | Uint8Array) => Promise<void>

/** Opens the output; a file appears complete, or not at all. */
export async function openOutput<T>(choice: Choice, work: (write: Write) => Promise<T>): Promise<T> {
  if (choice.file === null) return work(choice.pages ? toTerminal : toStandardOutput)
  const target = await realpath(choice.file).catch(() => choice.file!)
  const info = await stat(target).catch(() => null)
  if (info?.isDirectory())
    throw invalid('output', choice.file, `output ${choice.file} is a folder: give a file in it`)
  // Devices and named pipes are written directly; only files are replaced.
  const device = info !== null && !info.isFile()
  const path = device ? target : `${target}.${randomUUID().slice(0, 8)}.tmp`
  const handle = await open(path, 'w').catch(error => {
    throw cannotWrite(choice.file!, error)
  })
  try {
    const result = await work(part => writeAll(handle, part))
    await handle.close()
    if (!device) await rename(path, target)
    return result
  } catch (error) {
    await handle.close().catch(() => {})
    if (!device) await rm(path, { force: true })
    throw isFull(error) ? new QueryError('STORAGE_FAILED', `output ${choice.file}: ${error.message}`) : error
  }
}

const isFull = (error: unknown): error is Error =>
  ['ENOSPC', 'EDQUOT', 'EIO'].includes((error as NodeJS.ErrnoException | null)?.code ?? '')

async function writeAll(handle: FileHandle, part: string | Uint8Array): Promise<void> {
  const bytes = typeof part === 'string' ? Buffer.from(part) : part
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten
}

function cannotWrite(file: string, error: NodeJS.ErrnoException): unknown {
  if (error.code === 'ENOENT') return invalid('output', file, `output ${file}: no folder ${dirname(file)}`)
  if (error.code === 'EACCES' || error.code === 'EROFS' || error.code === 'EISDIR')
    return invalid('output', file, `output ${file} cannot be written: ${error.code}`)
  return error
}

const toTerminal: Write = async part => {
  const { needsPager, page } = await import('./page-output.ts')
  const text = typeof part === 'string' ? part : Buffer.from(part).toString()
  if (!needsPager(text, process.stdout) || !(await page(text))) await toStandardOutput(text)
}

const toStandardOutput: Write = part =>
  new Promise((resolve, reject) => {
    process.stdout.write(part, error => {
      // A closed pipe, `| head`, is handled once for the whole program.
      if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') reject(error)
      else resolve()
    })
  })

export const onTerminal = (): boolean => process.stdout.isTTY === true

/** Of a terminal that does not know its size: it says 0, or nothing. */
const USUAL_WIDTH = 80

export const terminalWidth = ({ isTTY, columns }: { isTTY?: boolean; columns?: number }): number | null =>
  columns || (isTTY ? USUAL_WIDTH : null)

/** Columns of the terminal; null if nothing has to be cut. */
export const widthOf = ({ file }: Choice): number | null =>
  file === null ? terminalWidth(process.stdout) : null

/** Lines on standard error; names and values in them come from files, so each stays one plain line. */
export const notice = (...lines: readonly string[]): void =>
  void process.stderr.write(lines.map(line => `${plainText(line)}\n`).join(''))

const counted = (n: number): string => n.toLocaleString('en-US')

/** `50 of 1,906 rows`, shown if rows are missing, and always under a table. */
export function noticeRows(shown: number, total: number, { format }: Choice): void {
  if (shown < total) notice(`${counted(shown)} of ${counted(total)} rows`)
  else if (format === 'table') notice(`${counted(shown)} ${shown === 1 ? 'row' : 'rows'}`)
}

interface RowOptions extends EncodeOptions {
  /** Maximum rows of a table; the rest is only counted. */
  readonly most?: number
  /** A readable layout for rows that do not suit a table. */
  readonly print?: typeof printTable
}

/** Writes rows in the chosen format. Returns their number. */
export async function writeRows(
  rows: EncodableRows,
  choice: Choice,
  { most = Number.POSITIVE_INFINITY, print = printTable, ...options }: RowOptions = {},
): Promise<number> {
  let count = 0
  const counting = async function* () {
    for await (const chunk of rows.chunks) {
      count += chunk.rowCount
      yield chunk
    }
  }
  const { copy } = rows
  const copying: EncodableRows['copy'] = async form => {
    const copied = await copy!(form)
    count += copied?.rowCount ?? 0
    return copied
  }
  const { format } = choice
  await openOutput(choice, async write => {
    if (format === 'table') {
      const lines: unknown[][] = []
      for await (const { rowCount, columns } of counting())
        for (let i = 0; i < rowCount && lines.length < most; i++)
          lines.push(columns.map((values, j) => jsonValue(elementAt(rows.columns, j).column, values[i])))
      const { text, hidden, footnotes = [] } = print(rows.columns, lines, widthOf(choice))
      await write(plainLines(text))
      for (const footnote of footnotes) notice(footnote)
      if (hidden.length > 0) noticeHidden(hidden)
      return
    }
    const { encode } = await import('../engine/encode/encode.ts')
    const counted = { ...rows, chunks: counting(), ...(copy && { copy: copying }) }
    for await (const part of encode(format, counted, { ...options, safe: choice.csvSafe })) await write(part)
    if (format === 'json') await write('\n')
  })
  return count
}

const noticeHidden = (hidden: readonly string[]): void =>
  notice(
    `no room for ${hidden.length} more ${hidden.length === 1 ? 'column' : 'columns'} (${hidden.slice(0, 6).join(', ')}${hidden.length > 6 ? ', …' : ''}): ask for fewer columns, or use --format json`,
  )

/** The error for a row format when the answer is one object. */
export function checkForObject({ format }: Choice): void {
  if (format !== 'table' && format !== 'json' && format !== 'ndjson')
    throw invalid('format', format, `the answer is one object: format ${format} is for lists, use json`, {
      allowed: ['table', 'json', 'ndjson'],
    })
}

/** Writes a value as JSON, as one line of NDJSON, or in a readable layout. */
export async function writeObject(
  body: Readonly<Record<string, unknown>>,
  data: Readonly<Record<string, unknown>>,
  choice: Choice,
  kinds: Columns = {},
  draw?: Drawing['draw'],
): Promise<void> {
  const { format } = choice
  await openOutput(choice, async write => {
    if (format === 'json') await write(jsonText(body, choice))
    else if (format === 'ndjson') await write(`${JSON.stringify(data)}\n`)
    else await write(plainLines(draw?.(data, widthOf(choice)) ?? printObject(data, widthOf(choice), kinds)))
  })
}

export const writeJson = (body: unknown, choice: Choice): Promise<void> =>
  openOutput(choice, write => write(jsonText(body, choice)))

const jsonText = (body: unknown, { file }: Choice): string =>
  `${JSON.stringify(body, null, file === null && onTerminal() ? 2 : undefined)}\n`

/** Rows from outside the engine, in any format. */
export async function writeList(columns: Columns, rows: readonly object[], choice: Choice): Promise<void> {
  const named = Object.entries(columns).map(([name, column]) => ({ name, column }))
  const chunk = {
    rowCount: rows.length,
    columns: named.map(({ name }) => rows.map(row => (row as Record<string, unknown>)[name] ?? null)),
  }
  const chunks = (async function* () {
    yield chunk
  })()
  await writeRows({ columns: named, chunks, meta: async () => ({ total: rows.length }) }, choice)
}
