import { useMemo } from 'react'
import { type Rating, ratings } from '../../../../engine/schema/resources/ratings.ts'
import { agencies } from '../../../../engine/schema/vocabulary.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Chart } from '../../parts/chart.tsx'
import { drawLines, type Line } from '../../parts/lines.ts'
import { hue } from '../../parts/paint.ts'
import { Figure, Panel } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { TableOfLines } from '../../parts/table-of-lines.tsx'
import { shown } from '../../show/figures.ts'
import { wordsOf } from '../../show/words.ts'

/** Ratings by rank, in S&P's notation. */
const scale = 'AAA AA+ AA AA- A+ A A- BBB+ BBB BBB- BB+ BB BB- B+ B B- CCC+ CCC CCC- CC C D'.split(' ')

/** A company's ratings by agency, over time. */
export function Ratings({ ticker, asOf }: { ticker: string; asOf: string }) {
  const answer = useAllRows('search.ratings', {
    ticker,
    sort: 'effective_date',
    limit: 200,
    fields: [...names, 'rating_rank', 'known_from'],
  })
  return (
    <div className="w6">
      <Figure
        title="Ratings"
        answer={answer}
        empty="No ratings. Load a rating list, or rating actions (17g-7 files)."
      >
        {rows => <Shown rows={rows as readonly Rating[]} asOf={asOf} />}
      </Figure>
    </div>
  )
}

const names = ['effective_date', 'agency', 'rating', 'outlook', 'rating_type'] as const

const isOfIssuer = ({ rating_type }: Rating): boolean =>
  ['issuer', 'corporate_family'].includes(rating_type ?? '')

/** As a chart if the issuer has dated ratings, else as a list. */
function Shown({ rows, asOf }: { rows: readonly Rating[]; asOf: string }) {
  const isDated = rows.some(row => isOfIssuer(row) && row.effective_date !== null && row.rating_rank !== null)
  return isDated ? <Timeline rows={rows} asOf={asOf} /> : <Letters rows={rows} />
}

const letterColumns = [
  ['agency', 'Agency'],
  ['rating', 'Rating'],
  ['outlook', 'Outlook'],
  ['rating_type', 'Applies to'],
  ['effective_date', 'Effective'],
  ['known_from', 'Known from'],
] as const

/** Undated ratings from lists, and ratings of single issues. */
const Letters = ({ rows }: { rows: readonly Rating[] }) => (
  <Panel title="Ratings" className="whole">
    <Scroll label="Ratings">
      <TableOfLines
        lines={rows.toReversed()}
        keyOf={row => JSON.stringify(row)}
        columns={letterColumns.map(([name, title]) => ({
          title,
          cell: (row: Rating) => shown(ratings.columns[name], row[name]),
        }))}
      />
    </Scroll>
  </Panel>
)

function Timeline({ rows, asOf }: { rows: readonly Rating[]; asOf: string }) {
  const draw = useMemo(() => {
    const lines: Line[] = agencies.flatMap(agency => {
      const own = rows.filter(r => r.agency === agency && isOfIssuer(r))
      const points = own.flatMap(r =>
        r.effective_date === null ? [] : [[r.effective_date, r.rating_rank] as const],
      )
      const last = points.at(-1)
      // The last one holds until the as-of day.
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
      isNamed: true,
      reading: rank => scale[Math.round(rank) - 1] ?? '',
    })
  }, [rows, asOf])
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
