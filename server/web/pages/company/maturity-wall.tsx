import { useMemo } from 'react'
import type { Maturity } from '../../../../engine/schema/resources/maturities.ts'
import { useAllRows } from '../../ask/rows.ts'
import { barsTable, drawBars } from '../../parts/bars.ts'
import { Chart } from '../../parts/chart.tsx'
import { Panel, Part } from '../../parts/part.tsx'
import { Empty } from '../../parts/state.tsx'
import { dayText } from '../../show/days.ts'
import { fixed, MILLION, money } from '../../show/figures.ts'

/** Principal due by year: as filed beside the bonds known, or the number of issues if no amount is known. */
export function MaturityWall({ ticker }: { ticker: string }) {
  const answer = useAllRows('search.maturities', { ticker, limit: 100 })
  if (answer.data?.some(({ year, due, bond_count }) => year !== null && (due !== null || bond_count > 0)))
    return <Wall rows={answer.data} />
  return (
    <Panel title="Maturity wall" className="whole">
      <Part answer={answer} what="maturities">
        {rows => (
          <Empty>
            {rows.some(({ bond_count }) => bond_count > 0) ? (
              <p>Its filings tag debt by instrument, but no maturities: its debt tables may say them.</p>
            ) : (
              <p>No maturities known: load its filings with XBRL, or bonds with their amounts.</p>
            )}
          </Empty>
        )}
      </Part>
    </Panel>
  )
}

/** `2027`, or `2030 on` for the open last period. */
const nameOf = ({ year, period_end }: Maturity): string => (period_end === null ? `${year} on` : `${year}`)

function Wall({ rows }: { rows: readonly Maturity[] }) {
  const dated = useMemo(() => rows.filter(({ year }) => year !== null), [rows])
  const isCount = dated.every(({ due, filed_due }) => !due && !filed_due)
  const isFiled = dated.some(({ filed_due }) => filed_due !== null)
  const options = useMemo(() => {
    const inMillions = (amount: number | null) => (amount === null ? null : amount / MILLION)
    const stacks = isCount
      ? [{ name: 'Issues', values: dated.map(({ bond_count }) => bond_count || null) }]
      : [
          ...(isFiled ? [{ name: 'As filed', values: dated.map(row => inMillions(row.filed_due)) }] : []),
          ...(dated.some(({ bonds_due }) => bonds_due !== null)
            ? [{ name: 'Bonds and loans known', values: dated.map(row => inMillions(row.bonds_due)) }]
            : []),
        ]
    return {
      names: dated.map(nameOf),
      unit: isCount ? 'issues' : (dated[0]?.currency ?? 'USD'),
      reading: (value: number) => (isCount ? fixed(value, 0) : money(value * MILLION, dated[0]?.currency)),
      isWhole: isCount,
      isSideBySide: true,
      stacks,
    }
  }, [dated, isCount, isFiled])
  const draw = useMemo(() => drawBars(options), [options])
  const unknown = dated.reduce((sum, row) => sum + row.bonds_unknown + row.bonds_in_other_currency, 0)
  const undated = rows.find(({ year }) => year === null)
  const isOld = rows.some(row => row.filed_null_because === 'stale' || row.bonds_null_because === 'stale')
  const notes = [
    ...(isFiled ? [`schedule of ${dayText(dated[0]!.filed_balance_date ?? '')}`] : []),
    ...(isCount
      ? [isOld ? 'amounts as filed are too old' : 'amounts are not known']
      : unknown > 0
        ? [`without ${unknown} of ${isOld ? 'unknown or too old' : 'unknown'} amount`]
        : []),
    ...(undated && undated.bond_count > 0 && undated.bonds_due !== 0
      ? [
          `${undated.bonds_due === null ? '' : `${money(undated.bonds_due, undated.currency)} in `}${undated.bond_count} without a maturity`,
        ]
      : []),
  ]
  return (
    <Chart
      title={isCount ? 'Maturity wall, number of issues' : 'Maturity wall'}
      label={
        isCount
          ? 'Number of issues by year of maturity; their amounts are not known'
          : 'Principal due by year, as filed and by the bonds and loans known'
      }
      draw={draw}
      table={() => barsTable(options, 'Year')}
      tools={notes.length > 0 && <span className="quiet small">{notes.join(', ')}</span>}
    />
  )
}
