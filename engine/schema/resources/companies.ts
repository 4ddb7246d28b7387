import { DEFAULT_MAX_AGE, DEFAULT_RATING_MAX_AGE } from '../../credit/max-age.ts'
import { ratingNullReasons } from '../../credit/rating-composite.ts'
import type { Agency } from '../../credit/rating-scale.ts'
import {
  boolean,
  cents,
  type DefaultRowOf,
  date,
  derived,
  integer,
  json,
  list,
  maxDays,
  nullable,
  oneOf,
  onRequest,
  ratingOn,
  ratio,
  shaped,
  text,
  timestamp,
  years,
} from '../column.ts'
import { anyOf, atLeast, atMost, company, is } from '../filter.ts'
import { one, type Params, usually } from '../params.ts'
import { resource } from '../resource.ts'
import { coverages, ratingBuckets } from '../vocabulary.ts'
import { leverageQualityColumns, printColumns, printFlags } from './shared.ts'

/** Why a company has no statement figures. */
export const figuresNullReasons = ['stale', 'no_statements'] as const

/** Codes of the caveats about a company's figures. */
export const companyWarnings = [
  'first_print',
  'stale_figures',
  'no_leverage',
  'annualized',
  'earlier_earnings',
  'due_exceeds_debt',
  'estimated',
  'captive_finance',
  'low_interest',
  'quarantined',
  'secured_exceeds_debt',
  'currency',
  'old_figures',
  'stale_rating',
  'ratings_far_apart',
] as const
export type CompanyWarning = (typeof companyWarnings)[number]

/** Age limits of figures and ratings, on every list of companies. */
export const ageParams = {
  max_age: usually(
    one(
      maxDays(
        'Figures whose period ended earlier before the as-of date are null, with the reason `stale`; `none` shows all.',
      ),
      { min: 0, max: 100_000 },
    ),
    DEFAULT_MAX_AGE,
  ),
  rating_max_age: usually(
    one(
      maxDays(
        'Ratings without an action or affirmation for longer form no bucket: null, with the reason; `none` uses all.',
      ),
      { min: 0, max: 100_000 },
    ),
    DEFAULT_RATING_MAX_AGE,
  ),
} satisfies Params

/** Which versions of statements figures are read off, on every list of companies and of what is computed from their figures. */
export const reportedParam = {
  reported: usually(one(oneOf(['latest', 'original'], 'Figures as last or first reported.')), 'latest'),
} satisfies Params

const letter = (agency: Agency, name: string) =>
  derived(
    onRequest(nullable(ratingOn(agency, `${name} issuer rating on its own scale, without watch marks.`))),
  )

