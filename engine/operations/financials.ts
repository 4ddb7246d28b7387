import { integer, oneOf, text } from '../column.ts'
import { invalid } from '../errors.ts'
import type { Condition } from '../filter.ts'
import { list, planList } from '../list.ts'
import type { Context, ListAnswer } from '../operation.ts'
import { type ArgsOf, fallback, many, one, type Params } from '../params.ts'
import type { Resource } from '../resource.ts'
import { financials } from '../resources/financials.ts'

/** `TTM`, `latest`, or a quarter written `2024Q3` or `Q3 2024`. */
function readPeriod(period: string | undefined): {
  basis: 'quarter' | 'ttm'
  newest: boolean
  year?: number
  quarter?: number
} {
  if (period === undefined) return { basis: 'quarter', newest: false }
  const word = period.toLowerCase()
  if (word === 'ttm') return { basis: 'ttm', newest: true }
  if (word === 'latest') return { basis: 'quarter', newest: true }
  const match = /^(\d{4})[\s-]?q([1-4])$/.exec(word) ?? null
  const other = /^q([1-4])[\s-]?(\d{4})$/.exec(word)
  if (match) return { basis: 'quarter', newest: false, year: Number(match[1]), quarter: Number(match[2]) }
  if (other) return { basis: 'quarter', newest: false, year: Number(other[2]), quarter: Number(other[1]) }
  throw invalid('period', period, 'period must be TTM, latest, or a quarter such as 2024Q3', {
    allowed: ['TTM', 'latest', '2024Q3', 'Q3 2024'],
  })
}

const listed = list(financials, {
  name: 'search.financials',
  path: '/v1/financials',
  command: 'financials',
  tier: 'any',
  cost: 'simple',
  examples: ['--ticker KRVWN --period TTM', '--period 2024Q3 --sort -revenue'],
  params: {
    fiscal_quarter: many(integer('Fiscal quarters, 1 to 4.'), { min: 1, max: 4 }),
    period: one(text('`TTM`, `latest`, or a quarter: `2024Q3`, `Q3 2024`. All quarters if not said.')),
    reported: fallback(
      one(oneOf(['latest', 'original'], 'Figures as most recently or as first reported.')),
      'latest' as const,
    ),
  },
})

export const searchFinancials: typeof listed = {
  ...listed,
  check(args) {
    readPeriod((args as { period?: string }).period)
    listed.check!(args)
  },
  async run(context: Context, args: ArgsOf<Params>): Promise<ListAnswer> {
    await context.tables(financials.table)
    const asked = args as {
      period?: string
      reported?: string
      fiscal_year?: number[]
      fiscal_quarter?: number[]
    }
    const period = readPeriod(asked.period)
    const { plan, meta } = await planList(financials as Resource, context, args)
    // Trailing figures of a named year or quarter are those that end with it; otherwise the newest.
    const dated = asked.fiscal_year !== undefined || asked.fiscal_quarter !== undefined
    const where: Condition[] = [
      ...plan.where,
      { column: 'basis', op: 'in', values: [period.basis] },
      { column: asked.reported === 'original' ? 'is_original' : 'is_latest', op: 'in', values: [true] },
    ]
    if (period.newest && !dated) where.push({ column: 'is_newest', op: 'in', values: [true] })
    if (period.year !== undefined) where.push({ column: 'fiscal_year', op: 'in', values: [period.year] })
    if (period.quarter !== undefined)
      where.push({ column: 'fiscal_quarter', op: 'in', values: [period.quarter] })
    return {
      kind: 'list',
      plan: { ...plan, where },
      kinds: financials.columns,
      meta: { ...meta, period: asked.period ?? 'quarter', reported: asked.reported },
    }
  },
}
