import { parseDay, weekday } from '../../credit/calendar.ts'
import { csvRecords } from './csv-records.ts'
import { fredSeries } from './fred-series.ts'
import { type Output, type Reader, Refused } from './reader.ts'
import { dateIn, isMissing, numberIn } from './source-cells.ts'

interface Index {
  readonly name: string
  readonly rating: string | null
  readonly maturity: string | null
}

const index = (name: string, rating: string | null, maturity: string | null = null): Index => ({
  name,
  rating,
  maturity,
})

/** Option-adjusted spreads of the ICE BofA US indices, by their FRED series. */
const INDICES: Readonly<Record<string, Index>> = {
  BAMLC0A0CM: index('US Corporate', 'IG'),
  BAMLC0A1CAAA: index('AAA US Corporate', 'AAA'),
  BAMLC0A2CAA: index('AA US Corporate', 'AA'),
  BAMLC0A3CA: index('Single-A US Corporate', 'A'),
  BAMLC0A4CBBB: index('BBB US Corporate', 'BBB'),
  BAMLC1A0C13Y: index('1-3 Year US Corporate', 'IG', '1-3Y'),
  BAMLC2A0C35Y: index('3-5 Year US Corporate', 'IG', '3-5Y'),
  BAMLC3A0C57Y: index('5-7 Year US Corporate', 'IG', '5-7Y'),
  BAMLC4A0C710Y: index('7-10 Year US Corporate', 'IG', '7-10Y'),
  BAMLC7A0C1015Y: index('10-15 Year US Corporate', 'IG', '10-15Y'),
  BAMLC8A0C15PY: index('15+ Year US Corporate', 'IG', '15Y+'),
  BAMLH0A0HYM2: index('US High Yield', 'HY'),
  BAMLH0A1HYBB: index('BB US High Yield', 'BB'),
  BAMLH0A2HYB: index('Single-B US High Yield', 'B'),
  BAMLH0A3HYC: index('CCC & Lower US High Yield', 'CCC'),
}

/** The series that are read. */
export const indexSeries: readonly string[] = Object.keys(INDICES)

export const indexSpreads: Reader = {
  kind: 'index-spreads',
  doc: 'FRED option-adjusted spreads of US bond indices (BAMLC0A0CM, BAMLH0A0HYM2 and their bands), CSV.',
  recognises: file => fredSeries(file)?.every(id => id.startsWith('BAML')) ?? false,

  async read(file, sink) {
    const series = fredSeries(file) ?? []
    const known = series.flatMap((id, i) => (INDICES[id] ? [{ id, at: i + 1, ...INDICES[id] }] : []))
    if (known.length === 0)
      throw new Refused(
        `${series.join(', ')}: not a known series of option-adjusted spreads (${Object.keys(INDICES).join(', ')})`,
      )
    const others = series.filter(id => !INDICES[id])
    if (others.length > 0) sink.note(`not option-adjusted spreads, ignored: ${others.join(', ')}`)
    let isHeader = true
    for await (const { at, cells, raw } of csvRecords(file)) {
      if (isHeader) {
        isHeader = false
        continue
      }
      const date = dateIn(cells[0])
      const given = known.filter(column => !isMissing(cells[column.at]))
      const bad = given.find(column => Number.isNaN(numberIn(cells[column.at])))
      if (date === null) await sink.refuse(at, raw, `${JSON.stringify(cells[0] ?? '')} is not a date`)
      else if (given.length === 0) await sink.refuse(at, raw, 'no value (holiday)')
      else if (bad) await sink.refuse(at, raw, `${bad.id}: ${JSON.stringify(cells[bad.at])} is not a spread`)
      // Month ends on weekends have an adjustment for accrued interest, and some copies repeat Friday's value.
      else if (isWeekend(date)) await sink.refuse(at, raw, 'a weekend, not a trading day')
      else
        await sink.take(
          at,
          given.map(
            (column): Output => ({
              dataset: 'indices',
              values: {
                series: column.id,
                index_name: column.name,
                rating_band: column.rating,
                maturity_band: column.maturity,
                index_date: date,
                option_adjusted_spread: numberIn(cells[column.at]),
              },
            }),
          ),
        )
    }
  },
}

const isWeekend = (date: string): boolean => [0, 6].includes(weekday(parseDay(date)))
