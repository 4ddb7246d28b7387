import { elementAt } from '../../base/elements.ts'
import { append } from '../../base/lists.ts'
import { memoize } from '../../base/memoize.ts'
import { partitionPoint } from '../../base/partition-point.ts'
import { type GroupCompany, GroupNames } from '../../names/group-name.ts'
import { issuerName, LEGAL_FORMS, namesAgree } from '../../names/issuer-name.ts'
import { isParentOf, knownGroupOf } from '../../names/known-groups.ts'
import { sectorOf, sectorsAgree } from '../../names/sector.ts'
import type { groupMethods } from '../../schema/vocabulary.ts'
import { type Known, type Mention, type NameCache, shownName } from './known-companies.ts'
import type { Registry } from './registry.ts'
import { suggester } from './suggest-issuer.ts'

export type GroupMethod = (typeof groupMethods)[number]

/** The group of an issuer, by company ids. */
export interface Group {
  readonly group_id: string
  readonly group_by: GroupMethod
  readonly group_reason: string
}

/** A company that an unlinked issuer may belong to, for a person to decide. */
export interface Suggested {
  readonly ticker: string | null
  readonly name: string
  readonly reason: string
}

/** What the bonds of a mention's issuer reveal besides its name. */
export interface IssuerBonds {
  /** Index of the mention. */
  readonly mention: number
  readonly cusip6s: readonly string[]
  /** The label that funds file them under. */
  readonly sector: string | null
}

/** A document that lists a company as belonging to its filer. */
export interface ListedEntity {
  readonly name: string
  /** Index of the filer's mention. */
  readonly mention: number
  readonly document_type: string | null
}

export interface GroupEvidence {
  /** The day as of which issuers belong to groups. */
  readonly asOf: string
  readonly bonds: readonly IssuerBonds[]
  readonly entities: readonly ListedEntity[]
  /** Consolidating parents, by LEI, with the parent's registered name if a registry has it. */
  readonly parents: ReadonlyMap<string, readonly { readonly lei: string; readonly name: string | null }[]>
  /** CIKs of companies whose own securities have a CUSIP issuer code. */
  readonly codes: ReadonlyMap<string, readonly string[]>
}

interface Found {
  readonly head: Known
  readonly by: GroupMethod
  readonly reason: string
}

interface Choice {
  readonly company: Known
  readonly reason: string
}

interface Lookup {
  readonly mentions: readonly Mention[]
  /** The company of each mention. */
  readonly companies: readonly (Known | null)[]
  /** Companies among which a mention's name is ambiguous. */
  readonly candidates: readonly (readonly Known[])[]
  readonly registry: Pick<Registry, 'known' | 'names'>
  readonly leisOf: (company: Known) => readonly string[]
  readonly named: (name: string) => Known | null
  readonly byLei: (lei: string) => Known | null
  readonly byCik: (cik: string) => Known | null
  readonly byTicker: (ticker: string) => Known | null
  readonly evidence: GroupEvidence | undefined
  readonly suggest: boolean
}

/** A bond issuer that is not itself a company with a ticker. */
interface Issuer {
  readonly company: Known
  readonly names: readonly string[]
  readonly sector: string | null
  readonly cusip6s: readonly string[]
  readonly candidates: readonly Known[]
}

const MOST_SUGGESTED = 5
const MOST_GENERATIONS = 10

/**
 * The group of each bond issuer without a ticker: the company that lists it as a subsidiary or guarantor,
 * consolidates it by LEI, shares its name, or shares a CUSIP issuer code where other evidence agrees. Issuers without
 * evidence get candidates, each with a reason.
 */
