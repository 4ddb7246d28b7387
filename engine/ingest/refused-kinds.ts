import { hasColumns, headerOf, headLines } from './readers/csv-records.ts'
import { isIndexHeader } from './readers/filing-index.ts'
import { type Reader, Refused, type SourceFile } from './readers/reader.ts'
import { dateIn, numberIn } from './readers/source-cells.ts'

/** A recognised kind of file that is always refused, with the reason. */
const refusing = (
  kind: string,
  doc: string,
  recognises: (file: SourceFile) => boolean,
  reason: string,
): Reader => ({
  kind,
  doc,
  recognises,
  async read() {
    throw new Refused(reason)
  },
})

/** Days as rows, holdings as columns, percentages of the fund inside: `,Carnival Corporation 11.5%,...`. */
function isWeightMatrix(file: SourceFile): boolean {
  const [header = [], first = []] = headLines(file, 2)
  return (
    header[0] === '' &&
    header.length > 3 &&
    header.slice(1).every(name => name !== '' && Number.isNaN(numberIn(name) ?? Number.NaN)) &&
    dateIn(first[0]) !== null &&
    first.slice(1).every(cell => {
      const weight = numberIn(cell)
      return weight === null || Math.abs(weight) <= 100
    })
  )
}

/** A date and index columns without a company or a bond: `Date,HY_OAS_PERCENT,...`. */
function isIndexSeries(file: SourceFile): boolean {
  const [date = '', ...series] = headerOf(file)
  return (
    /^(observation_)?date$/i.test(date) &&
    series.some(name => /(^|[_ ])(OAS|option.adjusted)|^BAML[HC]/i.test(name)) &&
    !series.some(name => /ticker|symbol|cusip|isin|issuer|company|^name$/i.test(name))
  )
}

/** A day and tenors as data vendors write them: `date,3M,1Y,10Y`. */
function isUnnamedCurve(file: SourceFile): boolean {
  const [date = '', ...tenors] = headerOf(file).map(cell => cell.trim())
  return /^(observation_)?date$/i.test(date) && tenors.length >= 3 && tenors.every(isTenor)
}

const isTenor = (label: string): boolean => /^\d{1,3}(\.\d)? ?[my]$/i.test(label)

/** The root element of an XML file that is a form of EDGAR. */
const EDGAR_FORM = /<(?:[\w.-]{1,40}:)?(?:edgarSubmission|informationTable|ownershipDocument)\b/

const LABELS = 'labels for testing an extractor, not data: load the filings they were made from'

export const refusedKinds: readonly Reader[] = [
  refusing(
    'fund-weights',
    'Weights of a fund by day and holding: refused.',
    isWeightMatrix,
    "daily fund weights without CUSIP, ISIN, price or yield: load the fund's N-PORT or its holdings file",
  ),
  refusing(
    'index-series',
    'Spreads or yields of a whole index: refused.',
    isIndexSeries,
    'computed index columns without company or bond: load the FRED series itself (BAMLC0A0CM, BAMLH0A0HYM2, ...)',
  ),
  refusing(
    'subsidiary-labels',
    'Hand-labelled subsidiaries of filings that are elsewhere: refused.',
    file => hasColumns(headerOf(file), 'Filename', 'Subsidiary', 'Location of Incorporation'),
    LABELS,
  ),
  refusing(
    'filing-labels',
    'Hand-labelled header fields of filings that are elsewhere: refused.',
    file => hasColumns(headerOf(file), 'filename', 'filer_count', 'block', 'key', 'value'),
    LABELS,
  ),
  refusing(
    'filing-index',
    'Index of the filings in a folder: read with each of them.',
    file => isIndexHeader(headerOf(file)),
    'an index of the files beside it: it is used with each of them',
  ),
  refusing(
    'sic-codes',
    'Descriptions of SIC codes: refused.',
    file => {
      const header = headerOf(file)
      return (
        hasColumns(header, 'sic', 'description') && !hasColumns(header, 'cik') && !hasColumns(header, 'name')
      )
    },
    'descriptions of SIC codes: the map to sectors is built in',
  ),
  refusing(
    'section-labels',
    'Expected sections of filings, for testing a parser: refused.',
    ({ head }) => /^\s*\[\s*\{\s*"identifier"\s*:[^}]*"character_count"\s*:/.test(head),
    'section lengths for testing a parser: load the filing itself',
  ),
  refusing(
    'xbrl-frames',
    'One figure of all companies (SEC frames): refused.',
    ({ head }) => /^[\s\uFEFF]*\{/.test(head) && /"ccp"\s*:\s*"CY\d{4}/.test(head) && /"uom"\s*:/.test(head),
    'frames do not say when each figure was filed, so nothing could be known on a day: load the companyfacts of the companies',
  ),
  refusing(
    'fred-observations',
    'Observations of the FRED API, which do not name their series: refused.',
    ({ head }) =>
      /^[\s\uFEFF]*\{/.test(head) &&
      /"realtime_start"\s*:/.test(head) &&
      /"observations"\s*:\s*\[/.test(head),
    'observations of FRED that do not name their series: load the CSV of the series (fred.stlouisfed.org/graph/fredgraph.csv?id=DGS10)',
  ),
  refusing(
    'fund-tickers',
    "The SEC's list of tickers of mutual funds (company_tickers_mf.json): refused.",
    ({ head }) => /^[\s\uFEFF]*\{\s*"fields"\s*:\s*\[(?=[^\]]{0,400}"seriesId")/.test(head),
    'tickers of funds, which issue no debt here: load company_tickers.json for companies; "tranche fetch nport --funds LQD" finds funds itself',
  ),
  refusing(
    'edgar-form',
    'Forms of EDGAR in XML other than N-PORT: refused.',
    ({ head }) => EDGAR_FORM.test(head.slice(0, 4096)),
    'a form of EDGAR that is no Form N-PORT: of forms in XML only holdings of NPORT-P are read',
  ),
  refusing(
    'edgar-index',
    'Indices of EDGAR filings (master.idx, company.idx): refused.',
    ({ head }) =>
      /^\s*(Description:\s{1,40}.{0,80}\bIndex of EDGAR\b|CIK\|Company Name\|Form Type\|)/.test(head),
    'an index of EDGAR filings, not filings: "tranche fetch sec --tickers AAPL,VZ" fetches those of companies',
  ),
  refusing(
    'unnamed-curve',
    'Yields by tenor that do not say whose: refused.',
    isUnnamedCurve,
    "yields by tenor that do not say whose: if they are the Treasury's par yields in percent, name the columns as it does (Date, 3 Mo, 10 Yr)",
  ),
  refusing(
    'pdf',
    'PDF documents: refused.',
    ({ head }) => head.startsWith('%PDF'),
    'PDF: convert it to text',
  ),
]
