import t from 'tap'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { section } from './section.ts'

const told = (text: string) => covenantsIn(section(text, { section_type: 'debt_footnote' }))

/** The financial tests that were read, in short. */
const tests = (rows: ReturnType<typeof covenantsIn>) =>
  rows
    .filter(r => r.covenant_type === 'financial')
    .map(r => [r.covenant_name, r.test_metric, r.threshold_type, r.threshold_value, r.test_frequency])

const names = (rows: ReturnType<typeof covenantsIn>) => rows.map(r => r.covenant_name)

const total = ['Maximum Total Leverage Ratio', 'leverage_ratio', 'maximum']

t.test('a ratio not to be exceeded is a maximum, one not to be undercut a minimum', async t => {
  const rows = covenantsIn(
    section(`
Section 7.11 Financial Covenants.

(a) Maximum Total Leverage Ratio. The Borrower shall not permit the Total Leverage Ratio as of the last day of any
fiscal quarter to exceed 4.50 to 1.00.

(b) Minimum Interest Coverage Ratio. The Borrower shall not permit the Interest Coverage Ratio as of the last day of
any fiscal quarter to be less than 2.75:1.00.
`),
  )
  t.strictSame(tests(rows), [
    [...total, 4.5, 'quarterly'],
    ['Minimum Interest Coverage Ratio', 'interest_coverage', 'minimum', 2.75, 'quarterly'],
  ])
  t.match(rows[0], {
    evidence_section: 'Financial Covenants (a) Maximum Total Leverage Ratio',
    rule: 'test_sentence',
    has_step_down: false,
    accession: '0000000000-25-000001',
    source_document_date: '2025-03-31',
  })
})

t.test('thresholds are read in every form that agreements use', async t => {
  const written: readonly (readonly [string, number])[] = [
    ['4.50 to 1.00', 4.5],
    ['4.50:1.00', 4.5],
    ['4.5 to 1', 4.5],
    ['4.5x', 4.5],
    ['4.25 times', 4.25],
    ['four and one-half to one', 4.5],
    ['three to one', 3],
    ['three and three-quarters (3.75) to 1.00', 3.75],
    ['3.50 to one', 3.5],
  ]
  for (const [text, value] of written) {
    const rows = covenantsIn(
      section(`6.1 Leverage. The Company will not permit the Leverage Ratio to exceed ${text}.\n`),
    )
    t.strictSame(tests(rows), [[...total, value, null]], text)
  }
})

t.test('every wording of the same test gives the same direction', async t => {
  const asked = [
    'The Borrower shall maintain a Total Leverage Ratio of not greater than 4.00 to 1.00.',
    'The Borrower shall cause the Total Leverage Ratio to be less than or equal to 4.00 to 1.00.',
    'The Total Leverage Ratio shall not exceed 4.00 to 1.00 at the end of any month.',
    'Permit the Total Leverage Ratio to be greater than 4.00 to 1.00.',
    'Neither the Borrower nor any Subsidiary will permit the Total Leverage Ratio to be more than 4.00 to 1.00.',
    'The Borrower will not at any time permit the ratio of Consolidated Funded Debt to Consolidated EBITDA to exceed 4.00 to 1.00.',
    'Maintain a Total Leverage Ratio of no more than 4.00 to 1.00.',
  ]
  for (const text of asked) {
    const [row] = tests(covenantsIn(section(`6.1 Leverage. ${text}\n`)))
    t.strictSame(row?.slice(0, 4), [...total, 4], text)
  }
})

