import { columnsOf, csvRecords, hasColumns, headerOf } from './csv-records.ts'
import type { Output, Reader } from './reader.ts'
import { textIn } from './source-cells.ts'

export const indexConstituents: Reader = {
  kind: 'index-constituents',
  doc: 'Companies of an index with sector and CIK, CSV like the public lists of the S&P 500.',
  recognises: file => {
    const header = headerOf(file)
    return (
      hasColumns(header, 'Symbol', 'GICS Sector') &&
      ['Security', 'Name'].some(name => hasColumns(header, name))
    )
  },

  async read(file, sink) {
    let column: ReturnType<typeof columnsOf> | undefined
    for await (const { at, cells, raw } of csvRecords(file)) {
      if (!column) {
        column = columnsOf(cells)
        continue
      }
      const made = outputOf(name => textIn(cells[column!(name) ?? -1]))
      if (typeof made === 'string') await sink.refuse(at, raw, made)
      else await sink.take(at, [made])
    }
  },
}

/** Share classes are written `BRK.B` by exchanges and `BRK-B` by the SEC: both are accepted. */
export function otherTickerForm(ticker: string): string | null {
  if (!/^[A-Z]+[.-][A-Z]+$/.test(ticker)) return null
  return ticker.includes('.') ? ticker.replace('.', '-') : ticker.replace('-', '.')
}

function outputOf(get: (name: string) => string | null): Output | string {
  const ticker = get('Symbol')?.toUpperCase() ?? null
  const name = get('Security') ?? get('Name')
  const cik = get('CIK')
  if (ticker === null) return 'no Symbol'
  if (name === null) return 'no name'
  if (cik !== null && !/^\d{1,10}$/.test(cik))
    return `CIK: ${JSON.stringify(cik)} is not a number of up to 10 digits`
  const other = otherTickerForm(ticker)
  return {
    dataset: 'companies',
    values: {
      ticker,
      name,
      cik: cik?.padStart(10, '0') ?? null,
      sector: get('GICS Sector'),
      industry: get('GICS Sub-Industry') ?? get('GICS Sub Industry'),
      aliases: other === null ? null : [other],
    },
  }
}
