import t from 'tap'
import { type BondCandidate, readQuery, scorer, tokensOf } from '../../engine/operations/match-bond.ts'

const bond: BondCandidate = {
  id: 'b1',
  name: 'KRVWN 5.5 2031',
  ticker: 'KRVWN',
  company: 'Krevowan Petroleum Corp.',
  coupon: 5.5,
  maturity: '2031-06-15',
  active: true,
  seniority: 'senior_unsecured',
  instrument: 'fixed_note',
}
const shares = (text: string, of = bond) => {
  const query = readQuery(text)
  return scorer({ ...query, tokens: tokensOf(query.words) })(of).parts.map(part => part.share)
}

t.test('a word is the same, begins the same or has a slip in it', async t => {
  t.strictSame(shares('krevowan petrol krevovan krevovam zzz'), [1, 0.85, 0.8, 0.6, 0])
  t.strictSame(shares('krvwn unsecured fixed'), [1, 1, 1])
  t.strictSame(shares('krevowan 5 1/2 06/15/31'), [1, 1, 1])
})

t.test('bonds scored one after the other are scored as each would be alone', async t => {
  const bonds = [
    bond,
    { ...bond, company: 'Krevowen Power', name: null },
    { ...bond, company: null, active: false },
  ]
  const query = { ...readQuery('krevowan power senior 2031'), tokens: ['krevowan', 'power', 'senior'] }
  const score = scorer(query)
  t.strictSame(
    bonds.map(score),
    bonds.map(one => scorer(query)(one)),
  )
  t.strictSame(
    bonds.map(score).map(({ factor }) => factor),
    [0.98, 0.98, 0.9],
  )
})
