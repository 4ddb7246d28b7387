import type { Day } from '../../credit/calendar.ts'
import { parseDay } from '../../credit/calendar.ts'
import { isCompanyLine } from '../statements/borrowings.ts'
import { byFiling } from '../statements/by-filing.ts'
import type { TotalDebt } from '../statements/debt-tiers.ts'
import {
  ALWAYS,
  debtOfCompany,
  type Fact,
  type FactRow,
  type Filing,
  type FilingFacts,
  filingId,
  lineOf,
} from '../statements/filings.ts'
import { withAgreements } from './agreed-lines.ts'
import { isAmount, type Role, roleOfConcept } from './amounts.ts'
import { debtDimensions, isShared } from './debt-axes.ts'
import { amountOn, type Reconciliation, reconcile } from './reconcile.ts'
import { type DebtFact, type TaggedInstrument, taggedInstruments } from './tagged-instruments.ts'

/** The instruments of one filing at its balance date, and how they add up. */
export interface DebtTable {
  readonly filing: Filing
  readonly day: Day
  readonly instruments: readonly TaggedInstrument[]
  readonly reconciliation: Reconciliation
  /** Tagged total debt; null where the lines do not cover it. */
  readonly total: number | null
  readonly way: string | null
  readonly inOtherUnits: readonly DebtFact[]
  /** Commercial paper and other short-term borrowings that are tagged for the whole company alone, and fill the total. */
  readonly shortTerm: readonly Fact[]
  /** What lenders have committed to the company, tagged for no facility. */
  readonly committed: CompanyCommitment | null
}

/** A commitment that a filing tags for the whole company: of its one facility, or of all together. */
export interface CompanyCommitment {
  readonly commitment: FactRow
  readonly undrawn: FactRow | null
}

/** A company's debt by instrument: the newest table, and terms that other filings add. */
export interface CompanyInstruments {
  readonly table: DebtTable
  /** The first filing's table of the same balance date, which an amendment may have replaced. */
  readonly first: DebtTable
  /** Instruments that only newer filings name, and those whose balances no filing tags. */
  readonly others: readonly { readonly instrument: TaggedInstrument; readonly filing: Filing }[]
}

/** A sum that covers this share of tagged debt is a table of it. */
const COVERS = 0.9
/** A table of a balance date older than this, in days, than the newest figures is not used any more. */
const OUTDATED = 480

const RATES: ReadonlySet<Role> = new Set<Role>(['coupon', 'effective_rate', 'margin', 'floor'])
/** Figures of a flow's period that state a term in force. */
const OF_PERIODS: ReadonlySet<Role> = new Set<Role>([...RATES, 'commitment', 'principal', 'undrawn'])

/** What a company owes by instrument, from the facts of its filings known on a day; null if no filing tags it. */
export function companyInstruments(rows: readonly FactRow[]): CompanyInstruments | null {
  const tables = byFiling(rows)
    .map(filing => debtTable(filing, rows))
    .filter(table => table !== null)
    .sort((a, b) => a.day - b.day || a.filing.known - b.filing.known || (a.filing.id < b.filing.id ? -1 : 1))
  const newest = tables.at(-1)?.day ?? 0
  const usable = tables.filter(table => isAdding(table) && table.day >= newest - OUTDATED)
  const table = usable.findLast(each => coverage(each) >= COVERS) ?? best(usable) ?? tables.at(-1)
  if (!table) return null
  const later = tables.filter(each => each !== table).reverse()
  // An annual report that states no commitment of a facility says that it is gone.
  const terms = isInterim(table.filing.form) ? TERMS : TERMS.filter(role => role !== 'commitment')
  return {
    first: usable.find(({ day }) => day === table.day) ?? table,
    table: { ...table, instruments: table.instruments.map(each => withTerms(each, later, terms)) },
    others: onlyIn(later, table),
  }
}

const isAdding = ({ reconciliation }: DebtTable): boolean =>
  reconciliation.counted.some(value => value !== null && value !== 0)

function coverage({ total, reconciliation }: DebtTable): number {
  if (total === null || total === 0 || reconciliation.difference === null) return 0
  return 1 - Math.abs(reconciliation.difference) / total
}

const best = (tables: readonly DebtTable[]): DebtTable | undefined =>
  tables.reduce<DebtTable | undefined>(
    (found, each) => (found === undefined || coverage(each) >= coverage(found) ? each : found),
    undefined,
  )

