import { type Database, literal } from '../../database/database.ts'
import { tieBreak } from '../../database/tie-break.ts'
import { FILES_UNNAMED } from '../../filing/facts/entities.ts'
import { entities } from '../../schema/datasets/entities.ts'
import { instrumentId } from '../bonds/instruments.ts'
import { applyCorrections } from '../corrections/corrections.ts'
import { joinCompany } from '../issuers/join-company.ts'
import { filedDates } from './documents.ts'
import { deriveLegalEntities } from './legal-entities.ts'

/** The columns of an entity, each of which keeps its last stated value. */
const lasting = Object.keys(entities.columns).filter(
  name =>
    !['id', 'ticker', 'cik', 'company_name', 'removed_date', 'name'].includes(name) &&
    !name.startsWith('entity_type'),
)

/** Lists of subsidiaries and loaded tables state roles; lists of guarantors do not. */
const tellsRole = (alias: string): string => `(coalesce(${alias}.document_type, 'EX-21') ILIKE 'EX-21%')`

/** `entities`, `ownership` and `guarantees`. */
export async function deriveEntities(db: Database): Promise<void> {
  await mergeSpellings(db)
  await deriveRemovals(db)
  await db.run(`
    CREATE OR REPLACE TABLE entities AS
    WITH said AS (
      SELECT e.*, link_.company_id, row_number() OVER (PARTITION BY e.id ORDER BY e.known_from NULLS FIRST, e.ingested_at, e.source, ${tieBreak('e')}) AS n
      FROM entity_rows e ${joinCompany('e')}),
    merged AS (
      SELECT id, arg_max(company_id, n) AS company_id, ${lasting.map(name => `arg_max("${name}", n) AS "${name}"`).join(', ')},
        arg_max(CASE WHEN entity_type_rule IS DISTINCT FROM ${literal(FILES_UNNAMED)} THEN name END, n) AS name, arg_max(name, n) AS any_name,
        arg_max({'type': entity_type, 'confidence': entity_type_confidence, 'rule': entity_type_rule}, (${tellsRole('said')}, n))
          FILTER (WHERE entity_type IS NOT NULL) AS role,
        bool_or(coalesce(document_type, 'EX-2') ILIKE 'EX-2%') AS is_listed, max_by({'date': removed_date}, n) AS removed, max(known_from) AS known_from, arg_max(source, n) AS source
      FROM said GROUP BY id)
    SELECT m.id, company.ticker AS ticker, company.name AS company_name, coalesce(m.name, company.name, m.any_name) AS name, role.type AS entity_type,
      role.confidence AS entity_type_confidence, role.rule AS entity_type_rule,
      ${lasting
        .filter(name => !['is_guarantor', 'is_vie'].includes(name))
        .map(name => `m."${name}"`)
        .join(', ')},
      coalesce(m.is_guarantor, FALSE) OR m.id IN (SELECT guarantor_id FROM guarantee_rows) AS is_guarantor,
      coalesce(m.is_vie, role.type = 'vie', FALSE) AS is_vie, m.is_listed, coalesce(m.removed.date, r.removed_date) AS removed_date,
      m.source, company.company_id AS company_id, company.coverage AS coverage, m.known_from
    FROM merged m LEFT JOIN companies_base company ON company.company_id = m.company_id LEFT JOIN removals r ON r.id = m.id`)
  await deriveLegalEntities(db)
  await applyCorrections(db, 'entities')
  await db.run(`
    CREATE OR REPLACE TABLE ownership AS
    WITH told AS (
      SELECT parent_id, child_id, relationship, ownership_pct, document_date, known_from, source, 1 AS place
      FROM ${newest('ownership_rows', 'parent_id, child_id')} WHERE parent_id IS NOT NULL AND child_id IS NOT NULL AND ended_date IS NULL
      UNION ALL BY NAME
      SELECT parent_id, id AS child_id, ownership_pct, document_date, known_from, source, 2 AS place FROM entities WHERE parent_id IS NOT NULL
      UNION ALL BY NAME SELECT * REPLACE (CAST(known_from AS DATE) AS known_from), 3 AS place FROM lei_ownership)
    SELECT * EXCLUDE (place) FROM told
    QUALIFY row_number() OVER (PARTITION BY parent_id, child_id ORDER BY place, relationship NULLS LAST, source, ${tieBreak('told')}) = 1`)
  await deriveGuarantees(db)
}

/** A name without case, accents, punctuation and blanks: `Corning Japan K.K.`, `Corning Japan KK`. */
const spelledAlike = "regexp_replace(lower(strip_accents(e.name)), '[^a-z0-9]+', '', 'g')"

/**
 * `entity_rows`, `guarantee_rows` and `ownership_rows`: the datasets' rows with one id per entity of a company. A
 * company's documents are filed under its CIK and its name, and spell entities in several ways.
 */
