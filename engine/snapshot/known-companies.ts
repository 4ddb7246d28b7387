import { distance } from 'fastest-levenshtein'
import { QueryError } from '../base/errors.ts'
import { companySearch, type FindByName } from '../names/company-search.ts'
import { nearest } from '../names/nearest.ts'
import { isCalled } from '../names/nicknames.ts'
import type { Context } from '../operations/operation.ts'
import type { KnownCompany } from '../operations/resolve/bond-index.ts'

/** The ids of companies, and the names that are none's. */
export interface FoundCompanies {
  readonly ids: string[]
  readonly unknown: string[]
}

/** Companies known on a day, found by ticker, alias, id, CIK or LEI in any case; what is a ticker is read as that. */
export class KnownCompanies {
  private readonly byName = new Map<string, KnownCompany>()
  private readonly byIdentifier = new Map<string, KnownCompany>()
  private search: Promise<FindByName> | null = null

  /** @param companies in the order of their ids */
  constructor(companies: readonly KnownCompany[]) {
    for (const company of companies)
      for (const alias of company.aliases ?? []) this.byName.set(alias.toUpperCase(), company)
    for (const company of companies) {
      this.byName.set(company.company_id.toUpperCase(), company)
      if (company.ticker) this.byName.set(company.ticker.toUpperCase(), company)
      for (const identifier of [company.cik, company.lei]) {
        if (identifier === null) continue
        const before = this.byIdentifier.get(identifier)
        if (!before || (!before.ticker && company.ticker)) this.byIdentifier.set(identifier, company)
      }
    }
  }

  private named(name: string): KnownCompany | undefined {
    const written = name.toUpperCase()
    return this.byName.get(written) ?? this.byIdentifier.get(cikIn(written) ?? written)
  }

  /** Throws TIER_RESTRICTED for a company that the coverage does not include. */
  find(named: readonly string[], coverage: Context['coverage']): FoundCompanies {
    const ids = new Set<string>()
    const unknown: string[] = []
    for (const name of named) {
      const company = this.named(name)
      if (company === undefined) unknown.push(name)
      else if (isSeen(company, coverage)) ids.add(company.company_id)
      else
        throw new QueryError(
          'TIER_RESTRICTED',
          `${name} is in extended coverage, which needs the business tier`,
          { required_tier: 'business', alternative: null },
        )
    }
    return { ids: [...ids], unknown }
  }

  /** The ticker that was probably meant: of the company that people call so, else one letter off, else that of the company so named, else the nearest. */
  async meant(written: string, coverage: Context['coverage']): Promise<string | null> {
    // The nearest number is another company's.
    if (cikIn(written.toUpperCase()) !== null) return null
    const called = [...this.byName.values()].find(
      company => isListed(company) && isSeen(company, coverage) && isCalled(company, written),
    )
    if (called) return called.ticker
    const near = nearest(
      written,
      [...this.byName].filter(([, company]) => isSeen(company, coverage)).map(([name]) => name),
    )
    if (near !== undefined && distance(written.toUpperCase(), near) <= 1) return near
    this.search ??= companySearch([...new Set(this.byName.values())].filter(isListed))
    const named = (await this.search)(written, FEW).find(({ ticker }) =>
      isSeen(this.byName.get(ticker.toUpperCase())!, coverage),
    )
    return named?.ticker ?? near ?? null
  }
}

/** A CIK with its zeros, from `320193`, `0000320193` or `CIK0000320193`. */
const cikIn = (written: string): string | null =>
  /^(?:CIK)?([0-9]{1,10})$/.exec(written)?.[1]?.padStart(10, '0') ?? null

/** Companies with matching names to check for one the caller may see. */
const FEW = 20

const isSeen = ({ coverage: of }: KnownCompany, coverage: Context['coverage']): boolean =>
  coverage === 'all' || of !== 'extended'

const isListed = (company: KnownCompany): company is KnownCompany & { ticker: string } =>
  company.ticker !== null
