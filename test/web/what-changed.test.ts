import t from 'tap'
import { points, whatChanged } from '../../server/web/pages/watch/what-changed.ts'

const none = {
  new_debt: [],
  newly_known_debt: [],
  removed_debt: [],
  changed_debt: [],
  entity_changes: { added: [], removed: [] },
  metric_changes: {},
  rating_changes: [],
  pricing_changes: [],
  new_filings: [],
}

t.test('changes are said in a few words, ratings first', t => {
  t.strictSame(whatChanged(none as never), [])
  const changes = {
    ...none,
    new_debt: [{}],
    new_filings: [{}, {}],
    rating_changes: [{ agency: 'sp', direction: 'downgrade', previous: 'BB', current: 'BB-' }],
    metric_changes: {
      bond_count: { previous: 7, current: 8, change: 1, change_pct: 14.3 },
      leverage_ratio: { previous: 4.2, current: 4.6, change: 0.4, change_pct: 9.5 },
    },
    pricing_changes: [{ spread_change: 16 }, { spread_change: -40 }, { spread_change: null }],
  }
  t.strictSame(whatChanged(changes as never), [
    'S&P downgrade: BB → BB-',
    '1 new bond or loan',
    'Leverage ratio 4.2x → 4.6x',
    '2 spreads moved, the most −40 bp',
    '2 new filings',
  ])
  t.equal(points(98.5, 97), '+1.50')
  t.equal(points(98.5, null), '–')
  t.end()
})
