import { type Day, formatDay } from '../credit/calendar.ts'
import { ALWAYS, type Filing } from './statement-filings.ts'
import type { Figure } from './statement-periods.ts'

/** A fact behind a figure. `filing` points into the filings of the lineage; a negative `sign` is subtracted. */
export interface LineageInput {
  readonly concept: string
  readonly start: string | null
  readonly end: string
  readonly value: number
  readonly filing: number
  readonly sign?: -1
}

export interface LineageFiling {
  readonly accession: string | null
  readonly form: string | null
  readonly filed: string | null
  readonly known_from: string | null
}

/** How each figure of a statement was formed; `reason` where it is null. Values are in units of the currency. */
export interface Lineage {
  readonly currency: string
  readonly items: Readonly<
    Record<
      string,
      { readonly method: string; readonly inputs: readonly LineageInput[] } | { readonly reason: string }
    >
  >
  readonly filings: readonly LineageFiling[]
}

const dated = (day: Day | null) => (day === null || day === ALWAYS ? null : formatDay(day))

export function lineageOf(figures: ReadonlyMap<string, Figure>, currency: string): Lineage {
  const filings: Filing[] = []
  const indexOf = (filing: Filing) => {
    const at = filings.indexOf(filing)
    return at >= 0 ? at : filings.push(filing) - 1
  }
  const items: Record<string, Lineage['items'][string]> = {}
  for (const [item, figure] of figures) {
    if (figure.value === null) {
      items[item] = { reason: figure.reason }
      continue
    }
    const inputs = figure.parts.flatMap(({ observation, sign }) =>
      observation.terms.map(
        ({ fact, sign: own }): LineageInput => ({
          concept: fact.concept,
          start: fact.start === null ? null : formatDay(fact.start),
          end: formatDay(fact.end),
          value: fact.value,
          filing: indexOf(observation.filing),
          ...(sign * own < 0 ? { sign: -1 } : {}),
        }),
      ),
    )
    items[item] = { method: figure.method, inputs }
  }
  return {
    currency,
    items,
    filings: filings.map(({ accession, form, filed, known }) => ({
      accession,
      form,
      filed: dated(filed),
      known_from: dated(known),
    })),
  }
}