t.test('the kind of leverage follows from its name', async t => {
  const named: readonly (readonly [string, string | null])[] = [
    ['Consolidated First Lien Net Leverage Ratio', 'first_lien_leverage'],
    ['Senior Secured Leverage Ratio', 'secured_leverage'],
    ['Total Net Leverage Ratio', 'net_leverage_ratio'],
    ['Debt to EBITDA Ratio', 'leverage_ratio'],
    ['Consolidated Leverage Ratio', 'leverage_ratio'],
  ]
  for (const [name, metric] of named) {
    const rows = covenantsIn(
      section(`6.1 Test. The Borrower shall not permit the ${name} to exceed 3.00 to 1.00.\n`),
    )
    t.equal(rows[0]?.test_metric, metric, name)
  }
})

t.test('leverage over capital or net worth is not debt to EBITDA', async t => {
  const over = (under: string) =>
    covenantsIn(
      section(`1.1 Terms. "Leverage Ratio" means the ratio of Consolidated Debt to ${under}.

6.1 Leverage. The Borrower shall not permit the Leverage Ratio to exceed 1.20 to 1.00.
`),
    )
  t.strictSame(tests(over('Total Capitalization'))[0]?.slice(0, 2), [
    'Maximum Debt to Capitalization Ratio',
    null,
  ])
  t.strictSame(tests(over('Consolidated Tangible Net Worth'))[0]?.slice(0, 2), [
    'Maximum Debt to Net Worth Ratio',
    null,
  ])
  t.strictSame(tests(over('Consolidated EBITDA'))[0]?.slice(0, 2), total.slice(0, 2))
  const share = covenantsIn(section('6.1 Leverage. The Leverage Ratio shall not exceed 60%.\n'))
  t.strictSame(tests(share), [['Maximum Leverage Ratio', null, 'maximum', 0.6, null]])
})

t.test('amounts are in cents: liquidity, net worth, capital expenditures', async t => {
  const rows = covenantsIn(
    section(`
7.1 Liquidity. At all times the Borrower shall maintain Liquidity of not less than $25,000,000.

7.2 Net Worth. The Borrower shall not permit Consolidated Tangible Net Worth at the end of any fiscal quarter to be
less than $1.2 billion.

7.3 Capital Expenditures. The Borrower shall not make Capital Expenditures in any fiscal year in excess of $4,000,000.
`),
  )
  t.strictSame(tests(rows).slice(0, 2), [
    ['Minimum Liquidity', null, 'minimum', 2_500_000_000, 'at_all_times'],
    ['Minimum Tangible Net Worth', null, 'minimum', 120_000_000_000, 'quarterly'],
  ])
})

t.test("a table of periods is a schedule; the level is that of the document's date", async t => {
  const text = `
6.12 Leverage Ratio. The Borrower shall not permit the Leverage Ratio as of the last day of any fiscal quarter to
exceed the ratio set forth below opposite the period in which such day falls:

Period | Ratio
June 30, 2024 through March 31, 2025 | 5.25 to 1.00
June 30, 2025 through March 31, 2026 | 4.75 to 1.00
June 30, 2026 and thereafter | 4.25 to 1.00

6.13 Other. Nothing.
`
  const [row] = covenantsIn(section(text))
  t.match(row, {
    threshold_value: 5.25,
    has_step_down: true,
    rule: 'test_table',
    step_down_schedule: [
      { date: '2024-06-30', threshold_value: 5.25 },
      { date: '2025-06-30', threshold_value: 4.75 },
      { date: '2026-06-30', threshold_value: 4.25 },
    ],
  })
  t.equal(covenantsIn(section(text, { filing_date: '2026-01-31' }))[0]?.threshold_value, 4.75)
})

t.test('a table with periods in the row above its ratios is read across', async t => {
  const [row] = covenantsIn(
    section(`
6.12 Coverage. The Borrower shall not permit the Interest Coverage Ratio to be less than the ratio set forth below:

Quarter ended | March 31, 2025 | June 30, 2025 | September 30, 2025
Minimum ratio | 1.50 to 1.00 | 1.75 to 1.00 | 2.00 to 1.00
`),
  )
  t.strictSame(row?.step_down_schedule, [
    { date: '2025-03-31', threshold_value: 1.5 },
    { date: '2025-06-30', threshold_value: 1.75 },
    { date: '2025-09-30', threshold_value: 2 },
  ])
  t.equal(row?.has_step_down, true)
})

