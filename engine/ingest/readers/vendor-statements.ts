import { Database, literal } from '../../database/database.ts'
import { type Reader, Refused, unreadable } from './reader.ts'

const PERIOD = /^\d{4}-\d{2}-\d{2}([T ]00:00:00)?$/

export const vendorStatements: Reader = {
  kind: 'vendor-statements',
  doc: 'Statements by line item, Parquet: one column per period. Recognised but refused: no company or currency.',
  // The schema is at the end; the head of such a small file contains all of it.
  recognises: ({ head }) =>
    head.startsWith('PAR1') && /__index_level_0__/.test(head) && /\d{4}-\d{2}-\d{2}T00:00:00/.test(head),

  async read(file) {
    const db = await Database.create({ threads: 1 })
    try {
      const columns = await db
        .rows<{ column_name: string }>(`DESCRIBE SELECT * FROM read_parquet(${literal(await file.path())})`)
        .catch(unreadable)
      const periods = columns.map(column => column.column_name).filter(name => PERIOD.test(name))
      throw new Refused(
        `line items in rows and ${periods.length} periods in columns, without ticker, currency, fiscal quarters or ` +
          'filing dates, which a statement needs. Reshape it to one row a period with ticker, fiscal_year, ' +
          'fiscal_quarter, period_months, period_end_date, filed_date, currency and the figures as columns ' +
          '(`tranche schema financials` lists them) and load that with --dataset financials, --map for other names',
      )
    } finally {
      db.close()
    }
  },
}
