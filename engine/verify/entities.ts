import { firstOf, lastOf } from '../base/elements.ts'
import { FILES_UNNAMED } from '../filing/facts/entities.ts'
import { exact, type Recomputation, type Workbench } from './recomputation.ts'
import { grouped, instrument, RowBuffer, records } from './workbench.ts'

const LASTING = [
  'name',
  'jurisdiction',
  'jurisdiction_as_written',
  'lei',
  'parent_id',
  'guarantee_type',
  'document_date',
  'document_type',
  'accession',
] as const

interface Row extends Readonly<Record<(typeof LASTING)[number], string | null>> {
  readonly id: string
  readonly filer: string | null
  readonly day: string | null
  readonly entity_type: string | null
  readonly entity_type_confidence: number | null
  readonly entity_type_rule: string | null
  readonly ownership_pct: number | null
  readonly is_guarantor: boolean | null
  readonly is_vie: boolean | null
  readonly removed_date: string | null
}

const isList = ({ document_type }: Pick<Row, 'document_type'>): boolean =>
  document_type?.toUpperCase().startsWith('EX-21') ?? false

/** Loaded, or named by a list of subsidiaries or guarantors. */
const isInList = ({ document_type }: Pick<Row, 'document_type'>): boolean =>
  document_type === null || document_type.toUpperCase().startsWith('EX-2')

/** The last stated value of a column, in the order in which rows became known. */
const lastSaid = <K extends keyof Row>(rows: readonly Row[], column: K): Row[K] =>
  rows.reduce<Row[K]>((last, row) => row[column] ?? last, null as Row[K])

/** The days of each filer's complete lists, earliest first. */
async function wholeLists(bench: Workbench): Promise<Map<string, string[]>> {
  const whole = new Map<string, string[]>()
  const rows = records<Pick<Row, 'id'> & { filer: string; day: string }>(
    bench.db,
    `SELECT DISTINCT filer, CAST(day AS VARCHAR) AS day, id FROM made_named
     WHERE document_type ILIKE 'EX-21%' AND filer IS NOT NULL AND day IS NOT NULL ORDER BY filer, day`,
  )
  for await (const ofFiler of grouped(rows, row => row.filer)) {
    let before: ReadonlySet<string> | null = null
    for (const day of new Set(ofFiler.map(row => row.day))) {
      const now = new Set(ofFiler.filter(row => row.day === day).map(row => row.id))
      const repeated: number = before === null ? 0 : [...before].filter(id => now.has(id)).length
      if (before !== null && repeated > 0 && repeated * 4 >= before.size)
        whole.set(firstOf(ofFiler).filer, [...(whole.get(firstOf(ofFiler).filer) ?? []), day])
      before = now
    }
  }
  return whole
}

function mergedRow(rows: readonly Row[], whole: ReadonlyMap<string, readonly string[]>) {
  const newest = lastOf(rows)
  const lists = rows.filter(isList)
  const telling = rows.filter(row => row.document_type === null || isList(row))
  const role = [...rows, ...telling].findLast(row => row.entity_type !== null)
  const exhibits = rows.filter(row => row.document_type?.toUpperCase().startsWith('EX-') ?? true)
  const seen = exhibits.reduce<string>((day, row) => (row.day !== null && row.day > day ? row.day : day), '')
  const isLost = lists.length > 0 && seen !== ''
  const lost = isLost ? whole.get(lists.find(row => row.filer !== null)?.filer ?? '') : undefined
  return {
    id: newest.id,
    ...(Object.fromEntries(LASTING.map(name => [name, lastSaid(rows, name)])) as Pick<
      Row,
      (typeof LASTING)[number]
    >),
    ownership_pct: lastSaid(rows, 'ownership_pct'),
    entity_type: role?.entity_type ?? null,
    entity_type_confidence: role?.entity_type_confidence ?? null,
    entity_type_rule: role?.entity_type_rule ?? null,
    said_name: lastSaid(
      rows.filter(row => row.entity_type_rule !== FILES_UNNAMED),
      'name',
    ),
    said_guarantor: lastSaid(rows, 'is_guarantor') === true,
    is_listed: rows.some(isInList),
    is_vie: lastSaid(rows, 'is_vie') ?? role?.entity_type === 'vie',
    removed_date: newest.removed_date ?? lost?.find(day => day > seen) ?? null,
  }
}

/** Whether a row names its company with a mention's words. */
const saysWho = (mention: string, row: string): string =>
  `${mention}.lei IS NULL AND ${['ticker', 'cik'].map(c => `${mention}.${c} IS NOT DISTINCT FROM ${row}.${c}`).join(' AND ')}
    AND ${mention}.name IS NOT DISTINCT FROM ${row}.company_name`

