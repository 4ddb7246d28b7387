import { firstOf } from '../../base/elements.ts'
import { type IssuerName, issuerName, namesAgree } from '../../names/issuer-name.ts'
import { registrantName } from '../../names/registrant-name.ts'
import type { RowOf } from '../../schema/column.ts'
import type { companies as companiesDataset } from '../../schema/datasets/companies.ts'
import type { directory as directoryDataset } from '../../schema/datasets/directory.ts'

export type CompanyRow = Partial<RowOf<typeof companiesDataset.columns>> & { readonly name: string }
export type DirectoryRow = Partial<RowOf<typeof directoryDataset.columns>> & {
  readonly registry: string
  readonly name: string
  readonly position: number
  /** Lists of the filers of one quarter that have the CIK. */
  readonly quarters?: readonly string[] | null
}

/** How a dataset row names its company. */
export interface Mention {
  readonly ticker: string | null
  readonly cik: string | null
  readonly lei: string | null
  readonly name: string | null
  /** Only documents say so: the name was read off a page. */
  readonly isRead?: boolean
  /** Filings name it so, whatever else does. */
  readonly isInFilings?: boolean
}

/** A company, merged from the rows of several sources. */
export interface Known {
  tickers: string[]
  ciks: string[]
  leis: string[]
  names: string[]
  formerNames: string[]
  values: Partial<CompanyRow>
  isLoaded: boolean
  /** Where it is incorporated, as registries write it: `US-DE`. */
  place: string | null
  /** Lists of the filers of one quarter that have it. */
  quarters: string[]
  /** Position in the list of tickers. */
  position: number
  /** The user keeps it apart from every other company. */
  isApart: boolean
}

/** Share classes are written `BRK.B`, `BRK-B` and `BRK/B`. */
export const tickerKey = (ticker: string): string => ticker.trim().toUpperCase().replace(/[./]/g, '-')
export const cikKey = (cik: string): string => cik.padStart(10, '0')

export class NameCache {
  private readonly cache = new Map<string, IssuerName>()

  of(name: string): IssuerName {
    const cached = this.cache.get(name)
    if (cached) return cached
    const made = issuerName(name)
    this.cache.set(name, made)
    return made
  }
}

export function push(list: string[], value: string | null | undefined): void {
  if (value && !list.includes(value)) list.push(value)
}

export const newCompany = (ids: Partial<Mention>, { name, lei }: Mention): Known => ({
  tickers: ids.ticker ? [ids.ticker] : [],
  ciks: ids.cik ? [cikKey(ids.cik)] : [],
  leis: lei ? [lei] : [],
  names: name ? [name] : [],
  formerNames: [],
  values: {},
  isLoaded: false,
  place: null,
  quarters: [],
  position: Number.MAX_SAFE_INTEGER,
  isApart: false,
})

/**
 * Rows of one company merged by CIK, LEI, or ticker where the names agree: XOM and BLK have had several CIKs, GOOG
 * and GOOGL share one. Companies come before the directory, whose order determines the canonical ticker.
 */
export function knownCompanies(
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
    // A loaded company is identified by its ticker, whatever its earlier names.
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

  const inOrder = [...directory].sort((a, b) => rankOf(a) - rankOf(b) || a.position - b.position)
  const places = new Map<string, number>()
  for (const row of [...inOrder].reverse())
    if (row.ticker) places.set(tickerKey(row.ticker), row.position + rankOf(row) * 1e7)
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
    // The row of the canonical ticker takes precedence over rows of other share classes.
    const isCanonical = (row: CompanyRow) => Number(row.ticker === company.tickers[0])
    for (const row of [...rows].sort((a, b) => isCanonical(a) - isCanonical(b)))
      company.values = {
        ...company.values,
        ...Object.fromEntries(Object.entries(row).filter(([, v]) => v !== null)),
      }
  }

  for (const row of inOrder) {
    const company = merge(row, row.name)
    if (row.ticker) company.position = Math.min(company.position, row.position)
    company.place ??= row.registry === 'gleif' ? null : (row.jurisdiction ?? null)
    if (row.sic && !company.values.sic) company.values = { ...company.values, sic: row.sic }
    if (row.industry && !company.values.industry)
      company.values = { ...company.values, industry: row.industry }
    if (row.ticker && !company.tickers.some(ticker => tickerKey(ticker) === tickerKey(row.ticker!)))
      company.tickers.push(row.ticker)
    for (const other of row.other_names ?? []) push(company.formerNames, other)
    for (const quarter of row.quarters ?? []) push(company.quarters, quarter)
    if (row.jurisdiction && !company.values.country)
      company.values = { ...company.values, country: row.jurisdiction.slice(0, 2) }
  }
  return mergeRegistrants(found, names)
}

/**
 * The list of tickers comes first: its names and tickers are current, while statement data sets use the names of
 * their time.
 */
const rankOf = ({ registry }: DirectoryRow): number =>
  ['sec', 'sec_listed', 'sec_filers', 'gleif'].indexOf(registry) + 1 || 5

/**
 * A registrant that returned under a new CIK: the same whole name, legal form included, in the same place, and only
 * one of them with a ticker. That one is kept, with the CIKs of the others, but for those that filed in one quarter with
 * it: they are other companies, as Merck was beside Schering-Plough, whose CIK took the name.
 */
function mergeRegistrants(found: readonly Known[], names: NameCache): Known[] {
  const named = new Map<string, Known[]>()
  for (const company of found) {
    if (company.place === null || company.ciks.length === 0) continue
    for (const full of new Set(company.names.map(name => names.of(name).full))) {
      const key = `${full}|${company.place}`
      named.set(key, [...(named.get(key) ?? []), company])
    }
  }
  const merged = new Map<Known, Known>()
  for (const those of named.values()) {
    const all = [...new Set(those.map(company => merged.get(company) ?? company))]
    const live = all.filter(company => company.tickers.length > 0 || company.isLoaded)
    if (all.length < 2 || live.length !== 1) continue
    for (const company of all)
      if (
        company !== live[0] &&
        !company.quarters.some(quarter => firstOf(live).quarters.includes(quarter))
      ) {
        for (const list of ['ciks', 'leis', 'names', 'formerNames'] as const)
          for (const value of company[list]) push(firstOf(live)[list], value)
        firstOf(live).values = { ...company.values, ...firstOf(live).values }
        merged.set(company, firstOf(live))
      }
  }
  return found.filter(company => !merged.has(company))
}

/** The name under which a company is shown: the first valid one. */
export const shownName = (company: Known): string | null =>
  company.names.map(name => registrantName(name)).find(name => name !== null) ?? null
