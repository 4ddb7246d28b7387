import t from 'tap'
import { open } from '../../engine/engine.ts'
import { builtLake } from '../built-lake.ts'

t.test('a perpetual of a list without identifiers or coupons is named as one', async t => {
  const bond = (bond_id: string, issuer_name: string) => ({
    bond_id,
    name: bond_id.split('|')[0],
    issuer_name,
    currency: 'USD',
    known_from: '2025-10-01',
  })
  const lake = await builtLake(
    t.teardown,
    {
      bonds: [
        bond('ALFA BANK LTD 144A||2079-12-31', 'ALFA BANK LTD'),
        bond('ALFA BANK LTD REGS||2079-12-31', 'ALFA BANK LTD'),
        bond('BETA SUKUK LTD REGS||2079-12-31', 'BETA SUKUK LTD'),
        bond('GAMMA-1', 'GAMMA LTD'),
      ],
    },
    { asOf: '2025-10-02' },
  )
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const { data } = await engine.call('search.bonds', { sort: 'display_name' })
  t.strictSame(
    (data as unknown as { display_name: string }[]).map(row => row.display_name),
    ['ALFA BANK PERP A', 'ALFA BANK PERP B', 'BETA SUKUK PERP', 'GAMMA GAMMA-1'],
  )
})
