import {
  allDerived,
  boolean,
  cents,
  date,
  derived,
  integer,
  json,
  nullable,
  oneOf,
  onRequest,
  type RowOf,
  ratio,
  shaped,
  text,
} from '../column.ts'
import { statementItems } from '../datasets/statements.ts'
import { anyOf, company } from '../filter.ts'
import { resource } from '../resource.ts'
import { companyColumns, leverageQualityColumns, linkColumns } from './shared.ts'

export const financials = resource({
  name: 'financials',
  doc: 'Financial statements by quarter and for the trailing twelve months.',
  table: 'financials',
  columns: {
    ...companyColumns,
    fiscal_year: integer('Fiscal year, as the company names it.'),
    fiscal_quarter: integer('Fiscal quarter, 1 to 4; of trailing figures the one they end with.'),
    filing_type: nullable(text('Form the figures were filed with.')),
    period_end_date: date('Last day of the period.'),
    currency: nullable(shaped('currency', 'Currency of the amounts, in its minor units.')),
    ...allDerived(statementItems),
    free_cash_flow: derived(nullable(cents('Operating cash flow less capital expenditure.'))),
    leverage_ratio: derived(nullable(ratio('Total debt / EBITDA of the trailing twelve months.'))),
    is_annualized: derived(boolean('Trailing figures scaled up from fewer than four quarters.')),
    ebitda_estimated: derived(boolean('Operating income stands in for EBITDA.')),
    filed_date: nullable(date('Filing date.')),
    accession: nullable(text('Accession number of the filing.')),
    basis: onRequest(oneOf(['quarter', 'ttm'], 'A single quarter or trailing twelve months.')),
    is_original: derived(onRequest(boolean('As first reported.'))),
    is_latest: derived(onRequest(boolean('As most recently reported.'))),
    is_newest: derived(onRequest(boolean('The newest period of the company on this basis.'))),
    ...leverageQualityColumns,
    version: onRequest(integer('1 is the first version of the record known.')),
    ...linkColumns,
    _explain: onRequest(nullable(json('How each figure was formed, from which filings; why one is null.'))),
  },
  key: ['company_id', 'fiscal_year', 'fiscal_quarter', 'basis', 'version'],
  sort: ['ticker', '-period_end_date', 'company_id'],
  clusterBy: ['ticker', 'company_id', 'period_end_date', 'basis'],
  company: 'company_id',
  filters: {
    ticker: company('company_id'),
    fiscal_year: anyOf('fiscal_year'),
    fiscal_quarter: anyOf('fiscal_quarter'),
  },
  limit: { default: 50, max: 100 },
})

export type FinancialStatement = RowOf<typeof financials.columns>
