import t from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake } from '../make-lake.ts'

// A day is derived, which takes a while on a busy machine.
t.setTimeout(240_000)

t.test('a company answers to its CIK and its LEI wherever a ticker is asked for, on any day', async t => {
  const lake = await makeLake(t.teardown, {
    companies: [
      { ticker: 'ALFA', name: 'Alfa Corp', cik: '0000000011', lei: 'HWUPKR0MPOU8FGXBT394' },
      { ticker: 'BETA', name: 'Beta Corp', cik: '0000000022' },
      // A ticker in digits comes before the CIK of another company.
      { ticker: '22', name: 'Twenty-Two Ltd', cik: '0000000033' },
    ],
    filings: [
      { cik: '0000000011', accession: 'a', form: '10-K', filed_date: '2025-01-02', known_from: '2025-01-02' },
    ],
  })
  await build(lake, { asOf: '2025-06-30' })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const named = async (name: string, as_of?: string) => {
    const { data } = await engine.ask('search.companies', { ticker: name, fields: 'ticker', as_of })
    return (data as { ticker: string }[]).map(({ ticker }) => ticker)
  }
  for (const name of ['11', '0000000011', 'CIK11', 'cik0000000011', 'hwupkr0mpou8fgxbt394'])
    t.strictSame(await named(name), ['ALFA'], name)
  t.strictSame(await named('0000000011,HWUPKR0MPOU8FGXBT394,BETA'), ['ALFA', 'BETA'])
  t.strictSame(await named('22'), ['22'])
  t.strictSame(await named('0000000022'), ['BETA'])
  t.strictSame(await named('CIK11', '2025-03-31'), ['ALFA'])
  const panel = await engine.ask('panel', {
    resource: 'companies',
    dates: '2025-03-31',
    ticker: '11',
    fields: 'ticker',
  })
  t.strictSame(panel['data'], [{ as_of: '2025-03-31', ticker: 'ALFA' }])
  t.match(await engine.ask('get.company', { ticker: '0000000022', fields: 'ticker' }), {
    data: { ticker: 'BETA' },
  })
  // The nearest number would be another company.
  await t.rejects(named('0000000012'), { code: 'INVALID_TICKER', details: { suggestion: null } })
})
