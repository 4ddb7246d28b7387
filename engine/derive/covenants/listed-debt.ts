import { later } from '../../base/days.ts'
import type { Database } from '../../database/database.ts'
import { joinCompany } from '../issuers/join-company.ts'
import { instrumentKey } from './instrument-key.ts'
import type { StatedCovenant } from './stated-covenant.ts'

/** An instrument among the debt that a document lists as owed or committed. */
export interface ListedDebt {
  readonly company_id: string
  readonly company_name: string
  readonly name: string
  /** When the document was known. */
  readonly day: string
}

/** The last day on which the debt of a company was known to have the instrument of a row; null if it never was. */
export type LastListed = (row: StatedCovenant, lastStated: string | null) => string | null

interface Listed {
  readonly name: string
  readonly family: string
  readonly words: ReadonlySet<string>
  /** The words that are no terms and not of the company's name, which may change or be left out. */
  readonly telling: readonly string[]
  readonly days: string[]
}

/** A year, month, day or rate in the name of an instrument. */
const TERM =
  /^(?:(?:19|20)\d\d(?:-\d\d){0,2}|\d{1,2}|january|february|march|april|may|june|july|august|september|october|november|december|[\d.]{1,8}%|(?:floating|variable|fixed)(?:-rate)?|rate)$/

/** A row of the lists says itself that it is secured, an agreement often does not. */
const SECURED = 'secured'

/**
 * The debt of companies of which documents state pledges, as far as it is owed or committed and not unsecured: the rows of
 * the dataset `instruments`, which are read out of reports or loaded.
 */
export const listedDebt = (db: Database): Promise<ListedDebt[]> =>
  db.rows<ListedDebt>(`
    SELECT DISTINCT company.company_id, coalesce(company.name, '') AS company_name, i.name, i.known_from AS day
    FROM in_instruments i ${joinCompany('i')}
    WHERE company.company_id IN (SELECT company_id FROM collateral_rows WHERE rule IS NOT NULL)
      AND i.name IS NOT NULL AND i.known_from IS NOT NULL AND i.ended_because IS NULL
      AND coalesce(greatest(i.principal, i.carrying_amount, i.commitment, i.drawn) > 0, TRUE)
      AND i.seniority IS DISTINCT FROM 'senior_unsecured' AND NOT regexp_matches(i.name, '\\bunsecured\\b', 'i')
    ORDER BY ALL`)

/**
 * Finds what companies list of the instruments by which pledges are told. Names are of one instrument if they have the same
 * words but for its terms and the company's name: `Utility Revolving Credit Agreement`, `Utility revolving credit facility
 * due June 2027`. `Notes` are secured notes that were listed when they were told of. Of an agreement with a date another
 * of its name may be meant, and of `Credit Facility` any.
 */
export function lastListedIn(debt: readonly ListedDebt[]): LastListed {
  const companies = new Map<string, Map<string, Listed>>()
  for (const { company_id, company_name, name, day } of debt) {
    const ofCompany = companies.get(company_id) ?? new Map<string, Listed>()
    const listed = ofCompany.get(name) ?? listedOf(name, company_name)
    listed.days.push(day)
    companies.set(company_id, ofCompany.set(name, listed))
  }
  return ({ company_id, instrument_name: name, agreement_date, rule }, lastStated) => {
    if (company_id === null || name === null || agreement_date !== null || rule === null) return null
    const { family } = instrumentKey(name, null)
    const words = new Set(wordsOf(name).filter(word => word !== SECURED))
    if (family === 'ancillary' || lastStated === null || (words.size === 0 && family !== 'notes')) return null
    const those = [...(companies.get(company_id)?.values() ?? [])].filter(
      listed =>
        listed.family === family &&
        [...words].every(word => listed.words.has(word)) &&
        listed.telling.every(word => words.has(word)) &&
        (words.size > 0 || (listed.words.has(SECURED) && listed.days.some(day => day <= lastStated))),
    )
    return those.flatMap(({ days }) => days).reduce<string | null>(later, null)
  }
}

function listedOf(name: string, company: string): Listed {
  const words = wordsOf(name)
  const ofCompany = new Set(wordsOf(company))
  return {
    name,
    family: instrumentKey(name, null).family,
    words: new Set(words),
    telling: words.filter(word => word !== SECURED && !TERM.test(word) && !ofCompany.has(word)),
    days: [],
  }
}

const wordsOf = (name: string): string[] =>
  instrumentKey(name, null)
    .words.split(' ')
    .filter(word => word !== '')
