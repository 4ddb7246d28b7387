import { type Day, formatDay } from '../credit/calendar.ts'
import type { Term } from './concepts.ts'
import { ALWAYS, type Fact, type Filing } from './statement-filings.ts'
import type { Figure } from './statement-periods.ts'

/** How each figure of a statement was formed. Values are in units of the currency, not in minor units. */
export interface Lineage {
  readonly currency: string
  /** `add` and `subtract` point into `facts`; `reason` says why there is no figure. */
  readonly items: Readonly<Record<string, LineageItem>>
  readonly facts: readonly {
    readonly concept: string
    /** First day of a flow; left out for a balance. */
    readonly start?: string
    readonly end: string
    readonly value: number
    /** Points into `filings`. */
    readonly filing: number
  }[]
  readonly filings: readonly {
    readonly accession: string | null
    readonly form: string | null
    readonly filed: string | null
    readonly known_from: string | null
  }[]
}

export type LineageItem =
  | { readonly method: string; readonly add: readonly number[]; readonly subtract?: readonly number[] }
  | { readonly reason: string }

const dated = (day: Day | null) => (day === null || day === ALWAYS ? null : formatDay(day))

export function lineageOf(figures: ReadonlyMap<string, Figure>, currency: string): Lineage {
  const filings = new Map<Filing, number>()
  const facts = new Map<Fact, number>()
  const said: Lineage['facts'][number][] = []
  const filingAt = (filing: Filing) => {
    const at = filings.get(filing) ?? filings.size
    filings.set(filing, at)
    return at
  }
  const factAt = ({ fact }: Term<Fact>, filing: Filing) => {
    const known = facts.get(fact)
    if (known !== undefined) return known
    facts.set(fact, said.length)
    const { concept, start, end, value } = fact
    const from = start === null ? {} : { start: formatDay(start) }
    return said.push({ concept, ...from, end: formatDay(end), value, filing: filingAt(filing) }) - 1
  }
  const items: Record<string, LineageItem> = {}
  for (const [item, figure] of figures) {
    if (figure.value === null) {
      items[item] = { reason: figure.reason }
      continue
    }
    const add: number[] = []
    const subtract: number[] = []
    for (const { observation, sign } of figure.parts)
      for (const term of observation.terms)
        (sign * term.sign > 0 ? add : subtract).push(factAt(term, observation.filing))
    items[item] = { method: figure.method, add, ...(subtract.length ? { subtract } : {}) }
  }
  return {
    currency,
    items,
    facts: said,
    filings: [...filings.keys()].map(({ accession, form, filed, known }) => ({
      accession,
      form,
      filed: dated(filed),
      known_from: dated(known),
    })),
  }
}
