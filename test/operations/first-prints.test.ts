import t from 'tap'
import { open } from '../../engine/engine.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { verifyFigures } from '../../engine/verify/verify.ts'
import { builtLake } from '../built-lake.ts'
import type { Rows } from '../make-lake.ts'

// A past day is derived whole for its recomputation, which takes a while on a busy machine.
t.setTimeout(180_000)

const END = '2024-12-31'
const due = ['NextTwelveMonths', 'YearTwo', 'YearThree', 'YearFour', 'YearFive']

interface Filed {
  readonly filed: string
  readonly ebit: number
  readonly debt: number
  readonly due: number
  readonly form?: string
}

/** The annual report of 2024, or an amendment of it; amounts in millions. */
const annual = (cik: string, { filed, ebit, debt, due: first, form = '10-K' }: Filed) =>
  (
    [
      ['OperatingIncomeLoss', ebit, '2024-01-01'],
      ['DepreciationDepletionAndAmortization', 20],
      ['InterestExpense', 20],
      ['NetCashProvidedByUsedInOperatingActivities', ebit],
      ['PaymentsToAcquirePropertyPlantAndEquipment', 10],
      ['LongTermDebtNoncurrent', debt],
      ['CashAndCashEquivalentsAtCarryingValue', 50],
      ...due.map(year => [`LongTermDebtMaturitiesRepaymentsOfPrincipalIn${year}`, first] as const),
    ] as const
  ).map(([concept, millions]) => ({
    cik,
    concept: `us-gaap:${concept}`,
    unit: 'USD',
    period_end: END,
    ...(!/Debt|Equivalents/.test(concept) && { period_start: '2024-01-01' }),
    value: millions * 1e6,
    accession: `${cik}-${filed.slice(2, 4)}-${filed.slice(5, 7)}${filed.slice(8)}00`,
    form,
    fiscal_year: 2024,
    filed_date: filed,
    known_from: filed,
    source: `${cik}-${filed}.json`,
  }))

const company = (ticker: string, cik: string) => ({ ticker, name: `${ticker} Corp`, cik, sector: 'Energy' })

const rows: Rows = {
  companies: [company('ONCE', '0000000021'), company('TWCE', '0000000022')],
  facts: [
    ...annual('0000000021', { filed: '2025-02-10', ebit: 80, debt: 300, due: 10 }),
    ...annual('0000000022', { filed: '2025-02-10', ebit: 80, debt: 300, due: 10 }),
    ...annual('0000000022', { filed: '2025-05-12', ebit: 40, debt: 360, due: 30, form: '10-K/A' }),
  ],
  covenants: ['ONCE', 'TWCE'].map(ticker => ({
    ticker,
    covenant_type: 'financial',
    covenant_name: 'Maximum Leverage Ratio',
    test_metric: 'leverage_ratio',
    threshold_value: 4.5,
    threshold_type: 'maximum',
    source_document_date: '2025-01-10',
    known_from: '2025-01-10',
  })),
}

const lake = await builtLake(t.teardown, rows, { asOf: '2025-06-30' })
const manifest = await currentManifest(lake)
const engine = await open(lake, { hotMemory: '64MB' })
const fromFiles = await open(lake, { hotMemory: '0MB' })
t.teardown(() => {
  engine.close()
  fromFiles.close()
})

type Asked = Parameters<typeof engine.call<'search.companies'>>[1]
const leverage = async (asked: Asked = {}, of = engine) => {
  const { data } = await of.call('search.companies', { ...asked, fields: ['ticker', 'leverage_ratio'] })
  return Object.fromEntries(data.map(row => [row.ticker, row.leverage_ratio]))
}
const FIRST = { ONCE: 3, TWCE: 3 }
const LATEST = { ONCE: 3, TWCE: 6 }

