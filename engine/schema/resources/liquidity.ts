import {
  boolean,
  cents,
  type DefaultRowOf,
  date,
  integer,
  list,
  nullable,
  oneOf,
  onRequest,
  ratio,
  shaped,
  text,
} from '../column.ts'
import { anyOf, atLeast, atMost, company } from '../filter.ts'
import { resource } from '../resource.ts'
import { ratingBuckets } from '../vocabulary.ts'
import { companyColumns, linkColumns } from './shared.ts'

/** Why no undrawn amount is known. */
export const undrawnNullReasons = ['not_filed', 'stale', 'by_part'] as const
/** Why there is no cover ratio. */
export const coverNullReasons = [
  'no_statements',
  'stale',
  'due_unknown',
  'nothing_due',
  'no_sources',
  'bank',
] as const

/** Liquidity against debt due. Computed on request from `companies`, `financials`, `debt_disclosures` and `bonds`. */
export const liquidity = resource({
  name: 'liquidity',
  doc: 'Liquidity of companies: cash, undrawn facilities and free cash flow against debt due in 12 and 24 months.',
  table: 'companies',
  columns: {
    ...companyColumns,
    sector: nullable(text('Sector of the company.')),
    cash: nullable(cents('Cash and cash equivalents.')),
    undrawn_committed: nullable(cents('Undrawn amount of committed facilities.')),
    undrawn_source: nullable(
      oneOf(['filed', 'instruments'], 'A tagged figure, or commitments less drawn amounts.'),
    ),
    undrawn_date: nullable(
      date('Balance date of the figure, or the day it was stated; the oldest of several instruments.'),
    ),
    undrawn_null_because: nullable(
      oneOf(
        undrawnNullReasons,
        'Why no undrawn amount is known; `by_part` if only parts of the company state one, or parts that may overlap.',
      ),
    ),
    committed: nullable(cents('Committed amount of these facilities, where it is stated.')),
    free_cash_flow: nullable(cents('Operating cash flow less capital expenditure, trailing twelve months.')),
    due_12m: nullable(cents('Debt due within 12 months of the as-of date.')),
    due_24m: nullable(cents('Debt due within 24 months, cumulative.')),
    due_source: nullable(
      oneOf(
        ['filed_schedule', 'bonds', 'instruments', 'current_debt', 'no_debt'],
        'What debt due is read off: the filed schedule moved to the as-of date, bonds, the instruments of filings, current debt on the balance sheet, or a total debt of zero.',
      ),
    ),
    cover_12m: nullable(
      ratio('Cash, undrawn facilities and a year of free cash flow over debt due in 12 months.'),
    ),
    cover_24m: nullable(
      ratio('Cash, undrawn facilities and two years of free cash flow over debt due in 24 months.'),
    ),
    cash_cover_12m: nullable(ratio('Cash over debt due in 12 months.')),
    cover_excludes: nullable(list('Sources that are not known and so not in the cover ratios.')),
    cover_null_because: nullable(
      oneOf(
        coverNullReasons,
        'Why there is no cover of 12 months; `bank`: cash flows of a bank or insurer are its trade.',
      ),
    ),
    currency: nullable(shaped('currency', 'Currency of the amounts.')),
    is_annualized: nullable(boolean('Free cash flow is scaled up to a year from fewer than four quarters.')),
    period_end_date: nullable(date('Balance date of the statements.')),
    figures_age_days: onRequest(
      nullable(integer('Days from that balance date to the as-of date.', { unit: 'days' })),
    ),
    industry: onRequest(nullable(text('Industry of the company.'))),
    rating_bucket: onRequest(nullable(oneOf(ratingBuckets, 'Rating bucket of the company.'))),
    company_id: linkColumns.company_id,
    coverage: linkColumns.coverage,
  },
  key: ['company_id'],
  sort: ['cover_12m', 'ticker', 'company_id'],
  company: 'company_id',
  glance: [
    'ticker',
    'cash',
    'undrawn_committed',
    'free_cash_flow',
    'due_12m',
    'due_24m',
    'cover_12m',
    'cover_24m',
    'cover_excludes',
    'cover_null_because',
    'is_annualized',
    'period_end_date',
  ],
  filters: {
    ticker: company('company_id'),
    sector: anyOf('sector'),
    rating_bucket: anyOf('rating_bucket'),
    min_cover: atLeast('cover_12m', { doc: 'Minimum cover of debt due in 12 months.' }),
    max_cover: atMost('cover_12m', { doc: 'Maximum cover of debt due in 12 months.' }),
    max_cover_24m: atMost('cover_24m', { doc: 'Maximum cover of debt due in 24 months.' }),
    min_due_12m: atLeast('due_12m', { doc: 'Minimum debt due in 12 months, cents.' }),
    min_cash: atLeast('cash', { doc: 'Minimum cash, cents.' }),
  },
  limit: { default: 50, max: 100 },
})

export interface Liquidity extends DefaultRowOf<typeof liquidity.columns> {}
