import t from 'tap'
import { collateralIn } from '../../../engine/filing/facts/collateral.ts'
import { covenantsIn } from '../../../engine/filing/facts/covenants.ts'
import type { FiledSection } from '../../../engine/filing/facts/filed-section.ts'
import { section } from './section.ts'

type Row = { readonly instrument_name?: string | null }
const namedRow = (fact: string, { instrument_name }: Row) => `${fact} of ${instrument_name}`

/** The facts of a sentence of a report, `Minimum Net Worth 5000000000; securities`. */
function facts(text: string, more: Partial<FiledSection>, shown: (fact: string, row: Row) => string): string {
  const told = section(text, { section_type: 'debt_footnote', doc_type: '10-K', ...more })
  const covenants = covenantsIn(told).map(row => {
    const level = row.threshold_value ?? row.put_price_pct ?? null
    const name = row.covenant_name?.replace('Limitation on ', '')
    return shown(level === null ? `${name}` : `${name} ${level}`, row)
  })
  return [...covenants, ...collateralIn(told).map(row => shown(`${row.type}`, row))].sort().join('; ')
}
const reads = (
  more: Partial<FiledSection>,
  sentences: readonly (readonly [string, string])[],
  shown = (fact: string, _: Row) => fact,
) => {
  for (const [text, expected] of sentences) t.equal(facts(text, more, shown), expected, text)
}

t.test('told ratios are read out of lists, and of what must be maintained', async () => {
  reads({}, [
    [
      'The Credit Agreement contains covenants, including requirements that (a) minimum ratios, as from time to time are in effect, of funded debt to cash flow, cash flow to interest expense and cash flow to fixed charges be maintained and (b) the Company remain in business.',
      'Maximum Debt to Cash Flow Ratio; Minimum Cash Flow Coverage Ratio; Minimum Fixed Charge Coverage Ratio',
    ],
    [
      'The credit facility requires that certain ratios be maintained, including ratios of total debt to total capitalization and earnings to fixed charges.',
      'Maximum Debt to Capitalization Ratio; Minimum Fixed Charge Coverage Ratio',
    ],
    [
      'Under the loan agreement, the Company must maintain minimum ratios of current assets to current liabilities and of EBITDA to interest expense.',
      'Minimum Current Ratio; Minimum Interest Coverage Ratio',
    ],
    [
      'The loan agreement requires the maintenance of specified ratios of total debt to EBITDA and EBITDA to interest expense.',
      'Maximum Total Leverage Ratio; Minimum Interest Coverage Ratio',
    ],
    [
      'The covenants require us to meet ratios of debt to tangible net worth and cash flow to debt service.',
      'Maximum Debt to Net Worth Ratio; Minimum Debt Service Coverage Ratio',
    ],
    [
      'The credit agreement requires that a minimum ratio of EBITDA to interest expense of 3.0 to 1 be maintained.',
      'Minimum Interest Coverage Ratio 3',
    ],
    [
      'The bank agreement requires that minimum tangible net worth of $20 million be maintained.',
      'Minimum Tangible Net Worth 2000000000',
    ],
    [
      "The term loan includes a requirement that the Company's net worth be at least $50 million.",
      'Minimum Net Worth 5000000000',
    ],
    [
      'The credit agreement requires us to keep our leverage ratio below 3.5 to 1.0.',
      'Maximum Total Leverage Ratio 3.5',
    ],
    [
      'Under the credit agreement, our leverage ratio must remain at or below 3.50 to 1.00.',
      'Maximum Total Leverage Ratio 3.5',
    ],
    [
      'The facility requires a leverage ratio of no more than 4.00 to 1.00 and an interest coverage ratio of no less than 3.00 to 1.00 to be maintained.',
      'Maximum Total Leverage Ratio 4; Minimum Interest Coverage Ratio 3',
    ],
    [
      'The notes require that the ratio of debt to EBITDA be maintained at less than 3.0 to 1.0.',
      'Maximum Total Leverage Ratio 3',
    ],
    [
      'The line of credit requires certain minimum ratios of quick assets, net worth and cash flow coverage be met.',
      '',
    ],
    ['Ratios of debt to capital and of earnings to fixed charges are shown in the table below.', ''],
    [
      'The credit agreement no longer requires that minimum ratios of debt to cash flow and cash flow to interest expense be maintained.',
      '',
    ],
  ])
})

