import type { Column } from '../../../engine/schema/column.ts'
import { href } from '../app/route.ts'
import { exactly, memberOf, NOTHING, shown } from '../show/figures.ts'
import { whyMissing } from '../show/missing.ts'
import { staleness } from '../show/stale.ts'

/** A value in a column, exact on hover, marked if stale; linked if it has a page of its own. */
export function Cell({ name, column, row }: { name: string; column: Column; row: object }) {
  const value = memberOf(row, name)
  const currency = memberOf(row, 'currency')
  const isForeign = column.kind === 'cents' && typeof currency === 'string' && currency !== 'USD'
  const text = shown(column, value)
  if (text === NOTHING)
    return (
      <span className="quiet" title={whyMissing(name, row) ?? undefined}>
        {NOTHING}
      </span>
    )
  const to = pageOf(name, column, row, String(value))
  if (to)
    return (
      <a href={to} tabIndex={-1}>
        {text}
      </a>
    )
  const exact = exactly(column, value, currency)
  if (exact === null) return text
  const old = staleness(name, row)
  return (
    <span className={old === null ? undefined : 'stale'} title={old === null ? exact : `${exact}; ${old}`}>
      {text}
      {isForeign && ` ${currency}`}
      {old !== null && <span className="hidden"> stale</span>}
    </span>
  )
}

function pageOf(name: string, column: Column, row: object, value: string): string | null {
  if (name === 'name' && 'to' in row) return String(row.to)
  if (column.format === 'ticker') return href(['company', value])
  if (column.format === 'cusip') return href(['bond', value])
  if (name === 'bond_name' || ((name === 'display_name' || name === 'name') && 'seniority' in row)) {
    // An instrument may be no bond that is known.
    const bond = memberOf(row, 'cusip') ?? memberOf(row, 'bond_id' in row ? 'bond_id' : 'id')
    return bond === null || bond === undefined ? null : href(['bond', String(bond)])
  }
  if (name === 'covenant_name' && 'id' in row && typeof memberOf(row, 'ticker') === 'string')
    return href(['company', String(memberOf(row, 'ticker'))], { covenant: String(row.id) })
  const company = memberOf(row, 'ticker') ?? memberOf(row, 'company_ticker')
  if ((name === 'name' || name === 'company_name') && typeof company === 'string')
    return href(['company', company])
  return null
}
