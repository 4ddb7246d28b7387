import t, { type Test } from 'tap'
import { Database, quote } from '../../engine/database/database.ts'
import { deriveStatements } from '../../engine/derive/statements/statements.ts'
import { sqlType } from '../../engine/schema/column.ts'
import { provenance } from '../../engine/schema/dataset.ts'
import { datasets } from '../../engine/schema/datasets/datasets.ts'

type Row = Record<string, unknown>
const CIK = '0000001234'

interface Report {
  readonly form: string
  readonly filed: string
  readonly fy?: number
  readonly accession?: string
  readonly cik?: string
  readonly rounded?: boolean
}

/** Facts of one filing: `[concept, value in millions, end, start]`. */
type Figure = readonly [concept: string, millions: number, end: string, start?: string]

let filings = 0
function report({ form, filed, fy, accession, cik = CIK, rounded }: Report, ...figures: Figure[]): Row[] {
  const number = accession ?? `0000001234-00-${String(++filings).padStart(6, '0')}`
  return figures.map(([concept, millions, end, start]) => ({
    cik,
    company_name: 'Acme Inc.',
    concept: `us-gaap:${concept}`,
    unit: 'USD',
    period_start: start ?? null,
    period_end: end,
    value: millions * 1e6,
    accession: number,
    form,
    fiscal_year: fy ?? null,
    filed_date: filed,
    known_from: filed,
    dates_rounded: rounded ?? null,
    source: 'test.json',
  }))
}

