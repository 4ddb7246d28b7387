import t from 'tap'
import { walkFacts } from './facts.ts'
import { walkFinancials } from './financials.ts'
import { walkLists } from './lists.ts'
import { startService } from './service.ts'

const service = await startService(t)

walkLists(t, service)
walkFacts(t, service)
walkFinancials(t, service)
