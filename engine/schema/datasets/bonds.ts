import {
  boolean,
  bps,
  cents,
  date,
  integer,
  json,
  nullable,
  oneOf,
  percent,
  shaped,
  text,
} from '../column.ts'
import { dataset } from '../dataset.ts'
import {
  instrumentTypes,
  issuerTypes,
  rateStructures,
  rateTypes,
  securityTypes,
  seniorities,
} from '../vocabulary.ts'
import { instrumentColumns, instrumentIdentifiers, issuerColumns } from './shared.ts'

export const bonds = dataset({
  name: 'bonds',
  doc: 'Terms of bonds and loans. What a source does not state is null, never guessed.',
  columns: {
    ...instrumentColumns,
    name: nullable(text('Name of the instrument as the source writes it.')),
    issuer_name: nullable(text('Name of the issuer as the source writes it.')),
    issuer_lei: nullable(shaped('lei', 'LEI of the issuer.')),
    issuer_id: nullable(text('Id of the issuing entity in the entities dataset.')),
    ...issuerColumns,
    sector: nullable(text('Sector as the source writes it.')),
    coupon_rate: nullable(percent('Coupon a year.')),
    coupon_frequency: nullable(integer('Coupons a year.', { unit: 'per year' })),
    coupon_rounded: nullable(boolean('The source rounds coupons to two decimals.')),
    day_count: nullable(oneOf(['30/360', 'ACT/ACT', 'ACT/360', 'ACT/365'], 'Day count.')),
    rate_type: nullable(oneOf(rateTypes, 'Fixed or floating.')),
    rate_structure: nullable(oneOf(rateStructures, 'Type of the coupon over the life.')),
    last_fixed_date: nullable(date('Last day of the fixed coupon of a fixed-to-float bond.')),
    maturity_date: nullable(date('Final maturity.')),
    issue_date: nullable(date('Issue date.')),
    accrual_date: nullable(date('Day from which the first coupon accrues.')),
    seniority: nullable(oneOf(seniorities, 'Ranking.')),
    security_type: nullable(oneOf(securityTypes, 'Security.')),
    instrument_type: nullable(oneOf(instrumentTypes, 'Instrument.', { example: 'senior_notes' })),
    issuer_type: nullable(oneOf(issuerTypes, 'Position of the issuer in its group.')),
    currency: nullable(shaped('currency', 'ISO currency.', { example: 'USD' })),
    outstanding: nullable(cents('Amount outstanding.')),
    principal: nullable(cents('Amount issued.')),
    commitment: nullable(cents('Commitment of a facility.')),
    benchmark: nullable(text('Floating-rate reference.')),
    spread_bps: nullable(bps('Floating-rate spread.')),
    floor_bps: nullable(bps('Floating-rate floor.')),
    callable: nullable(boolean('The issuer may call it.')),
    call_schedule: nullable(json('Call dates and prices: `[{"date":"2027-06-01","price":102.5}]`.')),
    put_schedule: nullable(
      json('Dates on which holders may put it, and prices: `[{"date":"2028-06-01","price":100}]`.'),
    ),
    sinking_schedule: nullable(
      json(
        'Repayments before maturity, in percent of the amount issued: `[{"date":"2027-06-01","percent":10}]`.',
      ),
    ),
    make_whole_bps: nullable(bps('Spread of the make-whole price over Treasuries.')),
    make_whole_until: nullable(
      date('First day of a call at a fixed price, from which the make-whole price no longer applies.'),
    ),
    change_of_control_price: nullable(
      percent('Price at which holders may put it after a change of control.'),
    ),
    status: nullable(oneOf(['active', 'retired', 'defaulted'], 'Status, in force from the row on.')),
    status_date: nullable(
      date('First day on which its source reports a default, where the row became known later.'),
    ),
    restricted: nullable(boolean('Rule 144A or other restriction.')),
  },
  key: ['cusip', 'isin', 'bond_id'],
  needsOneOf: instrumentIdentifiers,
  known: ['issue_date'],
  checks: [
    {
      sql: 'coupon_rate is null or coupon_rate between 0 and 100',
      says: 'coupon_rate must be a percentage between 0 and 100',
    },
    {
      sql: 'outstanding is null or outstanding >= 0',
      says: 'outstanding must not be negative',
    },
    {
      sql: 'maturity_date is null or issue_date is null or maturity_date >= issue_date',
      says: 'maturity_date is before issue_date',
    },
  ],
})
