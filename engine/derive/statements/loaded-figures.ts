import { addMonths, isEndOfMonth } from '../../credit/calendar.ts'
import type { FiscalCalendar, Slot } from './calendar.ts'
import type { Item } from './concepts.ts'
import { ALWAYS, type Fact, type Filing, type Observation, type Observed, type Withheld } from './filings.ts'
import { isFlow } from './item-kinds.ts'
import type { LoadedRow } from './loaded-row.ts'
import { minorUnits } from './minor-units.ts'

/** The fiscal quarter of a loaded row; null if it fits none. */
export function slotOfLoaded(row: LoadedRow, calendar: FiscalCalendar): Slot | null {
  const named = calendar.slotNamed({ year: row.fiscalYear, quarter: row.fiscalQuarter })
  const end = named === null ? undefined : calendar.endOf(named)
  if (named !== null && (end === undefined || Math.abs(end - row.end) <= 45)) return named
  return calendar.slotOf(row.end)
}

/** Tier of the user's own figures, which take precedence over filings. */
export const LOADED = -1

/**
 * What a loaded row says.
 * @param quarters the first of its flows, if the calendar has it, and that of its balances
 */
export function observeLoaded(
  row: LoadedRow,
  { first, slot }: { readonly first: Slot | null; readonly slot: Slot },
  quarantined: ReadonlyMap<Item, string>,
): Observed {
  const filing: Filing = {
    id: row.accession ?? `loaded ${slot} ${row.months} ${row.filed} ${row.known}`,
    accession: row.accession,
    form: row.form,
    report: row.end,
    filed: row.filed,
    known: row.known ?? ALWAYS,
    fiscalYear: row.fiscalYear,
    fiscalPeriod: null,
    currency: row.currency,
    precision: 0,
  }
  const minor = minorUnits(row.currency)
  const found: Observation[] = []
  const withheld: Withheld[] = []
  for (const [name, amount] of Object.entries(row.figures)) {
    const item = name as Item
    const from = isFlow(item) ? first : slot
    if (amount === null || amount === undefined || from === null) continue
    const reason = quarantined.get(item)
    if (reason !== undefined) {
      withheld.push({ item, from, to: slot, filing, reason: `quarantined: ${item} is ${reason}` })
      continue
    }
    const fact: Fact = {
      concept: `statement:${item}`,
      start: isFlow(item) ? addMonths(row.end, -row.months, isEndOfMonth(row.end)) + 1 : null,
      end: row.end,
      value: amount / minor,
      decimals: null,
      rounded: false,
      source: row.source,
      quarantined: null,
      dimensions: null,
    }
    found.push({
      item,
      from,
      to: slot,
      value: fact.value,
      tier: LOADED,
      way: `+${fact.concept}`,
      terms: [{ fact, sign: 1 }],
      filing,
    })
  }
  return { filing, found, withheld }
}
