import { firstOf } from '../base/elements.ts'
import type { Direction } from '../credit/covenant-headroom.ts'
import { stored } from '../database/views.ts'
import type { testMetrics } from '../schema/vocabulary.ts'
import { type KeyedRows, rowsByKey } from './keyed-rows.ts'
import type { Context } from './operation.ts'

export type TestMetric = (typeof testMetrics)[number]

interface Step {
  readonly date: string | null
  readonly threshold_value: number
}

/** A maintenance test in force on the day. */
export interface CovenantTest {
  readonly covenant_id: string
  readonly company_id: string
  readonly covenant_name: string
  readonly instrument_name: string | null
  readonly cusip: string | null
  readonly test_metric: TestMetric
  readonly threshold_type: Direction
  /** Whether the source states the direction; else it is the usual one of the metric. */
  readonly direction_stated: boolean
  /** The level of the day; null before the first one begins. */
  readonly level: number | null
  /** Whether the level that is stated is that of a step after the day: nothing is tested yet. */
  readonly is_to_begin: boolean
  readonly next_level: number | null
  readonly next_level_date: string | null
  readonly steps: readonly Step[]
  readonly test_frequency: string | null
  readonly cure_period_days: number | null
  readonly extraction_confidence: number | null
  readonly source_document_date: string | null
  /** Date of the newest document that states it. */
  readonly last_stated: string | null
  /** Terms as the document defines them, as JSON. */
  readonly definitions: string | null
  readonly source: string | null
  readonly known_from: string | null
  /** The records that state this test, newest first. */
  readonly records: readonly { readonly id: string; readonly source: string | null }[]
}

type Row = Omit<
  CovenantTest,
  | 'level'
  | 'is_to_begin'
  | 'next_level'
  | 'next_level_date'
  | 'steps'
  | 'records'
  | 'direction_stated'
  | 'threshold_type'
> & {
  readonly threshold_type: Direction | null
  readonly threshold_value: number | null
  readonly step_down_schedule: string | null
}

/** Ratios with a minimum; debt over EBITDA and the like have a maximum. */
const floors: ReadonlySet<TestMetric> = new Set(['interest_coverage', 'fixed_charge_coverage'])

const financialTests: KeyedRows<Row> = {
  name: 'financial tests of companies',
  tables: ['covenants', 'bonds'],
  keyOf: row => row.company_id,
  sql: (among, { coverage }) =>
    `SELECT c.id AS covenant_id, c.company_id, c.covenant_name, c.instrument_name, c.cusip, c.test_metric, c.threshold_type, c.threshold_value,
       c.step_down_schedule, c.test_frequency, c.cure_period_days, c.extraction_confidence,
       CAST(c.source_document_date AS VARCHAR) AS source_document_date, CAST(c.last_stated AS VARCHAR) AS last_stated,
       CAST(c.definitions AS VARCHAR) AS definitions, c.source, CAST(c.known_from AS VARCHAR) AS known_from
     FROM ${stored('covenants')} c LEFT JOIN ${stored('bonds')} b ON b.cusip = c.cusip
     WHERE c.covenant_type = 'financial' AND c.test_metric IS NOT NULL AND c.company_id IS NOT NULL AND c.in_force AND coalesce(b.is_active, TRUE)
       ${among('c.company_id')} ${coverage === 'standard' ? "AND c.coverage = 'standard'" : ''}
     ORDER BY c.company_id, c.source_document_date DESC NULLS LAST, c.known_from DESC NULLS LAST, c.id`,
}

/**
 * The financial tests of companies in force on the day; of all companies if none is named. A test of a bond that was
 * retired is over too. Records that state one test of one instrument at one level are one test.
 */
export async function testsInForce(
  context: Context,
  companies: readonly string[] | null,
): Promise<CovenantTest[]> {
  const rows = await rowsByKey(context, financialTests, companies)
  const tests = new Map<string, Row[]>()
  for (const row of rows) {
    const {
      company_id,
      test_metric,
      threshold_type,
      threshold_value,
      step_down_schedule,
      instrument_name,
      cusip,
    } = row
    const key = JSON.stringify([
      company_id,
      test_metric,
      threshold_type,
      step_down_schedule ?? threshold_value,
      instrument_name,
      cusip,
    ])
    const same = tests.get(key)
    if (same) same.push(row)
    else tests.set(key, [row])
  }
  return [...tests.values()].map(same => testOf(same, context.asOf))
}

function testOf(records: readonly Row[], day: string): CovenantTest {
  const { threshold_value, step_down_schedule, threshold_type, ...row } = firstOf(records)
  const steps = step_down_schedule === null ? [] : (JSON.parse(step_down_schedule) as Step[])
  const begun = steps.filter(({ date }) => date === null || date <= day)
  const next = steps.find(({ date }) => date !== null && date > day)
  const isToBegin = begun.length === 0 && next !== undefined && next.threshold_value === threshold_value
  return {
    ...row,
    threshold_type: threshold_type ?? (floors.has(row.test_metric) ? 'minimum' : 'maximum'),
    direction_stated: threshold_type !== null,
    level: isToBegin ? null : (begun.at(-1)?.threshold_value ?? threshold_value),
    is_to_begin: isToBegin,
    next_level: next?.threshold_value ?? null,
    next_level_date: next?.date ?? null,
    steps,
    definitions: records.find(record => record.definitions !== null)?.definitions ?? null,
    records: records.map(({ covenant_id, source }) => ({ id: covenant_id, source })),
  }
}
