import { elementAt, firstOf } from '../../base/elements.ts'
import { partitionPoint } from '../../base/partition-point.ts'
import type { IssuerName } from '../../names/issuer-name.ts'
import { issuerName, namesAgree } from '../../names/issuer-name.ts'
import { registrantName } from '../../names/registrant-name.ts'
import type { RowOf } from '../../schema/column.ts'
import type { links as linksDataset } from '../../schema/datasets/links.ts'
import { type Group, type GroupEvidence, groupsOf, type Suggested } from './groups.ts'
import {
  type CompanyRow,
  cikKey,
  type DirectoryRow,
  type Known,
  knownCompanies,
  type Mention,
  NameCache,
  newCompany,
  push,
  shownName,
  tickerKey,
} from './known-companies.ts'

export type DecisionRow = Partial<RowOf<typeof linksDataset.columns>>

export const linkMethods = [
  'decision',
  'cik',
  'lei',
  'ticker',
  'name',
  'former_name',
  'prefix',
  'group',
  'own',
] as const
export type LinkMethod = (typeof linkMethods)[number]

export interface Linked {
  /** Null if the name is not a company name and nothing else identifies the company. */
  readonly company_id: string | null
  readonly method: LinkMethod
  /** Ids of equally good matches; the mention then keeps a company of its own. */
  readonly candidates: readonly string[]
}

export interface Company {
  readonly company_id: string
  readonly ticker: string | null
  readonly name: string
  readonly cik: string | null
  readonly lei: string | null
  /** Label of the list that the company was loaded from, as written there. */
  readonly sector: string | null
  readonly industry: string | null
  readonly sic: string | null
  readonly country: string | null
  readonly fiscal_year_end: string | null
  readonly coverage: 'standard' | 'extended'
  /** Alias tickers and other spellings. */
  readonly aliases: readonly string[]
  readonly former_names: readonly string[]
  /** `companies` if it was loaded as a company, else the strongest evidence by which a mention reached it. */
  readonly linked_by: 'companies' | LinkMethod
}

// Over 80 lines: the order of the steps decides who is linked to whom; it is readable in one place.
/**
 * Matches each mention to a company. In order: the user's decision, CIK, LEI, ticker (where the names agree or there
 * is no name), exact name, former name, a truncated name with a unique completion. Unmatched and ambiguous mentions
 * keep a company of their own. Rows come oldest first; a later value replaces an earlier one.
 */
