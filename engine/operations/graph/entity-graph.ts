import type { Database } from '../../database/database.ts'
import { stored } from '../../database/views.ts'
import { issuerName } from '../../names/issuer-name.ts'
import { type Adjacency, Edges } from './adjacency.ts'

/** How nodes lead to each other. A company leads wherever its entities and bonds do. */
export const relations = ['children', 'parents', 'guaranteed', 'guarantors', 'issued', 'issuers'] as const
export type Relation = (typeof relations)[number]

/**
 * Entities, bonds and companies of one day as numbers: entities first, in the order of ticker, name and id, then
 * bonds by ticker, maturity and id, then companies.
 */
export interface EntityGraph {
  readonly ids: readonly string[]
  readonly firstBond: number
  readonly firstCompany: number
  readonly numberOf: { readonly entity: Numbers; readonly bond: Numbers; readonly company: Numbers }
  readonly edges: Readonly<Record<Relation, Adjacency>>
  /** Per company, the entity that is the company itself, where one is. */
  readonly self: ReadonlyMap<number, number>
  /** 1 for a bond that has matured or is retired: it may be asked about, but is nobody's debt. */
  readonly over: Uint8Array
  /** 1 where a node belongs to a company of extended coverage. */
  readonly extended: Uint8Array
  /** Entities of each company that has any. */
  readonly members: ReadonlyMap<number, readonly number[]>
  /** The company of each entity and bond; -1 where none is known. */
  readonly groupOf: readonly number[]
  /** The place of each entity and bond in its table. */
  readonly rowOf: Int32Array
  /** Bonds by id, CUSIP and ISIN, in capitals. */
  readonly bondNamed: Numbers
  /** Ticker and name of each company, from the first on. */
  readonly companies: readonly { readonly ticker: string | null; readonly name: string }[]
  /** Active bonds and loans that each entity issued, and their amount outstanding; null where one is not known. */
  readonly debtAt: ReadonlyMap<number, { readonly count: number; readonly total: number | null }>
}

type Numbers = ReadonlyMap<string, number>

const graphs = new WeakMap<Database, Promise<EntityGraph>>()

/** The graph of a day, made at the first question about it. */
export function entityGraph(database: Database, asOf: string): Promise<EntityGraph> {
  const made = graphs.get(database) ?? readGraph(database, asOf)
  graphs.set(database, made)
  made.catch(() => graphs.delete(database))
  return made
}

type Texts = (string | null)[]

/** Entities that are there on a day. */
const standing = `(SELECT * FROM ${stored('entities')} WHERE removed_date IS NULL OR removed_date > CAST(? AS DATE))`

