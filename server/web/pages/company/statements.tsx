import { useMemo, useState } from 'react'
import type { Column } from '../../../../engine/schema/column.ts'
import { type FinancialStatement, financials } from '../../../../engine/schema/resources/financials.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Segments } from '../../parts/segments.tsx'
import { Empty } from '../../parts/state.tsx'
import { dayText } from '../../show/days.ts'
import { exactly, fixed, NOTHING, shown } from '../../show/figures.ts'
import {
  growthOf,
  type Line,
  marginOf,
  periodOf,
  restatedFrom,
  statementLines,
  YEARS,
  yearBefore,
  yearsUntil,
} from '../../show/statement.ts'
import { titleOf } from '../../show/words.ts'
import { openProof } from './proof.tsx'

const QUARTERS = 4

/**
 * Five years of statements until the balance date of the newest, by year or quarter, with growth and margins; a figure opens its
 * proof.
 */
export function Statements({ ticker, until }: { ticker: string; until: string }) {
  const [by, setBy] = useState<'years' | 'quarters'>('years')
  const asked = {
    ticker,
    fiscal_year: yearsUntil(until),
    ...(by === 'years' && { period: 'TTM' }),
    sort: '-period_end_date',
    limit: 100,
  } as const
  const latest = useAllRows('search.financials', asked)
  const original = useAllRows('search.financials', { ...asked, reported: 'original' })
  return (
    <Panel
      title="Statements"
      tools={
        <>
          <span className="quiet small">Any figure opens its proof. R: restated, first figure on hover</span>
          <Segments
            label="Statements by"
            options={['years', 'quarters'] as const}
            value={by}
            set={setBy}
            named={option => (option === 'years' ? 'Years' : 'Quarters')}
          />
        </>
      }
    >
      <Part answer={latest} what="statements">
        {rows =>
          rows.length === 0 ? (
            <Empty>
              <p>No statements. Load the company’s filings (companyfacts, statement data sets).</p>
            </Empty>
          ) : (
            <Table rows={rows} originals={original.data ?? []} isYears={by === 'years'} />
          )
        }
      </Part>
    </Panel>
  )
}

/** The newest statement and those of full years before it, or each of the quarters. */
function columnsOf(rows: readonly FinancialStatement[], isYears: boolean): FinancialStatement[] {
  const chosen = isYears ? rows.filter((row, at) => at === 0 || row.fiscal_quarter === QUARTERS) : rows
  const [newest] = chosen
  const isPart = isYears && newest?.fiscal_quarter !== QUARTERS
  return chosen.slice(0, isYears ? YEARS + (isPart ? 1 : 0) : YEARS * QUARTERS)
}

const nameOf = (row: FinancialStatement, isYears: boolean): string =>
  !isYears ? periodOf(row) : row.fiscal_quarter === QUARTERS ? `FY${row.fiscal_year}` : `LTM ${periodOf(row)}`

interface TableProps {
  readonly rows: readonly FinancialStatement[]
  readonly originals: readonly FinancialStatement[]
  readonly isYears: boolean
}

function Table({ rows, originals, isYears }: TableProps) {
  const columns = columnsOf(rows, isYears)
  const first = useMemo(() => new Map(originals.map(row => [row.period_end_date, row])), [originals])
  const known = statementLines.filter(line => columns.some(row => typeof row[line.name] === 'number'))
  const currency = columns[0]?.currency ?? 'USD'
  return (
    <Scroll label="Statements" className="statements">
      <table className="plain">
        <thead>
          <tr>
            <th>{currency === 'USD' ? '$mm' : `${currency} mm`}</th>
            {columns.map(row => (
              <th key={row.period_end_date} className="number" title={`Filed ${row.filed_date ?? NOTHING}`}>
                {nameOf(row, isYears)}
                <div className="quiet">{dayText(row.period_end_date)}</div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {known.map(line => (
            <tr key={line.kind + line.name} className={line.kind === 'figure' ? undefined : 'quiet'}>
              <th scope="row">{labelOf(line)}</th>
              {columns.map(row => (
                <td key={row.period_end_date} className="number">
                  {line.kind === 'figure' ? (
                    <Figure line={line} row={row} isYears={isYears} originals={first} />
                  ) : (
                    ratioText(line, row, rows)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

const labelOf = ({ kind, name }: Line): string =>
  kind === 'figure' ? titleOf(name) : kind === 'growth' ? 'growth on the year' : 'margin'

function ratioText(
  { kind, name }: Line,
  row: FinancialStatement,
  all: readonly FinancialStatement[],
): string {
  const value =
    kind === 'margin' ? marginOf(row[name], row.revenue) : growthOf(row[name], yearBefore(row, all)?.[name])
  if (value === null) return NOTHING
  return `${kind === 'growth' && value > 0 ? '+' : ''}${fixed(value, 1)}%`
}

function Figure({
  line: { name },
  row,
  isYears,
  originals,
}: {
  line: Line
  row: FinancialStatement
  isYears: boolean
  originals: ReadonlyMap<string, FinancialStatement>
}) {
  const column: Column = financials.columns[name]
  const value = row[name]
  if (value === null) return <>{NOTHING}</>
  const before = restatedFrom(name, row, originals)
  return (
    <>
      {before !== null && (
        <span className="tag" title={`Restated: first reported as ${exactly(column, before, row.currency)}`}>
          R
        </span>
      )}{' '}
      <button
        type="button"
        className="plain figure"
        title={exactly(column, value, row.currency) ?? undefined}
        aria-label={`${titleOf(name)} ${nameOf(row, isYears)}: ${shown(column, value)}${before === null ? '' : ', restated'}`}
        onClick={() => openProof(name, `${periodOf(row)}${isYears ? '-TTM' : ''}`)}
      >
        {shown(column, value)}
      </button>
    </>
  )
}
