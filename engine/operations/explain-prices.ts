import type { ListAnswer } from '../operation.ts'

const conventions = {
  ytm: 'semiannual street yield on 30/360 unless the bond says otherwise; simple interest in the last coupon period',
  settlement: 'T+3, T+2 from 2017-09-05, T+1 from 2024-05-28',
  spread: 'yield less the Treasury par yield interpolated at the remaining maturity',
}

/** Inputs and conventions behind a price, its yield and its spread. */
export const explainPrices: NonNullable<ListAnswer['explain']> = {
  needs: [
    'price_source',
    'price_basis',
    'accrued',
    'remaining_years',
    'source',
    'yield_null_because',
    'spread_null_because',
  ],
  of: async rows =>
    rows.map(row => ({
      ...Object.fromEntries(explainPrices.needs.map(name => [name, row[name] ?? null])),
      conventions,
    })),
}
