import { invalid } from '../base/errors.ts'
import { stored } from '../database/views.ts'
import { list, nullable, oneOf, pick, shaped, text } from '../schema/column.ts'
import {
  arrayOf,
  countSchema,
  object,
  orNull,
  propertiesOf,
  valueSchema,
  wholeRow,
} from '../schema/json-schema.ts'
import { many, required } from '../schema/params.ts'
import { covenants } from '../schema/resources/covenants.ts'
import { covenantTypes, testMetrics } from '../schema/vocabulary.ts'
import { identities } from './company-state.ts'
import { type KeyedRows, rowsByKey } from './keyed-rows.ts'
import { operation } from './operation.ts'
import { explainParam, timeParams, unknownParam } from './params.ts'

interface Threshold {
  threshold_value: number | null
  threshold_type: string | null
  test_frequency: string | null
}

interface Compared extends Threshold {
  covenant_type: string
  covenant_name: string
  test_metric: string | null
  has_step_down: boolean | null
}

/** A company's tightest level for a metric. */
interface MatrixCell extends Threshold {
  /** How many of the company's covenants test the metric, if several. */
  levels?: number
  /** The instruments whose level is shown, if several covenants test the metric. */
  instruments?: string[]
}

/** Where a covenant is in its document. */
interface Origin {
  id: string
  covenant_name: string
  test_metric: string | null
  instrument_name: string | null
  cusip: string | null
  source: string | null
  source_document_date: string | null
  known_from: string | null
  extraction_confidence: number | null
  /** Whether the comparison matrix shows it for its metric. */
  in_matrix: boolean
}

export interface CovenantComparison {
  tickers: string[]
  companies: Record<string, { name: string | null; covenant_count: number; covenants: Compared[] }>
  comparison_matrix: ({ metric: string } & Record<string, MatrixCell | null | string>)[]
  presence_matrix: ({ covenant_name: string } & Record<string, boolean | string>)[]
  /** The sources of each company's covenants, in the order of `covenants`. */
  _explain?: Record<string, Origin[]>
  meta: { tickers_compared: number; total_covenants: number; filter_test_metric: string | null }
}

const thresholdMembers = propertiesOf(
  wholeRow(pick(covenants.columns, 'threshold_value', 'threshold_type', 'test_frequency')),
)

