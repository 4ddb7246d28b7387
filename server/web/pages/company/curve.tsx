import { useMemo } from 'react'
import type { RowIn } from '../../../v1/client.ts'
import { go, href } from '../../app/route.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Chart } from '../../parts/chart.tsx'
import { Figure } from '../../parts/part.tsx'
import { drawPoints, type Point } from '../../parts/points.ts'
import { useSeen } from '../../parts/use-seen.ts'
import { dayText } from '../../show/days.ts'
import { basisPoints, fixed } from '../../show/figures.ts'

/** More names would cover one another. */
const MOST_LABELS = 14

const tenors = [1, 2, 3, 5, 7, 10, 20, 30] as const

/** The company's fitted spread curve and every priced bond against it. */
export function Curve({ ticker }: { ticker: string }) {
  const [body, seen] = useSeen<HTMLDivElement>()
  return (
    <div className="w6" ref={body}>
      <IssuerCurve ticker={ticker} seen={seen} />
    </div>
  )
}

/**
 * The curve of an issuer with its bonds, of which `own` is drawn larger. Fitting a day's curves costs more than the
 * rest of a page, so it waits until its panel comes into view.
 */
export function IssuerCurve({ ticker, seen, own }: { ticker: string; seen: boolean; own?: string | null }) {
  const bonds = useAllRows(
    'search.relative_value',
    seen ? { ticker, sort: 'remaining_years', limit: 100 } : null,
  )
  const curves = useAllRows('market.curves', seen ? { ticker, level: ['issuer'], limit: 5 } : null)
  return (
    <Figure
      title="Curve and every bond"
      answer={bonds}
      empty="No bond of this company was priced in the week before."
    >
      {rows => <Drawn rows={rows} curve={curves.data?.[0]} own={own ?? null} />}
    </Figure>
  )
}

function Drawn({
  rows,
  curve,
  own,
}: {
  rows: readonly RowIn<'search.relative_value'>[]
  curve: RowIn<'market.curves'> | undefined
  own: string | null
}) {
  const points = useMemo(
    () =>
      rows.flatMap((row): Point[] =>
        row.spread === null || row.remaining_years === null
          ? []
          : [
              {
                id: row.cusip ?? '',
                name: row.bond_name ?? row.cusip ?? '',
                x: row.remaining_years,
                y: row.spread,
                residual: row.residual,
                isOwn: row.cusip !== null && row.cusip === own,
              },
            ],
      ),
    [rows, own],
  )
  const draw = useMemo(() => {
    const line = tenors.flatMap(tenor => {
      const spread = curve?.[`spread_${tenor}y`]
      return typeof spread === 'number' ? [[tenor, spread] as const] : []
    })
    return drawPoints({
      points,
      curve: line,
      xName: 'Years',
      yName: 'Spread bp',
      xText: value => fixed(value, 1).replace(/\.0$/, ''),
      yText: value => basisPoints(value),
      isPrice: true,
      isLabelled: points.length <= MOST_LABELS,
    })
  }, [points, curve])
  return (
    <Chart
      title="Curve and every bond"
      label="Spreads of the company’s bonds by years left, and its fitted curve"
      height={300}
      draw={draw}
      onPick={({ data }) => {
        const { point } = data as { point?: Point }
        if (point?.id) go(href(['bond', point.id]))
      }}
      table={() => [
        ['Bond', 'Years', 'Spread', 'From the curve'],
        ...points.map(({ name, x, y, residual }) => [
          name,
          fixed(x, 1),
          basisPoints(y),
          residual === null ? null : basisPoints(residual),
        ]),
      ]}
      tools={curve?.curve_date && <span className="quiet small">{dayText(curve.curve_date)}</span>}
    />
  )
}
