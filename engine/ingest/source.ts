import { append } from '../base/lists.ts'
import { isZip, openZip, type Scratch } from './archive.ts'
import { type DecodedFile, decodedFile } from './encoding.ts'
import { plainMapping } from './mapping.ts'
import { Failed, Refused, type SourceFile } from './readers/reader.ts'
import { readers } from './readers.ts'
import type { FileReport, MemberReport } from './report.ts'
import { defined, type IngestRequest } from './request.ts'
import { isDatabaseLost, orThrow, type Run } from './run.ts'
import type { Settlement } from './settle.ts'
import type { Stage } from './stage.ts'
import { datasetOfHeader, readTable, shapeOf } from './table.ts'
import { wholeRefusal } from './whole-refusal.ts'
import { isWorkbook, workbookSheets } from './workbook.ts'

/** What a file turned out to hold. */
export interface SourceContents {
  readonly kinds: readonly string[]
  readonly members: FileReport['members']
}

/** Reads a source into a stage. */
export type ReadSource = (settlement: Settlement, stage: Stage) => Promise<SourceContents>

/** How to read a file, or why it is refused. */
export type Source =
  | { readonly read: ReadSource }
  | { readonly unknown: string; readonly members?: FileReport['members'] }
  | { readonly refused: Refused; readonly kinds: readonly string[] }

interface Route {
  readonly kind: string
  readonly isTable: boolean
  read(settlement: Settlement, stage: Stage): Promise<void>
}

/**
 * The reader of a file: the requested one, the one that recognises it, or a table; else null. May throw `Refused`.
 */
async function routeOf(
  given: SourceFile,
  { file, encoding }: DecodedFile,
  request: IngestRequest,
  intake: Run,
): Promise<Route | null> {
  const { date, known_from } = request.options
  const sayEncoding = (stage: Stage) => {
    const found = encoding()
    if (found) append(stage.notes, [`read as ${found}`])
  }
  const reader = request.mapping ? null : (request.reader ?? readers.find(each => each.recognises(file)))
  if (reader)
    return {
      kind: reader.kind,
      isTable: false,
      read: async (_, stage) => {
        const source = reader.decodes ? given : file
        await reader.read(source, stage.sink(file.name), defined({ date, known_from }))
        if (!reader.decodes) sayEncoding(stage)
      },
    }
  if (file.head.trim() === '') {
    if (request.mapping) throw new Refused('is empty: not even a header')
    return null
  }
  const shape = await shapeOf(file, intake)
  if (!shape) {
    if (request.mapping) throw new Refused(`is not a table: ${describeUnknownFile(file)}`)
    return null
  }
  const dataset = request.mapping ? null : datasetOfHeader(shape.names)
  const mapping = request.mapping ?? (dataset && plainMapping(dataset))
  if (!mapping) return null
  return {
    kind: `table of ${mapping.dataset.name}`,
    isTable: true,
    read: async (settlement, stage) => {
      append(stage.notes, await readTable(file, shape, mapping, intake, settlement))
      sayEncoding(stage)
    },
  }
}

/** How to read a file that is one source. */
export async function singleOf(
  file: SourceFile,
  request: IngestRequest,
  intake: Run,
  scratch: Scratch,
): Promise<Source> {
  const decoded = decodedFile(file, scratch)
  let route: Route | null
  try {
    route = await routeOf(file, decoded, request, intake)
  } catch (error) {
    return { refused: orThrow(error, intake), kinds: [] }
  }
  if (!route) return { unknown: describeUnknownFile(decoded.file) }
  const { kind, read } = route
  return {
    read: async (settlement, stage) => {
      try {
        await read(settlement, stage)
      } catch (error) {
        throw wholeRefusal(error, [kind], intake)
      }
      return { kinds: [kind], members: [] }
    },
  }
}

/** A zip archive: read whole by a reader that recognises its members, or member by member. */
export async function archiveOf(
  file: SourceFile,
  path: string,
  scratch: Scratch,
  request: IngestRequest,
  intake: Run,
): Promise<Source> {
  // A gzipped zip is on disk only after unpacking.
  const place = path === (await file.path()) ? path : await file.path()
  let archive: Awaited<ReturnType<typeof openZip>>
  try {
    archive = await openZip(file.name, place, scratch)
  } catch (error) {
    return { refused: orThrow(error, intake), kinds: [] }
  }
  try {
    if (isWorkbook(archive.members)) archive = await workbookSheets(archive, scratch)
    else if (archive.members.includes('[Content_Types].xml'))
      throw new Refused('is an office document: save its tables as CSV')
  } catch (error) {
    archive.close()
    return { refused: orThrow(error, intake), kinds: [] }
  }
  const names = archive.members
  const whole = request.mapping
    ? undefined
    : [request.reader ?? readers].flat().find(reader => reader.archive?.recognises(names))
  const { date, known_from } = request.options
  return {
    read: async (settlement, stage) => {
      try {
        if (whole) {
          const members: SourceFile[] = []
          for (const name of names) members.push(decodedFile(await archive.open(name), scratch).file)
          await whole.archive!.read(members, stage.sink(file.name), defined({ date, known_from }))
          return { kinds: [whole.kind], members: [] }
        }
        return await readMembers(archive, request, intake, scratch, settlement, stage)
      } catch (error) {
        throw wholeRefusal(error, whole ? [whole.kind] : [], intake)
      } finally {
        archive.close()
      }
    },
  }
}

