import t from 'tap'
import { collateralIn } from '../../../engine/filing/facts/collateral.ts'
import { section } from './section.ts'

const pledged = (text: string) =>
  collateralIn(
    section(text, { section_type: 'debt_footnote', doc_type: '10-K', period_end: '2023-12-31' }),
  ).map(row => row.type)

/** Each sentence of a report with the kinds of assets that it says are pledged. */
const told: readonly (readonly [string, ...string[]])[] = [
  ['Inventory and accounts receivable secure the line of credit.', 'receivables', 'inventory'],
  [
    'The obligations under the credit agreement are guaranteed by Alfa Holdings, LLC and certain of Alfa Corp.’s subsidiaries and secured by a first lien on substantially all of the assets of Alfa Corp. and the guarantors, other than vehicles.',
    'general_lien',
  ],
  [
    'Floor plan notes payable are secured by new vehicle inventory and receivables.',
    'receivables',
    'inventory',
  ],
  ['We have EETCs (the “Certificates”) secured by 23 aircraft.', 'vehicles'],
  [
    'The trusts issue secured notes to investors, with various maturities, secured by future collections of the purchased receivables.',
    'receivables',
  ],
  [
    'Land and buildings with a net book value of $12 million collateralize the mortgage notes.',
    'real_estate',
  ],
  ['Equipment with a net book value of $12 million was pledged as collateral for debt.', 'equipment'],
  ['Substantially all inventory is pledged as collateral under the bank agreement.', 'inventory'],
  ['Inventories are pledged under the warehouse line of credit.', 'inventory'],
  ['The headquarters building is subject to a mortgage securing the term loan.', 'real_estate'],
  ['Our warehouse is encumbered by a mortgage in favor of the bank that made the loan.', 'real_estate'],
  [
    'We hold funds in restricted cash accounts to provide additional collateral for borrowings under the facility.',
    'cash',
  ],
  ['The loan is secured by a certificate of deposit of $2 million.', 'cash'],
  ['These loans are senior secured obligations, collateralized by a lien on our inventory.', 'inventory'],
  ['Collateral for the facility is the accounts receivable of the Company.', 'receivables'],
  ['The Company pledged the shares of its subsidiary to secure the bridge loan.', 'securities'],
  [
    'In connection with the credit line, the bank received a security interest in the Company’s inventory.',
    'inventory',
  ],
  ['The notes have a first priority lien on intellectual property.', 'ip'],
  ['The loan is collateralized by a blanket lien on all corporate assets.', 'general_lien'],
  ['The notes are backed by receivables transferred to the issuer.', 'receivables'],
  [
    'The facility with Sample Bank, N.A., which matures in 2027, is secured by all of the assets of the Company.',
    'general_lien',
  ],
  [
    'The new facility will replace those of Beta, Inc. and Gamma Co. and is secured by substantially all of the assets of the Company.',
    'general_lien',
  ],
  ['Borrowings are secured by mortgages on not less than 80% of our proved reserves.', 'energy_assets'],
  ['The line of credit is secured by a general lien on the assets of the Company.', 'general_lien'],
  ['Shares of the subsidiary have been pledged to the lenders.', 'securities'],
  ['The Company financed its office with a $5 million mortgage loan secured by the building.', 'real_estate'],
  ['The buildings secure loans of $8 million.', 'real_estate'],
  ['We maintain a restricted deposit account as security for the credit line.', 'cash'],
  ['The promissory notes carry a first-position lien on all assets of the Company.', 'general_lien'],
  ['The facility is collateralized principally by receivables.', 'receivables'],
  ['Floor plan notes payable are secured by vehicle inventory.', 'inventory'],
  ['The line is secured by inventory and accounts receivable.', 'receivables', 'inventory'],
  [
    'The line of credit bears interest at the higher of prime and 6.5%; is secured by all assets of the Company.',
    'general_lien',
  ],
  ['The three-year agreement is secured by all of the unencumbered assets of the Company.', 'general_lien'],
  ['Credit facility borrowings are secured by substantially all of our consolidated assets.', 'general_lien'],
  ['Inventories have been designated as collateral under the credit agreement.', 'inventory'],
]

t.test('reports word what is pledged in many ways', async t => {
  for (const [text, ...types] of told) t.strictSame(pledged(text), types, text)
})

t.test('what others owe or hold, and what backs without assets, secures no debt of the company', async t => {
  for (const text of [
    'Retail loans are secured by the vehicles financed.',
    'The note receivable is secured by the land sold.',
    'Loans made to franchisees, a form of debt, are secured by restaurant equipment.',
    'Commercial paper is backed by the credit facility, and its proceeds go to accounts of institutions.',
    'The guarantee is backed by our revolving credit facility.',
    'The building was subject to a mortgage securing a loan that was repaid.',
    'We may pledge inventory to secure a loan.',
  ])
    t.strictSame(pledged(text), [], text)
})
