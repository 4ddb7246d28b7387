import { companyTickers } from './company-tickers.ts'
import { companyfacts } from './companyfacts.ts'
import { filing } from './filing.ts'
import { fred } from './fred.ts'
import { gleif } from './gleif.ts'
import { gleifRelationships } from './gleif-relationships.ts'
import { holdings } from './holdings.ts'
import { indexConstituents } from './index-constituents.ts'
import { inlineFacts } from './inline-facts.ts'
import { nport } from './nport.ts'
import { ratingActions } from './rating-actions.ts'
import { ratingList } from './rating-list.ts'
import type { Reader } from './reader.ts'
import { refusedKinds } from './refused-kinds.ts'
import { statementDataSets } from './statement-data-sets.ts'
import { submissions } from './submissions.ts'
import { trace } from './trace.ts'
import { treasury } from './treasury.ts'
import { vendorStatements } from './vendor-statements.ts'
import { xbrlDescriptions, xbrlInstance } from './xbrl-instance.ts'

/** The kinds of source files, asked in this order whether a file is theirs; tables of users come after all of them. */
export const readers: readonly Reader[] = [
  companyfacts,
  submissions,
  companyTickers,
  gleif,
  gleifRelationships,
  nport,
  xbrlInstance,
  xbrlDescriptions,
  statementDataSets,
  inlineFacts,
  vendorStatements,
  treasury,
  fred,
  holdings,
  trace,
  ratingActions,
  ratingList,
  indexConstituents,
  ...refusedKinds,
  filing,
]
