import {
  boolean,
  cents,
  type DefaultRowOf,
  date,
  integer,
  nullable,
  oneOf,
  onRequest,
  percent,
  shaped,
  text,
} from '../column.ts'
import { anyOf, atLeast, atMost, company } from '../filter.ts'
import { resource } from '../resource.ts'
import { ratingBuckets } from '../vocabulary.ts'
import { companyColumns, linkColumns } from './shared.ts'

/** Why no filed amount is shown. */
export const filedNullReasons = ['not_filed', 'stale', 'not_in_schedule'] as const
/** Why no amount of bonds is shown. */
export const bondsNullReasons = ['no_bonds', 'no_amounts', 'nothing_drawn', 'stale'] as const

/** The maturity wall. Computed on request from `debt_disclosures` and `bonds`. */
export const maturities = resource({
  name: 'maturities',
  doc: 'Principal due by company and year: the filed schedule of repayments beside the bonds and loans known.',
  table: 'bonds',
  columns: {
    ...companyColumns,
    sector: nullable(text('Sector of the company.')),
    year: nullable(
      integer(
        'Year in which the period ends, of the open last one its first twelve months; null for bonds not known to mature in one period.',
      ),
    ),
    period_start: nullable(date('First day of the period.')),
    period_end: nullable(date('Last day of the period; null for the open last one.')),
    due: nullable(
      cents(
        'Principal due: as filed, else of the bonds with a known amount. Of the row without a year what a filed schedule does not have: null if it has all.',
      ),
    ),
    due_source: nullable(
      oneOf(
        ['filed_schedule', 'bonds', 'instruments'],
        'What `due` shows; `instruments` if filings give the amounts in `bonds_due`.',
      ),
    ),
    is_partial: boolean(
      'Debt that falls due, or may, is not in `due`: without an amount or a year, or beside instruments that no tagged total confirms.',
    ),
    due_percent: nullable(
      percent('Share of total debt that it is; null where the two are of balance dates over 456 days apart.'),
    ),
    filed_due: nullable(cents('Repayments of principal as filed; what was repaid since is still in it.')),
    filed_null_because: nullable(oneOf(filedNullReasons, 'Why there is no filed amount.')),
    bonds_due: nullable(
      cents(
        'Amount outstanding of the bonds that mature, where it is known; of the instruments of filings where these add up to the tagged debt and the bonds do not, or where neither is known.',
      ),
    ),
    bonds_null_because: nullable(oneOf(bondsNullReasons, 'Why there is no amount of bonds.')),
    bond_count: integer('Active bonds and loans that mature.'),
    bonds_unknown: integer('Those among them without a known amount.'),
    bonds_in_other_currency: integer('Those among them in another currency, not in `bonds_due`.'),
    currency: shaped('currency', 'Currency of the amounts.'),
    filed_balance_date: nullable(date('Balance date of the filed schedule.')),
    filed_form: onRequest(nullable(text('Form with the schedule.'))),
    filed_date: onRequest(nullable(date('Its filing date.'))),
    filed_accession: onRequest(nullable(text('Its accession number.'))),
    filed_concept: onRequest(nullable(text('Concept of the amount as tagged.'))),
    industry: onRequest(nullable(text('Industry of the company.'))),
    rating_bucket: onRequest(nullable(oneOf(ratingBuckets, 'Rating bucket of the company.'))),
    company_id: linkColumns.company_id,
    coverage: linkColumns.coverage,
  },
  key: ['company_id', 'period_start', 'period_end'],
  sort: ['ticker', 'company_id', 'period_start'],
  company: 'company_id',
  glance: [
    'ticker',
    'year',
    'period_end',
    'due',
    'due_source',
    'due_percent',
    'filed_due',
    'bonds_due',
    'bond_count',
    'bonds_unknown',
    'filed_balance_date',
  ],
  filters: {
    ticker: company('company_id'),
    sector: anyOf('sector'),
    year: anyOf('year'),
    due_before: atMost('period_end', { doc: 'Periods that end on or before this day.' }),
    due_source: anyOf('due_source'),
    min_due: atLeast('due', { doc: 'Minimum principal due, cents.' }),
    min_due_percent: atLeast('due_percent', { doc: 'Minimum share of total debt, percent.' }),
  },
  limit: { default: 100, max: 500 },
})

export interface Maturity extends DefaultRowOf<typeof maturities.columns> {}
