import t from 'tap'
import { open } from '../../engine/engine.ts'
import { isCalled, nicknamesOf } from '../../engine/names/nicknames.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake } from '../make-lake.ts'

t.test('a nickname is that of the company under its ticker and name', async t => {
  t.strictSame(nicknamesOf({ ticker: 'AXP', name: 'American Express Co' }), ['Amex'])
  t.strictSame(nicknamesOf({ ticker: 'AXP', name: 'Axion Power' }), [], 'another company has the ticker')
  t.strictSame(nicknamesOf({ ticker: null, name: 'American Express Co' }), [])
  const named = { ticker: 'PG', name: 'Procter & Gamble' }
  for (const written of ['P&G', 'p and g', 'pg']) t.ok(isCalled(named, written), written)
  t.notOk(isCalled(named, 'Procter'), 'a name is no nickname')
})

const bond = (ticker: string, company_name: string, cusip: string) => ({
  cusip,
  ticker,
  company_name,
  issuer_name: company_name.toUpperCase(),
  coupon_rate: 5.25,
  maturity_date: '2031-03-15',
  known_from: '2025-01-02',
})

t.test('companies are found by what people call them', async t => {
  const lake = await makeLake(t.teardown, {
    companies: [
      { ticker: 'BAC', name: 'Bank of America', sector: 'Financials' },
      { ticker: 'BFIN', name: 'BofA Finance LLC', sector: 'Financials' },
      { ticker: 'AXP', name: 'American Express', sector: 'Financials' },
      { ticker: 'AMX', name: 'America Movil', sector: 'Communication Services' },
      { ticker: 'PG', name: 'Procter & Gamble', sector: 'Consumer Staples' },
      { ticker: 'PRAA', name: 'PRA Group Inc', sector: 'Financials' },
      { ticker: 'GM', name: 'General Motors', sector: 'Consumer Discretionary' },
      { ticker: 'GME', name: 'GameStop', sector: 'Consumer Discretionary' },
    ],
    bonds: [bond('BAC', 'Bank of America', '06051GKY4'), bond('GM', 'General Motors', '37045VAZ3')],
  })
  await build(lake, { asOf: '2025-06-30' })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const first = async (q: string) => (await engine.call('suggest', { q })).data[0]?.ticker
  t.strictSame(await Promise.all(['amex', 'P&G', 'GM', 'bofa'].map(first)), ['AXP', 'PG', 'GM', 'BAC'])

  const { data } = await engine.call('resolve.bond', { q: 'BofA 5.25 31' })
  t.match(data, { matches: [{ bond: { company_ticker: 'BAC' } }] })

  await t.rejects(engine.call('search.companies', { ticker: 'amex' }), {
    code: 'INVALID_TICKER',
    details: { suggestion: 'AXP' },
  })
})
