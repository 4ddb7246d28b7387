import { elementAt, firstOf } from '../../base/elements.ts'
import { append } from '../../base/lists.ts'
import { partitionPoint } from '../../base/partition-point.ts'
import type { IssuerName } from '../../names/issuer-name.ts'
import { namesAgree } from '../../names/issuer-name.ts'
import {
  type CompanyRow,
  cikKey,
  type DirectoryRow,
  type Known,
  knownCompanies,
  type Mention,
  NameCache,
  tickerKey,
} from './known-companies.ts'

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

/**
 * The companies that lists declare, and how they are found by identifiers and names. Linking does not change it, so that
 * days with the same lists share one.
 */
export class Registry {
  readonly names = new NameCache()
  readonly known: readonly Known[]
  readonly index: Index

  constructor(companies: readonly CompanyRow[], directory: readonly DirectoryRow[]) {
    this.known = knownCompanies(companies, directory, this.names)
    this.index = new Index(this.known, this.names)
  }
}

export interface Match {
  /** Null if the mention needs a company of its own. */
  readonly company: Known | null
  readonly method: LinkMethod
  readonly candidates: readonly Known[]
}

export class Index {
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

  /** An index that can be added to. */
  copy(): Index {
    const made = new Index([], this.names)
    for (const ids of ['byTicker', 'byCik', 'byLei'] as const)
      for (const [id, company] of this[ids]) made[ids].set(id, company)
    for (const names of ['byBase', 'byFormer'] as const)
      for (const [name, companies] of this[names]) made[names].set(name, new Set(companies))
    append(made.sorted, this.sorted)
    return made
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
