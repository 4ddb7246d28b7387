import t from 'tap'
import { walkAccount } from './account.ts'
import { walkBonds } from './bonds.ts'
import { walkErrors } from './errors.ts'
import { walkFacts } from './facts.ts'
import { walkFinancials } from './financials.ts'
import { walkFuzz } from './fuzz.ts'
import { walkHttp } from './http.ts'
import { walkLists } from './lists.ts'
import { walkRelations } from './relations.ts'
import { walkSearch } from './search.ts'
import { startService } from './service.ts'

// Making the sample takes a busy machine a while.
t.setTimeout(3_600_000)
const service = await startService(t)

walkHttp(t, service)
walkLists(t, service)
walkFacts(t, service)
walkFinancials(t, service)
walkBonds(t, service)
walkRelations(t, service)
walkSearch(t, service)
walkAccount(t, service)
walkErrors(t, service)
walkFuzz(t, service)

t.test('SIGTERM ends the server in order, and nothing of all this made it complain', async t => {
  t.strictSame(await service.stop(), { code: 0, complaints: [] })
})
