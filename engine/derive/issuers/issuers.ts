import type { Database } from '../../database/database.ts'
import { tieBreak } from '../../database/tie-break.ts'
import { type Company, type Linked, linkIssuers, type Mention } from './link.ts'

/** Where companies are spoken of: the columns of each dataset that say which one. */
const mentions = `
  SELECT ticker, cik, issuer_lei AS lei, coalesce(issuer_name, company_name) AS name, 'bonds' AS dataset FROM bonds_base
  UNION ALL SELECT NULL, cik, NULL, last(company_name ORDER BY known_from NULLS FIRST, source, company_name), 'facts' FROM in_facts GROUP BY cik
  UNION ALL SELECT ticker, cik, NULL, company_name, 'financials' FROM in_financials
  UNION ALL SELECT ticker, cik, NULL, company_name, 'covenants' FROM in_covenants
  UNION ALL SELECT ticker, cik, NULL, company_name, 'collateral' FROM in_collateral
  UNION ALL SELECT ticker, cik, NULL, company_name, 'ratings' FROM in_ratings
  UNION ALL SELECT ticker, cik, NULL, company_name, 'entities' FROM in_entities
  UNION ALL SELECT ticker, cik, NULL, company_name, 'documents' FROM in_documents
  UNION ALL SELECT ticker, NULL, NULL, NULL, 'spreads' FROM in_spreads`

export interface LinkedMention extends Mention, Linked {
  /** Rows that speak of the company in these words, and in which datasets. */
  readonly rows: number
  readonly datasets: readonly string[]
}

export interface Issuers {
  readonly companies: readonly Company[]
  readonly mentions: readonly LinkedMention[]
}

/**
 * `companies_base`, one row a company; `mention_link(ticker, cik, lei, name, company_id)`, which company each way of
 * speaking of one means; `company_of_cik(cik, company_id)`.
 */
