import {
  boolean,
  type DefaultRowOf,
  derived,
  integer,
  json,
  nullable,
  oneOf,
  onRequest,
  pick,
  shaped,
  text,
} from '../column.ts'
import { instrumentBalances, instrumentRates, instruments as loaded } from '../datasets/instruments.ts'
import { anyOf, atLeast, atMost, company, has, is } from '../filter.ts'
import { resource } from '../resource.ts'
import { balanceReasons, matchReasons } from '../vocabulary.ts'
import { companyColumns, correctionColumns, linkColumns } from './shared.ts'

export const instruments = resource({
  name: 'instruments',
  doc: 'Notes, loans, facilities and commercial paper, as filings tag them at the newest balance date and as loaded, without leases.',
  table: 'instruments',
  row: 'Instrument',
  columns: {
    id: text(
      'Id of the instrument: the company and the name its filings tag it by, or the id of its source.',
    ),
    ...companyColumns,
    name: text('Name of the instrument.'),
    issuer: nullable(text('Legal entity or business that owes it, if its source names one.')),
    ...pick(loaded.columns, 'instrument_type', 'seniority', 'security_type'),
    is_group: boolean('One line for several instruments: a range of coupons or maturities.'),
    ...pick(loaded.columns, ...instrumentBalances, ...instrumentRates, 'maturity_date'),
    maturity_year: nullable(integer('Year of the final maturity, also where its day is not known.')),
    ...pick(
      loaded.columns,
      'callable',
      'make_whole_bps',
      'par_call_date',
      'change_of_control_price',
      'balance_date',
    ),
    is_active: derived(boolean('Not matured on the as-of date.')),
    is_counted: boolean("Its balance is in the sum that is reconciled with the company's tagged debt."),
    is_current: boolean(
      'Has a balance, is a facility or notes in a line of several; false for totals and repeats.',
    ),
    part_of: nullable(
      text('Name of the line of several instruments whose balance holds it; it has no balance of its own.'),
    ),
    balance_null_because: nullable(
      oneOf(balanceReasons, 'Why notes that are owed have no balance of their own.'),
    ),
    bond_id: nullable(text('Id of the bond that it is; null with a reason.')),
    cusip: nullable(shaped('cusip', 'CUSIP, of the source or of the bond.')),
    isin: nullable(shaped('isin', 'ISIN, of the source or of the bond.')),
    match_null_because: nullable(
      oneOf(
        matchReasons,
        'Why it is matched to no bond; `not_current` if it has no balance: a total, a repeat, or no longer owed.',
      ),
    ),
    denomination: onRequest(
      nullable(shaped('currency', 'ISO currency in which it is owed, if its name says so.')),
    ),
    maturity: onRequest(loaded.columns.maturity),
    call_schedule: onRequest(loaded.columns.call_schedule),
    guarantors: onRequest(loaded.columns.guarantors),
    ended_on: onRequest(loaded.columns.ended_on),
    ended_because: onRequest(loaded.columns.ended_because),
    member: onRequest(
      nullable(text('Member under which filings tag it: `sjm:SeniorNotesDueMarch2030Member`.')),
    ),
    form: onRequest(nullable(text('Form of the filing with its balance.'))),
    accession: onRequest(nullable(text('Accession number of that filing.'))),
    source: onRequest(nullable(text('File and position of its balance.'))),
    ...correctionColumns,
    ...linkColumns,
    _explain: onRequest(
      nullable(
        json(
          'Evidence of each field: concept, value, dimensions, day and filing; and how the bond was matched.',
        ),
      ),
    ),
  },
  key: ['id'],
  sort: ['ticker', 'maturity_year', 'name', 'id'],
  glance: [
    'ticker',
    'name',
    'instrument_type',
    'seniority',
    'principal',
    'carrying_amount',
    'undrawn',
    'coupon_rate',
    'maturity_year',
    'cusip',
  ],
  company: 'company_id',
  history: {},
  filters: {
    ticker: company('company_id'),
    instrument_type: anyOf('instrument_type'),
    seniority: anyOf('seniority'),
    security_type: anyOf('security_type'),
    rate_type: anyOf('rate_type'),
    cusip: anyOf('cusip'),
    min_maturity_year: atLeast('maturity_year', { doc: 'Falls due in or after this year.' }),
    max_maturity_year: atMost('maturity_year', { doc: 'Falls due in or before this year.' }),
    maturity_after: atLeast('maturity_date', { doc: 'Matures on or after this day.' }),
    maturity_before: atMost('maturity_date', { doc: 'Matures on or before this day.' }),
    min_principal: atLeast('principal', { doc: 'Minimum face amount, cents.' }),
    min_carrying_amount: atLeast('carrying_amount', { doc: 'Minimum carrying amount, cents.' }),
    min_undrawn: atLeast('undrawn', { doc: 'Minimum undrawn amount, cents.' }),
    has_bond: has('bond_id', { doc: 'Whether it is matched to a bond.' }),
    is_active: is('is_active', { byDefault: { value: true, unless: ['cusip'] } }),
    is_current: is('is_current', { byDefault: { value: true, unless: ['cusip'] } }),
  },
  limit: { default: 50, max: 200 },
})

export interface Instrument extends DefaultRowOf<typeof instruments.columns> {}
