import type { Column } from '../../../../engine/schema/column.ts'
import { type Company, companies } from '../../../../engine/schema/resources/companies.ts'
import { TrancheError } from '../../../v1/client.ts'
import { href, setParams, useRoute } from '../../app/route.ts'
import { useAnyAge } from '../../ask/any-age.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Empty } from '../../parts/state.tsx'
import { dayText } from '../../show/days.ts'
import { exactly, NOTHING, withUnit } from '../../show/figures.ts'
import { whyMissing } from '../../show/missing.ts'
import { staleness } from '../../show/stale.ts'
import { titleOf } from '../../show/words.ts'
import { Letters, LiquidityRows, NextMaturities, SpreadCurves, SpreadRows } from './desk-rows.tsx'
import './compare.css'

export const MOST = 6

const groups = [
  ['Credit', ['rating_bucket', 'sector']],
  ['Leverage', ['leverage_ratio', 'net_leverage_ratio', 'secured_leverage', 'interest_coverage']],
  ['Size', ['total_debt', 'secured_debt', 'unsecured_debt', 'cash', 'net_debt', 'ebitda_ttm']],
  [
    'Maturities',
    ['debt_due_1yr', 'debt_due_2yr', 'debt_due_3yr', 'nearest_maturity', 'weighted_avg_maturity'],
  ],
  ['Structure', ['bond_count', 'entity_count', 'guarantor_count', 'has_structural_sub', 'has_floating_rate']],
  ['Figures', ['period_end_date', 'figures_age_days', 'is_annualized']],
] as const satisfies readonly (readonly [string, readonly (keyof Company & string)[]])[]

/** Loaded beside the rows: who it is, in which currency, and why there are no figures. */
const always = [
  'ticker',
  'name',
  'currency',
  'figures_null_because',
  'rating_null_because',
  'rating_age_days',
] as const satisfies readonly (keyof Company & string)[]

/** Up to six companies side by side, one column each. */
// Over 80 lines: the markup of one page.
export function Compare() {
  const given = useRoute().query.get('tickers') ?? ''
  const tickers = [
    ...new Set(
      given
        .toUpperCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    ),
  ]
  const shown = tickers.slice(0, MOST)
  const isOfAnyAge = useAnyAge()
  const answer = useAnswer(
    'search.companies',
    shown.length === 0
      ? null
      : { ticker: shown, limit: MOST, fields: [...always, ...groups.flatMap(([, names]) => names)] },
    { keep: true },
  )
  const put = (to: readonly string[]) => setParams({ tickers: to.join(',') || null })
  const unknown = unknownIn(answer.error)
  return (
    <div className="page">
      <header className="heading">
        <h1>Compare</h1>
        <form
          className="row"
          onSubmit={event => {
            event.preventDefault()
            const form = event.currentTarget
            put(
              [...shown, ...String(new FormData(form).get('tickers')).split(/[\s,]+/)]
                .filter(Boolean)
                .slice(0, MOST),
            )
            form.reset()
          }}
        >
          <input
            name="tickers"
            aria-label="Tickers to add"
            placeholder="Tickers"
            required
            disabled={shown.length >= MOST}
          />
          <button type="submit" disabled={shown.length >= MOST}>
            Add
          </button>
        </form>
        <p className="quiet" role="status">
          {tickers.length > MOST
            ? `The first ${MOST} of ${tickers.length} are shown: more do not fit side by side.`
            : shown.length === MOST
              ? 'Six is the most: remove one to add another.'
              : ''}
        </p>
      </header>
      {unknown.length > 0 && (
        <p className="row">
          <button type="button" onClick={() => put(shown.filter(ticker => !unknown.includes(ticker)))}>
            Leave out {unknown.join(', ')}
          </button>
        </p>
      )}
      {shown.length === 0 ? (
        <Empty>
          <p>
            <strong>Nothing to compare yet.</strong> Add up to six tickers above, or choose Compare on the
            page of a company.
          </p>
        </Empty>
      ) : (
        <Part answer={answer} what="companies">
          {({ data, meta }) => (
            <div className="kept" aria-busy={answer.isPlaceholderData}>
              <OldFigures rows={data as readonly Listed[]} isOfAnyAge={isOfAnyAge} />
              <Panel
                title={
                  answer.isPlaceholderData ? (
                    <span className="busy">Reading companies …</span>
                  ) : (
                    `As of ${dayText(String(meta['as_of']))}`
                  )
                }
              >
                <Table
                  rows={shown.flatMap(
                    ticker => (data as readonly Listed[]).find(row => row.ticker === ticker) ?? [],
                  )}
                  remove={ticker => put(shown.filter(other => other !== ticker))}
                />
              </Panel>
              <SpreadCurves tickers={shown} />
            </div>
          )}
        </Part>
      )}
    </div>
  )
}

