import t from 'tap'
import { open } from '../../engine/engine.ts'
import { collateralIn } from '../../engine/filing/facts/collateral.ts'
import { covenantsIn } from '../../engine/filing/facts/covenants.ts'
import { build } from '../../engine/snapshot/build.ts'
import { section } from '../filing/facts/section.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'

const agreement = (day: string, level: string, filed: string) =>
  section(
    `CREDIT AGREEMENT dated as of ${day}.\n\n6.1 Leverage. The Borrower shall not permit the Leverage Ratio to exceed ${level} to 1.00.\n\n6.2 Security. The Borrower hereby grants to the Agent a security interest in all inventory.\n`,
    { filing_date: filed, accession: `0000000001-24-${filed.slice(-6).replace('-', '0')}` },
  )

t.test('extracted covenants and collateral are shown with their quotation', async t => {
  const filings = [
    agreement('May 1, 2024', '4.50', '2024-05-03'),
    agreement('May 1, 2024', '4.00', '2025-02-07'),
  ]
  const rows = <R extends object>(read: (s: (typeof filings)[number]) => R[]) =>
    filings.flatMap((s, i) =>
      read(s).map(row => {
        const { company_name: _name, cik: _cik, ...rest } = row as Record<string, unknown>
        return { ...rest, ticker: 'ALFA', source: `agreement-${i}.html`, known_from: s.filing_date }
      }),
    )
  const jsonless = rows(covenantsIn).map(row => ({ ...row, step_down_schedule: null }))
  const lake = await makeLake(t.teardown, {
    ...twoIssuers,
    covenants: jsonless,
    collateral: rows(collateralIn),
  })
  await build(lake)
  const engine = await open(lake)
  t.teardown(() => engine.close())

  const { data } = await engine.call('search.covenants', {
    ticker: 'ALFA',
    explain: true,
    fields: 'covenant_name,threshold_value',
  })
  t.match(data, [
    {
      covenant_name: 'Maximum Total Leverage Ratio',
      threshold_value: 4,
      _explain: {
        source: 'agreement-1.html',
        rule: 'test_sentence',
        document_date: '2025-02-07',
        evidence: { section: '6.1 Leverage', text: /exceed 4\.00 to 1\.00\.$/ },
      },
    },
  ])
  const before = await engine.call('search.covenants', { ticker: 'ALFA', as_of: '2024-12-31' })
  t.equal(before.data[0]?.threshold_value, 4.5)
  t.notOk('evidence' in data[0]!)
  const pledged = await engine.call('search.collateral', { ticker: 'ALFA', explain: true })
  t.match(pledged.data, [
    { type: 'inventory', _explain: { rule: 'grant', evidence: { section: '6.2 Security' } } },
  ])
})