t.test('levels of several ratios are told in turn', async () => {
  reads({}, [
    [
      'The credit agreement requires us to maintain ratios of debt to EBITDA and EBITDA to interest expense of 3.5 to 1 and 4.0 to 1, respectively.',
      'Maximum Total Leverage Ratio 3.5; Minimum Interest Coverage Ratio 4',
    ],
    [
      'We are required to maintain a minimum tangible net worth and minimum liquidity of $20 million and $5 million, respectively.',
      'Minimum Liquidity 500000000; Minimum Tangible Net Worth 2000000000',
    ],
    [
      'The facility requires us to maintain a maximum leverage ratio and a minimum interest coverage ratio of 3.5 to 1, 4.0 to 1 and 5.0 to 1, respectively.',
      '',
    ],
  ])
})

t.test('holders may put their notes on events that include a change of control', async () => {
  reads({}, [
    [
      "Each holder has the right to require the Company to repurchase such holder's Notes in whole, but not in part, upon the occurrence of certain triggering events, including, without limitation, a change of control or certain ratings downgrades.",
      'Change of Control Put',
    ],
    [
      'Upon the occurrence of certain events, including a change of control, holders of the notes may require the Company to repurchase their notes.',
      'Change of Control Put',
    ],
    [
      'Holders may require us to repurchase the notes upon the occurrence of specified events, such as a change in control, at 100% of their principal amount.',
      'Change of Control Put 100',
    ],
    [
      'The Debentures are redeemable at the option of the holders upon a change of control.',
      'Change of Control Put',
    ],
    [
      'The holders of the notes may elect to have their notes repurchased by us upon a change of control.',
      'Change of Control Put',
    ],
    [
      'Noteholders may tender their notes to the Company for repurchase at 101% of principal upon a change of control.',
      'Change of Control Put 101',
    ],
    [
      'The Company is obligated to offer to repurchase all outstanding notes if a change of control occurs.',
      'Change of Control Put',
    ],
    [
      'A change of control gives holders the right to have the notes repurchased at 101% of their principal amount.',
      'Change of Control Put 101',
    ],
    [
      'The indenture obliges us to make an offer to purchase the notes upon a change of control.',
      'Change of Control Put',
    ],
    [
      'Each noteholder has the option, following a designated event such as a change in control, to cause the Company to purchase its notes at par.',
      'Change of Control Put 100',
    ],
    [
      'The notes contain put rights exercisable by holders in the event of a change of control.',
      'Change of Control Put',
    ],
    [
      'Holders of the preferred stock may require us to repurchase their shares upon a change of control.',
      '',
    ],
    [
      'The notes may be repurchased by the Company in open market transactions, and a change of control could occur.',
      '',
    ],
  ])
})

t.test('an amount of securities or cash secures a loan', async () => {
  reads({}, [
    [
      'The December 31, 2024 balance outstanding of $29.5 million under the lines of credit was collateralized by approximately $20.9 million of firm owned securities and cash.',
      'cash; securities',
    ],
    [
      'Borrowings under the line of credit at December 31, 2024 were collateralized by $15 million of marketable securities.',
      'securities',
    ],
    [
      'The bank loan is collateralized by $5.0 million of U.S. Treasury securities and $2.0 million of cash.',
      'cash; securities',
    ],
    ['The loan is secured by approximately $3.2 million in cash.', 'cash'],
    ['The note is secured by short-term investments of $10 million.', 'securities'],
    [
      'The term loan is collateralized by government securities with a market value of $12 million.',
      'securities',
    ],
    [
      'At December 31, 2024, advances were collateralized by mortgage-backed securities of $80 million.',
      'securities',
    ],
    ['The margin loan is secured by 2.1 million shares of common stock of Beta Corp.', 'securities'],
    [
      'The revolving line of credit is collateralized by cash deposits of $1.5 million held at the bank.',
      'cash',
    ],
    ['Short-term bank loans at year end were collateralized by $30 million of company-owned securities.', ''],
    ['The loan is secured by a $2.5 million certificate of deposit.', 'cash'],
    ['The demand loan is secured by trading securities owned by the Company.', 'securities'],
  ])
})

