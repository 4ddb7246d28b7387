import {
  boolean,
  cents,
  type DefaultRowOf,
  date,
  integer,
  list,
  nullable,
  number,
  oneOf,
  onRequest,
  percent,
  pick,
  ratio,
  shaped,
  text,
} from '../column.ts'
import { covenants } from '../datasets/covenants.ts'
import { anyOf, atLeast, atMost, company } from '../filter.ts'
import { resource } from '../resource.ts'
import { ratingBuckets, testMetrics } from '../vocabulary.ts'
import { companyColumns, linkColumns } from './shared.ts'

/** Why a test has no ratio. */
export const headroomNullReasons = [
  'no_statements',
  'stale',
  'before_covenant',
  'of_subsidiary',
  'bank',
  'not_begun',
  'no_level',
  'direction',
  'fixed_charges',
  'no_ebitda',
  'ebitda_not_positive',
  'no_debt',
  'no_secured_debt',
  'no_first_lien_debt',
  'no_cash',
  'no_interest',
  'captive_finance',
  'no_floating_debt',
] as const
export type HeadroomNullReason = (typeof headroomNullReasons)[number]

/** Financial tests of companies against their statements. Computed on request from `covenants`, `companies` and `bonds`. */
export const headroom = resource({
  name: 'headroom',
  doc: 'Headroom under financial covenants: the ratio of the newest statements against the level of the day.',
  table: 'covenants',
  columns: {
    ...companyColumns,
    sector: nullable(text('Sector of the company.')),
    ...pick(covenants.columns, 'instrument_name', 'cusip'),
    test_metric: oneOf(testMetrics, 'Metric tested.'),
    threshold_type: oneOf(['maximum', 'minimum'], 'Direction of the level.'),
    level: nullable(number('Level of the day, read off the step-down schedule.', { unit: 'times' })),
    ratio: nullable(ratio('Ratio of the statements, after the shock if one is asked.')),
    headroom_turns: nullable(
      number('From the ratio to the level; negative if the test fails.', { unit: 'times' }),
    ),
    headroom_percent: nullable(
      percent('Share of EBITDA that could be lost before the test fails; negative what is missing.'),
    ),
    ebitda_headroom: nullable(cents('EBITDA that could be lost before the test fails.')),
    debt_headroom: nullable(cents('Debt that could be added before a leverage test fails.')),
    interest_headroom: nullable(cents('Yearly interest that could be added before a coverage test fails.')),
    status: nullable(oneOf(['met', 'failed'], 'Whether the level is met.')),
    null_because: nullable(
      oneOf(
        headroomNullReasons,
        'Why there is no ratio, or no sound one; `not_begun`: its first level begins after the day; `captive_finance`: EBITDA is after the interest of a finance arm.',
      ),
    ),
    ratio_before_shock: nullable(ratio('The ratio without the shock.')),
    headroom_percent_before_shock: nullable(percent('The headroom without the shock.')),
    next_level: nullable(number('Level of the next step.', { unit: 'times' })),
    next_level_date: nullable(date('Day of the next step.')),
    test_frequency: covenants.columns.test_frequency,
    ebitda_basis: nullable(
      oneOf(
        ['agreement', 'agreement_in_part', 'statements'],
        'Whose EBITDA: as the agreement defines it; that of the statements with those of its add-backs that they tag, if `add_backs` asks for it; or that of the statements, where the definition cannot be formed.',
      ),
    ),
    ebitda: nullable(cents('EBITDA tested, trailing twelve months, after the shock.')),
    debt: nullable(cents('Debt tested, net of cash for a net ratio, after the shock.')),
    interest_expense: nullable(cents('Interest tested, trailing twelve months, after the shock.')),
    currency: nullable(shaped('currency', 'Currency of the amounts.')),
    is_annualized: nullable(boolean('EBITDA is scaled up to a year from fewer than four quarters.')),
    period_end_date: nullable(date('Balance date of the statements.')),
    source_document_date: covenants.columns.source_document_date,
    evidence_count: integer('Records of the lake that state this test at this level.'),
    covenant_id: text('Id of the newest of these records in `covenants`.'),
    figures_age_days: onRequest(
      nullable(integer('Days from the balance date to the as-of date.', { unit: 'days' })),
    ),
    add_backs: onRequest(
      nullable(
        cents(
          'What the agreement adds to EBITDA and the statements tag: compensation in shares, impairments, restructuring.',
        ),
      ),
    ),
    add_backs_unknown: onRequest(nullable(list('What it also adds back, which the statements do not tag.'))),
    covenant_name: onRequest(covenants.columns.covenant_name),
    cure_period_days: onRequest(covenants.columns.cure_period_days),
    industry: onRequest(nullable(text('Industry of the company.'))),
    rating_bucket: onRequest(nullable(oneOf(ratingBuckets, 'Rating bucket of the company.'))),
    extraction_confidence: onRequest(covenants.columns.extraction_confidence),
    source: onRequest(nullable(text('File and position the covenant came from.'))),
    ...linkColumns,
  },
  key: ['covenant_id'],
  sort: ['status', 'headroom_percent', 'ticker', 'covenant_id'],
  company: 'company_id',
  glance: [
    'ticker',
    'test_metric',
    'level',
    'ratio',
    'headroom_percent',
    'headroom_turns',
    'ebitda_headroom',
    'status',
    'null_because',
    'period_end_date',
    'next_level',
    'next_level_date',
    'instrument_name',
  ],
  filters: {
    ticker: company('company_id'),
    sector: anyOf('sector'),
    rating_bucket: anyOf('rating_bucket'),
    cusip: anyOf('cusip'),
    test_metric: anyOf('test_metric'),
    status: anyOf('status'),
    min_headroom: atLeast('headroom_percent', { doc: 'Minimum headroom, percent of EBITDA.' }),
    max_headroom: atMost('headroom_percent', { doc: 'Maximum headroom, percent of EBITDA.' }),
  },
  limit: { default: 50, max: 100 },
})

export interface CovenantHeadroom extends DefaultRowOf<typeof headroom.columns> {}
