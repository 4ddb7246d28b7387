import { isRestatement, nameWithoutRestatement, tenorOf } from './instrument-key.ts'

interface Agreement {
  readonly company_id: string | null
  readonly instrument_name: string | null
  readonly agreement_date: string | null
}

interface Ending extends Agreement {
  readonly instrument_name: string
  readonly agreement_date: string
  readonly section: string | null
  readonly is_existing: boolean
}

/** The dates of a company's agreements of one name, and whether each is named as a restatement. */
type Dated = Map<string, boolean>

/**
 * The endings that end a covenant's agreement because they end what restates it. A document that ends the existing
 * `Amended and Restated Credit Agreement dated 2013-08-07` ends the one of 2007 too, which no other document names: the
 * company's earlier agreements of that name are one chain if all but the first are restatements. Of two that may have been
 * restated none ends.
 */
export function formerAgreements<E extends Ending>(
  rows: readonly Agreement[],
  endings: readonly E[],
): (row: Agreement) => readonly (E & { readonly ending: number })[] {
  const agreements = new Map<string, Dated>()
  for (const row of rows) {
    const key = keyOf(row)
    if (key === null || row.instrument_name === null || row.agreement_date === null) continue
    const dated = agreements.get(key) ?? new Map<string, boolean>()
    const isRestated = isRestatement(row.instrument_name)
    dated.set(row.agreement_date, isRestated || (dated.get(row.agreement_date) ?? false))
    agreements.set(key, dated)
  }
  const ended = new Map<string, (E & { readonly ending: number })[]>()
  for (const [i, ending] of endings.entries()) {
    const key = keyOf(ending)
    const isOfChain = ending.section === null && ending.is_existing && isRestatement(ending.instrument_name)
    if (key === null || !isOfChain || !isChain(agreements.get(key), ending.agreement_date)) continue
    ended.set(key, [...(ended.get(key) ?? []), { ...ending, ending: i }])
  }
  return row => {
    const key = keyOf(row)
    const date = row.agreement_date
    if (key === null || date === null) return []
    return (ended.get(key) ?? []).filter(({ agreement_date }) => date < agreement_date)
  }
}

/** Whether agreements dated before a day are one that was restated again and again. */
function isChain(dated: Dated | undefined, day: string): boolean {
  const earlier = [...(dated ?? [])].filter(([date]) => date < day).sort(([a], [b]) => (a < b ? -1 : 1))
  return earlier.slice(1).every(([, isRestated]) => isRestated)
}

/** A company and what it calls an agreement, whether restated or not. */
function keyOf({ company_id, instrument_name }: Agreement): string | null {
  if (company_id === null || instrument_name === null) return null
  return [company_id, nameWithoutRestatement(instrument_name), tenorOf(instrument_name)].join('\n')
}
