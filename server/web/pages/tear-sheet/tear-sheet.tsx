import type { Column } from '../../../../engine/schema/column.ts'
import { companies } from '../../../../engine/schema/resources/companies.ts'
import { financials } from '../../../../engine/schema/resources/financials.ts'
import type { PageProps } from '../../app/pages.ts'
import { href } from '../../app/route.ts'
import { useFirstPrints } from '../../ask/first-prints.ts'
import { useAllRows } from '../../ask/rows.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { caveatsOf } from '../../show/company-caveats.ts'
import { dayText } from '../../show/days.ts'
import { money, NOTHING, shown, withUnit } from '../../show/figures.ts'
import { owedOf } from '../../show/owed.ts'
import { type Explained, proofLines } from '../../show/proof.ts'
import { yearsUntil } from '../../show/statement.ts'
import { titleOf, wordsOf } from '../../show/words.ts'
import './tear-sheet.css'

const metrics = [
  'total_debt',
  'secured_debt',
  'net_debt',
  'cash',
  'ebitda_ttm',
  'leverage_ratio',
  'net_leverage_ratio',
  'interest_coverage',
  'debt_due_1yr',
  'debt_due_2yr',
  'debt_due_3yr',
  'nearest_maturity',
  'sp_rating',
  'moodys_rating',
  'fitch_rating',
] as const

const lines = [
  'revenue',
  'ebitda',
  'interest_expense',
  'net_income',
  'free_cash_flow',
  'cash_and_equivalents',
  'total_debt',
  'leverage_ratio',
] as const

/** Filings at the end of a figure's proof, each once. */
function sourcesOf(figure: string, all: Readonly<Record<string, Explained>>): string[] {
  const sources = proofLines(figure, all).flatMap(({ input: { accession, form, filed, bond_id } }) =>
    accession
      ? [[form, filed && dayText(filed), accession].filter(Boolean).join(' ')]
      : bond_id
        ? ['terms of its bonds']
        : [],
  )
  return [...new Set(sources)]
}

/** One page to print: a company's figures, each with the filings it comes from. */
// Over 80 lines: the markup of one page.
export function TearSheet({ path: [, ticker = ''] }: PageProps) {
  const found = useAnswer('search.companies', { ticker, explain: true, include_metadata: true })
  const isFirstPrint = useFirstPrints()
  return (
    <div className="page tear-sheet">
      <Part answer={found} what={ticker}>
        {({ data: [company], meta }) => {
          if (!company) return <p>{ticker} was not known then.</p>
          const all = (company._explain ?? {}) as Readonly<Record<string, Explained>>
          const numbers = new Map<string, number>()
          const noteOf = (source: string): number => {
            const known = numbers.get(source)
            if (known !== undefined) return known
            numbers.set(source, numbers.size + 1)
            return numbers.size
          }
          const noted = metrics.map(name => ({ name, notes: sourcesOf(name, all).map(noteOf) }))
          return (
            <>
              <header className="heading">
                <h1>{company.name}</h1>
                <p className="quiet">
                  {[company.ticker, company.sector, company.industry].filter(Boolean).join(' · ')}
                </p>
                <span className="spread" />
                <p className="quiet">
                  as of {dayText(String(meta['as_of']))}
                  {isFirstPrint && ', figures as first reported'}
                </p>
                <a className="button no-print" href={href(['company', ticker])}>
                  Company
                </a>
                <button type="button" className="primary no-print" onClick={() => print()}>
                  Print
                </button>
              </header>
              <section>
                <h2>Credit</h2>
                <dl className="sheet-figures">
                  {noted.map(({ name, notes }) => {
                    const column: Column = companies.columns[name]
                    const value = company[name]
                    return (
                      <div key={name}>
                        <dt>{titleOf(name)}</dt>
                        <dd>
                          {column.kind === 'cents'
                            ? money(value as number | null, company.currency ?? 'USD')
                            : withUnit(column, value)}
                          {notes.length > 0 && <sup>{notes.join(' ')}</sup>}
                        </dd>
                      </div>
                    )
                  })}
                </dl>
              </section>
              <Years ticker={ticker} until={company.period_end_date ?? String(meta['as_of'])} />
              <Claims ticker={ticker} />
              <section>
                <h2>Sources</h2>
                <ol className="sources small">
                  {[...numbers.keys()].map(source => (
                    <li key={source}>{source}</li>
                  ))}
                </ol>
                {company.period_end_date !== null && (
                  <p className="small">
                    {company.figures_null_because === 'stale'
                      ? `The newest figures are of ${dayText(company.period_end_date)}, too old to stand for today.`
                      : `Figures of statements are of ${dayText(company.period_end_date)}.`}
                  </p>
                )}
                {caveatsOf(company).map(text => (
                  <p key={text} className="small">
                    {text}
                  </p>
                ))}
                <p className="quiet small">
                  Snapshot {String(meta['snapshot'])}. Superscripts name the filings that a figure comes from;
                  statements name theirs below each column.
                </p>
              </section>
            </>
          )
        }}
      </Part>
    </div>
  )
}

