import { formatDay } from '../../credit/calendar.ts'
import { minorUnits } from '../statements/minor-units.ts'
import type { DebtTable } from './company-debt.ts'
import type { InstrumentRow } from './instrument-row.ts'
import { empty } from './loaded-instruments.ts'

/**
 * Commercial paper and other short-term borrowings that a filing tags for the whole company: instruments beside those it
 * tags one by one. They stay a line of the reconciliation, so none is in its sum of instruments.
 */
export function shortTermRows(company: string, { filing, day, shortTerm }: DebtTable): InstrumentRow[] {
  return shortTerm.flatMap(({ concept, value, end, source }) => {
    if (value <= 0) return []
    const isPaper = concept.endsWith(':CommercialPaper')
    const name = isPaper ? 'Commercial Paper' : 'Short-Term Borrowings'
    const said = {
      concept,
      value,
      unit: filing.currency,
      date: formatDay(end),
      accession: filing.accession,
      source,
    }
    const row = empty(
      company,
      {
        instrument_id: null,
        cusip: null,
        isin: null,
        name,
        carrying_amount: Math.round(value * minorUnits(filing.currency)),
        balance_date: formatDay(day),
        accession: filing.accession,
        source,
        known_from: filing.known < -500_000 ? null : formatDay(filing.known),
      },
      null,
    )
    return [
      {
        ...row,
        carrying_amount: Math.round(value * minorUnits(filing.currency)),
        currency: filing.currency,
        balance_date: formatDay(day),
        instrument_type: isPaper ? 'commercial_paper' : null,
        is_group: !isPaper,
        is_counted: false,
        is_current: true,
        form: filing.form,
        evidence: {
          carrying_amount: said,
          ...(isPaper && { instrument_type: { name: concept } }),
        },
      } satisfies InstrumentRow,
    ]
  })
}
