import type { InputTo } from '../../../v1/client.ts'
import { prefix } from '../../app/server.ts'
import { failureOf } from '../../ask/failure.ts'
import { saveFile } from '../../ask/save-file.ts'
import { withCsrf } from '../../ask/session.ts'
import { DownloadMenu } from '../../parts/download-menu.tsx'
import { fixed } from '../../show/figures.ts'
import { columnOf, type Result } from './result.ts'

const formats = [
  ['csv', 'CSV, plain text'],
  ['xlsx', 'Excel'],
  ['parquet', 'Parquet, with types'],
  ['arrow', 'Arrow stream'],
] as const

type Format = (typeof formats)[number][0]

/** Downloads the result: a workbook from the rows that are shown, other formats by running the statement again. */
export const ResultDownload = ({ result, ran }: { result: Result; ran: InputTo<'sql'> }) => (
  <DownloadMenu
    formats={formats}
    save={format => (format === 'xlsx' ? saveWorkbook(result, ran.sql) : saveAnswer(ran, format))}
  />
)

async function saveAnswer(ran: InputTo<'sql'>, format: Exclude<Format, 'xlsx'>): Promise<string> {
  const response = await fetch(`${prefix}/v1/sql`, {
    method: 'POST',
    headers: { ...withCsrf('POST'), 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...ran, format }),
  })
  if (!response.ok) throw await failureOf(response)
  saveFile(await response.blob(), `sql.${format}`)
  const count = Number(response.headers.get('X-Total-Count'))
  return savedText(count, response.headers.get('X-Truncated') === 'true')
}

async function saveWorkbook({ data, meta }: Result, sql: string): Promise<string> {
  // Loaded only when a workbook is asked for.
  const { workbook } = await import('../../show/workbook.ts')
  const bytes = await workbook({
    sheet: 'Result',
    columns: meta.columns.map(({ name, kind }) => ({ name, title: name, column: columnOf(kind) })),
    rows: data,
    about: [
      ['SQL', sql],
      ['As of', String(meta['as_of'])],
      ['Snapshot', String(meta['snapshot'])],
      ['Rows', String(data.length)],
    ],
  })
  saveFile(bytes, 'sql.xlsx')
  return savedText(data.length, meta.truncated)
}

const savedText = (count: number, isTruncated: boolean): string =>
  isTruncated
    ? `Saved the first ${fixed(count, 0)} rows: the result is longer.`
    : `Saved ${fixed(count, 0)} rows.`