/**
 * `said_entities`, `said_guarantees` and `said_ownership`: raw rows, with the spellings of one name in a company's
 * documents under the smallest of their ids.
 */
async function nameOnce({ db }: Workbench): Promise<void> {
  const groups = new Map<string, Set<string>>()
  const rows = records<{ id: string; company_id: string; name: string }>(
    db,
    `SELECT DISTINCT e.id, o.company_id, strip_accents(e.name) AS name FROM raw_entities e JOIN company_of o ON ${saysWho('o', 'e')}
     WHERE e.document_type IS NOT NULL AND o.company_id IS NOT NULL`,
  )
  for await (const { id, company_id, name } of rows) {
    const spelled = name.toLowerCase().replace(/[^a-z0-9]/g, '')
    if (spelled === '') continue
    const key = `${company_id}|${spelled}`
    groups.set(key, (groups.get(key) ?? new Set()).add(id))
  }
  const least = new Map<string, string>()
  for (const ids of groups.values()) {
    const [first = '', ...others] = [...ids].sort()
    for (const id of others) if (!least.has(id) || first < least.get(id)!) least.set(id, first)
  }
  await db.run('CREATE TABLE spelled_as (id VARCHAR, first_id VARCHAR)')
  await db.append('spelled_as', [[...least.keys()], [...least.values()]], least.size)
  const once = (column: string) =>
    `coalesce((SELECT first_id FROM spelled_as s WHERE s.id = r.${column}), r.${column})`
  await db.run(`
    CREATE VIEW said_entities AS SELECT r.* REPLACE (${once('id')} AS id,
      CASE WHEN ${once('parent_id')} <> ${once('id')} THEN ${once('parent_id')} END AS parent_id) FROM raw_entities r;
    CREATE VIEW said_guarantees AS SELECT r.* REPLACE (${once('guarantor_id')} AS guarantor_id, ${once('issuer_id')} AS issuer_id) FROM raw_guarantees r;
    CREATE VIEW said_ownership AS SELECT r.* REPLACE (${once('parent_id')} AS parent_id, ${once('child_id')} AS child_id) FROM raw_ownership r`)
}

