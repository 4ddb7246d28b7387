import { useQuery } from '@tanstack/react-query'
import { liquidity } from '../../../../engine/schema/resources/liquidity.ts'
import type { RowIn } from '../../../v1/client.ts'
import { href } from '../../app/route.ts'
import { api } from '../../ask/api.ts'
import { useAllRows } from '../../ask/rows.ts'
import { useAnswer, useAsOf } from '../../ask/use-answer.ts'
import { Chart } from '../../parts/chart.tsx'
import { dayText } from '../../show/days.ts'
import { basisPoints, exactly, money, NOTHING, withUnit } from '../../show/figures.ts'
import { titleOf, wordsOf } from '../../show/words.ts'
import { drawCurve, ofOneSource, tenors } from '../company/spreads.tsx'

/** Until the answer is there. */
const AWAITED = <span className="busy quiet">…</span>

interface OfCompanies {
  readonly tickers: readonly string[]
}

/** The spreads of companies by tenor, each of one source, on their last days. */
function useSpreads(tickers: readonly string[]): ReadonlyMap<string, readonly RowIn<'search.spreads'>[]> {
  const { data = [] } = useAllRows('search.spreads', {
    ticker: tickers,
    tenor: [...tenors],
    latest_only: true,
    limit: 100,
  })
  return new Map(tickers.map(ticker => [ticker, ofOneSource(data.filter(row => row.ticker === ticker))]))
}

/** Letters with outlook: what each agency said last. */
export function Letters({ tickers }: OfCompanies) {
  const { data = [] } = useAllRows('search.ratings', {
    ticker: tickers,
    rating_type: ['issuer', 'corporate_family'],
    latest: true,
    limit: 50,
  })
  return (['sp', 'moodys', 'fitch'] as const).map(agency => (
    <tr key={agency}>
      <th scope="row">{wordsOf(agency)}</th>
      {tickers.map(ticker => {
        const found = data.find(row => row.ticker === ticker && row.agency === agency)
        return (
          <td key={ticker} className="number">
            {found ? found.rating : NOTHING}{' '}
            {found?.outlook && <span className="quiet small">{wordsOf(found.outlook)}</span>}{' '}
            {found?.effective_date && (
              <span className="quiet small">since {dayText(found.effective_date)}</span>
            )}
          </td>
        )
      })}
    </tr>
  ))
}

export function SpreadRows({ tickers }: OfCompanies) {
  const spreads = useSpreads(tickers)
  return tenors.map(tenor => (
    <tr key={tenor}>
      <th scope="row">Spread {tenor}</th>
      {tickers.map(ticker => {
        const found = spreads.get(ticker)?.find(row => row.tenor === tenor)
        return (
          <td key={ticker} className="number">
            {found ? basisPoints(found.spread_bps) : NOTHING}{' '}
            {found && <span className="quiet small">{dayText(found.spread_date)}</span>}
          </td>
        )
      })}
    </tr>
  ))
}

const liquid = ['undrawn_committed', 'free_cash_flow', 'due_12m', 'cover_12m', 'cover_24m'] as const

export function LiquidityRows({ tickers }: OfCompanies) {
  const answer = useAnswer('search.liquidity', { ticker: tickers, limit: tickers.length })
  const rows = answer.data?.data ?? []
  return liquid.map(name => (
    <tr key={name}>
      <th scope="row" title={liquidity.columns[name].doc}>
        {titleOf(name)}
      </th>
      {tickers.map(ticker => {
        const row = rows.find(row => row.ticker === ticker)
        const value = row?.[name]
        return (
          <td
            key={ticker}
            className="number"
            title={exactly(liquidity.columns[name], value, row?.currency) ?? undefined}
          >
            {answer.isPending ? AWAITED : withUnit(liquidity.columns[name], value, row?.currency ?? 'USD')}
          </td>
        )
      })}
    </tr>
  ))
}

const NEXT = [0, 1, 2] as const

/** The next bonds and loans to mature. */
export function NextMaturities({ tickers }: OfCompanies) {
  const asOf = useAsOf()
  const { data, isPending } = useQuery({
    queryKey: ['next maturities', asOf, tickers],
    queryFn: ({ signal }) =>
      Promise.all(
        tickers.map(async ticker => {
          const answer = await api.call(
            'search.bonds',
            {
              ...asOf,
              ticker,
              sort: 'maturity_date',
              limit: NEXT.length,
              fields: ['id', 'cusip', 'display_name', 'maturity_date', 'outstanding', 'currency'],
            },
            { signal },
          )
          return answer.data
        }),
      ),
  })
  return NEXT.map(at => (
    <tr key={at}>
      <th scope="row">{at === 0 ? 'Next to mature' : 'then'}</th>
      {tickers.map((ticker, i) => {
        const bond = data?.[i]?.[at]
        return (
          <td key={ticker} className="number">
            {bond?.maturity_date ? (
              <>
                <a href={href(['bond', bond.cusip ?? bond.id])}>{bond.display_name}</a>
                <div className="quiet small">
                  {dayText(bond.maturity_date)}
                  {bond.outstanding !== null && `, ${money(bond.outstanding, bond.currency)}`}
                </div>
              </>
            ) : isPending ? (
              AWAITED
            ) : (
              NOTHING
            )}
          </td>
        )
      })}
    </tr>
  ))
}

/** The spread curves of the companies over one another. */
export function SpreadCurves({ tickers }: OfCompanies) {
  const spreads = useSpreads(tickers)
  const curves = tickers
    .map(name => ({
      name,
      values: tenors.map(tenor => spreads.get(name)?.find(row => row.tenor === tenor)?.spread_bps ?? null),
    }))
    .filter(({ values }) => values.some(value => value !== null))
  if (curves.length === 0) return null
  return (
    <Chart
      key={curves.map(({ name, values }) => `${name} ${values.join(' ')}`).join('; ')}
      title="Spread curves"
      label="Spread to Treasury by tenor of each company"
      draw={drawCurve(curves, { arePast: false })}
      table={() => [
        ['Company', ...tenors],
        ...curves.map(({ name, values }) => [name, ...values.map(v => (v === null ? null : basisPoints(v)))]),
      ]}
    />
  )
}
