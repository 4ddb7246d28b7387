import t from 'tap'
import { drawTree } from '../../cli/draw-tree.ts'
import { drawComparison, drawings, drawTraversal } from '../../cli/drawings.ts'
import { printWall } from '../../cli/print-wall.ts'
import { text } from '../../engine/schema/column.ts'

const entity = (id: string, from: string, level: number, more = {}) => ({
  id,
  name: `${id} Inc.`,
  entity_type: 'subsidiary',
  jurisdiction: 'Delaware',
  is_guarantor: false,
  is_vie: false,
  guarantee_type: null,
  debt_at_entity: { count: 0, total: 0 },
  level,
  _explain: { reached_by: 'children', from },
  ...more,
})

const traversal = (entities: unknown[], more = {}) =>
  ({
    start: { type: 'company', id: 'ALFA', ticker: 'ALFA', name: 'Alfa Corp', company: 'Alfa Corp' },
    traversal: { relationship: 'subsidiaries', direction: 'outbound', depth: 2, entities },
    summary: { total_entities: entities.length, total_guarantors: 1, guarantee_coverage: null, holdcos: 0 },
    truncated: false,
    ...more,
  }) as unknown as Parameters<typeof drawTraversal>[0]

t.test('a traversal is a tree: children under the entity they were reached from', async t => {
  const drawn = drawTraversal(
    traversal([
      entity('Hold', 'ALFA', 1, { is_guarantor: true, guarantee_type: 'full' }),
      entity('Fin', 'ALFA', 1, { jurisdiction: null }),
      entity('Op', 'Hold', 2, { debt_at_entity: { count: 2, total: 72_500_000_000 } }),
    ]),
    null,
  )
  t.equal(
    drawn,
    `Alfa Corp (company)
├─ Hold Inc.  subsidiary · Delaware · guarantor (full)
│  └─ Op Inc.  subsidiary · Delaware · 2 with 725m
└─ Fin Inc.  subsidiary

total_entities 3 · total_guarantors 1
`,
  )
})

t.test('instruments are drawn under their issuers, those of others under the start', async t => {
  const data = traversal([entity('Op', 'ALFA', 1)])
  const bond = (name: string, issuer_id: string | null, outstanding: number | null) => ({
    name,
    issuer_id,
    outstanding,
  })
  const drawn = drawTraversal(
    {
      ...data,
      traversal: {
        ...data.traversal,
        instruments: [bond('5% Notes', 'Op', 50_000_000_000), bond('Revolver', null, null)],
      },
    } as typeof data,
    null,
  )
  t.match(drawn, '├─ Op Inc.  subsidiary · Delaware\n│  └─ 5% Notes  500m\n└─ Revolver  amount unknown\n')
})

t.test('a truncated tree says so, and an entity whose path was filtered out is under the start', async t => {
  const drawn = drawTraversal(traversal([entity('Deep', 'Gone', 3)], { truncated: true }), null)
  t.match(drawn, '└─ Deep Inc.')
  t.match(drawn, 'truncated: there are more')
})

t.test('without ids or names no tree is drawn', async t => {
  t.equal(drawTraversal(traversal([{ jurisdiction: 'Delaware' }]), null), null)
  t.strictSame(Object.keys(drawings), ['traverse.entities', 'compare.covenants', 'recovery.company'])
})

t.test('lines are cut to the terminal, and names cannot move the cursor', async t => {
  const drawn = drawTree(
    { label: 'root', branches: [{ label: `a\x1b[31m\n${'b'.repeat(50)}`, branches: [] }] },
    20,
  )
  t.equal(drawn.split('\n')[1]!.length, 20)
  t.notMatch(drawn, /\x1b/)
})

