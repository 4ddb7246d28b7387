import { literal } from '../database/database.ts'
import { genericWords } from '../derive/covenants/instrument-key.ts'
import { exact, type Recomputation } from './recomputation.ts'
import { instrument } from './workbench.ts'

const standingColumns = {
  in_force: exact,
  ended_on: exact,
  ended_because: exact,
  evidence_count: exact,
  last_stated: exact,
  agreement_maturity_date: exact,
  instrument_name: exact,
}

/** Like names of one company, told apart as in a list of its instruments. */
const familyOf = (name: string): string => `CASE
  WHEN regexp_matches(regexp_replace(lower(${name}), '\\b(loan|credit)\\s+and\\s+security\\s+agreement', 'loan'), 'guarant|pledge|security\\s+agreement|collateral|lease\\b') THEN 'ancillary'
  WHEN regexp_matches(lower(${name}), '\\b(notes?|bonds?|debentures?|indentures?|securities)\\b') THEN 'notes' ELSE 'loan' END`

const digits = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
/** The tenor that a name states, such as `5-year`; empty if none. */
const tenorOf = (name: string): string =>
  `regexp_replace(regexp_extract(${digits.reduce((sql, word, i) => `replace(${sql}, '${word}', '${i + 1}')`, `lower(${name})`)}, '\\b\\d{1,3}[\\s-](year|month|day)\\b'), '\\s', '-')`

/** The words of a name that tell an instrument from others of its family. */
const wordsOf = (name: string): string =>
  `list_distinct(list_filter(string_split_regex(regexp_replace(${digits.reduce((sql, word, i) => `regexp_replace(${sql}, '\\b${word}([\\s-]year)', '${i + 1}\\1', 'g')`, `lower(${name})`)},
    '\\b(\\d+)[\\s-]+(year|month|day)\\b', '\\1-\\2', 'g'), '[^a-z0-9.%&-]+'), w -> w <> '' AND w NOT IN (${genericWords.map(literal)})))`

/** A word for a year, month, day or rate. */
const isTermWord = (word: string): string =>
  `(regexp_full_match(${word}, '(19|20)\\d\\d(-\\d\\d){0,2}|\\d\\d?|[\\d.]{1,8}%|((floating|variable|fixed)(-rate)?)|rate')
    OR try_strptime(concat('1 ', ${word}, ' 2000'), '%d %B %Y') IS NOT NULL)`

const ofTerm = (name: string): string => `regexp_matches(${name}, '\\bterm\\b', 'i')`

/** The name that an agreement and its restatements share. */
const unrestated = (name: string): string =>
  `trim(regexp_replace(regexp_replace(regexp_replace(lower(${name}), ' dated [\\d-]+$', ''), '\\b(amended|and|restated|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\\b', ' ', 'g'), '\\s+', ' ', 'g'))`

const report = "regexp_matches(coalesce(document_type, ''), '^(10-?[KQ]|20-?F|40-?F|EX-13)', 'i')"
const current = "regexp_matches(coalesce(document_type, ''), '^[86]-?K', 'i')"
const annual = "regexp_matches(coalesce(document_type, ''), '^(10-?K|20-?F|40-?F|EX-13)', 'i')"
const companyOf = (alias: string): string => `SELECT min(company_id) FROM company_of o WHERE o.lei IS NULL
  AND o.ticker IS NOT DISTINCT FROM ${alias}.ticker AND o.cik IS NOT DISTINCT FROM ${alias}.cik
  AND o.name IS NOT DISTINCT FROM ${alias}.company_name`

const passages =
  '[{"source":"VARCHAR","known_from":"DATE","offset":"BIGINT","threshold_value":"DOUBLE","priority":"VARCHAR","instrument_name":"VARCHAR"}]'

/** Pledges have the shape of covenants here: their kind of asset is the name, their lien the metric. Their ids are set apart. */
const PLEDGE = 'collateral '

