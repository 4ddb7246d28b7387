import { elementAt, firstOf } from '../base/elements.ts'
import { QueryError } from '../base/errors.ts'
import { isPromise } from '../base/maybe-promise.ts'
import { boolean, integer, list, nullable, number, oneOf, percent, shaped, text } from '../schema/column.ts'
import { arrayOf, countSchema, object, reference, valueSchema, withExplain } from '../schema/json-schema.ts'
import { nest } from '../schema/nested-rows.ts'
import { fallback, one } from '../schema/params.ts'
import { type Bond, bonds } from '../schema/resources/bonds.ts'
import { explainMatch, type FieldMatch, type MatchBounds, matchBonds, saysSomething } from './match-bond.ts'
import type { Context } from './operation.ts'
import { operation } from './operation.ts'
import { explainParam, timeParams } from './params.ts'
import { ACTIVE, type BondIndex, EXTENDED, readBondIndex } from './resolve/bond-index.ts'
import { type BondDescription, readDescription } from './resolve/read-description.ts'

export interface ResolvedBond {
  query: string | null
  matches: { confidence: number; bond: Bond; _explain?: Confidence }[]
  exact_match: boolean
  suggestions: string[]
}

/** How a confidence was formed. */
export interface Confidence {
  formula: string
  /** What was read from the query, and how it counts for or against the bond. */
  parts?: readonly FieldMatch[]
  /** The sum over the parts. */
  score?: number
}

const byIdentifier = '1: the identifier matches the bond'
const byDisplayName = '1: the display name matches the bond'
const byFilters = '0.9 / number of bonds that pass the filters, the largest active first'
const byDescription =
  'e^score / (sum of e^score over all candidates + e^11 for no match, up to e^20 where a company without bonds is named better), at most 0.99; score is the sum over the parts'

/** Bonds whose confidences are closer than this are equally likely: the answer has suggestions. */
const AMBIGUOUS = 0.15
const MOST_SUGGESTIONS = 5
const DECIMALS = 1000

const confidence = {
  ...valueSchema(number('How sure the match is, 0 to 1; 1 for an identifier.')),
  minimum: 0,
  maximum: 1,
}

export const resolveBond = operation({
  name: 'resolve.bond',
  method: 'GET',
  path: '/v1/bonds/resolve',
  command: 'resolve',
  doc: 'Find a bond by identifier or description.',
  tier: 'any',
  cost: 'simple',
  answers: 'object',
  envelope: 'data',
  columns: null,
  objectSchema: object({
    query: valueSchema(nullable(text('The query as given.'))),
    matches: arrayOf(withExplain(object({ confidence, bond: reference('Bond') }))),
    exact_match: valueSchema(boolean('An identifier was given, and found.')),
    suggestions: valueSchema(list('Other bonds that may be meant.')),
  }),
  meta: { total: countSchema('Matches returned.') },
  batch: true,
  positional: ['q'],
  examples: ['"yarveron 13.5 2031"', '--cusip 998XSRA10'],
  params: {
    q: one(text('Free text: an identifier or a part of one, or issuer, coupon and maturity.'), {
      length: 512,
    }),
    cusip: one(shaped('cusip', 'CUSIP.')),
    isin: one(shaped('isin', 'ISIN.')),
    ticker: one(shaped('ticker', 'Ticker.')),
    coupon: one(percent('Coupon.'), { min: 0, max: 100 }),
    maturity_year: one(integer('Year of maturity.'), { min: 1900, max: 2300 }),
    match_mode: fallback(one(oneOf(['exact', 'fuzzy'], 'Exact matches only, or also likely ones.')), 'fuzzy'),
    limit: fallback(one(integer('Matches to return.'), { min: 1, max: 20 }), 5),
    ...timeParams,
    ...explainParam,
  },
  check: checkGiven,
  async run(context, args) {
    checkGiven(args)
    const { q, cusip, isin, ticker } = args
    if (!context.isReady('bonds')) await context.tables('bonds')
    const indexing = context.cached('bonds by description', async () =>
      readBondIndex(context.database, await context.companyNames()),
    )
    const index = isPromise(indexing) ? await indexing : indexing
    const companies = ticker ? (await context.companies([ticker])).ids : null
    const read = readDescription(q ?? '')
    const among = narrowed(index, { ...args, companies, lei: read.lei })
    const isStandard = context.coverage === 'standard'
    const query = q ?? cusip ?? isin ?? ticker ?? null
    /** All of the given rows, with one confidence. */
    const all = async (rows: readonly number[], confidence: number, formula: string, exact: boolean) => {
      const shown = inOrder(index, rows).slice(0, args.limit)
      const found = await readBonds(context, index, shown)
      const explained = args.explain ? { _explain: { formula } } : {}
      return answer(
        query,
        found.map(bond => ({ confidence, bond, ...explained })),
        exact,
      )
    }
    const passing = (rows: readonly number[] | undefined): number[] =>
      (rows ?? []).filter(
        row => (!among || among.has(row)) && !(isStandard && elementAt(index.flags, row) & EXTENDED),
      )

    if (cusip || isin) {
      const found = passing(index.byIdentifier.get((cusip ?? isin)!))
      return all(found, 1, byIdentifier, found.length > 0)
    }
    if (!q || (read.lei !== undefined && !saysSomething(read))) {
      const found = passing([...(among ?? [])])
      return all(found, Math.max(0.9 / found.length, 1 / DECIMALS), byFilters, false)
    }
    const written = q.trim().replace(/\s+/g, ' ').toUpperCase()
    const identified = passing(
      index.byIdentifier.get(written) ?? index.byIdentifier.get(read.identifier ?? ''),
    )
    if (identified.length > 0) return all(identified, 1, byIdentifier, true)
    if (read.identifier !== undefined && !saysSomething(read)) return answer(query, [], false)
    const called = passing(index.byDisplay.get(written))
    if (called.length > 0) return all(called, 1, byDisplayName, true)

    if (!saysSomething(read) && !among) return answer(query, [], false, largestOf(index, isStandard))
    const description = withGiven(read, args)
    const bounds: MatchBounds = { among, isStandard, isNamed: companies !== null || read.lei !== undefined }
    const ranked = matchBonds(index, description, bounds)
    const kept = args.match_mode === 'exact' ? ranked.filter(match => match.isFull) : ranked
    const top = kept.slice(0, args.limit)
    const rows = await readBonds(
      context,
      index,
      top.map(({ row }) => row),
    )
    const matches = top.map(({ row, confidence, score }, i) => ({
      confidence: Math.max(Math.round(confidence * DECIMALS), 1) / DECIMALS,
      bond: elementAt(rows, i),
      ...(args.explain && {
        _explain: {
          formula: byDescription,
          parts: explainMatch(index, description, bounds, row),
          score: Math.round(score * 1e4) / 1e4,
        },
      }),
    }))
    const isAmbiguous =
      kept.length > 1 && firstOf(kept).confidence - elementAt(kept, 1).confidence < AMBIGUOUS
    const others = kept.length === 0 ? ranked : isAmbiguous ? kept : []
    return answer(
      query,
      matches,
      false,
      others.slice(0, MOST_SUGGESTIONS).map(({ row }) => nameOf(index, row)),
    )
  },
  out: undefined as { data: ResolvedBond; meta: Record<string, unknown> } | undefined,
})

