import { cikOf } from './companyfacts.ts'
import { columnsOf, csvRecords, hasColumns, headerOf } from './csv-records.ts'
import type { Output, Reader } from './reader.ts'
import { textIn } from './source-cells.ts'

export const listedFilers: Reader = {
  kind: 'listed-filers',
  doc: 'Filers with tickers, SIC code and state of incorporation, CSV (name, cik, tickers, sic, stateOfIncorporation).',
  recognises: file => hasColumns(headerOf(file), 'name', 'cik', 'tickers', 'sic'),

  async read(file, sink) {
    let column: ReturnType<typeof columnsOf> | undefined
    let position = 0
    for await (const { at, cells, raw } of csvRecords(file)) {
      if (!column) {
        column = columnsOf(cells)
        continue
      }
      const made = outputsOf(name => textIn(cells[column!(name) ?? -1]), ++position)
      if (typeof made === 'string') await sink.refuse(at, raw, made)
      else await sink.take(at, made)
      if (position % 10_000 === 0) await sink.drain()
    }
  },
}

/** A row per ticker, or one without. */
function outputsOf(get: (name: string) => string | null, position: number): Output[] | string {
  const name = get('name')
  const cik = cikOf(get('cik')?.replace(/\.0+$/, ''))
  if (name === null) return 'no name'
  if (cik === null) return `cik: ${JSON.stringify(get('cik'))} is not a central index key`
  const sic = get('sic')?.replace(/\.0+$/, '') ?? null
  if (sic !== null && !/^\d{1,4}$/.test(sic))
    return `sic: ${JSON.stringify(sic)} is not a code of up to four digits`
  const tickers = listIn(get('tickers'))
  return (tickers.length > 0 ? tickers : [null]).map(ticker => ({
    dataset: 'directory',
    values: {
      registry: 'sec_listed',
      name,
      position,
      ticker,
      cik,
      jurisdiction: placeOf(get('stateOfIncorporation')),
      sic: sic?.padStart(4, '0') ?? null,
      industry: get('sicDescription'),
    },
  }))
}

/** A list as Python prints it, `['GOOGL', 'GOOG']`, or separated by commas. */
function listIn(written: string | null): string[] {
  const parts = (written ?? '').replace(/^\[|\]$/g, '').split(',')
  return [...new Set(parts.map(part => part.replace(/['"\s]/g, '').toUpperCase()))].filter(
    ticker => ticker !== '' && ticker !== 'NONE' && ticker !== 'NAN',
  )
}

const STATES = new Set(
  'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR'.split(
    ' ',
  ),
)

/** The SEC uses two letters for states, and codes of its own for countries, which are ignored. */
const placeOf = (code: string | null): string | null =>
  code !== null && STATES.has(code.toUpperCase()) ? `US-${code.toUpperCase()}` : null
