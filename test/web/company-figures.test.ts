import t from 'tap'
import type { Bond } from '../../engine/schema/resources/bonds.ts'
import type { Liquidity } from '../../engine/schema/resources/liquidity.ts'
import { shownIssuers } from '../../server/web/show/issuer-names.ts'
import { caveatsOf } from '../../server/web/show/liquidity-caveats.ts'
import { owedOf } from '../../server/web/show/owed.ts'
import { benchmarkOf, pricedTogether } from '../../server/web/show/priced-together.ts'
import { staleness } from '../../server/web/show/stale.ts'
import { yearsUntil } from '../../server/web/show/statement.ts'

const bond = (id: string, staleness_days: number, duration: number, own: object = {}): Bond =>
  ({
    id,
    seniority: null,
    rate_type: 'fixed',
    outstanding: null,
    pricing: { last_price: 98, ytm: 5, staleness_days, duration },
    ...own,
  }) as unknown as Bond

t.test('the bond that speaks for a company is one of those traded last', t => {
  const bonds = [bond('of 2023', 1182, 1), bond('short', 190, 1.5), bond('ten years', 191, 7.2)]
  t.equal(benchmarkOf(bonds)?.id, 'ten years', 'where no rank is known')
  t.strictSame(
    pricedTogether(bonds).map(({ id }) => id),
    ['short', 'ten years'],
  )
  const secured = bond('secured', 190, 7, { seniority: 'senior_secured', outstanding: 9 })
  t.equal(benchmarkOf([...bonds, secured])?.id, 'ten years')
  t.equal(benchmarkOf([bond('of 2023', 1182, 1)])?.id, 'of 2023', 'an old price is better than none')
  t.equal(benchmarkOf([]), undefined)
  t.end()
})

t.test('an issuer that sources write in several ways has one name', t => {
  const shown = shownIssuers([
    'JPMORGAN CHASE & CO',
    'JPMorgan Chase & Co',
    'JPMORGAN CHASE & CO (FXD-FRN)',
    'FORD MOTOR CREDIT COMPANY LLC MTN',
    'FORD MOTOR CREDIT COMPANY LLC',
    'FORD MOTOR COMPANY',
  ])
  t.strictSame(
    [...new Set(shown.values())],
    ['JPMorgan Chase & Co', 'FORD MOTOR CREDIT COMPANY LLC', 'FORD MOTOR COMPANY'],
  )
  t.end()
})

t.test('a cover says why it is missing, and of which day what it counts is', t => {
  const row = (own: Partial<Liquidity>): Liquidity =>
    ({
      due_source: null,
      cover_null_because: null,
      cover_excludes: null,
      period_end_date: '2023-06-30',
      undrawn_date: null,
      is_annualized: false,
      ...own,
    }) as Liquidity
  const none = ['cash', 'undrawn_committed', 'free_cash_flow']
  t.strictSame(caveatsOf(row({ cover_null_because: 'stale', cover_excludes: none })), [
    'The newest statements, of 2023-06-30, are too old to count.',
  ])
  t.strictSame(caveatsOf(row({ cover_null_because: 'no_statements', period_end_date: null })), [
    'No statements are known, so neither cash and cash flow nor a cover.',
  ])
  t.strictSame(caveatsOf(row({ due_source: 'current_debt', cover_excludes: none.slice(1) })), [
    'Debt due is that of current debt on the balance sheet.',
    'The cover leaves out undrawn committed and free cash flow: no filing tags them.',
  ])
  t.strictSame(caveatsOf(row({ undrawn_date: '2022-12-31' })), ['Undrawn commitments are of 2022-12-31.'])
  t.end()
})

t.test('a facility owes what is drawn, never what may be', t => {
  const facility = { carrying_amount: null, principal: 4_000, drawn: null, commitment: 4_000 }
  t.equal(owedOf(facility), null)
  t.equal(owedOf({ ...facility, drawn: 500 }), 500)
  t.equal(owedOf({ ...facility, commitment: null }), 4_000, 'notes owe their face amount')
  t.end()
})

t.test('years of statements end with the newest, not with today', t => {
  t.strictSame(yearsUntil('2009-06-30').slice(0, 3), [2010, 2009, 2008])
  t.end()
})

t.test('a letter without an action for five years is stale', t => {
  const row = { sp_rating: 'AA', moodys_rating: null, rating_age_days: 3688 }
  t.match(staleness('sp_rating', row), /^stale: no rating action for 3,688 days/)
  t.equal(staleness('moodys_rating', row), null)
  t.equal(staleness('sp_rating', { ...row, rating_age_days: 1000 }), null)
  t.end()
})
