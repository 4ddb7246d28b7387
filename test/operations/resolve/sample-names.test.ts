import t from 'tap'
import { openSample } from '../../sample-engine.ts'

// The sample is made first where it was not.
t.setTimeout(600_000)

const engine = await openSample(t)

t.test('every bond of the sample is found by its own display name, CUSIP and ISIN', async t => {
  const bonds = await engine.sql<{
    id: string
    display_name: string
    cusip: string | null
    isin: string | null
  }>('SELECT id, display_name, cusip, isin FROM bonds')
  t.ok(bonds.length > 1000)
  const lost: string[] = []
  for (const { id, display_name, cusip, isin } of bonds)
    for (const q of [display_name, display_name.toLowerCase(), cusip, isin]) {
      if (q === null) continue
      const { data } = await engine.call('resolve.bond', { q })
      if (data.matches[0]?.bond.id !== id || !data.exact_match) lost.push(q)
    }
  t.strictSame(lost, [])
})

t.test(
  'a name with the day cut to its month, or the coupon in eighths, still leads to one of its issuer',
  async t => {
    const bonds = await engine.sql<{ id: string; ticker: string; coupon: number; day: string }>(
      `SELECT id, company_ticker AS ticker, coupon_rate AS coupon, CAST(maturity_date AS VARCHAR) AS day FROM bonds
     WHERE is_active AND coupon_rate IS NOT NULL AND maturity_date IS NOT NULL AND rate_structure = 'fixed'`,
    )
    let right = 0
    for (const { id, ticker, coupon, day } of bonds) {
      const q = `${ticker} ${coupon} ${day.slice(5, 7)}/${day.slice(2, 4)}`
      const { data } = await engine.call('resolve.bond', { q })
      if (data.matches[0]?.bond.id === id) right++
    }
    t.ok(right / bonds.length > 0.98, `${right} of ${bonds.length}`)
  },
)
