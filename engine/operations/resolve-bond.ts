import { QueryError } from '../base/errors.ts'
import { integer, oneOf, percent, shaped, text } from '../schema/column.ts'
import { nest } from '../schema/nested-rows.ts'
import { fallback, one } from '../schema/params.ts'
import { type Bond, bonds } from '../schema/resources/bonds.ts'
import { explainParam, timeParams } from './list.ts'
import { type BondCandidate, describe, type FieldMatch, readQuery, scorer, tokensOf } from './match-bond.ts'
import type { Context } from './operation.ts'
import { operation } from './operation.ts'

export interface ResolvedBond {
  query: string | null
  matches: { confidence: number; bond: Bond; _explain?: Confidence }[]
  exact_match: boolean
  suggestions: string[]
}

/** How a confidence was formed. */
export interface Confidence {
  formula: string
  /** What was read of the query, and how far the bond agrees with each part of it. */
  parts?: readonly FieldMatch[]
  /** Less for bonds that are no longer there. */
  factor?: number
}

const byIdentifier = '1: the identifier is that of the bond'
const byDisplayName = '1: the display name is that of the bond'
const byFilters = '0.9: one of the bonds that pass the filters, the largest active first'
const byWords = 'sum of weight * share / sum of weights * factor, at most 0.99'

export const resolveBond = operation({
  name: 'resolve.bond',
  method: 'GET',
  path: '/v1/bonds/resolve',
  command: 'resolve',
  doc: 'The bond that an identifier or a description means.',
  tier: 'any',
  cost: 'simple',
  envelope: 'data',
  columns: null,
  batch: true,
  positional: ['q'],
  examples: ['"yarveron 13.5 2031"', '--cusip 998XSRA10'],
  params: {
    q: one(text('Free text: an identifier, or issuer, coupon and maturity.'), { length: 512 }),
    cusip: one(shaped('cusip', 'CUSIP.')),
    isin: one(shaped('isin', 'ISIN.')),
    ticker: one(shaped('ticker', 'Ticker.')),
    coupon: one(percent('Coupon.'), { min: 0, max: 100 }),
    maturity_year: one(integer('Year of maturity.'), { min: 1900, max: 2300 }),
    match_mode: fallback(one(oneOf(['exact', 'fuzzy'], 'Only exact matches, or also likely ones.')), 'fuzzy'),
    limit: fallback(one(integer('Matches to return.'), { min: 1, max: 20 }), 5),
    ...timeParams,
    ...explainParam,
  },
  check: checkGiven,
  async run(context, args) {
    checkGiven(args)
    const { q, cusip, isin, ticker } = args
    await context.tables('bonds')
    const ids = ticker ? (await context.companies([ticker])).ids : []
    const asked = readQuery(q ?? '')
    const exact = cusip ?? isin ?? asked.identifier
    const wanted = {
      ...asked,
      coupon: args.coupon ?? asked.coupon,
      year: args.maturity_year ?? asked.year,
    }
    const narrow: string[] = []
    const values: (string | number)[] = []
    const also = (sql: string, ...given: (string | number)[]) => {
      narrow.push(sql)
      values.push(...given)
    }
    if (context.coverage === 'standard') also("coverage = 'standard'")
    if (ids.length) also(`company_id IN (${ids.map(() => '?').join(', ')})`, ...ids)
    if (args.coupon !== undefined) also('abs(coupon_rate - CAST(? AS DOUBLE)) < 0.0051', args.coupon)
    if (args.maturity_year !== undefined) also('year(maturity_date) = ?', args.maturity_year)
    if (cusip) also('cusip = ?', cusip)
    if (isin) also('isin = ?', isin)
    const query = q ?? cusip ?? isin ?? ticker ?? null
    const explained = (_explain: Confidence) => (args.explain ? { _explain } : {})
    if (exact !== undefined) {
      if (!cusip && !isin) also('(cusip = ? OR isin = ? OR upper(id) = ?)', exact, exact, exact)
      const found = await readBonds(context, narrow, values)
      return answer(
        query,
        found
          .slice(0, args.limit)
          .map(bond => ({ confidence: 1, bond, ...explained({ formula: byIdentifier }) })),
        found.length > 0,
      )
    }
    if (!q) {
      const found = await readBonds(context, narrow, values, args.limit)
      return answer(
        query,
        found.map(bond => ({ confidence: 0.9, bond, ...explained({ formula: byFilters }) })),
        false,
      )
    }
    const called = await readBonds(
      context,
      [...narrow, 'upper(display_name) = ?'],
      [...values, displayNameIn(q)],
    )
    if (called.length > 0)
      return answer(
        query,
        called
          .slice(0, args.limit)
          .map(bond => ({ confidence: 1, bond, ...explained({ formula: byDisplayName }) })),
        true,
      )
    const candidates = await describedBonds(context, narrow, values)
    const score = scorer({ ...wanted, tokens: tokensOf(wanted.words) }, ids.length > 0)
    const ranked = candidates
      .map(c => ({ id: c.id, ...score(c) }))
      .filter(c => c.confidence >= (args.match_mode === 'exact' ? 0.95 : 0.35))
      .sort((a, b) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1))
    const top = ranked.slice(0, args.limit)
    const rows = top.length
      ? await readBonds(
          context,
          [`id IN (${top.map(() => '?').join(', ')})`],
          top.map(t => t.id),
        )
      : []
    const matches = top.map(({ id, confidence, parts, factor }) => ({
      confidence: Math.min(0.99, Math.round(confidence * 1000) / 1000),
      bond: rows.find(r => r.id === id)!,
      ...explained({ formula: byWords, parts, factor }),
    }))
    const ambiguous = ranked.length > 1 && ranked[0]!.confidence - ranked[1]!.confidence < 0.15
    const suggestions =
      matches.length === 0 || ambiguous
        ? ranked.slice(0, 5).map(r => describe(candidates.find(c => c.id === r.id)!))
        : []
    return answer(query, matches, false, [...new Set(suggestions)])
  },
  out: undefined as { data: ResolvedBond; meta: Record<string, unknown> } | undefined,
})

