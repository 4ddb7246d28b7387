import t from 'tap'
import { Database } from '../../engine/database/database.ts'
import { sheetOf, sheetOfSql } from '../../engine/schema/datasets/calculations.ts'
import { balanceSheet, derived, dollars, END, type Row, report } from './reports.ts'

type Lines = readonly (readonly [string, number])[]
const ACCESSION = '0000001234-25-000001'

/** A balance sheet whose lines are known to add up: `totals` by name, with their parts. */
async function debtOf(
  t: Parameters<typeof balanceSheet>[0],
  lines: Lines,
  totals: Readonly<Record<string, readonly string[]>>,
  document = ACCESSION,
) {
  const qualified = (name: string) => (name.includes(':') ? name : `us-gaap:${name}`)
  const calculations = Object.entries(totals).flatMap(([parent, parts]): Row[] =>
    parts.map(child => ({
      document,
      role: 'balance sheet',
      parent: qualified(parent),
      child: qualified(child),
      weight: 1,
    })),
  )
  const { row, debt } = await balanceSheet(t, lines, [], calculations)
  return { debt: row['total_debt'], formula: debt['formula'], inputs: debt.inputs }
}

t.test('every line of borrowed money on a balance sheet that adds up counts', async t => {
  const lines: Lines = [
    ['LongTermDebtCurrent', 83],
    ['ConvertibleDebtCurrent', 32],
    ['ShortTermBankLoansAndNotesPayable', 42],
    ['custom:LongtermTransitionBondCurrent', 39],
    ['AccountsPayableCurrent', 47],
    ['LiabilitiesCurrent', 243],
    ['LongTermDebtNoncurrent', 429],
    ['Liabilities', 672],
  ]
  const current = [
    'LongTermDebtCurrent',
    'ConvertibleDebtCurrent',
    'ShortTermBankLoansAndNotesPayable',
    'custom:LongtermTransitionBondCurrent',
    'AccountsPayableCurrent',
  ]
  const totals = {
    LiabilitiesCurrent: current,
    Liabilities: ['LiabilitiesCurrent', 'LongTermDebtNoncurrent'],
  }
  const shown = await debtOf(t, lines, totals)
  t.equal(shown.debt, dollars(83 + 32 + 42 + 39 + 429))
  t.equal(shown.formula, 'lines of the balance sheet')
  t.equal(shown.inputs.length, 5)
  const other = await debtOf(t, lines, totals, '0000001234-25-000099')
  t.not(other.debt, shown.debt, 'links of another filing say nothing')
  const cut = await debtOf(t, lines, { ...totals, LiabilitiesCurrent: [] })
  t.not(cut.debt, shown.debt, 'nor do those without the lines of current liabilities')
})

t.test('a total of borrowings counts instead of its lines, unless it holds funding of trading', async t => {
  const lines: Lines = [
    ['Deposits', 500],
    ['OtherBorrowings', 30],
    ['SubordinatedDebt', 20],
    ['custom:TotalBorrowedFunds', 50],
    ['Liabilities', 550],
  ]
  const plain = await debtOf(t, lines, {
    'custom:TotalBorrowedFunds': ['OtherBorrowings', 'SubordinatedDebt'],
    Liabilities: ['Deposits', 'custom:TotalBorrowedFunds'],
  })
  t.equal(plain.debt, dollars(50))
  const repo = 'SecuritiesSoldUnderAgreementsToRepurchase'
  const funded = await debtOf(
    t,
    [...lines.slice(0, 3), [repo, 15], ['custom:TotalBorrowedFunds', 65], ['Liabilities', 565]],
    {
      'custom:TotalBorrowedFunds': ['OtherBorrowings', 'SubordinatedDebt', repo],
      Liabilities: ['Deposits', 'custom:TotalBorrowedFunds'],
    },
  )
  t.equal(funded.debt, dollars(50))
})

t.test('a line that may be borrowed money, and nothing says so, leaves it to the tags', async t => {
  const of = (name: string) =>
    debtOf(
      t,
      [
        ['LongTermDebtNoncurrent', 90],
        [name, 25],
        ['Liabilities', 115],
      ],
      { Liabilities: ['LongTermDebtNoncurrent', name] },
    )
  t.match(await of('custom:AdvancesAndFinancingObligations'), {
    debt: dollars(90),
    formula: 'noncurrent debt + current + finance leases',
  })
  t.equal((await of('custom:AdvancesFromJointOwners')).debt, dollars(90))
  t.equal((await of('custom:CollateralFinancingArrangements')).debt, dollars(115))
  t.equal((await of('custom:LongTermDebtAndFairValueHedges')).debt, dollars(115))
  t.equal((await of('custom:BookOverdrafts')).debt, dollars(90), 'cheques not yet cashed are no loan')
  t.equal((await of('custom:ShortTermDebtExcludingCapitalLeaseObligations')).debt, dollars(115))
})

