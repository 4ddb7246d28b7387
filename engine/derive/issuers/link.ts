import { type IssuerName, issuerName, namesAgree } from '../../names/issuer-name.ts'
import type { RowOf } from '../../schema/column.ts'
import type { companies as companiesDataset } from '../../schema/datasets/companies.ts'
import type { directory as directoryDataset } from '../../schema/datasets/directory.ts'
import type { links as linksDataset } from '../../schema/datasets/links.ts'

export type CompanyRow = Partial<RowOf<typeof companiesDataset.columns>> & { readonly name: string }
export type DirectoryRow = Partial<RowOf<typeof directoryDataset.columns>> & {
  readonly registry: string
  readonly name: string
  readonly position: number
}
export type DecisionRow = Partial<RowOf<typeof linksDataset.columns>>

/** How some dataset says which company a row is about. */
export interface Mention {
  readonly ticker: string | null
  readonly cik: string | null
  readonly lei: string | null
  readonly name: string | null
}

export const linkMethods = [
  'decision',
  'cik',
  'lei',
  'ticker',
  'name',
  'former_name',
  'prefix',
  'own',
] as const
export type LinkMethod = (typeof linkMethods)[number]

export interface Linked {
  readonly company_id: string
  readonly method: LinkMethod
  /** Company ids between which nothing decided; the mention then keeps a company of its own. */
  readonly candidates: readonly string[]
}

export interface Company {
  readonly company_id: string
  readonly ticker: string | null
  readonly name: string
  readonly cik: string | null
  readonly lei: string | null
  readonly sector: string | null
  readonly industry: string | null
  readonly sic: string | null
  readonly country: string | null
  readonly fiscal_year_end: string | null
  readonly coverage: 'standard' | 'extended'
  /** Other tickers, and other spellings of them. */
  readonly aliases: readonly string[]
  readonly former_names: readonly string[]
  /** `companies` where it was loaded as a company, else the best way in which something reached it. */
  readonly linked_by: 'companies' | LinkMethod
}

/**
 * Which company each mention belongs to. In order: the user's decision, CIK, LEI, ticker (where the names agree or
 * there is no name), exact name, former name, a name cut off that only one company's name goes on from. Whatever is
 * left, or could be several, keeps a company of its own. Rows come oldest first; a later value replaces an earlier one.
 */
export function linkIssuers(input: {
  mentions: readonly Mention[]
  companies: readonly CompanyRow[]
  directory: readonly DirectoryRow[]
  decisions: readonly DecisionRow[]
}): { links: Linked[]; companies: Company[] } {
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
  // Mentions that say most about themselves come first, so that others with the same name can join them.
  const order = [...input.mentions.keys()].sort(
    (a, b) => strength(input.mentions[b]!) - strength(input.mentions[a]!) || compare(input.mentions, a, b),
  )
  const reached = new Map<Known, LinkMethod>()
  const linked: { company: Known; match: Match }[] = []
  for (const i of order) {
    const match: Match = found[i] ?? index.cutName(input.mentions[i]!)
    const company = match.company ?? owns.of(input.mentions[i]!, match.method === 'decision')
    const method = match.company || match.method === 'decision' ? match.method : 'own'
    linked[i] = { company, match: { ...match, method } }
    const best = reached.get(company)
    if (!best || linkMethods.indexOf(method) < linkMethods.indexOf(best)) reached.set(company, method)
  }

  const ids = idsOf([
    ...new Set([...known.filter(company => company.isLoaded || reached.has(company)), ...reached.keys()]),
  ])
  return {
    links: linked.map(({ company, match }) => ({
      company_id: ids.get(company)!,
      method: match.method,
      candidates: match.candidates.map(candidate => ids.get(candidate) ?? idOf(candidate)).sort(),
    })),
    companies: [...ids]
      .map(([company, id]) => companyOf(company, id, reached.get(company) ?? null))
      .sort((a, b) => (a.company_id < b.company_id ? -1 : 1)),
  }
}

/** A company as rows of several sources tell of it. */
interface Known {
  tickers: string[]
  ciks: string[]
  leis: string[]
  names: string[]
  formerNames: string[]
  values: Partial<CompanyRow>
  isLoaded: boolean
}

interface Match {
  /** Null where a company of its own must be made. */
  readonly company: Known | null
  readonly method: LinkMethod
  readonly candidates: readonly Known[]
}

/** Share classes are written `BRK.B`, `BRK-B` and `BRK/B`. */
const tickerKey = (ticker: string): string => ticker.trim().toUpperCase().replace(/[./]/g, '-')
const cikKey = (cik: string): string => cik.padStart(10, '0')

class NameCache {
  private readonly cache = new Map<string, IssuerName>()

