import { elementAt, firstOf } from '../../base/elements.ts'
import type { Database } from '../../database/database.ts'
import { tieBreak } from '../../database/tie-break.ts'
import { entityId } from '../../filing/facts/entities.ts'
import { issuerName } from '../../names/issuer-name.ts'
import { jurisdictionNamed } from '../../names/jurisdiction.ts'

interface Entity {
  readonly id: string
  readonly name: string
  readonly jurisdiction: string | null
  readonly parent_id: string | null
  readonly company_id: string | null
  lei: string | null
}

interface Edge {
  readonly parent_lei: string
  readonly child_lei: string
  readonly relationship: string
  readonly ownership_pct: number | null
  readonly known_from: string | null
  readonly source: string
}

interface Node {
  readonly id: string
  readonly lei: string
  readonly company_id: string | null
  readonly how: 'company' | 'child' | 'parent'
  readonly known_from: string | null
  readonly source: string | null
}

/**
 * LEIs of `entities`, and `lei_ownership(parent_id, child_id, ...)`: consolidation as far as it is above or below an
 * entity or company of the lake. Intermediate owners that no document lists become entities too.
 */
export async function deriveLegalEntities(db: Database): Promise<void> {
  await db.run(`CREATE OR REPLACE TABLE lei_ownership (parent_id VARCHAR, child_id VARCHAR, relationship VARCHAR,
    ownership_pct DOUBLE, known_from VARCHAR, source VARCHAR)`)
  const [has] = await db.rows<{ names: boolean; edges: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM in_directory WHERE registry = 'gleif') AS names, EXISTS (SELECT 1 FROM in_ownership WHERE parent_lei IS NOT NULL) AS edges`,
  )
  const companies = await db.rows<{ company_id: string; name: string; lei: string }>(
    'SELECT company_id, name, lei FROM companies_base WHERE lei IS NOT NULL ORDER BY company_id',
  )
  if (!has!.names && !has!.edges && companies.length === 0) return
  const entities = await db.rows<Entity>(
    'SELECT id, name, jurisdiction, parent_id, company_id, lei FROM entities ORDER BY id',
  )
  const linked = [...ofCompanies(entities, companies), ...(has!.names ? await named(db, entities) : [])]
  await write(db, 'lei_links', { id: linked.map(e => e.id), lei: linked.map(e => e.lei) })
  await db.run(
    'UPDATE entities SET lei = l.lei FROM lei_links l WHERE entities.id = l.id AND entities.lei IS NULL',
  )
  if (has!.edges) await consolidate(db, entities, companies)
}

/** The parentless entity that carries the company's name has its LEI. */
function ofCompanies(
  entities: readonly Entity[],
  companies: readonly { company_id: string; name: string; lei: string }[],
): Entity[] {
  const taken = new Set(entities.map(e => e.lei))
  const tops = groupedBy(
    entities.filter(e => e.company_id !== null && e.parent_id === null && e.lei === null),
    e => e.company_id,
  )
  return companies.flatMap(({ company_id, name, lei }) => {
    const { base, form } = issuerName(name)
    const same = (tops.get(company_id) ?? []).filter(e => {
      const its = issuerName(e.name)
      return its.base === base && (its.form === form || !its.form || !form)
    })
    if (same.length !== 1 || taken.has(lei)) return []
    firstOf(same).lei = lei
    return same
  })
}

/** Entities whose whole name matches exactly one registered entity, in the same place if known. */
async function named(db: Database, entities: readonly Entity[]): Promise<Entity[]> {
  const wanted = groupedBy(
    entities.filter(e => e.lei === null),
    e => issuerName(e.name).full,
  )
  const found = new Map<string, { lei: string; place: string | null }[]>()
  const registered = db.stream(
    `SELECT name, lei, jurisdiction FROM in_directory WHERE registry = 'gleif' AND lei IS NOT NULL
     ORDER BY lei, name, jurisdiction`,
  )
  for await (const { columns, rowCount } of registered) {
    const [names, leis, places] = columns as [string[], string[], (string | null)[]]
    for (let i = 0; i < rowCount; i++) {
      const { full } = issuerName(elementAt(names, i))
      if (!wanted.has(full)) continue
      const those = found.get(full) ?? []
      if (!those.some(each => each.lei === leis[i]))
        those.push({ lei: elementAt(leis, i), place: placeOf(places[i] ?? null) })
      found.set(full, those)
    }
  }
  return [...wanted].flatMap(([full, those]) =>
    those.flatMap(entity => {
      const fit = (found.get(full) ?? []).filter(
        each => entity.jurisdiction === null || each.place === placeAlike(entity.jurisdiction),
      )
      if (fit.length !== 1) return []
      entity.lei = firstOf(fit).lei
      return [entity]
    }),
  )
}

const countries = new Intl.DisplayNames('en', { type: 'region' })

/** `US-DE`, `NL` by the usual name of the place. */
function placeOf(code: string | null): string | null {
  const [, country, part] = /^([A-Z]{2})(?:-([A-Z]{2}))?/.exec(code ?? '') ?? []
  if (country === undefined) return null
  if (country === 'US' && part !== undefined) return jurisdictionNamed(part)
  return placeAlike(jurisdictionNamed(countries.of(country) ?? '') ?? country)
}

/** Registers give countries where lists of subsidiaries give their regions. */
const placeAlike = (place: string): string =>
  /^(England|Wales|Scotland|Northern Ireland)$/.test(place)
    ? 'United Kingdom'
    : /^(Alberta|British Columbia|Manitoba|New Brunswick|Newfoundland and Labrador|Nova Scotia|Ontario|Prince Edward Island|Quebec|Saskatchewan)$/.test(
          place,
        )
      ? 'Canada'
      : place

async function consolidate(
  db: Database,
  entities: readonly Entity[],
  companies: readonly { company_id: string; lei: string }[],
): Promise<void> {
  const stated = await db.rows<Edge>(`
    SELECT parent_lei, child_lei, coalesce(relationship, 'direct') AS relationship, ownership_pct, CAST(known_from AS VARCHAR) AS known_from, source
    FROM (SELECT * FROM in_ownership WHERE parent_lei IS NOT NULL AND child_lei IS NOT NULL
      QUALIFY row_number() OVER (PARTITION BY parent_lei, child_lei, relationship
        ORDER BY known_from DESC NULLS LAST, ingested_at DESC, source DESC, ${tieBreak('in_ownership')}) = 1)
    WHERE ended_date IS NULL ORDER BY parent_lei, child_lei, relationship, source, known_from, ownership_pct`)
  // The ultimate parent is used if the direct one is unknown.
  const hasDirect = new Set(stated.filter(e => e.relationship === 'direct').map(e => e.child_lei))
  const edges = stated.filter(e => e.relationship === 'direct' || !hasDirect.has(e.child_lei))
  const below = groupedBy(edges, e => e.parent_lei)
  const above = groupedBy(edges, e => e.child_lei)
  const nodes = new Map<string, Pick<Node, 'id' | 'company_id'>>()
  for (const { id, lei, company_id } of entities)
    if (lei !== null && !nodes.has(lei)) nodes.set(lei, { id, company_id })
  const made: Node[] = []
  const make = (lei: string, how: Node['how'], company_id: string | null, edge: Edge | null) => {
    const node = {
      id: entityId('lei', lei),
      lei,
      company_id,
      how,
      known_from: edge?.known_from ?? null,
      source: edge?.source ?? null,
    }
    nodes.set(lei, node)
    made.push(node)
  }
  for (const { lei, company_id } of companies)
    if (!nodes.has(lei)) {
      const edge = below.get(lei)?.[0] ?? above.get(lei)?.[0]
      if (edge) make(lei, 'company', company_id, edge)
    }
  const seeds = [...nodes.keys()]
  const follow = (next: ReadonlyMap<string, readonly Edge[]>, how: 'child' | 'parent') => {
    const seen = new Set(seeds)
    for (const lei of seen)
      for (const edge of next.get(lei) ?? []) {
        const to = how === 'child' ? edge.child_lei : edge.parent_lei
        if (!nodes.has(to)) make(to, how, how === 'child' ? nodes.get(lei)!.company_id : null, edge)
        seen.add(to)
      }
  }
  follow(below, 'child')
  follow(above, 'parent')
  await write(db, 'lei_nodes', {
    id: made.map(n => n.id),
    lei: made.map(n => n.lei),
    company_id: made.map(n => n.company_id),
    how: made.map(n => n.how),
    known_from: made.map(n => n.known_from),
    source: made.map(n => n.source),
  })
  await db.run(`
    INSERT INTO entities BY NAME
    SELECT n.id, c.ticker, c.name AS company_name, coalesce(d.name, n.lei) AS name, d.jurisdiction, n.lei,
      CASE n.how WHEN 'child' THEN 'subsidiary' WHEN 'parent' THEN 'holdco' END AS entity_type,
      CASE n.how WHEN 'child' THEN 0.9 WHEN 'parent' THEN 0.6 END AS entity_type_confidence,
      CASE n.how WHEN 'child' THEN 'consolidated by its parent' WHEN 'parent' THEN 'consolidates an entity of the lake' END AS entity_type_rule,
      FALSE AS is_guarantor, FALSE AS is_vie, TRUE AS is_listed, n.source, n.company_id, c.coverage, CAST(n.known_from AS DATE) AS known_from
    FROM lei_nodes n LEFT JOIN companies_base c ON c.company_id = n.company_id
    LEFT JOIN (SELECT lei, any_value(name ORDER BY name) AS name, any_value(jurisdiction ORDER BY name, jurisdiction) AS jurisdiction
      FROM in_directory WHERE registry = 'gleif' GROUP BY lei) d ON d.lei = n.lei`)
  await writeOwnership(db, edges, nodes)
}

async function writeOwnership(
  db: Database,
  edges: readonly Edge[],
  nodes: ReadonlyMap<string, Pick<Node, 'id'>>,
): Promise<void> {
  const known = edges.filter(e => nodes.has(e.parent_lei) && nodes.has(e.child_lei))
  const ends = known.map(e => ({
    ...e,
    parent: nodes.get(e.parent_lei)!.id,
    child: nodes.get(e.child_lei)!.id,
  }))
  await db.append(
    'lei_ownership',
    [
      ends.map(e => e.parent),
      ends.map(e => e.child),
      ends.map(e => e.relationship),
      ends.map(e => e.ownership_pct),
      ends.map(e => e.known_from),
      ends.map(e => e.source),
    ],
    ends.length,
  )
}

/** A table of texts. */
async function write(
  db: Database,
  table: string,
  columns: Readonly<Record<string, readonly (string | null)[]>>,
): Promise<void> {
  const names = Object.keys(columns)
  await db.run(`CREATE OR REPLACE TABLE ${table} (${names.map(name => `"${name}" VARCHAR`).join(', ')})`)
  await db.append(
    table,
    Object.values(columns).map(values => [...values]),
    firstOf(Object.values(columns)).length,
  )
}

function groupedBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
