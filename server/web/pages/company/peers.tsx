import { useMemo } from 'react'
import { type Company, companies } from '../../../../engine/schema/resources/companies.ts'
import { spreads as spreadRows } from '../../../../engine/schema/resources/spreads.ts'
import { href } from '../../app/route.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Grid } from '../../parts/grid.tsx'
import { Panel, Part } from '../../parts/part.tsx'
import { Empty } from '../../parts/state.tsx'

const SHOWN = 12

const headings = [
  ...(
    [
      'ticker',
      'name',
      'rating_bucket',
      'sp_rating',
      'moodys_rating',
      'total_debt',
      'ebitda_ttm',
      'leverage_ratio',
      'net_leverage_ratio',
      'interest_coverage',
      'debt_due_2yr',
    ] as const
  ).map(name => ({ name, column: companies.columns[name] })),
  { name: 'spread_bps', column: spreadRows.columns.spread_bps },
]

/** Companies of the same sector and rating bucket, the nearest in debt first, this one on top. */
export function Peers({ company }: { company: Company }) {
  const { sector, rating_bucket } = company
  const same = { sector, ...(rating_bucket && { rating_bucket }) }
  const answer = useAllRows(
    'search.companies',
    sector === null ? null : ({ ...same, sort: '-total_debt', limit: 100 } as object),
    200,
  )
  const peers = useMemo(() => nearestOf(company, answer.data ?? []), [company, answer.data])
  const tickers = peers.flatMap(({ ticker }) => ticker ?? [])
  const spreads = useAllRows(
    'search.spreads',
    tickers.length > 1 ? { ticker: tickers, tenor: ['5Y'], latest_only: true, limit: 100 } : null,
  )
  const rows = peers.map(row => ({
    ...row,
    spread_bps: spreads.data?.find(({ ticker }) => ticker === row.ticker)?.spread_bps ?? null,
  }))
  return (
    <Panel
      title="Peers"
      tools={
        <>
          <span className="quiet small">
            {[sector, rating_bucket].filter(Boolean).join(', ')},{' '}
            {company.total_debt === null ? 'the largest by debt' : 'nearest in debt'}; 5Y spread
          </span>
          <a href={href(['screen', 'companies'], { sector, rating_bucket })}>Screen</a>
        </>
      }
    >
      {sector === null ? (
        <Empty>
          <p>Its sector is not known.</p>
        </Empty>
      ) : (
        <Part answer={answer} what="peers">
          {() =>
            rows.length === 1 ? (
              <Empty>
                <p>
                  No other company of {[sector, rating_bucket].filter(Boolean).join(', ')} has current debt.
                </p>
              </Empty>
            ) : (
              <Grid
                label="Peers"
                headings={headings}
                total={rows.length}
                rowAt={index => rows[index]}
                height={380}
              />
            )
          }
        </Part>
      )}
    </Panel>
  )
}

/** Those with debt nearest to that of the company; the largest if its own is not known. */
function nearestOf(company: Company, all: readonly Company[]): readonly Company[] {
  const size = (debt: number | null) => Math.log(Math.max(debt ?? 0, 1))
  const own = company.total_debt === null ? Number.POSITIVE_INFINITY : size(company.total_debt)
  const distance = ({ total_debt }: Company) =>
    own === Number.POSITIVE_INFINITY ? -size(total_debt) : Math.abs(size(total_debt) - own)
  const others = all
    .filter(({ company_id, total_debt }) => company_id !== company.company_id && total_debt !== null)
    .sort((a, b) => distance(a) - distance(b))
  return [company, ...others.slice(0, SHOWN - 1)]
}
