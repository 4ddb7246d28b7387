import type { Dataset } from '../schema/dataset.ts'

/**
 * What files of others call columns that may be empty: left out unnoticed, each would cost figures. Names as `plainName`
 * gives them, by dataset and column.
 */
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bonds: {
    coupon_rate: 'coupon coupon_pct coupon_percent cpn cpn_rate interest_rate',
    maturity_date: 'maturity maturity_dt final_maturity stated_maturity mty',
    issuer_name: 'issuer issuer_nm',
    outstanding: 'amount_outstanding outstanding_amount amt_outstanding',
    principal: 'issue_size amount_issued issue_amount issued_amount',
  },
  trades: { quantity: 'volume size par par_volume trade_size' },
}

/** The column of a dataset that a file calls by another usual name. */
export function usualColumn({ name }: Dataset, written: string): string | undefined {
  const columns = Object.entries(NAMES[name] ?? {})
  return columns.find(([, names]) => names.split(' ').includes(written))?.[0]
}
