import type { EChartsCoreOption } from 'echarts/core'
import { useMemo } from 'react'
import type { Spread } from '../../../../engine/schema/resources/spreads.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Chart } from '../../parts/chart.tsx'
import { drawLines, linesTable } from '../../parts/lines.ts'
import { hue, type Paint } from '../../parts/paint.ts'
import { Figure } from '../../parts/part.tsx'
import { basisPoints } from '../../show/figures.ts'
import { withGaps } from '../../show/plot.ts'

export const tenors = ['1Y', '3Y', '5Y', '7Y', '10Y'] as const

/** Spread to Treasury by tenor: over time, and as a curve on its last days. */
export function Spreads({ ticker }: { ticker: string }) {
  const answer = useAllRows(
    'search.spreads',
    { ticker, tenor: [...tenors], sort: 'spread_date', limit: 200 },
    4000,
  )
  return (
    <>
      <div className="w6">
        <Figure
          title="Spread to Treasury"
          answer={answer}
          empty="No spread series: it is made of priced fixed-rate bonds that are known to be senior unsecured."
        >
          {rows => <History rows={ofOneSource(rows)} />}
        </Figure>
      </div>
      {answer.data && answer.data.length > 0 && (
        <div className="w6">
          <Curve rows={ofOneSource(answer.data)} />
        </div>
      )}
    </>
  )
}

/** Points further apart, in days, are not joined. */
const LONGEST_GAP_DAYS = 35

/**
 * The bonds' own series if there is one, else the one with most rows: sources differ in what they measure and are not
 * mixed.
 */
export function ofOneSource<S extends Pick<Spread, 'source'>>(rows: readonly S[]): readonly S[] {
  const counts = new Map<string, number>()
  for (const { source } of rows) counts.set(source, (counts.get(source) ?? 0) + 1)
  const [fullest] = [...counts].sort(([, m], [, n]) => n - m)
  const chosen = counts.has('bond_spread_proxy') ? 'bond_spread_proxy' : fullest?.[0]
  return rows.filter(({ source }) => source === chosen)
}

const sourceNames: Readonly<Record<string, string>> = {
  bond_spread_proxy: 'from its bonds',
  trade_repository: 'from a trade repository',
  settlement_price: 'from settlement prices',
}

function History({ rows }: { rows: readonly Spread[] }) {
  const lines = useMemo(
    () =>
      tenors.flatMap(tenor => {
        const own = rows.filter(row => row.tenor === tenor)
        return own.length
          ? [
              {
                name: tenor as string,
                hue: hue[tenor],
                points: withGaps(
                  own.map(r => [r.spread_date, r.spread_bps] as const),
                  LONGEST_GAP_DAYS,
                ),
              },
            ]
          : []
      }),
    [rows],
  )
  const draw = useMemo(() => drawLines({ lines, units: ['bp'], isNamed: true }), [lines])
  return (
    <Chart
      title="Spread to Treasury"
      label="Spread by tenor over time"
      draw={draw}
      table={() => linesTable(lines)}
      tools={<span className="quiet small">{sourceNames[rows[0]?.source ?? '']}</span>}
    />
  )
}

/** The last spread of each tenor, and those of a month and a year before. */
function Curve({ rows }: { rows: readonly Spread[] }) {
  const curves = useMemo(() => {
    const last = rows.at(-1)!.spread_date
    const before = (days: number) => new Date(Date.parse(last) - days * 86_400_000).toISOString().slice(0, 10)
    const at = (day: string) =>
      tenors.map(tenor => {
        const known = rows.filter(
          r => r.tenor === tenor && r.spread_date <= day && r.spread_date > shift(day, -30),
        )
        return known.at(-1)?.spread_bps ?? null
      })
    return [
      { name: last, values: at(last) },
      { name: before(30), values: at(before(30)) },
      { name: before(365), values: at(before(365)) },
    ].filter(({ values }) => values.some(value => value !== null))
  }, [rows])
  const draw = useMemo(() => drawCurve(curves), [curves])
  return (
    <Chart
      title="Spread curve"
      label="Spread by tenor now, a month ago and a year ago"
      draw={draw}
      table={() => [
        ['Day', ...tenors],
        ...curves.map(({ name, values }) => [name, ...values.map(v => (v === null ? null : basisPoints(v)))]),
      ]}
    />
  )
}

const shift = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** Spreads by tenor, one line per day, those of the past dashed; or one line per company or group. */
export const drawCurve =
  (
    curves: readonly { readonly name: string; readonly values: readonly (number | null)[] }[],
    { arePast = true, names = tenors }: { arePast?: boolean; names?: readonly string[] } = {},
  ) =>
  (paint: Paint): EChartsCoreOption => ({
    xAxis: { type: 'category', data: [...names], boundaryGap: false, splitLine: { show: false } },
    yAxis: { type: 'value', name: 'bp', nameGap: 8, scale: true },
    tooltip: {
      formatter: (given: unknown) => {
        const items = given as { seriesName: string; name: string; value: number | null | undefined }[]
        const known = items.flatMap(i =>
          typeof i.value === 'number' ? [`${i.seriesName}  ${basisPoints(i.value)} bp`] : [],
        )
        return [items[0]?.name ?? '', ...known].join('\n')
      },
    },
    series: curves.map(({ name, values }, i) => ({
      type: 'line',
      name,
      data: [...values],
      connectNulls: true,
      symbolSize: 5,
      lineStyle: {
        width: i === 0 ? 2 : 1.5,
        type: i > 0 && arePast ? 'dashed' : 'solid',
        color: paint.series[i],
      },
      itemStyle: { color: paint.series[i] },
    })),
  })
