import type { Clause } from './clauses.ts'
import { everyWords, sentenceAround, words } from './flat-text.ts'
import { isNoCovenant } from './negative-covenants.ts'
import { MOST_SENTENCE, negated, type Protection } from './protection.ts'
import type { Reading } from './reading.ts'

const reportTitle = words(
  String.raw`^(?:(?:annual|quarterly|periodic|sec|commission|certain|other|delivery of|provision of|furnishing of|maintenance of) )*(?:financial,? (?:\w+,? ){0,2}(?:and )?other reporting|financial (?:statements?|reports?|reporting|data|(?:and (?:business|other) )?information)|reports?|reporting(?: requirements| covenants?)?|information(?: covenants?)?)\b`,
)
const delivers = words(
  String.raw`\b(?:shall|will|must|agrees? to)\b[^.;]{0,200}?\b(?:furnish|deliver|provide|file|transmit|submit|cause to be (?:prepared and )?(?:furnished|delivered))\b`,
)
// `Deliver to each of the Lenders`, whose obligor stands in the lead-in of its article.
const deliversToLenders = words(
  String.raw`(?:^\W*(?:\([a-z]\) ?)?|\b(?:and|shall|will)\b[^.;:]{0,160}? )(?:furnish|deliver|provide|submit)(?: or cause to be (?:furnished|delivered|provided))?\b[^.;:]{0,80}?\bto (?:each (?:of )?)?(?:the )?(?:\w+ ){0,2}(?:lenders?|banks?|agents?|holders?|noteholders?|trustees?|purchasers?)\b`,
)
const statements = words(
  String.raw`\bfinancial statements|financial reporting information|balance sheets?|income statements?|annual reports?|forms? 10-?[kq]|section 13\b`,
)
// In an article on the trustee and its lists of holders.
const ofCompany = words('^reports by (?:the )?(?:company|issuer|corporation|partnership)$')

// `The Credit Parties will not list their assets on the financial statements of`.
const withholds = words(String.raw`^[^.;]{0,80}\b(?:will|shall|may|must) not\b`)

// `covenants including financial reporting requirements`, `to provide financial and other reports to our lenders`.
const reportingNamed = everyWords(
  String.raw`\b(?:financial reporting (?:requirements?|obligations?|covenants?)|information reporting(?=[,;]| and\b)|(?<!\bover )financial reporting(?=[,;]| and\b| or\b)|(?:financial|periodic|regular|quarterly|annual|monthly) reporting to (?:the |our |its )?(?:lenders?|banks?|agent|trustee|holders)|(?<=\bcovenants? [^.;]{0,60})timely (?:filing|delivery|furnishing) of (?:\w+ ){0,2}(?:reports|financial (?:statements|reports|information))|reporting (?:requirements|covenants)|(?:delivery|furnishing|provision|submission) of (?:\w+ ){0,3}financial (?:statements|reports|information)|(?:deliver|furnish|provide) (?:\w+ ){0,3}(?:financial (?:statements|reports|information)|reports) to (?:our |the )?(?:lenders|banks|agent|trustee|holders)|(?<=\brequir(?:e|es|ing) )(?:periodic|regular|quarterly|annual|monthly) (?:\w+ and )?(?:financial|reserve) (?:and (?:\w+ )?)?reporting)\b`,
)

// `The loan agreement requires us to furnish quarterly financial statements to the lender`.
const reportingRequired = everyWords(
  String.raw`\b(?:agreements?|facilit(?:y|ies)|indentures?|notes?|term loans?|lines? of credit)\b[^.;]{0,60}?\b(?:requires?|obligates?) (?:us|the company|the borrower|the issuer|it) to (?:furnish|deliver|provide|submit)\b[^.;]{0,60}?\bfinancial (?:statements|reports|information)\b`,
)

