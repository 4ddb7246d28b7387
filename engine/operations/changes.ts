import { date, shaped } from '../column.ts'
import { invalid } from '../errors.ts'
import type { Context } from '../operation.ts'
import { operation } from '../operation.ts'
import { one, required } from '../params.ts'
import { addDays } from './pricing.ts'

interface MetricChange {
  previous: number | null
  current: number | null
  change: number | null
  change_pct: number | null
}

type Row = Record<string, unknown>

export interface CompanyChanges {
  ticker: string | null
  company_name: string
  since: string
  until: string
  changes: {
    new_debt: Row[]
    removed_debt: Row[]
    entity_changes: { added: Row[]; removed: Row[] }
    metric_changes: Record<string, MetricChange>
    rating_changes: Row[]
    pricing_changes: Row[]
    new_filings: Row[]
  }
  summary: Record<string, number | null>
}

const metrics = [
  'total_debt',
  'secured_debt',
  'net_debt',
  'cash',
  'ebitda_ttm',
  'leverage_ratio',
  'net_leverage_ratio',
  'interest_coverage',
  'debt_due_1yr',
] as const

/** Moves of price smaller than this, percent of par, are not listed. */
const LEAST_PRICE_MOVE = 1

export const companyChanges = operation({
  name: 'changes.company',
  method: 'GET',
  path: '/v1/companies/{ticker}/changes',
  command: 'changes',
  doc: 'What changed for a company between two days: debt, entities, metrics, ratings, prices, filings.',
  tier: 'any',
  cost: 'complex',
  envelope: 'data',
  columns: null,
  positional: ['ticker'],
  examples: ['KRVWN --since 2025-01-01'],
  params: {
    ticker: required(one(shaped('ticker', 'Ticker.'))),
    since: one(date('From the close of this day; 90 days before the as-of date if not said.')),
    until: one(date('To the close of this day; the as-of date if not said.')),
    as_of: one(date('Answer as if asked at the close of this day.')),
  },
  async run(context, args) {
    const until = args.until ?? context.asOf
    if (until > context.asOf)
      throw invalid('until', until, `until is after the as-of date ${context.asOf}`, { max: context.asOf })
    const since = args.since ?? addDays(until, -90)
    if (since > until)
      throw invalid('since', since, `since is after until (${until}): swap them`, { max: until })
    const [id] = (await context.companies([args.ticker])).ids
    const after = await context.at(until)
    const before = await context.at(since)
    const [was, is] = await Promise.all([stateOf(before, id!), stateOf(after, id!)])
    const data = compare(was, is, since, until)
    return { kind: 'object', data: data as unknown as Record<string, unknown> }
  },
  out: undefined as { data: CompanyChanges; meta: Record<string, unknown> } | undefined,
})

interface State {
  company: Row
  bonds: Row[]
  entities: Row[]
  ratings: Row[]
  documents: Row[]
}

async function stateOf(context: Context, id: string): Promise<State> {
  await context.tables('companies', 'bonds', 'entities', 'ratings', 'documents')
  const db = context.database
  const rows = (sql: string) => db.rows<Row>(sql, [id])
  const [companies, bonds, entities, ratings, documents] = await Promise.all([
    rows(`SELECT ticker, name, ${metrics.join(', ')} FROM stored.companies WHERE company_id = ?`),
    rows(`SELECT id, name, cusip, seniority, coupon_rate, outstanding, status, is_active,
      CAST(maturity_date AS VARCHAR) AS maturity_date, CAST(issue_date AS VARCHAR) AS issue_date,
      "pricing.last_price" AS last_price, "pricing.ytm" AS ytm, "pricing.spread" AS spread FROM stored.bonds WHERE company_id = ? ORDER BY maturity_date, id`),
    rows(
      `SELECT id, name, entity_type, jurisdiction, CAST(removed_date AS VARCHAR) AS removed_date FROM stored.entities WHERE company_id = ? ORDER BY name, id`,
    ),
    rows(`SELECT agency, rating_type, cusip, rating, outlook, CAST(effective_date AS VARCHAR) AS effective_date, rating_rank, id FROM stored.ratings
      WHERE company_id = ? QUALIFY row_number() OVER (PARTITION BY agency, rating_type, cusip ORDER BY effective_date DESC NULLS LAST, known_from DESC NULLS LAST, id) = 1 ORDER BY agency, rating_type, cusip`),
    rows(
      `SELECT DISTINCT accession, doc_type, CAST(filing_date AS VARCHAR) AS filing_date FROM stored.documents WHERE company_id = ? AND accession IS NOT NULL ORDER BY filing_date, accession`,
    ),
  ])
  return { company: companies[0] ?? {}, bonds, entities, ratings, documents }
}

