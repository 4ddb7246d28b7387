import { exact, type Recomputation, type Workbench } from './recomputation.ts'
import { grouped, Made, records } from './workbench.ts'

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

/** What is last said of a column, of rows in the order in which they became known. */
const lastSaid = <K extends keyof Row>(rows: readonly Row[], column: K): Row[K] =>
  rows.reduce<Row[K]>((said, row) => row[column] ?? said, null as Row[K])

/** The days of the lists of each filer that can be relied on to be whole, earliest first. */
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
        whole.set(ofFiler[0]!.filer, [...(whole.get(ofFiler[0]!.filer) ?? []), day])
      before = now
    }
  }
  return whole
}

function mergedRow(rows: readonly Row[], whole: ReadonlyMap<string, readonly string[]>) {
  const newest = rows[rows.length - 1]!
  const lists = rows.filter(isList)
  const telling = rows.filter(row => row.document_type === null || isList(row))
  const role = [...rows, ...telling].findLast(row => row.entity_type !== null)
  const seen = rows.reduce<string>((day, row) => (row.day !== null && row.day > day ? row.day : day), '')
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
    said_guarantor: lastSaid(rows, 'is_guarantor') === true,
    is_vie: lastSaid(rows, 'is_vie') ?? role?.entity_type === 'vie',
    removed_date: newest.removed_date ?? lost?.find(day => day > seen) ?? null,
  }
}

/** `made_entities`: every entity as the rows that speak of it say, gone through one by one. */
export async function makeEntities(bench: Workbench): Promise<void> {
  const { db } = bench
  await db.run(`
    CREATE TABLE made_named AS SELECT e.* EXCLUDE (removed_date, document_date),
      CASE WHEN e.cik IS NOT NULL THEN e.cik WHEN e.company_name IS NOT NULL THEN lower(e.company_name) ELSE e.ticker END AS filer,
      CASE WHEN e.document_date IS NOT NULL THEN e.document_date WHEN f.day IS NOT NULL THEN f.day ELSE e.known_from END AS day,
      CAST(e.document_date AS VARCHAR) AS document_date, CAST(e.removed_date AS VARCHAR) AS removed_date
    FROM raw_entities e LEFT JOIN (SELECT accession AS a, min(filed_date) AS day FROM raw_filings GROUP BY 1) f ON f.a = e.accession`)
  const whole = await wholeLists(bench)
  const made = await Made.table<ReturnType<typeof mergedRow>>(db, 'made_merged', {
    id: 'VARCHAR',
    ...(Object.fromEntries(LASTING.map(name => [name, 'VARCHAR'])) as Record<
      (typeof LASTING)[number],
      string
    >),
    ownership_pct: 'DOUBLE',
    entity_type: 'VARCHAR',
    entity_type_confidence: 'DOUBLE',
    entity_type_rule: 'VARCHAR',
    said_guarantor: 'BOOLEAN',
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
  await db.run(`CREATE VIEW made_entities AS SELECT * EXCLUDE (said_guarantor),
    said_guarantor OR id IN (SELECT guarantor_id FROM raw_guarantees) AS is_guarantor FROM made_merged`)
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
      'removed_date',
    ].map(name => [name, exact]),
  ),
  whole: true,
  make: async ({ sampled }) =>
    `SELECT * FROM made_entities ${sampled ? 'WHERE id IN (SELECT id FROM kept_entities)' : ''}`,
}
