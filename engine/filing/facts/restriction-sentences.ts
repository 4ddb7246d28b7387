import type { CovenantName } from '../../schema/covenant-names.ts'
import { clauseAt } from './clauses.ts'
import { everyWords, sentenceAround, words } from './flat-text.ts'
import { isNoCovenant, type Restriction } from './negative-covenants.ts'
import { isToAffiliates, ofAbility } from './prohibited-items.ts'
import type { Reading } from './reading.ts'

// `the Company shall not, and shall not permit any of its Subsidiaries to,` and the words before the verb.
const forbidden = everyWords(
  String.raw`\b(?:borrowers?|company|companies|issuers?|parent|holdings|guarantors?|grantors?|obligors?|debtors?|makers?|(?:loan|credit|note|obligor) part(?:y|ies)|subsidiaries|co-issuers?|we|it)\b(?:,? (?:hereby )?(?:covenants?|agrees?)[^.;]{0,60})? (?:shall|will|may|must) (?:not\b|(?:not )?nor\b)`,
)
// `No Loan Party will, nor will it permit any Subsidiary to,`.
const forbiddenAll =
  /\bN[Oo]\s{1,9}(?:Loan|Credit|Note)\s{1,9}Party\s{1,9}(?:shall|will|may)\b(?:,?\s{1,9}nor\s{1,9}(?:shall|will)\s{1,9}it\s{1,9}(?:permit|cause|allow)\b)?/g
// Words allowed between `not` and the verb of a restriction.
const lead = String.raw`^(?:[\s,:]|\([a-z0-9]{1,3}\)|\b(?:and|or|nor|shall|will|it|they|permit|cause|allow|suffer|any|each|of|its|their|our|the|other|restricted|domestic|material|significant|consolidated|subsidiar(?:y|ies)|guarantors?|loan|credit|part(?:y|ies)|to|not|at|time|directly|indirectly|either|in|one|a|transaction|series|related|transactions)\b)*?`
// Whose consent is required, and until when it applies.
const asides = everyWords(
  String.raw`(?:, ?|(?<!\s) )?(?:\bwithout (?:first obtaining )?(?:the )?[^,;:]{0,60}?(?:consent|approval)\b[^,;:]{0,80}|\bso long as [^,;:]{0,120}|\bexcept (?:as|for|with|to) [^,;:]{0,120}|\bother than [^,;:]{0,80}|\bwhich consent [^,;:]{0,80}|\bin each case\b)(?=[,:])`,
)

const acts: readonly (readonly [CovenantName, string])[] = [
  [
    'Limitation on Liens',
    String.raw`\b(?:create|incur|assume|grant|suffer|permit)\b[^.;]{0,120}?\b(?:liens?|security interests?|encumbrances?(?! or (?:\w+ )?restrictions?))\b(?! (?:account|holder))|(?:\b(?:transfer|sell|convey|lease|assign|pledge|mortgage)\b,? (?:or )?){0,6}\b(?:hypothecate|encumber)\b[^.;]{0,80}?\b(?:assets|propert(?:y|ies))\b`,
  ],
  [
    'Limitation on Indebtedness',
    String.raw`\b(?:create|incur|assume|guarantee|issue|contract)\b(?:(?!\b(?:liens?|mortgages?|encumbrances?|security interests?)\b)[^.;]){0,110}?\b(?:any|additional|further|other) (?:\w+ ){0,3}(?:indebtedness|debt)\b(?! secured)`,
  ],
  [
    'Limitation on Restricted Payments',
    String.raw`\b(?:declare|make|pay)\b[^.;]{0,90}?\b(?:any|a|or) (?:cash |other )?(?:restricted payments?|dividends?|distributions?)\b`,
  ],
  [
    'Limitation on Asset Sales',
    String.raw`\b(?:sell|convey|transfer|lease|dispose)\b(?! to any of its (?:\w+ )?subsidiaries\b)(?![^.;]{0,160}\bsubstantially all)[^.;]{0,140}?\b(?:assets|propert(?:y|ies))\b|\b(?:consummate|make|effect) (?:an|any) (?:asset (?:sale|disposition)|disposition)\b`,
  ],
  [
    'Limitation on Affiliate Transactions',
    String.raw`\b(?:enter|engage|conduct|effect|make)\b[^.;]{0,260}?\b(?:transactions?|payment|contract|agreement)\b[^.;]{0,300}?\baffiliates?\b`,
  ],
  [
    'Limitation on Mergers',
    String.raw`\b(?:merge|consolidate|amalgamate|be a party to any merger)\b[^.;]{0,60}?\b(?:with|into)\b`,
  ],
  ['Limitation on Investments', String.raw`\bmake\b[^.;]{0,60}?\b(?:any|an|or) (?:\w+ )?investments?\b`],
  [
    'Limitation on Sale and Leaseback Transactions',
    String.raw`\benter\b[^.;]{0,60}?\bsale[ -](?:and[ -])?lease-?back`,
  ],
  [
    'Limitation on Prepayments of Indebtedness',
    String.raw`\b(?:prepay|redeem|defease|repurchase|make)\b[^.;]{0,160}?\b(?:subordinated|junior) (?:indebtedness|debt)\b|\bprepay any (?:other )?(?:indebtedness|debt)\b`,
  ],
  [
    'Limitation on Restrictive Agreements',
    String.raw`\b(?:create|enter|cause|suffer)\b[^.;]{0,160}?(?:\brestrict\w*|\bprohibit\w*|\blimit\w*|\bencumbrances?)\b[^.;]{0,80}?\b(?:ability|right) of any (?:\w+ ){0,2}subsidiary\b[^.;]{0,60}\b(?:pay|make|declare|transfer)\b`,
  ],
  [
    'Limitation on Line of Business',
    String.raw`\b(?:engage\b[^.;]{0,60}?\b(?:business|line of business)\b|enter into any (?:new |other )?(?:line of )?business\b|change the nature of (?:its|their|the) business)`,
  ],
]
const begins = acts.map(([covenant_name, act]) => ({
  covenant_name,
  says: words(`${lead}(?:${act})`),
}))

