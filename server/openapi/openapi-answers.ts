import { exportedResources } from '../../engine/operations/export.ts'
import { metrics as spreadMetrics } from '../../engine/query/plan/plan.ts'
import {
  boolean,
  type Columns,
  cents,
  date,
  integer,
  list,
  nullable,
  number,
  oneOf,
  pick,
  text,
} from '../../engine/schema/column.ts'
import {
  arrayOf,
  object,
  orNull,
  reference,
  rowSchema,
  type Schema,
  valueSchema,
  wholeRow,
} from '../../engine/schema/json-schema.ts'
import { bonds } from '../../engine/schema/resources/bonds.ts'
import { covenants } from '../../engine/schema/resources/covenants.ts'
import { entities } from '../../engine/schema/resources/entities.ts'
import { ratings } from '../../engine/schema/resources/ratings.ts'
import { testMetrics } from '../../engine/schema/vocabulary.ts'
import { modes } from '../../engine/search/modes.ts'

/** The schema of each resource's rows, by resource name. */
export const rowNames: Readonly<Record<string, string>> = {
  companies: 'Company',
  bonds: 'Bond',
  pricing: 'Price',
  pricing_history: 'DailyPrice',
  financials: 'FinancialStatement',
  index_spreads: 'IndexSpread',
  spreads: 'Spread',
  ratings: 'Rating',
  covenants: 'Covenant',
  collateral: 'Collateral',
  documents: 'DocumentSection',
  entities: 'Entity',
}

const value = valueSchema
const day = value(date('Day.'))
const count = (doc: string): Schema => ({ ...value(integer(doc)), minimum: 0 })

/** Members of `meta` beside those of every list, by operation. */
export const metaMembers: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  'search.pricing': {
    priced_count: count('Rows with a price.'),
    stale_count: count('Prices older than `stale_after_days`.'),
    stale_after_days: value(integer('Age from which a price is stale.', { unit: 'days' })),
    aggregation: value(oneOf(['daily', 'weekly'], 'One row a day, or the last of each ISO week.')),
    date_from: value(date('First day of the history.')),
    date_to: value(date('Last day of the history.')),
    as_of: {
      description: 'Close of the day the latest prices are as of; of a history the day itself.',
      anyOf: [
        { type: 'string', format: 'date-time' },
        { type: 'string', format: 'date' },
      ],
    },
  },
  'history.pricing': {
    cusip: value(text('CUSIP asked about.')),
    aggregation: value(oneOf(['daily', 'weekly'], 'One row a day, or the last of each ISO week.')),
    date_from: value(date('First day of the history.')),
    date_to: value(date('Last day of the history.')),
  },
  'search.financials': {
    period: value(text('Period asked for, or `quarter`.')),
    reported: value(oneOf(['latest', 'original'], 'Figures as most recently or as first reported.')),
  },
  'search.collateral': {
    total_estimated_value: value(nullable(cents('Estimated value of all matches, not of the page.'))),
  },
  'search.covenants': { covenant_types: value(list('The types of covenant there are.')) },
  'search.migrations': {
    since: value(date('First day.')),
    until: value(date('Last day.')),
  },
  'aggregate.spreads': {
    group_by: value(list('Keys grouped by.')),
    metrics: arrayOf({ enum: spreadMetrics }),
    source: value(nullable(text('The source that the statistics are of; `all` where they mix sources.'))),
    rows_scanned: count('Spread records behind the groups.'),
  },
  'search.documents': {
    query: value(text('The query as given.')),
    mode: { enum: modes },
  },
  export: { data_type: { enum: Object.keys(exportedResources) } },
}

/** Members of `meta` in every answer from a snapshot. */
export const commonMeta: Readonly<Record<string, Schema>> = {
  snapshot: value(text('Id of the immutable snapshot that answered.')),
  as_of: value(date('Day the answer is as of.')),
  request_id: value(text('Request identifier.')),
  warnings: value(list('What to know before using the answer.')),
  unknown: value(list('Identifiers asked about that are not known.')),
  did_you_mean: value(text('The query as it was perhaps meant, where a search found nothing.')),
  empty_because: value(
    list('Why there are no rows: the filters that leave none, and what there is without them.'),
  ),
  lane: {
    description: 'With `explain`: what answers the list where it is not explained, and why.',
    ...object({
      lane: { enum: ['memory', 'duckdb'] },
      why: value(text('Why.')),
    }),
  },
}

/** Optional members of `meta`. */
export const sometimes = ['warnings', 'unknown', 'did_you_mean', 'empty_because', 'lane'] as const

/** The `meta` of an answer that is not a list. */
export const plainMeta = (members: Readonly<Record<string, Schema>> = {}): Schema =>
  object({ ...members, ...commonMeta }, sometimes)