function debtTable({ filing, ...facts }: FilingFacts, rows: readonly FactRow[]): DebtTable | null {
  const own = rows.filter(row => filingId(row) === filing.id)
  const tagged = own.map(row => debtFact(row)).filter(fact => fact !== null)
  const day = filing.report ?? balanceDay(tagged)
  if (day === null) return null
  const known = tagged.filter(fact => fact.end <= day)
  const inCurrency = known.filter(({ role, unit }) => RATES.has(role) || unit === filing.currency)
  const inOther = known.filter(({ role, unit }) => role === 'principal' && unit !== filing.currency)
  const instrumentsOf = (facts: readonly DebtFact[], inOther: readonly DebtFact[]) =>
    withDenominations(withAgreements(taggedInstruments(facts, day, yearOf(day))), inOther)
  const instruments = instrumentsOf(inCurrency, inOther)
  if (instruments.length === 0) return null
  const debt = totalOn(day, facts)
  const total = debt?.gap === null ? Math.abs(debt.value) : null
  const figures = new Map(
    facts.facts.filter(fact => fact.end === day && fact.start === null).map(fact => [fact.concept, fact]),
  )
  const inOtherUnits = known.filter(
    fact =>
      fact.end === day && isAmount(fact.role) && fact.role !== 'principal' && fact.unit !== filing.currency,
  )
  const first = inOtherUnits[0]
  const reconciliation = reconcile(instruments, {
    total,
    terms: debt?.terms.map(({ fact }) => fact) ?? [],
    own: own.filter(row => row.dimensions === null && row.end === day),
    inOtherUnits: first && {
      concept: `${first.concept} in ${first.unit}`,
      value: inOtherUnits.reduce((sum, { value }) => sum + value, 0),
    },
    lookup: (concept: string) => figures.get(concept),
  })
  const shortTerm = reconciliation.adjustments.flatMap(({ item, concept }) =>
    item === 'line_without_instruments' && SHORT_TERM.test(concept) ? (figures.get(concept) ?? []) : [],
  )
  const table = {
    filing,
    day,
    instruments,
    reconciliation,
    total,
    way: debt?.way ?? null,
    inOtherUnits,
    shortTerm,
    committed: committedTo(own, filing.currency, day),
  }
  const isOtherUnitWrong = reconciliation.adjustments.some(({ item }) => item === 'tagged_in_other_unit')
  return isOtherUnitWrong
    ? withOtherUnits(table, instrumentsOf([...inCurrency, ...inOtherUnits], inOtherUnits))
    : table
}

/** Debt whose face amount is tagged in one other currency, beside its amounts in the filing's, is in that currency. */
const withDenominations = (
  instruments: readonly TaggedInstrument[],
  inOther: readonly DebtFact[],
): TaggedInstrument[] =>
  instruments.map(each => {
    if (each.named.denomination !== null || each.isGroup || each.members.every(isShared)) return each
    const own = inOther.filter(({ of }) =>
      each.members.every(name => of.debt.some(({ member }) => member === name)),
    )
    const [unit, ...others] = new Set(own.map(fact => fact.unit))
    return unit === undefined || others.length > 0
      ? each
      : { ...each, named: { ...each.named, denomination: unit } }
  })

/** The commitment that a filing tags without dimensions: that of the balance date, else of the last day if there is only one. */
function committedTo(own: readonly FactRow[], currency: string, day: Day): CompanyCommitment | null {
  const of = (role: Role) =>
    own.filter(
      ({ concept, dimensions, unit, end, value }) =>
        dimensions === null &&
        unit === currency &&
        end <= day &&
        value > 0 &&
        roleOfConcept(concept) === role,
    )
  const all = of('commitment')
  const commitment =
    all.find(({ end }) => end === day) ??
    (new Set(all.map(({ value }) => value)).size === 1 ? all.at(-1) : undefined)
  return commitment === undefined
    ? null
    : { commitment, undrawn: of('undrawn').find(({ end }) => end === day) ?? null }
}

/** The table with the balances that are tagged in a wrong unit as those of their instruments. */
function withOtherUnits(table: DebtTable, instruments: readonly TaggedInstrument[]): DebtTable {
  const { reconciliation } = table
  const before = new Map(table.instruments.map((each, i) => [keyOf(each), reconciliation.counted[i]]))
  const counted = instruments.map(
    each =>
      before.get(keyOf(each)) ?? (each.standing === 'counted' ? amountOn(reconciliation.basis, each) : null),
  )
  return { ...table, instruments, reconciliation: { ...reconciliation, counted } }
}

