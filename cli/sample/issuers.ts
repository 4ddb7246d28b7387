import { elementAt } from '../../engine/base/elements.ts'
import { cikOf, cusipIssuer, leiOf } from './identifiers.ts'
import { type Industry, industries, legalForms, shortName, stems, tickerOf } from './names.ts'
import type { Random } from './random.ts'

/** Number of issuers in the sample. */
export const coverage = {
  companies: 253,
  extended: 42,
  spreadCompanies: 111,
  ratings: 607,
  spreadCells: 53_000,
} as const

/** An issuer's financing. */
export type Shape = 'investment_grade' | 'leveraged' | 'loans' | 'utility' | 'financial'

export const peculiarities = {
  /** Defaults within the sample's period. */
  defaulted: 1,
  negative_ebitda: 5,
  /** Does not report depreciation and amortization. */
  no_depreciation: 9,
  /** Recently listed: too few quarters for a trailing year. */
  few_quarters: 5,
  restated: 18,
  /** Reports only year-to-date cash flows. */
  cash_flow_to_date: 14,
  missing_items: 10,
  euro_reporter: 1,
  euro_notes: 7,
  /** Its senior notes have only estimated prices. */
  estimated_prices: 6,
  zero_coupon: 3,
  convertible: 8,
  alias: 2,
  former_name: 14,
} as const
export type Peculiarity = keyof typeof peculiarities

export interface Issuer {
  readonly n: number
  readonly ticker: string
  readonly name: string
  /** The name without its legal form. */
  readonly short: string
  /** The first word of the name. */
  readonly stem: string
  readonly cik: string
  readonly lei: string
  /** First six characters of its CUSIPs. */
  readonly cusip6: string
  readonly industry: Industry
  readonly shape: Shape
  /** Its rank on the rating scale in mid-2025, 1 (AAA) to 19 (CCC-). */
  readonly rank: number
  /** All its ratings are eventually withdrawn. */
  readonly withdrawn: boolean
  readonly coverage: 'standard' | 'extended'
  /** Has senior unsecured bonds that trade. */
  readonly hasSpreads: boolean
  /** Target debt, dollars. */
  readonly debt: number
  /** Last month of the fiscal year. */
  readonly yearEnd: number
  readonly formerName: string | null
  readonly alias: string | null
  readonly is: (peculiarity: Peculiarity) => boolean
}

const repeat = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

/** Issuers by rating and by whether they have spreads; the counts add up to the total. */
const grades = [
  { ranks: [2, 10], withSpreads: 62, without: 39, withdrawn: 0 },
  { ranks: [11, 13], withSpreads: 27, without: 40, withdrawn: 3 },
  { ranks: [14, 16], withSpreads: 17, without: 46, withdrawn: 6 },
  { ranks: [17, 19], withSpreads: 5, without: 17, withdrawn: 3 },
] as const

/** Issuers eligible for a peculiarity. */
const may: Partial<Record<Peculiarity, (issuer: Draft) => boolean>> = {
  defaulted: i => i.hasSpreads && i.rank >= 17,
  negative_ebitda: i => i.rank >= 15 && i.shape === 'leveraged' && !i.hasSpreads,
  no_depreciation: i => i.shape !== 'financial',
  few_quarters: i => !i.hasSpreads && i.shape === 'leveraged',
  restated: i => i.shape !== 'financial',
  euro_reporter: i => i.shape === 'investment_grade' && !i.hasSpreads,
  euro_notes: i => i.shape === 'investment_grade' && i.hasSpreads,
  estimated_prices: i => i.shape === 'investment_grade' && !i.hasSpreads,
  zero_coupon: i => i.shape === 'investment_grade' && i.hasSpreads,
  convertible: i => i.shape === 'investment_grade' || i.shape === 'leveraged',
}

type Draft = Pick<Issuer, 'n' | 'rank' | 'hasSpreads' | 'shape' | 'withdrawn' | 'industry'>

function draft(n: number, rank: number, hasSpreads: boolean, withdrawn: boolean, random: Random): Draft {
  const isHigh = rank <= 10
  const rated = industries.filter(i => isHigh || (i.sector !== 'Utilities' && i.sector !== 'Financials'))
  const fits = isHigh ? [...rated, ...industries.filter(i => i.sector === 'Financials')] : rated
  const industry = elementAt(fits, (n * 7 + random.whole(0, 3)) % fits.length)
  const shape: Shape =
    industry.sector === 'Financials'
      ? 'financial'
      : industry.sector === 'Utilities'
        ? 'utility'
        : isHigh
          ? 'investment_grade'
          : !hasSpreads && random.chance(0.12)
            ? 'loans'
            : 'leveraged'
  return { n, rank, hasSpreads, withdrawn, industry, shape }
}

/** The issuers of the sample, all fictional. */
export function makeIssuers(random: Random): Issuer[] {
  const kinds = grades.flatMap(({ ranks: [low, high], withSpreads, without, withdrawn }) => [
    ...repeat(withSpreads, i => ({ rank: low + (i % (high - low + 1)), hasSpreads: true, withdrawn: false })),
    ...repeat(without, i => ({
      rank: low + (i % (high - low + 1)),
      hasSpreads: false,
      withdrawn: i < withdrawn,
    })),
  ])
  const order = random.fork('order').shuffled(kinds)
  const drafts = order.map((k, n) =>
    draft(n, k.rank, k.hasSpreads, k.withdrawn, random.fork(`industry ${n}`)),
  )

  const chosen = new Map<Peculiarity, Set<number>>()
  for (const [name, count] of Object.entries(peculiarities) as [Peculiarity, number][]) {
    const fits = drafts
      .filter(may[name] ?? (() => true))
      .filter(i => name === 'defaulted' || !chosen.get('defaulted')!.has(i.n))
    chosen.set(
      name,
      new Set(
        random
          .fork(name)
          .shuffled(fits)
          .slice(0, count)
          .map(i => i.n),
      ),
    )
  }

  const words = stems(random.fork('stems'))
  const taken = new Set<string>()
  return drafts.map(d => {
    const r = random.fork(`issuer ${d.n}`)
    const stem = elementAt(words, d.n)
    const form =
      d.shape === 'leveraged'
        ? r.pick(['Holdings, Inc.', 'Inc.', 'Group, Inc.', 'Corp.'] as const)
        : r.pick(legalForms)
    const name = `${stem} ${r.pick(d.industry.words)} ${form}`
    const ticker = tickerOf(stem, taken)
    taken.add(ticker)
    const is = (p: Peculiarity) => chosen.get(p)!.has(d.n)
    const billions =
      Math.exp(r.normal() * 0.6) * (d.rank <= 10 ? 8 : d.rank <= 13 ? 3.5 : 2.2) * (d.hasSpreads ? 1.4 : 0.7)
    return {
      ...d,
      ticker,
      name,
      stem,
      short: shortName(name),
      cik: cikOf(d.n),
      lei: leiOf(name),
      cusip6: cusipIssuer(d.n),
      coverage: d.n % 6 === 5 ? 'extended' : 'standard',
      debt: Math.min(45, Math.max(0.25, billions)) * 1e9,
      yearEnd: is('few_quarters') ? 9 : r.pick([12, 12, 12, 12, 12, 12, 12, 6, 9, 1]),
      formerName: is('former_name') ? `${words[600 + d.n]} ${d.industry.words[0]} Corp.` : null,
      alias: is('alias') ? `${ticker}A` : null,
      is,
    } satisfies Issuer
  })
}