const mergeSpellings = (db: Database): Promise<void> =>
  db.run(`
    CREATE OR REPLACE TABLE entity_alias AS
    WITH named AS (
      SELECT DISTINCT e.id, link_.company_id, ${spelledAlike} AS spelled FROM in_entities e ${joinCompany('e')}
      WHERE e.document_type IS NOT NULL AND link_.company_id IS NOT NULL),
    firsts AS (SELECT company_id, spelled, min(id) AS first_id FROM named WHERE spelled <> '' GROUP BY ALL HAVING count(DISTINCT id) > 1)
    SELECT n.id, min(f.first_id) AS first_id FROM named n JOIN firsts f USING (company_id, spelled) WHERE n.id <> f.first_id GROUP BY n.id;
    CREATE OR REPLACE VIEW entity_rows AS
    SELECT e.* REPLACE (coalesce(a.first_id, e.id) AS id, nullif(coalesce(p.first_id, e.parent_id), coalesce(a.first_id, e.id)) AS parent_id)
    FROM in_entities e LEFT JOIN entity_alias a ON a.id = e.id LEFT JOIN entity_alias p ON p.id = e.parent_id;
    CREATE OR REPLACE VIEW guarantee_rows AS
    SELECT g.* REPLACE (coalesce(a.first_id, g.guarantor_id) AS guarantor_id, coalesce(i.first_id, g.issuer_id) AS issuer_id)
    FROM in_guarantees g LEFT JOIN entity_alias a ON a.id = g.guarantor_id LEFT JOIN entity_alias i ON i.id = g.issuer_id;
    CREATE OR REPLACE VIEW ownership_rows AS
    SELECT o.* REPLACE (coalesce(p.first_id, o.parent_id) AS parent_id, coalesce(c.first_id, o.child_id) AS child_id)
    FROM in_ownership o LEFT JOIN entity_alias p ON p.id = o.parent_id LEFT JOIN entity_alias c ON c.id = o.child_id`)

/**
 * `guarantees`: securities described by coupon and maturity are linked to the one bond of the guarantor's company
 * that has both; others keep their description and the entity whose debt they are.
 */
const deriveGuarantees = (db: Database): Promise<void> =>
  db.run(`
    CREATE OR REPLACE TABLE guarantees AS
    WITH said AS (
      SELECT g.*, ${instrumentId('g.')} AS stated_id, e.company_id, try_cast(regexp_extract(g.instrument_name, '(\\d+(\\.\\d+)?) ?%', 1) AS DOUBLE) AS coupon,
        try_cast(regexp_extract(g.instrument_name, 'due .*?(\\d{4})$', 1) AS BIGINT) AS year
      FROM guarantee_rows g LEFT JOIN entities e ON e.id = g.guarantor_id),
    matched AS (
      SELECT n.company_id, n.instrument_name, min(b.id) AS bond_id
      FROM (SELECT DISTINCT company_id, instrument_name, coupon, year FROM said WHERE stated_id IS NULL) n
      JOIN bonds_base b ON b.company_id = n.company_id AND abs(b.coupon_rate - n.coupon) < 0.0005 AND year(b.maturity_date) = n.year
      GROUP BY ALL HAVING count(*) = 1),
    resolved AS (
      SELECT s.* EXCLUDE (bond_id), coalesce(s.stated_id, m.bond_id) AS bond_id FROM said s
      LEFT JOIN matched m ON s.stated_id IS NULL AND m.company_id = s.company_id AND m.instrument_name = s.instrument_name)
    SELECT guarantor_id, bond_id, issuer_id, instrument_name, guarantee_type, document_date, extraction_confidence,
      evidence, evidence_section, evidence_offset, rule, accession, known_from, source
    FROM resolved QUALIFY row_number() OVER (
      PARTITION BY guarantor_id, bond_id, CASE WHEN bond_id IS NULL THEN instrument_name END, CASE WHEN bond_id IS NULL THEN issuer_id END
      ORDER BY known_from DESC NULLS LAST, ingested_at DESC, source DESC, ${tieBreak('resolved')}) = 1`)

/** The newest known row of each key. */
const newest = (rows: string, key: string): string =>
  `(SELECT * FROM ${rows} QUALIFY row_number() OVER (PARTITION BY ${key}
    ORDER BY known_from DESC NULLS LAST, ingested_at DESC, source DESC, ${tieBreak(rows)}) = 1)`

/**
 * `removals(id, removed_date)`: the day of a filer's first Exhibit 21 after the last document naming an entity that
 * it used to list. A list that repeats less than a quarter of its predecessor is partial, and removes nobody.
 */
const deriveRemovals = (db: Database): Promise<void> =>
  db.run(`
    CREATE OR REPLACE TABLE removals AS
    WITH named AS (
      SELECT e.id, coalesce(link_.company_id, e.cik, lower(e.company_name), e.ticker) AS filer, e.document_type ILIKE 'EX-21%' AS is_listed,
        coalesce(e.document_date, f.filed_date, e.known_from) AS day
      FROM entity_rows e LEFT JOIN ${filedDates} f ON f.accession = e.accession ${joinCompany('e')}
      WHERE coalesce(e.document_type, 'EX-') ILIKE 'EX-%'),
    listed AS (SELECT DISTINCT filer, day, id FROM named WHERE is_listed AND filer IS NOT NULL AND day IS NOT NULL),
    lists AS (
      SELECT filer, day, lag(day) OVER (PARTITION BY filer ORDER BY day) AS before,
        lag(n) OVER (PARTITION BY filer ORDER BY day) AS before_n
      FROM (SELECT filer, day, count(*) AS n FROM listed GROUP BY ALL)),
    restated AS (
      SELECT l.filer, l.day FROM lists l
      JOIN listed was ON was.filer = l.filer AND was.day = l.before
      JOIN listed now ON now.filer = l.filer AND now.day = l.day AND now.id = was.id
      GROUP BY l.filer, l.day, l.before_n HAVING count(*) >= 0.25 * l.before_n),
    last_named AS (SELECT id, max(day) AS day, min(filer) FILTER (WHERE is_listed) AS filer FROM named GROUP BY id HAVING bool_or(is_listed))
    SELECT l.id, min(r.day) AS removed_date FROM last_named l JOIN restated r ON r.filer = l.filer AND r.day > l.day GROUP BY l.id`)
