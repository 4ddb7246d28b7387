import { formatDay } from '../../credit/calendar.ts'
import { minorUnits } from '../statements/minor-units.ts'
import type { DebtTable } from './company-debt.ts'
import type { InstrumentRow } from './instrument-row.ts'
import { empty } from './loaded-instruments.ts'

interface Figure {
  readonly concept: string
  readonly value: number
  readonly end: number
  readonly source: string | null
}

/** What a filing tags of debt for the whole company: lines that no instrument stands for, and what is committed to it. */
export const companyLines = (company: string, table: DebtTable): InstrumentRow[] => [
  ...borrowedLines(company, table),
  ...committedLine(company, table),
]

/**
 * Commercial paper, other short-term borrowings and other long-term debt that a filing tags for the whole company:
 * instruments beside those it tags one by one. They stay a line of the reconciliation, so none is in its sum of instruments.
 */
function borrowedLines(company: string, table: DebtTable): InstrumentRow[] {
  return table.shortTerm.flatMap(figure => {
    if (figure.value <= 0) return []
    const isPaper = figure.concept.endsWith(':CommercialPaper')
    const name = isPaper
      ? 'Commercial Paper'
      : figure.concept.endsWith(':OtherLongTermDebt')
        ? 'Other Long-Term Debt'
        : 'Short-Term Borrowings'
    const row = lineOf(company, table, name, figure)
    return [
      {
        ...row,
        carrying_amount: minor(table, figure),
        balance_date: formatDay(table.day),
        instrument_type: isPaper ? 'commercial_paper' : null,
        is_group: !isPaper,
        is_current: true,
        evidence: {
          carrying_amount: said(table, figure),
          ...(isPaper && { instrument_type: { name: figure.concept } }),
        },
      } satisfies InstrumentRow,
    ]
  })
}

/**
 * What is committed to the whole company, of one facility or of all together: current only where no facility of its own is
 * known (`isOnlyIfNone`).
 */
function committedLine(company: string, table: DebtTable): InstrumentRow[] {
  if (table.committed === null) return []
  const { commitment, undrawn } = table.committed
  const row = lineOf(company, table, 'Credit Facilities', commitment)
  return [
    {
      ...row,
      instrument_type: 'revolver',
      commitment: minor(table, commitment),
      undrawn: undrawn && minor(table, undrawn),
      is_group: true,
      is_current: false,
      isOnlyIfNone: true,
      evidence: {
        commitment: said(table, commitment),
        instrument_type: { name: commitment.concept },
        ...(undrawn && { undrawn: said(table, undrawn) }),
      },
    },
  ]
}

const minor = ({ filing }: DebtTable, { value }: Figure): number =>
  Math.round(value * minorUnits(filing.currency))

const said = ({ filing }: DebtTable, { concept, value, end, source }: Figure): object => ({
  concept,
  value,
  unit: filing.currency,
  date: formatDay(end),
  accession: filing.accession,
  source,
})

function lineOf(company: string, table: DebtTable, name: string, { source }: Figure): InstrumentRow {
  const { filing, day } = table
  const row = empty(
    company,
    {
      instrument_id: null,
      cusip: null,
      isin: null,
      name,
      carrying_amount: null,
      balance_date: formatDay(day),
      accession: filing.accession,
      source,
      known_from: filing.known < -500_000 ? null : formatDay(filing.known),
    },
    null,
  )
  return { ...row, currency: filing.currency, is_counted: false, form: filing.form }
}