t.test('a comparison is a matrix of levels and a matrix of existing covenants', async t => {
  const test = (threshold_value: number | null, threshold_type: string) => ({
    threshold_value,
    threshold_type,
    test_frequency: 'quarterly',
  })
  const covenant = (has_step_down: boolean) => ({
    covenant_type: 'financial',
    covenant_name: 'Maximum Total Leverage Ratio',
    test_metric: 'leverage_ratio',
    has_step_down,
    ...test(4.5, 'maximum'),
  })
  const drawn = drawComparison(
    {
      tickers: ['ALFA', 'BETA'],
      companies: {
        ALFA: { name: 'Alfa Corp', covenant_count: 1, covenants: [covenant(true)] },
        BETA: { name: 'Beta Corp', covenant_count: 0, covenants: [] },
      },
      comparison_matrix: [{ metric: 'leverage_ratio', ALFA: test(4.5, 'maximum'), BETA: null }],
      presence_matrix: [{ covenant_name: 'Maximum Total Leverage Ratio', ALFA: true, BETA: false }],
      meta: { tickers_compared: 2, total_covenants: 1, filter_test_metric: null },
    },
    null,
  )
  t.equal(
    drawn,
    `ALFA  Alfa Corp, 1 covenant
BETA  Beta Corp, 0 covenants

                ALFA                      BETA
──────────────  ────────────────────────  ────
leverage_ratio  ≤ 4.50 quarterly (steps)  -

                              ALFA  BETA
────────────────────────────  ────  ────
Maximum Total Leverage Ratio  yes   -
`,
  )
})

t.test('a maturity wall is a bar for each period, and what is not known is a question mark', async t => {
  const names = [
    'ticker',
    'company_name',
    'period_start',
    'period_end',
    'due',
    'due_source',
    'bonds_unknown',
    'bond_count',
    'bonds_null_because',
  ]
  const columns = names.map(name => ({ name, column: text('') }))
  const rows = [
    ['ALFA', 'Alfa Corp', '2026-01-01', '2026-12-31', 200e8, 'bonds', 0, 1, null],
    ['ALFA', 'Alfa Corp', '2027-01-01', '2027-12-31', 100e8, 'bonds', 2, 3, null],
    ['ALFA', 'Alfa Corp', '2028-01-01', '2028-12-31', null, null, 1, 1, 'stale'],
    ['ALFA', 'Alfa Corp', '2029-01-01', null, null, null, 0, 1, 'nothing_drawn'],
  ]
  const lines = printWall(columns, rows, 200).text.split('\n')
  t.match(lines[0], 'Alfa Corp')
  const bars = lines.slice(1, 4).map(line => line.split('█').length - 1)
  t.ok(bars[0]! > 0 && bars[0] === 2 * bars[1]!, 'in proportion')
  t.equal(bars[2], 0)
  t.match(lines[2], '2 of unknown amount')
  t.match(lines[3], /2028 +\? +1 with an amount older than max_age/)
  t.match(lines[4], /from 2029-01-01 +\? +facilities with nothing drawn/)
})

t.test('beside a filed schedule, debt without a maturity has a line and no bar', t => {
  const names = ['ticker', 'company_name', 'period_start', 'period_end', 'due', 'filed_balance_date']
  const columns = names.map(name => ({ name, column: text('') }))
  const rows = (filed: string | null) => [
    ['ALFA', 'Alfa Corp', '2026-01-01', '2026-12-31', 100_00000000, filed],
    ['ALFA', 'Alfa Corp', null, null, 900_00000000, filed],
    ['BETA', 'Beta Corp', null, null, null, filed],
  ]
  const shown = printWall(columns, rows('2025-09-27'), 120).text
  const [, year, none] = shown.split('\n')
  t.match(year, /2026 +100 +█+$/)
  t.match(none, /no maturity +900 +beyond what the schedule has$/)
  t.match(shown, /no maturity +\? +what is long-term is in the schedule/)
  t.match(
    printWall(columns, rows(null), 120).text,
    /no maturity +900 +█+/,
    'without a schedule it has its bar',
  )
  t.end()
})
