import t from 'tap'
import { build } from '../../engine/snapshot/build.ts'
import { builtLake } from '../built-lake.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'
import { resident } from './resident.ts'

const { tranche } = await resident(t)

t.test('verify exits with 0 if every figure agrees', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const { code, out, err } = await tranche(['verify', '--lake', lake.root, '--format', 'csv'])
  t.equal(code, 0, err)
  t.equal(out.trim(), 'dataset,key,field,stored,recomputed,difference,cause')
  t.match(err, /figures of \d+ tables as of 2025-06-02: all match their recomputation/)
})

t.test('verify takes one snapshot, and existing tables only', async t => {
  const two = await tranche(['verify', 'a', 'b'])
  t.equal(two.code, 2)
  t.match(two.err, /one snapshot/)
  t.match(
    (await tranche(['verify', '--dataset', 'bond'])).err,
    /must be one of companies, companies_by_age, bonds/,
  )
})

t.test('doctor reports on the data, and fails for it only under --strict', async t => {
  const lake = await makeLake(t.teardown, {
    ...twoIssuers,
    bonds: [
      ...twoIssuers['bonds']!,
      {
        cusip: '000000BC2',
        name: 'Beta 5% 2020',
        ticker: 'BETA',
        maturity_date: '2020-01-01',
        issue_date: '2021-01-01',
        known_from: '2024-01-01',
      },
    ],
  })
  await build(lake)
  const plain = await tranche(['doctor', '--data', '--lake', lake.root, '--format', 'ndjson'])
  t.equal(plain.code, 0, plain.err)
  const rows = plain.out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { check: string; status: string; says: string; do: string })
  t.match(
    rows.find(r => r.check === 'dates out of order'),
    { status: 'problem', says: /^1 of .*000000BC2/, do: /^fix the row/ },
  )
  t.match(
    rows.find(r => r.check === 'impossible spreads'),
    { status: 'ok', says: 'none' },
  )
  const strict = await tranche(['doctor', '--data', '--strict', '--lake', lake.root])
  t.equal(strict.code, 4)
})
