import { randomUUID } from 'node:crypto'
import type { Accounts } from './accounts.ts'
import type { State } from './state.ts'
import type { Store } from './store.ts'

type Coverage = Pick<State, 'requestCoverage'> & Pick<Accounts, 'coverageRequests'>

export const coverage = (store: Store): Coverage => ({
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

  async coverageRequests(accountId, { limit, offset }) {
    let wanted = store.db
      .selectFrom('coverage_requests')
      .innerJoin('accounts', 'accounts.id', 'coverage_requests.account_id')
    if (accountId !== null) wanted = wanted.where('accounts.id', '=', accountId)
    const { total } = await wanted.select(e => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    const rows = await wanted
      .selectAll('coverage_requests')
      .select('accounts.email as account')
      .orderBy('requested_at', 'desc')
      .orderBy('coverage_requests.id')
      .limit(limit)
      .offset(offset)
      .execute()
    return {
      total,
      rows: rows.map(({ id, account, ticker, company_name, cik, note, requested_at }) => ({
        id,
        account,
        ticker,
        companyName: company_name,
        cik,
        note,
        requestedAt: new Date(requested_at).toISOString(),
      })),
    }
  },
})
