import { date, nullable, number, oneOf, pick, text } from '../schema/column.ts'
import { arrayOf, object, propertiesOf, type Schema, valueSchema, wholeRow } from '../schema/json-schema.ts'
import { bonds } from '../schema/resources/bonds.ts'
import { entities } from '../schema/resources/entities.ts'
import { ratings } from '../schema/resources/ratings.ts'

const day = valueSchema(date('Day.'))
const figure = nullable(number(''))
/** What is told of a bond. */
export const bondTerms = pick(
  bonds.columns,
  'id',
  'name',
  'display_name',
  'cusip',
  'seniority',
  'coupon_rate',
  'maturity_date',
  'currency',
  'outstanding',
)
const change = (of: Schema): Schema => object({ previous: of, current: of })
/** What is told of an entity. */
export const entityTerms = pick(entities.columns, 'id', 'name', 'entity_type', 'jurisdiction')

/** JSON schema of `CompanyChanges`. */
export const changesSchema = object(
  {
    ticker: valueSchema(nullable(text('Ticker.'))),
    company_name: valueSchema(text('Company name.')),
    since: day,
    until: day,
    snapshot_date: valueSchema(date('The same as `since`.')),
    current_date: valueSchema(date('The same as `until`.')),
    changes: object({
      new_debt: arrayOf(
        wholeRow({
          ...bondTerms,
          issue_date: bonds.columns.issue_date,
          reason: oneOf(
            ['issued', 'filed', 'first_priced'],
            'Issued in the period, first stated in a filing of the period, or first priced in a list that had prices before.',
          ),
        }),
      ),
      newly_known_debt: arrayOf(wholeRow({ ...bondTerms, issue_date: bonds.columns.issue_date })),
      removed_debt: arrayOf(
        wholeRow({ ...bondTerms, reason: oneOf(['matured', 'retired'], 'Why it was removed.') }),
      ),
      changed_debt: arrayOf(
        object({
          ...propertiesOf(wholeRow(pick(bonds.columns, 'id', 'name', 'display_name', 'cusip', 'currency'))),
          changes: { type: 'object', description: 'By term.', additionalProperties: change({}) },
        }),
      ),
      entity_changes: object({
        added: arrayOf(wholeRow(entityTerms)),
        removed: arrayOf(wholeRow(entityTerms)),
      }),
      metric_changes: {
        type: 'object',
        description: 'Changed metrics, by name.',
        additionalProperties: wholeRow({
          previous: figure,
          current: figure,
          change: figure,
          change_pct: figure,
          unit: nullable(
            text('Unit of the figures: `cents`, `minor units` of another currency, `ratio`, `years`.'),
          ),
        }),
      },
      rating_changes: arrayOf(
        wholeRow({
          ...pick(ratings.columns, 'agency', 'rating_type', 'cusip'),
          previous: nullable(text('Rating before.')),
          current: nullable(text('Rating now.')),
          previous_outlook: nullable(text('Outlook before.')),
          ...pick(ratings.columns, 'outlook', 'effective_date'),
          direction: oneOf(['new', 'upgrade', 'downgrade', 'outlook', 'withdrawn'], 'Kind of change.'),
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
          url: nullable(text('URL of the filing.')),
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
)
