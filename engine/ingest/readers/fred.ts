import { groupOf } from '../../base/elements.ts'
import { csvRecords, headerOf } from './csv-records.ts'
import { fredSeries } from './fred-series.ts'
import { h15Header, h15Months, isH15 } from './h15.ts'
import { RatesInPercent } from './rates-in-percent.ts'
import { type Output, type Reader, Refused, type Sink, type SourceFile } from './reader.ts'
import { dateIn, isMissing, numberIn } from './source-cells.ts'

/** `DGS3MO` and `DGS10` in months; null for other series. */
function tenorMonths(series: string): number | null {
  const match = /^DGS(1|2|3|5|7|10|20|30|1MO|3MO|6MO)$/i.exec(series.trim())
  if (!match) return null
  const digits = Number.parseInt(groupOf(match, 1), 10)
  return /MO$/i.test(groupOf(match, 1)) ? digits : digits * 12
}

/** Treasury yields, possibly with other series in the current format (`observation_date`), else alone. */
function isTreasury(file: SourceFile): boolean {
  const series = fredSeries(file)
  if (series === null) return false
  return /^observation_date$/i.test(headerOf(file)[0] ?? '') || series.every(id => tenorMonths(id) !== null)
}

interface Series {
  readonly at: number
  readonly months: number
  readonly label: string
}

export const fred: Reader = {
  kind: 'fred',
  doc: 'FRED constant-maturity Treasury yields (DGS1MO to DGS30), CSV, or the same of the H.15 release.',
  recognises: file => isTreasury(file) || isH15(file),

  async read(file, sink) {
    const header = isH15(file) ? h15Header() : null
    let columns: readonly Series[] | undefined
    const percent = new RatesInPercent()
    for await (const { at, cells, raw } of csvRecords(file)) {
      if (!columns) {
        const ids =
          header === null ? (fredSeries(file) ?? cells.slice(1).map(cell => cell.trim())) : header(cells)
        if (ids !== null) columns = seriesOf(ids, header === null ? tenorMonths : h15Months, sink)
        continue
      }
      const date = dateIn(cells[0])
      const given = columns.filter(column => !isMissing(cells[column.at]) && cells[column.at] !== NO_DATA)
      for (const { at, months, label } of given) percent.add(months, numberIn(cells[at]), label)
      const bad = given.find(column => Number.isNaN(numberIn(cells[column.at])))
      if (date === null) await sink.refuse(at, raw, `${JSON.stringify(cells[0] ?? '')} is not a date`)
      else if (given.length === 0) await sink.refuse(at, raw, 'no value (holiday)')
      else if (bad) await sink.refuse(at, raw, `${bad.label}: ${JSON.stringify(cells[bad.at])} is not a rate`)
      else
        await sink.take(
          at,
          given.map(
            ({ at, months }): Output => ({
              dataset: 'treasury_yields',
              values: { date, tenor_months: months, rate: numberIn(cells[at]), publisher: 'fred' },
            }),
          ),
        )
    }
    if (!columns) throw new Refused('no row of series that begins with Time Period: download the file again')
    percent.check()
  },
}

/** How H.15 writes that a day has no value. */
const NO_DATA = 'ND'

/** The columns of par yields; throws if there are none. */
function seriesOf(ids: readonly string[], monthsOf: (id: string) => number | null, sink: Sink): Series[] {
  const columns = ids.flatMap((label, i) => {
    const months = monthsOf(label)
    return months === null ? [] : [{ at: i + 1, months, label }]
  })
  const others = ids.filter(label => monthsOf(label) === null)
  if (columns.length === 0)
    throw new Refused(
      `${others.join(', ')} is not a Treasury par yield: only DGS1MO to DGS30, and daily RIFLGFCM01_N.B to RIFLGFCY30_N.B of H.15, are read`,
    )
  if (others.length > 0) sink.note(`not Treasury par yields, ignored: ${others.join(', ')}`)
  return columns
}