const comparisonSchema = object(
  {
    tickers: valueSchema(list('Tickers compared.')),
    companies: {
      type: 'object',
      description: 'By ticker.',
      additionalProperties: object({
        name: valueSchema(nullable(text('Company name.'))),
        covenant_count: countSchema('Covenants that match.'),
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
      description: 'One row per metric, with the tightest threshold or null by ticker.',
      required: ['metric'],
      properties: { metric: { type: 'string', enum: testMetrics } },
      additionalProperties: orNull(
        object(
          {
            ...thresholdMembers,
            levels: countSchema('Number of covenants that test the metric, if several.'),
            instruments: valueSchema(
              list('Instruments whose threshold is shown, if several covenants test the metric.'),
            ),
          },
          ['levels', 'instruments'],
        ),
      ),
    }),
    presence_matrix: arrayOf({
      type: 'object',
      description: 'One row per covenant, with whether each company has it, by ticker.',
      required: ['covenant_name'],
      properties: { covenant_name: { type: 'string' } },
      additionalProperties: { type: 'boolean' },
    }),
    _explain: { type: 'object', description: 'By ticker, where each covenant comes from.' },
  },
  ['_explain'],
)

export const compareCovenants = operation({
  name: 'compare.covenants',
  method: 'GET',
  path: '/v1/covenants/compare',
  command: 'compare-covenants',
  doc: 'Covenants in force of two to ten companies side by side.',
  tier: 'business',
  cost: 'simple',
  answers: 'object',
  envelope: '',
  columns: null,
  objectSchema: comparisonSchema,
  meta: {
    tickers_compared: countSchema('Companies compared.'),
    total_covenants: countSchema('Covenants that match.'),
    filter_test_metric: valueSchema(nullable(text('Requested metrics.'))),
  },
  examples: ['--ticker FLKNT,MRVND --test-metric first_lien_leverage'],
  params: {
    ticker: required(many(shaped('ticker', 'Tickers to compare, 2 to 10.'))),
    covenant_type: many(oneOf(covenantTypes, 'Only covenants of this type.')),
    test_metric: many(oneOf(testMetrics, 'Only covenants that test this metric.')),
    ...unknownParam,
    ...timeParams,
    ...explainParam,
  },
  check: checkNumber,
  async run(context, args) {
    checkNumber(args)
    const { ticker: asked = [], covenant_type, test_metric, on_unknown, explain } = args
    const { ids, unknown } = await context.companies(asked, on_unknown === 'skip')
    const names = await identities(context)
    const rows = (await rowsByKey(context, covenantsInForce, ids)).filter(
      row =>
        (covenant_type?.some(type => type === row.covenant_type) ?? true) &&
        (test_metric?.some(metric => metric === row.test_metric) ?? true),
    )
    const compared = ids.map(id => {
      const company = names.get(id)
      const own = rows.filter(r => r.company_id === id)
      return {
        key: company?.ticker ?? id,
        name: company?.name ?? null,
        covenants: own.map(comparedOf),
        rows: own,
        origins: own.map(row => originOf(row, row === tightest(row.test_metric, own))),
      }
    })
    const tested = [...new Set(rows.flatMap(r => (r.test_metric ? [r.test_metric] : [])))].sort()
    const named = [...new Set(rows.map(r => r.covenant_name))].sort()
    const comparison: CovenantComparison = {
      tickers: compared.map(c => c.key),
      companies: Object.fromEntries(
        compared.map(c => [
          c.key,
          { name: c.name, covenant_count: c.covenants.length, covenants: c.covenants },
        ]),
      ),
      comparison_matrix: tested.map(metric => ({
        metric,
        ...Object.fromEntries(compared.map(c => [c.key, cellOf(metric, c.rows)])),
      })),
      presence_matrix: named.map(covenant_name => ({
        covenant_name,
        ...Object.fromEntries(
          compared.map(c => [c.key, c.covenants.some(v => v.covenant_name === covenant_name)]),
        ),
      })),
      ...(explain && { _explain: Object.fromEntries(compared.map(c => [c.key, c.origins])) }),
      meta: {
        tickers_compared: compared.length,
        total_covenants: rows.length,
        filter_test_metric: test_metric?.join(',') ?? null,
        ...(unknown.length && { unknown }),
      },
    }
    return { kind: 'object', whole: true, data: { ...comparison } }
  },
  out: undefined as CovenantComparison | undefined,
})

type Level = Compared & Pick<Origin, 'instrument_name' | 'cusip'>

/** Ratios with a minimum; debt to EBITDA and the like have a maximum. */
const floors = new Set(['interest_coverage', 'fixed_charge_coverage'])

const isFloor = ({ threshold_type, test_metric }: Compared): boolean =>
  threshold_type === 'minimum' || (threshold_type !== 'maximum' && floors.has(test_metric ?? ''))

/**
 * The binding level: the lowest maximum or the highest minimum. If a metric has both, the usual direction wins; a
 * numeric level is preferred to one left to a definition.
 */
function tightest<L extends Level>(metric: string | null, own: readonly L[]): L | undefined {
  const levels = own.filter(c => metric !== null && c.test_metric === metric)
  const stated = levels.filter(c => c.threshold_value !== null)
  const usual = stated.filter(c => isFloor(c) === floors.has(metric!))
  const [first, ...others] = usual.length > 0 ? usual : stated
  if (!first) return levels[0]
  return others.reduce(
    (best, c) =>
      (
        isFloor(first)
          ? c.threshold_value! > best.threshold_value!
          : c.threshold_value! < best.threshold_value!
      )
        ? c
        : best,
    first,
  )
}

function cellOf(metric: string, own: readonly Level[]): MatrixCell | null {
  const best = tightest(metric, own)
  if (!best) return null
  const { threshold_value, threshold_type, test_frequency } = best
  const shown = { threshold_value, threshold_type, test_frequency }
  const levels = own.filter(c => c.test_metric === metric)
  if (levels.length === 1) return shown
  const same = levels.filter(
    c => c.threshold_value === threshold_value && c.threshold_type === threshold_type,
  )
  const instruments = [...new Set(same.flatMap(c => c.instrument_name ?? c.cusip ?? []))].sort()
  return { ...shown, levels: levels.length, instruments }
}

const covenantsInForce: KeyedRows<Compared & Omit<Origin, 'in_matrix'> & { company_id: string }> = {
  name: 'covenants of companies in force',
  tables: ['covenants'],
  keyOf: row => row.company_id,
  sql: among =>
    `SELECT company_id, covenant_type, covenant_name, test_metric, threshold_value, threshold_type, test_frequency, has_step_down,
       id, instrument_name, cusip, source, CAST(source_document_date AS VARCHAR) AS source_document_date,
       CAST(known_from AS VARCHAR) AS known_from, extraction_confidence
     FROM ${stored('covenants')} WHERE in_force AND company_id IS NOT NULL ${among('company_id')}
     ORDER BY company_id, covenant_type, covenant_name, test_metric, threshold_value, id`,
}

function checkNumber({ ticker = [] }: { readonly ticker?: readonly string[] }): void {
  if (ticker.length < 2 || ticker.length > 10)
    throw invalid('ticker', ticker, `compare takes 2 to 10 tickers, not ${ticker.length}`, {
      min: 2,
      max: 10,
    })
}

const comparedOf = (row: Compared): Compared => ({
  covenant_type: row.covenant_type,
  covenant_name: row.covenant_name,
  test_metric: row.test_metric,
  threshold_value: row.threshold_value,
  threshold_type: row.threshold_type,
  test_frequency: row.test_frequency,
  has_step_down: row.has_step_down,
})

const originOf = (row: Omit<Origin, 'in_matrix'>, isFirst: boolean): Origin => ({
  id: row.id,
  covenant_name: row.covenant_name,
  test_metric: row.test_metric,
  instrument_name: row.instrument_name,
  cusip: row.cusip,
  source: row.source,
  source_document_date: row.source_document_date,
  known_from: row.known_from,
  extraction_confidence: row.extraction_confidence,
  in_matrix: row.test_metric !== null && isFirst,
})
