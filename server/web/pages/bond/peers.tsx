import type { EChartsCoreOption } from 'echarts/core'
import { useMemo, useState } from 'react'
import { type Bond, bonds } from '../../../../engine/schema/resources/bonds.ts'
import { go, href } from '../../app/route.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Chart } from '../../parts/chart.tsx'
import { Grid } from '../../parts/grid.tsx'
import type { Paint } from '../../parts/paint.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Empty } from '../../parts/state.tsx'
import { basisPoints } from '../../show/figures.ts'

const names = [
  'company_ticker',
  'display_name',
  'cusip',
  'coupon_rate',
  'maturity_date',
  'seniority',
  'pricing.last_price',
  'pricing.ytm',
  'pricing.spread',
  'pricing.duration',
  'pricing.staleness_days',
  'outstanding',
] as const

const headings = names.map(name => ({ name, column: bonds.columns[name] }))

/** The same day some years later, on a day that every month has. */
const years = (day: string, by: number, at: '01' | '28'): string =>
  `${Number(day.slice(0, 4)) + by}${day.slice(4, 8)}${at}`

/** The issuer's other bonds, and bonds of the same rating bucket and sector that mature around the same time. */
export function Peers({ bond }: { bond: Bond }) {
  const [kind, setKind] = useState<'issuer' | 'rating'>('issuer')
  const { company_ticker, company_sector, rating_bucket, maturity_date } = bond
  const params =
    kind === 'issuer'
      ? company_ticker && { ticker: company_ticker }
      : rating_bucket && {
          rating_bucket,
          ...(company_sector && { sector: [company_sector] }),
          ...(maturity_date && {
            maturity_after: years(maturity_date, -2, '01'),
            maturity_before: years(maturity_date, 2, '28'),
          }),
        }
  const answer = useAllRows(
    'search.bonds',
    params ? { ...params, fields: [...names, 'id'], sort: 'maturity_date', limit: 100 } : null,
    500,
  )
  const priced = (answer.data ?? []).filter(b => typeof b.pricing?.spread === 'number' && b.maturity_date)
  const choice = (
    <span className="segments">
      <button type="button" aria-pressed={kind === 'issuer'} onClick={() => setKind('issuer')}>
        Same issuer
      </button>
      <button type="button" aria-pressed={kind === 'rating'} onClick={() => setKind('rating')}>
        Same rating and sector
      </button>
    </span>
  )
  return (
    <>
      <Panel title="Peers" tools={choice}>
        {params ? (
          <Part answer={answer} what="peers">
            {rows =>
              rows.length ? (
                <Grid
                  label="Peers"
                  headings={headings}
                  total={rows.length}
                  rowAt={i => rows[i]}
                  height={300}
                />
              ) : (
                <Empty>
                  <p>No peers found.</p>
                </Empty>
              )
            }
          </Part>
        ) : (
          <Empty>
            <p>
              {kind === 'issuer' ? 'Its issuer is not linked to a company.' : 'Its company has no rating.'}
            </p>
          </Empty>
        )}
      </Panel>
      {priced.length > 1 && (
        <div>
          <Scatter rows={priced} own={bond.id} />
        </div>
      )}
    </>
  )
}

function Scatter({ rows, own }: { rows: readonly Bond[]; own: string }) {
  const draw = useMemo(
    () =>
      (paint: Paint): EChartsCoreOption => ({
        xAxis: { type: 'time', splitLine: { show: false } },
        yAxis: { type: 'value', name: 'spread bp', nameGap: 8, scale: true },
        legend: { show: true },
        tooltip: {
          trigger: 'item',
          formatter: (given: unknown) => {
            const { value } = given as { value: [string, number, string, string | null] }
            return `${value[3] ?? ''} ${value[2]}\n${value[0]}  ${basisPoints(value[1])} bp`
          },
        },
        series: [
          { name: 'Peers', of: rows.filter(b => b.id !== own), size: 7, color: paint.series[0] },
          { name: 'This bond', of: rows.filter(b => b.id === own), size: 13, color: paint.series[1] },
        ].map(({ name, of, size, color }) => ({
          type: 'scatter',
          name,
          symbolSize: size,
          itemStyle: { color, opacity: 0.85 },
          data: of.map(b => [
            b.maturity_date,
            b.pricing!.spread,
            b.display_name,
            b.company_ticker,
            b.cusip ?? b.id,
          ]),
        })),
      }),
    [rows, own],
  )
  return (
    <Chart
      title="Spread by maturity"
      label="Spread of the peers by maturity"
      draw={draw}
      onPick={({ data }) => go(href(['bond', String((data as unknown[])[4])]))}
      table={() => [
        ['Bond', 'Maturity', 'Spread bp'],
        ...rows.map(b => [b.display_name, b.maturity_date, b.pricing!.spread]),
      ]}
    />
  )
}
