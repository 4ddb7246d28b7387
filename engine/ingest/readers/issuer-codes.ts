import { cikOf } from './companyfacts.ts'
import { columnsOf, csvRecords, hasColumns, headerOf } from './csv-records.ts'
import type { Reader } from './reader.ts'
import { textIn } from './source-cells.ts'

export const issuerCodes: Reader = {
  kind: 'issuer-codes',
  doc: 'CUSIP issuer codes by CIK, CSV like lists made from 13D and 13G filings (cik, cusip6).',
  recognises: file => hasColumns(headerOf(file), 'cik', 'cusip6'),

  async read(file, sink) {
    let column: ReturnType<typeof columnsOf> | undefined
    let count = 0
    for await (const { at, cells, raw } of csvRecords(file)) {
      if (!column) {
        column = columnsOf(cells)
        continue
      }
      const written = textIn(cells[column('cik') ?? -1])
      // A spreadsheet writes CIKs as numbers: `828119.0`.
      const cik = cikOf(written?.replace(/\.0+$/, ''))
      const cusip6 = textIn(cells[column('cusip6') ?? -1])?.toUpperCase() ?? null
      if (cik === null)
        await sink.refuse(at, raw, `cik: ${JSON.stringify(written)} is not a central index key`)
      else if (cusip6 === null || !/^[0-9A-Z*@#]{6}$/.test(cusip6))
        await sink.refuse(at, raw, `cusip6: ${JSON.stringify(cusip6)} is not six characters of a CUSIP`)
      else await sink.take(at, [{ dataset: 'issuer_codes', values: { cik, cusip6 } }])
      if (++count % 10_000 === 0) await sink.drain()
    }
  },
}