const covenantsStated = `SELECT r.*, FALSE AS is_pledge, (${companyOf('r')}) AS company_id, coalesce(r.source_document_date, r.known_from) AS day
      FROM raw_covenants r`

/** What is listed, and what documents state: of covenants, or of pledges and covenants, which say more of agreements. */
const listedAndStated = {
  covenants: `
      CREATE OR REPLACE TABLE made_facts AS SELECT *, FALSE AS is_pledge FROM kept_covenants;
      CREATE OR REPLACE TABLE made_told AS ${covenantsStated};`,
  collateral: `
      CREATE OR REPLACE TABLE made_facts AS
      SELECT *, FALSE AS is_pledge FROM kept_covenants UNION ALL BY NAME
      SELECT * REPLACE ('${PLEDGE}' || id AS id), type AS covenant_name, priority AS test_metric, TRUE AS is_pledge FROM kept_collateral;
      CREATE OR REPLACE TABLE made_told AS ${covenantsStated} UNION ALL BY NAME
      SELECT r.* REPLACE ('${PLEDGE}' || r.id AS id), r.type AS covenant_name, r.priority AS test_metric, TRUE AS is_pledge,
        coalesce((${companyOf('r')}), b.company_id) AS company_id, coalesce(r.source_document_date, r.known_from) AS day
      FROM raw_collateral r LEFT JOIN made_terms b ON b.id = ${instrument('r')};`,
}

/** The passages of what is listed, and what documents say of agreements and their ends, as tables. */
const madeTables = (listed: keyof typeof listedAndStated): string => `${listedAndStated[listed]}
      CREATE OR REPLACE TABLE made_passages AS
      SELECT k.id, k.company_id, r.day, r.document_type, r.rule, r.agreement_maturity_date FROM (
        SELECT id, company_id, is_pledge, covenant_name, test_metric, generate_subscripts(list, 1) AS position, unnest(list) AS e FROM (
          SELECT id, company_id, is_pledge, covenant_name, test_metric, from_json(evidences, '${passages}') AS list
          FROM made_facts)) k
      JOIN made_told r ON r.source IS NOT DISTINCT FROM k.e.source AND r.is_pledge = k.is_pledge AND r.covenant_name = k.covenant_name
        AND r.test_metric IS NOT DISTINCT FROM CASE WHEN k.is_pledge THEN k.e.priority ELSE k.test_metric END
        AND r.known_from IS NOT DISTINCT FROM k.e.known_from
        AND r.evidence_offset IS NOT DISTINCT FROM k.e."offset" AND r.threshold_value IS NOT DISTINCT FROM k.e.threshold_value
        AND r.instrument_name IS NOT DISTINCT FROM k.e.instrument_name
      QUALIFY row_number() OVER (PARTITION BY k.id, k.position ORDER BY r.ingested_at DESC) = 1;
      CREATE OR REPLACE TABLE made_listed AS
      SELECT l.*, list_filter(l.words, w -> w <> 'secured' AND NOT ${isTermWord('w')} AND NOT list_contains(${wordsOf("coalesce(c.name, '')")}, w)) AS telling
      FROM (
        SELECT (${companyOf('r')}) AS company_id, r.name, r.known_from AS day, ${familyOf('r.name')} AS family, ${wordsOf('r.name')} AS words
        FROM raw_instruments r WHERE r.ended_because IS NULL AND r.known_from IS NOT NULL AND NOT contains(lower(r.name), 'unsecured')
          AND r.seniority IS DISTINCT FROM 'senior_unsecured' AND NOT coalesce(greatest(r.principal, r.carrying_amount, r.commitment, r.drawn) = 0, FALSE)) l
      JOIN kept_companies c USING (company_id);
      CREATE OR REPLACE TABLE made_replaced AS
      SELECT company_id, ${familyOf('instrument_name')} AS family, replaces_agreement_date AS agreement_date,
        min(coalesce(agreement_date, day)) AS replaced_on
      FROM made_told WHERE replaces_agreement_date IS NOT NULL AND instrument_name IS NOT NULL GROUP BY ALL;
      CREATE OR REPLACE TABLE made_endings AS
      SELECT (${companyOf('e')}) AS company_id, ${familyOf('instrument_name')} AS family, ${tenorOf('instrument_name')} AS tenor,
        agreement_date, section, coalesce(ended_on, source_document_date, known_from) AS day, ended_because, ${unrestated('instrument_name')} AS unrestated,
        section IS NULL AND regexp_matches(instrument_name, '\\brestated\\b', 'i')
          AND coalesce(regexp_matches(evidence, '\\b(existing|previous|prior|former)\\b', 'i'), FALSE) AS ends_chain
      FROM raw_agreement_endings e;
      CREATE OR REPLACE TABLE made_agreements AS
      SELECT company_id, ${unrestated('instrument_name')} AS unrestated, ${tenorOf('instrument_name')} AS tenor, agreement_date,
        bool_or(regexp_matches(instrument_name, '\\brestated\\b', 'i')) AS is_restated
      FROM made_told WHERE company_id IS NOT NULL AND instrument_name IS NOT NULL AND agreement_date IS NOT NULL GROUP BY ALL`