t.test('a sentence of steps is a schedule, and thereafter begins the next day', async t => {
  const [row] = covenantsIn(
    section(
      '6.1 Leverage. The Borrower shall not permit the Leverage Ratio to exceed 5.00 to 1.00 through December 31, 2025 and 4.50 to 1.00 thereafter.\n',
    ),
  )
  t.strictSame(row?.step_down_schedule, [
    { date: null, threshold_value: 5 },
    { date: '2026-01-01', threshold_value: 4.5 },
  ])
})

t.test('a temporary step-up after an acquisition is not a schedule', async t => {
  const [row] = covenantsIn(
    section(
      '6.1 Leverage. The Borrower shall not permit the Leverage Ratio to exceed 3.50 to 1.00; provided that, following a Material Acquisition, such ratio may be 4.00 to 1.00.\n',
    ),
  )
  t.match(row, { threshold_value: 3.5, has_step_down: false, step_down_schedule: null })
})

t.test('mentions that impose no test give none', async t => {
  const traps = [
    'The Applicable Margin shall be 2.00% if the Leverage Ratio is greater than 3.00 to 1.00.',
    'The Borrower may declare dividends so long as the Leverage Ratio would not exceed 3.00 to 1.00.',
    '"Leverage Ratio" means a ratio that shall not exceed 3.00 to 1.00.',
    'The Borrower shall not make any Acquisition unless, after giving effect thereto, the Leverage Ratio shall not exceed 3.00 to 1.00.',
    'The Borrower is not required to maintain a Leverage Ratio of less than 4.00 to 1.00.',
    'The requirement that the Leverage Ratio shall not exceed 4.00 to 1.00 has been waived.',
    'The Borrower shall not permit the Leverage Ratio to be less than 4.00 to 1.00.',
    'The Borrower shall not permit the Leverage Ratio to exceed 4500 to 1.00.',
    'The aggregate amount of Liens shall not exceed 10% of Tangible Net Worth.',
  ]
  for (const text of traps) t.strictSame(tests(covenantsIn(section(`6.1 Terms. ${text}\n`))), [], text)
})

t.test('levels that an amendment deletes are ignored, their replacements apply', async t => {
  const rows = covenantsIn(
    section(`Section 2. Amendments. Section 7.11 is amended by deleting "the Borrower shall not permit the Leverage Ratio to exceed
3.00 to 1.00" and Section 7.11 is hereby amended and restated as follows: "7.11 Leverage. The Borrower shall not permit the Leverage
Ratio to exceed 4.00 to 1.00."
`),
  )
  t.strictSame(
    tests(rows).map(test => test[3]),
    [4],
  )
})

t.test('reports mention several tests in one sentence', async t => {
  const rows = told(
    'The Credit Agreement requires us to maintain a maximum consolidated leverage ratio of 3.75 to 1.00 and a minimum interest coverage ratio of 3.0:1.0, tested at the end of each fiscal quarter. Our leverage ratio was 2.1 to 1.0 at year end.',
  )
  t.strictSame(tests(rows), [
    [...total, 3.75, 'quarterly'],
    ['Minimum Interest Coverage Ratio', 'interest_coverage', 'minimum', 3, 'quarterly'],
  ])
  t.equal(rows[0]?.instrument_name, 'Credit Agreement')
  t.ok(rows.every(r => r.extraction_confidence! <= 0.85))
})

t.test('a springing test is marked, and an equity cure applies to every financial test', async t => {
  const [row] = covenantsIn(
    section(`
7.1 Financial Covenant. If on the last day of any fiscal quarter the aggregate outstanding amount of Revolving Loans exceeds
35% of the Revolving Commitments, the Borrower shall not permit the First Lien Leverage Ratio to exceed 6.00 to 1.00.

7.2 Right to Cure. The holders may exercise the cure right by a contribution made within ten (10) Business Days after the
date on which financial statements are due.
`),
  )
  t.match(row, { test_frequency: 'springing', cure_period_days: 10, threshold_value: 6 })
})

