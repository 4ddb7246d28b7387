import { type CovenantHeadroom, headroom } from '../../../../engine/schema/resources/headroom.ts'
import { type Liquidity as LiquidityRow, liquidity } from '../../../../engine/schema/resources/liquidity.ts'
import { href } from '../../app/route.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Empty } from '../../parts/state.tsx'
import { exactly, fixed, money, NOTHING, withUnit } from '../../show/figures.ts'
import { caveatsOf } from '../../show/liquidity-caveats.ts'
import { titleOf, wordsOf } from '../../show/words.ts'

const names = [
  'cash',
  'undrawn_committed',
  'free_cash_flow',
  'due_12m',
  'due_24m',
  'cover_12m',
  'cover_24m',
] as const

/** Cash, undrawn lines and cash flow against what falls due, and how far covenants are from a breach. */
export function Liquidity({ ticker }: { ticker: string }) {
  const found = useAllRows('search.liquidity', { ticker })
  return (
    <Panel title="Liquidity and headroom" className="w6">
      <Part answer={found} what="liquidity">
        {([row]) =>
          row ? (
            <>
              <dl className="figures body">
                {names.map(name => {
                  const column = liquidity.columns[name]
                  const value = row[name]
                  return (
                    <div
                      key={name}
                      title={[exactly(column, value, row.currency), column.doc].filter(Boolean).join(': ')}
                    >
                      <dt>{titleOf(name)}</dt>
                      <dd>
                        {column.kind === 'cents'
                          ? money(value, row.currency)
                          : value === null
                            ? NOTHING
                            : `${fixed(value, 1)}x`}
                      </dd>
                    </div>
                  )
                })}
              </dl>
              <Caveats row={row} />
            </>
          ) : (
            <Empty>
              <p>No statements, so no liquidity.</p>
            </Empty>
          )
        }
      </Part>
      <Tests ticker={ticker} />
    </Panel>
  )
}

const Caveats = ({ row }: { row: LiquidityRow }) => {
  const notes = caveatsOf(row)
  return notes.length === 0 ? null : <p className="note quiet small">{notes.join(' ')}</p>
}

/** Said where no ratio is tested; other covenants may be listed below. */
function NoTests({ ticker }: { ticker: string }) {
  const others = useAllRows(
    'search.covenants',
    { ticker, covenant_type: ['financial'], fields: ['id'], limit: 1 },
    1,
  )
  return (
    <p className="note quiet small">
      {others.data?.length
        ? 'None of its financial covenants in force tests a ratio of its statements: those known are listed under Covenants.'
        : 'No financial covenant is known, as far as its documents are loaded.'}
    </p>
  )
}

/** Those with a level to test; all where none has one. */
const tested = (rows: readonly CovenantHeadroom[]): readonly CovenantHeadroom[] => {
  const withLevel = rows.filter(({ level }) => level !== null)
  return withLevel.length > 0 ? withLevel : rows
}

function Tests({ ticker }: { ticker: string }) {
  const answer = useAllRows('search.headroom', { ticker, sort: 'headroom_percent', limit: 50 })
  return (
    <Part answer={answer} what="covenant tests">
      {rows =>
        rows.length === 0 ? (
          <NoTests ticker={ticker} />
        ) : (
          <Scroll label="Headroom" className="groups">
            <table className="plain">
              <thead>
                <tr>
                  <th>Covenant</th>
                  <th>In</th>
                  <th className="number">Level</th>
                  <th className="number">Now</th>
                  <th className="number">Headroom</th>
                </tr>
              </thead>
              <tbody>
                {tested(rows).map(row => (
                  <tr key={row.covenant_id}>
                    <td>
                      <a href={href(['company', ticker], { covenant: row.covenant_id })}>
                        {wordsOf(row.test_metric ?? 'covenant')}
                      </a>
                    </td>
                    <td>{row.instrument_name}</td>
                    <td className="number">{row.level === null ? NOTHING : `${fixed(row.level, 2)}x`}</td>
                    <td className="number">{row.ratio === null ? NOTHING : `${fixed(row.ratio, 2)}x`}</td>
                    <td className={`number ${row.status === 'failed' ? 'down' : ''}`}>
                      {row.headroom_percent === null || row.status === null
                        ? wordsOf(row.null_because ?? '')
                        : withUnit(headroom.columns.headroom_percent, row.headroom_percent)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {tested(rows).length < rows.length && (
              <p className="note quiet small">
                {rows.length - tested(rows).length} more without a known level: see Covenants.
              </p>
            )}
          </Scroll>
        )
      }
    </Part>
  )
}