export async function deriveIssuers(db: Database): Promise<Issuers> {
  const said = await db.rows<Mention & { rows: number; datasets: string[] }>(`
    SELECT ticker, cik, lei, name, count(*) AS rows, list_sort(list(DISTINCT dataset)) AS datasets FROM (${mentions})
    WHERE coalesce(ticker, cik, lei, name) IS NOT NULL
    GROUP BY ALL ORDER BY ticker NULLS LAST, cik NULLS LAST, lei NULLS LAST, name NULLS LAST`)
  const declared = await db.rows(`
    SELECT * EXCLUDE (source, ingested_at, known_from) FROM in_companies
    QUALIFY row_number() OVER (PARTITION BY ticker, cik, name
      ORDER BY known_from DESC NULLS LAST, ingested_at DESC, source, ${tieBreak('in_companies')}) = 1
    ORDER BY ticker NULLS LAST, cik NULLS LAST, name`)
  const directory = await db.rows(`
    SELECT * EXCLUDE (source, ingested_at, known_from) FROM in_directory
    QUALIFY row_number() OVER (PARTITION BY registry, ticker, cik, lei, name
      ORDER BY known_from DESC NULLS LAST, ingested_at DESC, source, ${tieBreak('in_directory')}) = 1
    ORDER BY registry, position, name, ticker, cik, lei`)
  const decisions = await db.rows(`
    SELECT name, lei, cik, ticker, decided_at FROM in_links
    QUALIFY row_number() OVER (PARTITION BY name, lei, cik
      ORDER BY decided_at DESC NULLS LAST, ingested_at DESC, source, ${tieBreak('in_links')}) = 1
    ORDER BY name NULLS LAST, lei NULLS LAST, cik NULLS LAST`)
  const { links, companies } = linkIssuers({
    mentions: said,
    companies: declared as never,
    directory: directory as never,
    decisions: decisions as never,
  })
  await db.run(`
    CREATE OR REPLACE TABLE companies_base (company_id VARCHAR, ticker VARCHAR, name VARCHAR, cik VARCHAR, lei VARCHAR,
      sector VARCHAR, industry VARCHAR, sic VARCHAR, country VARCHAR, fiscal_year_end VARCHAR, coverage VARCHAR,
      aliases VARCHAR, former_names VARCHAR);
    CREATE OR REPLACE TABLE mention_link (ticker VARCHAR, cik VARCHAR, lei VARCHAR, name VARCHAR, company_id VARCHAR,
      method VARCHAR, candidates VARCHAR)`)
  const column = <T>(rows: readonly T[], pick: (row: T) => unknown) => rows.map(pick)
  await db.append(
    'companies_base',
    [
      column(companies, c => c.company_id),
      column(companies, c => c.ticker),
      column(companies, c => c.name),
      column(companies, c => c.cik),
      column(companies, c => c.lei),
      column(companies, c => c.sector),
      column(companies, c => c.industry),
      column(companies, c => c.sic),
      column(companies, c => c.country),
      column(companies, c => c.fiscal_year_end),
      column(companies, c => c.coverage ?? 'standard'),
      column(companies, c => JSON.stringify(c.aliases)),
      column(companies, c => JSON.stringify(c.former_names)),
    ],
    companies.length,
  )
  await db.append(
    'mention_link',
    [
      column(said, m => m.ticker),
      column(said, m => m.cik),
      column(said, m => m.lei),
      column(said, m => m.name),
      column(links, l => l.company_id),
      column(links, l => l.method),
      column(links, l => JSON.stringify(l.candidates)),
    ],
    said.length,
  )
  await db.run(`
    CREATE OR REPLACE TABLE company_link AS
      SELECT DISTINCT ticker, cik, lei, name AS company_name, company_id FROM mention_link;
    UPDATE companies_base SET sic = d.sic FROM (
      SELECT cik, max(sic) AS sic FROM in_directory WHERE sic IS NOT NULL GROUP BY cik) d
    WHERE companies_base.cik = d.cik AND companies_base.sic IS NULL;
    UPDATE companies_base SET sector = said.sector FROM (
      SELECT l.company_id, mode(s.sector ORDER BY s.sector) AS sector FROM (
        SELECT ticker, cik, issuer_lei AS lei, coalesce(issuer_name, company_name) AS name, sector FROM bonds_base
        UNION ALL SELECT ticker, cik, NULL, company_name, sector FROM in_ratings) s
      JOIN mention_link l ON l.ticker IS NOT DISTINCT FROM s.ticker AND l.cik IS NOT DISTINCT FROM s.cik
        AND l.lei IS NOT DISTINCT FROM s.lei AND l.name IS NOT DISTINCT FROM s.name
      WHERE s.sector IS NOT NULL GROUP BY l.company_id) said
    WHERE companies_base.company_id = said.company_id AND companies_base.sector IS NULL;
    CREATE OR REPLACE TABLE company_of_cik AS
      SELECT cik, min(company_id) AS company_id FROM (
        SELECT cik, company_id FROM mention_link WHERE cik IS NOT NULL
        UNION ALL SELECT cik, company_id FROM companies_base WHERE cik IS NOT NULL) GROUP BY cik`)
  return { companies, mentions: said.map((m, i) => ({ ...m, ...links[i]! })) }
}

/** Joins the company a row of a dataset speaks of; the row is `alias`, the company arrives as `company`. */
export const joinCompany = (alias: string, name = 'company_name', lei?: string): string => `
  LEFT JOIN mention_link link_ ON link_.ticker IS NOT DISTINCT FROM ${alias}.ticker
    AND link_.cik IS NOT DISTINCT FROM ${alias}.cik
    AND link_.lei IS NOT DISTINCT FROM ${lei ? `${alias}.${lei}` : 'CAST(NULL AS VARCHAR)'}
    AND link_.name IS NOT DISTINCT FROM ${name.includes('(') ? name : `${alias}.${name}`}
  LEFT JOIN companies_base company ON company.company_id = link_.company_id`
