import t from 'tap'
import { asNoteOnDebt } from '../../../engine/filing/facts/filed-section.ts'
import { noteSentencesIn } from '../../../engine/filing/facts/note-sentences.ts'
import { offeredNotesIn } from '../../../engine/filing/facts/offered-notes.ts'
import { section } from './section.ts'

const item = (text: string, title = 'Item 8.01. Other Events.') =>
  offeredNotesIn(
    section(text, {
      section_type: 'other',
      doc_type: '8-K',
      title,
      period_end: '2025-03-03',
      filing_date: '2025-03-06',
    }),
  )
const said = (rows: ReturnType<typeof offeredNotesIn>) =>
  rows.map(r => [r.coupon_rate ?? r.rate_type, r.maturity, (r.principal ?? 0) / 1e8, r.currency])

t.test('notes that a current report says are sold are each a row, also floating ones', t => {
  const rows = item(
    `On March 3, 2025, Alfa Corp (the “Company”) entered into a Terms Agreement with Beta Securities LLC with respect to the offer and sale of $400,000,000 aggregate principal amount of its Floating Rate Notes Due 2028 (the “Floating Rate Notes”), $600,000,000 aggregate principal amount of its 4.950% Notes Due 2028 (the “2028 Notes”) and $500,000,000 aggregate principal amount of its 5.450% Global Notes Due 2035 (the “2035 Notes”). The 2028 Notes were offered to the public at 99.974% of par.`,
  )
  t.strictSame(said(rows).toSorted(), [
    [4.95, '2028', 600, 'USD'],
    [5.45, '2035', 500, 'USD'],
    ['floating', '2028', 400, 'USD'],
  ])
  t.match(rows[0], { rule: 'note_offered', balance_date: '2025-03-03', company_name: 'Alfa Corp' })
  t.end()
})

t.test('what underwriters agreed to purchase is sold', t => {
  t.strictSame(
    said(
      item(
        'On March 3, 2025, Alfa Corp entered into an agreement with the underwriters listed therein (the “Underwriters”), whereby the Company agreed to sell and the Underwriters agreed to purchase from the Company, subject to its terms, $1,000,000,000 principal amount of 3.900% Senior Notes due 2030, and $750,000,000 principal amount of 4.450% Senior Notes due 2035.\n\nAlfa intends to use the net proceeds to repay $424 million aggregate principal amount of its 8.375% Debentures due 2026.',
      ),
    ).toSorted(),
    [
      [3.9, '2030', 1000, 'USD'],
      [4.45, '2035', 750, 'USD'],
    ],
  )
  t.strictSame(
    item(
      'On March 3, 2025, Alfa Corp agreed to purchase $424 million principal amount of its 8.375% Debentures due 2029.',
    ),
    [],
  )
  t.end()
})

t.test(
  'the amount is what was closed, with the day, rank, call and put that the item tells of its one series',
  t => {
    const [row, ...others] = item(
      `On February 27, 2025, Alfa Corp entered into a purchase agreement to offer and sell $600 million aggregate principal amount of its 6.25% Senior Notes due 2033 (the “Notes”), plus up to an additional $90 million aggregate principal amount of such Notes at the option of the Initial Purchasers.

On March 3, 2025, Alfa closed the sale of $690 million aggregate principal amount of the Notes, including the exercise of the option in full.

Maturity. The Notes mature on March 15, 2033.

Ranking. The Notes are Alfa's general senior unsecured obligations.

Redemption. Alfa may redeem some or all of the Notes on or after March 15, 2029, for cash at a redemption price equal to 100% of the principal amount. Upon the occurrence of certain asset sales or a change in control, Alfa must offer to repurchase the Notes at a price equal to 100%, in the case of an asset sale, or 101%, in the case of a change of control, of the principal amount.`,
      'Item 1.01 Entry into a Material Definitive Agreement',
    )
    t.match(row, {
      name: '6.25% Senior Notes due March 15, 2033',
      principal: 690e8,
      maturity: '2033-03-15',
      seniority: 'senior_unsecured',
      security_type: 'unsecured',
      par_call_date: '2029-03-15',
      change_of_control_price: 101,
    })
    t.equal(others.length, 0)
    t.end()
  },
)

