import { elementAt } from '../../engine/base/elements.ts'
import { type Day, formatDay, toDay } from '../../engine/credit/calendar.ts'
import type { RowOf } from '../../engine/schema/column.ts'
import type { entities } from '../../engine/schema/datasets/entities.ts'
import type { ownership } from '../../engine/schema/datasets/ownership.ts'
import { leiOf, uuidOf } from './identifiers.ts'
import type { Issuer } from './issuers.ts'
import { domesticPlaces, foreignPlaces, regions } from './names.ts'
import type { Random } from './random.ts'
import type { Row } from './tables.ts'

type EntityType = NonNullable<RowOf<typeof entities.columns>['entity_type']>

export interface Entity {
  readonly id: string
  readonly name: string
  readonly type: EntityType
  readonly jurisdiction: string
  readonly parent: Entity | null
  readonly share: number
  readonly isGuarantor: boolean
  /** Day of the first document that lists it. */
  readonly listed: Day
  /** Day from which it is no longer listed. */
  readonly removed: Day | null
}

export interface Group {
  readonly holdco: Entity
  /** The borrower under the credit agreement. */
  readonly opco: Entity
  readonly finco: Entity | null
  readonly all: readonly Entity[]
}

type Details = Pick<Entity, 'jurisdiction' | 'share' | 'isGuarantor' | 'listed' | 'removed'>

/** An entity below the operating company; null if its name is taken. */
function lowerEntity(
  { shape, stem, industry }: Issuer,
  names: ReadonlySet<string>,
  parents: readonly Entity[],
  first: Day,
  random: Random,
): (Details & { readonly name: string; readonly type: EntityType; readonly parent: Entity }) | null {
  const isLeveraged = shape === 'leveraged' || shape === 'loans'
  const unit = random.pick(industry.units)
  const kind = random.next()
  const type = kind < 0.05 ? 'vie' : kind < 0.11 ? 'jv' : 'subsidiary'
  const isForeign = type === 'subsidiary' && random.chance(0.22)
  const [place, form] = random.pick(foreignPlaces)
  const region = random.pick(regions)
  const name = {
    vie: `${stem} ${region} Funding Trust ${2016 + random.whole(0, 8)}-${random.whole(1, 9)}`,
    jv: `${stem} ${region} ${unit} Joint Venture, LLC`,
    subsidiary: isForeign
      ? `${stem} ${unit} ${place} ${form}`
      : `${stem} ${region} ${unit}, ${random.pick(['LLC', 'Inc.', 'L.P.'])}`,
  }[type]
  if (names.has(name)) return null
  const parent = random.pick(parents)
  const when = random.next()
  const listed = Math.max(
    parent.listed,
    when < 0.06
      ? toDay(2025, 2, random.whole(18, 27))
      : when < 0.14
        ? toDay(2024, 2, random.whole(14, 28))
        : first,
  )
  const isSubsidiary = type === 'subsidiary'
  const removed =
    isSubsidiary && listed === first && random.chance(0.03) ? toDay(2025, 2, random.whole(18, 27)) : null
  const share = isSubsidiary
    ? random.pick([100, 100, 100, 100, 100, 100, 100, 100, 100, 80, 90, 95])
    : random.pick([33.3, 49, 50, 51, 60])
  return {
    name,
    type,
    parent,
    jurisdiction: isForeign ? place : random.pick(domesticPlaces),
    share,
    isGuarantor: isSubsidiary && isLeveraged && !isForeign && random.chance(0.75),
    listed,
    removed,
  }
}