/** `made_entities`: every entity, recomputed row by row; and `made_guarantees`. */
export async function makeEntities(bench: Workbench): Promise<void> {
  await nameOnce(bench)
  await makeGuarantees(bench)
  const { db } = bench
  await db.run(`
    CREATE TABLE made_named AS SELECT e.* EXCLUDE (removed_date, document_date),
      CASE WHEN o.company_id IS NOT NULL THEN o.company_id WHEN e.cik IS NOT NULL THEN e.cik WHEN e.company_name IS NOT NULL THEN lower(e.company_name)
        ELSE e.ticker END AS filer,
      CASE WHEN e.document_date IS NOT NULL THEN e.document_date WHEN f.day IS NOT NULL THEN f.day ELSE e.known_from END AS day,
      CAST(e.document_date AS VARCHAR) AS document_date, CAST(e.removed_date AS VARCHAR) AS removed_date
    FROM said_entities e LEFT JOIN company_of o ON ${saysWho('o', 'e')} LEFT JOIN (SELECT accession AS a, min(filed_date) AS day FROM raw_filings GROUP BY 1) f ON f.a = e.accession`)
  const whole = await wholeLists(bench)
  const made = await RowBuffer.table<ReturnType<typeof mergedRow>>(db, 'made_merged', {
    id: 'VARCHAR',
    ...(Object.fromEntries(LASTING.map(name => [name, 'VARCHAR'])) as Record<
      (typeof LASTING)[number],
      string
    >),
    ownership_pct: 'DOUBLE',
    entity_type: 'VARCHAR',
    entity_type_confidence: 'DOUBLE',
    entity_type_rule: 'VARCHAR',
    said_name: 'VARCHAR',
    said_guarantor: 'BOOLEAN',
    is_listed: 'BOOLEAN',
    is_vie: 'BOOLEAN',
    removed_date: 'VARCHAR',
  })
  const columns = `id, filer, CAST(day AS VARCHAR) AS day, ${LASTING.join(', ')}, entity_type, entity_type_confidence, entity_type_rule,
    ownership_pct, is_guarantor, is_vie, removed_date`
  const rows = records<Row>(
    db,
    `SELECT ${columns} FROM made_named ORDER BY id, coalesce(known_from, DATE '0001-01-01'), ingested_at, source`,
  )
  for await (const ofEntity of grouped(rows, row => row.id)) await made.add(mergedRow(ofEntity, whole))
  await made.flush()
  await db.run(`
    CREATE TABLE made_relations AS
    WITH said AS (
      SELECT parent_lei, child_lei, coalesce(relationship, 'direct') AS relationship,
        arg_max({'share': ownership_pct, 'ended': ended_date}, (coalesce(known_from, DATE '0001-01-01'), ingested_at, source)) AS last
      FROM raw_ownership WHERE parent_lei IS NOT NULL AND child_lei IS NOT NULL GROUP BY ALL)
    SELECT parent_lei, child_lei, relationship, last.share AS ownership_pct FROM said s WHERE last.ended IS NULL
      AND (relationship = 'direct' OR NOT EXISTS (SELECT 1 FROM said d WHERE d.child_lei = s.child_lei AND d.relationship = 'direct' AND d.last.ended IS NULL));
    CREATE TABLE made_lei AS
    WITH RECURSIVE linked AS (SELECT lei, min(id) AS id FROM kept_entities WHERE lei IS NOT NULL AND id IN (SELECT id FROM said_entities) GROUP BY lei),
    seeds AS (SELECT lei FROM linked UNION SELECT lei FROM kept_companies WHERE lei IS NOT NULL),
    below AS (SELECT lei FROM seeds UNION SELECT r.child_lei FROM made_relations r JOIN below b ON r.parent_lei = b.lei),
    above AS (SELECT lei FROM seeds UNION SELECT r.parent_lei FROM made_relations r JOIN above a ON r.child_lei = a.lei),
    hashed AS (
      SELECT lei, sha256(concat('lei', chr(10), lower(lei))) AS h FROM (SELECT lei FROM below UNION SELECT lei FROM above)
      WHERE lei IN (SELECT parent_lei FROM made_relations UNION ALL SELECT child_lei FROM made_relations))
    SELECT lei, coalesce(l.id, concat_ws('-', h[1:8], h[9:12], concat('8', h[14:16]),
      concat(substr('89ab', (CAST(concat('0x', h[17]) AS INTEGER) & 3) + 1, 1), h[18:20]), h[21:32])) AS id, l.id IS NULL AS is_new
    FROM hashed LEFT JOIN linked l USING (lei);
    CREATE VIEW made_entities AS
    SELECT m.* EXCLUDE (said_name, said_guarantor, name, lei), coalesce(m.said_name, k.company_name, m.name) AS name, coalesce(m.lei, k.lei) AS lei,
      said_guarantor OR m.id IN (SELECT guarantor_id FROM said_guarantees) AS is_guarantor
    FROM made_merged m LEFT JOIN kept_entities k ON k.id = m.id
    UNION ALL BY NAME
    SELECT n.id, n.lei, coalesce((SELECT min(name) FROM raw_directory d WHERE d.lei = n.lei AND d.registry = 'gleif'), n.lei) AS name,
      (SELECT arg_min(jurisdiction, name) FROM raw_directory d WHERE d.lei = n.lei AND d.registry = 'gleif') AS jurisdiction,
      k.entity_type, k.entity_type_confidence, k.entity_type_rule, FALSE AS is_guarantor, FALSE AS is_vie, TRUE AS is_listed
    FROM made_lei n LEFT JOIN kept_entities k ON k.id = n.id WHERE n.is_new`)
}

export const entities: Recomputation = {
  table: 'entities',
  how: 'what the rows of the entity last say of each column; gone from the first whole list after it was last named',
  columns: Object.fromEntries(
    [
      ...LASTING,
      'ownership_pct',
      'entity_type',
      'entity_type_confidence',
      'entity_type_rule',
      'is_guarantor',
      'is_vie',
      'is_listed',
      'removed_date',
    ].map(name => [name, exact]),
  ),
  whole: true,
  make: async ({ sampled }) =>
    `SELECT * FROM made_entities ${sampled ? 'WHERE id IN (SELECT id FROM kept_entities)' : ''}`,
}

/** Maximum characters of text that names a security. */
const LONGEST_NAMED = 500
/** A security named by coupon and maturity, `4.125% Senior Notes due 2027`. */
// at most 500 characters: LONGEST_NAMED
const NAMED = /(\d+(?:\.\d+)?) ?%.*due .*?(\d{4})$/

interface Guarantee {
  readonly guarantor_id: string
  readonly stated: string | null
  readonly issuer_id: string | null
  readonly instrument_name: string | null
  readonly guarantee_type: string | null
  readonly document_date: string | null
  readonly rule: string | null
  readonly extraction_confidence: number | null
  readonly accession: string | null
  readonly company_id: string | null
}