async function derived(
  t: Test,
  {
    facts = [],
    financials = [],
    calculations = [],
    company = {},
  }: { facts?: Row[]; financials?: Row[]; calculations?: Row[]; company?: Row },
) {
  const db = await Database.create({ threads: 1 })
  t.teardown(() => db.close())
  for (const [name, rows] of Object.entries({ facts, financials, calculations, filings: [] as Row[] })) {
    const columns = { ...datasets.find(d => d.name === name)!.columns, ...provenance }
    const list = Object.entries(columns).map(
      ([column, { kind }]) => `${quote(column)} ${sqlType({ kind } as never)}`,
    )
    await db.run(`CREATE TABLE in_${name} (${list.join(', ')})`)
    for (const row of rows) {
      const names = Object.keys(row)
      await db.run(
        `INSERT INTO in_${name} (${names.map(quote).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        Object.values(row) as never,
      )
    }
  }
  await db.run(`
    CREATE TABLE companies_base AS SELECT 'acme' AS company_id, 'ACME' AS ticker, 'Acme' AS name,
      ${company['sector'] ? `'${company['sector']}'` : 'NULL::VARCHAR'} AS sector, NULL::VARCHAR AS industry,
      ${company['sic'] ? `'${company['sic']}'` : 'NULL::VARCHAR'} AS sic, 'standard' AS coverage;
    CREATE TABLE company_of_cik AS SELECT DISTINCT cik, 'acme' AS company_id FROM in_facts;
    CREATE TABLE company_link AS SELECT DISTINCT ticker, cik, NULL::VARCHAR AS lei, company_name, 'acme' AS company_id FROM in_financials`)
  await deriveStatements(db, { asOf: '2030-01-01' })
  return {
    rows: (where = 'TRUE') =>
      db.rows(`SELECT *, fiscal_year || 'Q' || fiscal_quarter AS period FROM statements_derived WHERE ${where}
        ORDER BY period_end_date, basis, version`),
    left: () => db.rows(`SELECT * FROM statements_left`),
    quarantined: () => db.rows(`SELECT * FROM quarantine ORDER BY item, period_end`),
  }
}

const explained = (row: Row) => JSON.parse(String(row['explain'])) as Record<string, Row>
const pick = (rows: Row[], ...names: string[]) => rows.map(row => names.map(name => row[name]))
const dollars = (millions: number) => millions * 1e8

/** A calendar year on three 10-Qs and a 10-K; `k` scales its figures. */
function year(y: number, k = 1): Row[] {
  const from = `${y}-01-01`
  const quarter = (q: number, end: string, start: string): Row[] =>
    report(
      { form: '10-Q', filed: `${y}-${String(3 * q + 2).padStart(2, '0')}-01`, fy: y },
      ['Revenues', 100 * k * q, end, start],
      ...(q > 1 ? ([['Revenues', (100 * k * q * (q + 1)) / 2, end, from]] as Figure[]) : []),
      ['OperatingIncomeLoss', 20 * k, end, start],
      ['NetCashProvidedByUsedInOperatingActivities', 10 * k * q, end, from],
      ['DepreciationDepletionAndAmortization', 5 * k * q, end, from],
      ['Assets', 1000, end],
      ['LongTermDebtNoncurrent', 300, end],
      ['CashAndCashEquivalentsAtCarryingValue', 50, end],
    )
  return [
    ...quarter(1, `${y}-03-31`, from),
    ...quarter(2, `${y}-06-30`, `${y}-04-01`),
    ...quarter(3, `${y}-09-30`, `${y}-07-01`),
    ...report(
      { form: '10-K', filed: `${y + 1}-02-15`, fy: y },
      ['Revenues', 1000 * k, `${y}-12-31`, from],
      ['OperatingIncomeLoss', 90 * k, `${y}-12-31`, from],
      ['NetCashProvidedByUsedInOperatingActivities', 45 * k, `${y}-12-31`, from],
      ['DepreciationDepletionAndAmortization', 20 * k, `${y}-12-31`, from],
      ['Assets', 1000, `${y}-12-31`],
      ['LongTermDebtNoncurrent', 300, `${y}-12-31`],
      ['CashAndCashEquivalentsAtCarryingValue', 50, `${y}-12-31`],
    ),
  ]
}

t.test('a year on three quarterly reports and an annual one makes four quarters', async t => {
  const { rows } = await derived(t, { facts: year(2023) })
  const quarters = await rows(`basis = 'quarter'`)
  t.strictSame(
    pick(quarters, 'period', 'filing_type', 'revenue', 'operating_cash_flow', 'depreciation_amortization'),
    [
      ['2023Q1', '10-Q', dollars(100), dollars(10), dollars(5)],
      ['2023Q2', '10-Q', dollars(200), dollars(10), dollars(5)],
      ['2023Q3', '10-Q', dollars(300), dollars(10), dollars(5)],
      ['2023Q4', '10-K', dollars(400), dollars(15), dollars(5)],
    ],
  )
  t.strictSame(pick(quarters, 'ebitda'), [[dollars(25)], [dollars(25)], [dollars(25)], [dollars(35)]])
  t.match(explained(quarters[3]!)['revenue'], {
    value: dollars(400),
    unit: 'USD cents',
    formula: 'the year less 9 months',
    inputs: [
      {
        concept: 'us-gaap:Revenues',
        value: 1000e6,
        unit: 'USD',
        period_start: '2023-01-01',
        period_end: '2023-12-31',
        accession: /^0000001234-/,
        form: '10-K',
        filed: '2024-02-15',
        source: 'test.json',
        times: 1,
      },
      { value: 600e6, period_end: '2023-09-30', form: '10-Q', times: -1 },
    ],
    flags: [],
    null_because: null,
  })
})

t.test('trailing figures are the year at its end, rolled on between, annualised before', async t => {
  const { rows } = await derived(t, { facts: [...year(2023), ...year(2024, 2)] })
  const ttm = await rows(`basis = 'ttm' AND is_latest`)
  t.strictSame(pick(ttm, 'period', 'revenue', 'is_annualized', 'ebitda_quarters'), [
    ['2023Q1', dollars(400), true, 1],
    ['2023Q2', dollars(600), true, 2],
    ['2023Q3', dollars(800), true, 3],
    ['2023Q4', dollars(1000), false, 4],
    ['2024Q1', dollars(1100), false, 4],
    ['2024Q2', dollars(1300), false, 4],
    ['2024Q3', dollars(1600), false, 4],
    ['2024Q4', dollars(2000), false, 4],
  ])
  t.strictSame(ttm[4]!['ttm_quarters'], ['2023Q2', '2023Q3', '2023Q4', '2024Q1'])
  t.equal(ttm[3]!['ebitda'], dollars(110))
  t.equal(ttm[3]!['leverage_ratio'], 300 / 110)
  t.equal(ttm[3]!['net_leverage_ratio'], 250 / 110)
  const quarter = (
    await rows(`basis = 'quarter' AND is_latest AND fiscal_year = 2023 AND fiscal_quarter = 4`)
  )[0]!
  t.equal(quarter['leverage_ratio'], 300 / 110, 'a quarter has the leverage on trailing EBITDA')
})

t.test('one annual and one quarterly report already roll on by the comparatives of the quarter', async t => {
  const { rows } = await derived(t, {
    facts: [
      ...report({ form: '10-K', filed: '2024-02-15', fy: 2023 }, [
        'Revenues',
        1000,
        '2023-12-31',
        '2023-01-01',
      ]),
      ...report(
        { form: '10-Q', filed: '2024-08-01', fy: 2024 },
        ['Revenues', 600, '2024-06-30', '2024-01-01'],
        ['Revenues', 500, '2023-06-30', '2023-01-01'],
      ),
    ],
  })
  t.match(await rows(`basis = 'ttm' AND period_end_date = DATE '2024-06-30'`), [
    { period: '2024Q2', revenue: dollars(1100), is_annualized: false },
  ])
  const [quarter] = await rows(`basis = 'quarter' AND period_end_date = DATE '2023-12-31'`)
  t.equal(quarter, undefined, 'no row is made of nothing but nulls')
})

t.test('a quarter that cannot be formed is null and says why', async t => {
  const { rows } = await derived(t, {
    facts: report(
      { form: '10-K', filed: '2024-02-15', fy: 2023 },
      ['Revenues', 1000, '2023-12-31', '2023-01-01'],
      ['Assets', 900, '2023-12-31'],
    ),
  })
  const [row] = await rows(`basis = 'quarter'`)
  t.match(row, { period: '2023Q4', revenue: null, total_assets: dollars(900) })
  t.match(explained(row!)['revenue'], {
    value: null,
    formula: null,
    inputs: [],
    null_because: /the year is known, but no figure of the 9 months/,
  })
})

t.test('a restatement is a later version with its own day; a repeated figure is none', async t => {
  const facts = [
    ...year(2023),
    ...report(
      { form: '10-K', filed: '2025-02-15', fy: 2024, accession: '0000001234-25-000001' },
      ['Revenues', 990, '2023-12-31', '2023-01-01'],
      ['OperatingIncomeLoss', 90, '2023-12-31', '2023-01-01'],
      ['Revenues', 1500, '2024-12-31', '2024-01-01'],
      ['OperatingIncomeLoss', 95, '2024-12-31', '2024-01-01'],
    ),
  ]
  const { rows } = await derived(t, { facts })
  const versions = await rows(`basis = 'ttm' AND fiscal_year = 2023 AND fiscal_quarter = 4`)
  t.strictSame(
    pick(versions, 'version', 'known_from', 'revenue', 'operating_income', 'is_original', 'is_latest'),
    [
      [1, '2024-02-15', dollars(1000), dollars(90), true, false],
      [2, '2025-02-15', dollars(990), dollars(90), false, true],
    ],
  )
  t.equal(versions[1]!['accession'], '0000001234-25-000001')
  t.strictSame(
    pick(await rows(`basis = 'quarter' AND fiscal_year = 2023 AND fiscal_quarter = 4`), 'revenue'),
    [[dollars(400)], [dollars(390)]],
  )
})

t.test('a comparative in coarser units is the same figure', async t => {
  const first = report(
    { form: '10-Q', filed: '2024-05-01' },
    ['Revenues', 100.123456, '2024-03-31', '2024-01-01'],
    ['Assets', 999.876543, '2024-03-31'],
  )
  const later = report(
    { form: '10-Q', filed: '2025-05-01' },
    ['Revenues', 100, '2024-03-31', '2024-01-01'],
    ['Revenues', 120, '2025-03-31', '2025-01-01'],
  )
  const { rows } = await derived(t, { facts: [...first, ...later] })
  t.strictSame(pick(await rows(`basis = 'quarter' AND fiscal_year = 2024`), 'version', 'revenue'), [
    [1, 10_012_345_600],
  ])
})

t.test('fiscal years are named as the company names them, also by weeks and across January', async t => {
  const week = report(
    { form: '10-K', filed: '2024-11-01', fy: 2024 },
    ['Revenues', 1000, '2024-09-28', '2023-10-01'],
    ['Revenues', 900, '2023-09-30', '2022-09-25'],
  )
  const labels = async (facts: Row[]) =>
    pick(await (await derived(t, { facts })).rows(`basis = 'ttm' AND is_latest`), 'period', 'period_end_date')
  t.strictSame(await labels(week), [
    ['2023Q4', '2023-09-30'],
    ['2024Q4', '2024-09-28'],
  ])
  const retailer = report(
    { form: '10-K', filed: '2025-03-20', fy: 2024 },
    ['Revenues', 1000, '2025-02-01', '2024-02-04'],
    ['Revenues', 900, '2024-02-03', '2023-01-29'],
  )
  t.strictSame(await labels(retailer), [
    ['2023Q4', '2024-02-03'],
    ['2024Q4', '2025-02-01'],
  ])
  const unnamed = report(
    { form: '10-K', filed: '2022-03-01' },
    ['Revenues', 900, '2021-01-02', '2019-12-29'],
    ['Revenues', 1000, '2022-01-01', '2021-01-03'],
  )
  t.strictSame(await labels(unnamed), [
    ['2020Q4', '2021-01-02'],
    ['2021Q4', '2022-01-01'],
  ])
})

t.test('quarters of twelve and sixteen weeks are quarters', async t => {
  const { rows } = await derived(t, {
    facts: [
      ...report({ form: '10-Q', filed: '2023-12-15', fy: 2024 }, [
        'Revenues',
        230,
        '2023-11-26',
        '2023-09-04',
      ]),
      ...report(
        { form: '10-Q', filed: '2024-03-15', fy: 2024 },
        ['Revenues', 240, '2024-02-18', '2023-11-27'],
        ['Revenues', 470, '2024-02-18', '2023-09-04'],
      ),
      ...report(
        { form: '10-Q', filed: '2024-06-05', fy: 2024 },
        ['Revenues', 230, '2024-05-12', '2024-02-19'],
        ['Revenues', 700, '2024-05-12', '2023-09-04'],
      ),
      ...report(
        { form: '10-K', filed: '2024-10-05', fy: 2024 },
        ['Revenues', 1000, '2024-09-01', '2023-09-04'],
        ['Revenues', 950, '2023-09-03', '2022-08-29'],
      ),
    ],
  })
  t.strictSame(pick(await rows(`basis = 'quarter' AND is_latest`), 'period', 'revenue'), [
    ['2024Q1', dollars(230)],
    ['2024Q2', dollars(240)],
    ['2024Q3', dollars(230)],
    ['2024Q4', dollars(300)],
  ])
})

t.test('rounded dates of a data set fall on the days the company itself gives', async t => {
  const exact = report({ form: '10-K', filed: '2024-11-01', fy: 2024, accession: 'a' }, [
    'Revenues',
    1000,
    '2024-09-28',
    '2023-10-01',
  ])
  const rounded = [
    ...report(
      { form: '10-K', filed: '2024-11-01', fy: 2024, accession: 'a', rounded: true },
      ['Revenues', 1000, '2024-09-30', '2023-10-01'],
      ['Assets', 700, '2024-09-30'],
    ),
    ...report({ form: '10-Q', filed: '2024-08-01', fy: 2024, accession: 'b', rounded: true }, [
      'Revenues',
      700,
      '2024-06-30',
      '2023-10-01',
    ]),
  ]
  const { rows } = await derived(t, { facts: [...exact, ...rounded] })
  t.match(await rows(`basis = 'quarter' AND fiscal_quarter = 4`), [
    { period: '2024Q4', period_end_date: '2024-09-28', revenue: dollars(300), total_assets: dollars(700) },
  ])
})

t.test('total debt is noncurrent, current and short-term debt with finance leases', async t => {
  const end = '2024-12-31'
  const of = async (...figures: [string, number][]) => {
    const balance = figures.map(([concept, millions]): Figure => [concept, millions, end])
    const { rows } = await derived(t, {
      facts: report(
        { form: '10-K', filed: '2025-02-15', fy: 2024 },
        ['Revenues', 1, end, '2024-01-01'],
        ['Assets', 900, end],
        ...balance,
      ),
    })
    return (await rows(`basis = 'ttm'`))[0]!['total_debt']
  }
  const lines: [string, number][] = [
    ['LongTermDebtNoncurrent', 300],
    ['LongTermDebtCurrent', 30],
    ['CommercialPaper', 7],
  ]
  t.equal(await of(...lines), dollars(337))
  t.equal(
    await of(
      ...lines,
      ['FinanceLeaseLiabilityNoncurrent', 10],
      ['FinanceLeaseLiabilityCurrent', 2],
      ['OperatingLeaseLiability', 99],
    ),
    dollars(349),
  )
  t.equal(
    await of(
      ['LongTermDebtAndCapitalLeaseObligations', 300],
      ['DebtCurrent', 50],
      ['LongTermDebtCurrent', 30],
      ['FinanceLeaseLiabilityCurrent', 2],
    ),
    dollars(350),
  )
  t.equal(
    await of(['LongTermDebt', 330], ['LongTermDebtNoncurrent', 300], ['LongTermDebtCurrent', 30]),
    dollars(330),
  )
  t.equal(
    await of(['LongTermDebt', 300], ['DebtCurrent', 40]),
    dollars(340),
    'beside all current debt it is the noncurrent line',
  )
  t.equal(await of(['DebtAndCapitalLeaseObligations', 410]), dollars(410))
  t.equal(
    await of(
      ['LongTermDebtNoncurrent', 358.37],
      ['ShortTermBorrowings', 89.37],
      ['LongTermDebtCurrent', 23],
      ['CommercialPaper', 51],
    ),
    dollars(447.74),
    'a note tells the part of the one current line that is long-term debt, in round figures',
  )
  t.equal(
    await of(
      ['LongTermDebtNoncurrent', 300],
      ['LongTermDebtCurrent', 30],
      ['FinanceLeaseLiability', 12],
      ['DebtAndCapitalLeaseObligations', 330],
    ),
    dollars(330),
    'a total with leases says that the lines have them inside',
  )
  t.equal(
    await of(
      ['LongTermDebtAndCapitalLeaseObligations', 300],
      ['LongTermDebtNoncurrent', 300],
      ['FinanceLeaseLiability', 12],
    ),
    dollars(312),
    'a line tagged both ways beside leases has none inside',
  )
  t.equal(await of(['AccountsPayableCurrent', 5]), null, 'what is not tagged is unknown, not nothing')
})

const END = '2024-12-31'
const BEFORE = '2023-12-31'

/** The newest statement of an annual report, its balance sheet on two dates; other rows stand in the same filing. */
async function balanceSheet(
  t: Test,
  lines: readonly (readonly [string, number])[],
  more: Row[] = [],
  calculations: Row[] = [],
) {
  const accession = '0000001234-25-000001'
  const both = [['Assets', 900] as const, ...lines].flatMap(([concept, millions]): Figure[] => [
    [concept, millions, END],
    [concept, millions * 0.9, BEFORE],
  ])
  const facts = report(
    { form: '10-K', filed: '2025-02-15', fy: 2024, accession },
    ['Revenues', 100, END, '2024-01-01'],
    ['OperatingIncomeLoss', 40, END, '2024-01-01'],
    ...both,
  ).map(row => ({
    ...row,
    concept: String(row['concept']).replace(/^us-gaap:(?=.*:)/, ''),
    source: 'folder/acme-20241231_htm.xml.gz:fact 1',
  }))
  const { rows } = await derived(t, {
    facts: [...facts, ...more.map(row => ({ ...facts[0], period_start: null, period_end: END, ...row }))],
    calculations,
  })
  const row = (await rows(`basis = 'ttm' AND period_end_date = DATE '${END}'`))[0]!
  return { row, debt: explained(row)['total_debt'] as Record<string, unknown> & { inputs: Row[] } }
}

t.test(
  'current debt alone is no total debt: it is null with the reason, and its parts are shown',
  async t => {
    const { row, debt } = await balanceSheet(t, [
      ['DebtCurrent', 373],
      ['LiabilitiesCurrent', 400],
      ['Liabilities', 800],
      ['OtherLiabilitiesNoncurrent', 100],
    ])
    t.match(row, {
      total_debt: null,
      leverage_ratio: null,
      leverage_reason: /no total debt: only current debt/,
    })
    t.match(debt, { null_because: /only current debt is tagged/, formula: null })
    t.match(debt.inputs, [{ concept: 'us-gaap:DebtCurrent', value: 373e6 }])
  },
)

t.test('current debt is all where the balance sheet leaves no room for other', async t => {
  const { row, debt } = await balanceSheet(t, [
    ['ShortTermBankLoansAndNotesPayable', 58],
    ['LiabilitiesCurrent', 400],
    ['Liabilities', 500],
    ['OtherLiabilitiesNoncurrent', 60],
    ['DeferredTaxLiabilitiesNoncurrent', 40],
  ])
  t.equal(row['total_debt'], dollars(58))
  t.match(debt, { flags: ['current_debt_only'] })
})

t.test('noncurrent debt is read by any element that means borrowed money, each line once', async t => {
  const of = async (...lines: [string, number][]) => (await balanceSheet(t, lines)).row['total_debt']
  t.equal(await of(['LongTermNotesAndLoans', 5490], ['DebtCurrent', 373]), dollars(5863))
  t.equal(await of(['LongTermLineOfCredit', 403], ['SubordinatedLongTermDebt', 1383]), dollars(1786))
  t.equal(await of(['ConvertibleSubordinatedDebtNoncurrent', 124], ['NotesPayableCurrent', 1]), dollars(125))
  t.equal(
    await of(
      ['LongTermNotesPayable', 500],
      ['SeniorLongTermNotes', 400],
      ['OtherLongTermNotesPayable', 100],
      ['LongTermLoansFromBank', 70],
    ),
    dollars(570),
    'lines that another holds are not added to it',
  )
  t.equal(
    await of(
      ['SecuredDebt', 2603],
      ['ConvertibleNotesPayable', 1881],
      ['SeniorNotes', 1472],
      ['LineOfCredit', 0],
    ),
    dollars(5956),
    'lines by instrument that do not say when they are due',
  )
  t.equal(
    await of(
      ['LongTermNotesPayable', 875],
      ['ConvertibleLongTermNotesPayable', 605],
      ['LiabilitiesCurrent', 100],
      ['Liabilities', 1600],
      ['OtherLiabilitiesNoncurrent', 20],
    ),
    dollars(1480),
    'the balance sheet shows that they stand side by side',
  )
  const undecided = await balanceSheet(t, [
    ['SecuredDebt', 5028],
    ['NotesPayable', 4945],
    ['SeniorNotes', 4000],
  ])
  t.equal(undecided.row['total_debt'], null)
  t.match(undecided.debt, { null_because: /debt is 9,973 million or 13,973 million/ })
})

t.test('borrowings under IFRS are read by their own names', async t => {
  const of = async (...lines: [string, number][]) =>
    (
      await balanceSheet(
        t,
        lines.map(([name, value]) => [`ifrs-full:${name}`, value] as const),
      )
    ).row['total_debt']
  t.equal(
    await of(
      ['NoncurrentPortionOfNoncurrentBorrowings', 300],
      ['CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings', 50],
      ['LeaseLiabilities', 90],
    ),
    dollars(350),
    'leases apart',
  )
  t.equal(
    await of(
      ['LongtermBorrowings', 300],
      ['ShorttermBorrowings', 20],
      ['CurrentPortionOfLongtermBorrowings', 30],
    ),
    dollars(350),
  )
  t.equal(
    await of(
      ['NoncurrentPortionOfNoncurrentBondsIssued', 200],
      ['NoncurrentPortionOfNoncurrentLoansReceived', 100],
      ['CurrentBondsIssuedAndCurrentPortionOfNoncurrentBondsIssued', 25],
    ),
    dollars(325),
  )
  t.equal(await of(['Borrowings', 410]), dollars(410))
})

t.test('one line under two names counts once', async t => {
  const of = async (...lines: [string, number][]) => (await balanceSheet(t, lines)).row['total_debt']
  const noncurrent: [string, number] = ['LongTermDebtNoncurrent', 300]
  t.equal(await of(noncurrent, ['ShortTermBorrowings', 89], ['LongTermDebtCurrent', 89]), dollars(389))
  t.equal(
    await of(noncurrent, ['ShortTermBorrowings', 89], ['LongTermDebtCurrent', 38], ['CommercialPaper', 51]),
    dollars(389),
    'a short-term total that the current portion and commercial paper add up to',
  )
  t.equal(
    await of(
      noncurrent,
      ['ShortTermBorrowings', 89],
      ['LongTermDebtCurrent', 38],
      ['DebtLongtermAndShorttermCombinedAmount', 389],
    ),
    dollars(389),
    'the total tagged has no room for both',
  )
  t.equal(
    await of(noncurrent, ['ShortTermBorrowings', 89], ['LongTermDebtCurrent', 38]),
    dollars(427),
    'two lines that nothing says are one are added',
  )
})

t.test("a filing's own calculation links come before the nesting of the taxonomy", async t => {
  const link = (parent: string, child: string): Row => ({
    document: 'acme-20241231',
    role: 'http://acme.com/role/Debt',
    parent: `us-gaap:${parent}`,
    child: `us-gaap:${child}`,
    weight: 1,
    source: 'folder/acme-20241231_cal.xml.gz:arc 1',
  })
  const of = async (lines: [string, number][], links: Row[]) =>
    (await balanceSheet(t, lines, [], links)).row['total_debt']
  const current: [string, number][] = [
    ['LongTermDebtNoncurrent', 300],
    ['ShortTermBorrowings', 89],
    ['LongTermDebtCurrent', 38],
  ]
  t.equal(await of(current, []), dollars(427))
  t.equal(await of(current, [link('ShortTermBorrowings', 'LongTermDebtCurrent')]), dollars(389))
  const instruments: [string, number][] = [
    ['LongTermNotesPayable', 500],
    ['SeniorLongTermNotes', 400],
  ]
  t.equal(await of(instruments, []), null)
  t.equal(await of(instruments, [link('LongTermNotesPayable', 'SeniorLongTermNotes')]), dollars(500))
  t.equal(
    await of(instruments, [
      link('Liabilities', 'LongTermNotesPayable'),
      link('Liabilities', 'SeniorLongTermNotes'),
    ]),
    dollars(900),
    'two lines of one total',
  )
})

t.test('a noncurrent line of one instrument gives way to the long-term total of the company', async t => {
  const { row } = await balanceSheet(t, [
    ['LongTermDebt', 133],
    ['LongTermDebtNoncurrent', 4],
    ['LongTermDebtCurrent', 5],
    ['DebtCurrent', 0],
  ])
  t.equal(row['total_debt'], dollars(133))
})

t.test('lines that most of the debt told in notes is missing from are no total', async t => {
  const { row, debt } = await balanceSheet(t, [
    ['LongTermDebtNoncurrent', 10],
    ['LongTermDebtMaturitiesRepaymentsOfPrincipalInNextTwelveMonths', 30],
    ['LongTermDebtMaturitiesRepaymentsOfPrincipalAfterYearFive', 40],
  ])
  t.equal(row['total_debt'], null)
  t.match(debt, { null_because: /come to 10 million, repayments in the notes to 70 million/ })
})

t.test(
  'lines under names of the filer count where the balance sheet proves that they are its debt',
  async t => {
    const lines: [string, number][] = [
      ['custom:NonrecourseDebtCurrent', 14],
      ['custom:NonrecourseDebtNoncurrent', 123],
      ['custom:RecourseDebtNoncurrent', 55],
      ['custom:DebtServiceReserves', 7],
      ['LiabilitiesCurrent', 54],
      ['Liabilities', 54 + 123 + 55 + 35],
      ['OtherLiabilitiesNoncurrent', 35],
    ]
    const proved = await balanceSheet(t, lines)
    t.equal(proved.row['total_debt'], dollars(14 + 123 + 55))
    t.match(proved.debt, { flags: ['company_lines'], formula: 'lines under names of the filer' })
    const unproved = await balanceSheet(t, [...lines.slice(0, 4), ['LongTermNotesPayable', 20]])
    t.equal(unproved.row['total_debt'], null)
    t.match(unproved.debt, { null_because: /leave out borrowings under other names: custom:NonrecourseDebt/ })
    const alone = await balanceSheet(t, lines.slice(0, 4))
    t.equal(alone.row['total_debt'], null)
    t.match(alone.debt, { null_because: /only under names of the filer/ })
    t.equal(alone.debt.inputs.length, 3)
    const totalled = await balanceSheet(t, [
      ['AdvancesFromFederalHomeLoanBanks', 100],
      ['custom:BankNotesAndSeniorDebt', 40],
      ['FederalFundsPurchasedAndSecuritiesSoldUnderAgreementsToRepurchase', 15],
      ['custom:TotalBorrowedFunds', 155],
    ])
    t.equal(totalled.row['total_debt'], dollars(140), 'repurchase agreements fund trading and are no debt')
  },
)

const part = (dimensions: string, concept: string, millions: number): Row => ({
  concept: `us-gaap:${concept}`,
  value: millions * 1e6,
  dimensions,
})
const SEGMENT =
  'srt:ConsolidationItemsAxis=us-gaap:OperatingSegmentsMember;us-gaap:StatementBusinessSegmentsAxis='

t.test('debt tagged only by segment is summed where the segments make up the company', async t => {
  const maker = `${SEGMENT}f:CompanyExcludingCreditMember`
  const lender = `${SEGMENT}f:CreditMember`
  const facts = [
    part(maker, 'CashAndCashEquivalentsAtCarryingValue', 149),
    part(lender, 'CashAndCashEquivalentsAtCarryingValue', 115),
    part(maker, 'LongTermDebtNoncurrent', 191),
    part(maker, 'LongTermDebtCurrent', 4),
    part(lender, 'LongTermDebtNoncurrent', 747),
    part(lender, 'LongTermDebtCurrent', 489),
    part(`${lender};us-gaap:LongtermDebtTypeAxis=us-gaap:UnsecuredDebtMember`, 'LongTermDebtNoncurrent', 443),
  ]
  const cash: [string, number] = ['CashAndCashEquivalentsAtCarryingValue', 264]
  const { row, debt } = await balanceSheet(t, [cash], facts)
  t.match(row, { total_debt: dollars(1431), debt_excluding_finance: dollars(195), revenue: dollars(100) })
  t.match(debt, { flags: ['summed_over_axis'], formula: /sum over/ })
  t.match(debt.inputs[0], { dimensions: /ConsolidationItemsAxis/ })

  const parted = await balanceSheet(t, [['CashAndCashEquivalentsAtCarryingValue', 300]], facts)
  t.match(parted.row, { total_debt: null, debt_excluding_finance: null }, 'segments that are not the whole')
  const missing = await balanceSheet(
    t,
    [cash],
    facts.filter(fact => !/Debt/.test(String(fact['concept'])) || fact['dimensions'] !== maker),
  )
  t.equal(missing.row['total_debt'], null, 'a segment whose debt is not told')
})

t.test('debt on the balance sheet by business comes before a total that only a note tells', async t => {
  const maker = 'gm:BusinessGroupAxis=gm:AutomotiveMember'
  const lender = 'gm:BusinessGroupAxis=gm:GmFinancialMember'
  const lines = (end: string) =>
    [
      part(maker, 'LongTermDebtAndCapitalLeaseObligations', 160),
      part(maker, 'DebtCurrent', 4),
      part(lender, 'LongTermDebtAndCapitalLeaseObligations', 668),
      part(lender, 'DebtCurrent', 385),
    ].map(fact => ({ ...fact, period_end: end }))
  const note = {
    concept: 'us-gaap:LongTermDebtAndCapitalLeaseObligationsIncludingCurrentMaturities',
    value: 1235e6,
  }
  const balance: [string, number][] = [
    ['LiabilitiesCurrent', 900],
    ['Liabilities', 900 + 160 + 668 + 275],
    ['OtherLiabilitiesNoncurrent', 165],
    ['DefinedBenefitPensionPlanLiabilitiesNoncurrent', 110],
  ]
  const { row, debt } = await balanceSheet(t, balance, [...lines(END), ...lines(BEFORE), note])
  t.match(row, { total_debt: dollars(1217), debt_excluding_finance: dollars(164) })
  t.match(debt, { flags: ['summed_over_axis'] })

  const own: [string, number][] = [
    ['LongTermDebtAndCapitalLeaseObligations', 828],
    ['DebtCurrent', 389],
  ]
  const both = await balanceSheet(t, own, lines(END))
  t.match(both.row, { total_debt: dollars(1217), debt_excluding_finance: dollars(164) })
  t.match(both.debt, { flags: [] }, 'the company tags its own total, which the businesses add up to')
})

t.test('figures of parts of a company leave its statements as they are', async t => {
  const lines: [string, number][] = [['LongTermDebtNoncurrent', 300]]
  const plain = await balanceSheet(t, lines)
  const segments = ['Gas', 'Oil'].flatMap(name => [
    part(`us-gaap:SegmentAxis=acme:${name}Member`, 'Assets', 7),
    part(`us-gaap:SegmentAxis=acme:${name}Member`, 'LongTermDebtNoncurrent', 1e6),
    { ...part(`us-gaap:SegmentAxis=acme:${name}Member`, 'Revenues', 1e6), period_start: '2024-01-01' },
  ])
  const beside = await balanceSheet(t, lines, segments)
  t.strictSame(beside.row, plain.row)
})

t.test('a half-year that holds the value of one quarter loses against the quarters', async t => {
  const halfYear = (value: number) => [
    ...report(
      { form: '10-K', filed: '2024-02-15' },
      ['Revenues', 400, BEFORE, '2023-01-01'],
      ['Assets', 1, BEFORE],
    ),
    ...report(
      { form: '10-Q', filed: '2024-05-01' },
      ['Revenues', 110, '2024-03-31', '2024-01-01'],
      ['Revenues', 90, '2023-03-31', '2023-01-01'],
    ),
    ...report(
      { form: '10-Q', filed: '2024-08-01' },
      ['Revenues', 130, '2024-06-30', '2024-04-01'],
      ['Revenues', value, '2024-06-30', '2024-01-01'],
      ['Revenues', 95, '2023-06-30', '2023-04-01'],
      ['Revenues', 185, '2023-06-30', '2023-01-01'],
    ),
  ]
  const trailing = async (facts: Row[]) =>
    (
      await (await derived(t, { facts })).rows(`basis = 'ttm' AND fiscal_year = 2024 AND fiscal_quarter = 2`)
    )[0]
  t.match(await trailing(halfYear(240)), { revenue: dollars(400 + 240 - 185), is_annualized: false })
  const slip = await trailing(halfYear(130))
  t.match(slip, { revenue: dollars(400 + 110 + 130 - 185), is_annualized: false })
})

t.test('liabilities that are not tagged are assets less all equity', async t => {
  const end = '2024-12-31'
  const { rows } = await derived(t, {
    facts: report(
      { form: '10-K', filed: '2025-02-15' },
      ['Revenues', 1, end, '2024-01-01'],
      ['Assets', 900, end],
      ['StockholdersEquity', 300, end],
      ['MinorityInterest', 20, end],
      ['RedeemableNoncontrollingInterestEquityCarryingAmount', 5, end],
    ),
  })
  t.match((await rows(`basis = 'ttm'`))[0], {
    total_liabilities: dollars(575),
    stockholders_equity: dollars(300),
  })
})

t.test('EBITDA is estimated without depreciation; a bank has no leverage', async t => {
  const end = '2024-12-31'
  const facts = report(
    { form: '10-K', filed: '2025-02-15' },
    ['Revenues', 100, end, '2024-01-01'],
    ['OperatingIncomeLoss', 40, end, '2024-01-01'],
    ['Assets', 900, end],
    ['LongTermDebtNoncurrent', 80, end],
  )
  const [plain] = await (await derived(t, { facts })).rows(`basis = 'ttm'`)
  t.match(plain, {
    ebitda: dollars(40),
    ebitda_estimated: true,
    ebitda_source: 'operating_income',
    leverage_ratio: 2,
    net_leverage_ratio: null,
  })
  const [bank] = await (await derived(t, { facts, company: { sic: '6021' } })).rows(`basis = 'ttm'`)
  t.match(bank, { leverage_ratio: null, leverage_reason: /bank or insurer/ })
})

t.test('debt falls due as the maturity schedule of the annual report says', async t => {
  const end = '2024-12-31'
  const { rows } = await derived(t, {
    facts: report(
      { form: '10-K', filed: '2025-02-15' },
      ['Revenues', 100, end, '2024-01-01'],
      ['LongTermDebtMaturitiesRepaymentsOfPrincipalInNextTwelveMonths', 10, end],
      ['LongTermDebtMaturitiesRepaymentsOfPrincipalInYearTwo', 20, end],
    ),
  })
  t.match((await rows(`basis = 'ttm'`))[0], {
    debt_due_1yr: dollars(10),
    debt_due_2yr: dollars(30),
    debt_due_3yr: null,
  })
})

t.test('a loaded statement table stands before filings, and its restatements are versions', async t => {
  const row = (q: number, end: string, filed: string, revenue: number) => ({
    ticker: 'ACME',
    cik: null,
    company_name: null,
    fiscal_year: 2024,
    fiscal_quarter: q,
    period_end_date: end,
    filed_date: filed,
    known_from: filed,
    filing_type: q === 4 ? '10-K' : '10-Q',
    revenue,
    ebitda: 1000,
    total_debt: 12_000,
    total_assets: 90_000,
  })
  const { rows } = await derived(t, {
    financials: [
      row(1, '2024-03-31', '2024-05-01', 100),
      row(2, '2024-06-30', '2024-08-01', 200),
      row(3, '2024-09-30', '2024-11-01', 300),
      row(4, '2024-12-31', '2025-02-15', 400),
      row(1, '2024-03-31', '2025-05-01', 110),
    ],
  })
  t.strictSame(
    pick(
      await rows(`basis = 'ttm' AND fiscal_quarter = 4`),
      'version',
      'known_from',
      'revenue',
      'ebitda',
      'ebitda_source',
      'leverage_ratio',
    ),
    [
      [1, '2025-02-15', 1000, 4000, 'reported', 3],
      [2, '2025-05-01', 1010, 4000, 'reported', 3],
    ],
  )
  t.strictSame(pick(await rows(`basis = 'quarter' AND fiscal_quarter = 1`), 'revenue', 'is_latest'), [
    [100, false],
    [110, true],
  ])
})

const restatedYear = (revenue: number) =>
  report(
    { form: '10-K', filed: '2025-02-15', fy: 2024 },
    ['Revenues', revenue, '2023-12-31', '2023-01-01'],
    ['Revenues', 700, '2024-12-31', '2024-01-01'],
  )

t.test('a fourth quarter never mixes a year drawn anew with quarters that were not', async t => {
  const fourth = async (facts: Row[]) => {
    const { rows } = await derived(t, { facts })
    return (await rows(`basis = 'quarter' AND fiscal_year = 2023 AND fiscal_quarter = 4 AND is_latest`))[0]!
  }
  const sold = await fourth([...year(2023), ...restatedYear(640)])
  t.equal(sold['revenue'], dollars(400), 'a business sold since: as it was before, not 640 less 600')
  t.equal((await fourth([...year(2023), ...restatedYear(990)]))['revenue'], dollars(390), 'a correction')
  const both = report(
    { form: '10-Q', filed: '2024-11-01', fy: 2024 },
    ['Revenues', 500, '2024-09-30', '2024-01-01'],
    ['Revenues', 390, '2023-09-30', '2023-01-01'],
  )
  t.equal(
    (await fourth([...year(2023), ...both, ...restatedYear(640)]))['revenue'],
    dollars(250),
    'both anew',
  )
})

t.test('what is paid, written off or owed is positive, however its source signs it', async t => {
  const end = '2024-12-31'
  const { rows } = await derived(t, {
    facts: report(
      { form: '10-K', filed: '2025-02-15' },
      ['OperatingIncomeLoss', 40, end, '2024-01-01'],
      ['DepreciationDepletionAndAmortization', -9, end, '2024-01-01'],
      ['InterestExpense', -7, end, '2024-01-01'],
      ['PaymentsToAcquirePropertyPlantAndEquipment', -5, end, '2024-01-01'],
      ['Assets', 900, end],
      ['LongTermDebtNoncurrent', -300, end],
      ['LongTermDebtCurrent', -30, end],
    ),
  })
  const [row] = await rows(`basis = 'ttm'`)
  t.match(row, {
    ebitda: dollars(49),
    interest_expense: dollars(7),
    capex: dollars(5),
    total_debt: dollars(330),
  })
  t.match(explained(row!)['capex'], { flags: ['sign_turned'], inputs: [{ value: -5e6, times: -1 }] })
})

t.test('a figure a thousand times its neighbours is quarantined, and what it would make is null', async t => {
  const facts = [...year(2022), ...year(2023), ...year(2024)].map(fact =>
    fact['concept'] === 'us-gaap:LongTermDebtNoncurrent' && fact['period_end'] === '2024-03-31'
      ? { ...fact, value: 300e9 }
      : fact,
  )
  const { rows, quarantined } = await derived(t, { facts })
  t.match(await quarantined(), [
    {
      dataset: 'facts',
      company_id: 'acme',
      item: 'us-gaap:LongTermDebtNoncurrent',
      period_start: null,
      period_end: '2024-03-31',
      value: 300e9,
      unit: 'USD',
      reason: '1,000 times too large against the periods before and after',
      source: 'test.json',
      known_from: '2024-05-01',
    },
  ])
  const [row] = await rows(`basis = 'ttm' AND fiscal_year = 2024 AND fiscal_quarter = 1 AND is_latest`)
  t.match(row, { total_debt: null, leverage_ratio: null, revenue: dollars(1000) })
  t.match(explained(row!)['total_debt'], {
    null_because: /^quarantined: us-gaap:LongTermDebtNoncurrent is 1,000 times/,
  })
})

t.test('a slip is not judged by what became known after it', async t => {
  const slip = year(2023).map(fact =>
    fact['concept'] === 'us-gaap:Assets' && fact['period_end'] === '2023-03-31'
      ? { ...fact, value: Number(fact['value']) * 1000 }
      : fact,
  )
  const first = slip.filter(fact => String(fact['known_from']) <= '2023-05-01')
  t.strictSame(await (await derived(t, { facts: first })).quarantined(), [], 'nothing to hold it against')
  const told = [...year(2022), ...first]
  t.match(await (await derived(t, { facts: told })).quarantined(), [{ item: 'us-gaap:Assets' }])
})

t.test('a cell of a loaded statement that slipped by cents for dollars is quarantined too', async t => {
  const ends = ['2024-03-31', '2024-06-30', '2024-09-30', '2024-12-31']
  const financials = ends.map((end, i) => ({
    ticker: 'ACME',
    fiscal_year: 2024,
    fiscal_quarter: i + 1,
    period_end_date: end,
    filed_date: end,
    known_from: end,
    revenue: (1_234_000_00 + 11_000_00 * i) * (i === 2 ? 100 : 1),
    total_assets: 9_876_000_00 + 3_000_00 * i,
  }))
  const { rows, quarantined } = await derived(t, { financials })
  t.match(await quarantined(), [{ dataset: 'financials', item: 'revenue', period_end: '2024-09-30' }])
  t.match(pick(await rows(`basis = 'quarter' AND fiscal_quarter = 3`), 'revenue', 'total_assets'), [
    [null, 9_876_000_00 + 6_000_00],
  ])
})

t.test('lending to customers shows as captive finance, a bank does not', async t => {
  const end = '2024-12-31'
  const facts = report(
    { form: '10-K', filed: '2025-02-15' },
    ['Revenues', 100, end, '2024-01-01'],
    ['Assets', 900, end],
    ['PaymentsToAcquireFinanceReceivables', 80, end, '2024-01-01'],
  )
  const of = async (company: Row) => (await (await derived(t, { facts, company })).rows(`basis = 'ttm'`))[0]
  t.match(await of({ sic: '3711' }), {
    captive_finance: 'a year of lending to customers is 9% of total assets',
  })
  t.match(await of({ sic: '6021' }), { captive_finance: null })
})

const pretax = 'IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest'

t.test(
  'current items, other cash flows and items of banks come from their facts, quarters by difference',
  async t => {
    const from = '2023-01-01'
    const items = (k: number, end: string): Figure[] => [
      ['Revenues', 100 * k, end, from],
      ['NetIncomeLoss', 20 * k, end, from],
      ['Assets', 1000, end],
      ['AssetsCurrent', 300, end],
      ['LiabilitiesCurrent', 150, end],
      ['NetCashProvidedByUsedInInvestingActivities', -30 * k, end, from],
      ['NetCashProvidedByUsedInFinancingActivities', 12 * k, end, from],
      ['InterestIncomeExpenseNet', 70 * k, end, from],
      [pretax, 36 * k, end, from],
      ['ProvisionForLoanLeaseAndOtherLosses', 9 * k, end, from],
    ]
    const facts = [
      ...report({ form: '10-Q', filed: '2023-05-01', fy: 2023 }, ...items(1, '2023-03-31')),
      ...report({ form: '10-Q', filed: '2023-08-01', fy: 2023 }, ...items(3, '2023-06-30')),
    ]
    const names = [
      'current_assets',
      'current_liabilities',
      'investing_cash_flow',
      'financing_cash_flow',
      'net_interest_income',
      'provision_for_credit_losses',
      'pre_provision_profit',
    ]
    const bank = (await (await derived(t, { facts, company: { sic: '6021' } })).rows(`basis = 'quarter'`)).at(
      -1,
    )!
    t.strictSame(pick([bank], ...names), [[300, 150, -60, 24, 140, 18, 90].map(dollars)])
    t.match(explained(bank)['pre_provision_profit'], {
      value: dollars(90),
      formula: 'the 6 months to date less 3 months',
      inputs: { length: 4 },
    })
    t.match(explained(bank)['net_margin'], {
      value: 20,
      unit: 'percent',
      formula: '100 * net_income / revenue',
      inputs: [{ item: 'net_income' }, { item: 'revenue' }],
    })
    const maker = (
      await (await derived(t, { facts, company: { sic: '3711' } })).rows(`basis = 'quarter'`)
    ).at(-1)!
    t.strictSame(pick([maker], ...names), [
      [dollars(300), dollars(150), dollars(-60), dollars(24), null, null, null],
    ])
    t.match(explained(maker)['net_interest_income'], {
      null_because: 'an item of banks and insurers, which this company is not',
    })
  },
)

t.test('where no provision is tagged a bank has no pre-provision profit: expense may hold it', async t => {
  const [end, from] = ['2023-12-31', '2023-01-01']
  const facts = report(
    { form: '10-K', filed: '2024-02-15', fy: 2023 },
    ['Revenues', 200, end, from],
    [pretax, 50, end, from],
    ['InterestIncomeExpenseNet', 90, end, from],
    ['NoninterestIncome', 70, end, from],
    ['NoninterestExpense', 110, end, from],
    ['Assets', 1000, end],
  )
  const [row] = await (await derived(t, { facts, company: { sic: '6021' } })).rows(`basis = 'ttm'`)
  t.equal(row!['net_interest_income'], dollars(90))
  t.equal(row!['pre_provision_profit'], null)
  t.equal(row!['leverage_ratio'], null)
})
