import { QueryError } from '../base/errors.ts'
import { append } from '../base/lists.ts'
import { nearest } from '../names/nearest.ts'
import { isJson, isListOf, isObject, type JsonObject } from './content-checks.ts'
import { moved, type Session } from './session.ts'

/** A filing as a company's submissions list it. */
export interface ListedFiling {
  readonly accession: string
  readonly form: string
  readonly filed: string
  readonly period: string | null
  readonly isXbrl: boolean
}

/** `--ciks 320193` as the SEC names files, in ten digits. */
export const tenDigits = (cik: string | number): string => String(cik).padStart(10, '0')

/** A filing's folder. */
export const folderUrl = (cik: string, accession: string): string =>
  `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${accession.replaceAll('-', '')}`

/** The list of all tickers, which also links issuers of bonds to companies. */
export const tickerList = {
  url: 'https://www.sec.gov/files/company_tickers.json',
  file: 'sec/company_tickers.json',
  check: isJson(['0'], list =>
    Object.values(list).every(
      line => isObject(line) && typeof line['ticker'] === 'string' && Number.isSafeInteger(line['cik_str']),
    ),
  ),
}

/** CIKs by ticker, from the list of all; an unknown one stops before anything else is fetched. */
export async function ciksOf(session: Session, tickers: readonly string[]): Promise<string[]> {
  const list = await session.json<Record<string, { cik_str: number; ticker: string }>>(
    tickerList,
    moved(tickerList.url),
  )
  const byTicker = new Map(Object.values(list).map(({ ticker, cik_str }) => [ticker.toUpperCase(), cik_str]))
  return tickers.map(ticker => {
    // The SEC writes share classes with a hyphen.
    const cik = byTicker.get(ticker) ?? byTicker.get(ticker.replaceAll('.', '-'))
    if (cik !== undefined) return tenDigits(cik)
    const suggestion = nearest(ticker, byTicker.keys())
    throw new QueryError(
      'INVALID_TICKER',
      `the SEC lists no company with ticker ${ticker}${suggestion ? `; did you mean ${suggestion}?` : '.'} A fund is fetched by "fetch nport", a company without a ticker by --ciks`,
      { unknown: [ticker], ...(suggestion && { suggestion }) },
    )
  })
}

interface Columnar {
  readonly accessionNumber: readonly string[]
  readonly form: readonly string[]
  readonly filingDate: readonly string[]
  readonly reportDate?: readonly string[]
  readonly isXBRL?: readonly number[]
  readonly isInlineXBRL?: readonly number[]
}

interface Submissions {
  readonly filings: {
    readonly recent: Columnar
    readonly files?: readonly { readonly name: string; readonly filingTo: string }[]
  }
}

/** A filer's filings since a day, newest first, by its submissions and as many continuations as reach that day. */
export async function filingsOf(session: Session, cik: string, since: string): Promise<ListedFiling[]> {
  const { filings } = await session.json<Submissions>(submissionsFile(`CIK${cik}.json`, 'filings'), () =>
    noFiler(cik),
  )
  const listed = rowsOf(filings.recent)
  for (const { name, filingTo } of filings.files ?? []) {
    if (filingTo < since || !/^CIK\d{10}-submissions-\d{1,6}\.json$/.test(name)) continue
    const wanted = submissionsFile(name, 'accessionNumber')
    append(listed, rowsOf(await session.json<Columnar>(wanted, moved(wanted.url))))
  }
  return listed.filter(({ filed }) => filed >= since)
}

const isText = (value: unknown): value is string => typeof value === 'string'

const isColumnar = (value: unknown): boolean =>
  isObject(value) &&
  ['accessionNumber', 'form', 'filingDate'].every(name => isListOf(value[name], isText)) &&
  ['reportDate', 'isXBRL', 'isInlineXBRL'].every(
    name => value[name] === undefined || Array.isArray(value[name]),
  )

const isContinuation = (value: unknown): value is JsonObject =>
  isObject(value) && isText(value['name']) && isText(value['filingTo'])

const hasSubmissions = ({ filings }: JsonObject): boolean =>
  isObject(filings) &&
  isColumnar(filings['recent']) &&
  (filings['files'] === undefined || isListOf(filings['files'], isContinuation))

const submissionsFile = (name: string, member: string) => ({
  url: `https://data.sec.gov/submissions/${name}`,
  file: `sec/submissions/${name}`,
  check: isJson([member], member === 'filings' ? hasSubmissions : isColumnar),
})

const noFiler = (cik: string) =>
  new QueryError(
    'NOT_FOUND',
    `the SEC has no filer with CIK ${cik}: look it up on sec.gov/edgar/searchedgar`,
    { cik },
  )

const isDay = (value: unknown): value is string => isText(value) && /^\d{4}-\d{2}-\d{2}$/.test(value)
const isForm = (value: unknown): value is string => isText(value) && /^[\w ./&-]{0,30}$/.test(value)

const rowsOf = (columns: Columnar): ListedFiling[] =>
  columns.accessionNumber.flatMap((accession, i) =>
    // They become names of files and cells of an index.
    /^\d{10}-\d{2}-\d{6}$/.test(accession) && isForm(columns.form[i]) && isDay(columns.filingDate[i])
      ? [
          {
            accession,
            form: columns.form[i],
            filed: columns.filingDate[i],
            period: isDay(columns.reportDate?.[i]) ? columns.reportDate[i] : null,
            isXbrl: Boolean(columns.isXBRL?.[i] || columns.isInlineXBRL?.[i]),
          },
        ]
      : [],
  )

/** A file listed beside fetched ones, for what its own content does not say. */
export interface IndexLine {
  readonly file: string
  readonly cik: string
  readonly accession: string
  readonly form: string
  readonly filed: string
  readonly period: string | null
}

/**
 * An INDEX.csv beside files that do not say when they were filed: ingest then takes that day, rather than a rule, as
 * the day on which they were known.
 */
export async function writeIndex(
  session: Session,
  folder: string,
  lines: readonly IndexLine[],
): Promise<void> {
  if (lines.length === 0) return
  const file = `${folder}/INDEX.csv`
  const header = 'file,cik,accession,form,filing_date,period'
  const before = await session.folder.read(file)
  const known = new Map(
    (before ?? '')
      .split('\n')
      .slice(1)
      .map(line => [line.split(',', 1)[0]!, line]),
  )
  for (const { file: name, cik, accession, form, filed, period } of lines)
    known.set(name, [name, cik, accession, form, filed, period ?? ''].join(','))
  known.delete('')
  const rows = [...known.values()].sort()
  await session.folder.write(file, `${[header, ...rows].join('\n')}\n`)
}