/** Differences of two states of one company; pure. */
function compare(was: State, is: State, since: string, until: string): CompanyChanges {
  const before = new Map(was.bonds.map(b => [b['id'], b]))
  const terms = ({ id, name, cusip, seniority, coupon_rate, maturity_date, outstanding }: Row): Row => ({
    id,
    name,
    cusip,
    seniority,
    coupon_rate,
    maturity_date,
    outstanding,
  })
  const active = (rows: Row[]) => rows.filter(b => b['is_active'] === true)
  const activeBefore = new Set(active(was.bonds).map(b => b['id']))
  const activeAfter = new Set(active(is.bonds).map(b => b['id']))
  const new_debt = active(is.bonds)
    .filter(b => !activeBefore.has(b['id']))
    .map(terms)
  const removed_debt = active(was.bonds)
    .filter(b => !activeAfter.has(b['id']))
    .map(b => ({
      ...terms(b),
      reason: b['maturity_date'] !== null && String(b['maturity_date']) <= until ? 'matured' : 'retired',
    }))
  const listed = (state: State, day: string) =>
    new Map(
      state.entities
        .filter(e => e['removed_date'] === null || String(e['removed_date']) > day)
        .map(({ removed_date: _, ...e }) => [e['id'], e as Row]),
    )
  const [entitiesBefore, entitiesAfter] = [listed(was, since), listed(is, until)]
  const added = [...entitiesAfter].filter(([id]) => !entitiesBefore.has(id)).map(([, e]) => e)
  const removed = [...entitiesBefore].filter(([id]) => !entitiesAfter.has(id)).map(([, e]) => e)
  const metric_changes: Record<string, MetricChange> = {}
  for (const metric of metrics) {
    const previous = (was.company[metric] ?? null) as number | null
    const current = (is.company[metric] ?? null) as number | null
    if (previous === current) continue
    const change = previous === null || current === null ? null : current - previous
    metric_changes[metric] = {
      previous,
      current,
      change,
      change_pct: change === null || !previous ? null : Math.round((change / Math.abs(previous)) * 1e6) / 1e4,
    }
  }
  const key = (r: Row) => `${r['agency']} ${r['rating_type']} ${r['cusip'] ?? ''}`
  const ratingsBefore = new Map(was.ratings.map(r => [key(r), r]))
  const rating_changes = is.ratings
    .filter(r => ratingsBefore.get(key(r))?.['id'] !== r['id'])
    .map(r => {
      const old = ratingsBefore.get(key(r))
      const [from, to] = [old?.['rating_rank'] ?? null, r['rating_rank']] as (number | null)[]
      const direction =
        from === null || to === null
          ? 'new'
          : to! < from!
            ? 'upgrade'
            : to! > from!
              ? 'downgrade'
              : 'affirmed'
      return {
        agency: r['agency'],
        rating_type: r['rating_type'],
        cusip: r['cusip'],
        previous: old?.['rating'] ?? null,
        current: r['rating'],
        outlook: r['outlook'],
        effective_date: r['effective_date'],
        direction,
      }
    })
  const pricing_changes = is.bonds.flatMap(b => {
    const old = before.get(b['id'])
    const [from, to] = [old?.['last_price'] ?? null, b['last_price'] ?? null] as (number | null)[]
    if (from === null || to === null || Math.abs(to! - from!) < LEAST_PRICE_MOVE) return []
    const spread = (x: Row | undefined) => (x?.['spread'] ?? null) as number | null
    const moved = spread(b) === null || spread(old) === null ? null : spread(b)! - spread(old)!
    return [
      {
        id: b['id'],
        name: b['name'],
        cusip: b['cusip'],
        previous_price: from,
        current_price: to,
        price_change: Math.round((to! - from!) * 1e6) / 1e6,
        spread_change: moved,
      },
    ]
  })
  const filed = new Set(was.documents.map(d => d['accession']))
  const new_filings = is.documents.filter(d => !filed.has(d['accession']))
  const sum = (rows: Row[]) =>
    rows.some(r => r['outstanding'] === null)
      ? null
      : rows.reduce((total, r) => total + (r['outstanding'] as number), 0)
  const [plus, minus] = [sum(new_debt), sum(removed_debt)]
  return {
    ticker: (is.company['ticker'] ?? null) as string | null,
    company_name: String(is.company['name'] ?? was.company['name']),
    since,
    until,
    changes: {
      new_debt,
      removed_debt,
      entity_changes: { added, removed },
      metric_changes,
      rating_changes,
      pricing_changes,
      new_filings,
    },
    summary: {
      new_debt: new_debt.length,
      removed_debt: removed_debt.length,
      entities_added: added.length,
      entities_removed: removed.length,
      metrics_changed: Object.keys(metric_changes).length,
      rating_changes: rating_changes.length,
      pricing_changes: pricing_changes.length,
      new_filings: new_filings.length,
      net_debt_change: plus === null || minus === null ? null : plus - minus,
    },
  }
}
