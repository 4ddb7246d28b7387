import { boolean, bps, cents, date, json, list, nullable, oneOf, percent, shaped, text } from '../column.ts'
import { dataset } from '../dataset.ts'
import { agreementEnds, debtTypes, rateTypes, securityTypes, seniorities } from '../vocabulary.ts'
import { evidenceFields, issuerColumns, issuerIdentifiers } from './shared.ts'

export const instruments = dataset({
  name: 'instruments',
  doc: 'Debt instruments of companies with their terms and balances, beside those that filings tag. What a source does not state is null.',
  columns: {
    instrument_id: nullable(text("The source's own id of the instrument.")),
    ...issuerColumns,
    name: text('Name of the instrument.'),
    cusip: nullable(shaped('cusip', 'CUSIP, 9 characters.')),
    isin: nullable(shaped('isin', 'ISIN, 12 characters.')),
    issuer: nullable(text('Legal entity that owes it.')),
    instrument_type: nullable(oneOf(debtTypes, 'Instrument.', { example: 'senior_notes' })),
    seniority: nullable(oneOf(seniorities, 'Ranking.')),
    security_type: nullable(oneOf(securityTypes, 'Security.')),
    principal: nullable(cents('Face amount.')),
    carrying_amount: nullable(cents('Amount at which it is carried.')),
    commitment: nullable(cents('Commitment of a facility.')),
    drawn: nullable(cents('Amount drawn under a facility.')),
    undrawn: nullable(cents('Amount that can still be drawn.')),
    currency: nullable(shaped('currency', 'ISO currency of the amounts.', { example: 'USD' })),
    rate_type: nullable(oneOf(rateTypes, 'Fixed or floating.')),
    coupon_rate: nullable(percent('Fixed rate a year.')),
    effective_rate: nullable(percent('Effective rate a year.')),
    benchmark: nullable(text('Floating-rate reference.', { example: 'SOFR' })),
    spread_bps: nullable(bps('Margin over the reference.')),
    floor_bps: nullable(bps('Floor of the reference.')),
    maturity_date: nullable(date('Day of the final maturity.')),
    maturity: nullable(
      text('Final maturity as precisely as it is known: `2032-03-15`, `2032-03` or `2032`.', {
        example: '2032-03',
      }),
    ),
    callable: nullable(boolean('The issuer may call it.')),
    call_schedule: nullable(json('Call dates and prices: `[{"date":"2027-06-01","price":102.5}]`.')),
    make_whole_bps: nullable(bps('Spread of the make-whole price over Treasuries.')),
    par_call_date: nullable(date('First day of a call at par.')),
    change_of_control_price: nullable(
      percent('Price at which holders may put it after a change of control.'),
    ),
    guarantors: nullable(list('Names of the guarantors.')),
    balance_date: nullable(date('Day of the amounts.')),
    ended_on: nullable(date('Day it ended before it fell due, if its source names one.')),
    ended_because: nullable(oneOf(agreementEnds, 'Why it ended before it fell due; null if it did not.')),
    ...evidenceFields,
  },
  key: ['instrument_id', 'cusip', 'isin', 'ticker', 'cik', 'company_name', 'name'],
  needsOneOf: issuerIdentifiers,
  known: ['balance_date'],
  checks: [
    {
      sql: 'coupon_rate is null or coupon_rate between 0 and 100',
      says: 'coupon_rate must be a percentage between 0 and 100',
    },
    ...['principal', 'carrying_amount', 'commitment', 'drawn', 'undrawn'].map(name => ({
      sql: `${name} is null or ${name} >= 0`,
      says: `${name} must not be negative`,
    })),
    {
      sql: "maturity is null or regexp_full_match(maturity, '\\d{4}(-\\d{2}){0,2}')",
      says: 'maturity must be a year, a month (2032-03) or a day (2032-03-15)',
    },
  ],
})

/** Rules by which rows are read out of filings: they fill in what filings do not tag, and never replace it. */
export const readRules: readonly string[] = [
  'debt_table',
  'debt_schedule',
  'note_text',
  'note_terms',
  'note_offered',
  'facility_text',
  'facility_agreed',
  'facility_ended',
]

export const instrumentBalances = [
  'principal',
  'carrying_amount',
  'commitment',
  'drawn',
  'undrawn',
  'currency',
] as const

export const instrumentRates = [
  'rate_type',
  'coupon_rate',
  'effective_rate',
  'benchmark',
  'spread_bps',
  'floor_bps',
] as const

/** Terms and balances that a source may state and a correction set, with the same names wherever instruments are. */
export const instrumentTerms = [
  'issuer',
  'instrument_type',
  'seniority',
  'security_type',
  ...instrumentBalances,
  ...instrumentRates,
  'callable',
  'call_schedule',
  'make_whole_bps',
  'par_call_date',
  'change_of_control_price',
] as const