export function groupsOf(lookup: Lookup): {
  groups: Map<Known, Found>
  suggestions: Map<Known, readonly Choice[]>
} {
  const groups = new Map<Known, Found>()
  const suggestions = new Map<Known, readonly Choice[]>()
  const { evidence, registry } = lookup
  if (!evidence) return { groups, suggestions }
  const issuers = issuersOf(lookup, evidence)
  if (issuers.length === 0) return { groups, suggestions }
  const lists = new Lists(lookup, evidence)
  const heads = headsOf(registry.known)
  const choices = new Map<Known, Choice[]>()
  for (const issuer of issuers) {
    const listed = lists.of(issuer)
    const found = listed.found ?? byLei(issuer, lookup, evidence, heads) ?? heads.of(issuer)
    if (found) groups.set(issuer.company, found)
    else choices.set(issuer.company, [...listed.choices, ...heads.choices(issuer)])
  }
  const codes = new Codes(lookup, evidence, groups)
  for (const issuer of issuers) {
    if (groups.has(issuer.company)) continue
    const { found: byCode, choices: shared } = codes.of(issuer)
    const found = byCode ?? knownOf(issuer, lookup, evidence) ?? registrantOf(issuer, lookup)
    if (found) groups.set(issuer.company, found)
    else append(choices.get(issuer.company)!, shared)
  }
  if (!lookup.suggest) return { groups, suggestions }
  const alike = suggesterOf(registry.known)
  for (const issuer of issuers)
    if (!groups.has(issuer.company) && issuer.company.ciks.length === 0 && !issuer.company.isLoaded)
      suggestions.set(issuer.company, suggested(issuer, choices.get(issuer.company)!, alike))
  return { groups, suggestions }
}

/** Possible parents: listed companies. */
const isHead = (company: Known): boolean => company.tickers.length > 0 && !company.isApart

const suggesterOf = memoize((known: readonly Known[]) =>
  suggester(known.filter(isHead).map(company => ({ company, name: shownName(company) ?? '' }))),
)

function issuersOf({ mentions, companies, candidates }: Lookup, { bonds }: GroupEvidence): Issuer[] {
  const byCompany = new Map<
    Known,
    { names: Set<string>; sectors: string[]; cusip6s: Set<string>; candidates: Set<Known> }
  >()
  for (const { mention, cusip6s, sector } of bonds) {
    const company = companies[mention]
    if (!company || company.tickers.length > 0 || company.isApart || company.isLoaded) continue
    const issuer = byCompany.get(company) ?? {
      names: new Set(),
      sectors: [],
      cusip6s: new Set(),
      candidates: new Set(),
    }
    byCompany.set(company, issuer)
    const { name } = elementAt(mentions, mention)
    if (name !== null) issuer.names.add(name)
    if (sector !== null) issuer.sectors.push(sector)
    for (const code of cusip6s) issuer.cusip6s.add(code)
    for (const candidate of elementAt(candidates, mention)) issuer.candidates.add(candidate)
  }
  return [...byCompany].map(([company, { names, sectors, cusip6s, candidates }]) => ({
    company,
    names: [...names].sort(),
    sector: sectors.sort()[0] ?? null,
    cusip6s: [...cusip6s].sort(),
    candidates: [...candidates],
  }))
}

/** Lists of subsidiaries and guarantors: who lists a company of exactly that name. */
class Lists {
  private readonly byName = new Map<string, Map<Known, ListedEntity>>()
  /** Whole names without blanks, sorted, to look up truncated names by prefix. */
  private readonly sorted: string[]

  private readonly names: NameCache

  constructor({ companies, registry }: Lookup, { entities }: GroupEvidence) {
    this.names = registry.names
    for (const entity of entities) {
      const filer = companies[entity.mention]
      if (!filer) continue
      const key = this.keyOf(entity.name)
      if (key.length < 6) continue
      const filers = this.byName.get(key) ?? new Map<Known, ListedEntity>()
      if (!filers.has(filer) || isSubsidiaryList(entity)) filers.set(filer, entity)
      this.byName.set(key, filers)
    }
    this.sorted = [...this.byName.keys()].sort()
  }

  of(issuer: Issuer): { found: Found | null; choices: Choice[] } {
    const filers = new Map<Known, ListedEntity>()
    for (const name of issuer.names)
      for (const key of this.keysOf(name))
        for (const [filer, entity] of this.byName.get(key)!) filers.set(filer, entity)
    filers.delete(issuer.company)
    const listed = [...filers].filter(
      ([filer]) => filer.tickers.length + filer.ciks.length > 0 || filer.isLoaded,
    )
    const live = listed.filter(([filer]) => filer.tickers.length > 0)
    const [only, ...others] = live.length > 0 ? live : listed
    if (!only) return { found: null, choices: [] }
    if (others.length > 0)
      return {
        found: null,
        choices: live.map(([company]) => ({ company, reason: 'it lists a company of this name' })),
      }
    const [head, entity] = only
    const isList = isSubsidiaryList(entity)
    return {
      found: {
        head,
        by: isList ? 'subsidiary_list' : 'guarantor_list',
        reason: isList
          ? `${entity.document_type ?? 'a list of its entities'} of the company lists it`
          : `${entity.document_type} of the company names it`,
      },
      choices: [],
    }
  }