const restricted = `ARTICLE VII
NEGATIVE COVENANTS

7.1 Liens. The Borrower will not, nor will it permit any Subsidiary to, create, incur or suffer to exist any Lien upon its property, except Permitted Liens.

7.2 Indebtedness. The Borrower will not incur or suffer to exist any Indebtedness, except under the Loan Documents.

7.3 Fundamental Changes. No Loan Party shall merge or consolidate with any other Person.

7.4 Restricted Payments. The Borrower will not declare or make any Restricted Payment.

7.5 Asset Sales. The Borrower will not sell, transfer or otherwise dispose of any property.

7.6 Transactions with Affiliates. The Borrower will not enter into any transaction with any Affiliate except at arm's length.

7.7 Investments. The Borrower will not make any Investment.
`

t.test('each titled prohibition is a restriction of its kind', async t => {
  const rows = covenantsIn(section(restricted))
  t.strictSame(names(rows), [
    'Limitation on Liens',
    'Limitation on Indebtedness',
    'Limitation on Mergers',
    'Limitation on Restricted Payments',
    'Limitation on Asset Sales',
    'Limitation on Affiliate Transactions',
    'Limitation on Investments',
  ])
  t.ok(rows.every(r => r.covenant_type === 'negative' && r.threshold_value === undefined))
})

t.test('under a prohibiting article the bare verb suffices', async t => {
  const rows = covenantsIn(
    section(
      'NEGATIVE COVENANTS\n\nThe Borrower shall not:\n\n6.1  LIENS.  Create, incur or assume any Lien upon any of its property.\n\n6.2  MERGERS.  Merge or consolidate with any Person.\n',
    ),
  )
  t.strictSame(names(rows), ['Limitation on Liens', 'Limitation on Mergers'])
})

t.test('contents pages, representations and promises to pay taxes restrict nothing', async t => {
  const rows = covenantsIn(
    section(`
7.1 Liens. . . . . . . . . . . 44
7.2 Indebtedness . . . . . . . 45

ARTICLE IV
REPRESENTATIONS AND WARRANTIES

4.1 Liens. The Borrower has not created any Lien and will not create any Lien on the Closing Date.

ARTICLE V
AFFIRMATIVE COVENANTS

5.1 Payment of Indebtedness. The Borrower shall pay its Indebtedness when due.
`),
  )
  t.strictSame(names(rows), [])
})

t.test('a debt limit with a ratio exception is an incurrence test', async t => {
  const [row] = covenantsIn(
    section(
      `Section 4.09 Limitation on Indebtedness. The Issuer will not incur any Indebtedness; provided, however, that the Issuer may incur Indebtedness if the Fixed Charge Coverage Ratio for the most recent four quarters would have been at least 2.00 to 1.00, determined on a pro forma basis.\n`,
      { section_type: 'indenture' },
    ),
  )
  t.match(row, {
    covenant_type: 'incurrence',
    covenant_name: 'Limitation on Indebtedness',
    test_metric: 'fixed_charge_coverage',
    threshold_value: 2,
    threshold_type: 'minimum',
    test_frequency: 'incurrence',
  })
})

t.test('reports list restrictions; what a covenant does not limit is none', async t => {
  const rows = told(
    'The indentures contain covenants that limit our ability to, among other things, incur liens, enter into sale and leaseback transactions and merge or consolidate.',
  )
  t.strictSame(names(rows).sort(), [
    'Limitation on Liens',
    'Limitation on Mergers',
    'Limitation on Sale and Leaseback Transactions',
  ])
  t.strictSame(
    told('The indenture does not contain covenants that limit our ability to incur liens or to merge.'),
    [],
  )
})