const bondTerms = pick(
  bonds.columns,
  'id',
  'name',
  'cusip',
  'seniority',
  'coupon_rate',
  'maturity_date',
  'currency',
  'outstanding',
)
const change = (of: Schema): Schema => object({ previous: of, current: of })
const thresholdMembers = wholeRow(
  pick(covenants.columns, 'threshold_value', 'threshold_type', 'test_frequency'),
)['properties'] as Readonly<Record<string, Schema>>
const figure = nullable(number(''))
const ofEntity = pick(entities.columns, 'id', 'name', 'entity_type', 'jurisdiction')

const debtAt = {
  'debt_at_entity.count': integer('Active bonds and loans that the entity issued.'),
  'debt_at_entity.total': nullable(cents('Their amount outstanding; null where one is not known.')),
  level: integer('Steps from the start.'),
}
const reachedEntity: Columns = {
  ...pick(
    entities.columns,
    'id',
    'name',
    'entity_type',
    'jurisdiction',
    'is_guarantor',
    'is_vie',
    'guarantee_type',
    'ticker',
    'company_name',
    'lei',
  ),
  ...debtAt,
}

/** Answers that are objects: the value of the envelope, or the whole body without an envelope. */
export const answers: Readonly<Record<string, { data: Schema; meta?: Readonly<Record<string, Schema>> }>> = {
  'resolve.bond': {
    data: object({
      query: value(nullable(text('The query as given.'))),
      matches: arrayOf(
        withExplain(
          object({
            confidence: {
              ...value(number('How sure the match is, 0 to 1; 1 for an identifier.')),
              minimum: 0,
              maximum: 1,
            },
            bond: reference('Bond'),
          }),
        ),
      ),
      exact_match: value(boolean('An identifier was given, and found.')),
      suggestions: value(list('Other bonds that may be meant.')),
    }),
    meta: { total: count('Matches returned.') },
  },
  'get.company': { data: reference('Company') },
  'compare.covenants': {
    data: object(
      {
        tickers: value(list('Tickers compared.')),
        companies: {
          type: 'object',
          description: 'By ticker.',
          additionalProperties: object({
            name: value(nullable(text('Company name.'))),
            covenant_count: count('Covenants that match.'),
            covenants: arrayOf(
              wholeRow(
                pick(
                  covenants.columns,
                  'covenant_type',
                  'covenant_name',
                  'test_metric',
                  'threshold_value',
                  'threshold_type',
                  'test_frequency',
                  'has_step_down',
                ),
              ),
            ),
          }),
        },
        comparison_matrix: arrayOf({
          type: 'object',
          description: 'One row a metric; beside it, by ticker, the tightest threshold or null.',
          required: ['metric'],
          properties: { metric: { type: 'string', enum: testMetrics } },
          additionalProperties: orNull(
            object(
              {
                ...thresholdMembers,
                levels: count('How many covenants test the metric; only where several do.'),
                instruments: value(
                  list('Instruments whose level is shown; only where several covenants test it.'),
                ),
              },
              ['levels', 'instruments'],
            ),
          ),
        }),
        presence_matrix: arrayOf({
          type: 'object',
          description: 'One row a covenant; beside it, by ticker, whether there is one.',
          required: ['covenant_name'],
          properties: { covenant_name: { type: 'string' } },
          additionalProperties: { type: 'boolean' },
        }),
        _explain: { type: 'object', description: 'By ticker, where each covenant comes from.' },
      },
      ['_explain'],
    ),
    meta: {
      tickers_compared: count('Companies compared.'),
      total_covenants: count('Covenants that match.'),
      filter_test_metric: value(nullable(text('Metrics asked for.'))),
    },
  },
  'count.facets': {
    data: {
      type: 'object',
      description: 'By column.',
      additionalProperties: object(
        {
          values: arrayOf(
            object({
              value: { type: ['string', 'boolean', 'number'], description: 'Value.' },
              count: count('Rows that have it.'),
            }),
          ),
          bins: arrayOf(
            object({
              low: value(number('Where the bin begins; the first holds all below it too.')),
              high: value(number('Where it ends; the last holds all above it too.')),
              count: count('Rows in it.'),
            }),
          ),
          missing: count('Rows in which nothing is known of it.'),
          others: count('Rows with values beyond `limit`.'),
        },
        ['values', 'bins'],
      ),
    },
    meta: {
      total: count('Rows that match all filters.'),
      data_type: { enum: Object.keys(exportedResources) },
      filters_applied: { type: 'object', description: 'Filters in force, defaults among them.' },
    },
  },
  'changes.company': {
    data: object(
      {
        ticker: value(nullable(text('Ticker.'))),
        company_name: value(text('Company name.')),
        since: day,
        until: day,
        snapshot_date: value(date('The same as `since`.')),
        current_date: value(date('The same as `until`.')),
        changes: object({
          new_debt: arrayOf(
            wholeRow({
              ...bondTerms,
              issue_date: bonds.columns.issue_date,
              reason: oneOf(
                ['issued', 'filed', 'first_priced'],
                'Issued in the period, or stated by a filing of it, or first priced in a list that had prices before.',
              ),
            }),
          ),
          newly_known_debt: arrayOf(wholeRow({ ...bondTerms, issue_date: bonds.columns.issue_date })),
          removed_debt: arrayOf(
            wholeRow({ ...bondTerms, reason: oneOf(['matured', 'retired'], 'Why it is gone.') }),
          ),
          changed_debt: arrayOf(
            object({
              ...(wholeRow(pick(bonds.columns, 'id', 'name', 'cusip', 'currency'))['properties'] as Record<
                string,
                Schema
              >),
              changes: { type: 'object', description: 'By term.', additionalProperties: change({}) },
            }),
          ),
          entity_changes: object({
            added: arrayOf(wholeRow(ofEntity)),
            removed: arrayOf(wholeRow(ofEntity)),
          }),
          metric_changes: {
            type: 'object',
            description: 'By metric; those that did not change are left out.',
            additionalProperties: wholeRow({
              previous: figure,
              current: figure,
              change: figure,
              change_pct: figure,
            }),
          },
          rating_changes: arrayOf(
            wholeRow({
              ...pick(ratings.columns, 'agency', 'rating_type', 'cusip'),
              previous: nullable(text('Rating before.')),
              current: nullable(text('Rating now.')),
              previous_outlook: nullable(text('Outlook before.')),
              ...pick(ratings.columns, 'outlook', 'effective_date'),
              direction: oneOf(
                ['new', 'upgrade', 'downgrade', 'outlook', 'withdrawn'],
                'What the rating did.',
              ),
            }),
          ),
          pricing_changes: arrayOf(
            wholeRow({
              ...pick(bonds.columns, 'id', 'name', 'cusip'),
              previous_price: figure,
              current_price: figure,
              price_change: figure,
              previous_date: nullable(date('Day of the price before.')),
              current_date: nullable(date('Day of the price now.')),
              ytm_change: figure,
              spread_change: figure,
            }),
          ),
          new_filings: arrayOf(
            wholeRow({
              accession: text('Accession number, or form and day.'),
              form: nullable(text('Form.')),
              filed_date: nullable(date('Filing date.')),
              report_date: nullable(date('Period of the report.')),
              items: nullable(text('Items of an 8-K.')),
              url: nullable(text('Where it can be read.')),
            }),
          ),
        }),
        summary: {
          type: 'object',
          description: 'How many changes of each kind, and the change of debt in cents.',
          additionalProperties: { type: ['integer', 'null'] },
        },
        _explain: { description: 'How the changes were found.' },
      },
      ['_explain'],
    ),
  },
  'traverse.entities': {
    data: object({
      start: object(
        {
          type: { enum: ['company', 'bond', 'entity'] },
          id: { type: 'string' },
          ticker: { type: 'string' },
          name: { type: ['string', 'null'] },
          company: { type: ['string', 'null'] },
        },
        ['ticker'],
      ),
      traversal: object(
        {
          relationship: { type: 'string' },
          relationships: value(list('Relationships followed, where there are several.')),
          direction: { enum: ['outbound', 'inbound', 'both'] },
          depth: { type: 'integer' },
          entities: arrayOf(withExplain(rowSchema(reachedEntity))),
          instruments: arrayOf({
            type: 'object',
            additionalProperties: false,
            properties: {
              ...(rowSchema(bonds.columns)['properties'] as Record<string, Schema>),
              level: value(integer('Steps from the start.')),
            },
          }),
        },
        ['relationship', 'relationships', 'instruments'],
      ),
      summary: {
        type: 'object',
        description: 'Counts over what was reached.',
        additionalProperties: { type: ['number', 'null'] },
      },
      truncated: value(boolean('A bound cut the traversal.')),
    }),
    meta: { total: count('Entities and instruments returned.') },
  },
}

