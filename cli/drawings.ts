import { memberOf } from '../engine/base/elements.ts'
import type { CovenantComparison } from '../engine/operations/compare-covenants.ts'
import type { CompanyRecovery } from '../engine/operations/recovery.ts'
import type { Traversal } from '../engine/operations/traverse-entities.ts'
import { text } from '../engine/schema/column.ts'
import type { Input } from '../engine/schema/params.ts'
import { type Branch, drawTree } from './draw-tree.ts'
import { plainText, printTable } from './print-table.ts'

/** How an operation's answer is drawn on a terminal if a table is not suitable. */
export interface Drawing {
  /** Additional fields needed only for the drawing. */
  readonly input: Input
  /** Null if the answer cannot be drawn. */
  readonly draw: (data: Readonly<Record<string, unknown>>, width: number | null) => string | null
}

export const drawings: Readonly<Record<string, Drawing>> = {
  'traverse.entities': {
    input: { explain: 'true' },
    draw: (data, width) => drawTraversal(data as unknown as Drawn, width),
  },
  'compare.covenants': {
    input: {},
    draw: (data, width) => drawComparison(data as unknown as CovenantComparison, width),
  },
  'recovery.company': {
    input: {},
    draw: (data, width) => drawRecovery(data as unknown as CompanyRecovery, width),
  },
}

type Entity = Traversal['traversal']['entities'][number] & { readonly _explain?: { readonly from?: string } }
type Drawn = Omit<Traversal, 'traversal'> & {
  readonly traversal: Omit<Traversal['traversal'], 'entities'> & { readonly entities: readonly Entity[] }
}

/** The tree of reached entities, with role, place and debt; instruments under their issuers. */
export function drawTraversal(
  { start, traversal, summary, truncated }: Drawn,
  width: number | null,
): string | null {
  const { entities, instruments = [] } = traversal
  if (entities.some(e => e.id === undefined || e.name === undefined)) return null
  const drawn = new Set(entities.map(e => e.id))
  const reachedFrom = new Map<string, Entity[]>()
  for (const e of entities) {
    const from = e._explain?.from
    if (from === undefined || from === e.id) continue
    const siblings = reachedFrom.get(from)
    if (siblings) siblings.push(e)
    else reachedFrom.set(from, [e])
  }
  const under = (id: string): Branch[] => [
    ...(reachedFrom.get(id) ?? []).map(branchOf),
    ...instruments.filter(b => b.issuer_id === id).map(b => ({ label: instrumentLabel(b), branches: [] })),
  ]
  const branchOf = (entity: Entity): Branch => ({ label: entityLabel(entity), branches: under(entity.id!) })
  const branches = [
    ...entities.filter(e => !drawn.has(e._explain?.from ?? '')).map(branchOf),
    ...instruments
      .filter(b => !drawn.has(b.issuer_id ?? ''))
      .map(b => ({ label: instrumentLabel(b), branches: [] })),
  ]
  const found = Object.entries(summary).filter(([, v]) => v !== 0 && v !== null)
  const parts = [
    drawTree({ label: `${start.name ?? start.id} (${start.type})`, branches }, width),
    found.length === 0 ? 'nothing found\n' : `${found.map(([k, v]) => `${k} ${v}`).join(' · ')}\n`,
    ...(truncated ? ['truncated: there are more than fit into one answer\n'] : []),
  ]
  return parts.join('\n')
}

const entityLabel = (e: Entity): string =>
  [
    e.name,
    [
      e.entity_type,
      e.jurisdiction,
      e.is_guarantor ? `guarantor${e.guarantee_type ? ` (${e.guarantee_type})` : ''}` : null,
      e.debt_at_entity?.count ? `${e.debt_at_entity.count} with ${millions(e.debt_at_entity.total)}` : null,
    ]
      .filter(Boolean)
      .join(' · '),
  ]
    .filter(Boolean)
    .join('  ')

const instrumentLabel = (b: {
  display_name?: string | null
  name: string | null
  cusip: string | null
  outstanding: number | null
}): string => [b.display_name ?? b.name ?? b.cusip ?? 'unnamed', millions(b.outstanding)].join('  ')

/** Cents as millions of the currency. */
const millions = (cents: number | null | undefined): string =>
  cents === null || cents === undefined
    ? 'amount unknown'
    : `${(cents / 1e8).toLocaleString('en-US', { maximumFractionDigits: 1 })}m`