t.test('change-of-control puts and make-whole calls are protections', async t => {
  const rows = told(
    'Upon a change of control triggering event, we will be required to offer to repurchase the Notes at a price equal to 101% of their principal amount plus accrued interest. We may redeem the Notes at the greater of par and the present value of the remaining payments discounted at the Treasury Rate plus 25 basis points.',
  )
  t.strictSame(
    rows.map(r => [r.covenant_type, r.covenant_name, r.put_price_pct]),
    [
      ['protective', 'Change of Control Put', 101],
      ['protective', 'Make-Whole Redemption', null],
    ],
  )
  t.strictSame(
    told(
      'The holders will not have the right to require us to repurchase the Notes at 101% of the principal amount upon a change of control.',
    ),
    [],
  )
})

t.test('a cross-default has its minimum amount', async t => {
  const rows = covenantsIn(
    section(`
8.1 Events of Default. Any of the following is an Event of Default: (a) the Borrower fails to pay any principal hereunder; or
(e) the Borrower or any Subsidiary shall fail to make any payment in respect of any other Indebtedness having an aggregate principal
amount of more than $5,000,000, if the effect is to cause such Indebtedness to become due prior to its stated maturity; or
(f) a Change of Control shall occur.
`),
  )
  t.match(rows, [
    { covenant_name: 'Cross-Default', threshold_value: 500_000_000, threshold_type: 'minimum' },
    { covenant_name: 'Change of Control Default' },
  ])
  t.match(rows[0]?.evidence, /^\(e\) the Borrower/)
})

t.test('evidence is the exact text at its offset in the document', async t => {
  const lead = 'x'.repeat(1000)
  const text = `${restricted}\n8.1 Leverage. The Borrower\u2019s \u201cLeverage\u00a0Ratio\u201d \u2014 shall not permit | the Leverage\n\n 41 \n\nRatio to exceed 4.50\u00a0to 1.00.\n\n8.2 Coverage.\n\n      Cause the Interest Coverage Ratio to be at least 2.00 to 1.00.\n`
  const rows = covenantsIn(section(text, { offset: lead.length }))
  t.equal(rows.length, 9)
  t.match(rows.at(-1)?.evidence, /^Cause/)
  for (const row of rows) {
    const at = row.evidence_offset!
    t.equal((lead + text).slice(at, at + row.evidence!.length), row.evidence)
    t.ok(row.evidence && row.rule && row.evidence_section && row.extraction_confidence)
  }
})

t.test('the same fact has the same id in later documents, and another id for other instruments', async t => {
  const text = (day: string) =>
    `CREDIT AGREEMENT dated as of ${day} among Alfa Corp and the Lenders.\n\n6.1 Leverage. The Borrower shall not permit the Leverage Ratio to exceed 4.00 to 1.00.\n`
  const id = (day: string, filing_date: string) => covenantsIn(section(text(day), { filing_date }))[0]?.id
  t.equal(id('May 1, 2024', '2024-05-03'), id('May 1, 2024', '2025-05-03'))
  t.not(id('May 1, 2024', '2024-05-03'), id('June 1, 2024', '2024-05-03'))
})

t.test('other sections and meaningless texts give nothing, quickly', async t => {
  const sentence = 'The Borrower shall not permit the Leverage Ratio to exceed 4.00 to 1.00. '
  t.strictSame(covenantsIn(section(sentence, { section_type: 'business' })), [])
  const started = performance.now()
  for (const text of [
    '',
    ' '.repeat(200_000),
    'a'.repeat(500_000),
    '('.repeat(50_000),
    'shall not '.repeat(20_000),
    '$1 '.repeat(50_000),
  ])
    t.strictSame(covenantsIn(section(text)), [])
  t.ok(performance.now() - started < 60_000, `${Math.round(performance.now() - started)} ms`)
})
