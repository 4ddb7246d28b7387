import type { Database } from '../../database/database.ts'
import { tieBreak } from '../../database/tie-break.ts'
import { applyCorrections } from '../corrections/corrections.ts'
import { joinCompany } from '../issuers/join-company.ts'
import { type AgreementEnding, standingCovenants } from './standing.ts'
import type { StatedCovenant } from './stated-covenant.ts'

/** The source's id, else one of the company, instrument and kind. */
const id = `coalesce(c.id, md5(concat_ws('|', company.company_id, c.instrument_name, c.cusip, c.covenant_type,
  c.covenant_name, c.test_metric)))`

/** How the words of a document are quoted in the list of evidences. */
const evidence = `{'source': r.source, 'accession': r.accession, 'document_type': r.document_type,
  'document_date': r.source_document_date, 'known_from': r.known_from, 'instrument_name': r.instrument_name,
  'effective_from': r.effective_from, 'threshold_value': r.threshold_value, 'section': r.evidence_section,
  'offset': r.evidence_offset, 'rule': r.rule, 'confidence': r.extraction_confidence, 'text': r.description}`

/** The words of the document that ends the agreement. */
const endedBy = `CASE WHEN x.n IS NOT NULL THEN CAST(to_json({'source': x.source, 'accession': x.accession,
  'document_type': x.document_type, 'document_date': x.source_document_date, 'known_from': x.known_from,
  'instrument_name': x.instrument_name, 'agreement_date': x.agreement_date, 'clause': x.section,
  'section': x.evidence_section, 'offset': x.evidence_offset, 'rule': x.rule, 'text': x.evidence}) AS VARCHAR) END`

/**
 * `covenants`: joined to companies, each covenant once however many documents state it, with the level in force on the
 * as-of day and the day on which it ended.
 */
export async function deriveCovenants(db: Database, { asOf }: { asOf: string }): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TABLE covenant_rows AS
    SELECT CAST(row_number() OVER (ORDER BY c.known_from NULLS FIRST, c.ingested_at, c.source DESC, ${tieBreak('c')} DESC) - 1 AS INTEGER) AS n,
      ${id} AS row_id, company.ticker AS company_ticker, company.name AS company_display_name, company.company_id AS company_id,
      company.coverage AS coverage, c.*
    FROM in_covenants c ${joinCompany('c')}`)
  const stated = await db.rows<Omit<StatedCovenant, 'steps'> & { schedule: string | null }>(`
    SELECT row_id AS id, company_id, instrument_name, covenant_name, test_metric, threshold_value,
      step_down_schedule AS schedule, rule, document_type, coalesce(source_document_date, known_from) AS day,
      evidence_section, agreement_date, agreement_maturity_date, replaces_agreement_date, ended_on, ended_because
    FROM covenant_rows ORDER BY n`)
  await db.run(`
    CREATE OR REPLACE TABLE covenant_endings AS
    SELECT CAST(row_number() OVER (ORDER BY coalesce(e.ended_on, e.source_document_date, e.known_from), e.ended_because, e.known_from NULLS FIRST, e.source, ${tieBreak('e')}) - 1 AS INTEGER) AS n,
      company.company_id AS company_id, coalesce(e.ended_on, e.source_document_date, e.known_from) AS day, e.*
    FROM in_agreement_endings e ${joinCompany('e')}
    WHERE company.company_id IS NOT NULL AND coalesce(e.ended_on, e.source_document_date, e.known_from) IS NOT NULL`)
  const endings = await db.rows<AgreementEnding>(`
    SELECT company_id, instrument_name, agreement_date, section, day AS ended_on, ended_because,
      coalesce(regexp_matches(evidence, '\\b(existing|previous|prior|former)\\b', 'i'), FALSE) AS is_existing
    FROM covenant_endings ORDER BY n`)
  const standing = standingCovenants(
    stated.map(({ schedule, ...row }) => ({ ...row, steps: stepsOf(schedule) })),
    asOf,
    endings,
  )
  await db.run(`CREATE OR REPLACE TABLE covenant_standing (no INTEGER, id VARCHAR, shown INTEGER, threshold_value DOUBLE,
      instrument_name VARCHAR, matures VARCHAR, last_stated VARCHAR, ended_on VARCHAR, ended_because VARCHAR, ending INTEGER);
    CREATE OR REPLACE TABLE covenant_evidence (no INTEGER, n INTEGER)`)
  await db.append(
    'covenant_standing',
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
  const evidences = standing.flatMap((c, no) => c.rows.map(n => ({ no, n })))
  await db.append('covenant_evidence', [evidences.map(e => e.no), evidences.map(e => e.n)], evidences.length)
  await db.run(`
    CREATE OR REPLACE TABLE covenants AS
    SELECT s.id, r.company_ticker AS ticker, r.company_display_name AS company_name,
      r.* EXCLUDE (n, row_id, company_ticker, company_display_name, company_id, coverage, id, ticker, cik, company_name,
        known_from, ingested_at, has_step_down, threshold_value, ended_on, ended_because)
        REPLACE (s.instrument_name AS instrument_name, CAST(s.matures AS DATE) AS agreement_maturity_date),
      s.threshold_value, coalesce(r.has_step_down, r.step_down_schedule IS NOT NULL) AS has_step_down,
      s.ended_on IS NULL AS in_force, CAST(s.ended_on AS DATE) AS ended_on, s.ended_because, ${endedBy} AS ended_by,
      e.evidence_count, CAST(s.last_stated AS DATE) AS last_stated, e.evidences,
      r.company_id, r.coverage, r.known_from, r.ingested_at
    FROM covenant_standing s JOIN covenant_rows r ON r.n = s.shown JOIN (
      SELECT no, count(*) AS evidence_count, CAST(to_json(list(${evidence} ORDER BY n DESC)) AS VARCHAR) AS evidences
      FROM covenant_evidence JOIN covenant_rows r USING (n) GROUP BY no) e ON e.no = s.no
    LEFT JOIN covenant_endings x ON x.n = s.ending;
    DROP TABLE covenant_rows; DROP TABLE covenant_endings; DROP TABLE covenant_standing; DROP TABLE covenant_evidence`)
  await applyCorrections(db, 'covenants')
  await db.run('UPDATE covenants SET in_force = ended_on IS NULL WHERE corrections IS NOT NULL')
}

/** The steps of a schedule as stored; a loaded one may be anything. */
function stepsOf(schedule: string | null): StatedCovenant['steps'] {
  const parsed: unknown = schedule === null ? null : JSON.parse(schedule)
  if (!Array.isArray(parsed)) return []
  const steps = parsed.flatMap((step: unknown) => {
    const { date = null, threshold_value } = (step ?? {}) as { date?: unknown; threshold_value?: unknown }
    if (typeof threshold_value !== 'number' || !(date === null || typeof date === 'string')) return []
    return { date, threshold_value }
  })
  return steps.length === parsed.length ? steps : []
}