export function linkIssuers(input: {
  mentions: readonly Mention[]
  companies: readonly CompanyRow[]
  directory: readonly DirectoryRow[]
  decisions: readonly DecisionRow[]
  /** Evidence about groups; without it issuers are not assigned to groups. */
  evidence?: GroupEvidence
}): {
  links: Linked[]
  companies: Company[]
  /** By the issuer's company: the group that files for it. */
  groups: ReadonlyMap<string, Group>
  /** By the company of an issuer without a group: its candidates. */
  suggestions: ReadonlyMap<string, readonly Suggested[]>
} {
  const names = new NameCache()
  const known = knownCompanies(input.companies, input.directory, names)
  const index = new Index(known, names)
  const decisions = decisionsOf(input.decisions, names)
  const found: (Match | undefined)[] = input.mentions.map(mention => {
    const decided = decisions(mention)
    if (decided !== undefined) {
      if (decided === null) return { company: null, method: 'decision', candidates: [] }
      const company =
        index.byTicker.get(tickerKey(decided)) ?? index.add(newCompany({ ticker: decided }, mention))
      return { company, method: 'decision', candidates: [] }
    }
    return index.match(mention)
  })
  learnLeis(input.mentions, found, index)

  const owns = new Owns(index, names)
  // The most informative mentions come first, so that others with the same name can join them.
  const order = [...input.mentions.keys()].sort(
    (a, b) =>
      strength(elementAt(input.mentions, b)) - strength(elementAt(input.mentions, a)) ||
      compare(input.mentions, a, b),
  )
  const reached = new Map<Known, LinkMethod>()
  const linked: { company: Known | null; match: Match }[] = []
  for (const i of order) {
    const match: Match = found[i] ?? index.cutName(elementAt(input.mentions, i))
    if (!match.company && isNameless(elementAt(input.mentions, i))) {
      linked[i] = { company: null, match: { company: null, method: 'own', candidates: [] } }
      continue
    }
    const company = match.company ?? owns.of(elementAt(input.mentions, i), match.method === 'decision')
    if (!match.company && match.method === 'decision') company.isApart = true
    const method = match.company || match.method === 'decision' ? match.method : 'own'
    linked[i] = { company, match: { ...match, method } }
    const best = reached.get(company)
    if (!best || linkMethods.indexOf(method) < linkMethods.indexOf(best)) reached.set(company, method)
  }

  const byIssuer = groupsOf({
    mentions: input.mentions,
    companies: linked.map(({ company }) => company),
    candidates: linked.map(({ match }) => match.candidates),
    known,
    named: name => index.match({ ticker: null, cik: null, lei: null, name })?.company ?? null,
    byLei: lei => index.byLei.get(lei) ?? null,
    byCik: cik => index.byCik.get(cikKey(cik)) ?? null,
    byTicker: ticker => index.byTicker.get(tickerKey(ticker)) ?? null,
    evidence: input.evidence,
  })
  for (const { head } of byIssuer.groups.values()) if (!reached.has(head)) reached.set(head, 'group')

  const ids = idsOf([
    ...new Set([...known.filter(company => company.isLoaded || reached.has(company)), ...reached.keys()]),
  ])
  return {
    links: linked.map(({ company, match }) => ({
      company_id: company && ids.get(company)!,
      method: match.method,
      candidates: match.candidates.map(candidate => ids.get(candidate) ?? idOf(candidate)).sort(),
    })),
    companies: [...ids]
      .map(([company, id]) => companyOf(company, id, reached.get(company) ?? null))
      .sort((a, b) => (a.company_id < b.company_id ? -1 : 1)),
    groups: new Map(
      [...byIssuer.groups].map(([issuer, { head, by, reason }]) => [
        ids.get(issuer)!,
        { group_id: ids.get(head)!, group_by: by, group_reason: reason },
      ]),
    ),
    suggestions: new Map(
      [...byIssuer.suggestions].map(([issuer, those]) => [
        ids.get(issuer)!,
        those.map(({ company, reason }) => ({
          ticker: company.tickers[0] ?? null,
          name: company.values.name ?? shownName(company) ?? idOf(company),
          reason,
        })),
      ]),
    ),
  }
}

/** Read off a document where a name should be, and not a name: the company is unknown. */
const isNameless = ({ ticker, cik, lei, name, isRead }: Mention): boolean =>
  isRead === true &&
  ticker === null &&
  cik === null &&
  lei === null &&
  name !== null &&
  registrantName(name) === null

interface Match {
  /** Null if the mention needs a company of its own. */
  readonly company: Known | null
  readonly method: LinkMethod
  readonly candidates: readonly Known[]
}

class Index {
  readonly byTicker = new Map<string, Known>()
  readonly byCik = new Map<string, Known>()
  readonly byLei = new Map<string, Known>()
  private readonly byBase = new Map<string, Set<Known>>()
  private readonly byFormer = new Map<string, Set<Known>>()
  /** Whole names without blanks, sorted, with their companies: completions of truncated names. */
  private readonly sorted: { text: string; company: Known }[] = []
  private readonly names: NameCache

  constructor(known: readonly Known[], names: NameCache) {
    this.names = names
    for (const company of known) this.add(company)
    for (const company of known)
      for (const name of company.names)
        this.sorted.push({ text: names.of(name).full.replaceAll(' ', ''), company })
    this.sorted.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
  }

  add(company: Known): Known {
    for (const ticker of company.tickers)
      if (!this.byTicker.has(tickerKey(ticker))) this.byTicker.set(tickerKey(ticker), company)
    for (const cik of company.ciks) if (!this.byCik.has(cik)) this.byCik.set(cik, company)
    for (const lei of company.leis) if (!this.byLei.has(lei)) this.byLei.set(lei, company)
    for (const name of company.names) addTo(this.byBase, this.names.of(name).base, company)
    for (const name of company.formerNames) addTo(this.byFormer, this.names.of(name).base, company)
    return company
  }

