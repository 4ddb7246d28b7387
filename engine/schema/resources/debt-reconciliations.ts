import {
  boolean,
  cents,
  type DefaultRowOf,
  date,
  derived,
  integer,
  json,
  list,
  nullable,
  oneOf,
  onRequest,
  percent,
  shaped,
  text,
} from '../column.ts'
import { company, is } from '../filter.ts'
import { resource } from '../resource.ts'
import { reconciliationBases } from '../vocabulary.ts'
import { companyColumns, linkColumns, printColumns, printFlags } from './shared.ts'

/** A difference of at most this share of tagged debt reconciles. */
export const RECONCILES = 2

const columns = {
  ...companyColumns,
  balance_date: date('Day of the balances.'),
  currency: shaped('currency', 'ISO currency of the amounts.'),
  tagged_debt: nullable(
    cents('Total debt that the filing tags, with finance leases; null where its lines do not cover it.'),
  ),
  instruments: integer('Instruments in the sum.'),
  instruments_sum: cents('Their balances added up.'),
  finance_leases: nullable(cents('Finance leases in the tagged debt.')),
  lines_without_instruments: nullable(
    cents(
      'Lines of debt that the filing tags for the whole company and for no instrument: commercial paper, short-term borrowings.',
    ),
  ),
  unamortized_discount: nullable(
    cents('Discounts and issuance costs, negative, if the balances are before them; premiums positive.'),
  ),
  hedge_adjustment: nullable(cents('Cumulative adjustment of hedged debt, if the balances are before it.')),
  tagged_in_other_unit: nullable(
    cents('Balances that the filing tags in another currency, as tagged, where they fill the difference.'),
  ),
  difference: derived(nullable(cents('Tagged debt less the sum and the lines above.'))),
  difference_pct: derived(nullable(percent('The difference as a share of tagged debt.'))),
  reconciles: derived(nullable(boolean(`The difference is at most ${RECONCILES}% of tagged debt.`))),
  likely_causes: list('Likely causes of a difference.'),
  basis: oneOf(reconciliationBases, 'Which figures of the instruments are added up.'),
  form: nullable(text('Form of the filing.')),
  accession: nullable(text('Accession number of the filing.')),
  debt_read_as: onRequest(nullable(text('How the tagged debt was read: the lines it adds up.'))),
  ...linkColumns,
  _explain: onRequest(nullable(json('The formula, and each line with its concept and value as tagged.'))),
}

/** The table used when `reported` is not the default. */
export const debtReconciliationsByPrint = resource({
  name: 'debt_reconciliations_by_print',
  doc: 'Debt reconciliations as first and as most recently filed: rows of their own for first prints that later filings of the same balance date changed.',
  table: 'debt_reconciliations_by_print',
  columns: { ...columns, ...printColumns },
  key: ['company_id', 'is_latest'],
  sort: ['ticker', 'company_id', '-is_latest'],
  company: 'company_id',
  filters: {},
  limit: { default: 50, max: 200 },
})

export const debtReconciliations = resource({
  name: 'debt_reconciliations',
  doc: "A company's debt instruments added up and compared with its tagged total debt, with the lines between them.",
  table: 'debt_reconciliations',
  row: 'DebtReconciliation',
  columns,
  ages: {
    table: debtReconciliationsByPrint.table,
    columns: debtReconciliationsByPrint.columns,
    limits: {},
    prints: printFlags,
  },
  key: ['company_id'],
  sort: ['ticker', 'company_id'],
  company: 'company_id',
  history: {},
  filters: {
    ticker: company('company_id'),
    reconciles: is('reconciles'),
  },
  limit: { default: 50, max: 200 },
})

export interface DebtReconciliation extends DefaultRowOf<typeof debtReconciliations.columns> {}