  private keysOf(name: string): string[] {
    const key = this.keyOf(name)
    if (this.byName.has(key)) return [key]
    const { cut } = this.names.of(name)
    if (!cut || cut.squashed.length < 16) return []
    // `... POWER COMPAN` is `... POWER CO` in full, which is not a prefix match.
    const whole = cut.base === null ? [] : this.startingWith(cut.base)
    const going = [
      ...this.startingWith(cut.squashed),
      ...whole.filter(full => LEGAL_FORMS.has(full.slice(cut.base!.length))),
    ]
    return going.length <= 3 ? going : []
  }

  private keyOf(name: string): string {
    return this.names.of(name).full.replaceAll(' ', '')
  }

  private startingWith(text: string): string[] {
    const found: string[] = []
    const first = partitionPoint(this.sorted, name => name < text)
    for (let at = first; this.sorted[at]?.startsWith(text); at++) found.push(elementAt(this.sorted, at))
    return found
  }
}

const isSubsidiaryList = ({ document_type }: ListedEntity): boolean =>
  document_type === null || /^EX-?21/i.test(document_type)

/** The nearest company above an issuer, by consolidation records. */
function byLei(issuer: Issuer, lookup: Lookup, { parents }: GroupEvidence, heads: Heads): Found | null {
  let level = lookup.leisOf(issuer.company)
  const seen = new Set(level)
  for (let generation = 0; generation < MOST_GENERATIONS && level.length > 0; generation++) {
    const above = level.flatMap(lei => parents.get(lei) ?? []).filter(({ lei }) => !seen.has(lei))
    for (const { lei, name } of above) {
      seen.add(lei)
      const known = lookup.byLei(lei)
      const listed = known && isHead(known) ? known : name === null ? null : lookup.named(name)
      const head =
        listed && isHead(listed) ? listed : name === null ? null : (heads.named(name)?.head ?? null)
      if (head && head !== issuer.company)
        return { head, by: 'lei_parent', reason: `${name ?? lei} consolidates it by the LEI registry` }
    }
    level = above.map(({ lei }) => lei)
  }
  return null
}

const headsOf = memoize((known: readonly Known[]) => new Heads(known))

interface Head extends GroupCompany {
  readonly known: Known
}

/** Groups by the name that their companies share. */
class Heads {
  private readonly names: GroupNames<Head>

  constructor(known: readonly Known[]) {
    this.names = new GroupNames(
      known.filter(isHead).map(company => ({
        known: company,
        names: company.names,
        ticker: company.tickers[0] ?? null,
        sector: sectorOfKnown(company),
        position: company.position,
      })),
    )
  }

  of({ names, sector, company }: Issuer): Found | null {
    const found = names.flatMap(name => this.named(name, sector) ?? [])
    const [only] = found
    if (!only || only.head === company || found.some(({ head }) => head !== only.head)) return null
    return only
  }

  named(name: string, sector: string | null = null): Found | null {
    const { found } = this.names.find(name, sector)
    return found && { head: found.company.known, by: 'group_name', reason: found.reason }
  }

  choices({ names, sector, candidates }: Issuer): Choice[] {
    const named = names.flatMap(name => {
      const { found, candidates } = this.names.find(name, sector)
      return [...(found ? [found] : []), ...candidates]
    })
    return [
      ...candidates.filter(isHead).map(company => ({ company, reason: 'it has this name too' })),
      ...named.map(({ company, reason }) => ({ company: company.known, reason })),
    ]
  }
}

const sectorOfKnown = (company: Known) =>
  sectorOf({
    name: company.names[0] ?? '',
    listed: company.values.sector ?? null,
    sic: company.values.sic ?? null,
  }).sector

/** The parent of the day in the list of known groups, if the lake has that company. */
function knownOf(issuer: Issuer, { byTicker }: Lookup, { asOf }: GroupEvidence): Found | null {
  for (const name of issuer.names) {
    const group = knownGroupOf(name, asOf)
    const head = group && byTicker(group.ticker)
    if (head && isHead(head) && head !== issuer.company && isParentOf(group, head.names))
      return { head, by: 'known_group', reason: `${group.member} is known as a company of ${group.parent}` }
  }
  return null
}

