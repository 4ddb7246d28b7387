import t from 'tap'
import type { CompanyFigures } from '../../engine/operations/company-figures.ts'
import type { CapitalStructure } from '../../engine/operations/recovery-claims.ts'
import { financeBusinessOf } from '../../engine/operations/recovery-notes.ts'

const MILLION = 1e8

/** The claims of a group, by who owes them, in millions. */
const structure = (...claims: readonly (readonly [issuer: string | null, millions: number])[]) =>
  ({
    placed: claims.map(([issuer_name, amount]) => ({ amount: amount * MILLION, claim: { issuer_name } })),
  }) as unknown as CapitalStructure
const figures = (total: number | null, without: number | null) =>
  ({
    total_debt: total === null ? null : total * MILLION,
    debt_excluding_finance: without === null ? null : without * MILLION,
    period_end_date: '2024-12-31',
  }) as CompanyFigures

t.test('claims on a finance business are those of its companies that come to its debt', t => {
  const claims = structure(
    ['Alfa Motors', 2000],
    ['Alfa Credit', 5000],
    ['Alfa Credit', 3100],
    [null, 100],
    ['Company Excluding Alfa Credit', 700],
  )
  t.strictSame(financeBusinessOf(claims, figures(10900, 2800)), {
    amount: 8100 * MILLION,
    balance_date: '2024-12-31',
    issuers: ['Alfa Credit'],
    claims: 2,
    claimed: 8100 * MILLION,
  })
  t.end()
})

t.test('a company that only issues bonds for its group is no finance business', t => {
  const bonds = structure(['Alfa Finance B.V.', 3000], ['Alfa Motors', 500])
  t.equal(financeBusinessOf(bonds, figures(3500, null)), null, 'no statement sets its debt apart')
  t.strictSame(financeBusinessOf(bonds, figures(9000, 800))?.issuers, [], 'its bonds do not come to it')
  t.equal(financeBusinessOf(bonds, figures(null, null)), null)
  t.end()
})
