import type { Database } from '../../database/database.ts'
import { tieBreak } from '../../database/tie-break.ts'
import { applyCorrections } from '../corrections/corrections.ts'
import { joinCompany } from '../issuers/join-company.ts'
import type { AgreementEnding, StandingCovenant } from './standing.ts'

/** Tables of facts that stand until something ends them. */
export type StandingFacts = 'covenants' | 'collateral'

/** The tables in which they are gathered, each with its own, as both are derived at once. */
export const gatheredFor = (table: StandingFacts) =>
  ({
    covenants: `${table}_stated`,
    standing: `${table}_standing`,
    rows: `${table}_standing_rows`,
    endings: `${table}_endings`,
  }) as const

/** The number `n` of a row `c`, by which standing facts refer to it: of what became known later it is greater. */
export const numbered = `CAST(row_number() OVER (ORDER BY c.known_from NULLS FIRST, c.ingested_at, c.source DESC, ${tieBreak('c')} DESC) - 1 AS INTEGER) AS n`

/** What documents say of the end of agreements, by the order in which standing facts refer to it; as the table `endings`. */
export async function agreementEndings(db: Database, table: StandingFacts): Promise<AgreementEnding[]> {
  const { endings } = gatheredFor(table)
  await db.run(`
    CREATE OR REPLACE TABLE ${endings} AS
    SELECT CAST(row_number() OVER (ORDER BY coalesce(e.ended_on, e.source_document_date, e.known_from), e.ended_because, e.known_from NULLS FIRST, e.source, ${tieBreak('e')}) - 1 AS INTEGER) AS n,
      company.company_id AS company_id, coalesce(e.ended_on, e.source_document_date, e.known_from) AS day, e.*
    FROM in_agreement_endings e ${joinCompany('e')}
    WHERE company.company_id IS NOT NULL AND coalesce(e.ended_on, e.source_document_date, e.known_from) IS NOT NULL`)
  return db.rows<AgreementEnding>(`
    SELECT company_id, instrument_name, agreement_date, section, day AS ended_on, ended_because,
      coalesce(regexp_matches(evidence, '\\b(existing|previous|prior|former)\\b', 'i'), FALSE) AS is_existing
    FROM ${endings} ORDER BY n`)
}

/** The words of the document that ends the agreement, `x` of `endings`. */
const endedBy = `CASE WHEN x.n IS NOT NULL THEN CAST(to_json({'source': x.source, 'accession': x.accession,
  'document_type': x.document_type, 'document_date': x.source_document_date, 'known_from': x.known_from,
  'instrument_name': x.instrument_name, 'agreement_date': x.agreement_date, 'clause': x.section,
  'section': x.evidence_section, 'offset': x.evidence_offset, 'rule': x.rule, 'text': x.evidence}) AS VARCHAR) END`

/** Writes `standing`, a row for each fact with the row `shown` that states it best, and `rows`, all that state it. */
export async function writeStanding(
  db: Database,
  table: StandingFacts,
  standing: readonly StandingCovenant[],
): Promise<void> {
  const names = gatheredFor(table)
  await db.run(`CREATE OR REPLACE TABLE ${names.standing} (no INTEGER, id VARCHAR, shown INTEGER, threshold_value DOUBLE,
      instrument_name VARCHAR, matures VARCHAR, last_stated VARCHAR, ended_on VARCHAR, ended_because VARCHAR, ending INTEGER);
    CREATE OR REPLACE TABLE ${names.rows} (no INTEGER, n INTEGER)`)
  await db.append(
    names.standing,
    [
      standing.map((_, no) => no),
      standing.map(c => c.id),
      standing.map(c => c.shown),
      standing.map(c => c.threshold),
      standing.map(c => c.instrument_name),
      standing.map(c => c.matures),
      standing.map(c => c.last_stated),
      standing.map(c => c.ended_on),
      standing.map(c => c.ended_because),
      standing.map(c => c.ending),
    ],
    standing.length,
  )
  const all = standing.flatMap((c, no) => c.rows.map(n => ({ no, n })))
  await db.append(names.rows, [all.map(e => e.no), all.map(e => e.n)], all.length)
}

/** How the passage of a row `r` is quoted in the list of evidences, after what is its own. */
export const evidence = (
  own: string,
): string => `{'source': r.source, 'accession': r.accession, 'document_type': r.document_type,
  'document_date': r.source_document_date, 'known_from': r.known_from, 'instrument_name': r.instrument_name, ${own},
  'section': r.evidence_section, 'offset': r.evidence_offset, 'rule': r.rule, 'confidence': r.extraction_confidence, 'text': r.description}`

/** How each fact stands: `s` of `standing` with its row `r` of a table, its passages `e`, and `x`, which ends it. */
export function standingJoins(table: StandingFacts, from: string, passage: string): string {
  const { standing, rows, endings } = gatheredFor(table)
  return `${standing} s JOIN ${from} r ON r.n = s.shown JOIN (
      SELECT no, count(*) AS evidence_count, CAST(to_json(list(${passage} ORDER BY n DESC)) AS VARCHAR) AS evidences
      FROM ${rows} JOIN ${from} r USING (n) GROUP BY no) e ON e.no = s.no
    LEFT JOIN ${endings} x ON x.n = s.ending`
}

/** The columns in which a fact's standing is told, of `standingJoins`. */
export const standingColumns = `s.ended_on IS NULL AS in_force, CAST(s.ended_on AS DATE) AS ended_on, s.ended_because,
      ${endedBy} AS ended_by, e.evidence_count, CAST(s.last_stated AS DATE) AS last_stated, e.evidences`

/** Applies users' corrections, which may end a fact. */
export async function correctStanding(db: Database, table: StandingFacts): Promise<void> {
  await applyCorrections(db, table)
  await db.run(`UPDATE ${table} SET in_force = ended_on IS NULL WHERE corrections IS NOT NULL`)
}

export const dropGathered = (table: StandingFacts): string =>
  Object.values(gatheredFor(table))
    .map(name => `DROP TABLE ${name}`)
    .join('; ')
