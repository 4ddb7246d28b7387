import type { Database } from '../../database/database.ts'
import { joinCompany } from '../issuers/join-company.ts'
import { standingCovenants } from './standing.ts'
import {
  agreementEndings,
  correctStanding,
  dropGathered,
  evidence,
  gatheredFor,
  numbered,
  type StandingFacts,
  standingColumns,
  standingJoins,
  writeStanding,
} from './standing-tables.ts'
import type { StatedCovenant } from './stated-covenant.ts'

/** The source's id, else one of the company, instrument and kind. */
const id = `coalesce(c.id, md5(concat_ws('|', company.company_id, c.instrument_name, c.cusip, c.covenant_type,
  c.covenant_name, c.test_metric)))`

const passage = evidence("'effective_from': r.effective_from, 'threshold_value': r.threshold_value")

/** Every row of a covenant that was known, later ones later, with its company; as the table `covenants` of those gathered. */
export async function statedCovenants(db: Database, table: StandingFacts): Promise<StatedCovenant[]> {
  const { covenants } = gatheredFor(table)
  await db.run(`
    CREATE OR REPLACE TABLE ${covenants} AS
    SELECT ${numbered},
      ${id} AS row_id, company.ticker AS company_ticker, company.name AS company_display_name, company.company_id AS company_id,
      company.coverage AS coverage, c.*
    FROM in_covenants c ${joinCompany('c')}`)
  const stated = await db.rows<Omit<StatedCovenant, 'steps'> & { schedule: string | null }>(`
    SELECT row_id AS id, company_id, instrument_name, covenant_name, test_metric, threshold_value,
      step_down_schedule AS schedule, rule, document_type, coalesce(source_document_date, known_from) AS day,
      evidence_section, agreement_date, agreement_maturity_date, replaces_agreement_date, ended_on, ended_because
    FROM ${covenants} ORDER BY n`)
  return stated.map(({ schedule, ...row }) => ({ ...row, steps: stepsOf(schedule) }))
}

/**
 * `covenants`: joined to companies, each covenant once however many documents state it, with the level in force on the
 * as-of day and the day on which it ended.
 */
export async function deriveCovenants(db: Database, { asOf }: { asOf: string }): Promise<void> {
  const table = 'covenants'
  const stated = await statedCovenants(db, table)
  await writeStanding(db, table, standingCovenants(stated, asOf, await agreementEndings(db, table)))
  await db.run(`
    CREATE OR REPLACE TABLE covenants AS
    SELECT s.id, r.company_ticker AS ticker, r.company_display_name AS company_name,
      r.* EXCLUDE (n, row_id, company_ticker, company_display_name, company_id, coverage, id, ticker, cik, company_name,
        known_from, ingested_at, has_step_down, threshold_value, ended_on, ended_because)
        REPLACE (s.instrument_name AS instrument_name, CAST(s.matures AS DATE) AS agreement_maturity_date),
      s.threshold_value, coalesce(r.has_step_down, r.step_down_schedule IS NOT NULL) AS has_step_down,
      ${standingColumns}, r.company_id, r.coverage, r.known_from, r.ingested_at
    FROM ${standingJoins(table, gatheredFor(table).covenants, passage)};
    ${dropGathered(table)}`)
  await correctStanding(db, table)
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