/** A company that was found by its ticker. */
type Listed = Company & { readonly ticker: string }

/** Tickers that the server does not know, as its error lists them. */
function unknownIn(error: unknown): readonly string[] {
  const unknown = error instanceof TrancheError ? error.details['unknown'] : undefined
  return Array.isArray(unknown) ? unknown.map(String) : []
}

/** Which companies' figures are too old to be compared, and a button that shows them nevertheless. */
function OldFigures({ rows, isOfAnyAge }: { rows: readonly Listed[]; isOfAnyAge: boolean }) {
  const old = rows.filter(row => row.figures_null_because === 'stale' && row.period_end_date !== null)
  if (old.length === 0 && !isOfAnyAge) return null
  const days = old.map(row => `${row.ticker} ${dayText(row.period_end_date!)}`)
  return (
    <p className="warnings stale-figures">
      {isOfAnyAge
        ? 'Figures of any age are shown: see the period end of each.'
        : `Figures too old to stand for today are left out: ${days.join(', ')}.`}
      <button type="button" onClick={() => setParams({ max_age: isOfAnyAge ? null : 'none' })}>
        {isOfAnyAge ? 'Hide old ones' : 'Show them'}
      </button>
    </p>
  )
}

/** A figure of a company with the reason where there is none, underlined where it is stale. */
function Figure({ row, name }: { row: Listed; name: keyof typeof companies.columns & keyof Listed }) {
  const column: Column = companies.columns[name]
  const value = row[name] ?? null
  const why = value === null ? whyMissing(name, row) : staleness(name, row)
  return (
    <td
      className="number"
      title={[why, exactly(column, value, row.currency)].filter(Boolean).join(': ') || undefined}
    >
      {value === null ? (
        <>
          {NOTHING} {name === 'rating_bucket' && why !== null && <span className="quiet small">{why}</span>}
        </>
      ) : (
        <span className={why === null ? undefined : 'stale'}>{withUnit(column, value, row.currency)}</span>
      )}
    </td>
  )
}

// Over 80 lines: the markup of one table.
function Table({ rows, remove }: { rows: readonly Listed[]; remove: (ticker: string) => void }) {
  const tickers = rows.map(({ ticker }) => ticker)
  return (
    <Scroll label="Companies side by side">
      <table className="plain compare">
        <thead>
          <tr>
            <th>
              <span className="quiet">{rows.length} companies</span>
            </th>
            {rows.map(({ ticker, name }) => (
              <th key={ticker} className="number">
                <a href={href(['company', ticker])}>{name}</a>{' '}
                <button
                  type="button"
                  className="plain"
                  aria-label={`Remove ${ticker}`}
                  onClick={() => remove(ticker)}
                >
                  ×
                </button>
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(([group, names]) => (
          <tbody key={group}>
            <tr>
              <th scope="colgroup" colSpan={rows.length + 1}>
                {group}
              </th>
            </tr>
            {group === 'Credit' && <Letters tickers={tickers} />}
            {names.map(name => (
              <tr key={name}>
                <th scope="row" title={companies.columns[name].doc}>
                  {titleOf(name)}
                </th>
                {rows.map(row => (
                  <Figure key={row.ticker} row={row} name={name} />
                ))}
              </tr>
            ))}
            {group === 'Maturities' && <NextMaturities tickers={tickers} />}
          </tbody>
        ))}
        <tbody>
          <tr>
            <th scope="colgroup" colSpan={rows.length + 1}>
              Spreads
            </th>
          </tr>
          <SpreadRows tickers={tickers} />
        </tbody>
        <tbody>
          <tr>
            <th scope="colgroup" colSpan={rows.length + 1}>
              Liquidity
            </th>
          </tr>
          <LiquidityRows tickers={tickers} />
        </tbody>
      </table>
    </Scroll>
  )
}
