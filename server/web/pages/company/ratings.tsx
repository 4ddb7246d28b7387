import { useMemo } from 'react'
import { type Rating, ratings } from '../../../../engine/schema/resources/ratings.ts'
import { agencies } from '../../../../engine/schema/vocabulary.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Chart } from '../../parts/chart.tsx'
import { drawLines, type Line } from '../../parts/lines.ts'
import { hue } from '../../parts/paint.ts'
import { Figure } from '../../parts/part.tsx'
import { shown } from '../../show/figures.ts'
import { wordsOf } from '../../show/words.ts'

/** Letters by rank, as S&P writes them. */
const scale = 'AAA AA+ AA AA- A+ A A- BBB+ BBB BBB- BB+ BB BB- B+ B B- CCC+ CCC CCC- CC C D'.split(' ')

/** Ratings of the company by each agency, over time. */
export function Ratings({ ticker, asOf }: { ticker: string; asOf: string }) {
  const answer = useAllRows('search.ratings', { ticker, sort: 'effective_date', limit: 200 })
  return (
    <div className="w6">
      <Figure title="Ratings" answer={answer} empty="No rating is known.">
        {rows => <Timeline rows={rows} asOf={asOf} />}
      </Figure>
    </div>
  )
}

function Timeline({ rows, asOf }: { rows: readonly Rating[]; asOf: string }) {
  const draw = useMemo(() => {
    const lines: Line[] = agencies.flatMap(agency => {
      const own = rows.filter(
        r => r.agency === agency && ['issuer', 'corporate_family'].includes(r.rating_type ?? ''),
      )
      const points = own.flatMap(r =>
        r.effective_date === null ? [] : [[r.effective_date, r.rating_rank] as const],
      )
      const last = points.at(-1)
      // The last one stands until the day that is asked about.
      return last
        ? [
            {
              name: wordsOf(agency),
              hue: hue[agency],
              step: true,
              points: [...points, [asOf, last[1]] as const],
            },
          ]
        : []
    })
    return drawLines({
      lines,
      units: [''],
      inverse: true,
      reading: rank => scale[Math.round(rank) - 1] ?? '',
    })
  }, [rows, asOf])
  const names = ['effective_date', 'agency', 'rating', 'outlook', 'rating_type'] as const
  return (
    <Chart
      title="Ratings"
      label="Issuer ratings by agency over time"
      draw={draw}
      table={() => [
        ['Effective', 'Agency', 'Rating', 'Outlook', 'Applies to'],
        ...rows.toReversed().map(row => names.map(name => shown(ratings.columns[name], row[name]))),
      ]}
    />
  )
}
