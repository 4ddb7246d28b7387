import type { Database } from '../../database/database.ts'
import { instrumentId } from '../bonds/instruments.ts'
import { joinCompany } from '../issuers/join-company.ts'
import { statedCovenants } from './covenants.ts'
import { lastListedIn, listedDebt } from './listed-debt.ts'
import { standingPledges } from './standing.ts'
import {
  agreementEndings,
  correctStanding,
  dropGathered,
  evidence,
  gatheredFor,
  numbered,
  standingColumns,
  standingJoins,
  writeStanding,
} from './standing-tables.ts'
import type { StatedCovenant } from './stated-covenant.ts'

/** The source's id, else one of the bond or, without its identifier, the name of the instrument, and of what is pledged. */
const id = `coalesce(c.id, md5(concat_ws('|', coalesce(${instrumentId('c.')}, c.instrument_name), company.company_id, c.type, c.description)))`

/**
 * Rows of one company, kind of asset and instrument state one pledge; a second lien is another one, and of no named instrument
 * that of other assets.
 */
const pledgeKey = `concat_ws('|', CASE WHEN priority = 'second_lien' THEN priority END,
  CASE WHEN instrument_name IS NULL THEN coalesce(nullif(array_to_string(assets, '; '), ''), description, '') END)`

const table = 'collateral'
const gathered = gatheredFor(table)

/** All assets that the document of the row shown names, where several of its passages state the pledge. */
const assetsOfDocument = `(SELECT s.no, list_sort(list_distinct(flatten(list(o.assets)))) AS assets
    FROM ${gathered.standing} s JOIN collateral_rows r ON r.n = s.shown JOIN ${gathered.rows} p USING (no) JOIN collateral_rows o ON o.n = p.n
    WHERE r.rule IS NOT NULL AND o.accession IS NOT DISTINCT FROM r.accession AND o.source_document_date IS NOT DISTINCT FROM r.source_document_date
    GROUP BY s.no HAVING count(*) > 1)`

/**
 * `collateral`: joined to bonds and companies, each pledge once however many documents state it, and the day on which it
 * ended. The covenants tell when agreements mature and by which they were replaced.
 */
export async function deriveCollateral(db: Database, { asOf }: { asOf: string }): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TABLE collateral_rows AS
    SELECT ${numbered},
      ${id} AS row_id, b.id AS its_bond, b.display_name AS bond_name, coalesce(c.cusip, b.cusip) AS its_cusip,
      coalesce(company.ticker, owner.ticker) AS company_ticker, coalesce(company.name, owner.name) AS company_display_name,
      coalesce(company.company_id, owner.company_id) AS company_id, coalesce(company.coverage, owner.coverage) AS coverage, c.*
    FROM in_collateral c ${joinCompany('c')}
    LEFT JOIN bonds_base b ON b.id = ${instrumentId('c.')}
    LEFT JOIN companies_base owner ON owner.company_id = b.company_id`)
  const pledges = await db.rows<Omit<StatedCovenant, 'steps'>>(`
    SELECT row_id AS id, company_id, instrument_name, type AS covenant_name, ${pledgeKey} AS test_metric,
      CAST(NULL AS DOUBLE) AS threshold_value, rule, document_type, coalesce(source_document_date, known_from) AS day,
      evidence_section, agreement_date, agreement_maturity_date, CAST(NULL AS DATE) AS replaces_agreement_date, ended_on, ended_because
    FROM collateral_rows ORDER BY n`)
  const stated = pledges.map(row => ({ ...row, steps: [] }))
  await writeStanding(
    db,
    table,
    standingPledges(
      stated,
      await statedCovenants(db, table),
      asOf,
      await agreementEndings(db, table),
      lastListedIn(await listedDebt(db)),
    ),
  )
  await db.run(`
    CREATE OR REPLACE TABLE collateral AS
    SELECT s.id, r.its_bond AS bond_id, r.bond_name, r.its_cusip AS cusip, r.company_ticker, r.company_display_name AS company_name,
      r.type, r.description, coalesce(a.assets, r.assets) AS assets, r.priority, r.estimated_value, r.valuation_date, r.valuation_source, r.jurisdiction,
      s.instrument_name, r.extraction_confidence, r.document_type, r.source_document_date, r.agreement_date,
      CAST(s.matures AS DATE) AS agreement_maturity_date, ${standingColumns},
      r.evidence, r.evidence_section, r.evidence_offset, r.rule, r.accession, r.source, r.company_id, r.coverage, r.known_from, r.ingested_at
    FROM ${standingJoins(table, 'collateral_rows', evidence("'priority': r.priority"))} LEFT JOIN ${assetsOfDocument} a ON a.no = s.no;
    DROP TABLE collateral_rows; ${dropGathered(table)}`)
  await correctStanding(db, table)
}
