import type { Database } from '../../database/database.ts'
import { stored } from '../../database/views.ts'
import { issuerName } from '../../names/issuer-name.ts'
import { type Adjacency, Edges } from './adjacency.ts'

/** Relations between nodes. A company is related to everything that its entities and bonds are related to. */
export const relations = ['children', 'parents', 'guaranteed', 'guarantors', 'issued', 'issuers'] as const
export type Relation = (typeof relations)[number]

/**
 * Entities, bonds and companies of one day as numbered nodes: entities first, by ticker, name and id, then bonds by
 * ticker, maturity and id, then companies.
 */
export interface EntityGraph {
  readonly ids: readonly string[]
  readonly firstBond: number
  readonly firstCompany: number
  readonly numberOf: { readonly entity: Numbers; readonly bond: Numbers; readonly company: Numbers }
  readonly edges: Readonly<Record<Relation, Adjacency>>
  /** For each company, the entity that is the company itself, if there is one. */
  readonly self: ReadonlyMap<number, number>
  /** 1 for a bond that has matured or is retired: it can be a start, but is nobody's debt. */
  readonly over: Uint8Array
  /** 1 if a node belongs to a company of extended coverage. */
  readonly extended: Uint8Array
  /** Entities of each company that has any. */
  readonly members: ReadonlyMap<number, readonly number[]>
  /** The company of each entity and bond; -1 if unknown. */
  readonly groupOf: readonly number[]
  /** The row of each entity and bond in its table. */
  readonly rowOf: Int32Array
  /** Bonds by id, CUSIP and ISIN, in upper case. */
  readonly bondNamed: Numbers
  /** Ticker and name of each company, by company. */
  readonly companies: readonly { readonly ticker: string | null; readonly name: string }[]
  /** Active bonds and loans issued by each entity, and their amount outstanding; null if one is unknown. */
  readonly debtAt: ReadonlyMap<number, { readonly count: number; readonly total: number | null }>
}

type Numbers = ReadonlyMap<string, number>

/** The day that a graph is of. */
interface GraphContext {
  readonly database: Database
  readonly asOf: string
  companyNames(): Promise<
    readonly {
      readonly company_id: string
      readonly name: string
      readonly coverage: string
      readonly ticker: string | null
    }[]
  >
}

const graphs = new WeakMap<Database, Promise<EntityGraph>>()

/** The graph of a day, made on first use. */
export function entityGraph(context: GraphContext): Promise<EntityGraph> {
  const { database } = context
  const made = graphs.get(database) ?? readGraph(context)
  graphs.set(database, made)
  made.catch(() => graphs.delete(database))
  return made
}

type Texts = (string | null)[]

/** Entities that exist on a day. */
const standing = `(SELECT * FROM ${stored('entities')} WHERE removed_date IS NULL OR removed_date > CAST(? AS DATE))`

/** The inputs of a graph, each table in numbering order. */
interface GraphTables {
  readonly entities: {
    readonly id: string[]
    readonly name: string[]
    readonly company: Texts
    readonly coverage: Texts
    readonly place: Texts
  }
  readonly bonds: {
    readonly id: string[]
    readonly issuer: Texts
    readonly company: Texts
    readonly coverage: Texts
    readonly status: Texts
  }
  readonly companies: {
    readonly id: string[]
    readonly name: string[]
    readonly coverage: Texts
    readonly ticker: Texts
  }
  /** In the order of the stored tables. */
  readonly stored: {
    readonly entity: string[]
    readonly bond: string[]
    readonly cusip: Texts
    readonly isin: Texts
  }
  readonly debts: readonly { issuer_id: string; n: number; total: number | null }[]
  /** Parent and child entities, by number. */
  readonly owners: readonly [parents: number[], children: number[]]
  /** Entity and bond ids; the bond is null if guaranteed debt is no bond of the lake. */
  readonly guarantees: readonly [guarantors: string[], bonds: Texts]
}