/** A registrant of the same name with an earlier legal form: `Burlington Northern Santa Fe Corp`, now an LLC. */
function registrantOf(issuer: Issuer, { registry }: Lookup): Found | null {
  if (issuer.company.ciks.length > 0) return null
  const bases = new Set(issuer.names.map(name => issuerName(name).base).filter(base => base.length >= 5))
  if (bases.size === 0) return null
  const registrants = registrantsByBase(registry.known)
  const found = new Set([...bases].flatMap(base => registrants.get(base) ?? []))
  const [only] = found
  return found.size === 1 && only && !only.isApart
    ? { head: only, by: 'group_name', reason: 'it is called as the registrant is, with another legal form' }
    : null
}

const registrantsByBase = memoize((known: readonly Known[]) => {
  const byBase = new Map<string, Known[]>()
  for (const company of known)
    if (company.ciks.length > 0)
      for (const base of new Set(company.names.map(name => issuerName(name).base)))
        byBase.set(base, [...(byBase.get(base) ?? []), company])
  return byBase
})

/**
 * CUSIP issuer codes. A code stays with the issuer when it is acquired, so alone it links nothing. It does where the
 * names agree, or where the company's shares also have it and no other company's bonds do.
 */
class Codes {
  private readonly holders = new Map<string, Set<Known>>()
  private readonly lookup: Lookup
  private readonly evidence: GroupEvidence

  constructor(lookup: Lookup, evidence: GroupEvidence, groups: ReadonlyMap<Known, Found>) {
    this.lookup = lookup
    this.evidence = evidence
    for (const { mention, cusip6s } of evidence.bonds) {
      const company = lookup.companies[mention]
      const head = company && (groups.get(company)?.head ?? company)
      if (!head || !isHead(head)) continue
      for (const code of cusip6s) {
        const set = this.holders.get(code)
        if (set) set.add(head)
        else this.holders.set(code, new Set([head]))
      }
    }
  }

  of(issuer: Issuer): { found: Found | null; choices: Choice[] } {
    const heads = new Map<Known, { code: string; isOfShares: boolean; isOfBonds: boolean }>()
    for (const code of issuer.cusip6s) {
      const ofShares = (this.evidence.codes.get(code) ?? []).flatMap(cik => this.lookup.byCik(cik) ?? [])
      const ofBonds = this.holders.get(code) ?? new Set()
      for (const head of new Set([...ofShares, ...ofBonds]))
        if (isHead(head))
          heads.set(head, {
            code,
            isOfShares: ofShares.includes(head) || heads.get(head)?.isOfShares === true,
            isOfBonds: ofBonds.has(head) || heads.get(head)?.isOfBonds === true,
          })
    }
    const choices = [...heads].map(([company, { code, isOfShares }]) => ({
      company,
      reason: `${isOfShares ? 'its shares' : 'its bonds'} have the CUSIP issuer code ${code} too`,
    }))
    const [only, ...others] = heads
    if (!only || others.length > 0) return { found: null, choices }
    const [head, { code, isOfShares, isOfBonds }] = only
    const agrees = issuer.names.some(name =>
      head.names.some(other => namesAgree(issuerName(name), issuerName(other))),
    )
    const isOneIssuer = isOfShares && isOfBonds && sectorsAgree(issuer.sector, sectorOfKnown(head)) === true
    if (!agrees && !isOneIssuer) return { found: null, choices }
    const reason = agrees
      ? `the names agree, and both have the CUSIP issuer code ${code}`
      : `shares and bonds of the company have its CUSIP issuer code ${code}, and both are in one sector`
    return { found: { head, by: 'cusip_code', reason }, choices }
  }
}

/** Candidates for a person: companies with some evidence, then those with similar names. */
function suggested(
  issuer: Issuer,
  choices: readonly Choice[],
  alike: ReturnType<typeof suggester<{ company: Known; name: string }>>,
): Choice[] {
  const all = new Map<Known, string>()
  for (const { company, reason } of choices)
    if (isHead(company) && !all.has(company)) all.set(company, reason)
  if (all.size < MOST_SUGGESTED)
    for (const name of issuer.names)
      for (const { company: found, likeness } of alike(name, MOST_SUGGESTED, LEAST_ALIKE))
        if (!all.has(found.company))
          all.set(found.company, `its name is ${Math.round(likeness * 100)}% like ${name}`)
  return [...all].slice(0, MOST_SUGGESTED).map(([company, reason]) => ({ company, reason }))
}

/** Less like names are of other companies. */
const LEAST_ALIKE = 0.6