  /** By identifiers and whole names; undefined if only a truncated name or a company of its own remains. */
  match(mention: Mention): Match | undefined {
    const byCik = mention.cik ? this.byCik.get(cikKey(mention.cik)) : undefined
    if (byCik) return { company: byCik, method: 'cik', candidates: [] }
    const byLei = mention.lei ? this.byLei.get(mention.lei) : undefined
    // A company known only from the LEI registry may be one that the SEC knows by the same name.
    if (byLei && (byLei.isLoaded || byLei.ciks.length > 0 || byLei.tickers.length > 0))
      return { company: byLei, method: 'lei', candidates: [] }
    const byTicker = mention.ticker ? this.byTicker.get(tickerKey(mention.ticker)) : undefined
    if (byTicker && (mention.name === null || this.agrees(byTicker, mention.name)))
      return { company: byTicker, method: 'ticker', candidates: [] }
    const names = [mention.name, ...(byLei?.names ?? [])].filter(name => name !== null)
    let candidates: readonly Known[] = []
    for (const [method, map] of [
      ['name', this.byBase],
      ['former_name', this.byFormer],
    ] as const)
      for (const name of names) {
        const all = this.named(map, this.names.of(name), byLei).filter(
          // A filer with an unknown CIK may have filed under another CIK with exactly this name.
          company => !mention.cik || this.isCalled(company, name),
        )
        if (all.length === 1)
          return {
            company: firstOf(all),
            method: byLei && name !== mention.name ? 'lei' : method,
            candidates: [],
          }
        if (all.length > 1 && candidates.length === 0) candidates = all
      }
    if (byLei) return { company: byLei, method: 'lei', candidates }
    return candidates.length > 0 ? { company: null, method: 'own', candidates } : undefined
  }

  private agrees(company: Known, name: string): boolean {
    const wanted = this.names.of(name)
    return [...company.names, ...company.formerNames].some(other => namesAgree(wanted, this.names.of(other)))
  }

  private isCalled(company: Known, name: string): boolean {
    const { full } = this.names.of(name)
    return company.names.some(other => this.names.of(other).full === full)
  }

  /** Companies of that name with a compatible legal form, those with the same form first. */
  private named(map: Map<string, Set<Known>>, name: IssuerName, except: Known | undefined): Known[] {
    const isFormer = map === this.byFormer
    const all = [...(map.get(name.base) ?? [])].filter(company => company !== except)
    if (all.length > MOST_NAMESAKES) return all.slice(0, MOST_CANDIDATES)
    const fitting = all.filter(company => this.fits(name, company, isFormer))
    if (fitting.length < 2) return fitting
    const whole = fitting.filter(company =>
      company.names.some(other => this.names.of(other).full === name.full),
    )
    if (whole.length === 1) return whole
    // The LEI registry also lists companies that the SEC lists: the one with a ticker or CIK is meant.
    const listed = (whole.length > 1 ? whole : fitting).filter(
      company => company.tickers.length + company.ciks.length > 0,
    )
    if (listed.length === 1) return listed
    // A registrant with a ticker takes precedence over a predecessor of the same name without one.
    const live = listed.filter(company => company.tickers.length > 0)
    return live.length === 1 ? live : whole.length > 1 ? whole : fitting
  }

  /** Whether a company of the same base name can be meant, given both legal forms. */
  private fits(name: IssuerName, company: Known, isFormer: boolean): boolean {
    const all = (isFormer ? company.formerNames : company.names).map(other => this.names.of(other))
    const forms = all.filter(other => other.base === name.base).flatMap(other => other.form ?? [])
    if (name.form === null || forms.includes(name.form)) return true
    // A name without a legal form is compatible only with itself: `Leidos` for Leidos Holdings is not Leidos, Inc.,
    // nor `CubeSmart` CubeSmart, L.P.
    return (
      forms.length === 0 &&
      !APART.has(name.form) &&
      !all.some(other =>
        /^(HOLDING|GROUP)/.test(other.base.startsWith(name.base) ? other.base.slice(name.base.length) : ''),
      )
    )
  }

