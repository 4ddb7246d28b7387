import { elementAt } from '../../engine/base/elements.ts'
import { formatDay } from '../../engine/credit/calendar.ts'
import type { indices } from '../../engine/schema/datasets/indices.ts'
import type { Issuer } from './issuers.ts'
import { tradingDays } from './market.ts'
import { type Market, termShape } from './spread-paths.ts'
import type { Row } from './tables.ts'

interface Index {
  readonly series: string
  readonly name: string
  readonly rating: string
  /** Best and worst rank on the rating scale. */
  readonly ranks: readonly [number, number]
  readonly maturity: string | null
  /** Years to maturity of its average bond. */
  readonly years: number
}

const ofRating = (rating: string, name: string, ranks: readonly [number, number], years: number): Index => ({
  series: `SAMPLE-${rating}`,
  name: `Sample ${name}`,
  rating,
  ranks,
  maturity: null,
  years,
})

const ofMaturity = (maturity: string, years: number): Index => ({
  series: `SAMPLE-IG-${maturity.replace('+', 'P')}`,
  name: `Sample Corporate ${maturity}`,
  rating: 'IG',
  ranks: [1, 10],
  maturity,
  years,
})

const sampleIndices: readonly Index[] = [
  ofRating('IG', 'Corporate', [1, 10], 7),
  ofRating('AA', 'AA Corporate', [2, 4], 7),
  ofRating('A', 'Single-A Corporate', [5, 7], 7),
  ofRating('BBB', 'BBB Corporate', [8, 10], 7),
  ofRating('HY', 'High Yield', [11, 19], 5),
  ofRating('BB', 'BB High Yield', [11, 13], 5),
  ofRating('B', 'Single-B High Yield', [14, 16], 5),
  ofRating('CCC', 'CCC & Lower High Yield', [17, 19], 4),
  ofMaturity('1-3Y', 2),
  ofMaturity('3-5Y', 4),
  ofMaturity('5-7Y', 6),
  ofMaturity('7-10Y', 8.5),
  ofMaturity('10-15Y', 12.5),
  ofMaturity('15Y+', 22),
]

/** Indices of the sample's own issuers, weighted by debt: fictional, like the issuers. */
export function indexRows(issuers: readonly Issuer[], market: Market): Row<typeof indices>[] {
  const paths = issuers.map(issuer => ({ issuer, path: market.of(issuer) }))
  return sampleIndices.flatMap(({ series, name, rating, ranks: [low, high], maturity, years }) => {
    const members = paths.filter(({ issuer: { rank } }) => rank >= low && rank <= high)
    const debt = members.reduce((sum, { issuer }) => sum + issuer.debt, 0)
    return tradingDays.map((day, t) => {
      const weighted = members.reduce(
        (sum, { issuer, path }) => sum + issuer.debt * elementAt(path, t) * termShape(issuer.rank, years),
        0,
      )
      return {
        series,
        index_name: name,
        rating_band: rating,
        maturity_band: maturity,
        index_date: formatDay(day),
        // Published in percent, to two decimals.
        option_adjusted_spread: Math.round(weighted / debt) / 100,
      }
    })
  })
}