t.test('finance leases of the notes are added unless the balance sheet shows them', async t => {
  const beside = await debtOf(
    t,
    [
      ['LongTermDebtNoncurrent', 90],
      ['SeniorNotes', 10],
      ['FinanceLeaseLiabilityNoncurrent', 6],
      ['FinanceLeaseLiabilityCurrent', 2],
      ['Liabilities', 100],
    ],
    { Liabilities: ['LongTermDebtNoncurrent', 'SeniorNotes'] },
  )
  t.equal(beside.debt, dollars(108))
  const shown = await debtOf(
    t,
    [
      ['LongTermDebtNoncurrent', 90],
      ['SeniorNotes', 10],
      ['FinanceLeaseLiabilityNoncurrent', 6],
      ['FinanceLeaseLiabilityCurrent', 2],
      ['Liabilities', 106],
    ],
    { Liabilities: ['LongTermDebtNoncurrent', 'SeniorNotes', 'FinanceLeaseLiabilityNoncurrent'] },
  )
  t.equal(shown.debt, dollars(108), 'the current part is not on it')
})

t.test('a current portion inside other liabilities, which notes tell of, stays in the debt', async t => {
  const { debt } = await debtOf(
    t,
    [
      ['LongTermDebtNoncurrent', 90],
      ['LongTermDebtCurrent', 12],
      ['AccruedLiabilitiesCurrent', 30],
      ['Liabilities', 120],
    ],
    { Liabilities: ['AccruedLiabilitiesCurrent', 'LongTermDebtNoncurrent'] },
  )
  t.equal(debt, dollars(102))
})

t.test('a balance sheet without a line of borrowed money shows that there is none', async t => {
  const lines: Lines = [
    ['AccountsPayableCurrent', 40],
    ['OtherLiabilitiesNoncurrent', 5],
    ['Liabilities', 45],
  ]
  const totals = { Liabilities: ['AccountsPayableCurrent', 'OtherLiabilitiesNoncurrent'] }
  t.match(await debtOf(t, lines, totals), {
    debt: 0,
    formula: 'no line of the balance sheet is debt',
    inputs: [{ concept: 'us-gaap:Liabilities', value: 45e6, times: 0 }],
  })
  t.equal((await debtOf(t, [...lines, ['LongTermDebt', 12]], totals)).debt, dollars(12), 'a note shows some')
  const repo = 'SecuritiesSoldUnderAgreementsToRepurchase'
  const funded = await debtOf(t, [...lines.slice(0, 2), [repo, 900], ['Liabilities', 945]], {
    Liabilities: [...totals.Liabilities, repo],
  }).catch(() => null)
  t.equal(funded?.debt ?? null, null, 'what lives on repurchase agreements is not free of debt')
})

t.test('a company in bankruptcy is left to the tags', async t => {
  const { debt } = await debtOf(
    t,
    [
      ['LongTermDebt', 30],
      ['LiabilitiesSubjectToCompromise', 220],
      ['Liabilities', 250],
    ],
    { Liabilities: ['LongTermDebt', 'LiabilitiesSubjectToCompromise'] },
  )
  t.equal(debt, null)
})

t.test('a filing without an accession number is known by its company, form and days', async t => {
  const db = await Database.create({ threads: 1 })
  t.teardown(() => db.close())
  const filing = {
    accession: null,
    cik: '0000001234',
    form: '10-K',
    report_date: '2024-12-31',
    filed_date: '2025-02-15',
  }
  for (const of of [
    filing,
    { ...filing, filed_date: null },
    { ...filing, form: null },
    { ...filing, accession: ACCESSION },
  ]) {
    const [row] = await db.rows<{ sheet: string }>(
      `SELECT ${sheetOfSql('f')} AS sheet FROM (SELECT ?::VARCHAR AS accession, ?::VARCHAR AS cik, ?::VARCHAR AS form,
         ?::DATE AS report_date, ?::DATE AS filed_date) f`,
      [of.accession, of.cik, of.form, of.report_date, of.filed_date] as string[],
    )
    t.equal(row!.sheet, sheetOf(of))
  }
  t.equal(sheetOf(filing), '0000001234 10-K 2024-12-31 2025-02-15')
})

t.test('its balance sheet is read all the same', async t => {
  const lines: Lines = [
    ['LongTermDebtNoncurrent', 90],
    ['SeniorNotes', 10],
    ['Liabilities', 100],
  ]
  const { rows } = await derived(t, {
    facts: report(
      { form: '10-K', filed: '2025-02-15', fy: 2024 },
      ['Revenues', 100, END, '2024-01-01'],
      ['Assets', 900, END],
      ...lines.map(([concept, millions]) => [concept, millions, END] as const),
    ).map(row => ({ ...row, accession: null, report_date: END })),
    calculations: ['LongTermDebtNoncurrent', 'SeniorNotes'].map(child => ({
      document: '0000001234 10-K 2024-12-31 2025-02-15',
      role: 'balance sheet',
      parent: 'us-gaap:Liabilities',
      child: `us-gaap:${child}`,
      weight: 1,
    })),
  })
  t.equal((await rows(`basis = 'ttm'`))[0]!['total_debt'], dollars(100))
})
