import { useMemo } from 'react'
import type { AnswerOf } from '../../../v1/client.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { barsTable, drawBars } from '../../parts/bars.ts'
import { Chart } from '../../parts/chart.tsx'
import { Part } from '../../parts/part.tsx'
import { fixed } from '../../show/figures.ts'

/** Calls of the last thirty days, by day and endpoint. */
export function Usage() {
  const answer = useAnswer('usage.analytics', {}, { timeless: true })
  return (
    <Part answer={answer} what="use">
      {({ data }) => <Drawn data={data} />}
    </Part>
  )
}

function Drawn({ data }: { data: AnswerOf<'usage.analytics'>['data'] }) {
  const options = useMemo(
    () => ({
      names: data.daily.map(({ date }) => date.slice(5)),
      unit: '',
      isWhole: true,
      reading: (value: number) => fixed(value, 0),
      stacks: [
        { name: 'Answered', values: data.daily.map(d => d.queries - d.errors), hue: 0 },
        { name: 'Refused', values: data.daily.map(d => d.errors), hue: 9 },
      ],
    }),
    [data],
  )
  const draw = useMemo(() => drawBars(options), [options])
  return (
    <>
      <Chart
        title={`Calls by day: ${fixed(data.total_queries, 0)} in all, ${fixed(data.total_cost, 0)} credits`}
        label="Calls by day over the last thirty days"
        height={200}
        draw={draw}
        table={() => barsTable(options, 'Day')}
      />
      <details className="panel endpoints">
        <summary>By endpoint</summary>
        <table className="plain">
          <thead>
            <tr>
              <th>Endpoint</th>
              <th className="number">Calls</th>
              <th className="number">Credits</th>
              <th className="number">Mean ms</th>
            </tr>
          </thead>
          <tbody>
            {data.endpoints.map(({ endpoint, queries, cost, avg_ms }) => (
              <tr key={endpoint}>
                <td>{endpoint}</td>
                <td className="number">{fixed(queries, 0)}</td>
                <td className="number">{fixed(cost, 0)}</td>
                <td className="number">{fixed(avg_ms, 1)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}