/** A requirement of financial statements, where it stands. */
const reporting = (place: Pick<Protection, 'confidence' | 'from' | 'to' | 'clause'>): Protection => ({
  covenant_name: 'Financial Reporting',
  rule: 'reporting',
  putPricePct: null,
  threshold: null,
  ...place,
})

/** Where a report names financial reporting among the covenants of an instrument, or says that it is required. */
const reportingNamedIn = (flat: string): Protection[] =>
  [
    ...[...flat.matchAll(reportingNamed)].filter(match => {
      const sentence = flat.slice(...sentenceAround(flat, match.index, MOST_SENTENCE))
      return /\bcovenants?\b/i.test(sentence) && grantsCovenants.test(sentence)
    }),
    ...flat.matchAll(reportingRequired),
  ].flatMap(match => {
    const [from, to] = sentenceAround(flat, match.index, MOST_SENTENCE)
    if (negated.test(flat.slice(from, to))) return []
    return reporting({
      confidence: 0.75,
      from,
      to,
      clause: null,
    })
  })
const grantsCovenants = words(
  String.raw`\bcovenants\b[^.;]{0,200}?\b(?:includ\w+|such as|relat\w+ to|with respect to|regarding|requir\w+)\b|\b(?:contains?|includes?|subject to|imposes?|requires? compliance with)\b[^.;]{0,200}?\bcovenants\b`,
)

// `(f) within 120 days after each fiscal year, the Company will deliver audited balance sheets`, of a clause of covenants.
const itemDelivers = words(
  String.raw`[;:.] ?(?:\d{1,3} )?(?<item>\([a-z]{1,2}\) ?[^;]{0,200}?\b(?:will|shall) (?:furnish|deliver|provide)\b[^;]{0,160}?\b(?:financial statements|balance sheets?|annual reports?)\b[^;]{0,400})`,
)
const ofCovenants = /^(?:affirmative\s+)?covenants$/i

/** Where an item of a clause of affirmative covenants asks for financial statements. */
const reportingItemsIn = ({ flat, clauses }: Reading): Protection[] =>
  clauses.flatMap(clause => {
    if (!clause.isNumbered || !ofCovenants.test(clause.title)) return []
    const match = itemDelivers.exec(flat.slice(clause.body, clause.to))
    const item = match?.groups?.['item']
    if (!match || item === undefined) return []
    const to = clause.body + match.index + match[0].length
    return reporting({
      confidence: 0.85,
      from: to - item.length,
      to,
      clause,
    })
  })

/** Financial statements required by lenders or holders. */
export function reportingIn(reading: Reading): Protection[] {
  const { flat, clauses, isContract } = reading
  if (!isContract) return reportingNamedIn(flat)
  return [...reportingClausesIn(flat, clauses), ...reportingItemsIn(reading)]
}

function reportingClausesIn(flat: string, clauses: readonly Clause[]): Protection[] {
  return clauses.flatMap(clause => {
    // Its items may be clauses of their own: `(c) Financial Reporting. The Borrower shall furnish: (i) Annual Statements.`
    const leadsIn = clause.to - clause.body < 300 && /:\s*$/.test(flat.slice(clause.body, clause.to))
    const body = flat.slice(clause.body, Math.min(leadsIn ? flat.length : clause.to, clause.body + 1500))
    if (
      (isNoCovenant(clause) && !ofCompany.test(clause.title)) ||
      !statements.test(body) ||
      withholds.test(body.slice(0, 160))
    )
      return []
    const toLenders = deliversToLenders.test(body.slice(0, 600))
    if (!reportTitle.test(clause.title)) return []
    if (
      !toLenders &&
      !delivers.test(body.slice(0, 500)) &&
      !/affirmative|reporting|information|^covenants/i.test(clause.article ?? '')
    )
      return []
    return reporting({
      confidence: 0.9,
      from: clause.from,
      to: Math.min(clause.to, Math.max(sentenceAround(flat, clause.body + 1, 700)[1], clause.body + 1)),
      clause,
    })
  })
}