  /** The one company whose name completes a truncated name. */
  cutName(mention: Mention): Match {
    const none: Match = { company: null, method: 'own', candidates: [] }
    const cut = mention.name && !mention.cik ? this.names.of(mention.name).cut : null
    if (!cut) return none
    if (cut.base !== null) {
      const fitting = [...(this.byBase.get(cut.base) ?? [])].filter(company =>
        company.names
          .map(name => this.names.of(name))
          .some(name => name.base === cut.base && (name.form === null || cut.forms.includes(name.form))),
      )
      if (fitting.length === 1) return { company: firstOf(fitting), method: 'prefix', candidates: [] }
    }
    const going = new Set<Known>()
    let at = partitionPoint(this.sorted, ({ text }) => text < cut.squashed)
    for (; this.sorted[at]?.text.startsWith(cut.squashed) && going.size < MOST_CANDIDATES; at++)
      going.add(elementAt(this.sorted, at).company)
    const live = [...going].filter(company => company.tickers.length > 0)
    const [only] = going.size === 1 ? going : live.length === 1 && going.size < MOST_CANDIDATES ? live : []
    if (only) return { company: only, method: 'prefix', candidates: [] }
    return { ...none, candidates: [...going] }
  }
}

const APART: ReadonlySet<string> = new Set(['llc', 'partnership', 'bank'])

const MOST_CANDIDATES = 5
const MOST_NAMESAKES = 50

function addTo(map: Map<string, Set<Known>>, key: string, company: Known): void {
  const set = map.get(key)
  if (set) set.add(company)
  else map.set(key, new Set([company]))
}

/** If all whole names with an LEI lead to one company, the LEI leads there too. */
function learnLeis(mentions: readonly Mention[], found: (Match | undefined)[], index: Index): void {
  const learnt = new Map<string, Known | null>()
  for (const [i, match] of found.entries()) {
    const lei = elementAt(mentions, i).lei
    if (!lei || !match?.company || match.method === 'lei' || index.byLei.has(lei)) continue
    const before = learnt.get(lei)
    learnt.set(lei, before === undefined || before === match.company ? match.company : null)
  }
  for (const [i, mention] of mentions.entries()) {
    const company = mention.lei ? learnt.get(mention.lei) : undefined
    if (company && !found[i]?.company && found[i]?.method !== 'decision')
      found[i] = { company, method: 'lei', candidates: [] }
  }
  for (const [lei, company] of learnt) if (company && company.leis.length === 0) company.leis.push(lei)
}

/** Companies created for unmatched mentions. */
class Owns {
  private readonly byKey = new Map<string, Known>()
  private readonly byName = new Map<string, Known>()
  private readonly index: Index
  private readonly names: NameCache

  constructor(index: Index, names: NameCache) {
    this.index = index
    this.names = names
  }

  /** `isApart` if the user undid a link: a ticker in the mention is then ignored. */
  of(mention: Mention, isApart: boolean): Known {
    const name = mention.name === null ? null : this.names.of(mention.name)
    const ticker = mention.ticker && !isApart && !this.isTaken(mention.ticker, name) ? mention.ticker : null
    const keys = [
      mention.cik && !isApart ? `cik:${cikKey(mention.cik)}` : null,
      mention.lei ? `lei:${mention.lei}` : null,
      ticker ? `ticker:${tickerKey(ticker)}` : null,
    ].filter(key => key !== null)
    let company = keys.map(key => this.byKey.get(key)).find(company => company !== undefined)
    // A name joins a company with identifiers only if it brings none that could contradict.
    if (!company && keys.length === 0 && name) company = this.byName.get(name.full)
    if (!company) company = newCompany({ ticker, cik: isApart ? null : mention.cik }, mention)
    push(company.tickers, ticker)
    push(company.names, mention.name)
    push(company.leis, mention.lei)
    if (mention.cik && !isApart) push(company.ciks, cikKey(mention.cik))
    for (const key of keys) if (!this.byKey.has(key)) this.byKey.set(key, company)
    if (name && !this.byName.has(name.full)) this.byName.set(name.full, company)
    return company
  }

  /** Tickers are reused: one that belongs to another company is not this one's. */
  private isTaken(ticker: string, name: IssuerName | null): boolean {
    if (this.index.byTicker.has(tickerKey(ticker))) return true
    const own = this.byKey.get(`ticker:${tickerKey(ticker)}`)
    return (
      !!own &&
      !!name &&
      own.names.length > 0 &&
      !own.names.some(other => namesAgree(name, this.names.of(other)))
    )
  }
}