t.test('a note on another subject tells what is pledged for a loan or a prepaid forward', async () => {
  reads({ section_type: 'notes' }, [
    [
      'The Company has pledged shares of Beta common stock as collateral upon entering into the VPF derivative contracts.',
      'securities',
    ],
    [
      'In connection with the margin loan agreement, the Company pledged 5 million shares of Beta common stock as collateral.',
      'securities',
    ],
    [
      'We have pledged our equity interest in the joint venture as collateral under the financing agreement.',
      'securities',
    ],
  ])
})

t.test('assets are pledged, or posted, as collateral for, under or on a debt', async () => {
  reads({}, [
    [
      "The Company's headquarters building in Reno has been pledged as collateral for the mortgage note.",
      'real_estate',
    ],
    [
      'As of December 31, 2024, inventories with a carrying value of $12 million were pledged as collateral under the revolving credit facility.',
      'inventory',
    ],
    [
      'We have pledged the capital stock of our domestic subsidiaries as collateral in connection with the term loan.',
      'securities',
    ],
    [
      "The subsidiaries' shares are pledged as collateral to the lenders under the credit agreement.",
      'securities',
    ],
    [
      'The Company pledged its accounts receivable as collateral when it entered into the loan agreement.',
      'receivables',
    ],
    [
      'Equipment with a net book value of $4 million is pledged as collateral on the notes payable.',
      'equipment',
    ],
    ['We have posted cash as collateral for the term loan.', 'cash'],
    ['Customers have pledged inventory as collateral for amounts due to us.', ''],
  ])
})

t.test('a headquarters, a plant or a title to property is real estate', async () => {
  reads({}, [
    [
      "Collateral for the loan includes the title to the Company's property at 1 Greentech Drive, Tunica, MS.",
      'real_estate',
    ],
    ["The promissory note is secured by the Company's facility located in Austin, Texas.", 'real_estate'],
    ['The mortgage note is secured by property located in Reno, Nevada.', 'real_estate'],
    ['The loan is secured by a first mortgage on our headquarters.', 'real_estate'],
    [
      "The term loan is collateralized by the Company's corporate headquarters in Dayton, Ohio.",
      'real_estate',
    ],
    ['The loan is secured by a deed of trust on the campus.', 'real_estate'],
    ['The mortgage loan is secured by the manufacturing plant in Akron.', 'real_estate'],
    ["Security for the loan includes the Company's property in San Carlos, California.", 'real_estate'],
    ["The note is secured by title to the Company's property.", 'real_estate'],
    ['The notes payable are collateralized by the apartment communities.', 'real_estate'],
    ['The bonds are secured by the hotel.', 'real_estate'],
    ['The term loan is secured by all property of the Company.', 'general_lien'],
    ["The loan is secured by the Company's intellectual property.", 'ip'],
    ['The loan is secured by personal property of the Company.', ''],
  ])
})

