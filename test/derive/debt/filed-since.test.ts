import t from 'tap'
import { companyInstruments } from '../../../engine/derive/debt/company-debt.ts'
import { instrumentRows } from '../../../engine/derive/debt/instrument-row.ts'
import { withRead } from '../../../engine/derive/debt/read-instruments.ts'
import { fact, read } from './tagged-debt.ts'

const MILLION = 1e8
const tagged = () =>
  instrumentRows(
    'c',
    companyInstruments([
      fact('LongTermDebt', 1000e6, 'us-gaap:DebtInstrumentAxis=gama:SeniorNotesDueMarch2030Member'),
      fact('LongTermDebt', 500e6, 'us-gaap:DebtInstrumentAxis=gama:OtherNotes2026To2040Member'),
    ])!,
  )
const sold = (name: string, day: string, more = {}) =>
  read(name, {
    rule: 'note_offered',
    coupon_rate: 5,
    maturity: '2035',
    principal: 300 * MILLION,
    balance_date: day,
    accession: null,
    source: 'current.htm:1',
    ...more,
  })
const agreed = (more = {}) =>
  read('Revolving Credit Facility due 2030', {
    instrument_type: 'revolver',
    rate_type: 'floating',
    commitment: 900 * MILLION,
    maturity: '2030-02-01',
    spread_bps: 125,
    floor_bps: 0,
    rule: 'facility_agreed',
    balance_date: '2025-02-01',
    ...more,
  })

t.test(
  'notes sold since the newest balances are listed beside them, held by no line, and are in no sum',
  t => {
    const rows = withRead('c', tagged(), [sold('5% Notes due 2035', '2025-02-03')])
    const row = rows.find(({ name }) => name === '5% Notes due 2035')
    t.match(row, {
      is_current: true,
      is_counted: false,
      principal: 300 * MILLION,
      part_of: null,
      balance_null_because: 'not_stated',
      balance_date: '2025-02-03',
    })
    t.end()
  },
)

t.test(
  'notes sold before the newest balances are in them, or gone: no more than their terms are known',
  t => {
    const old = withRead('c', tagged(), [sold('5% Notes due 2035', '2024-06-03')])
    t.match(old.at(-1), { name: '5% Notes due 2035', is_current: false, isTermsOnly: true })
    const told = read('4% Notes due 2031', { coupon_rate: 4, maturity: '2031', principal: 100 * MILLION })
    const rows = withRead('c', [], [told, sold('5% Notes due 2035', '2020-06-03')])
    t.strictSame(
      rows.map(({ name, is_current }) => [name, is_current]),
      [
        ['4% Notes due 2031', true],
        ['5% Notes due 2035', false],
      ],
    )
    t.end()
  },
)

t.test('of two reports of one sale the last says what was sold', t => {
  const rows = withRead(
    'c',
    [],
    [
      sold('5% Notes due 2035', '2025-02-03', { principal: 250 * MILLION }),
      sold('5% Notes due May 1, 2035', '2025-02-10', { maturity: '2035-05-01' }),
    ],
  )
  t.match(rows, [{ principal: 300 * MILLION, maturity: '2035-05-01', is_current: true }])
  t.equal(rows.length, 1)
  t.end()
})

t.test('a term sheet, the prospectus of its notes and the report after them are one row', t => {
  const sheet = sold('5% Senior Notes due May 1, 2035', '2025-02-06', {
    maturity: '2035-05-01',
    make_whole_bps: 15,
    cusip: '037833BZ2',
    known_from: '2025-02-06',
  })
  const terms = read('5% notes due 2035', {
    rule: 'note_terms',
    coupon_rate: 5,
    maturity: '2035',
    par_call_date: '2035-02-01',
    balance_date: null,
  })
  const rows = withRead('c', [], [terms, sold('5% Senior Notes due 2035', '2025-02-04'), sheet])
  t.match(rows, [
    {
      name: '5% Senior Notes due May 1, 2035',
      instrument_type: 'senior_notes',
      principal: 300 * MILLION,
      maturity: '2035-05-01',
      make_whole_bps: 15,
      par_call_date: '2035-02-01',
      cusip: '037833BZ2',
      is_current: true,
    },
  ])
  t.equal(rows.length, 1)
  const reported = read('5% Senior Notes due 2035', {
    rule: 'debt_table',
    coupon_rate: 5,
    maturity: '2035',
    carrying_amount: 298 * MILLION,
    balance_date: '2025-03-31',
  })
  const later = withRead('c', [], [reported, terms, sheet])
  t.match(later, [{ carrying_amount: 298 * MILLION, make_whole_bps: 15, cusip: '037833BZ2' }])
  t.equal(later.length, 1)
  t.end()
})

t.test(
  'an agreement made since is a facility; an older one adds terms to the facility with its commitment',
  t => {
    const since = withRead('c', tagged(), [agreed()]).find(({ commitment }) => commitment !== null)
    t.match(since, {
      name: 'Revolving Credit Facility due 2030',
      commitment: 900 * MILLION,
      spread_bps: 125,
      floor_bps: 0,
      maturity: '2030-02-01',
      is_current: true,
      is_counted: false,
      evidence: { commitment: { rule: 'facility_agreed' } },
    })
    t.equal(
      withRead('c', tagged(), [agreed({ balance_date: '2023-02-01' })]).find(r => r.commitment !== null),
      undefined,
    )
    const told = read('Revolving Credit Facility due 2030', {
      instrument_type: 'revolver',
      rate_type: 'floating',
      commitment: 900 * MILLION,
      maturity: '2030-02',
      rule: 'facility_text',
    })
    const [row, ...others] = withRead('c', [], [told, agreed({ balance_date: '2023-02-01' })])
    t.match(row, { commitment: 900 * MILLION, maturity: '2030-02', spread_bps: 125, floor_bps: 0 })
    t.equal(others.length, 0)
    t.end()
  },
)

t.test('notes sold since do not take away the facilities of the last report', t => {
  const told = read('Revolving Credit Facility due 2030', {
    instrument_type: 'revolver',
    rate_type: 'floating',
    commitment: 900 * MILLION,
    maturity: '2030-02',
    rule: 'facility_text',
  })
  const rows = withRead('c', [], [told, sold('5% Notes due 2035', '2025-02-03')])
  t.strictSame(rows.map(({ name, is_current }) => [name, is_current]).sort(), [
    ['5% Notes due 2035', true],
    ['Revolving Credit Facility due 2030', true],
  ])
  t.end()
})
