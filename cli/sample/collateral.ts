import { memberOf } from '../../engine/base/elements.ts'
import { formatDay, parseDay, toDay } from '../../engine/credit/calendar.ts'
import type { collateral } from '../../engine/schema/datasets/collateral.ts'
import { FORMER_TERM, reasonOfEnd } from './covenants.ts'
import type { Instrument } from './instrument.ts'
import type { Issuer } from './issuers.ts'
import type { Random } from './random.ts'
import type { Row } from './tables.ts'

type Collateral = Row<typeof collateral>
type Asset = NonNullable<Collateral['type']>

const bySector: Record<string, readonly Asset[]> = {
  Technology: ['ip', 'receivables', 'cash'],
  Energy: ['energy_assets', 'equipment', 'receivables'],
  'Communication Services': ['equipment', 'ip', 'receivables', 'securities'],
  'Consumer Discretionary': ['real_estate', 'inventory', 'ip', 'vehicles'],
  'Consumer Staples': ['inventory', 'receivables', 'real_estate'],
  'Health Care': ['receivables', 'real_estate', 'ip'],
  Industrials: ['equipment', 'vehicles', 'inventory', 'receivables'],
  Materials: ['equipment', 'inventory', 'real_estate'],
  'Real Estate': ['real_estate', 'cash', 'securities'],
  Utilities: ['energy_assets', 'real_estate'],
  Financials: ['securities', 'cash'],
}

const words: Record<Asset, { what: string; assets: readonly string[] }> = {
  real_estate: {
    what: 'mortgages on owned land and buildings',
    assets: ['headquarters campus', 'distribution center', 'production site', 'leased warehouses'],
  },
  equipment: {
    what: 'security interests in machinery and equipment',
    assets: ['production lines', 'drilling rigs', 'network equipment', 'cranes and lifts'],
  },
  receivables: {
    what: 'trade receivables and the accounts they are paid to',
    assets: ['trade receivables', 'collection accounts', 'credit insurance claims'],
  },
  inventory: {
    what: 'raw materials, work in progress and finished goods',
    assets: ['finished goods', 'raw materials', 'spare parts'],
  },
  securities: {
    what: 'pledged shares of subsidiaries and investment securities',
    assets: [
      'shares of domestic subsidiaries',
      '65% of the shares of foreign subsidiaries',
      'investment securities',
    ],
  },
  vehicles: {
    what: 'certificates of title to trucks, cars and aircraft',
    assets: ['truck fleet', 'rental cars', 'trailers'],
  },
  ip: {
    what: 'patents, trademarks and copyrights',
    assets: ['registered trademarks', 'patents', 'software copyrights'],
  },
  cash: {
    what: 'blocked accounts and cash collateral',
    assets: ['debt service reserve account', 'blocked deposit accounts'],
  },
  energy_assets: {
    what: 'mortgages on reserves, pipelines and plants',
    assets: ['proved reserves', 'gathering pipelines', 'generating plants'],
  },
  general_lien: {
    what: 'substantially all assets of the borrower and the guarantors',
    assets: ['all assets of the loan parties'],
  },
}

export function collateralRows(
  issuer: Issuer,
  instruments: readonly Instrument[],
  random: Random,
): Collateral[] {
  const out: Collateral[] = []
  for (const i of instruments) {
    if (i.seniority !== 'senior_secured' || i.retired !== null) continue
    const isLoan = i.row.bond_id !== null
    const kinds: Asset[] = [
      ...(isLoan && random.chance(0.7) ? ['general_lien' as const] : []),
      ...random.shuffled(memberOf(bySector, issuer.industry.sector)).slice(0, random.whole(1, 2)),
    ]
    for (const type of kinds) {
      const hasValuation = random.chance(0.45)
      const valued = toDay(random.whole(2022, 2024), random.pick([3, 6, 9, 12]), 30)
      const day = Math.max(valued, i.issued)
      const { what, assets } = words[type]
      out.push({
        id: `${issuer.ticker}-col-${String(out.length + 1).padStart(2, '0')}`,
        bond_id: i.row.bond_id ?? null,
        cusip: i.row.cusip ?? null,
        isin: i.row.isin ?? null,
        ticker: issuer.ticker,
        cik: issuer.cik,
        company_name: issuer.name,
        type,
        description: `${i.row.security_type === 'second_lien' ? 'Second' : 'First'} priority ${what} of ${i.entity.name}`,
        assets: random.shuffled(assets).slice(0, random.whole(1, assets.length)),
        priority: i.row.security_type === 'second_lien' ? 'second_lien' : 'first_lien',
        estimated_value: hasValuation
          ? Math.round((Math.max(i.amount, 1e9) * random.between(0.7, 2.2)) / 1e8) * 1e8
          : null,
        valuation_date: hasValuation ? formatDay(day) : null,
        valuation_source: hasValuation
          ? random.pick(['appraisal', 'borrowing base certificate', 'book value', 'reserve report'])
          : null,
        jurisdiction: i.entity.jurisdiction,
        source_document_date: formatDay(i.issued),
        known_from: formatDay(hasValuation ? day : i.issued),
      })
    }
  }
  return out
}

/** What secured the loan before a present one, which ended with it. */
export function formerCollateral(present: readonly Collateral[]): Collateral[] {
  const liens = present.filter(({ type, bond_id }) => type === 'general_lien' && bond_id !== null)
  return liens.map((lien, i) => {
    const replaced = lien.source_document_date!
    const agreed = formatDay(parseDay(replaced) - FORMER_TERM)
    return {
      ...lien,
      id: `${lien.ticker}-col-former-${String(i + 1).padStart(2, '0')}`,
      bond_id: null,
      cusip: null,
      isin: null,
      instrument_name: 'Credit Agreement',
      agreement_date: agreed,
      ended_on: replaced,
      ended_because: reasonOfEnd(lien.ticker!, i),
      estimated_value: null,
      valuation_date: null,
      valuation_source: null,
      source_document_date: agreed,
      known_from: agreed,
      description: `Under the credit agreement before the present one: ${lien.description}`,
    }
  })
}