/** A row to which `explain` adds. */
export function withExplain(row: Schema): Schema {
  const properties = row['properties'] as Readonly<Record<string, Schema>>
  const _explain = { description: 'Formulas, inputs and sources, where `explain` asks for them.' }
  return { ...row, properties: { ...properties, _explain: properties['_explain'] ?? _explain } }
}

/** Members of bodies that their declaration leaves open. */
export const bodies: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  'traverse.entities': {
    start: {
      anyOf: [
        {
          type: 'object',
          required: ['type'],
          properties: {
            type: { type: 'string', enum: ['company', 'bond', 'entity'] },
            id: {
              type: 'string',
              description: 'Ticker of a company, CUSIP or id of a bond, id of an entity.',
            },
            ticker: { type: 'string', description: 'Ticker of a company, in place of `id`.' },
            cusip: { type: 'string', description: 'CUSIP of a bond, in place of `id`.' },
          },
          additionalProperties: false,
        },
        { type: 'string', pattern: '^(company|bond|entity):.+$' },
      ],
    },
    filters: {
      type: 'object',
      properties: {
        entity_type: arrayOf({ type: 'string', enum: entities.columns.entity_type.values }),
        is_guarantor: { type: 'boolean' },
        jurisdiction: { type: 'string' },
      },
      additionalProperties: false,
    },
  },
  sql: {
    params: {
      anyOf: [
        { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
        { type: 'array', items: { type: ['string', 'number', 'boolean', 'null'] } },
      ],
    },
  },
}