t.test('companies are those of first prints if asked, else of the latest', async t => {
  for (const of of [engine, fromFiles]) {
    t.strictSame(await leverage({}, of), LATEST)
    t.strictSame(await leverage({ reported: 'latest' }, of), LATEST)
    t.strictSame(await leverage({ reported: 'original' }, of), FIRST)
    t.strictSame(await leverage({ reported: 'original', max_age: 'none' }, of), FIRST)
    t.strictSame(await leverage({ reported: 'latest', max_age: 'none' }, of), LATEST)
    t.strictSame(await leverage({ reported: 'original', max_age: 0 }, of), { ONCE: null, TWCE: null })
    t.strictSame(await leverage({ min_leverage: 4 }, of), { TWCE: 6 }, 'filters read the same figures')
    t.strictSame(await leverage({ min_leverage: 4, reported: 'original' }, of), {})
  }
  const { meta } = await engine.call('search.companies', { reported: 'original', limit: 1 })
  t.match(meta, { filters_applied: { reported: 'original' } })
})

t.test('first prints as of a day are the first of those known by then', async t => {
  t.strictSame(await leverage({ as_of: '2025-03-31' }), FIRST, 'nothing was restated yet')
  t.strictSame(await leverage({ as_of: '2025-03-31', reported: 'original' }), FIRST)
  t.strictSame(await leverage({ as_of: '2025-06-10' }), LATEST)
  t.strictSame(await leverage({ as_of: '2025-06-10', reported: 'original' }), FIRST)
  const { data } = await engine.ask('panel', {
    resource: 'companies',
    dates: '2025-03-31,2025-06-10',
    reported: 'original',
    fields: 'ticker,leverage_ratio',
  })
  t.strictSame(
    (data as Record<string, unknown>[]).map(row => Object.values(row).join(' ')),
    ['2025-03-31 ONCE 3', '2025-03-31 TWCE 3', '2025-06-10 ONCE 3', '2025-06-10 TWCE 3'],
  )
})

t.test('figures of companies are those of the same version of the trailing statement', async t => {
  for (const reported of ['latest', 'original'] as const) {
    const companies = (await engine.call('search.companies', { reported })).data
    const { data } = await engine.call('search.financials', { reported, period: 'TTM' })
    t.equal(data.length, 2)
    for (const of of data)
      t.match(
        companies.find(({ ticker }) => ticker === of.ticker),
        { leverage_ratio: of.leverage_ratio, total_debt: of.total_debt, ebitda_ttm: of.ebitda },
        `${of.ticker} ${reported}`,
      )
  }
})

t.test('an explanation says that a figure is a first print, and of which day', async t => {
  const explained = async (ticker: string, reported: 'latest' | 'original') => {
    const { data } = await engine.call('get.company', {
      ticker,
      reported,
      explain: true,
      include_metadata: true,
    })
    const { _explain, _metadata } = data as unknown as {
      _explain: Record<string, { flags: string[]; inputs: { accession?: string }[] }>
      _metadata: { warnings: string[]; source_filings: string[] }
    }
    return {
      flags: ['total_debt', 'ebitda_ttm', 'debt_due_1yr'].flatMap(name => _explain[name]!.flags),
      filings: _metadata.source_filings,
      isWarned: _metadata.warnings.some(warning => warning.startsWith('figures are as first reported')),
    }
  }
  const first = await explained('TWCE', 'original')
  t.equal(first.flags.filter(flag => flag === 'as first reported, known from 2025-02-10').length, 3)
  t.strictSame(first.filings, ['0000000022-25-021000'])
  t.ok(first.isWarned)
  const latest = await explained('TWCE', 'latest')
  t.notOk(latest.flags.some(flag => /first/.test(flag)) || latest.isWarned)
  t.strictSame(latest.filings, ['0000000022-25-051200'])
  t.strictSame(await explained('ONCE', 'original'), await explained('ONCE', 'latest'), 'one print is both')
})