/** Each member as a file of its own, all under one record. */
async function readMembers(
  archive: Awaited<ReturnType<typeof openZip>>,
  request: IngestRequest,
  intake: Run,
  scratch: Scratch,
  settlement: Settlement,
  stage: Stage,
): Promise<SourceContents> {
  const kinds = new Set<string>()
  const members: MemberReport[] = []
  for (const name of archive.members) {
    let mark = stage.mark()
    let settled = settlement.rowsSettled
    try {
      const file = await archive.open(name)
      const decoded = decodedFile(file, scratch)
      const route = isZip(file.headBytes) ? null : await routeOf(file, decoded, request, intake)
      if (!route) {
        members.push({
          name,
          status: 'unknown',
          reason: describeUnknownFile(decoded.file),
        })
        continue
      }
      // A table is staged under the same name as readers' rows of its dataset, so those are settled first.
      if (route.isTable) await stage.finish()
      mark = stage.mark()
      settled = settlement.rowsSettled
      await route.read(settlement, stage)
      kinds.add(route.kind)
    } catch (error) {
      const refusal = orThrow(error, intake)
      const isUndone =
        !isDatabaseLost(error) &&
        settlement.rowsSettled === settled &&
        (await stage.undo(mark, archive.nameOf(name)))
      if (!isUndone) throw named(name, refusal)
      members.push({
        name,
        status: 'refused',
        reason: refusal.message,
        failure: refusal instanceof Failed ? refusal.trace : null,
      })
    }
  }
  return { kinds: [...kinds], members }
}

const named = (member: string, refusal: Refused): Refused =>
  Object.assign(refusal, { message: `${member}: ${refusal.message}` })

/** Text of mostly ASCII in UTF-16: every other byte is zero. */
function isUtf16(bytes: Uint8Array): boolean {
  const some = bytes.subarray(0, 1000)
  const zeros = [0, 1].map(from => some.filter((byte, i) => i % 2 === from && byte === 0).length)
  return zeros.some((n, i) => n > some.length / 3 && zeros[1 - i] === 0)
}

/** The first bytes of `.xls` and `.doc`. */
const OLD_OFFICE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'

/** What a table of bonds by identifier has beside it, and the dataset of that. */
const BESIDE: readonly (readonly [dataset: string, words: RegExp])[] = [
  ['bonds', /coupon|maturity|\bcpn\b/],
  ['trades', /trade|execution/],
  ['ratings', /rating|moody|s&p|fitch/],
  ['prices', /price|\bpx\b|\bbid\b/],
]

/** The option that a table with this header needs; the datasets that its columns are likely of, if they are of bonds. */
function likelyDataset(line: string): string {
  const header = line.slice(0, 2000).toLowerCase()
  if (!/\b(cusip|isin)|(cusip|isin)\b/.test(header) || header.startsWith('{')) return '--dataset or --map'
  const datasets = BESIDE.flatMap(([dataset, words]) => (words.test(header) ? [`--dataset ${dataset}`] : []))
  return datasets.length > 0
    ? `${datasets.join(' or ')}, which says what is missing, or --map`
    : '--dataset or --map'
}

/** A description of a file of no known kind. */
export function describeUnknownFile({ head, headBytes }: SourceFile): string {
  if (headBytes.every(byte => byte <= 0x20)) return 'an empty file'
  const magic = Buffer.from(headBytes.subarray(0, 8)).toString('latin1')
  if (isZip(headBytes)) return 'a zip archive inside an archive: unpack it'
  if (magic.startsWith('%PDF')) return 'a PDF document'
  if (magic.startsWith('PAR1'))
    return 'a Parquet file whose columns match no dataset: give --dataset or --map'
  if (magic === OLD_OFFICE) return 'an office document of before 2007: save it as .xlsx or CSV'
  if (
    /^\s*<\?xml[^>]{0,200}>\s*<\?mso-application progid="Excel.Sheet"/.test(head.slice(0, 1000)) ||
    /<(?:ss:)?Workbook\b[^>]{0,400}urn:schemas-microsoft-com:office:spreadsheet/.test(head.slice(0, 4000))
  )
    return 'an XML spreadsheet of Excel: save it as .xlsx or CSV'
  if (head.includes('\0') && isUtf16(headBytes))
    return 'UTF-16 text without a byte order mark: save it as UTF-8'
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(head.slice(0, 4096))) return 'binary data of no known kind'
  const [line = ''] = head
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter(each => each.trim() !== '')
  const shown = line.trim().slice(0, 120)
  const hint = /[,\t;|]/.test(shown) ? `; your own table needs ${likelyDataset(line)}` : ''
  return `text of no known kind that begins ${JSON.stringify(shown)}${hint}`
}