async function readTables(context: GraphContext): Promise<GraphTables> {
  const { database, asOf } = context
  const companies = await context.companyNames()
  const read = async (sql: string, ...values: string[]) =>
    (await database.columns(sql, values)).columns as unknown
  const [id, name, company, coverage, place] = (await read(
    `SELECT id, name, company_id, coverage, if(is_listed, 'listed', 'named') FROM ${standing}
     ORDER BY ticker NULLS LAST, name, id`,
    asOf,
  )) as [string[], string[], Texts, Texts, Texts]
  const bonds = (await read(
    `SELECT id, issuer_id, company_id, coverage, if(is_active, 'active', 'over') FROM ${stored('bonds')}
     ORDER BY company_ticker NULLS LAST, maturity_date NULLS LAST, id`,
  )) as [string[], Texts, Texts, Texts, Texts]
  const [entityRows] = (await read(`SELECT id FROM ${stored('entities')}`)) as [string[]]
  const bondRows = (await read(`SELECT id, cusip, isin FROM ${stored('bonds')}`)) as [string[], Texts, Texts]
  const debts = await database.rows<GraphTables['debts'][number]>(
    `SELECT issuer_id, count(*) AS n, CASE WHEN count(outstanding) = count(*) THEN CAST(sum(outstanding) AS BIGINT) END AS total
     FROM ${stored('bonds')} WHERE is_active AND issuer_id IS NOT NULL GROUP BY issuer_id`,
  )
  // The database numbers the ends of a million links faster than texts can be looked up here.
  const owners = (await read(
    `WITH nodes AS (SELECT id, CAST(row_number() OVER (ORDER BY ticker NULLS LAST, name, id) - 1 AS INTEGER) AS n FROM ${standing})
     SELECT p.n, c.n FROM ${stored('ownership')} o JOIN nodes p ON p.id = o.parent_id JOIN nodes c ON c.id = o.child_id
     WHERE p.n <> c.n ORDER BY p.n, c.n`,
    asOf,
  )) as [number[], number[]]
  const guarantees = (await read(
    `SELECT guarantor_id, bond_id FROM ${stored('guarantees')} ORDER BY guarantor_id, bond_id`,
  )) as [string[], Texts]
  return {
    entities: { id, name, company, coverage, place },
    bonds: { id: bonds[0], issuer: bonds[1], company: bonds[2], coverage: bonds[3], status: bonds[4] },
    companies: {
      id: companies.map(({ company_id }) => company_id),
      name: companies.map(company => company.name),
      coverage: companies.map(company => company.coverage),
      ticker: companies.map(({ ticker }) => ticker),
    },
    stored: { entity: entityRows, bond: bondRows[0], cusip: bondRows[1], isin: bondRows[2] },
    debts,
    owners,
    guarantees,
  }
}

/** The numbers of all nodes, and the company of each entity and bond. */
interface Nodes extends Pick<EntityGraph, 'ids' | 'firstBond' | 'firstCompany' | 'numberOf' | 'members'> {
  /** -1 if the company is unknown. */
  readonly companyOf: (node: number) => number
  readonly groupOf: readonly number[]
}

function numberNodes({ entities, bonds, companies }: GraphTables): Nodes {
  const firstBond = entities.id.length
  const firstCompany = firstBond + bonds.id.length
  const numberOf = {
    entity: numbered(entities.id, 0),
    bond: numbered(bonds.id, firstBond),
    company: numbered(companies.id, firstCompany),
  }
  const groupOf = [...entities.company, ...bonds.company].map(id => numberOf.company.get(id ?? '') ?? -1)
  return {
    ids: [...entities.id, ...bonds.id, ...companies.id],
    firstBond,
    firstCompany,
    numberOf,
    groupOf,
    companyOf: node => groupOf[node] ?? -1,
    members: groupedBy(groupOf.slice(0, firstBond)),
  }
}

/** Links between entities and bonds, and those of companies to everything that their entities and bonds lead to. */
interface Links {
  readonly owns: Edges
  readonly issues: Edges
  readonly guarantees: Edges
  readonly group: {
    readonly owns: Edges
    readonly issues: Edges
    readonly guarantees: Edges
    readonly guarantors: Edges
  }
}

function linksOf({ owners, guarantees, bonds }: GraphTables, { numberOf }: Nodes): Links {
  const owns = new Edges()
  const [parents, children] = owners
  for (const [i, parent] of parents.entries()) owns.add(parent, children[i]!)
  return {
    owns,
    issues: edgesBetween([bonds.issuer, bonds.id], numberOf.entity, numberOf.bond),
    guarantees: edgesBetween(guarantees, numberOf.entity, numberOf.bond),
    group: { owns: new Edges(), issues: new Edges(), guarantees: new Edges(), guarantors: new Edges() },
  }
}

/**
 * Finds the entity that is the company itself, by company, and puts parentless entities under the company and that
 * entity.
 */
function placeEntities(
  { entities, companies }: GraphTables,
  { firstCompany, members, companyOf }: Nodes,
  { owns, group }: Links,
): Map<number, number> {
  const self = new Map<number, number>()
  // A company may itself be owned: only a parent within the same company puts an entity under another.
  const hasParent = new Set<number>()
  for (const [parent, child] of owns) if (companyOf(parent) === companyOf(child)) hasParent.add(child)
  const baseName = (name: string | undefined) => issuerName(name ?? '').base
  for (const [company, ofCompany] of members) {
    const tops = ofCompany.filter(entity => !hasParent.has(entity))
    const name = baseName(companies.name[company - firstCompany])
    const named = tops.filter(entity => baseName(entities.name[entity]) === name)
    const listed = tops.filter(entity => entities.place[entity] === 'listed')
    const own = named.length === 1 ? named[0] : listed.length === 1 ? listed[0] : undefined
    if (own !== undefined) self.set(company, own)
    // An entity named only as a guarantor may be anybody, so it is put under nothing.
    for (const top of listed) {
      if (top === own) continue
      group.owns.add(company, top)
      if (own !== undefined) owns.add(own, top)
    }
  }
  for (const [parent, child] of owns)
    if (self.get(companyOf(parent)) === parent) group.owns.add(companyOf(parent), child)
  return self
}