t.test('what is computed from company figures reads the same version', async t => {
  const of = async (name: string, input: Record<string, unknown>, column: string) => {
    const { data } = (await engine.ask(name, input)) as { data: Record<string, unknown>[] }
    return data.filter(row => row['ticker'] === 'TWCE').map(row => row[column])[0]
  }
  for (const [name, column, latest, original] of [
    ['search.headroom', 'ratio', 6, 3],
    ['search.headroom', 'status', 'failed', 'met'],
    ['search.liquidity', 'free_cash_flow', 30e8, 70e8],
    ['search.liquidity', 'due_24m', undefined, undefined],
  ] as const) {
    const [last, first] = [await of(name, {}, column), await of(name, { reported: 'original' }, column)]
    if (latest !== undefined) t.strictSame([last, first], [latest, original], `${name} ${column}`)
    else t.ok(Number(first) < Number(last), `${name} ${column}`)
    t.strictSame(await of(name, { ticker: 'TWCE', reported: 'original' }, column), first, 'by name')
  }
  const percent = async (reported: string) =>
    Number(await of('search.maturities', { reported }, 'due_percent')).toFixed(2)
  t.equal(await percent('latest'), '8.33', '30 of 360')
  t.equal(await percent('original'), '3.33', '10 of 300: the schedule is a first print too')
  const recovery = async (reported: string) => {
    const { data } = await engine.ask('recovery.company', { ticker: 'TWCE', reported })
    return (data as { ebitda: number }).ebitda
  }
  t.strictSame([await recovery('latest'), await recovery('original')], [60e8, 100e8])
})

t.test('exports and distributions of companies and statements take it, other lists refuse it', async t => {
  const exported = async (reported: string) => {
    const { data } = await engine.ask('export', { data_type: 'companies', reported, min_leverage: 4 })
    return (data as unknown[]).length
  }
  t.strictSame([await exported('latest'), await exported('original')], [1, 0])
  const above = async (reported: string) => {
    const input = { data_type: 'companies', reported, min_leverage: 4, of: 'ticker' }
    return ((await engine.ask('count.facets', input)) as { meta: { total: number } }).meta.total
  }
  t.strictSame([await above('latest'), await above('original')], [1, 0])
  await t.rejects(engine.ask('export', { data_type: 'bonds', reported: 'original' }), {
    code: 'INVALID_PARAMETER',
  })
  await t.rejects(engine.call('search.companies', { reported: 'all' as 'latest' }), /latest, original/)
  const panel = (resource: string, reported: string) =>
    engine.ask('panel', { resource, reported, dates: '2025-06-10' })
  await t.rejects(panel('companies', 'all'), { code: 'INVALID_PARAMETER' })
  t.ok(await panel('financials', 'all'))
})

t.test(
  'rows are stored apart only where a statement was restated, and agree with their recomputation',
  async t => {
    const found = await engine.sql(
      'SELECT DISTINCT ticker, is_latest, is_original FROM companies_by_age ORDER BY ALL',
    )
    t.strictSame(
      found.map(row => `${row['ticker']} ${row['is_latest']} ${row['is_original']}`),
      ['ONCE true true', 'TWCE false true', 'TWCE true false'],
    )
    for (const asOf of ['2025-06-30', '2025-06-10']) {
      const differences: unknown[] = []
      await verifyFigures(lake, manifest, { asOf, found: difference => differences.push(difference) })
      t.strictSame(differences, [], asOf)
    }
  },
)

t.test('changes between two days are of the latest figures', async t => {
  const { data } = await engine.ask('changes.company', { ticker: 'TWCE', since: '2025-03-31' })
  t.match(JSON.stringify(data), /"leverage_ratio":\{"previous":3,"current":6/)
  const rows = await engine.call('search.changes', {
    resource: 'companies',
    since: '2025-03-31',
    column: ['leverage_ratio'],
  })
  t.strictSame(
    rows.data.map(({ ticker, before, after }) => [ticker, Number(before), Number(after)]),
    [['TWCE', 3, 6]],
  )
})