/** `made_guarantees`: for each guarantor the newest row per bond, or per name if no bond of the company matches. */
async function makeGuarantees({ db }: Workbench): Promise<void> {
  const bonds = new Map<string, { id: string; coupon: number }[]>()
  const terms = records<{ id: string; of: string; coupon: number }>(
    db,
    `SELECT id, concat(company_id, ' ', substr(maturity_date, 1, 4)) AS "of", coupon_rate AS coupon FROM made_terms
     WHERE company_id IS NOT NULL AND coupon_rate IS NOT NULL AND maturity_date IS NOT NULL`,
  )
  for await (const { of, ...bond } of terms) bonds.set(of, [...(bonds.get(of) ?? []), bond])
  const fitting = ({ company_id, instrument_name }: Guarantee): string | null => {
    const text = instrument_name ?? ''
    const [, coupon, year] = (text.length <= LONGEST_NAMED && NAMED.exec(text)) || []
    const fit = (bonds.get(`${company_id} ${year}`) ?? []).filter(
      bond => Math.abs(bond.coupon - Number(coupon)) < 0.0005,
    )
    return fit.length === 1 ? firstOf(fit).id : null
  }
  const made = await RowBuffer.table<Omit<Guarantee, 'stated' | 'company_id'> & { bond_id: string | null }>(
    db,
    'made_guarantees',
    {
      guarantor_id: 'VARCHAR',
      bond_id: 'VARCHAR',
      issuer_id: 'VARCHAR',
      instrument_name: 'VARCHAR',
      guarantee_type: 'VARCHAR',
      document_date: 'VARCHAR',
      rule: 'VARCHAR',
      extraction_confidence: 'DOUBLE',
      accession: 'VARCHAR',
    },
  )
  const rows = records<Guarantee>(
    db,
    `SELECT g.guarantor_id, ${instrument('g')} AS stated, g.issuer_id, g.instrument_name, g.guarantee_type,
       CAST(g.document_date AS VARCHAR) AS document_date, g.rule, g.extraction_confidence, g.accession, k.company_id
     FROM said_guarantees g LEFT JOIN kept_entities k ON k.id = g.guarantor_id
     ORDER BY g.guarantor_id, coalesce(g.known_from, DATE '0001-01-01') DESC, g.ingested_at DESC, g.source DESC`,
  )
  for await (const ofGuarantor of grouped(rows, row => row.guarantor_id)) {
    const seen = new Set<string>()
    for (const row of ofGuarantor) {
      const { stated, company_id, ...said } = row
      const bond_id = stated ?? fitting(row)
      const key = JSON.stringify(bond_id ?? [said.instrument_name, said.issuer_id])
      if (seen.has(key)) continue
      seen.add(key)
      await made.add({ ...said, bond_id })
    }
  }
  await made.flush()
}

export const guarantees: Recomputation = {
  table: 'guarantees',
  how: 'the newest row of the guarantee',
  columns: Object.fromEntries(
    ['guarantee_type', 'document_date', 'rule', 'extraction_confidence', 'accession'].map(name => [
      name,
      exact,
    ]),
  ),
  whole: true,
  make: async () => 'made_guarantees',
}

export const ownership: Recomputation = {
  table: 'ownership',
  how: 'stated links, the parents that entities name, and who consolidates whom',
  columns: { ownership_pct: exact, relationship: exact },
  whole: true,
  make: async () => `
    WITH told AS (
      SELECT parent_id, child_id, arg_max({'ownership_pct': ownership_pct, 'relationship': relationship, 'ended': ended_date},
        (coalesce(known_from, DATE '0001-01-01'), ingested_at, source)) AS said, 1 AS place
      FROM said_ownership WHERE parent_id IS NOT NULL AND child_id IS NOT NULL GROUP BY ALL
      UNION ALL SELECT parent_id, id, {'ownership_pct': ownership_pct, 'relationship': CAST(NULL AS VARCHAR), 'ended': CAST(NULL AS DATE)}, 2 FROM made_entities WHERE parent_id IS NOT NULL
      UNION ALL SELECT p.id, c.id, {'ownership_pct': r.ownership_pct, 'relationship': r.relationship, 'ended': CAST(NULL AS DATE)}, 3
        FROM made_relations r JOIN made_lei p ON p.lei = r.parent_lei JOIN made_lei c ON c.lei = r.child_lei WHERE p.id <> c.id)
    SELECT parent_id, child_id, first.ownership_pct AS ownership_pct, first.relationship AS relationship FROM (
      SELECT parent_id, child_id, arg_min(said, place) AS first FROM told WHERE said.ended IS NULL GROUP BY ALL)`,
}