const strength = (mention: Mention): number =>
  (mention.cik ? 8 : 0) + (mention.lei ? 4 : 0) + (mention.ticker ? 2 : 0) + (mention.name ? 1 : 0)

function compare(mentions: readonly Mention[], a: number, b: number): number {
  const text = (i: number) => {
    const { ticker, cik, lei, name } = elementAt(mentions, i)
    return [cik, lei, ticker, name].join('\u0000')
  }
  const [one, other] = [text(a), text(b)]
  return one < other ? -1 : one > other ? 1 : a - b
}

/** The user's decision on a mention: a ticker, null to keep it apart, undefined if none. The last one applies. */
function decisionsOf(
  rows: readonly DecisionRow[],
  names: NameCache,
): (mention: Mention) => string | null | undefined {
  const made = new Map<string, { at: string; order: number; ticker: string | null }>()
  const keysOf = ({ cik, lei, name }: { cik?: string | null; lei?: string | null; name?: string | null }) => [
    cik ? `cik:${cikKey(cik)}` : null,
    lei ? `lei:${lei}` : null,
    name ? `name:${names.of(name).full}` : null,
  ]
  for (const [order, row] of rows.entries())
    for (const key of keysOf(row)) {
      if (key === null) continue
      const before = made.get(key)
      const at = row.decided_at ?? ''
      if (!before || before.at <= at) made.set(key, { at, order, ticker: row.ticker ?? null })
    }
  if (made.size === 0) return () => undefined
  return mention => {
    let last: { at: string; order: number; ticker: string | null } | undefined
    for (const key of keysOf(mention)) {
      const decision = key === null ? undefined : made.get(key)
      if (!decision) continue
      const isLater =
        !last || last.at < decision.at || (last.at === decision.at && last.order < decision.order)
      if (isLater) last = decision
    }
    return last?.ticker
  }
}

const idOf = (company: Known): string =>
  company.tickers[0] ??
  (company.ciks[0] ? `CIK${company.ciks[0]}` : null) ??
  company.leis[0] ??
  `NAME:${issuerName(company.names[0] ?? '').full}`

/** One id per company; if two would be equal, the later one uses its next identifier or its name. */
function idsOf(companies: readonly Known[]): Map<Known, string> {
  const ids = new Map<Known, string>()
  const used = new Set<string>()
  for (const company of companies) {
    const choices = [
      ...company.tickers.slice(0, 1),
      ...company.ciks.map(cik => `CIK${cik}`),
      ...company.leis,
      `NAME:${issuerName(company.names[0] ?? '').full}`,
    ]
    let id = choices.find(choice => !used.has(choice))
    for (let n = 2; id === undefined; n++) {
      const numbered = `${choices.at(-1)!} (${n})`
      if (!used.has(numbered)) id = numbered
    }
    used.add(id)
    ids.set(company, id)
  }
  return ids
}

/** What stands for a name that no source gives: `CIK 44471`. */
const withoutName = (company_id: string): string => company_id.replace(/^CIK0*(?=\d)/, 'CIK ')

function companyOf(company: Known, company_id: string, method: LinkMethod | null): Company {
  const { values, tickers, names } = company
  const ticker = tickers[0] === company_id ? company_id : null
  const name = (values.name ?? shownName(company) ?? names[0] ?? withoutName(company_id)).replace(
    / \(Class [A-Z]\)$/i,
    '',
  )
  return {
    company_id,
    ticker,
    name,
    cik: values.cik ?? company.ciks[0] ?? null,
    lei: values.lei ?? company.leis[0] ?? null,
    sector: values.sector ?? null,
    industry: values.industry ?? null,
    sic: values.sic ?? null,
    country: values.country ?? null,
    fiscal_year_end: values.fiscal_year_end ?? null,
    coverage: values.coverage ?? 'standard',
    aliases: ticker === null ? [] : tickers.slice(1),
    former_names: company.formerNames.filter(former => former !== name),
    linked_by: company.isLoaded ? 'companies' : (method ?? 'own'),
  }
}