/** Joins the ending that documents tell of the agreement of a covenant `s`, and of what restates it. */
const toldEndings = (day: string): string => `LEFT JOIN (
          SELECT s.id, min({'day': e.day, 'because': e.ended_because}) AS told FROM shown s JOIN passages p USING (id) JOIN made_endings e
            ON e.company_id = s.company_id AND e.family = ${familyOf('s.instrument_name')}
          WHERE e.day <= ${day} AND CASE
            WHEN s.agreement_date IS NULL THEN p.only_reports AND e.section IS NULL AND e.tenor = nullif(${tenorOf('s.instrument_name')}, '')
              AND p.last_stated BETWEEN e.agreement_date AND e.day
            WHEN e.agreement_date <> s.agreement_date THEN FALSE
            WHEN e.section IS NULL THEN e.tenor = '' OR ${tenorOf('s.instrument_name')} IN ('', e.tenor)
            ELSE e.section = s.clause AND coalesce(s.day <= e.day, TRUE) END
          GROUP BY s.id) y ON y.id = s.id
        LEFT JOIN (
          SELECT s.id, min({'day': e.day, 'because': e.ended_because}) AS told FROM shown s JOIN passages p USING (id)
          JOIN made_endings e ON e.company_id = s.company_id AND e.ends_chain AND s.agreement_date < e.agreement_date
            AND e.unrestated = ${unrestated('s.instrument_name')} AND e.tenor = ${tenorOf('s.instrument_name')}
          WHERE e.day <= ${day} AND p.last_stated <= e.day AND NOT EXISTS (
            SELECT 1 FROM made_agreements a JOIN made_agreements b USING (company_id, unrestated, tenor)
            WHERE a.company_id = e.company_id AND a.unrestated = e.unrestated AND a.tenor = e.tenor
              AND a.agreement_date < b.agreement_date AND b.agreement_date < e.agreement_date AND NOT b.is_restated)
          GROUP BY s.id) z ON z.id = s.id`

/**
 * The state of covenants or collateral from the rows of the lake: the passages that one lists are looked up at their source,
 * and the rules of the docs are applied to them as set operations.
 */
