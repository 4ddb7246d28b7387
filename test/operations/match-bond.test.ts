import t from 'tap'
import { type BondCandidate, readQuery, scorer, tokensOf } from '../../engine/operations/match-bond.ts'

const bond: BondCandidate = {
  id: 'b1',
  display: 'KRVWN 5.5 06/15/31',
  issuer: null,
  floats: false,
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
    [0.98, 0.98, 0.9 * 0.6],
  )
})

t.test('the names that desks use are read', async t => {
  t.match(readQuery('T 4 1/2 48'), { words: ['t'], coupon: 4.5, year: 2048 })
  t.match(readQuery('AAPL 3.25 08/08/29'), { words: ['aapl'], coupon: 3.25, date: '2029-08-08' })
  t.match(readQuery('aapl 3.25 8/29'), { words: ['aapl'], coupon: 3.25, year: 2029, month: '2029-08' })
  t.match(readQuery('alfa 3/4 08/2029'), { words: ['alfa'], coupon: 0.75, month: '2029-08' })
  t.match(readQuery('ALFA FRN 06/31'), { words: ['alfa'], floats: true, month: '2031-06' })
  t.match(readQuery('ALFA 6.5 PERP'), { words: ['alfa'], coupon: 6.5, perpetual: true })
  t.strictSame(shares('krvwn 5.5 06/31'), [1, 1, 1])
  t.strictSame(shares('krvwn 5.5 07/31'), [1, 1, 2 / 3])
  t.strictSame(shares('krvwn frn 2031'), [1, 1, 0])
})

t.test('a match is less sure where nothing written names an issuer', async t => {
  const sure = (text: string, isNamed = false) => {
    const query = readQuery(text)
    return scorer({ ...query, tokens: tokensOf(query.words) }, isNamed)(bond).confidence
  }
  t.ok(sure('krevowan 5.5 2031') > 0.95)
  t.ok(sure('5.5 2031') < 0.6)
  t.ok(sure('senior unsecured 5.5 2031') < 0.6, 'words of ranking name nobody')
  t.ok(sure('5.5 2031', true) > 0.95, 'where the ticker is given apart it is named')
})
