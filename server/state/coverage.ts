import { randomUUID } from 'node:crypto'
import type { State } from './state.ts'
import type { Store } from './store.ts'

export const coverage = (store: Store): Pick<State, 'requestCoverage'> => ({
  async requestCoverage(account_id, { ticker, companyName, cik, note }, now) {
    const symbol = ticker.trim().toUpperCase()
    return store.durably(async tx => {
      const id = randomUUID()
      const made = await tx
        .insertInto('coverage_requests')
        .values({ id, account_id, ticker: symbol, company_name: companyName, cik, note, requested_at: now })
        .onConflict(c => c.columns(['account_id', 'ticker']).doNothing())
        .returning('id')
        .executeTakeFirst()
      const row = await tx
        .selectFrom('coverage_requests')
        .select(['id', 'requested_at'])
        .where('account_id', '=', account_id)
        .where('ticker', '=', symbol)
        .executeTakeFirstOrThrow()
      return {
        id: row.id,
        created: made !== undefined,
        requestedAt: new Date(row.requested_at).toISOString(),
      }
    })
  },
})
