import { amountUnit } from '../schema/amount-unit.ts'
import { unitOf } from '../schema/column.ts'
import { bondTerms, entityTerms } from './changes-schema.ts'
import { type CompanyState, columnOf, isAmount, metrics, type Row } from './company-state.ts'

export interface MetricChange {
  previous: number | null
  current: number | null
  change: number | null
  change_pct: number | null
  /** Of the three figures. */
  unit: string | null
}

export interface Changes {
  new_debt: Row[]
  /** Debt that became known without evidence of issuance in the period: a list was loaded for the first time. */
  newly_known_debt: Row[]
  removed_debt: Row[]
  changed_debt: Row[]
  entity_changes: { added: Row[]; removed: Row[] }
  metric_changes: Record<string, MetricChange>
  rating_changes: Row[]
  pricing_changes: Row[]
  new_filings: Row[]
}

/** Smaller price moves, in percent of par, are not listed. */
export const LEAST_PRICE_MOVE = 1

/** The differences between two states of one company. */
export function compareStates(
  was: CompanyState,
  is: CompanyState,
): { changes: Changes; summary: Record<string, number | null> } {
  const debt = compareDebt(was, is)
  const added = missingFrom(was.entities, is.entities, 'id')
  const removed = missingFrom(is.entities, was.entities, 'id')
  const changes: Changes = {
    ...debt,
    entity_changes: {
      added: added.map(row => members(row, entityTerms)),
      removed: removed.map(row => members(row, entityTerms)),
    },
    metric_changes: compareMetrics(was.company, is.company),
    rating_changes: compareRatings(was.ratings, is.ratings),
    pricing_changes: comparePrices(was.bonds, is.bonds),
    new_filings: missingFrom(was.filings, is.filings, 'accession').map(({ source: _, ...filing }) => filing),
  }
  return {
    changes,
    summary: {
      new_debt: changes.new_debt.length,
      newly_known_debt: changes.newly_known_debt.length,
      removed_debt: changes.removed_debt.length,
      changed_debt: changes.changed_debt.length,
      entities_added: added.length,
      entities_removed: removed.length,
      metrics_changed: Object.keys(changes.metric_changes).length,
      rating_changes: changes.rating_changes.length,
      pricing_changes: changes.pricing_changes.length,
      new_filings: changes.new_filings.length,
      net_debt_change: netDebtChange(debt, isDebtKnown(was) && isDebtKnown(is)),
    },
  }
}

/** Rows of one list whose key is not in the other. */
function missingFrom(from: readonly Row[], rows: readonly Row[], key: string): Row[] {
  const known = new Set(from.map(row => row[key]))
  return rows.filter(row => !known.has(row[key]))
}

const members = (row: Row, columns: Readonly<Record<string, unknown>>): Row =>
  Object.fromEntries(Object.keys(columns).map(name => [name, row[name] ?? null]))

/** Terms that may change while a bond is outstanding. */
const amended = ['outstanding', 'status', 'coupon_rate', 'maturity_date', 'seniority'] as const

/** What becomes known, or is no longer, is no change. */
const isChanged = (previous: unknown, current: unknown): boolean =>
  isKnown(previous) && isKnown(current) && previous !== current

const isKnown = (value: unknown): boolean => value !== null && value !== undefined

function compareDebt(
  was: CompanyState,
  is: CompanyState,
): Pick<Changes, 'new_debt' | 'newly_known_debt' | 'removed_debt' | 'changed_debt'> {
  const active = (bonds: readonly Row[]) => bonds.filter(bond => bond['is_active'] === true)
  const [before, after] = [active(was.bonds), active(is.bonds)]
  const now = new Map(is.bonds.map(bond => [bond['id'], bond]))
  const then = new Map(before.map(bond => [bond['id'], bond]))
  const newFilings = missingFrom(was.filings, is.filings, 'accession')
  const came = after
    .filter(bond => earlier(then, bond) === undefined)
    .map(bond => ({
      ...members(bond, bondTerms),
      issue_date: bond['issue_date'],
      reason: whyNew(bond, { was, is, newFilings }),
    }))
  const stays = new Set(after.flatMap(idsOf))
  return {
    new_debt: came.filter(({ reason }) => reason !== null),
    newly_known_debt: came.filter(({ reason }) => reason === null).map(({ reason: _, ...bond }) => bond),
    removed_debt: before
      .filter(bond => !stays.has(bond['id']))
      .map(bond => ({ ...members(bond, bondTerms), reason: whyRemoved(now.get(bond['id'])) })),
    changed_debt: after.flatMap(bond => {
      const old = earlier(then, bond)
      const moved = old ? amended.filter(name => isChanged(old[name], bond[name])) : []
      if (moved.length === 0) return []
      const { id, name, display_name, cusip, currency } = bond
      const differences = moved.map(term => [term, { previous: old![term], current: bond[term] }])
      return [{ id, name, display_name, cusip, currency, changes: Object.fromEntries(differences) }]
    }),
  }
}

