import { type Database, literal } from '../../database/database.ts'
import { BALANCE_SHEET, sheetOfSql } from '../../schema/datasets/calculations.ts'

/** The columns of a fact from which figures are derived. */
const columns = `cik, concept, unit, period_start, period_end, value, decimals, accession, form, fiscal_year, fiscal_period, report_date,
    filed_date, known_from, dates_rounded, source, dimensions`

/** Sums that a file can hold: of the upper bits of a hash, eight million rows a filer and day. */
const sums = `count(*) AS n, bit_xor(hash(f)) AS hashes, CAST(sum(hash(f) >> 24) AS BIGINT) AS hash_sum`

const factsSql = (facts: string): string => `
    SELECT cik, known_from, 'facts' AS part, ${sums}, bool_or(contains(source, '.xml')) AS has_links
    FROM (SELECT ${columns} FROM ${facts}) f GROUP BY cik, known_from`

/** Of the filings that say the form or the balance date of a fact, which itself does not: known once both are. */
const filingsSql = (facts: string, filings: string): string => `
    SELECT cik, known_from, 'filings' AS part, ${sums}, FALSE AS has_links
    FROM (SELECT f.cik, g.accession, g.form, g.report_date, greatest(f.known_from, g.known_from) AS known_from
      FROM (SELECT cik, accession, min(known_from) AS known_from FROM ${facts} WHERE form IS NULL OR report_date IS NULL GROUP BY ALL) f
      JOIN ${filings} g USING (accession)) f GROUP BY cik, known_from`

/** Of the lines that add up on the balance sheets of filings with facts. */
const sheetsSql = (facts: string, calculations: string): string => `
    SELECT cik, known_from, 'sheets' AS part, ${sums}, FALSE AS has_links
    FROM (SELECT DISTINCT f.cik, c.document, c.parent, c.child, c.weight, f.known_from
      FROM (SELECT cik, ${sheetOfSql('a')} AS document, min(known_from) AS known_from FROM ${facts} a GROUP BY ALL) f
      JOIN ${calculations} c USING (document) WHERE c.role = ${literal(BALANCE_SHEET)}) f GROUP BY cik, known_from`

/**
 * Fingerprints of the facts of each filer, and of the filings and balance sheets that say more of them, by the day on which they became known. That of
 * what is known on a day is their sum, so a day need not read the facts.
 */
const fingerprintsSql = (facts: string, filings: string, calculations: string): string =>
  `${factsSql(facts)} UNION ALL ${filingsSql(facts, filings)} UNION ALL ${sheetsSql(facts, calculations)}`

const inOrder = 'source, company_name'

/** The fingerprints, and the last name of each filer in the facts of each day. */
export const factsByDaySql = (facts: string, filings: string, calculations: string): string => `
    ${fingerprintsSql(facts, filings, calculations)}
    UNION ALL BY NAME SELECT cik, known_from, 'names' AS part, last(company_name ORDER BY ${inOrder}) AS company_name
    FROM ${facts} GROUP BY cik, known_from`

export interface FactsByDay {
  readonly asOf?: string
  /** The file of `factsByDaySql` over all facts; without it those in view are read. */
  readonly factsByDay?: (() => Promise<string>) | undefined
}

/** A query for what each filer was called last in its facts known by the day: `cik`, `name`. */
export async function namesInFacts({ asOf, factsByDay }: FactsByDay): Promise<string> {
  if (asOf === undefined || !factsByDay)
    return `SELECT cik, last(company_name ORDER BY known_from NULLS FIRST, ${inOrder}) AS name FROM in_facts GROUP BY cik`
  return `SELECT cik, last(company_name ORDER BY known_from) AS name FROM read_parquet(${literal(await factsByDay())})
    WHERE part = 'names' AND known_from <= DATE ${literal(asOf)} GROUP BY cik`
}

export interface FactsOfCompany {
  readonly company_id: string
  readonly fingerprint: string
  /** Whether some are of XBRL files, with which calculation links are used. */
  readonly has_links: boolean
}

/** Fingerprints of parts of a company's facts, as one. */
const together = `string_agg(concat_ws('/', cik, part, n, hashes, hash_sum), ' ' ORDER BY cik, part) AS fingerprint, bool_or(has_links) AS has_links`

/** The sums of some fingerprints. */
const summed =
  'sum(n) AS n, bit_xor(hashes) AS hashes, sum(hash_sum) AS hash_sum, bool_or(has_links) AS has_links'

/** The fingerprint of the facts known of each company that has any, and of what filings and balance sheets say of them if these count. */
export async function factFingerprints(
  db: Database,
  { asOf, factsByDay }: FactsByDay,
  { withFilings }: { readonly withFilings: boolean },
): Promise<FactsOfCompany[]> {
  const inView = withFilings
    ? fingerprintsSql('in_facts', 'in_filings', 'in_calculations')
    : factsSql('in_facts')
  const known =
    asOf !== undefined && factsByDay
      ? `SELECT * FROM read_parquet(${literal(await factsByDay())})
         WHERE known_from <= DATE ${literal(asOf)} AND ${withFilings ? "part <> 'names'" : "part = 'facts'"}`
      : inView
  return db.rows<FactsOfCompany>(`
    SELECT company_id, ${together}
    FROM (SELECT cik, part, ${summed} FROM (${known}) GROUP BY cik, part) JOIN company_of_cik USING (cik)
    GROUP BY company_id ORDER BY company_id`)
}

export interface FactsOfDay extends FactsOfCompany {
  /** Days since 1970-01-01. */
  readonly day: number
}

/** The same fingerprints as they are on each day on which facts in view became known, or what is known of them. */
export function fingerprintsByDay(db: Database): Promise<FactsOfDay[]> {
  return db.rows<FactsOfDay>(`
    WITH known AS MATERIALIZED (
      SELECT company_id, b.* FROM (${fingerprintsSql('in_facts', 'in_filings', 'in_calculations')}) b JOIN company_of_cik USING (cik)
      WHERE known_from IS NOT NULL),
    days AS (SELECT DISTINCT company_id, known_from AS day FROM known)
    SELECT company_id, CAST(day - DATE '1970-01-01' AS INTEGER) AS day, ${together}
    FROM (
      SELECT d.company_id, d.day, k.cik, k.part, ${summed}
      FROM days d JOIN known k ON k.company_id = d.company_id AND k.known_from <= d.day GROUP BY ALL)
    GROUP BY company_id, day ORDER BY company_id, day`)
}