const SHORT_TERM =
  /:(?:CommercialPaper|(?:Other)?ShortTermBorrowings|ShortTermBankLoansAndNotesPayable|OtherLongTermDebt)$/

/** A discount that stands for warrants or a conversion right also names the component of equity. */
const withoutEquity = (dimensions: string): string =>
  dimensions
    .split(';')
    .filter(pair => !pair.includes(':StatementEquityComponentsAxis='))
    .join(';')

function debtFact(row: FactRow): DebtFact | null {
  if (row.dimensions === null || row.rounded) return null
  const role = roleOfConcept(row.concept)
  if (role === null || (row.start !== null && !OF_PERIODS.has(role))) return null
  if (RATES.has(role) ? !/^(?:pure|number|rate|percent)$/i.test(row.unit) : !/^[A-Z]{3}$/.test(row.unit))
    return null
  const of = debtDimensions(role === 'discount' ? withoutEquity(row.dimensions) : row.dimensions, row.concept)
  if (of === null) return null
  const { concept, value, unit, end, dimensions, accession, source, known } = row
  return { concept, role, value, unit, end, of, dimensions, accession, source, known: known ?? ALWAYS }
}

/** The last day of the balances of a filing that does not state its period. */
function balanceDay(facts: readonly DebtFact[]): Day | null {
  const days = facts.filter(({ role }) => isAmount(role) && role !== 'principal').map(({ end }) => end)
  return days.length === 0 ? null : days.reduce((last, end) => Math.max(last, end))
}

function totalOn(
  day: Day,
  { facts, companyLines, dimensional, calculations }: Omit<FilingFacts, 'filing'>,
): TotalDebt<Fact> | null {
  const days = new Map<string, Set<Day>>()
  for (const fact of [...facts, ...companyLines, ...dimensional]) {
    if (fact.start !== null) continue
    const those = days.get(lineOf(fact)) ?? new Set()
    days.set(lineOf(fact), those.add(fact.end))
  }
  const ofDay = (those: readonly Fact[]) => those.filter(fact => fact.start === null && fact.end === day)
  const figures = new Map(ofDay(facts).map(fact => [fact.concept, fact]))
  return debtOfCompany(
    {
      lookup: concept => figures.get(concept),
      onOtherDay: line => (days.get(line)?.size ?? 0) > 1,
      companyLines: ofDay(companyLines).filter(({ concept }) => isCompanyLine(concept)),
      calculations,
    },
    ofDay(dimensional),
  ).debt
}

const keyOf = ({ members, entity }: TaggedInstrument): string =>
  `${[...members].sort().join(' ')}|${entity ?? ''}`

const TERMS: readonly Role[] = ['coupon', 'effective_rate', 'margin', 'floor', 'principal', 'commitment']

const isInterim = (form: string | null): boolean => form === null || /10-?Q/i.test(form)

/** Terms that the filing of the balance does not repeat, from the newest filing that states them. */
function withTerms(
  instrument: TaggedInstrument,
  others: readonly DebtTable[],
  terms: readonly Role[],
): TaggedInstrument {
  const facts = new Map(instrument.facts)
  for (const { instruments } of others) {
    const same = instruments.find(each => keyOf(each) === keyOf(instrument))
    for (const role of terms) {
      const fact = same?.facts.get(role)
      if (fact && !facts.has(role)) facts.set(role, fact)
    }
  }
  return { ...instrument, facts }
}

/** Facilities that only newer filings than the table's name. */
function onlyIn(others: readonly DebtTable[], table: DebtTable): CompanyInstruments['others'] {
  const seen = new Set(table.instruments.map(keyOf))
  return others
    .filter(({ day }) => day > table.day)
    .flatMap(({ instruments, filing }) =>
      instruments.flatMap(instrument => {
        if (seen.has(keyOf(instrument)) || !instrument.facts.has('commitment')) return []
        seen.add(keyOf(instrument))
        return [{ instrument, filing }]
      }),
    )
}

export const yearOf = (day: Day): number => new Date(day * 86_400_000).getUTCFullYear()
export const dayOf = (text: string): Day => parseDay(text)