/** The legal entities of an issuer: 3 to 40, a tree with the listed company on top. */
export function makeGroup(issuer: Issuer, random: Random): Group {
  const { shape, short, stem, industry } = issuer
  const all: Entity[] = []
  const first = toDay(2022, 2, random.whole(14, 28))
  const names = new Set<string>([issuer.name])
  function add(name: string, type: EntityType, parent: Entity | null, more: Partial<Details> = {}): Entity {
    names.add(name)
    const entity = {
      id: uuidOf(`${issuer.cik} ${name}`),
      name,
      type,
      parent,
      jurisdiction: more.jurisdiction ?? random.pick(domesticPlaces),
      share: more.share ?? 100,
      isGuarantor: more.isGuarantor ?? false,
      listed: more.listed ?? first,
      removed: more.removed ?? null,
    }
    all.push(entity)
    return entity
  }

  const isLeveraged = shape === 'leveraged' || shape === 'loans'
  const holdco = add(issuer.name, 'holdco', null, {
    jurisdiction: issuer.name.endsWith('plc') ? 'Ireland' : 'Delaware',
  })
  const intermediate =
    isLeveraged && random.chance(0.6)
      ? add(`${short} Intermediate Holdings, LLC`, 'holdco', holdco, { isGuarantor: true })
      : holdco
  const opcoName =
    shape === 'financial'
      ? `${stem} ${industry.name === 'Insurance' ? 'Life Insurance Company' : 'Bank, N.A.'}`
      : shape === 'utility'
        ? `${short} Company of ${random.pick(['Ohio', 'Maryland', 'Nevada'])}`
        : `${short} Operating ${isLeveraged ? 'LLC' : 'Company'}`
  const opco = add(opcoName, 'opco', intermediate)
  const finco =
    shape !== 'loans' && random.chance(0.45)
      ? add(`${short} Finance ${random.pick(['Corp.', 'LLC'])}`, 'finco', holdco)
      : null

  const count = Math.min(36, Math.max(1, Math.round(Math.exp(random.normal() * 0.7) * 9)))
  const parents: Entity[] = [opco, opco, ...(finco ? [] : [holdco])]
  for (let i = 0; i < count; i++) {
    const candidate = lowerEntity(issuer, names, parents, first, random)
    if (!candidate) continue
    const entity = add(candidate.name, candidate.type, candidate.parent, candidate)
    if (entity.type === 'subsidiary' && !entity.removed && random.chance(0.35)) parents.push(entity)
  }
  return { holdco, opco, finco, all }
}

export function entityRows(issuer: Issuer, group: Group): Row<typeof entities>[] {
  const isReduced = (e: Entity) => e.isGuarantor && e.share < 100
  return group.all.flatMap(e => {
    const row: Row<typeof entities> = {
      id: e.id,
      ticker: issuer.ticker,
      cik: issuer.cik,
      company_name: issuer.name,
      name: e.name,
      entity_type: e.type,
      jurisdiction: e.jurisdiction,
      lei: e === group.holdco ? issuer.lei : e === group.opco || e === group.finco ? leiOf(e.id) : null,
      parent_id: e.parent?.id ?? null,
      // Control of a variable interest entity is by contract.
      ownership_pct: e.parent && e.type !== 'vie' ? e.share : null,
      is_guarantor: e.isGuarantor,
      is_vie: e.type === 'vie',
      guarantee_type: e.isGuarantor ? (isReduced(e) ? 'limited' : 'full') : null,
      document_date: formatDay(e.listed),
    }
    return e.removed === null
      ? [row]
      : [row, { ...row, removed_date: formatDay(e.removed), document_date: formatDay(e.removed) }]
  })
}

/** Joint ventures whose other owner is in another group of the sample. */
export function partnerRows(groups: readonly Group[], random: Random): Row<typeof ownership>[] {
  const ventures = groups.flatMap((group, n) =>
    group.all.filter(e => e.type === 'jv').map(venture => ({ venture, n })),
  )
  return ventures.flatMap(({ venture, n }) => {
    const partner = elementAt(groups, random.whole(0, groups.length - 1))
    if (venture.share > 60 || partner === groups[n] || random.chance(0.7)) return []
    return [
      {
        parent_id: partner.opco.id,
        child_id: venture.id,
        ownership_pct: Math.round((100 - venture.share) * 10) / 10,
        document_date: formatDay(venture.listed),
      },
    ]
  })
}
