import type { CoverageRecord } from '../state/accounts.ts'
import { askForCoverage, requestCoverage } from '../v1/operations/request-coverage.ts'
import { partParams } from './credits.ts'
import { forAdmins, forSignedIn } from './operation.ts'

const shown = ({ id, ticker, companyName, cik, note, requestedAt }: CoverageRecord) => ({
  id,
  ticker,
  company_name: companyName,
  cik,
  note,
  requested_at: requestedAt,
})

const list = forSignedIn({
  name: 'account.coverage_requests',
  method: 'GET',
  path: '/account/coverage-requests',
  params: partParams,
  async handle({ state, session }, part) {
    const { rows, total } = await state.coverageRequests(session.accountId, part)
    return { body: { data: rows.map(shown), meta: { total, ...part } } }
  },
})

const ask = forSignedIn({
  name: 'account.coverage_requests.ask',
  method: 'POST',
  path: '/account/coverage-requests',
  params: requestCoverage.params,
  handle: ({ engine, state, session, now }, request) =>
    askForCoverage(engine, state, session.accountId, request, now),
})

const listAll = forAdmins({
  name: 'admin.coverage_requests',
  method: 'GET',
  path: '/admin/coverage-requests',
  params: partParams,
  async handle({ state }, part) {
    const { rows, total } = await state.coverageRequests(null, part)
    const data = rows.map(row => ({ account: row.account, ...shown(row) }))
    return { body: { data, meta: { total, ...part } } }
  },
})

export const coverageOperations = [list, ask, listAll]