const items = /[;:,]\s*(?:(?:or|and)\s+)?\((?:[a-z]{1,2}|[ivx]{1,4}|\d{1,2})\)\s*/
const MOST = 1500
const MOST_QUOTED = 700

/** Restrictions that a sentence of an agreement imposes on the obligor, whatever its clause is called. */
export function restrictionSentencesIn({ flat, clauses }: Pick<Reading, 'flat' | 'clauses'>): Restriction[] {
  const found: Restriction[] = []
  for (const match of [...flat.matchAll(forbidden), ...flat.matchAll(forbiddenAll)]) {
    const clause = clauseAt(clauses, match.index)
    const [from, to] = sentenceAround(flat, match.index, MOST)
    if (isNoCovenant(clause) && !untilRepaid.test(flat.slice(from, match.index))) continue
    if (conditional.test(flat.slice(from, match.index))) continue
    const body = flat.slice(match.index + match[0].length, to).replace(asides, ' ')
    const parts = body.split(items)
    for (const item of ofAbility.test(parts[0] ?? '') ? parts.slice(0, 1) : parts)
      for (const { covenant_name, says } of begins)
        if (says.test(item) && !isToAffiliates(covenant_name, item))
          found.push({
            covenant_name,
            test: null,
            rule: 'restriction_sentence',
            confidence: 0.85,
            from,
            to: Math.min(to, Math.max(from, match.index) + MOST_QUOTED),
            clause,
          })
  }
  return [...found, ...permittedMergersIn({ flat, clauses })]
}

// `The indenture provides that we may consolidate with or merge into any other corporation, if the corporation`: a
// permission under conditions.
const permitted = everyWords(
  String.raw`\b(?<!(?:subsidiar(?:y|ies)|affiliates?) of )(?:we|(?:the )?(?:company|issuer|corporation)) may,? (?:[^.;,]{1,40}, )?(?:consolidate|merge|amalgamate)\b[^.;]{0,60}?\b(?:with|into)\b[^.;]{0,400}?[,;]? (?:if|only if|so long as|provided,?(?: however,?)? that)\b`,
)

/** Mergers that a description of notes allows under conditions. */
const permittedMergersIn = ({ flat, clauses }: Pick<Reading, 'flat' | 'clauses'>): Restriction[] =>
  [...flat.matchAll(permitted)].flatMap(match => {
    const clause = clauseAt(clauses, match.index)
    const [from, to] = sentenceAround(flat, match.index, MOST)
    if (isNoCovenant(clause) || /\bnot\b/i.test(match[0])) return []
    return {
      covenant_name: 'Limitation on Mergers' as const,
      test: null,
      rule: 'restriction_sentence' as const,
      confidence: 0.85,
      from,
      to: Math.min(to, Math.max(from, match.index) + MOST_QUOTED),
      clause,
    }
  })

// `so long as the obligations under this Note are outstanding`, by which a sentence is a covenant wherever it stands.
const untilRepaid = words(
  String.raw`\bso long as (?:(?!\bdefault)[^.;,]){0,60}\b(?:notes?|loans?|obligations|debentures?)\b(?:(?!\bdefault)[^.;,]){0,40}\b(?:outstanding|unpaid)\b`,
)

const conditional = words(
  String.raw`\b(?:if|unless(?! otherwise (?:specified|indicated|stated|provided|set|consented|agreed))|in the event|to the extent|represents?|warrants?|provided,? (?:however,? )?that|means|failure|deemed)\b`,
)