/** Links each company to the bonds and guarantors of its entities. */
function placeDebt(
  { guarantees: [guarantorIds, bondIds] }: GraphTables,
  { firstBond, firstCompany, numberOf, companyOf }: Nodes,
  { guarantees, group }: Links,
  self: ReadonlyMap<number, number>,
): void {
  for (let bond = firstBond; bond < firstCompany; bond++)
    if (companyOf(bond) >= 0) group.issues.add(companyOf(bond), bond)
  for (const [guarantor, bond] of guarantees) {
    if (companyOf(guarantor) >= 0) group.guarantees.add(companyOf(guarantor), bond)
    if (companyOf(bond) >= 0) group.guarantors.add(companyOf(bond), guarantor)
  }
  // Guarantors of debt that is no bond of the lake guarantee debt of their own company.
  for (const [i, id] of guarantorIds.entries()) {
    const guarantor = bondIds[i] === null ? numberOf.entity.get(id) : undefined
    if (guarantor === undefined) continue
    const company = companyOf(guarantor)
    if (company >= 0 && self.get(company) !== guarantor) group.guarantors.add(company, guarantor)
  }
}

async function readGraph(context: GraphContext): Promise<EntityGraph> {
  const tables = await readTables(context)
  const nodes = numberNodes(tables)
  const links = linksOf(tables, nodes)
  const self = placeEntities(tables, nodes, links)
  placeDebt(tables, nodes, links, self)

  const { owns, issues, guarantees, group } = links
  const issuers = issues.reversed()
  const groupIssuers = new Edges()
  for (const [bond, issuer] of issuers)
    if (nodes.companyOf(bond) >= 0) groupIssuers.add(nodes.companyOf(bond), issuer)
  const { ids, firstBond, firstCompany, numberOf, members, groupOf } = nodes
  const pack = (...parts: Edges[]) => Edges.joined(parts).pack(ids.length)
  const { entities, bonds, companies } = tables
  const coverages = [...entities.coverage, ...bonds.coverage, ...companies.coverage]
  return {
    ids,
    firstBond,
    firstCompany,
    numberOf,
    edges: {
      children: pack(owns, group.owns),
      parents: pack(owns.reversed()),
      guaranteed: pack(guarantees, group.guarantees),
      guarantors: pack(guarantees.reversed(), group.guarantors),
      issued: pack(issues, group.issues),
      issuers: pack(issuers, groupIssuers),
    },
    self,
    members,
    groupOf,
    ...storedRows(tables, nodes),
    companies: companies.name.map((name, i) => ({ ticker: companies.ticker[i] ?? null, name })),
    debtAt: debtAt(tables, nodes),
    over: over(bonds.status, firstBond, ids.length),
    extended: Uint8Array.from(coverages, c => +(c === 'extended')),
  }
}

function storedRows(
  { stored: { entity, bond, cusip, isin } }: GraphTables,
  { firstCompany, numberOf }: Nodes,
): Pick<EntityGraph, 'rowOf' | 'bondNamed'> {
  const rowOf = new Int32Array(firstCompany)
  for (const [row, id] of entity.entries()) {
    const node = numberOf.entity.get(id)
    if (node !== undefined) rowOf[node] = row
  }
  const bondNamed = new Map<string, number>()
  for (const [row, id] of bond.entries()) {
    const node = numberOf.bond.get(id)
    if (node === undefined) continue
    rowOf[node] = row
    for (const name of [id.toUpperCase(), cusip[row], isin[row]])
      if (name && !bondNamed.has(name)) bondNamed.set(name, node)
  }
  return { rowOf, bondNamed }
}

function debtAt({ debts }: GraphTables, { numberOf }: Nodes): EntityGraph['debtAt'] {
  const found = new Map<number, { count: number; total: number | null }>()
  for (const { issuer_id, n, total } of debts) {
    const node = numberOf.entity.get(issuer_id)
    if (node !== undefined) found.set(node, { count: n, total })
  }
  return found
}

function over(status: Texts, first: number, nodes: number): Uint8Array {
  const flags = new Uint8Array(nodes)
  for (const [i, is] of status.entries()) flags[first + i] = +(is === 'over')
  return flags
}

const numbered = (ids: readonly string[], first: number): Numbers =>
  new Map(ids.map((id, i) => [id, first + i]))

/** Edges with both ends known; no node leads to itself. */
function edgesBetween([from, to]: readonly [Texts, Texts], sources: Numbers, targets: Numbers): Edges {
  const edges = new Edges()
  for (const [i, name] of from.entries()) {
    const source = sources.get(name ?? '')
    const target = targets.get(to[i] ?? '')
    if (source !== undefined && target !== undefined && source !== target) edges.add(source, target)
  }
  return edges
}

function groupedBy(groups: readonly number[]): Map<number, number[]> {
  const members = new Map<number, number[]>()
  for (const [node, group] of groups.entries()) {
    if (group < 0) continue
    const list = members.get(group)
    if (list) list.push(node)
    else members.set(group, [node])
  }
  return members
}
