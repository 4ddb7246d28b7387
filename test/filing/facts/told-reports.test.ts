import t from 'tap'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import { endingsIn } from '../../../engine/filing/facts/endings.ts'
import { section } from './section.ts'

const item = { section_type: 'credit_agreement', doc_type: '8-K', title: 'Item 1.01 Agreement' }
const note = { section_type: 'debt_footnote', doc_type: '10-K' }
const told = (text: string, more: Parameters<typeof section>[1] = item) =>
  covenantsIn(section(text, more))
    .map(r => [r.covenant_name, r.threshold_value ?? r.put_price_pct ?? null])
    .sort()
const names = (text: string, more: Parameters<typeof section>[1] = item) =>
  told(text, more).map(([name]) => name)

t.test('a report lists restrictions in words of its own', async t => {
  t.strictSame(
    names(
      'The Credit Agreement contains covenants that limit the ability of the Company to: • impose restrictions on the payment of dividends to it by its subsidiaries; • alter the business it conducts.',
    ),
    ['Limitation on Line of Business', 'Limitation on Restrictive Agreements'],
    'dividends of subsidiaries are not those of the company',
  )
  t.strictSame(
    names(
      'The indenture contains covenants that limit the ability of the Company to borrow money; change its business activities; and enter into business combinations.',
    ),
    ['Limitation on Indebtedness', 'Limitation on Line of Business', 'Limitation on Mergers'],
  )
  t.strictSame(
    names(
      'The Credit Agreement contains covenants relating to financial reporting, payment of taxes, and limitations on guaranties, loans, issuance of debt and leases.',
      note,
    ),
    ['Financial Reporting', 'Limitation on Guarantees', 'Limitation on Indebtedness'],
  )
  t.strictSame(
    names('The lender provides that the credit agreement includes controls over financial reporting.', note),
    [],
  )
})

t.test('events of default are named in further words', async t => {
  t.strictSame(
    names(
      'The Indenture provides for events of default (subject in certain cases to customary notice and grace periods of some length), which include breach of covenants and defaults in payment of certain other indebtedness.',
    ),
    ['Cross-Default'],
  )
  const upon = (rest: string) =>
    names(
      `Upon the occurrence of certain events, including a failure to pay what is due under the Loan Agreement, ${rest}, the Lender may declare the loans due.`,
    )
  t.strictSame(upon('cross defaults to other indebtedness and judgment defaults'), [
    'Cross-Default',
    'Judgment Default',
  ])
  t.strictSame(upon('a material adverse change'), [])
})

t.test('a report tells of a suspension by its noun', async t => {
  t.strictSame(
    names(
      'These limitations are subject to exceptions, including the suspension of certain of these covenants upon the Notes receiving investment grade ratings.',
    ),
    ['Covenant Suspension'],
  )
  t.strictSame(names('The agreement led to the suspension of these covenants for two quarters.'), [])
})

t.test('a level stands behind what a relative clause says of its quantity', async t => {
  const text =
    'The Credit Facility contains the following financial covenants: (i) a maximum total leverage ratio that for the quarter ended June 30, 2025 was set at 3.75 to 1.0; and (ii) a minimum EBITDA (as defined in the Credit Facility) threshold that is $7,300.'
  t.strictSame(told(text, note), [['Maximum Total Leverage Ratio', 3.75]], 'no EBITDA is so low')
  t.strictSame(
    told(text, { ...note, amounts_in: 'thousands' }),
    [
      ['Maximum Total Leverage Ratio', 3.75],
      ['Minimum EBITDA', 7_300_000e2],
    ],
    'in a note whose amounts are in thousands',
  )
  t.strictSame(
    told(`${text} We drew $2.5 million.`, { ...note, amounts_in: 'thousands' }),
    [['Maximum Total Leverage Ratio', 3.75]],
    'a note that writes millions out is in dollars',
  )
})

t.test('a list of tests goes on behind a full stop', async t => {
  const list = (next: string) =>
    told(
      `The credit agreement contains financial covenants, each as defined there: Leverage Ratio, as defined, to be no higher than 3.50 to 1.00. ${next}`,
      note,
    )
  t.strictSame(list('Interest Coverage Ratio, as defined, to be at least 2.25 to 1.00.'), [
    ['Maximum Total Leverage Ratio', 3.5],
    ['Minimum Interest Coverage Ratio', 2.25],
  ])
  t.strictSame(list('Interest Coverage Ratio came to be at least 2.25 to 1.00.').length, 1)
})

t.test('an agreement to lend that also secures or guarantees ends as one', async t => {
  const ended = (name: string) =>
    endingsIn(
      section(`On March 6, 2025, the Company terminated its ${name} dated April 30, 2019.`, {
        section_type: 'other',
        doc_type: '8-K',
      }),
    ).map(r => r.instrument_name)
  t.strictSame(ended('Term Loan Credit and Guaranty Agreement'), ['Term Loan Credit and Guaranty Agreement'])
  t.strictSame(ended('Loan and Security Agreement'), ['Loan and Security Agreement'])
  t.strictSame(ended('Guaranty Agreement'), [])
  t.strictSame(ended('Pledge and Security Agreement'), [])
})

t.test('a level is told without the one before it', async t => {
  const brought = (rest: string) =>
    told(`In May 2025 we amended the credit agreement ${rest}`, { ...note, section_type: 'debt_footnote' })
  t.strictSame(
    brought(
      'to increase the maximum permitted ratio of total debt to consolidated EBITDA (the "Total Leverage Ratio") to 5.25:1.00 as of the end of each quarter.',
    ),
    [['Maximum Total Leverage Ratio', 5.25]],
  )
  t.strictSame(
    brought(
      'and may ask to increase the maximum permitted leverage ratio if it would be raised to 5.25:1.00.',
    ),
    [],
  )
})
