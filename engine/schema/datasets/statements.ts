import { cents, date, integer, nullable, shaped, text } from '../column.ts'
import { dataset } from '../dataset.ts'
import { issuerColumns, issuerIdentifiers } from './shared.ts'

export const mainItems = {
  revenue: nullable(cents('Revenue.')),
  gross_profit: nullable(cents('Gross profit.')),
  operating_income: nullable(cents('Operating income.')),
  depreciation_amortization: nullable(cents('Depreciation and amortization.')),
  ebitda: nullable(cents('EBITDA.')),
  interest_expense: nullable(cents('Interest expense.')),
  net_income: nullable(cents('Net income.')),
  total_assets: nullable(cents('Total assets.')),
  total_liabilities: nullable(cents('Total liabilities.')),
  stockholders_equity: nullable(cents("Stockholders' equity.")),
  total_debt: nullable(cents('Total debt: noncurrent, current portion, short-term borrowings.')),
  cash_and_equivalents: nullable(cents('Cash and cash equivalents.')),
  operating_cash_flow: nullable(cents('Cash flow from operations.')),
  capex: nullable(cents('Capital expenditure, positive.')),
}

/** Added later, so they follow the earlier columns. */
export const furtherItems = {
  current_assets: nullable(cents('Current assets; null if the balance sheet is not classified.')),
  current_liabilities: nullable(cents('Current liabilities; null if the balance sheet is not classified.')),
  investing_cash_flow: nullable(cents('Cash flow from investing.')),
  financing_cash_flow: nullable(cents('Cash flow from financing.')),
  net_interest_income: nullable(cents('Interest income less interest expense, of banks and insurers only.')),
  provision_for_credit_losses: nullable(
    cents('Provision for credit losses, of banks and insurers only; negative if released.'),
  ),
  pre_provision_profit: nullable(
    cents(
      'Income before tax and before the provision for credit losses, of banks and insurers only; no part of leverage.',
    ),
  ),
}

/** Charges that agreements add to EBITDA. */
export const addedBackItems = {
  share_based_compensation: nullable(
    cents('Compensation paid in shares; agreements often add it to EBITDA.'),
  ),
  impairments: nullable(
    cents('Impairments of goodwill and other assets; agreements often add them to EBITDA.'),
  ),
  restructuring_charges: nullable(
    cents('Restructuring charges without impairments; agreements often add them to EBITDA.'),
  ),
}

/** The figures of a statement, in minor units of its currency. */
export const statementItems = { ...mainItems, ...furtherItems, ...addedBackItems }

export const statements = dataset({
  name: 'financials',
  doc: 'Financial statements of a period; flows cover `period_months` ending on `period_end_date`.',
  columns: {
    ...issuerColumns,
    fiscal_year: integer('Fiscal year.'),
    fiscal_quarter: integer('Fiscal quarter in which the period ends, 1 to 4.'),
    period_months: nullable(integer('Months covered by the flows: 3 (default), 6, 9 or 12.')),
    period_end_date: date('Last day of the period.'),
    filing_type: nullable(text('Form, `10-Q` or `10-K`.')),
    filed_date: nullable(date('Filing date.')),
    accession: nullable(text('Accession number of the filing.')),
    currency: nullable(shaped('currency', 'ISO currency; default USD.')),
    ...statementItems,
    secured_debt: nullable(cents('Secured debt.')),
    debt_excluding_finance: nullable(cents('Total debt without that of the finance arm.')),
    debt_due_1yr: nullable(cents('Debt due within a year of the period end.')),
    debt_due_2yr: nullable(cents('Debt due within two years of the period end.')),
    debt_due_3yr: nullable(cents('Debt due within three years of the period end.')),
    debt_due_4yr: nullable(cents('Debt due within four years of the period end.')),
    debt_due_5yr: nullable(cents('Debt due within five years of the period end.')),
  },
  key: ['ticker', 'cik', 'company_name', 'fiscal_year', 'fiscal_quarter', 'period_months'],
  needsOneOf: issuerIdentifiers,
  known: ['filed_date'],
  checks: [
    { sql: 'fiscal_quarter between 1 and 4', says: 'fiscal_quarter must be 1 to 4' },
    { sql: 'fiscal_year between 1900 and 2200', says: 'fiscal_year must be a year' },
    {
      sql: 'period_months is null or period_months in (3, 6, 9, 12)',
      says: 'period_months must be 3, 6, 9 or 12',
    },
  ],
})
