import { cents, date, integer, nullable, oneOf, onRequest, shaped, text } from '../column.ts'
import { anyOf, atLeast, company } from '../filter.ts'
import { resource } from '../resource.ts'
import { companyColumns, linkColumns } from './shared.ts'

export const debtDisclosureItems = [
  'due_remainder',
  'due_1',
  'due_2',
  'due_3',
  'due_4',
  'due_5',
  'due_after',
  'committed',
  'undrawn',
] as const
export type DebtDisclosureItem = (typeof debtDisclosureItems)[number]

/** What notes of debt say beyond the balance sheet. */
export const debtDisclosures = resource({
  name: 'debt_disclosures',
  doc: 'Repayments of debt by year, commitments of facilities and their undrawn amounts, as most recently and as first filed.',
  table: 'debt_disclosures',
  columns: {
    ...companyColumns,
    item: oneOf(
      debtDisclosureItems,
      'What falls due in the rest of the fiscal year, in each of the five years after the balance date, and later; what is committed and undrawn.',
    ),
    amount: cents('The amount.'),
    currency: shaped('currency', 'ISO currency.'),
    period_end_date: date('Balance date.'),
    dimensions: nullable(
      text('The part of the company or the facility, `axis=member;axis=member`; null for the whole company.'),
    ),
    concept: text('Concept as tagged, or the columns of a loaded statement.'),
    form: nullable(text('Form, `10-K`.')),
    fiscal_quarter: nullable(integer('Fiscal quarter that ends on the balance date.')),
    accession: nullable(text('Accession number of the filing.')),
    filed_date: nullable(date('Filing date.')),
    source: onRequest(nullable(text('File and position it came from.'))),
    original_amount: cents('The amount as first filed for the balance date.'),
    original_form: nullable(text('Form of the filing that said it first.')),
    original_accession: nullable(text('Accession number of that filing.')),
    original_filed_date: nullable(date('Its filing date.')),
    original_source: onRequest(nullable(text('File and position of the first amount.'))),
    original_known_from: onRequest(nullable(date('Day the market could first know the first amount.'))),
    ...linkColumns,
  },
  key: ['company_id', 'concept', 'period_end_date', 'dimensions', 'currency'],
  sort: ['ticker', '-period_end_date', 'item'],
  company: 'company_id',
  filters: {
    ticker: company('company_id'),
    item: anyOf('item'),
    period_after: atLeast('period_end_date', { doc: 'Balance dates on or after this day.' }),
  },
  limit: { default: 50, max: 100 },
})