// Over 80 lines: one query whose parts follow from each other.
const standing =
  (listed: keyof typeof listedAndStated): Recomputation['make'] =>
  async ({ db, asOf }) => {
    const day = `DATE ${literal(asOf)}`
    await db.run(madeTables(listed))
    const isListed = listed === 'collateral' ? 's.is_pledge' : 'NOT s.is_pledge'
    return `
      WITH shown AS (
        SELECT k.id, k.company_id, r.instrument_name, k.instrument_name AS shown_name, k.agreement_date, r.threshold_value, r.step_down_schedule, r.has_step_down,
          r.ended_on, r.ended_because, r.agreement_maturity_date, r.rule, r.day, k.is_pledge,
          regexp_extract(coalesce(r.evidence_section, ''), '\\b\\d{1,2}\\.\\d{1,2}\\b') AS clause
        FROM made_facts k JOIN made_told r ON r.source = k.source AND r.is_pledge = k.is_pledge AND r.covenant_name = k.covenant_name
          AND r.test_metric IS NOT DISTINCT FROM k.test_metric AND r.agreement_date IS NOT DISTINCT FROM k.agreement_date
          AND r.known_from IS NOT DISTINCT FROM k.known_from AND r.evidence_offset IS NOT DISTINCT FROM k.evidence_offset
          AND (r.rule IS NOT NULL OR r.id IS NULL OR r.id = k.id)
        QUALIFY row_number() OVER (PARTITION BY k.id ORDER BY (r.company_id IS NOT DISTINCT FROM k.company_id) DESC,
          (r.instrument_name IS NOT DISTINCT FROM k.instrument_name) DESC, r.ingested_at DESC) = 1),
      passages AS (
        SELECT id, count(*) AS n, max(day) AS last_stated, bool_and(${report} AND rule IS NOT NULL) AS only_reports,
          bool_and((${report} OR ${current}) AND rule IS NOT NULL) AND bool_or(${report}) AS told_by_reports
        FROM made_passages GROUP BY id),
      dated AS (
        SELECT *, coalesce(min(nullif(tenor, '')) OVER a <> max(nullif(tenor, '')) OVER a, FALSE) AS several_tenors,
          bool_or(is_own AND of_term) OVER a AND bool_or(is_own AND NOT of_term) OVER a AS several_kinds
        FROM (
          SELECT DISTINCT company_id, agreement_date, instrument_name, ${familyOf('instrument_name')} AS family, ${tenorOf('instrument_name')} AS tenor,
            ${ofTerm('instrument_name')} AS of_term, NOT ${report} AND NOT ${current} AS is_own
          FROM made_told
          WHERE rule IS NOT NULL AND company_id IS NOT NULL AND instrument_name IS NOT NULL AND agreement_date IS NOT NULL AND family <> 'ancillary')
        WINDOW a AS (PARTITION BY company_id, family, agreement_date)),
      agreement_names AS (
        SELECT DISTINCT company_id, agreement_date, instrument_name, family, CASE WHEN several_tenors THEN tenor END AS tenor,
          CASE WHEN several_kinds THEN of_term END AS of_term
        FROM dated),
      shared AS (
        SELECT company_id, family, agreement_date, tenor, of_term,
          (max({'day': coalesce(p.day, DATE '0001-01-01'), 'matures': p.agreement_maturity_date}) FILTER (p.agreement_maturity_date IS NOT NULL)).matures AS matures,
          max(p.day) AS last_stated, bool_or(p.is_report) AND bool_and(p.is_report OR p.is_current) AS told_by_reports
        FROM (SELECT id, company_id, agreement_date, instrument_name FROM shown WHERE rule IS NOT NULL) JOIN agreement_names USING (company_id, agreement_date, instrument_name)
        JOIN (SELECT id, day, agreement_maturity_date, ${report} AS is_report, ${current} AS is_current FROM made_passages) p USING (id)
        GROUP BY ALL),
      listed AS (
        SELECT p.id, max(l.day) AS last_listed FROM (
          SELECT id, company_id, last_stated, ${familyOf('instrument_name')} AS family, list_filter(${wordsOf('instrument_name')}, w -> w <> 'secured') AS words
          FROM shown JOIN passages USING (id) WHERE is_pledge AND rule IS NOT NULL AND agreement_date IS NULL) p
        JOIN made_listed l ON l.company_id = p.company_id AND l.family = p.family AND list_has_all(l.words, p.words) AND list_has_all(p.words, l.telling)
        WHERE p.family <> 'ancillary' AND (len(p.words) > 0 OR p.family = 'notes' AND list_contains(l.words, 'secured') AND EXISTS (
          SELECT 1 FROM made_listed o WHERE o.company_id = l.company_id AND o.name = l.name AND o.day <= p.last_stated))
        GROUP BY p.id),
      annual AS (SELECT DISTINCT company_id, day FROM made_told s WHERE rule IS NOT NULL AND ${annual} AND ${isListed}),
      run_out AS (
        SELECT * FROM (
          SELECT id, last_stated, CAST(coalesce(agreement_date, last_stated) + CASE split_part(tenor, '-', 2)
            WHEN 'day' THEN to_days(length) WHEN 'month' THEN to_months(length) ELSE to_years(length) END AS DATE) AS run_out
          FROM (SELECT s.id, p.last_stated, s.agreement_date, ${tenorOf('s.instrument_name')} AS tenor, try_cast(split_part(tenor, '-', 1) AS INTEGER) AS length
            FROM shown s JOIN passages p USING (id) WHERE s.rule IS NOT NULL AND ${familyOf('s.instrument_name')} = 'loan')
          WHERE length IS NOT NULL)
        WHERE last_stated <= run_out),
      ends AS (
        SELECT s.id, p.n, p.last_stated, s.ended_on AS loaded_on, coalesce(s.ended_because, 'terminated') AS loaded_because,
          least(y.told, z.told) AS told,
          CASE WHEN x.replaced_on <= ${day} THEN x.replaced_on END AS replaced,
          CASE WHEN h.family IS NULL THEN s.agreement_maturity_date ELSE h.matures END AS stated_maturity,
          coalesce(stated_maturity, CASE WHEN coalesce(y.told, z.told) IS NULL THEN t.run_out END) AS due,
          CASE WHEN due < ${day} THEN due END AS matured,
          CASE WHEN s.company_id IS NOT NULL AND s.rule IS NOT NULL THEN (
            SELECT min(a.day) FROM annual a WHERE a.company_id = s.company_id AND a.day > least(
              CASE WHEN p.only_reports OR (p.told_by_reports AND ${familyOf('s.instrument_name')} = 'notes') THEN greatest(p.last_stated, li.last_listed) END,
              CASE WHEN h.told_by_reports AND h.family = 'notes' THEN h.last_stated END)) END AS not_repeated
        FROM shown s JOIN passages p USING (id) LEFT JOIN run_out t USING (id) LEFT JOIN listed li USING (id)
        LEFT JOIN shared h ON s.rule IS NOT NULL AND h.company_id = s.company_id AND h.agreement_date = s.agreement_date
          AND h.family = ${familyOf('s.instrument_name')} AND (h.tenor IS NULL OR h.tenor = ${tenorOf('s.instrument_name')})
          AND (h.of_term IS NULL OR h.of_term = ${ofTerm('s.instrument_name')})
        LEFT JOIN made_replaced x ON s.instrument_name IS NOT NULL AND x.company_id = s.company_id
          AND x.agreement_date = s.agreement_date AND x.family = ${familyOf('s.instrument_name')}
        ${toldEndings(day)}),
      ended AS (
        SELECT *, CASE WHEN loaded_on IS NOT NULL THEN CASE WHEN loaded_on <= ${day} THEN loaded_on END
          ELSE least(told.day, replaced, matured, not_repeated) END AS day FROM ends)
      SELECT s.id, coalesce(s.has_step_down, s.step_down_schedule IS NOT NULL) AS has_step_down,
        CASE WHEN s.threshold_value IS NOT NULL THEN coalesce((
          SELECT max_by(step.threshold_value, step.date) FROM (
            SELECT unnest(from_json(s.step_down_schedule, '[{"date":"DATE","threshold_value":"DOUBLE"}]')) AS step)
          WHERE step.date <= ${day}), s.threshold_value) END AS threshold_value,
        e.day IS NULL AS in_force, e.day AS ended_on,
        CASE WHEN e.day IS NULL THEN NULL WHEN e.loaded_on IS NOT NULL THEN e.loaded_because
          WHEN e.day = e.told.day THEN e.told.because WHEN e.day = e.replaced THEN 'replaced' WHEN e.day = e.matured THEN 'matured' ELSE 'not_repeated' END AS ended_because,
        e.n AS evidence_count, e.last_stated, e.stated_maturity AS agreement_maturity_date,
        -- One of the names that documents of the company give its instruments of the kind and date.
        CASE WHEN EXISTS (
          SELECT 1 FROM made_told r WHERE r.company_id = s.company_id AND r.agreement_date IS NOT DISTINCT FROM s.agreement_date
            AND r.instrument_name = s.shown_name AND ${familyOf('r.instrument_name')} = ${familyOf('s.instrument_name')}
            AND r.rule IS NOT NULL AND s.rule IS NOT NULL) THEN s.shown_name ELSE s.instrument_name END AS instrument_name
      FROM shown s JOIN ended e USING (id) WHERE ${isListed}`
  }

