import type { Database } from '../../database/database.ts'
import { tieBreak } from '../../database/tie-break.ts'
import { joinCompany } from '../issuers/join-company.ts'

/** Filing dates by accession number, from lists of filings. */
export const filedDates =
  '(SELECT accession, min(filed_date) AS filed_date FROM in_filings GROUP BY accession)'

const id = `coalesce(d.id, md5(concat_ws('|', company.company_id, d.accession, d.section_type, d.section_title)))`

/**
 * `documents`: as loaded, joined to companies. Of several copies of a section the newest with a filing date is used.
 */
export const deriveDocuments = (db: Database): Promise<void> =>
  db.run(`
    CREATE OR REPLACE TABLE documents AS
    SELECT ${id} AS id, company.ticker AS ticker, company.name AS company_name,
      d.* EXCLUDE (id, ticker, cik, company_name, filing_date, known_from, ingested_at),
      coalesce(d.filing_date, f.filed_date) AS filing_date, length(d.content) AS content_length,
      company.company_id AS company_id, company.coverage AS coverage, coalesce(d.known_from, f.filed_date) AS known_from
    FROM in_documents d ${joinCompany('d')} LEFT JOIN ${filedDates} f ON f.accession = d.accession
    QUALIFY row_number() OVER (PARTITION BY ${id} ORDER BY coalesce(d.filing_date, f.filed_date) IS NULL,
      d.known_from DESC NULLS LAST, d.ingested_at DESC, d.source, ${tieBreak('d')}) = 1`)