t.test('what limits buying, lending to or investing in others limits investments', async () => {
  reads({}, [
    [
      "The Credit Agreement limits, under certain circumstances, the Company's ability to incur additional indebtedness, sell material assets or acquire the capital stock or assets of another business, and prohibits payment of dividends.",
      'Asset Sales; Indebtedness; Investments; Restricted Payments',
    ],
    [
      'The credit facility restricts our ability to pay dividends and to acquire other businesses.',
      'Investments; Restricted Payments',
    ],
    [
      'The indenture contains limitations on permitted investments and restricted payments.',
      'Investments; Restricted Payments',
    ],
    [
      'The loan agreement contains covenants that restrict liens and the acquisition of other companies.',
      'Investments; Liens',
    ],
    [
      'The agreement with our lenders contains covenants limiting our ability to purchase the stock or assets of another company.',
      'Investments',
    ],
    [
      'The credit agreement contains covenants that limit our ability to make loans or advances to others.',
      'Investments',
    ],
    [
      'The notes contain covenants that restrict our ability to invest in other entities and to create liens.',
      'Investments; Liens',
    ],
    ['The facility contains covenants limiting business acquisitions and mergers.', 'Investments; Mergers'],
    [
      'The credit facility limits our ability to make capital contributions to joint ventures.',
      'Investments',
    ],
    [
      'The facility contains covenants that limit our ability to acquire all or substantially all of the assets of another person.',
      'Investments',
    ],
    [
      'The bank agreement contains negative covenants, including restrictions on loans, advances and investments.',
      'Investments',
    ],
    [
      'The credit agreement contains covenants that limit our ability to consummate acquisitions.',
      'Investments',
    ],
    ['The facility contains covenants limiting debt to finance acquisitions.', 'Indebtedness'],
  ])
})

t.test('a note of another title tells of make-wholes', async () => {
  reads({ section_type: 'notes', title: 'Note 9. Long-Term Obligations' }, [
    [
      'The Company may redeem the senior notes due 2031, in whole or in part, at any time at a redemption price equal to the greater of 100% of the principal amount and the sum of the present values of the remaining scheduled payments of principal and interest, discounted at the Treasury Rate plus 25 basis points.',
      'Make-Whole Redemption',
    ],
    [
      'The senior notes may be redeemed at any time at a make-whole price plus accrued interest.',
      'Make-Whole Redemption',
    ],
    ['The notes are redeemable, at our option, subject to a make-whole premium.', 'Make-Whole Redemption'],
    [
      'We may prepay the private placement notes at 100% of principal plus a make-whole amount.',
      'Make-Whole Redemption',
    ],
    [
      'Prior to maturity, the 3.2% notes are callable at a make-whole redemption price.',
      'Make-Whole Redemption',
    ],
    ['The senior notes may be prepaid with the payment of a make-whole premium.', 'Make-Whole Redemption'],
    ['In May we redeemed the notes and paid a make-whole premium of $12 million.', ''],
  ])
})

t.test('what secured a debt that has ended is no collateral', async () => {
  reads({}, [
    [
      'On December 21, 2024, the Company cancelled the credit agreement with CNN Center Ventures that was guaranteed by the Company and secured by a first mortgage lien on CNN Center.',
      '',
    ],
    ['The loan, which was secured by land in Ohio, was repaid in June 2024.', ''],
    ['In 2024 the Company repaid its term loan, which was secured by substantially all of its assets.', ''],
    ['The former credit facility was secured by all assets of the Company.', ''],
    ['Prior to its termination in 2024, the facility was secured by inventory.', ''],
    ['The bridge loan that was cancelled in May 2024 was secured by our receivables.', ''],
    [
      'The mortgage that secured the term loan was released, and the note that had been secured by our headquarters building was retired.',
      '',
    ],
    [
      'In March 2024 we terminated the revolving credit facility that was guaranteed by our subsidiaries and secured by all of our assets.',
      '',
    ],
    ['The Company extinguished the note payable that was secured by the building.', ''],
    ['We paid off the equipment loan, secured by equipment, in July 2024.', ''],
    [
      'The credit facility was replaced in May 2024; the old facility was guaranteed by the parent and secured by inventory.',
      '',
    ],
  ])
})

