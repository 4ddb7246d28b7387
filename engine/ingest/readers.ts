import { bondTerms } from './readers/bond-terms.ts'
import { companyTickers } from './readers/company-tickers.ts'
import { companyfacts } from './readers/companyfacts.ts'
import { filing } from './readers/filing.ts'
import { filingItems } from './readers/filing-items.ts'
import { fred } from './readers/fred.ts'
import { gleif } from './readers/gleif.ts'
import { gleifRelationships } from './readers/gleif-relationships.ts'
import { holdings } from './readers/holdings.ts'
import { indexConstituents } from './readers/index-constituents.ts'
import { indexSpreads } from './readers/index-spreads.ts'
import { inlineFacts } from './readers/inline-facts.ts'
import { issuerCodes } from './readers/issuer-codes.ts'
import { listedFilers } from './readers/listed-filers.ts'
import { nport } from './readers/nport.ts'
import { nportDataSets } from './readers/nport-data-sets.ts'
import { priceList } from './readers/price-list.ts'
import { ratingActions } from './readers/rating-actions.ts'
import { ratingList } from './readers/rating-list.ts'
import type { Reader } from './readers/reader.ts'
import { statementDataSets } from './readers/statement-data-sets.ts'
import { submissions } from './readers/submissions.ts'
import { trace } from './readers/trace.ts'
import { treasury } from './readers/treasury.ts'
import { vendorStatements } from './readers/vendor-statements.ts'
import { xbrlCalculations } from './readers/xbrl-calculations.ts'
import { xbrlDescriptions, xbrlInstance } from './readers/xbrl-instance.ts'
import { refusedKinds } from './refused-kinds.ts'

/** The kinds of source files, in the order in which they are tried; users' tables come last. */
export const readers: readonly Reader[] = [
  companyfacts,
  submissions,
  companyTickers,
  gleif,
  gleifRelationships,
  nport,
  nportDataSets,
  xbrlInstance,
  xbrlCalculations,
  xbrlDescriptions,
  statementDataSets,
  inlineFacts,
  vendorStatements,
  treasury,
  indexSpreads,
  fred,
  holdings,
  priceList,
  trace,
  bondTerms,
  ratingActions,
  ratingList,
  indexConstituents,
  listedFilers,
  issuerCodes,
  filingItems,
  ...refusedKinds,
  filing,
]