const columns = {
  company_id: text(
    'Id of the company: its ticker, else `CIK` and ten digits, else its LEI, else `NAME:` and its name.',
  ),
  ticker: nullable(shaped('ticker', 'Ticker; null for an issuer that is not linked to one.')),
  name: text('Company name.'),
  sector: nullable(text('Sector, one of eleven, by the documented map.', { example: 'Technology' })),
  industry: nullable(text('Industry.')),
  cik: nullable(shaped('cik', 'SEC central index key.')),
  lei: nullable(shaped('lei', 'Legal entity identifier.')),
  currency: derived(nullable(shaped('currency', 'Currency of the amounts.'))),
  total_debt: derived(nullable(cents('Total debt.'))),
  debt_excluding_finance: derived(
    nullable(cents("Total debt without the finance arm's, if filings report it by segment; else null.")),
  ),
  secured_debt: derived(nullable(cents('Secured debt.'))),
  unsecured_debt: derived(nullable(cents('Unsecured debt.'))),
  net_debt: derived(nullable(cents('Total debt less cash.'))),
  cash: derived(nullable(cents('Cash and cash equivalents.'))),
  ebitda_ttm: derived(nullable(cents('EBITDA of the trailing twelve months.'))),
  leverage_ratio: derived(nullable(ratio('Total debt / EBITDA.'))),
  is_annualized: derived(
    nullable(boolean('EBITDA, and leverage with it, is scaled up to a year from fewer than four quarters.')),
  ),
  net_leverage_ratio: derived(nullable(ratio('Net debt / EBITDA.'))),
  secured_leverage: derived(nullable(ratio('Secured debt / EBITDA.'))),
  interest_coverage: derived(
    nullable(ratio('EBITDA / interest expense; null where EBITDA is after the interest of a finance arm.')),
  ),
  debt_due_1yr: derived(
    nullable(
      cents(
        'Debt due within one year of the as-of date, by the filed schedule of long-term debt or the bonds; `liquidity` adds short-term borrowings that the schedule leaves out.',
      ),
    ),
  ),
  debt_due_2yr: derived(nullable(cents('Debt due within two years, cumulative.'))),
  debt_due_3yr: derived(nullable(cents('Debt due within three years, cumulative.'))),
  nearest_maturity: derived(nullable(date('Nearest maturity of the active bonds and loans known.'))),
  weighted_avg_maturity: derived(nullable(years('Average remaining life, weighted by amount outstanding.'))),
  entity_count: derived(integer('Legal entities known.')),
  guarantor_count: derived(integer('Guarantors among them.')),
  bond_count: derived(integer('Active bonds and loans known.')),
  has_structural_sub: derived(
    nullable(boolean('Debt sits at a holding company above operating-company debt.')),
  ),
  has_floating_rate: derived(
    nullable(
      boolean('Has floating-rate debt; null where the bonds known have none but are not all its debt.'),
    ),
  ),
  has_near_term_maturity: derived(
    nullable(
      boolean(
        'Debt matures within 24 months; null where no bond known does and the debt due within two years is not known.',
      ),
    ),
  ),
  has_holdco_debt: derived(nullable(boolean('Debt at the holding company.'))),
  has_opco_debt: derived(nullable(boolean('Debt at operating companies.'))),
  sp_rating: derived(nullable(text('Newest S&P issuer rating.'))),
  moodys_rating: derived(nullable(text("Newest Moody's issuer rating."))),
  fitch_rating: derived(nullable(text('Newest Fitch issuer rating.'))),
  rating_bucket: derived(nullable(oneOf(ratingBuckets, 'Bucket of the composite issuer rating.'))),
  rating_date: derived(nullable(date('Day of the newest of these ratings that is not withdrawn.'))),
  coverage: oneOf(coverages, 'Coverage set.'),
  period_end_date: derived(nullable(date('Balance date of the newest statement.'))),
  figures_age_days: derived(
    nullable(integer('Days from that balance date to the as-of date.', { unit: 'days' })),
  ),
  figures_null_because: derived(
    nullable(
      oneOf(figuresNullReasons, 'Why there are no statement figures: `stale` if older than `max_age`.'),
    ),
  ),
  rating_age_days: derived(nullable(integer('Days from that day to the as-of date.', { unit: 'days' }))),
  rating_null_because: derived(
    nullable(
      oneOf(
        ratingNullReasons,
        'Why there is no bucket: no rating, none within `rating_max_age`, or ratings more than five years apart.',
      ),
    ),
  ),
  aliases: onRequest(nullable(list('Alias tickers.'))),
  former_names: onRequest(nullable(list('Former names.'))),
  sector_source: onRequest(
    nullable(text('The label that the sector was read from, as its source writes it.')),
  ),
  bond_issuers: onRequest(
    nullable(json('Issuers of its active bonds and loans: `[{"name":"T-MOBILE USA INC","bonds":32}]`.')),
  ),
  sp_letter: letter('sp', 'S&P'),
  moodys_letter: letter('moodys', "Moody's"),
  fitch_letter: letter('fitch', 'Fitch'),
  '_metadata.qa_score': derived(
    onRequest(nullable(ratio('Share of core figures present and reliable, 0 to 1.'))),
  ),
  '_metadata.warnings': onRequest(nullable(list('Caveats about the figures.'))),
  '_metadata.warning_codes': onRequest(
    nullable(
      list(
        `Codes of these caveats, in the same order: ${companyWarnings.map(code => `\`${code}\``).join(', ')}.`,
      ),
    ),
  ),
  '_metadata.extracted_at': onRequest(nullable(timestamp('When the figures were ingested.'))),
  '_metadata.source_filings': onRequest(nullable(list('Accession numbers behind the figures.'))),
  ...leverageQualityColumns,
  _explain: onRequest(nullable(json('Formulas, inputs and sources of the derived figures.'))),
}

/** The range of limits for which a row holds. */
const ageSpan = {
  max_age_from: integer('Minimum `max_age` for which the row holds.', { unit: 'days' }),
  max_age_to: derived(integer('Maximum `max_age` for which the row holds.', { unit: 'days' })),
  rating_max_age_from: integer('Minimum `rating_max_age` for which the row holds.', { unit: 'days' }),
  rating_max_age_to: derived(integer('Maximum `rating_max_age` for which the row holds.', { unit: 'days' })),
}

/** The table used when `max_age`, `rating_max_age` or `reported` is not the default. */
export const companiesByAge = resource({
  name: 'companies_by_age',
  doc: 'Companies under every age limit, as first and as most recently reported: a row per range of limits with the same content, and rows of their own for first prints that later filings changed.',
  table: 'companies_by_age',
  columns: { ...columns, ...ageSpan, ...printColumns },
  key: ['company_id', 'max_age_from', 'rating_max_age_from', 'is_latest'],
  sort: ['ticker', 'company_id', '-is_latest', 'max_age_from', 'rating_max_age_from'],
  company: 'company_id',
  filters: {},
  limit: { default: 50, max: 100 },
})

export const companies = resource({
  name: 'companies',
  doc: 'Companies with their debt metrics as of a day.',
  table: 'companies',
  row: 'Company',
  columns,
  ages: {
    table: companiesByAge.table,
    columns: companiesByAge.columns,
    limits: {
      max_age: { from: 'max_age_from', to: 'max_age_to', byDefault: DEFAULT_MAX_AGE },
      rating_max_age: {
        from: 'rating_max_age_from',
        to: 'rating_max_age_to',
        byDefault: DEFAULT_RATING_MAX_AGE,
      },
    },
    prints: printFlags,
  },
  glance: [
    'ticker',
    'name',
    'leverage_ratio',
    'is_annualized',
    'period_end_date',
    'figures_age_days',
    'total_debt',
    'rating_bucket',
    'rating_date',
    'figures_null_because',
    'sector',
    'ebitda_ttm',
    'interest_coverage',
    'debt_due_2yr',
    'cash',
  ],
  key: ['company_id'],
  sort: ['ticker', 'company_id'],
  company: 'company_id',
  clocks: [
    'figures_age_days',
    'rating_age_days',
    'weighted_avg_maturity',
    'debt_due_1yr',
    'debt_due_2yr',
    'debt_due_3yr',
  ],
  history: {},
  filters: {
    ticker: company('company_id'),
    sector: anyOf('sector'),
    industry: anyOf('industry'),
    min_leverage: atLeast('leverage_ratio', { doc: 'Minimum total debt / EBITDA.' }),
    max_leverage: atMost('leverage_ratio', { doc: 'Maximum total debt / EBITDA.' }),
    min_net_leverage: atLeast('net_leverage_ratio', { doc: 'Minimum net debt / EBITDA.' }),
    max_net_leverage: atMost('net_leverage_ratio', { doc: 'Maximum net debt / EBITDA.' }),
    min_debt: atLeast('total_debt', { doc: 'Minimum total debt, cents.' }),
    max_debt: atMost('total_debt', { doc: 'Maximum total debt, cents.' }),
    has_structural_sub: is('has_structural_sub'),
    has_floating_rate: is('has_floating_rate'),
    has_near_term_maturity: is('has_near_term_maturity'),
    has_holdco_debt: is('has_holdco_debt'),
    has_opco_debt: is('has_opco_debt'),
    rating_bucket: anyOf('rating_bucket'),
    sp_rating: anyOf('sp_letter', { doc: 'Newest S&P issuer rating, `BB+`, without watch marks.' }),
    moodys_rating: anyOf('moodys_letter', {
      doc: "Newest Moody's issuer rating, `Ba1`, without watch marks.",
    }),
    fitch_rating: anyOf('fitch_letter', {
      doc: 'Newest Fitch issuer rating, `BB+`, without watch marks.',
    }),
  },
  limit: { default: 50, max: 100 },
})

export interface Company extends DefaultRowOf<typeof columns> {}
