import { QueryError } from '../base/errors.ts'
import { nearest } from '../names/nearest.ts'
import { isJson, isListOf, isXml, isZipWith } from './content-checks.ts'
import { filingsOf, folderUrl, tenDigits, writeIndex } from './edgar.ts'
import { moved, type Session } from './session.ts'

export interface NportRequest {
  readonly source: 'nport'
  /** Tickers (`LQD`), series (`S000004361`), or CIKs of registrants, with all their funds. */
  readonly funds: readonly string[]
  /** Reports from this day on; the newest of each fund without it. */
  readonly since: string | null
  /** Quarters whose data set of all funds is wanted: `2026q2`. */
  readonly quarters?: readonly string[]
}

interface Report {
  readonly cik: string
  readonly accession: string
  readonly filed: string
}

const isSeries = (fund: string): boolean => /^S\d{9}$/.test(fund)
const isCik = (fund: string): boolean => /^\d{1,10}$/.test(fund)

/** The same request by series and CIK. */
export async function resolveNport(session: Session, request: NportRequest): Promise<NportRequest> {
  const funds = request.funds.map(fund => fund.toUpperCase())
  const tickers = funds.filter(fund => !isSeries(fund) && !isCik(fund))
  const series = tickers.length > 0 ? await seriesOf(session, tickers) : new Map<string, string>()
  const named = funds.map(fund => series.get(fund) ?? (isCik(fund) ? tenDigits(fund) : fund))
  return { ...request, funds: [...new Set(named)] }
}

const hasFunds = ({ fields, data }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(fields) &&
  isListOf(data, (row): row is unknown[] => Array.isArray(row) && row.every(cell => typeof cell !== 'object'))

/** Series by ticker, from the SEC's list of funds. */
async function seriesOf(session: Session, tickers: readonly string[]): Promise<Map<string, string>> {
  const url = 'https://www.sec.gov/files/company_tickers_mf.json'
  const wanted = { url, file: '.fetch/company_tickers_mf.json', check: isJson(['fields', 'data'], hasFunds) }
  const { fields, data } = await session.json<{ fields: string[]; data: (string | number)[][] }>(
    wanted,
    moved(url),
  )
  const [id, symbol] = [fields.indexOf('seriesId'), fields.indexOf('symbol')]
  const all = new Map(data.map(row => [String(row[symbol]).toUpperCase(), String(row[id])]))
  return new Map(
    tickers.map(ticker => {
      const found = all.get(ticker)
      if (found) return [ticker, found]
      const suggestion = nearest(ticker, all.keys())
      throw new QueryError(
        'INVALID_TICKER',
        `the SEC lists no fund with ticker ${ticker}${suggestion ? `; did you mean ${suggestion}?` : '.'} Give its series (S000004361) or the CIK of its registrant`,
        { unknown: [ticker], ...(suggestion && { suggestion }) },
      )
    }),
  )
}

/** The holdings that funds report, one file a report. */
export async function fetchNport(
  session: Session,
  { funds, since, quarters = [] }: NportRequest,
): Promise<void> {
  for (const quarter of quarters) await fetchQuarter(session, quarter)
  for (const fund of funds) {
    const reports = isSeries(fund) ? await ofSeries(session, fund) : await ofRegistrant(session, fund, since)
    const wanted =
      since === null && isSeries(fund) ? reports.slice(0, 1) : reports.filter(r => r.filed >= (since ?? ''))
    if (wanted.length === 0)
      session.notes.push(`${fund}: no Form N-PORT${since === null ? '' : ` since ${since}`}`)
    const folder = `nport/${fund}`
    const lines = wanted.map(({ cik, accession, filed }) => ({
      file: `${accession}.xml`,
      cik,
      accession,
      form: 'NPORT-P',
      filed,
      period: null,
    }))
    await writeIndex(session, folder, lines)
    for (const { cik, accession } of wanted) {
      const found = await session.file({
        url: `${folderUrl(cik, accession)}/primary_doc.xml`,
        file: `${folder}/${accession}.xml`,
        check: isXml('edgarSubmission'),
        isFinal: true,
      })
      if (found === null) session.notes.push(`${fund}: the holdings of ${accession} are not there`)
    }
  }
}

/** The data set of a quarter's filings, which the SEC publishes some weeks after the quarter, and at times again. */
async function fetchQuarter(session: Session, quarter: string): Promise<void> {
  const found = await session.file({
    url: `https://www.sec.gov/files/dera/data/form-n-port-data-sets/${quarter}_nport.zip`,
    file: `nport/quarters/${quarter}_nport.zip`,
    check: isZipWith('FUND_REPORTED_HOLDING.tsv'),
    isCompressed: true,
  })
  if (found === null)
    session.notes.push(
      `${quarter}: no data set is published; those of 2019q4 and later appear some weeks after their quarter`,
    )
}

/** A registrant may have hundreds of series: EDGAR lists one by its own id, newest first. */
async function ofSeries(session: Session, series: string): Promise<Report[]> {
  const wanted = {
    url: `https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=${series}&type=NPORT-P&dateb=&owner=include&count=100&output=atom`,
    file: `.fetch/series/${series}.xml`,
    check: isFeed,
  }
  const feed = await session.text(wanted, () => noSeries(series))
  if (!feed.includes('<feed')) throw noSeries(series)
  return feed.split('<entry>').flatMap(entry => {
    const accession = /<accession-number>(\d{10}-\d{2}-\d{6})</.exec(entry)?.[1]
    const filed = /<filing-date>(\d{4}-\d{2}-\d{2})</.exec(entry)?.[1]
    const cik = /\/edgar\/data\/(\d{1,10})\//.exec(entry)?.[1]
    const form = /<filing-type>([\w/-]{1,20})</.exec(entry)?.[1]
    if (!accession || !filed || !cik || !/^NPORT-P(\/A)?$/.test(form ?? 'NPORT-P')) return []
    return [{ accession, filed, cik: tenDigits(cik) }]
  })
}

/** An unknown series gets a page, which is an answer of its own. */
const isFeed = async (path: string): Promise<string | null> => {
  const wrong = await isXml('feed')(path)
  return wrong?.startsWith('is a web page') || wrong?.startsWith('is not XML') ? null : wrong
}

const noSeries = (series: string) =>
  new QueryError(
    'NOT_FOUND',
    `the SEC has no fund ${series}: look it up on sec.gov/search-filings/mutual-funds-search`,
    {
      series,
    },
  )

/** Every series of a registrant. Without a day, the reports of the last 100 days: about one of each. */
async function ofRegistrant(session: Session, cik: string, since: string | null): Promise<Report[]> {
  const from = since ?? new Date(session.now().getTime() - 100 * 86_400_000).toISOString().slice(0, 10)
  const filings = await filingsOf(session, tenDigits(cik), from)
  return filings.flatMap(({ accession, filed, form }) =>
    /^NPORT-P(\/A)?$/.test(form) ? [{ cik: tenDigits(cik), accession, filed }] : [],
  )
}