/** Its id, and those it had in lists without identifiers. */
const idsOf = (bond: Row): unknown[] => [bond['id'], ...((bond['other_ids'] as string[] | null) ?? [])]

/** The earlier state of a bond, by any of its ids. */
const earlier = (bonds: ReadonlyMap<unknown, Row>, bond: Row): Row | undefined =>
  idsOf(bond)
    .map(id => bonds.get(id))
    .find(old => old !== undefined)

/**
 * Evidence that newly known debt was issued in the period: its issue date (or first accrual date), the filing with
 * its terms, or, with neither known, its first price in a list that had prices before. Null without evidence: the
 * first load of a list is not an issuance.
 */
function whyNew(
  bond: Row,
  { was, is, newFilings }: { was: CompanyState; is: CompanyState; newFilings: readonly Row[] },
): 'issued' | 'filed' | 'first_priced' | null {
  if (typeof bond['issue_date'] === 'string')
    return isWithin(bond['issue_date'], was.day, is.day) ? 'issued' : null
  const file = fileOf(bond['source'])
  if (file !== null && newFilings.some(filing => fileOf(filing['source']) === file)) return 'filed'
  const list = bond['first_price_list']
  const isFirstPriced =
    isWithin(bond['first_price_date'], was.day, is.day) && typeof list === 'string' && was.lists.has(list)
  return isFirstPriced ? 'first_priced' : null
}

/** The file of a source, without the position in it. */
const fileOf = (source: unknown): string | null =>
  typeof source === 'string' ? source.slice(0, source.lastIndexOf(':')) : null

const isWithin = (day: unknown, since: string, until: string): boolean =>
  typeof day === 'string' && day > since && day <= until

/** Matured, unless a source had reported it retired before. */
function whyRemoved(bond: Row | undefined): 'matured' | 'retired' {
  const { status, maturity_date, retired_from } = (bond ?? {}) as Record<string, string | null>
  if (status !== 'retired') return 'matured'
  return maturity_date && retired_from && retired_from >= maturity_date ? 'matured' : 'retired'
}

/** Whether bonds and loans say what a company owes: else it says nothing of its debt that none of them moved. */
function isDebtKnown({ bonds, company }: CompanyState): boolean {
  const active = bonds.filter(bond => bond['is_active'] === true)
  return active.length > 0 ? active.some(bond => isKnown(bond['outstanding'])) : company?.['total_debt'] === 0
}

/**
 * New less removed debt, including changes of amounts; null if an amount is unknown, currencies differ, or nothing moved
 * of bonds without amounts.
 */
