import { daysBetween } from '../base/days.ts'
import { stored } from '../database/views.ts'
import { type KeyedRows, rowsByKey } from './keyed-rows.ts'
import type { Context } from './operation.ts'

/** A debt claim on a company as the lake knows it on the day. Amounts are in minor units of `currency`. */
export interface Claim {
  readonly id: string
  readonly company_id: string
  readonly name: string
  readonly issuer_id: string | null
  readonly issuer_name: string | null
  readonly issuer_type: 'holdco' | 'opco' | 'subsidiary' | null
  readonly seniority: 'senior_secured' | 'senior_unsecured' | 'subordinated' | null
  readonly security_type: 'first_lien' | 'second_lien' | 'unsecured' | null
  readonly instrument_type: string | null
  readonly currency: string
  /** Drawn; null if no source states it. */
  readonly outstanding: number | null
  /** Of a facility. */
  readonly commitment: number | null
  /** What may still be drawn of it. */
  readonly undrawn: number | null
  readonly maturity_date: string | null
  /** As exact as it is known: `2032-03-15`, `2032-03` or `2032`. */
  readonly maturity: string | null
  readonly maturity_year: number | null
  /** Null if the type of the rate is not known. */
  readonly floats: boolean | null
  /** Repayments before maturity, as loaded. */
  readonly sinking_schedule: string | null
  /** Where the amount comes from: the record and its source. */
  readonly from: 'bonds' | 'instruments'
  /** The day of the amount, of an instrument. */
  readonly balance_date: string | null
  /** Whether the company's instruments add up to its tagged debt; null of a bond. */
  readonly is_reconciled: boolean | null
  readonly source: string | null
  readonly known_from: string | null
}

/**
 * The claims on companies as of the day, active ones only; all companies if none is named: their bonds, or their debt
 * instruments where these add up to the tagged debt and the amounts of the bonds do not, or where no debt is tagged and no
 * bond has an amount. Of a company without a table of its debt, these are the notes and facilities of which its newest text
 * states a principal or a commitment. Every operation that adds up debt reads it here.
 */
export async function claimsOf(
  context: Context,
  companies: readonly string[] | null,
): Promise<readonly Claim[]> {
  const bonds = await rowsByKey(context, bondClaims, companies)
  const byBonds = byCompany(bonds)
  const withInstruments = await rowsByKey(context, instrumentDebt, companies)
  const byInstruments = new Set(
    withInstruments
      .filter(({ company_id, tagged_debt, currency }) => {
        const own = byBonds.get(company_id) ?? []
        return tagged_debt === null
          ? own.every(({ outstanding }) => outstanding === null)
          : !makeUpDebt(own, tagged_debt, currency)
      })
      .map(({ company_id }) => company_id),
  )
  if (byInstruments.size === 0) return bonds
  const instruments = await rowsByKey(context, instrumentClaims, [...byInstruments])
  return [...bonds.filter(({ company_id }) => !byInstruments.has(company_id)), ...instruments]
}

const seenBy = ({ coverage }: Context): string => (coverage === 'standard' ? "AND coverage = 'standard'" : '')

/** Of an instrument: the newest text about the debt states it, without a balance. */
const isStated = 'is_active AND is_current AND NOT is_counted AND coalesce(principal, commitment) IS NOT NULL'

interface InstrumentDebt {
  readonly company_id: string
  /** Null if the filings tag none. */
  readonly tagged_debt: number | null
  readonly currency: string
}

/**
 * Companies whose instruments add up to their tagged debt, or have amounts and no tagged debt to compare them with: balances, or
 * without any what was issued or committed.
 */
const instrumentDebt: KeyedRows<InstrumentDebt> = {
  name: 'debt of companies with instruments',
  tables: ['debt_reconciliations', 'instruments'],
  keyOf: row => row.company_id,
  sql: (among, context) =>
    `SELECT company_id, tagged_debt, currency FROM ${stored('debt_reconciliations')}
     WHERE (reconciles AND tagged_debt > 0 OR tagged_debt IS NULL AND instruments_sum > 0) ${among('company_id')} ${seenBy(context)}
     UNION ALL
     SELECT company_id, NULL, min(coalesce(currency, 'USD')) FROM ${stored('instruments')}
     WHERE ${isStated} AND company_id NOT IN (SELECT company_id FROM ${stored('debt_reconciliations')} WHERE company_id IS NOT NULL)
       ${among('company_id')} ${seenBy(context)}
     GROUP BY company_id
     ORDER BY company_id`,
}

/**
 * A term loan is lent at once, and what was repaid is not lent again: nothing of it may be drawn, but of one that is drawn in
 * parts.
 */
const isLent = (type: string, name: string): string =>
  `(coalesce(${type}, '') IN ('term_loan', 'term_loan_a', 'term_loan_b', 'loan') AND NOT regexp_matches(${name}, '\\b(delayed|multiple)[ -]draw', 'i'))`

/**
 * Instruments with the issuer and ids of the bonds that they are. What is drawn of a facility that is not counted is in the
 * tagged lines that have no instrument, where these are as large; else it is among the instruments that are counted,
 * which make up the debt. Without a table of the debt it is what the text states: drawn, or issued.
 */
