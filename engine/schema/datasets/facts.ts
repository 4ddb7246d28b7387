import { boolean, date, integer, nullable, number, shaped, text } from '../column.ts'
import { dataset } from '../dataset.ts'

export const facts = dataset({
  name: 'facts',
  doc: 'Figures that companies tag in their filings (XBRL), one row per fact and filing: of the whole company if `dimensions` is null, else of a part.',
  columns: {
    cik: shaped('cik', 'SEC central index key of the filer, 10 digits.'),
    company_name: nullable(text('Name of the filer.')),
    ticker: nullable(shaped('ticker', 'Ticker as the source writes it.')),
    concept: text('Concept with its taxonomy, `us-gaap:LongTermDebt`.'),
    unit: text('Unit as tagged: `USD`, `shares`, `USD/shares`, `pure`.'),
    period_start: nullable(date('First day of a flow; null for a balance.')),
    period_end: date('Last day of a flow, day of a balance.'),
    value: number('Value in its unit (dollars, not cents).'),
    decimals: nullable(integer('Precision: -6 is millions; null is exact or unknown.')),
    accession: nullable(text('Accession number of the filing, with dashes.')),
    form: nullable(text('Form, `10-K`.')),
    fiscal_year: nullable(integer("The filing's fiscal year.")),
    fiscal_period: nullable(text("The filing's fiscal period: FY, Q1, Q2, Q3.")),
    report_date: nullable(date("Period end of the filing's own report.")),
    filed_date: nullable(date('Filing date.')),
    dates_rounded: nullable(boolean('The source rounds period dates to the nearest month-end.')),
    dimensions: nullable(
      text('The part of the company, `axis=member;axis=member` ordered by axis; null for the whole company.'),
    ),
  },
  key: ['cik', 'concept', 'unit', 'period_start', 'period_end', 'accession', 'filed_date', 'dimensions'],
  known: ['filed_date'],
  visible: [{ names: 'companies', by: ['cik'] }],
  checks: [
    {
      sql: 'period_start is null or period_start <= period_end',
      says: 'period_start is after period_end',
    },
    { sql: 'isfinite(value)', says: 'value must be finite' },
  ],
})