function netDebtChange(
  debt: Pick<Changes, 'new_debt' | 'removed_debt' | 'changed_debt'>,
  isDebtKnown: boolean,
): number | null {
  const moves: { currency: unknown; amount: number | null }[] = []
  const add = (row: Row, sign: number, amount: unknown) =>
    moves.push({
      currency: row['currency'] ?? null,
      amount: typeof amount === 'number' ? sign * amount : null,
    })
  for (const row of debt.new_debt) add(row, 1, row['outstanding'])
  for (const row of debt.removed_debt) add(row, -1, row['outstanding'])
  for (const row of debt.changed_debt) {
    const { outstanding } = row['changes'] as Record<string, { previous: unknown; current: unknown }>
    if (!outstanding) continue
    add(row, 1, outstanding.current)
    add(row, -1, outstanding.previous)
  }
  if (moves.length === 0) return isDebtKnown ? 0 : null
  if (new Set(moves.map(move => move.currency)).size > 1) return null
  return moves.reduce<number | null>(
    (sum, { amount }) => (sum === null || amount === null ? null : sum + amount),
    0,
  )
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6

/** A maturity schedule that no longer reaches far enough has aged: the debt due has not changed. */
const isPastSchedule = (metric: string, was: Row | null, is: Row | null): boolean =>
  metric.startsWith('debt_due_') &&
  was !== null &&
  is !== null &&
  was['period_end_date'] === is['period_end_date']

/** Amounts are in minor units of the company's currency; a count has no unit. */
const unitOfMetric = (metric: string, company: Row | null): string | null =>
  isAmount(metric) ? amountUnit(company?.['currency']) : (unitOf(columnOf(metric)) ?? null)

function compareMetrics(was: Row | null, is: Row | null): Record<string, MetricChange> {
  const changes: Record<string, MetricChange> = {}
  const isComparable = (was?.['currency'] ?? null) === (is?.['currency'] ?? null)
  for (const metric of metrics) {
    const previous = (was?.[metric] ?? null) as number | null
    const current = (is?.[metric] ?? null) as number | null
    if (previous === current || (current === null && isPastSchedule(metric, was, is))) continue
    const change =
      previous === null || current === null || (isAmount(metric) && !isComparable)
        ? null
        : isAmount(metric)
          ? Math.round(current - previous)
          : rounded(current - previous)
    const change_pct =
      change === null || !previous ? null : Math.round((change / Math.abs(previous)) * 1e6) / 1e4
    changes[metric] = { previous, current, change, change_pct, unit: unitOfMetric(metric, is ?? was) }
  }
  return changes
}

function compareRatings(was: readonly Row[], is: readonly Row[]): Row[] {
  const key = (row: Row) => `${row['agency']} ${row['rating_type']} ${row['cusip'] ?? ''}`
  const before = new Map(was.map(row => [key(row), row]))
  return is.flatMap(row => {
    const old = before.get(key(row))
    const direction = directionOf(old, row)
    if (direction === null) return []
    return [
      {
        agency: row['agency'],
        rating_type: row['rating_type'],
        cusip: row['cusip'],
        previous: old?.['rating'] ?? null,
        current: row['rating'],
        previous_outlook: old?.['outlook'] ?? null,
        outlook: row['outlook'],
        effective_date: row['effective_date'],
        direction,
      },
    ]
  })
}

/** The kind of rating change; null if there is none. A mark without a rank means withdrawn. */
function directionOf(was: Row | undefined, is: Row): string | null {
  const from = (was?.['rating_rank'] ?? null) as number | null
  const to = is['rating_rank'] as number | null
  if (to === null) return from === null ? null : 'withdrawn'
  if (from === null) return 'new'
  if (to !== from) return to < from ? 'upgrade' : 'downgrade'
  const [before, after] = [was!['outlook'], is['outlook']]
  return before && after && before !== after ? 'outlook' : null
}

function comparePrices(was: readonly Row[], is: readonly Row[]): Row[] {
  const before = new Map(was.map(bond => [bond['id'], bond]))
  return is.flatMap(bond => {
    const old = earlier(before, bond)
    const [from, to] = [old?.['last_price'] ?? null, bond['last_price'] ?? null] as (number | null)[]
    if (from === null || to === null || Math.abs(to! - from!) < LEAST_PRICE_MOVE) return []
    const moved = (name: string) => {
      const [a, b] = [old![name] ?? null, bond[name] ?? null] as (number | null)[]
      return a === null || b === null ? null : rounded(b! - a!)
    }
    return [
      {
        id: bond['id'],
        name: bond['name'],
        cusip: bond['cusip'],
        previous_price: from,
        current_price: to,
        price_change: rounded(to! - from!),
        previous_date: old!['last_trade_date'],
        current_date: bond['last_trade_date'],
        ytm_change: moved('ytm'),
        spread_change: moved('spread'),
      },
    ]
  })
}