export const covenants: Recomputation = {
  table: 'covenants',
  how: 'the passages at their sources, and the schedule, maturity and replacement that they state',
  columns: { has_step_down: exact, threshold_value: exact, ...standingColumns },
  whole: false,
  make: standing('covenants'),
}

export const collateral: Recomputation = {
  table: 'collateral',
  how: 'the bond that its identifiers name, the passages at their sources, what they and covenants state of agreements, and the debt that is listed',
  columns: { bond_id: exact, assets: exact, ...standingColumns },
  whole: false,
  make: async bench => `
    WITH shown AS (
      SELECT k.id, b.id AS bond_id, r.assets, r.rule, k.accession, k.source_document_date, k.type, k.evidences
      FROM kept_collateral k JOIN raw_collateral r ON r.source = k.source AND r.evidence_offset IS NOT DISTINCT FROM k.evidence_offset
        AND (r.rule IS NOT NULL OR r.id IS NULL OR r.id = k.id)
      LEFT JOIN made_terms b ON b.id = ${instrument('r')}
      QUALIFY row_number() OVER (PARTITION BY k.id ORDER BY (r.type = k.type) DESC, (r.priority IS NOT DISTINCT FROM k.priority) DESC, r.ingested_at DESC) = 1),
    of_document AS (
      SELECT id, list_sort(list_distinct(flatten(list(assets)))) AS assets FROM (
        SELECT k.id, k.position, r.assets FROM (
          SELECT id, type, accession, source_document_date, generate_subscripts(list, 1) AS position, unnest(list) AS e FROM (
            SELECT *, from_json(evidences, '${passages}') AS list FROM shown WHERE rule IS NOT NULL)) k
        JOIN raw_collateral r ON r.source = k.e.source AND r.type = k.type AND r.evidence_offset IS NOT DISTINCT FROM k.e."offset"
          AND r.priority IS NOT DISTINCT FROM k.e.priority AND r.instrument_name IS NOT DISTINCT FROM k.e.instrument_name
        WHERE r.accession IS NOT DISTINCT FROM k.accession AND r.source_document_date IS NOT DISTINCT FROM k.source_document_date
        QUALIFY row_number() OVER (PARTITION BY k.id, k.position ORDER BY r.ingested_at DESC) = 1)
      GROUP BY id HAVING count(*) > 1)
    SELECT s.* REPLACE (k.id AS id), k.bond_id, coalesce(d.assets, k.assets) AS assets
    FROM (${await standing('collateral')(bench)}) s JOIN shown k ON '${PLEDGE}' || k.id = s.id LEFT JOIN of_document d ON d.id = k.id`,
}
