import { smallest } from '../base/lists.ts'
import type { ClaimClass, RankedClaim } from '../credit/waterfall.ts'
import { literal } from '../database/database.ts'
import { stored } from '../database/views.ts'
import { type Claim, claimsOf } from './claims.ts'
import { type KeyedRows, rowsByKey } from './keyed-rows.ts'
import type { Context } from './operation.ts'

/** A legal entity of the company. */
interface Entity {
  readonly id: string
  readonly name: string
  readonly entity_type: string | null
  readonly parent_id: string | null
}

interface Guarantee {
  readonly guarantor_id: string
  readonly bond_id: string | null
  readonly issuer_id: string | null
  readonly instrument_name: string | null
}

interface Pledge {
  readonly bond_id: string
  readonly types: readonly string[]
  readonly value: number | null
  readonly valued: boolean
}

/** A claim with its place in the waterfall, and what was assumed to place it. */
export interface PlacedClaim extends RankedClaim {
  readonly claim: Claim
  /** Drawn, and what is assumed to be drawn. */
  readonly assumedDrawn: number
  readonly obligors: readonly string[]
  readonly guarantors: number
  readonly isRankAssumed: boolean
  readonly isLevelAssumed: boolean
  /** Of an entity that guarantees nothing and that nobody guarantees, or without recourse to the group. */
  readonly isAtNonGuarantor: boolean
}

export interface LeftOut {
  readonly id: string
  readonly name: string
  readonly reason: 'no_amount' | 'other_currency'
}

export interface CapitalStructure {
  readonly placed: readonly PlacedClaim[]
  readonly left: readonly LeftOut[]
  /** Names of levels, nearest to the assets first. */
  readonly levels: readonly string[]
  /** Guarantees whose instrument is not among the claims. */
  readonly unmatchedGuarantees: number
  /** How the instruments reconcile to total debt, if they are the claims. */
  readonly reconciled: Reconciled | null
}

/** The lines between a company's instruments and its total debt. */
export interface Reconciled {
  readonly balance_date: string
  readonly finance_leases: number
  /** Debt that no instrument stands for. */
  readonly unexplained: number
  /** Discounts, premiums and hedge adjustments: part of the carrying amount, and no claim. */
  readonly adjustments: number
}

const reconciledLines: KeyedRows<Reconciled & { company_id: string }> = {
  name: 'lines between instruments and total debt',
  tables: ['debt_reconciliations'],
  keyOf: row => row.company_id,
  sql: among =>
    `SELECT company_id, CAST(balance_date AS VARCHAR) AS balance_date, coalesce(finance_leases, 0) AS finance_leases,
       coalesce(lines_without_instruments, 0) AS unexplained,
       coalesce(unamortized_discount, 0) + coalesce(hedge_adjustment, 0) AS adjustments
     FROM ${stored('debt_reconciliations')} WHERE reconciles AND company_id IS NOT NULL ${among('company_id')} ORDER BY company_id`,
}

const companyEntities: KeyedRows<Entity & { company_id: string }> = {
  name: 'entities of companies',
  tables: ['entities'],
  keyOf: row => row.company_id,
  sql: (among, { asOf }) =>
    `SELECT id, name, entity_type, parent_id, company_id FROM ${stored('entities')}
     WHERE company_id IS NOT NULL AND (removed_date IS NULL OR removed_date > DATE ${literal(asOf)}) ${among('company_id')}
     ORDER BY company_id, id`,
}

/** A guarantee is of each company that has its guarantor. */
const companyGuarantees: KeyedRows<Guarantee & { company_id: string }> = {
  name: 'guarantees of companies',
  tables: ['guarantees', 'entities'],
  keyOf: row => row.company_id,
  sql: among =>
    `SELECT g.guarantor_id, g.bond_id, g.issuer_id, g.instrument_name, e.company_id FROM ${stored('guarantees')} g
     JOIN (SELECT DISTINCT id, company_id FROM ${stored('entities')} WHERE company_id IS NOT NULL ${among('company_id')}) e ON e.id = g.guarantor_id
     ORDER BY ALL`,
}

const bondPledges: KeyedRows<Pledge & { company_id: string }> = {
  name: 'collateral of bonds by company',
  tables: ['collateral'],
  keyOf: row => row.company_id,
  sql: among =>
    `SELECT company_id, bond_id, list_sort(list(DISTINCT type)) AS types, CAST(sum(estimated_value) AS BIGINT) AS value,
       bool_and(estimated_value IS NOT NULL) AS valued
     FROM ${stored('collateral')} WHERE company_id IS NOT NULL AND bond_id IS NOT NULL AND in_force ${among('company_id')}
     GROUP BY company_id, bond_id ORDER BY company_id, bond_id`,
}

/** The claims on a company as of the day, each at its level and rank; undrawn commitments are drawn to `drawPercent`. */
export async function capitalStructureOf(
  context: Context,
  company: string,
  currency: string,
  drawPercent: number,
): Promise<CapitalStructure> {
  const claims = await claimsOf(context, [company])
  const entities = await rowsByKey(context, companyEntities, [company])
  const guarantees = await rowsByKey(context, companyGuarantees, [company])
  const pledges = await rowsByKey(context, bondPledges, [company])
  const lines = await rowsByKey(context, reconciledLines, [company])
  const reconciled = claims.some(({ from }) => from === 'instruments') ? (lines[0] ?? null) : null
  return { ...structureOf({ claims, entities, guarantees, pledges, currency, drawPercent }), reconciled }
}

