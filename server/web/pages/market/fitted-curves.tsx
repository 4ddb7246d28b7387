import { useMemo } from 'react'
import { CURVE_TENORS } from '../../../../engine/schema/resources/curves.ts'
import { ratingBuckets } from '../../../../engine/schema/vocabulary.ts'
import type { RowIn } from '../../../v1/client.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Chart } from '../../parts/chart.tsx'
import { Figure } from '../../parts/part.tsx'
import { dayText } from '../../show/days.ts'
import { basisPoints } from '../../show/figures.ts'
import { drawCurve } from '../company/spreads.tsx'
import type { Group } from './rich-cheap.tsx'

type Fitted = RowIn<'market.curves'>

const names = CURVE_TENORS.map(tenor => `${tenor}Y`)
const spreadsOf = (row: Fitted) => CURVE_TENORS.map(tenor => row[`spread_${tenor}y`])
const rankOf = (bucket: string | null) => (ratingBuckets as readonly (string | null)[]).indexOf(bucket)

/** The fitted spread curve of each rating bucket, in all sectors or in one. */
export function FittedCurves({ group, seen }: { group: Group; seen: boolean }) {
  const level = group.sector ? 'sector_rating' : 'rating'
  const answer = useAllRows('market.curves', seen ? { ...group, level: [level], limit: 100 } : null)
  return (
    <Figure
      title="Fitted curves"
      answer={answer}
      empty="Too few bonds with a rating were priced in the week before."
    >
      {rows => <Drawn rows={rows} />}
    </Figure>
  )
}

function Drawn({ rows }: { rows: readonly Fitted[] }) {
  const curves = useMemo(
    () =>
      rows
        .filter(row => spreadsOf(row).some(spread => spread !== null))
        .sort((a, b) => rankOf(a.rating_bucket) - rankOf(b.rating_bucket))
        .map(row => ({
          name: row.rating_bucket ?? row.group,
          values: spreadsOf(row),
          bonds: row.bond_count,
        })),
    [rows],
  )
  const draw = useMemo(() => drawCurve(curves, { arePast: false, names }), [curves])
  return (
    <Chart
      title="Fitted curves"
      label="Fitted spread by maturity of each rating bucket"
      height={320}
      draw={draw}
      table={() => [
        ['Rating', 'Bonds', ...names],
        ...curves.map(({ name, bonds, values }) => [
          name,
          bonds,
          ...values.map(value => (value === null ? null : basisPoints(value))),
        ]),
      ]}
      tools={rows[0] && <span className="quiet small">{dayText(rows[0].curve_date)}</span>}
    />
  )
}