/** Statements of five years until the balance date of the newest. */
function Years({ ticker, until }: { ticker: string; until: string }) {
  const answer = useAllRows('search.financials', {
    ticker,
    period: 'TTM',
    fiscal_year: yearsUntil(until),
    sort: '-period_end_date',
    limit: 40,
  })
  const rows = (answer.data ?? []).filter((row, at) => at === 0 || row.fiscal_quarter === 4).slice(0, 5)
  if (rows.length === 0) return null
  return (
    <section>
      <h2>Twelve months to, {rows[0]?.currency ?? 'USD'} mm</h2>
      <Scroll label="Table">
        <table className="plain">
          <thead>
            <tr>
              <th> </th>
              {rows.map(row => (
                <th key={row.period_end_date} className="number">
                  {dayText(row.period_end_date)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(name => (
              <tr key={name}>
                <td>{titleOf(name)}</td>
                {rows.map(row => (
                  <td key={row.period_end_date} className="number">
                    {shown(financials.columns[name], row[name])}
                  </td>
                ))}
              </tr>
            ))}
            <tr className="quiet">
              <td>Source</td>
              {rows.map(row => (
                <td key={row.period_end_date} className="number small">
                  {row.filing_type}
                  <br />
                  {row.accession ?? NOTHING}
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </Scroll>
    </section>
  )
}

function Claims({ ticker }: { ticker: string }) {
  const answer = useAllRows('search.instruments', {
    ticker,
    sort: 'maturity_year',
    limit: 100,
    fields: [
      'id',
      'name',
      'issuer',
      'seniority',
      'carrying_amount',
      'principal',
      'drawn',
      'commitment',
      'part_of',
      'coupon_rate',
      'maturity_year',
      'currency',
      'form',
      'accession',
      'balance_date',
    ],
  })
  const rows = answer.data ?? []
  if (rows.length === 0) return null
  return (
    <section>
      <h2>Debt</h2>
      <Scroll label="Table">
        <table className="plain">
          <thead>
            <tr>
              <th>Instrument</th>
              <th>Rank</th>
              <th className="number">Amount</th>
              <th className="number">Due</th>
              <th>Source</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={row.id}>
                <td>
                  {row.name}
                  {row.part_of && <div className="quiet small">in {row.part_of}</div>}
                </td>
                <td>{row.seniority ? wordsOf(row.seniority) : NOTHING}</td>
                <td className="number">{money(owedOf(row), row.currency)}</td>
                <td className="number">{row.maturity_year ?? NOTHING}</td>
                <td className="small quiet">
                  {[row.form, row.accession, row.balance_date && `balance of ${dayText(row.balance_date)}`]
                    .filter(Boolean)
                    .join(' ') || 'terms as loaded'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  )
}
