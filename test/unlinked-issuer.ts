import { type Rows, twoIssuers } from './make-lake.ts'

/** An issuer that matches no company, with two candidates: OBDC and OWL. */
export const UNLINKED = 'BLUE OWL CREDIT INCOME CORP'

const company = (ticker: string, name: string, cik: string) => ({ ticker, name, cik, sector: 'Financials' })

export const unlinkedIssuer: Rows = {
  ...twoIssuers,
  companies: [
    ...(twoIssuers['companies'] ?? []),
    company('OWL', 'Blue Owl Capital Inc.', '0000000003'),
    company('OBDC', 'Blue Owl Capital Corp', '0000000004'),
  ],
  bonds: [
    ...(twoIssuers['bonds'] ?? []),
    {
      bond_id: 'FUND-2031',
      name: 'Fund 5% 2031',
      company_name: UNLINKED,
      coupon_rate: 5,
      rate_type: 'fixed',
      maturity_date: '2031-06-15',
      currency: 'USD',
      known_from: '2020-06-15',
    },
  ],
}
