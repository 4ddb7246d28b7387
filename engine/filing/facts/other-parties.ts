import { everyWords, lastEnd, words } from './flat-text.ts'

// Somebody else of whom a level is required: `a bank having a net worth of`, `the Servicer shall maintain`.
const others = everyWords(
  String.raw`\b(?:tenants?|lessees?|managers?|servicers?|custodian|trustees?|depositar(?:y|ies)|banks?|insurers?|carriers?|counterpart(?:y|ies)|transferees?|assignees?|purchasers?|sellers?|vendors?|account debtors?|operators?|franchisees?|financial institutions?|joint ventures?|successors?|corporations? or associations?|(?:any|such|each|another) person)\b`,
)
const obligors = everyWords(
  String.raw`\b(?:borrowers?|company|companies|issuers?|parent|holdings|guarantors?|obligors?|(?:loan|credit|note|obligor) part(?:y|ies)|subsidiaries|corporation|partnership|reit|we|us|our|it)\b`,
)

/** Whether the last party named before a quantity is not an obligor. */
export function speaksOfOthers(lead: string): boolean {
  const other = lastEnd(lead, others)
  return (
    other >= 0 &&
    lead.length - other < 200 &&
    lastEnd(lead, obligors) < other &&
    binds.test(lead.slice(other))
  )
}
const binds = words(String.raw`\b(?:shall|will|must|having|has|have|maintains?|maintaining|whose|with)\b`)
