import type { Instrument } from '../../../../engine/schema/resources/instruments.ts'
import { href } from '../../app/route.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Empty } from '../../parts/state.tsx'
import { dayText, spanText } from '../../show/days.ts'
import { fixed, MILLION, NOTHING } from '../../show/figures.ts'
import { owedOf } from '../../show/owed.ts'
import { wordsOf } from '../../show/words.ts'

/** Instruments shown; the list has the others. */
const SHOWN = 12

const inMillions = (amount: number | null): string => (amount === null ? NOTHING : fixed(amount / MILLION, 1))

/** `5.25%`, `SOFR + 175`, or the kind of the rate. */
function rateOf({ coupon_rate, rate_type, benchmark, spread_bps, effective_rate }: Instrument): string {
  if (coupon_rate !== null) return `${fixed(coupon_rate, 3).replace(/0$/, '')}%`
  if (spread_bps !== null) return `${benchmark ?? 'index'} + ${spread_bps}`
  if (effective_rate !== null) return `${fixed(effective_rate, 2)}% now`
  return rate_type === null ? NOTHING : wordsOf(rate_type)
}

/** What a company owes by instrument, as its filings say, largest first. */
export function InstrumentTable({ ticker, rows }: { ticker: string; rows: readonly Instrument[] }) {
  const size = (row: Instrument) => Math.max(owedOf(row) ?? 0, row.commitment ?? 0)
  const shown = [...rows].sort((a, b) => size(b) - size(a)).slice(0, SHOWN)
  return (
    <Scroll label="Debt instruments">
      <table className="plain instruments">
        <thead>
          <tr>
            <th>Instrument</th>
            <th>Ranking</th>
            <th className="number">Owed $mm</th>
            <th className="number">Undrawn $mm</th>
            <th className="number">Rate</th>
            <th className="number">Maturity</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(row => (
            <tr key={row.id}>
              <td>
                {row.name}
                {row.part_of && <div className="quiet small">in {row.part_of}</div>}
              </td>
              <td>{row.seniority === null ? NOTHING : wordsOf(row.security_type ?? row.seniority)}</td>
              <td className="number">{inMillions(owedOf(row))}</td>
              <td className="number">
                {row.commitment === null
                  ? ''
                  : row.undrawn === null
                    ? `${NOTHING} of ${inMillions(row.commitment)}`
                    : inMillions(row.undrawn)}
              </td>
              <td className="number">{rateOf(row)}</td>
              <td className="number">
                {row.maturity_date === null ? (row.maturity_year ?? NOTHING) : dayText(row.maturity_date)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.length && (
        <p className="note small">
          <a href={href(['screen', 'instruments'], { ticker })}>All {rows.length} instruments</a>
        </p>
      )}
    </Scroll>
  )
}

/** Of which balance dates the amounts are. */
function balancesOf(rows: readonly Instrument[]): string {
  const days = spanText(rows.flatMap(({ balance_date }) => balance_date ?? []))
  return days === null ? 'instruments as filed' : `as filed, balances of ${days}`
}

/** Nothing if the filings name none. */
export function InstrumentsAsFiled({ ticker }: { ticker: string }) {
  const answer = useAllRows('search.instruments', { ticker, limit: 100 })
  if (!answer.data?.length) return null
  return (
    <Panel
      title="Debt instruments"
      className="whole"
      tools={<span className="quiet small">{balancesOf(answer.data)}</span>}
    >
      <InstrumentTable ticker={ticker} rows={answer.data} />
    </Panel>
  )
}

/** In place of bonds, where a company has none in the lake. */
export function InstrumentsInstead({ ticker }: { ticker: string }) {
  const answer = useAllRows('search.instruments', { ticker, limit: 100 })
  return (
    <Part answer={answer} what="instruments">
      {rows =>
        rows.length === 0 ? (
          <Empty>
            <p>No active bonds or loans in US dollars, and no filing of it names instruments.</p>
          </Empty>
        ) : (
          <InstrumentTable ticker={ticker} rows={rows} />
        )
      }
    </Part>
  )
}
