import { elementAt } from '../../base/elements.ts'
import type { IssuerName } from '../../names/issuer-name.ts'
import { issuerName, namesAgree, withoutSecurityMarks } from '../../names/issuer-name.ts'
import { registrantName } from '../../names/registrant-name.ts'
import type { RowOf } from '../../schema/column.ts'
import type { links as linksDataset } from '../../schema/datasets/links.ts'
import { type Group, type GroupEvidence, groupsOf, type Suggested } from './groups.ts'
import {
  cikKey,
  type Known,
  type Mention,
  type NameCache,
  newCompany,
  push,
  shownName,
  tickerKey,
} from './known-companies.ts'
import { type Index, type LinkMethod, linkMethods, type Match, type Registry } from './registry.ts'

export type DecisionRow = Partial<RowOf<typeof linksDataset.columns>>

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
  registry: Registry
  decisions: readonly DecisionRow[]
  /** Evidence about groups; without it issuers are not assigned to groups. */
  evidence?: GroupEvidence
  /** Whether to suggest companies for issuers without a group. */
  suggest?: boolean
}): {
  links: Linked[]
  companies: Company[]
  /** By the issuer's company: the group that files for it. */
  groups: ReadonlyMap<string, Group>
  /** By the company of an issuer without a group: its candidates. */
  suggestions: ReadonlyMap<string, readonly Suggested[]>
} {
  const { known, names } = input.registry
  let { index } = input.registry
  const decisions = decisionsOf(input.decisions, names)
  const found: (Match | undefined)[] = input.mentions.map(mention => {
    const decided = decisions(mention)
    if (decided !== undefined) {
      if (decided === null) return { company: null, method: 'decision', candidates: [] }
      let company = index.byTicker.get(tickerKey(decided))
      if (!company) {
        // The registry serves other days too.
        if (index === input.registry.index) index = index.copy()
        company = index.add(newCompany({ ticker: decided }, mention))
      }
      return { company, method: 'decision', candidates: [] }
    }
    return index.match(mention)
  })
  const formerNames = learnFormerNames(input.mentions, found, index, names)
  const learnt = learnIds(input.mentions, found, index)

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
    leisOf: company => leisOf(company, learnt),
    registry: input.registry,
    named: name => index.match({ ticker: null, cik: null, lei: null, name })?.company ?? null,
    byLei: lei => index.byLei.get(lei) ?? null,
    byCik: cik => index.byCik.get(cikKey(cik)) ?? null,
    byTicker: ticker => index.byTicker.get(tickerKey(ticker)) ?? null,
    evidence: input.evidence,
    suggest: input.suggest ?? true,
  })
  for (const { head } of byIssuer.groups.values()) if (!reached.has(head)) reached.set(head, 'group')

  const ids = idsOf(
    [...new Set([...known.filter(company => company.isLoaded || reached.has(company)), ...reached.keys()])],
    learnt,
  )
  return {
    links: linked.map(({ company, match }) => ({
      company_id: company && ids.get(company)!,
      method: match.method,
      candidates: match.candidates.map(candidate => ids.get(candidate) ?? idOf(candidate, learnt)).sort(),
    })),
    companies: [...ids]
      .map(([company, id]) => {
        const made = companyOf(company, id, reached.get(company) ?? null, learnt)
        const former = [...(formerNames.get(company) ?? [])].filter(name => !made.former_names.includes(name))
        return former.length === 0 ? made : { ...made, former_names: [...made.former_names, ...former] }
      })
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
          name: company.values.name ?? shownName(company) ?? idOf(company, learnt),
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

/** Identifiers of companies for which no source but a mention has one; companies themselves serve other days too. */
interface Learnt {
  readonly leis: ReadonlyMap<Known, string>
  readonly tickers: ReadonlyMap<Known, string>
}

const leisOf = (company: Known, { leis }: Learnt): readonly string[] => {
  const lei = company.leis.length === 0 ? leis.get(company) : undefined
  return lei === undefined ? company.leis : [lei]
}

const tickersOf = (company: Known, { tickers }: Learnt): readonly string[] => {
  const ticker = company.tickers.length === 0 ? tickers.get(company) : undefined
  return ticker === undefined ? company.tickers : [ticker]
}

const learnIds = (mentions: readonly Mention[], found: (Match | undefined)[], index: Index): Learnt => ({
  leis: learnLeis(mentions, found, index),
  tickers: learnTickers(mentions, found, index),
})

/**
 * The ticker under which rows name a company that lists know without one, such as a filer that is listed no more: if no
 * other company has it, all rows with it lead there, and no row of the company has another.
 */
function learnTickers(
  mentions: readonly Mention[],
  found: readonly (Match | undefined)[],
  index: Index,
): ReadonlyMap<Known, string> {
  const companies = new Map<string, Set<Known | undefined>>()
  const tickers = new Map<Known, Set<string>>()
  for (const [i, match] of found.entries()) {
    const { ticker } = elementAt(mentions, i)
    if (!ticker || match?.method === 'decision' || index.byTicker.has(tickerKey(ticker))) continue
    const company = match?.company ?? undefined
    companies.set(ticker, (companies.get(ticker) ?? new Set()).add(company))
    if (company) tickers.set(company, (tickers.get(company) ?? new Set()).add(ticker))
  }
  const learnt = new Map<Known, string>()
  for (const [company, [ticker, ...others]] of tickers)
    if (ticker && others.length === 0 && company.tickers.length === 0 && companies.get(ticker)?.size === 1)
      learnt.set(company, ticker)
  return learnt
}

/**
 * Names under which filings give the ticker of a company before its present name: `SQUARE, INC.` and `BLOCK, INC.` both with SQ. If filings name
 * the company itself with the ticker too, and the other name is nobody's and comes with no other ticker, CIK or LEI, it is a former one, and
 * leads there. A ticker alone does not tell: tickers are reused.
 */
function learnFormerNames(
  mentions: readonly Mention[],
  found: (Match | undefined)[],
  index: Index,
  names: NameCache,
): ReadonlyMap<Known, readonly string[]> {
  const own = new Map<string, Known | null>()
  for (const [i, match] of found.entries()) {
    const { ticker, name, isInFilings } = elementAt(mentions, i)
    if (!ticker || !name || !isInFilings || !match?.company) continue
    const key = tickerKey(ticker)
    const listed = index.byTicker.get(key) ?? match.company
    const before = own.get(key) ?? match.company
    own.set(
      key,
      listed === match.company && before === match.company && own.get(key) !== null ? match.company : null,
    )
  }
  const owners = new Map<string, Known | null>()
  for (const [i, mention] of mentions.entries()) {
    if (mention.name === null || found[i]) continue
    const { ticker, cik, lei, isInFilings } = mention
    if (!ticker && !cik && !lei) continue
    const full = names.of(mention.name).full
    const owner = ticker && isInFilings && !cik && !lei ? (own.get(tickerKey(ticker)) ?? null) : null
    owners.set(full, !owners.has(full) || owners.get(full) === owner ? owner : null)
  }
  const learnt = new Map<Known, string[]>()
  for (const [i, { name }] of mentions.entries()) {
    const company = name === null || found[i] ? null : owners.get(names.of(name).full)
    if (!company || name === null) continue
    found[i] = { company, method: 'former_name', candidates: [] }
    const those = learnt.get(company) ?? []
    if (!those.some(each => names.of(each).full === names.of(name).full)) those.push(name)
    learnt.set(company, those)
  }
  return learnt
}

/** If all whole names with an LEI lead to one company, the LEI leads there too. */
function learnLeis(
  mentions: readonly Mention[],
  found: (Match | undefined)[],
  index: Index,
): ReadonlyMap<Known, string> {
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
  const leis = new Map<Known, string>()
  for (const [lei, company] of learnt)
    if (company && company.leis.length === 0 && !leis.has(company)) leis.set(company, lei)
  return leis
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

const idOf = (company: Known, learnt: Learnt): string =>
  tickersOf(company, learnt)[0] ??
  (company.ciks[0] ? `CIK${company.ciks[0]}` : null) ??
  leisOf(company, learnt)[0] ??
  `NAME:${issuerName(company.names[0] ?? '').full}`

/** One id per company; if two would be equal, the later one uses its next identifier or its name. */
function idsOf(companies: readonly Known[], learnt: Learnt): Map<Known, string> {
  const ids = new Map<Known, string>()
  const used = new Set<string>()
  for (const company of companies) {
    const choices = [
      ...tickersOf(company, learnt).slice(0, 1),
      ...company.ciks.map(cik => `CIK${cik}`),
      ...leisOf(company, learnt),
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

function companyOf(company: Known, company_id: string, method: LinkMethod | null, learnt: Learnt): Company {
  const { values, names } = company
  const tickers = tickersOf(company, learnt)
  const ticker = tickers[0] === company_id ? company_id : null
  const written = values.name ?? withoutSecurityMarks(shownName(company) ?? names[0] ?? '')
  const name = (written || withoutName(company_id)).replace(/ \(Class [A-Z]\)$/i, '')
  return {
    company_id,
    ticker,
    name,
    cik: values.cik ?? company.ciks[0] ?? null,
    lei: values.lei ?? leisOf(company, learnt)[0] ?? null,
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
