import t from 'tap'
import { open } from '../../../engine/engine.ts'
import { build } from '../../../engine/snapshot/build.ts'
import { makeLake } from '../../make-lake.ts'

const known = { known_from: '2024-01-01' }
const bond = (cusip: string, ticker: string, name: string, coupon: number, maturity: string) => ({
  cusip,
  ticker,
  name,
  issuer_name: name,
  coupon_rate: coupon,
  maturity_date: maturity,
  currency: 'USD',
  ...known,
})
const company = (ticker: string, name: string, more = {}) => ({ ticker, name, coverage: 'standard', ...more })

/** LEIs whose check digits hold, of no company. */
const LEI = '00TESTLEI00000000175'
const OTHER_LEI = '00TESTLEI00000000272'

// Fillers, so that a word of one name is rare.
const fillers = 'Ardmel Bostrin Calvex Dunhope Elswin Farrowe Glenmar Hestrel Imborne Jasmond'.split(' ')

const lake = await makeLake(t.teardown, {
  companies: [
    company('PLUM', 'Plumfield Inc', { former_names: ['Quinceton Computer Corp'], lei: LEI }),
    company('GENM', 'Genora Motors Co'),
    company('UNA', 'Uniflight Airlines Inc'),
    // Without bonds.
    company('UNR', 'Uniflight Rentals Inc'),
    company('POW', 'Meridia Power Co'),
    company('TOW', 'Rovena Tower Corp'),
    company('BRNS', 'Brennic Shoes Inc'),
    ...fillers.map((name, i) => company(`F${i}`, `${name} Inc`)),
  ],
  bonds: [
    bond('000000AA7', 'PLUM', 'PLUMFIELD INC', 3.25, '2029-08-08'),
    bond('000000AB5', 'GENM', 'GENORA MOTORS CO', 5, '2030-04-01'),
    bond('000000AC3', 'UNA', 'UNIFLIGHT AIRLINES INC', 4.875, '2028-01-15'),
    bond('000000AD1', 'POW', 'MERIDIA POWER CO', 6, '2031-06-01'),
    bond('000000AE9', 'BRNS', 'BRENNIC SHOES INC', 7, '2032-06-01'),
  ],
})
await build(lake, { asOf: '2025-06-02' })
const engine = await open(lake)
t.teardown(() => engine.close())

const first = async (q: string) => {
  const { matches } = (await engine.call('resolve.bond', { q })).data
  return { cusip: matches[0]?.bond.cusip ?? null, confidence: matches[0]?.confidence ?? 0 }
}

t.test('a company that shares a word with one of the lake is not taken for it', async t => {
  for (const q of ['Plumfield Hospitality 3.25 2029', 'Genora Dynamics 5 2030', 'Brennic & Brennic 7 2032'])
    t.ok((await first(q)).confidence < 0.5, `${q}: ${(await first(q)).confidence}`)
  t.ok((await first('Genora Dynamics 5 04/30')).confidence < 0.9)
  for (const [q, cusip] of [
    ['Plumfield 3.25 2029', '000000AA7'],
    ['Plumfield Corporatoin 3.25 2029', '000000AA7'],
    ['Genora Motors 5 04/30', '000000AB5'],
    ['Genora 5 2030', '000000AB5'],
  ] as const) {
    const { cusip: found, confidence } = await first(q)
    t.equal(found, cusip, q)
    t.ok(confidence > 0.9, `${q}: ${confidence}`)
  }
})

t.test('the name of a company without bonds means none of the bonds', async t => {
  t.ok((await first('Uniflight Rentals 4.875 01/28')).confidence < 0.1)
  t.ok((await first('UNR 4.875 01/28')).confidence < 0.1)
  t.ok((await first('Uniflight Airlines 4.875 01/28')).confidence > 0.9)
})

t.test('a word of another company is no slip of one that is spelled like it', async t => {
  t.ok((await first('Meridia Tower 6 2031')).confidence < 0.5)
  t.ok((await first('Meridia Powr 6 2031')).confidence > 0.9)
})

t.test('a former name leads to the company that had it', async t => {
  const { cusip, confidence } = await first('Quinceton Computer 3.25 2029')
  t.equal(cusip, '000000AA7')
  t.ok(confidence > 0.9, String(confidence))
})

t.test('a LEI means the bonds of its company, whatever else is written beside it', async t => {
  t.same(await first(LEI), { cusip: '000000AA7', confidence: 0.9 })
  t.same(await first(`LEI: ${LEI.toLowerCase()}`), { cusip: '000000AA7', confidence: 0.9 })
  t.equal((await first(`${LEI} 3.25 2029`)).cusip, '000000AA7')
  t.ok((await first(`${LEI} 3.25 2029`)).confidence > 0.9)
  t.same(await first(OTHER_LEI), { cusip: null, confidence: 0 })
  t.same(await first(`${OTHER_LEI} 3.25 2029`), { cusip: null, confidence: 0 })
})
