import t from 'tap'
import { parseDay } from '../../engine/credit/calendar.ts'
import { disambiguated, displayName, type NamedInstrument } from '../../engine/credit/display-name.ts'

const named = (values: Partial<Omit<NamedInstrument, 'maturity'>> & { maturity?: string | null }) =>
  displayName({
    issuer: 'ALFA',
    coupon: null,
    floats: false,
    instrument: null,
    name: null,
    ...values,
    maturity: values.maturity ? parseDay(values.maturity) : null,
  })

t.test('instruments have the names that desks use', async t => {
  t.equal(named({ coupon: 3.25, maturity: '2029-08-08' }), 'ALFA 3.25 08/08/29')
  t.equal(named({ coupon: 5, maturity: '2031-06-15' }), 'ALFA 5 06/15/31')
  t.equal(named({ coupon: 4.8755, maturity: '2115-01-15' }), 'ALFA 4.8755 01/15/2115')
  t.equal(named({ coupon: 5.1, floats: true, maturity: '2027-01-15' }), 'ALFA FRN 01/15/27')
  t.equal(named({ coupon: 6.5, maturity: '2079-12-31' }), 'ALFA 6.5 PERP')
  t.equal(named({ coupon: 6.5, name: 'ALFA CORP PERP NC5' }), 'ALFA 6.5 PERP')
  t.equal(named({ instrument: 'term_loan_b', floats: true, maturity: '2030-03-15' }), 'ALFA TLB 03/15/30')
  t.equal(named({ instrument: 'revolver', maturity: '2028-03-15' }), 'ALFA RCF 03/15/28')
  t.equal(named({ coupon: 0, maturity: '2027-02-15' }), 'ALFA 0 02/15/27')
})

t.test('instruments with the same name are distinguished by letters', async t => {
  t.strictSame(disambiguated(['A 5 01/01/30', 'B 4 01/01/30', 'A 5 01/01/30']), [
    'A 5 01/01/30 A',
    'B 4 01/01/30',
    'A 5 01/01/30 B',
  ])
  const many = disambiguated(Array.from({ length: 800 }, () => 'X'))
  t.equal(new Set(many).size, 800)
  t.strictSame([many[25], many[26], many[27]], ['X Z', 'X AA', 'X AB'])
})
