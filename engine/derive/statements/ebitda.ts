import { smallest } from '../../base/lists.ts'
import type { Item } from './concepts.ts'
import type { Figure, Formed } from './periods.ts'

export interface Ebitda {
  readonly figure: Figure
  readonly source: string | null
  readonly estimated: boolean
  /** The figures that it is the sum of; none if it was loaded. */
  readonly items: readonly Item[]
}

/** EBITDA as loaded, else operating income plus depreciation and amortisation, else the same from income before tax. */
export function ebitdaOf(get: (item: Item) => Figure): Ebitda {
  const reported = get('ebitda')
  if (reported.value !== null) return { figure: reported, source: 'reported', estimated: false, items: [] }
  const charge = get('depreciation_amortization')
  const operating = get('operating_income')
  const of = (figures: readonly Figure[], names: readonly string[]): Ebitda => {
    const estimated = charge.value === null
    const items = [...names, ...(estimated ? [] : ['depreciation_amortization'])]
    return {
      figure: added([...figures, charge]),
      source: items.join(' + '),
      estimated,
      items: items as Item[],
    }
  }
  if (operating.value !== null) return of([operating], ['operating_income'])
  const pretax = get('pretax_income')
  const expense = get('interest_expense')
  const [interest, interestName] =
    expense.value !== null ? [expense, 'interest_expense'] : [negated(get('net_interest')), 'net_interest']
  if (pretax.value !== null && interest.value !== null)
    return of([pretax, interest], ['pretax_income', interestName])
  return {
    figure: {
      value: null,
      reason: `operating income: ${operating.reason}; income before tax and interest do not both stand in`,
    },
    source: null,
    estimated: false,
    items: [],
  }
}

const negated = (figure: Figure): Figure =>
  figure.value === null
    ? figure
    : {
        ...figure,
        value: -figure.value,
        parts: figure.parts.map(({ observation, times }) => ({ observation, times: -times })),
      }

function added(figures: readonly Figure[]): Formed {
  const there = figures.filter(figure => figure.value !== null)
  return {
    value: there.reduce((sum, figure) => sum + figure.value, 0),
    method: [...new Set(there.map(figure => figure.method))].join(' + '),
    parts: there.flatMap(figure => figure.parts),
    quarters: smallest(there.map(figure => figure.quarters)),
    annualized: there.some(figure => figure.annualized),
    beforeRestatement: there.some(figure => figure.beforeRestatement),
    reason: null,
  }
}