t.test('a smaller debt is named where no other is, and two where both have the covenant', async () => {
  reads(
    {},
    [
      [
        'The lease line is collateralized by the equipment underlying the borrowings.',
        'equipment of Lease Line',
      ],
      ['The note payable is secured by firm-owned securities.', 'securities of Note Payable'],
      [
        'The line of credit is collateralized by the assets of the Company, limits the ability of the Company to incur certain indebtedness and make certain dividend payments and requires the Company to comply with customary covenants.',
        'Indebtedness of Line of Credit; Restricted Payments of Line of Credit; general_lien of Line of Credit',
      ],
      [
        'The line of credit from Rohm is secured by certain equipment, bears interest at LIBOR plus 1.25%, is payable on demand.',
        'equipment of Line of Credit',
      ],
      [
        'The debt financing is secured by the assets of Universal Beijing Resort and the equity interests of the investors.',
        'general_lien of Debt Financing; securities of Debt Financing',
      ],
      [
        'All amounts borrowed under the Revolving Line of Credit carry a variable interest of not less than 4.0% and are secured by the assets of ESS Metron.',
        'general_lien of Revolving Line of Credit',
      ],
      [
        'The equipment financing facility and the commercial bank line of credit facility contain certain restrictions which, among other things, require maintenance of a minimum level of tangible net worth and various other operating and financial ratios.',
        'Minimum Tangible Net Worth of Commercial Bank Line of Credit Facility; Minimum Tangible Net Worth of Equipment Financing Facility',
      ],
      [
        "The terms of the Company's senior unsecured notes and senior secured credit facility contain covenants limiting the Company's ability to incur liens.",
        'Liens of Senior Secured Credit Facility; Liens of Senior Unsecured Notes',
      ],
      [
        'The Notes and the Indenture contain covenants limiting our ability to incur liens.',
        'Liens of Indenture',
      ],
      ['The mortgage note is secured by land and a building.', 'real_estate of Mortgage Note'],
      ["The promissory note is secured by all of the Company's assets.", 'general_lien of Promissory Note'],
      ['The equipment loan is secured by equipment.', 'equipment of Equipment Loan'],
      ['The mortgage loan is secured by our office building.', 'real_estate of Mortgage Loan'],
      ['The bank loan contains covenants that limit dividends.', 'Restricted Payments of Bank Loan'],
      [
        'Our bank line requires us to maintain a current ratio of 1.5 to 1.',
        'Minimum Current Ratio 1.5 of Bank Line',
      ],
      ['The margin loan is secured by shares of Beta Corp.', 'securities of Margin Loan'],
      ['The construction loan is secured by the hotel property.', 'real_estate of Construction Loan'],
      [
        'Our debt instruments contain certain covenant restrictions, including an interest coverage ratio.',
        'Minimum Interest Coverage Ratio of null',
      ],
      ["The loans are secured by the Company's assets.", 'general_lien of null'],
    ],
    namedRow,
  )
})

t.test('an item about an indenture says when its notes mature', async () => {
  const matures = (text: string) =>
    covenantsIn(
      section(
        `Item 1.01 Entry into a Material Definitive Agreement\n\nOn May 4, 2021, the Company entered into an Indenture dated May 4, 2021. ${text} Upon a change of control, holders may require the Company to repurchase the Notes at 101% of principal.`,
        {
          section_type: 'indenture',
          doc_type: '8-K',
          title: 'Item 1.01 Entry into a Material Definitive Agreement',
        },
      ),
    ).map(row => row.agreement_maturity_date)
  t.strictSame(matures('The Notes mature on December 15, 2031.'), ['2031-12-15'])
  t.strictSame(matures('Maturity. August 15, 2027.'), ['2027-08-15'])
  t.strictSame(
    matures('The 2.1% notes mature on May 4, 2028. The 3.1% notes mature on May 4, 2031.'),
    [null],
    'two series',
  )
})