  of(name: string): IssuerName {
    const cached = this.cache.get(name)
    if (cached) return cached
    const made = issuerName(name)
    this.cache.set(name, made)
    return made
  }
}

function push(list: string[], value: string | null | undefined): void {
  if (value && !list.includes(value)) list.push(value)
}

const newCompany = (ids: Partial<Mention>, { name, lei }: Mention): Known => ({
  tickers: ids.ticker ? [ids.ticker] : [],
  ciks: ids.cik ? [cikKey(ids.cik)] : [],
  leis: lei ? [lei] : [],
  names: name ? [name] : [],
  formerNames: [],
  values: {},
  isLoaded: false,
})

/**
 * Rows of one company brought together by CIK, LEI, or ticker where the names agree: XOM and BLK have had several
 * CIKs, GOOG and GOOGL share one. Companies come before the directory, whose order says which ticker is canonical.
 */
function knownCompanies(
  rows: readonly CompanyRow[],
  directory: readonly DirectoryRow[],
  names: NameCache,
): Known[] {
  const found: Known[] = []
  const byCik = new Map<string, Known>()
  const byLei = new Map<string, Known>()
  const byTicker = new Map<string, Known>()
  const merge = (
    ids: { cik?: string | null; lei?: string | null; ticker?: string | null },
    name: string,
    isLoaded = false,
  ): Known => {
    const cik = ids.cik ? cikKey(ids.cik) : null
    const key = ids.ticker ? tickerKey(ids.ticker) : null
    const namesake = key === null ? undefined : byTicker.get(key)
    // Of companies that were loaded, a ticker says which, whatever it was called before.
    const isSame =
      namesake &&
      ((isLoaded && (cik === null || namesake.ciks.length === 0)) ||
        namesake.names.some(other => namesAgree(names.of(other), names.of(name))))
    const company =
      (cik === null ? undefined : byCik.get(cik)) ??
      (ids.lei ? byLei.get(ids.lei) : undefined) ??
      (isSame ? namesake : undefined) ??
      newCompany({}, { ticker: null, cik: null, lei: null, name: null })
    if (company.names.length === 0) found.push(company)
    push(company.names, name)
    push(company.ciks, cik)
    push(company.leis, ids.lei)
    if (cik !== null && !byCik.has(cik)) byCik.set(cik, company)
    if (ids.lei && !byLei.has(ids.lei)) byLei.set(ids.lei, company)
    if (key !== null && !byTicker.has(key)) byTicker.set(key, company)
    return company
  }

  const places = new Map<string, number>()
  for (const row of directory) if (row.ticker) places.set(tickerKey(row.ticker), row.position)
  const place = (ticker: string) => places.get(tickerKey(ticker)) ?? Number.MAX_SAFE_INTEGER
  const rowsOf = new Map<Known, CompanyRow[]>()
  for (const row of rows) {
    const company = merge(row, row.name, true)
    company.isLoaded = true
    rowsOf.set(company, [...(rowsOf.get(company) ?? []), row])
    push(company.tickers, row.ticker)
    for (const former of row.former_names ?? []) push(company.formerNames, former)
  }
  for (const [company, rows] of rowsOf) {
    company.tickers.sort((a, b) => place(a) - place(b) || a.length - b.length || (a < b ? -1 : 1))
    for (const row of rows) for (const alias of row.aliases ?? []) push(company.tickers, alias)
    // What the row of the canonical ticker says comes before what rows of other share classes say.
    const isCanonical = (row: CompanyRow) => Number(row.ticker === company.tickers[0])
    for (const row of [...rows].sort((a, b) => isCanonical(a) - isCanonical(b)))
      company.values = {
        ...company.values,
        ...Object.fromEntries(Object.entries(row).filter(([, v]) => v !== null)),
      }
  }

  const inOrder = [...directory].sort((a, b) => a.position - b.position)
  for (const row of inOrder) {
    const company = merge(row, row.name)
    if (row.ticker && !company.tickers.some(ticker => tickerKey(ticker) === tickerKey(row.ticker!)))
      company.tickers.push(row.ticker)
    for (const other of row.other_names ?? []) push(company.formerNames, other)
    if (row.jurisdiction && !company.values.country)
      company.values = { ...company.values, country: row.jurisdiction.slice(0, 2) }
  }
  return found
}

class Index {
  readonly byTicker = new Map<string, Known>()
  readonly byCik = new Map<string, Known>()
  readonly byLei = new Map<string, Known>()
  private readonly byBase = new Map<string, Set<Known>>()
  private readonly byFormer = new Map<string, Set<Known>>()
  /** Whole names without blanks, sorted, with their companies: what a cut name may go on to. */
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

