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
    'pdf',
    'PDF documents: refused.',
    ({ head }) => head.startsWith('%PDF'),
    'PDF: convert it to text',
  ),
]