async function readGraph(database: Database, asOf: string): Promise<EntityGraph> {
  const read = async (sql: string, ...values: string[]) =>
    (await database.columns(sql, values)).columns as Texts[]
  const [entityId, entityName, entityCompany, entityCoverage, entityPlace] = (await read(
    `SELECT id, name, company_id, coverage, if(is_listed, 'listed', 'named') FROM ${standing}
     ORDER BY ticker NULLS LAST, name, id`,
    asOf,
  )) as [string[], string[], Texts, Texts, Texts]
  const [bondId, bondIssuer, bondCompany, bondCoverage, bondStatus] = (await read(
    `SELECT id, issuer_id, company_id, coverage, if(is_active, 'active', 'over') FROM ${stored('bonds')}
     ORDER BY company_ticker NULLS LAST, maturity_date NULLS LAST, id`,
  )) as [string[], Texts, Texts, Texts, Texts]
  const [companyId, companyName, companyCoverage, companyTicker] = (await read(
    `SELECT company_id, name, coverage, ticker FROM ${stored('companies')} ORDER BY company_id`,
  )) as [string[], string[], Texts, Texts]
  const [entitiesAsTheyLie] = (await read(`SELECT id FROM ${stored('entities')}`)) as [string[]]
  const [bondsAsTheyLie, cusips, isins] = (await read(`SELECT id, cusip, isin FROM ${stored('bonds')}`)) as [
    string[],
    Texts,
    Texts,
  ]
  const debts = await database.rows<{ issuer_id: string; n: number; total: number | null }>(
    `SELECT issuer_id, count(*) AS n, CASE WHEN count(outstanding) = count(*) THEN CAST(sum(outstanding) AS BIGINT) END AS total
     FROM ${stored('bonds')} WHERE is_active AND issuer_id IS NOT NULL GROUP BY issuer_id`,
  )
  // The database numbers the ends of a million links faster than texts can be looked up here.
  const owners = (
    await database.columns(
      `WITH nodes AS (SELECT id, CAST(row_number() OVER (ORDER BY ticker NULLS LAST, name, id) - 1 AS INTEGER) AS n FROM ${standing})
       SELECT p.n, c.n FROM ${stored('ownership')} o JOIN nodes p ON p.id = o.parent_id JOIN nodes c ON c.id = o.child_id
       WHERE p.n <> c.n ORDER BY p.n, c.n`,
      [asOf],
    )
  ).columns as [number[], number[]]
  const [guarantorId, guaranteedBond] = (await read(
    `SELECT guarantor_id, bond_id FROM ${stored('guarantees')} ORDER BY guarantor_id, bond_id`,
  )) as [string[], Texts]

  const [firstBond, firstCompany] = [entityId.length, entityId.length + bondId.length]
  const numberOf = {
    entity: numbered(entityId, 0),
    bond: numbered(bondId, firstBond),
    company: numbered(companyId, firstCompany),
  }
  const groupOf = [...entityCompany, ...bondCompany].map(id => numberOf.company.get(id ?? '') ?? -1)

  const owns = new Edges()
  for (const [i, parent] of owners[0].entries()) owns.add(parent, owners[1][i]!)
  const guarantees = edgesBetween([guarantorId, guaranteedBond], numberOf.entity, numberOf.bond)
  const issues = edgesBetween([bondIssuer, bondId], numberOf.entity, numberOf.bond)

  const members = groupedBy(groupOf.slice(0, firstBond))
  const self = new Map<number, number>()
  // A company may itself be owned: only a parent of the same company puts an entity under another.
  const hasParent = new Set<number>()
  for (const [parent, child] of owns) if (groupOf[parent] === groupOf[child]) hasParent.add(child)
  const group = { owns: new Edges(), issues: new Edges(), guarantees: new Edges(), guarantors: new Edges() }
  for (const [company, entities] of members) {
    const tops = entities.filter(entity => !hasParent.has(entity))
    const name = issuerName(companyName[company - firstCompany]!).base
    const named = tops.filter(entity => issuerName(entityName[entity]!).base === name)
    const listed = tops.filter(entity => entityPlace[entity] === 'listed')
    const own = named.length === 1 ? named[0] : listed.length === 1 ? listed[0] : undefined
    if (own !== undefined) self.set(company, own)
    // An entity under no other stands under the company, and under the entity that is the company; but who is only
    // named as a guarantor may be anybody.
    for (const top of listed) {
      if (top === own) continue
      group.owns.add(company, top)
      if (own !== undefined) owns.add(own, top)
    }
  }
  for (const [parent, child] of owns)
    if (self.get(groupOf[parent]!) === parent) group.owns.add(groupOf[parent]!, child)
  for (let bond = firstBond; bond < firstCompany; bond++)
    if (groupOf[bond]! >= 0) group.issues.add(groupOf[bond]!, bond)
  for (const [guarantor, bond] of guarantees) {
    if (groupOf[guarantor]! >= 0) group.guarantees.add(groupOf[guarantor]!, bond)
    if (groupOf[bond]! >= 0) group.guarantors.add(groupOf[bond]!, guarantor)
  }
  // Guarantors of debt that is no bond of the lake guarantee debt of the company they belong to.
  for (const [i, id] of guarantorId.entries()) {
    const guarantor = guaranteedBond[i] === null ? numberOf.entity.get(id) : undefined
    const company = guarantor === undefined ? -1 : groupOf[guarantor]!
    if (company >= 0 && self.get(company) !== guarantor) group.guarantors.add(company, guarantor!)
  }
  const issuers = issues.reversed()
  const groupIssuers = new Edges()
  for (const [bond, issuer] of issuers) if (groupOf[bond]! >= 0) groupIssuers.add(groupOf[bond]!, issuer)

  const ids = [...entityId, ...bondId, ...companyId]
  const rowOf = new Int32Array(firstCompany)
  for (const [row, id] of entitiesAsTheyLie.entries()) {
    const node = numberOf.entity.get(id)
    if (node !== undefined) rowOf[node] = row
  }
  const bondNamed = new Map<string, number>()
  for (const [row, id] of bondsAsTheyLie.entries()) {
    const node = numberOf.bond.get(id)!
    rowOf[node] = row
    for (const name of [id.toUpperCase(), cusips[row], isins[row]])
      if (name && !bondNamed.has(name)) bondNamed.set(name, node)
  }
  const debtAt = new Map<number, { count: number; total: number | null }>()
  for (const { issuer_id, n, total } of debts) {
    const node = numberOf.entity.get(issuer_id)
    if (node !== undefined) debtAt.set(node, { count: n, total })
  }
  const pack = (...parts: Edges[]) => Edges.joined(parts).pack(ids.length)
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
    rowOf,
    bondNamed,
    companies: companyName.map((name, i) => ({ ticker: companyTicker[i] ?? null, name })),
    debtAt,
    over: over(bondStatus, firstBond, ids.length),
    extended: Uint8Array.from(
      [...entityCoverage, ...bondCoverage, ...companyCoverage],
      c => +(c === 'extended'),
    ),
  }
}

function over(status: Texts, first: number, nodes: number): Uint8Array {
  const flags = new Uint8Array(nodes)
  for (const [i, is] of status.entries()) flags[first + i] = +(is === 'over')
  return flags
}

const numbered = (ids: readonly string[], first: number): Numbers =>
  new Map(ids.map((id, i) => [id, first + i]))

/** Edges whose both ends are known; none leads from a node to itself. */
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