/** A matrix with companies across, tests and covenants down. */
export function drawComparison(data: CovenantComparison, width: number | null): string {
  const { tickers, companies, comparison_matrix, presence_matrix } = data
  const columns = [' ', ...tickers].map(name => ({ name, column: text('') }))
  const table = (rows: readonly (readonly string[])[]) => printTable(columns, rows, width).text
  const tests = comparison_matrix.map(({ metric, ...by }) => [
    metric,
    ...tickers.map(ticker => {
      const test = by[ticker] as Test | null
      return testText(test, stepsDown(data, ticker, metric, test))
    }),
  ])
  const present = presence_matrix.map(({ covenant_name, ...by }) => [
    covenant_name,
    ...tickers.map(ticker => (by[ticker] ? 'yes' : '-')),
  ])
  const about = tickers.map(ticker => {
    const { name, covenant_count } = memberOf(companies, ticker)
    return `${ticker}  ${plainText(name)}, ${covenant_count} ${covenant_count === 1 ? 'covenant' : 'covenants'}`
  })
  return [
    `${about.join('\n')}\n`,
    ...(tests.length > 0 ? [table(tests)] : []),
    ...(present.length > 0 ? [table(present)] : []),
  ].join('\n')
}

interface Test {
  readonly threshold_value: number | null
  readonly threshold_type: string | null
  readonly test_frequency: string | null
  readonly levels?: number
  readonly instruments?: readonly string[]
}

const onInstruments = (instruments: readonly string[] = []): string[] =>
  instruments.length > 0 ? [`on ${instruments.join(', ')}`] : []

const testText = (test: Test | null, steps: boolean): string =>
  test === null
    ? '-'
    : [
        test.threshold_type === 'maximum' ? '≤' : test.threshold_type === 'minimum' ? '≥' : '',
        test.threshold_value === null ? 'not stated' : test.threshold_value.toFixed(2),
        test.test_frequency ?? '',
        steps ? '(steps)' : '',
        test.levels === undefined
          ? ''
          : `(${['tightest of', test.levels, ...onInstruments(test.instruments)].join(' ')})`,
      ]
        .filter(Boolean)
        .join(' ')

/** Whether the test shown in the matrix tightens over time. */
const stepsDown = (
  { companies }: CovenantComparison,
  ticker: string,
  metric: string,
  test: Test | null,
): boolean =>
  companies[ticker]?.covenants.find(
    c =>
      c.test_metric === metric &&
      c.threshold_value === test?.threshold_value &&
      c.threshold_type === test?.threshold_type,
  )?.has_step_down === true

const MOST_LEFT = 5

/** Classes from the first paid to the last with their recovery, beside other multiples; then what was assumed. */
function drawRecovery(data: CompanyRecovery, width: number | null): string {
  const { classes, sensitivity, left_out, notes, currency } = data
  const percentText = (value: number | null | undefined) =>
    value === null || value === undefined ? '-' : `${value.toFixed(1)}%`
  const headings = ['level', 'class', `amount ${currency}`, 'recovery', 'percent']
  const columns = [...headings, ...sensitivity.map(({ multiple }) => `${multiple}x`)].map(name => ({
    name,
    column: text(''),
  }))
  const rows = classes.map((row, i) => [
    row.level,
    row.class,
    millions(row.amount),
    row.recovery === null ? '-' : millions(row.recovery),
    percentText(row.recovery_percent),
    ...sensitivity.map(({ recovery_percents }) => percentText(recovery_percents[i])),
  ])
  const value =
    data.enterprise_value === null
      ? `no value: ${data.null_because}`
      : `value ${millions(data.enterprise_value)}${data.multiple === null ? '' : `, ${data.multiple.toFixed(2)} x EBITDA`}, costs ${millions(data.costs)}, left for owners ${millions(data.equity_value)}`
  const leftOut = [
    ...left_out.slice(0, MOST_LEFT).map(({ name, reason }) => `Left out: ${plainText(name)} (${reason}).`),
    ...(left_out.length > MOST_LEFT ? [`... and ${left_out.length - MOST_LEFT} more: --format json.`] : []),
  ]
  return [
    `${data.ticker ?? ''}  ${plainText(data.company_name)}: ${value}\n`,
    ...(rows.length > 0 ? [printTable(columns, rows, width).text] : []),
    `${[...notes, ...leftOut].join('\n')}\n`,
  ].join('\n')
}
