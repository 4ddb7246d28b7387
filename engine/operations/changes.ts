import { addDays } from '../base/days.ts'
import { invalid } from '../base/errors.ts'
import { date, shaped } from '../schema/column.ts'
import { one, required } from '../schema/params.ts'
import { changesSchema } from './changes-schema.ts'
import { type CompanyState, identityOf, type Row, readStates } from './company-state.ts'
import { type Changes, compareStates, LEAST_PRICE_MOVE } from './compare-states.ts'
import { operation } from './operation.ts'
import { explainParam, timeParams } from './params.ts'

export interface CompanyChanges {
  ticker: string | null
  company_name: string
  since: string
  until: string
  /** Aliases of the two days, as clients of similar APIs name them. */
  snapshot_date: string
  current_date: string
  changes: Changes
  summary: Record<string, number | null>
  _explain?: Row
}

export const companyChanges = operation({
  name: 'changes.company',
  method: 'GET',
  path: '/v1/companies/{ticker}/changes',
  command: 'changes',
  doc: 'What changed for a company between two days: debt, entities, metrics, ratings, prices, filings.',
  tier: 'any',
  cost: 'complex',
  heavy: 'always',
  answers: 'object',
  envelope: 'data',
  columns: null,
  objectSchema: changesSchema,
  positional: ['ticker'],
  examples: ['FLKNT --since 2025-01-01'],
  params: {
    ticker: required(one(shaped('ticker', 'Ticker.'))),
    since: one(date('From the close of this day; default 90 days before `until`.')),
    until: one(date('To the close of this day; default the as-of date.')),
    ...timeParams,
    ...explainParam,
  },
  check({ since, until }) {
    if (since !== undefined && until !== undefined) checkOrder(since, until)
  },
  async run(context, args) {
    const until = args.until ?? context.asOf
    if (until > context.asOf)
      throw invalid('until', until, `until is after the as-of date ${context.asOf}`, { max: context.asOf })
    const since = args.since ?? addDays(until, -90)
    checkOrder(since, until)
    const [id] = (await context.companies([args.ticker])).ids
    const company = await identityOf(context, id!)
    const [was, is] = await readStates(context, [since, until], company, args.explain === true)
    // The name on the later day.
    const named = is.company ?? company
    const data: CompanyChanges = {
      ticker: named['ticker'] as string | null,
      company_name: String(named['name']),
      since,
      until,
      snapshot_date: since,
      current_date: until,
      ...compareStates(was, is),
      ...(args.explain && { _explain: explained(was, is) }),
    }
    return { kind: 'object', data: data as unknown as Record<string, unknown> }
  },
  out: undefined as { data: CompanyChanges; meta: Record<string, unknown> } | undefined,
})

function checkOrder(since: string, until: string): void {
  if (since > until)
    throw invalid('since', since, `since is after until (${until}): swap them`, { max: until })
}

/** The sources of both days' figures. */
function explained(was: CompanyState, is: CompanyState): Row {
  const side = (state: CompanyState) => ({
    as_of: state.day,
    metrics: parsed(state.company?.['_explain']),
    debt: Object.fromEntries(state.bonds.map(bond => [bond['id'], parsed(bond['_explain'])])),
    entities: sources(state.entities),
    ratings: sources(state.ratings),
    filings: Object.fromEntries(state.filings.map(filing => [filing['accession'], filing['source']])),
  })
  return {
    formula: 'known at the close of `until`, compared with known at the close of `since`',
    least_price_move: LEAST_PRICE_MOVE,
    previous: side(was),
    current: side(is),
  }
}

const parsed = (json: unknown): unknown => (typeof json === 'string' ? JSON.parse(json) : null)

const sources = (rows: readonly Row[]): Row =>
  Object.fromEntries(rows.map(row => [row['id'], row['source'] ?? null]))