interface Known {
  readonly claims: readonly Claim[]
  readonly entities: readonly Entity[]
  readonly guarantees: readonly Guarantee[]
  readonly pledges: readonly Pledge[]
  readonly currency: string
  readonly drawPercent: number
}

function structureOf({
  claims,
  entities,
  guarantees,
  pledges,
  currency,
  drawPercent,
}: Known): Omit<CapitalStructure, 'reconciled'> {
  const place = placesOf(entities)
  const names = new Map(entities.map(({ id, name }) => [id, name]))
  const guarantorsOf = (claim: Claim) =>
    guarantees.filter(
      ({ bond_id, issuer_id, instrument_name }) =>
        bond_id === claim.id ||
        (bond_id === null && instrument_name === null && issuer_id !== null && issuer_id === claim.issuer_id),
    )
  const giving = new Set(guarantees.map(({ guarantor_id }) => guarantor_id))
  const placed: PlacedClaim[] = []
  const left: LeftOut[] = []
  for (const claim of claims) {
    const { id, name } = claim
    if (claim.currency !== currency) left.push({ id, name, reason: 'other_currency' })
    else if (claim.outstanding === null) left.push({ id, name, reason: 'no_amount' })
    else {
      const own = guarantorsOf(claim)
      const obligors = [
        ...new Set([...(claim.issuer_id === null ? [] : [claim.issuer_id]), ...own.map(g => g.guarantor_id)]),
      ]
      const levels = obligors.flatMap(obligor => place.levels.get(obligor) ?? [])
      const stated = claim.issuer_type === null ? [] : [claim.issuer_type === 'holdco' ? place.top : 0]
      const assumedDrawn = Math.round(((claim.undrawn ?? 0) * drawPercent) / 100)
      const pledge = pledges.find(({ bond_id }) => bond_id === id)
      const claimClass = classOf(claim)
      placed.push({
        id,
        claim,
        level: smallest(levels.length > 0 ? levels : stated.length > 0 ? stated : [0]),
        claimClass: claimClass ?? 'senior_unsecured',
        amount: claim.outstanding + assumedDrawn,
        collateral: pledge && limitsTo(pledge) ? pledge.value : null,
        assumedDrawn,
        obligors: obligors.map(obligor => names.get(obligor) ?? obligor),
        guarantors: own.length,
        isRankAssumed: claimClass === null,
        isLevelAssumed: levels.length === 0 && stated.length === 0,
        isAtNonGuarantor:
          own.length === 0 &&
          (isRingFenced(claim) ||
            (claim.issuer_type === 'subsidiary' &&
              (claim.issuer_id === null || !giving.has(claim.issuer_id)))),
      })
    }
  }
  const known = new Set(claims.map(({ id }) => id))
  return {
    placed,
    left,
    levels: place.names,
    unmatchedGuarantees: guarantees.filter(({ bond_id, instrument_name }) =>
      bond_id === null ? instrument_name !== null : !known.has(bond_id),
    ).length,
  }
}

/** Debt that its name says is owed by a vehicle with its own assets, without recourse to the group. */
const isRingFenced = ({ name }: Claim): boolean =>
  /non-?recourse|asset[- ]backed|securiti[sz]ation/i.test(name)

/** The rank that a claim's terms give it; null if no source states it. */
function classOf({ seniority, security_type }: Claim): ClaimClass | null {
  if (security_type === 'second_lien') return 'second_lien'
  if (security_type === 'first_lien' || seniority === 'senior_secured') return 'first_lien'
  if (seniority === null) return security_type === 'unsecured' ? 'senior_unsecured' : null
  return seniority === 'subordinated' ? 'subordinated' : 'senior_unsecured'
}

/** Assets named one by one, each with a value, limit a lien; a general lien and values that are not known do not. */
const limitsTo = ({ types, valued }: Pledge): boolean => valued && !types.includes('general_lien')

/**
 * Levels of entities: operating companies 0, holding companies above them by their distance from the top. A finance
 * company lends on what it borrows, so it is at its parent's level.
 */
function placesOf(entities: readonly Entity[]): {
  readonly levels: ReadonlyMap<string, number>
  readonly names: readonly string[]
  readonly top: number
} {
  const byId = new Map(entities.map(entity => [entity.id, entity]))
  const depthOf = (entity: Entity): number => {
    let depth = 0
    const seen = new Set([entity.id])
    for (let at = entity; at.parent_id !== null && !seen.has(at.parent_id); depth++) {
      const parent = byId.get(at.parent_id)
      if (!parent) break
      seen.add(parent.id)
      at = parent
    }
    return depth
  }
  const holdings = entities.filter(({ entity_type }) => entity_type === 'holdco')
  const depths = [...new Set(holdings.map(depthOf))].sort((a, b) => b - a)
  const levels = new Map<string, number>()
  const levelOf = (entity: Entity, steps = 0): number => {
    if (entity.entity_type === 'holdco') return 1 + depths.indexOf(depthOf(entity))
    const parent = entity.parent_id === null ? undefined : byId.get(entity.parent_id)
    return entity.entity_type === 'finco' && parent && steps < 20 ? levelOf(parent, steps + 1) : 0
  }
  for (const entity of entities) if (entity.entity_type !== null) levels.set(entity.id, levelOf(entity))
  const names = [
    'operating companies',
    ...depths.map((_, i) => (i === depths.length - 1 ? 'holding company' : 'intermediate holding company')),
  ]
  return {
    levels,
    names: depths.length === 0 ? [...names, 'holding company'] : names,
    top: Math.max(depths.length, 1),
  }
}
