import t from 'tap'
import {
  type MatchableBond,
  type MatchableInstrument,
  matchBonds,
} from '../../../engine/derive/debt/match-bonds.ts'

const note = (id: string, more: Partial<MatchableInstrument> = {}): MatchableInstrument => ({
  id,
  cusip: null,
  isin: null,
  coupon: 4.875,
  isFloating: false,
  maturity: '2027',
  denomination: null,
  isGroup: false,
  isRepeat: false,
  isLoan: false,
  ...more,
})
const bond = (id: string, more: Partial<MatchableBond> = {}): MatchableBond => ({
  id,
  cusip: id,
  isin: null,
  coupon: 4.875,
  isFloating: false,
  maturity: '2027-06-25',
  currency: 'USD',
  ...more,
})
const matchOf = (one: MatchableInstrument, ...bonds: MatchableBond[]) => {
  const { bond: id, nullBecause } = matchBonds([one], bonds).get(one.id)!
  return id ?? nullBecause
}

t.test(
  'an instrument is matched by identifier, else by coupon and maturity, if one bond alone has them',
  async t => {
    t.equal(matchOf(note('a', { cusip: 'X' }), bond('X', { coupon: 1 }), bond('Y')), 'X')
    t.equal(matchOf(note('a'), bond('X'), bond('Y', { coupon: 4.9 })), 'X')
    t.equal(matchOf(note('a', { coupon: 4.88 }), bond('X')), 'X', 'filings round coupons to two decimals')
    t.equal(
      matchOf(note('a', { maturity: '2027-06' }), bond('X'), bond('Y', { maturity: '2027-09-01' })),
      'X',
    )
    t.equal(
      matchOf(note('a', { isFloating: true, coupon: null }), bond('X'), bond('F', { isFloating: true })),
      'F',
    )
    t.equal(matchOf(note('a', { denomination: 'EUR' }), bond('X'), bond('E', { currency: 'EUR' })), 'E')
  },
)

t.test('an instrument that is matched to no bond says why', async t => {
  t.equal(matchOf(note('a'), bond('X'), bond('Y')), 'several_bonds_alike')
  t.equal(matchOf(note('a'), bond('X', { maturity: '2028-06-25' })), 'no_bond_alike')
  t.equal(matchOf(note('a')), 'no_bonds_of_the_company')
  t.equal(matchOf(note('a', { coupon: null }), bond('X')), 'no_coupon_and_maturity')
  t.equal(matchOf(note('a', { isGroup: true }), bond('X')), 'several_instruments_in_one_line')
  t.equal(matchOf(note('a', { isRepeat: true }), bond('X')), 'not_current')
  t.equal(matchOf(note('a', { isLoan: true }), bond('X')), 'not_a_note')
  const both = matchBonds([note('a'), note('b')], [bond('X')])
  t.strictSame(
    [...both.values()].map(match => match.nullBecause),
    ['several_instruments_alike', 'several_instruments_alike'],
    'one bond is not two instruments',
  )
})