  /** By identifiers and whole names; undefined where only a cut name or a company of its own is left. */
  match(mention: Mention): Match | undefined {
    const byCik = mention.cik ? this.byCik.get(cikKey(mention.cik)) : undefined
    if (byCik) return { company: byCik, method: 'cik', candidates: [] }
    const byLei = mention.lei ? this.byLei.get(mention.lei) : undefined
    // A company that only the LEI registry knows may be one that the SEC knows by the same name.
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
          // A filer whose CIK is not known may be one under an earlier CIK, by its very name.
          company => !mention.cik || this.isCalled(company, name),
        )
        if (all.length === 1)
          return { company: all[0]!, method: byLei && name !== mention.name ? 'lei' : method, candidates: [] }
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

  /** Companies of that name whose legal form does not contradict; those with the very same form first. */
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
    // The LEI registry lists a company that the SEC lists too: the one with a ticker or CIK is meant.
    const listed = (whole.length > 1 ? whole : fitting).filter(
      company => company.tickers.length + company.ciks.length > 0,
    )
    return listed.length === 1 ? listed : whole.length > 1 ? whole : fitting
  }

  /** Whether a company of the same base can be meant, by the legal forms that it and the name have. */
  private fits(name: IssuerName, company: Known, isFormer: boolean): boolean {
    const all = (isFormer ? company.formerNames : company.names).map(other => this.names.of(other))
    const forms = all.filter(other => other.base === name.base).flatMap(other => other.form ?? [])
    if (name.form === null || forms.includes(name.form)) return true
    // Known without a legal form: `Leidos` for Leidos Holdings is not Leidos, Inc., nor `CubeSmart` CubeSmart, L.P.
    return (
      forms.length === 0 &&
      !APART.has(name.form) &&
      !all.some(other =>
        /^(HOLDING|GROUP)/.test(other.base.startsWith(name.base) ? other.base.slice(name.base.length) : ''),
      )
    )
  }

  /** The one company whose name goes on from a name that was cut off. */
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
      if (fitting.length === 1) return { company: fitting[0]!, method: 'prefix', candidates: [] }
    }
    const going = new Set<Known>()
    let at = this.firstFrom(cut.squashed)
    for (; this.sorted[at]?.text.startsWith(cut.squashed) && going.size < MOST_CANDIDATES; at++)
      going.add(this.sorted[at]!.company)
    if (going.size === 1) return { company: [...going][0]!, method: 'prefix', candidates: [] }
    return { ...none, candidates: [...going] }
  }

  private firstFrom(text: string): number {
    let [low, high] = [0, this.sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.sorted[middle]!.text < text) low = middle + 1
      else high = middle
    }
    return low
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

/** An LEI whose holders with whole names all lead to one company leads there itself. */
function learnLeis(mentions: readonly Mention[], found: (Match | undefined)[], index: Index): void {
  const learnt = new Map<string, Known | null>()
  for (const [i, match] of found.entries()) {
    const lei = mentions[i]!.lei
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

/** Companies made for mentions that no known company answers to. */
class Owns {
  private readonly byKey = new Map<string, Known>()
  private readonly byName = new Map<string, Known>()
  private readonly index: Index
  private readonly names: NameCache

  constructor(index: Index, names: NameCache) {
    this.index = index
    this.names = names
  }

  /** `isApart` where the user undid a link: a ticker in the mention is then not believed. */
  of(mention: Mention, isApart: boolean): Known {
    const name = mention.name === null ? null : this.names.of(mention.name)
    const ticker = mention.ticker && !isApart && !this.isTaken(mention.ticker, name) ? mention.ticker : null
    const keys = [
      mention.cik && !isApart ? `cik:${cikKey(mention.cik)}` : null,
      mention.lei ? `lei:${mention.lei}` : null,
      ticker ? `ticker:${tickerKey(ticker)}` : null,
    ].filter(key => key !== null)
    let company = keys.map(key => this.byKey.get(key)).find(company => company !== undefined)
    // A name joins a company with identifiers only when it brings none that could contradict.
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

  /** Tickers are given out again: one that stands for another company is not this one's. */
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
    const { ticker, cik, lei, name } = mentions[i]!
    return [cik, lei, ticker, name].join('\u0000')
  }
  const [one, other] = [text(a), text(b)]
  return one < other ? -1 : one > other ? 1 : a - b
}

/** The decision on a mention: a ticker, null to keep it apart, undefined where there is none. The last one holds. */
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

/** An id a company; where two would have one, the later keeps apart by its next identifier or its name. */
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

function companyOf(company: Known, company_id: string, method: LinkMethod | null): Company {
  const { values, tickers, names } = company
  const ticker = tickers[0] === company_id ? company_id : null
  const name = (values.name ?? names[0] ?? company_id).replace(/ \(Class [A-Z]\)$/i, '')
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