const instrumentClaims: KeyedRows<Claim> = {
  name: 'instruments as claims',
  tables: ['instruments', 'bonds', 'debt_reconciliations'],
  keyOf: row => row.company_id,
  sql: among =>
    `SELECT coalesce(b.id, i.id) AS id, i.company_id, coalesce(b.display_name, i.name) AS name, b.issuer_id,
       coalesce(b."issuer.name", i.issuer) AS issuer_name, b.issuer_type, coalesce(b.seniority, i.seniority) AS seniority,
       coalesce(b.security_type, i.security_type) AS security_type, coalesce(i.instrument_type, b.instrument_type) AS instrument_type,
       coalesce(i.currency, 'USD') AS currency,
       CASE WHEN i.is_counted THEN coalesce(i.carrying_amount, i.drawn, i.principal)
         WHEN r.company_id IS NULL THEN coalesce(i.drawn, i.commitment - i.undrawn, i.principal)
         WHEN coalesce(i.drawn, i.commitment - i.undrawn) <= r.lines THEN coalesce(i.drawn, i.commitment - i.undrawn) ELSE 0 END AS outstanding,
       CASE WHEN i.undrawn IS NOT NULL OR NOT ${isLent('i.instrument_type', 'i.name')} THEN i.commitment END AS commitment,
       CASE WHEN i.undrawn IS NOT NULL OR NOT ${isLent('i.instrument_type', 'i.name')} THEN coalesce(i.undrawn, greatest(i.commitment - coalesce(i.drawn, CASE WHEN i.is_counted THEN i.carrying_amount END, 0), 0)) END AS undrawn, CAST(i.maturity_date AS VARCHAR) AS maturity_date, i.maturity,
       i.maturity_year,
       CASE i.rate_type WHEN 'floating' THEN TRUE WHEN 'fixed' THEN FALSE END AS floats, CAST(b.sinking_schedule AS VARCHAR) AS sinking_schedule,
       'instruments' AS "from", CAST(i.balance_date AS VARCHAR) AS balance_date,
       coalesce(r.is_reconciled, FALSE) AS is_reconciled, i.source, CAST(i.known_from AS VARCHAR) AS known_from
     FROM ${stored('instruments')} i LEFT JOIN ${stored('bonds')} b ON b.id = i.bond_id
     LEFT JOIN (SELECT company_id, max(lines_without_instruments) AS lines, bool_or(tagged_debt IS NOT NULL) AS is_reconciled FROM ${stored('debt_reconciliations')} GROUP BY company_id) r ON r.company_id = i.company_id
     WHERE i.is_active AND i.company_id IS NOT NULL AND (i.is_counted OR i.is_current AND i.commitment IS NOT NULL OR r.company_id IS NULL AND i.is_current AND i.principal IS NOT NULL) ${among('i.company_id')}
     ORDER BY i.company_id, i.maturity_year NULLS LAST, i.maturity_date NULLS LAST, i.id`,
}

const bondClaims: KeyedRows<Claim> = {
  name: 'bonds as claims',
  tables: ['bonds'],
  keyOf: row => row.company_id,
  sql: (among, context) =>
    `SELECT id, company_id, display_name AS name, issuer_id, "issuer.name" AS issuer_name, issuer_type, seniority, security_type, instrument_type,
       coalesce(currency, 'USD') AS currency, outstanding, CASE WHEN NOT ${isLent('instrument_type', 'name')} THEN commitment END AS commitment,
       CASE WHEN NOT ${isLent('instrument_type', 'name')} THEN greatest(commitment - outstanding, 0) END AS undrawn, CAST(maturity_date AS VARCHAR) AS maturity_date,
       CAST(maturity_date AS VARCHAR) AS maturity, CAST(year(maturity_date) AS INTEGER) AS maturity_year,
       CASE WHEN rate_structure = 'floating' OR rate_type = 'floating' THEN TRUE WHEN coalesce(rate_structure, rate_type) IS NOT NULL THEN FALSE END AS floats,
       CAST(sinking_schedule AS VARCHAR) AS sinking_schedule, 'bonds' AS "from", NULL AS balance_date, NULL AS is_reconciled, json_extract_string(_explain, '$.terms.from') AS source, CAST(known_from AS VARCHAR) AS known_from
     FROM ${stored('bonds')} WHERE is_active AND company_id IS NOT NULL ${among('company_id')} ${seenBy(context)}
     ORDER BY company_id, maturity_date NULLS LAST, id`,
}

/** The claims by company. */
export function byCompany(claims: readonly Claim[]): ReadonlyMap<string, readonly Claim[]> {
  const groups = new Map<string, Claim[]>()
  for (const claim of claims) {
    const own = groups.get(claim.company_id)
    if (own) own.push(claim)
    else groups.set(claim.company_id, [claim])
  }
  return groups
}

/** Whether a claim's amount is of a balance date too long before the day. */
export const isStale = ({ balance_date }: Claim, asOf: string, maxAge: number): boolean =>
  balance_date !== null && daysBetween(balance_date, asOf) > maxAge

/** Their amounts in a currency, if every one of them has its amount in it; else null. */
export const amountOf = (claims: readonly Claim[], currency: string): number | null =>
  claims.every(claim => claim.outstanding !== null && claim.currency === currency)
    ? claims.reduce((sum, claim) => sum + claim.outstanding!, 0)
    : null

/** Less of total debt than this by claims leaves open what the rest is. */
const MOST_OF_DEBT = 0.9

/** Whether the claims are the company's debt, each with its amount: else what is not among them could be of any kind. */
export function makeUpDebt(claims: readonly Claim[], totalDebt: number | null, currency: string): boolean {
  const sum = amountOf(claims, currency)
  return sum !== null && totalDebt !== null && sum >= MOST_OF_DEBT * totalDebt
}

/** A claim as `_explain` shows it. */
export const claimInput = ({ company_id: _, issuer_id: __, sinking_schedule, ...claim }: Claim) => ({
  ...claim,
  ...(sinking_schedule !== null && { sinking_schedule: JSON.parse(sinking_schedule) as unknown }),
})
