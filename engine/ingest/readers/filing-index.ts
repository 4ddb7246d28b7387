import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { absent } from '../../lake/lake.ts'
import { cikOf } from './companyfacts.ts'
import { columnsOf, hasColumns } from './csv-records.ts'
import { dateIn, textIn } from './source-cells.ts'

/** What an index beside a filing says of it. */
export interface IndexEntry {
  readonly cik: string | null
  readonly company: string | null
  readonly ticker: string | null
  readonly accession: string | null
  readonly form: string | null
  readonly exhibit: string | null
  readonly filed: string | null
  readonly period: string | null
}

const FILE = ['file', 'filename', 'file_name', 'file name', 'path', 'doc_name', 'document'] as const
const FIELDS = {
  cik: ['cik', 'filer_cik'],
  company: ['company', 'company_name', 'name', 'company name'],
  ticker: ['ticker'],
  accession: ['accession', 'accession_number', 'accession number'],
  form: ['form', 'form_type', 'doc_type', 'form type'],
  exhibit: ['exhibit', 'exhibit_type'],
  filed: ['filing_date', 'filed', 'filed_date', 'date_filed', 'filing date', 'date filed'],
  period: ['period', 'period_end_date', 'report_date'],
} as const

/** Whether a header is that of an index: it names files and describes them. */
export const isIndexHeader = (header: readonly string[]): boolean =>
  FILE.some(name => hasColumns(header, name)) &&
  [...FIELDS.form, ...FIELDS.filed, 'filer_cik', 'pages', 'text_bytes'].some(name =>
    hasColumns(header, name),
  ) &&
  !hasColumns(header, 'content') &&
  !hasColumns(header, 'concept')

type Index = ReadonlyMap<string, IndexEntry>

/** Indexes read, by path: the files of a folder come consecutively. */
const kept = new Map<string, { readonly changed: number; readonly index: Index }>()
const MOST_KEPT = 4

/**
 * The entry for a file in the `INDEX.csv` or `index.csv` of its folder, else of the folder above; for a file in an
 * archive, of the archive's folder. Null without one.
 */
export async function indexEntry(file: string): Promise<IndexEntry | null> {
  const [outer = '', ...members] = file.split('!')
  const folder = dirname(outer)
  const name = basename(members.at(-1) ?? outer)
  const folders = members.length === 0 ? [...new Set([folder, dirname(folder)])] : [folder]
  for (const each of folders) {
    const index = await indexIn(each)
    const entry = index?.get(name) ?? index?.get(name.replace(/\.gz$/, '')) ?? index?.get(bare(name))
    if (entry) return entry
  }
  return null
}

async function indexIn(folder: string): Promise<Index | null> {
  for (const name of ['INDEX.csv', 'index.csv']) {
    const path = join(folder, name)
    const found = await stat(path).catch(absent)
    if (!found?.isFile()) continue
    const before = kept.get(path)
    if (before?.changed === found.mtimeMs) return before.index
    const index = indexOf(await readFile(path, 'utf8'))
    kept.delete(path)
    kept.set(path, { changed: found.mtimeMs, index })
    for (const old of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(old)
    return index
  }
  return null
}

const bare = (name: string): string =>
  name.replace(/(?<!\.(?:html?|txt|pdf|gz))(?:\.(?:html?|txt|pdf|gz))+$/i, '')

function indexOf(text: string): Index {
  const [header = [], ...rows] = parse(text, {
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
  }) as string[][]
  if (!isIndexHeader(header)) return new Map()
  const column = columnsOf(header)
  const cell = (row: readonly string[], names: readonly string[]) => {
    for (const name of names) {
      const value = textIn(row[column(name) ?? -1])
      if (value !== null) return value
    }
    return null
  }
  return new Map(
    rows.flatMap(row => {
      const file = cell(row, FILE)
      if (file === null) return []
      const entry: IndexEntry = {
        cik: cikOf(cell(row, FIELDS.cik) ?? undefined),
        company: cell(row, FIELDS.company),
        ticker: cell(row, FIELDS.ticker),
        accession: cell(row, FIELDS.accession),
        form: cell(row, FIELDS.form),
        exhibit: cell(row, FIELDS.exhibit),
        filed: dateIn(cell(row, FIELDS.filed) ?? undefined),
        period: dateIn(cell(row, FIELDS.period) ?? undefined),
      }
      return [basename(file), bare(basename(file))].map(key => [key, entry] as const)
    }),
  )
}