function checkGiven({
  q,
  cusip,
  isin,
  ticker,
}: Readonly<Record<'q' | 'cusip' | 'isin' | 'ticker', string | undefined>>): void {
  if (!q && !cusip && !isin && !ticker)
    throw new QueryError('MISSING_PARAMETER', 'give one of q, cusip, isin and ticker', { parameter: 'q' })
}

interface Given {
  readonly companies: readonly string[] | null
  readonly cusip: string | undefined
  readonly isin: string | undefined
  readonly coupon: number | undefined
  readonly maturity_year: number | undefined
  readonly lei: string | undefined
}

/** Rows that pass the other parameters; undefined if there are none. */
function narrowed(index: BondIndex, given: Given): ReadonlySet<number> | undefined {
  const { companies, coupon, maturity_year: year, lei } = given
  const identifiers = [given.cusip, given.isin].filter(text => text !== undefined)
  const isGiven = [coupon, year, lei].some(value => value !== undefined) || identifiers.length > 0
  if (companies === null && !isGiven) return
  const ofLei = lei === undefined ? null : (index.byLei.get(lei) ?? [])
  const rows = identifiers.length
    ? (index.byIdentifier.get(firstOf(identifiers)) ?? [])
    : companies
      ? companies.flatMap(id => index.byCompany.get(id) ?? [])
      : Array.from({ length: index.rowCount }, (_, row) => row)
  return new Set(
    rows.filter(
      row =>
        (coupon === undefined || Math.abs(elementAt(index.coupons, row) - coupon) < 0.0051) &&
        (year === undefined || Math.floor(elementAt(index.maturities, row) / 10_000) === year) &&
        (ofLei === null || ofLei.includes(row)) &&
        (companies === null || companies.includes(index.companies[row] ?? '')) &&
        identifiers.every(text => index.byIdentifier.get(text)?.includes(row)),
    ),
  )
}

/** A coupon and year given as parameters count as written. */
function withGiven(
  read: BondDescription,
  given: { coupon: number | undefined; maturity_year: number | undefined },
): BondDescription {
  const { coupon, maturity_year: year } = given
  return {
    ...read,
    ...(coupon !== undefined && { coupon: { rate: coupon, decimals: 5 } }),
    ...(year !== undefined && { maturity: { ...read.maturity, year, isShort: false } }),
  }
}

const inOrder = ({ ranks }: BondIndex, rows: readonly number[]): number[] =>
  [...rows].sort((a, b) => elementAt(ranks, a) - elementAt(ranks, b))

const nameOf = ({ displays, ids }: BondIndex, row: number): string => displays[row] ?? elementAt(ids, row)

/** The largest active bonds of several companies, as examples when nothing was written. */
function largestOf(index: BondIndex, isStandard: boolean): string[] {
  const companies = new Set<string | null>()
  const names: string[] = []
  for (const row of index.byRank) {
    if (names.length === MOST_SUGGESTIONS || !(elementAt(index.flags, row) & ACTIVE)) break
    if (
      (isStandard && elementAt(index.flags, row) & EXTENDED) ||
      companies.has(elementAt(index.companies, row))
    )
      continue
    companies.add(elementAt(index.companies, row))
    names.push(nameOf(index, row))
  }
  return names
}

const answer = (
  query: string | null,
  matches: ResolvedBond['matches'],
  exact_match: boolean,
  suggestions: readonly string[] = [],
) => ({
  kind: 'object' as const,
  data: { query, matches, exact_match, suggestions: [...new Set(suggestions)] },
  meta: { total: matches.length },
  empty: matches.length === 0,
})

const shown = Object.entries(bonds.columns)
  .filter(([, column]) => !column.on_request)
  .map(([name, column]) => ({ name, column }))

/** The records of some rows, in their order. */
async function readBonds(context: Context, index: BondIndex, rows: readonly number[]): Promise<Bond[]> {
  const reading = context.values('bonds', bonds.columns, shown, {
    rows,
    ids: rows.map(row => elementAt(index.ids, row)),
  })
  const columns = isPromise(reading) ? await reading : reading
  return nest(shown, columns, rows.length) as unknown as Bond[]
}