/** What was written as display names are. */
const displayNameIn = (written: string): string => written.trim().replace(/\s+/g, ' ').toUpperCase()

function checkGiven({
  q,
  cusip,
  isin,
  ticker,
}: Readonly<Record<'q' | 'cusip' | 'isin' | 'ticker', string | undefined>>): void {
  if (!q && !cusip && !isin && !ticker)
    throw new QueryError('MISSING_PARAMETER', 'give one of q, cusip, isin and ticker', { parameter: 'q' })
}

const answer = (
  query: string | null,
  matches: ResolvedBond['matches'],
  exact_match: boolean,
  suggestions: string[] = [],
) => ({
  kind: 'object' as const,
  data: { query, matches, exact_match, suggestions },
  meta: { total: matches.length },
  empty: matches.length === 0,
})

const shown = Object.entries(bonds.columns)
  .filter(([, column]) => !column.on_request)
  .map(([name, column]) => ({ name, column }))

async function readBonds(
  context: Context,
  narrow: readonly string[],
  values: readonly (string | number)[],
  limit = 20,
): Promise<Bond[]> {
  const { columns, rowCount } = await context.database.columns(
    `SELECT ${shown.map(c => `"${c.name}"`).join(', ')} FROM stored.bonds${narrow.length ? ` WHERE ${narrow.join(' AND ')}` : ''}
     ORDER BY is_active DESC, outstanding DESC NULLS LAST, maturity_date NULLS LAST, id LIMIT ${limit}`,
    values,
  )
  return nest(shown, columns, rowCount) as Bond[]
}

const describedBonds = (
  context: Context,
  narrow: readonly string[],
  values: readonly (string | number)[],
): Promise<BondCandidate[]> =>
  context.database.rows<BondCandidate>(
    `SELECT id, display_name AS display, name, company_ticker AS ticker, company_name AS company, "issuer.name" AS issuer, coupon_rate AS coupon,
       CAST(maturity_date AS VARCHAR) AS maturity, coalesce(rate_structure = 'floating' OR rate_type = 'floating', FALSE) AS floats, is_active AS active, seniority, instrument_type AS instrument
     FROM stored.bonds${narrow.length ? ` WHERE ${narrow.join(' AND ')}` : ''} ORDER BY id`,
    values,
  )
