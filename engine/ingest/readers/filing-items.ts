import { createInterface } from 'node:readline'
import { cikOf } from './companyfacts.ts'
import { type Beside, readDocument } from './filing.ts'
import { indexEntry } from './filing-index.ts'
import { type Reader, Refused, type Sink } from './reader.ts'
import { dateIn } from './source-cells.ts'

/** `item_7A` of an annual report, `item_1.01` of a current one, `section_7A` of collections that call items sections. */
const ITEM = /^(item|section)_\d{1,2}(\.\d\d|[A-C])?$/i
const ITEM_NAMED = /"(item|section)_\d{1,2}(\.\d\d|[A-C])?"\s*:/i

/** A filing as an object of the texts of its items, with what is known of it. */
type Cut = Readonly<Record<string, unknown>>

/**
 * Filings that a program has cut into items, as edgar-crawler writes them (a JSON file each) and as they are in EDGAR-CORPUS
 * (a line each): the items are put together again and read as the text of the filing.
 */
export const filingItems: Reader = {
  kind: 'filing-items',
  doc: 'Filings cut into items: JSON of edgar-crawler, lines of EDGAR-CORPUS.',
  recognises: ({ head }) => /^\ufeff?\s*\{/.test(head) && /"cik"\s*:/.test(head) && ITEM_NAMED.test(head),

  async read(file, sink, { date }) {
    const isOneObject = /^\ufeff?\s*\{\s*\n/.test(file.head)
    const from = { name: file.name, date }
    if (isOneObject) return readCut(parsed(await file.text()), { ...from, at: 'document' }, sink)
    let row = 0
    for await (const line of createInterface({
      input: await file.open(),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      row++
      if (line.trim() === '') continue
      const cut = parsedOrNull(line)
      if (cut === null) await sink.refuse(`line ${row}`, line.slice(0, 2000), NO_OBJECT)
      else await readCut(cut, { ...from, at: row === 1 ? 'document' : `line ${row}` }, sink)
      await sink.drain()
    }
  },
}

const NO_OBJECT = 'not a JSON object: a filing is one object, or one a line'

function parsedOrNull(text: string): Cut | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Cut) : null
  } catch {
    return null
  }
}

function parsed(text: string): Cut {
  const cut = parsedOrNull(text)
  if (cut === null) throw new Refused(NO_OBJECT)
  return cut
}

const textIn = (cut: Cut, name: string): string | null => {
  const value = cut[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

interface Place {
  /** Name of the file. */
  readonly name: string
  /** Day of the file, if given. */
  readonly date: string | undefined
  readonly at: string
}

const FIRST_NAMED = ['filename', 'complete_text_filing_link', 'filing_html_index', 'htm_filing_link'] as const

async function readCut(cut: Cut, { name, date, at }: Place, sink: Sink): Promise<void> {
  const texts = Object.keys(cut)
    .filter(name => ITEM.test(name))
    .flatMap(name => textIn(cut, name) ?? [])
    // Each line is a paragraph.
    .map(text => text.split('\n').join('\n\n'))
  const accession = FIRST_NAMED.map(name => /\d{10}-\d{2}-\d{6}/.exec(textIn(cut, name) ?? '')?.[0]).find(
    Boolean,
  )
  const listed = await indexEntry(name)
  // Collections without a form have annual reports only.
  const form = textIn(cut, 'filing_type') ?? listed?.form ?? '10-K'
  const beside: Beside = {
    accession: accession ?? listed?.accession ?? null,
    cik: cikOf(cut['cik']) ?? listed?.cik ?? null,
    ticker: null,
    company: textIn(cut, 'company') ?? listed?.company ?? null,
    form,
    type: form,
    likely: null,
    filed: dateIn(textIn(cut, 'filing_date') ?? undefined) ?? listed?.filed ?? date ?? null,
    dated: null,
    period: dateIn(textIn(cut, 'period_of_report') ?? undefined) ?? listed?.period ?? null,
  }
  await readDocument({ type: form, text: texts.join('\n\n') }, beside, at, sink)
}
