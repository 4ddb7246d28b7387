import { routes } from '../../../v1/client-routes.ts'
import { prefix } from '../../app/server.ts'
import { failureOf } from '../../ask/failure.ts'
import { printParam } from '../../ask/first-prints.ts'
import { saveFile } from '../../ask/save-file.ts'
import { DownloadMenu } from '../../parts/download-menu.tsx'
import { titleOf, wordsOf } from '../../show/words.ts'
import { callOf, type ScreenQuery } from './screen-query.ts'
import type { ScreenDefinition } from './screens.ts'

const formats = [
  ['csv', 'CSV, plain text'],
  ['xlsx', 'Excel, with number formats and units'],
  ['parquet', 'Parquet, with types and units'],
  ['arrow', 'Arrow stream'],
] as const

type Format = (typeof formats)[number][0]

/** Downloads all rows of the screen, up to the API's limit. */
export const Download = ({ screened, query }: { screened: ScreenDefinition; query: ScreenQuery }) => (
  <DownloadMenu formats={formats} save={format => save(screened, query, format)} />
)

async function save(
  { resource, operation }: ScreenDefinition,
  query: ScreenQuery,
  format: Format,
): Promise<string> {
  // Figures in other currencies than dollars say theirs.
  const more = format === 'xlsx' && Object.hasOwn(resource.columns, 'currency') ? ['currency'] : []
  const params = { ...callOf(query, more), format: format === 'xlsx' ? 'ndjson' : format }
  const response = await fetch(`${prefix}${routes[operation].path}?${new URLSearchParams(params)}`)
  if (!response.ok) throw await failureOf(response)
  const bytes =
    format === 'xlsx'
      ? await workbookOf(wordsOf(resource.name), query, rowsOf(await response.text()))
      : await response.blob()
  saveFile(bytes, `${resource.name}.${format}`)
  const total = response.headers.get('X-Total-Count')
  return response.headers.get('X-Truncated') === 'true'
    ? `Saved the first 1,000 of ${total} rows: narrow the screen, or use /v1/export.`
    : `Saved ${total ?? 'all'} rows.`
}

const rowsOf = (ndjson: string): object[] =>
  ndjson
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as object)

async function workbookOf(
  sheet: string,
  { headings, asOf, listed, isFirstPrint }: ScreenQuery,
  rows: readonly object[],
) {
  // Loaded only when a workbook is asked for.
  const { workbook } = await import('../../show/workbook.ts')
  return workbook({
    sheet,
    columns: headings.map(({ name, column }) => ({ name, title: titleOf(name), column })),
    rows,
    about: [
      ['Screen', location.href],
      ['As of', asOf ?? 'the newest day'],
      [
        'Figures',
        printParam(listed.operation, isFirstPrint).reported ? 'as first reported' : 'as last reported',
      ],
      ['Saved', new Date().toISOString().slice(0, 16).replace('T', ' ')],
      ['Rows', String(rows.length)],
    ],
  })
}