t.test('an additional issue adds to what is outstanding of its series', t => {
  const rows = item(
    `On March 3, 2025, Alfa Corp entered into a Terms Agreement with respect to the offer and sale of $250,000,000 aggregate principal amount of its 4.950% Notes Due 2035 (the “New Notes”). The New Notes constitute an additional issuance of the $750,000,000 aggregate principal amount of 4.950% Notes Due 2035 that the Company issued on February 6, 2025, all of which are still outstanding.`,
  )
  t.strictSame(said(rows), [[4.95, '2035', 1000, 'USD']])
  t.end()
})

t.test(
  'proposed offers, prices announced, and notes that are repaid or whose indenture is amended are none',
  t => {
    for (const text of [
      'Alfa Corp intends to offer $500 million aggregate principal amount of 6.00% Senior Notes due 2033 in a private placement.',
      'On March 3, 2025, Alfa issued a press release with respect to the pricing of its offer and sale of $600.0 million aggregate principal amount of 6.75% Senior Notes due 2031.',
      'On March 3, 2025, Alfa redeemed all $300 million aggregate principal amount of its 5.375% Senior Notes due 2028.',
      'Alfa commenced a tender offer for any and all of its $300 million aggregate principal amount of 5.375% Senior Notes due 2028.',
      'Alfa entered into a supplemental indenture to amend the terms of its $300 million aggregate principal amount of 5.375% Senior Notes due 2028.',
    ])
      t.strictSame(item(text), [], text)
    const other = 'Alfa issued $500 million aggregate principal amount of its 6.00% Senior Notes due 2033.'
    t.strictSame(item(other, 'Item 9.01 Financial Statements and Exhibits'), [])
    t.end()
  },
)

t.test('a prospectus supplement offers the notes of its title; a form with blanks offers none', t => {
  const cover = (text: string) =>
    offeredNotesIn(
      section(text, {
        section_type: 'other',
        doc_type: '424B5',
        title: 'Prospectus supplement',
        period_end: null,
        filing_date: '2025-03-06',
      }),
    )
  const rows = cover(`$500,000,000
5.125% Senior Notes due 2035

We are offering $500,000,000 aggregate principal amount of our 5.125% Senior Notes due 2035. The notes will mature on June 15, 2035.`)
  t.strictSame(said(rows), [[5.125, '2035-06-15', 500, 'USD']])
  t.strictSame(
    cover('$     \n    % Senior Notes due 20  \n\nWe are offering $    of our    % Senior Notes due 20  .'),
    [],
  )
  t.end()
})

t.test('the chapter of a prospectus about other debt is read as a note on debt of its day', t => {
  const chapter = asNoteOnDebt(
    section(
      `The Collateralized Senior Notes consist of $850,000,000 aggregate principal amount of the 3.95% Senior Notes due 2047 and $600,000,000 aggregate principal amount of the 4.00% Senior Notes due 2046.

In June 2023, the Company completed the sale of $800 million aggregate principal amount of 3.000% first mortgage bonds due June 15, 2038. In May 2024, the Company redeemed all $500 million aggregate principal amount of its 1.75% first mortgage bonds due June 16, 2029.`,
      {
        section_type: 'other',
        doc_type: '424B5',
        title: 'DESCRIPTION OF OTHER INDEBTEDNESS',
        period_end: null,
        filing_date: '2025-03-06',
      },
    ),
  )
  t.strictSame(
    noteSentencesIn(chapter).map(r => [r.name, (r.principal ?? 0) / 1e8, r.balance_date]),
    [
      ['3.95% Collateralized Senior Notes due 2047', 850, '2025-03-06'],
      ['4% Collateralized Senior Notes due 2046', 600, '2025-03-06'],
      ['3% First Mortgage Bonds due June 15, 2038', 800, '2025-03-06'],
    ],
  )
  t.end()
})
