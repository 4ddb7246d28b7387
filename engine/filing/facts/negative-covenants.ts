import type { CovenantName } from '../../schema/covenant-names.ts'
import type { Clause } from './clauses.ts'
import { sentenceAround, words } from './flat-text.ts'
import { type IncurrenceTest, incurrenceTest } from './incurrence-tests.ts'
import type { Reading } from './reading.ts'

export interface Restriction {
  readonly covenant_name: CovenantName
  /** The level at which more is allowed. */
  readonly test: IncurrenceTest | null
  readonly rule: 'restriction_clause' | 'restriction_item' | 'restriction_sentence' | 'restriction_listed'
  readonly confidence: number
  readonly from: number
  readonly to: number
  readonly clause: Clause | null
}

interface Kind {
  readonly covenant_name: CovenantName
  /** Titles of clauses with it. */
  readonly title: RegExp
  /** What its words must contain. */
  readonly says: RegExp
  /** Its wording in reports: `limit our ability to incur liens`. */
  readonly listed: RegExp
}

/** Maximum characters of a clause title. */
const LONGEST_TITLE = 200

const kind = (covenant_name: CovenantName, title: string, says: string, listed: string): Kind => ({
  covenant_name,
  // at most 200 characters: LONGEST_TITLE
  title: words(title),
  says: words(says),
  listed: words(listed),
})

export const kinds: readonly Kind[] = [
  kind(
    'Limitation on Liens',
    String.raw`\bliens?\b|negative pledge|encumbrances?|limitations? (?:on|upon) mortgages|secured (?:debt|indebtedness)|^pledges? of (?:\w+ )?(?:assets|property)$`,
    String.raw`\b(?:create|incur|assume|suffer|permit|grant|allow|exist|issue|become|secure)\b.{0,260}\b(?:liens?|mortgages?|encumbrances?|security interests?|pledges?|adverse claim)\b`,
    String.raw`\b(?:(?<!subject to (?:prior |any |the )?)liens?|encumbrances|encumber\b[^;.]{0,40}\bassets|negative pledges?|pledging|security interests|pledge (?:of )?(?:our |its |their |certain )?assets|pledge\b[^;.]{0,40} as security|mortgages?(?! (?:bonds?|indentures?|loans?))|(?:debt|indebtedness) secured by|secured (?:debt|indebtedness)|assets as (?:security|collateral))\b`,
  ),
  kind(
    'Limitation on Indebtedness',
    String.raw`^(?!.*\b(?:debt (?:to|service)|priority debt)\b)(?!.*\b(?:secured|prepay|payment|payments|default|acceleration|cancellation|cross|modif|amend|fiduciary|holders?|trustee|evidence|assumption|ranking|form|ratios?|guarantors?\b.*additional))(?!.*\bdebt securities\b)(?=.*\b(?:indebtedness|debt|borrowings)\b)`,
    String.raw`\b(?:create|incur|assume|suffer|permit|guarantee|contract|issue|become|be)\b.{0,200}\b(?:indebtedness|debt|borrowings)\b`,
    String.raw`\b(?:incur(?:rence of|ring)?|create|assume|guarantee|additional|issue|restricting|limiting|(?:limitations?|restrictions?|limits) on)\b(?:(?!\bsecured by\b)[^;,.]){0,60}?\b(?<!(?:secured|mortgage) )(?:indebtedness|debt|borrowings)\b(?! (?:for (?:borrowed money|money borrowed) )?(?:\("[^"]{2,30}"\) )?(?:(?:that|which) is )?secured by| as a percentage| securities| ?(?:to|-to-) ?(?:(?:total|consolidated|tangible|adjusted) ){0,2}(?:capital|ebitda|equity|net worth|assets|cash flow|value|earnings)|[^;,.]{0,40} relative to| of (?:others|third parties|other persons))|\brestricting [^;.]{0,40}\bdebt of\b|\bborrow(?:ing)? (?:additional )?money\b|(?:,|\b(?:on|and|or)) (?:the )?issuance of (?:additional |other |certain )?(?:indebtedness|debt)(?=[,;.]| and\b| or\b)|\bamount of (?:(?!secured)\w+ ){0,2}(?:indebtedness|debt)\b(?! secured)(?= (?:that |which )?(?:[^;,.\s]{1,30} ){1,6}(?:may|can) (?:have|incur))|(?:\((?:\d{1,2}|[ivx]{1,4}|[a-z])\)|\b(?:liens|mergers|investments|dividends|guarantees|acquisitions|dispositions|asset sales|distributions|restricted payments),?(?: and| or)?) (?:additional |subsidiary |other |certain )?(?:indebtedness|debt)(?=[,;.]| and\b| or\b| of (?:our |its )?(?:\w+ )?subsidiaries)(?! (?:and|or) (?:liens |mortgages )?secur)|, (?:and )?(?:other|additional) (?:indebtedness|debt|borrowings)(?=[,;.]| and\b| or\b)|\b(?:limit|restrict|prohibit)(?:s|ing)? (?:(?:(?:our|its|the|total|consolidated|other|subsidiary|certain) ){0,2}(?:indebtedness|debt)|(?:other|additional) borrowings)(?=[,;.]| and\b| or\b| of (?:our |its )?subsidiaries)(?! (?:and|or) (?:liens |mortgages )?secur)`,
  ),
  kind(
    'Limitation on Guarantees',
    String.raw`^(?:limitations? on |no )?(?:guarant(?:ees|ies|y obligations)|contingent (?:obligations|liabilities))(?:,? etc)?$|\b(?:indebtedness|debt|investments?|loans|advances),? (?:and )?guarant(?:ees|ies|y obligations)\b`,
    String.raw`\b(?:create|incur|assume|become|guarantee|make|suffer)\b.{0,160}\b(?:guarant|contingent)|\bguarantee or (?:otherwise|become)\b`,
    String.raw`\b(?:provide|give|issue|make) (?:additional |certain )?guarantees\b|\bguarantee(?:ing)? (?:the )?(?:debt|indebtedness|obligations) of\b|(?<!\b(?:subsidiaries|subsidiary|that|which|who) )(?:\((?:or|and) guarantee\) (?:additional |certain )?|(?:\b(?:and|or)|(?<=,)) guarantee(?:ing)? (?:additional |certain |other )?)(?:indebtedness|debt)\b(?! (?:of|(?:(?:that|which) (?:is|are) )?secured)\b)|\bguarantee (?:the payment of|obligations)\b|\b(?:investments|liens(?: on (?:\w+ ){0,2}assets)?|indebtedness|loans),?(?: and| or)? guarant(?:ees|ies)\b|\b(?:limitations?|restrictions?|limits) on guarant(?:ees|ies)\b`,
  ),
  kind(
    'Limitation on Restricted Payments',
    String.raw`restricted payments?|^(?!.*(?:subsidiar|\bdividend restrictions?\b)).*\b(?:dividends?|distributions?)\b|stock (?:repurchases|redemptions)|redemption of (?:stock|equity)|restricted junior`,
    String.raw`\b(?:declare|make|pay|redeem|purchase|repurchase|set apart|authorize)\b.{0,260}\b(?:restricted payments?|dividends?|distributions?|capital stock|equity interests?|membership interests?|shares)\b`,
    String.raw`(?<!\bagreements (?:(?:that|which) )?(?:restrict|limit|prohibit)(?:s|ing)? (?:the payment of )?)(?<!\b(?:create|impose) (?:\w+ )?restrictions on (?:the )?(?:payment of )?)\b(?:dividends?|distributions?|distributing cash|restricted payments?|repurchase (?:our |its |shares|stock|capital))`,
  ),
  kind(
    'Limitation on Asset Sales',
    String.raw`\b(?:asset (?:sales?|dispositions?)|sales? of (?:all |substantially all )?(?:the |its )?assets|sales?,? (?:transfers?|leases?|liens)|dispositions?|disposal|transfers? of (?:assets|property)|conveyances?|(?:mergers?|consolidations?),? and (?:asset )?sales)\b`,
    String.raw`\b(?:sell|dispos\w+|convey|transfer|assign|consummate|make any)\b`,
    String.raw`\b(?:sell(?:ing)?|transfer(?:ring)?|dispos(?:e|ing) of|dispositions? of|disposals? of|sales? of|leas(?:e|ing))\b(?![^;.]{0,50}\bsubstantially all)[^;.]{0,60}\b(?:assets|collateral)\b|\basset (?:sales|dispositions)\b|(?:, (?:and |or )?|\bmake (?:certain |material )?|\((?:\d{1,2}|[ivx]{1,4}|[a-z])\) (?:asset )?)(?:asset )?dispositions\b`,
  ),
  kind(
    'Limitation on Affiliate Transactions',
    String.raw`\b(?:transactions?|dealings?|contracts|arrangements|payments?)\b.*\baffiliate|\baffiliated? (?:transactions?|agreements)|^affiliates?$`,
    String.raw`\b(?:enter|engage|effect|transact\w*|repay|conduct|directly or indirectly|make)\b.{0,320}\baffiliates?\b`,
    String.raw`\b(?:transactions?|agreements|contracts|arrangements|dealings) with (?:(?:our|its|their|certain|any|the (?:company|issuer|borrower)'s|the (?:issuers|borrowers)') )?(?:affiliates|affiliated (?:persons|parties))\b|\baffiliate transactions\b`,
  ),
  kind(
    'Limitation on Mergers',
    String.raw`\b(?:mergers?|consolidations?|fundamental changes?|amalgamations?)\b`,
    String.raw`\b(?:merge|consolidate|merger|consolidation|amalgamat\w+|liquidate)\b`,
    // Not what was `acquired through merger or consolidation`.
    String.raw`(?<!\b(?:acquisition|acquired|acquiring) (?:through|by|in)(?: an?)? )(?<!\b(?:through|by)(?: an?)? mergers? or )\b(?:merg(?:e|ing)|mergers?|consolidat(?:e|ing)|consolidations?|fundamental changes|amalgamate|business combinations)\b|\b(?:transfer|sell|convey|lease|dispose of|(?:sale|transfer|disposition) of) (?:all or )?substantially all (?:of )?(?:our|its|their|the)\b[^;.]{0,30}\bassets\b`,
  ),
  kind(
    'Limitation on Investments',
    String.raw`\binvestments?\b(?! (?:company|advis))|\bacquisitions\b|advances and loans|loans (?:and|or) advances|loans,? advances`,
    String.raw`\b(?:make|purchase|acquire|hold|lend|permit|own)\b.{0,200}\b(?:investments?|advances?|loans?|money|acquisition|capital contribution|stock|securities)\b`,
    String.raw`\b(?:make|making) (?:certain |any |other )*(?:loans[^;.]{0,40}|acquisitions[^;.]{0,30}|advances[^;.]{0,30})?investments?\b|\bmake acquisitions\b|\b(?:(?:limit|restrict|prohibit)(?:s|ing)?|(?:limitations?|restrictions?|limits) on) (?:certain |business )?acquisitions\b|\binvestments\b|\b(?:borrowings|indebtedness|debt|liens|dispositions|dividends),? (?:and |or )?acquisitions(?=,|\.| and\b| or\b)|\b(?:acquir(?:e|ing)|purchas(?:e|ing)|acquisitions? of) (?:[^.;,]{1,60} )?(?:another|other|any other) (?:business(?:es)?|compan(?:y|ies)|entit(?:y|ies)|persons?|corporations?)\b|\bmak(?:e|ing)(?: of)? (?:certain |any )?(?:loans|advances|capital contributions)\b|\binvest(?:ing)? in (?:other|another|any|third)\b|\b(?:consummate|effect|complete|engage in) (?:certain |any )?acquisitions\b|, (?:and |or )?loans (?:and|or) advances\b`,
  ),
  kind(
    'Limitation on Sale and Leaseback Transactions',
    String.raw`sales?[\s-]?(?:and|&)?[\s-]?lease[- ]?backs?|^leasebacks?$`,
    String.raw`\b(?:enter|become|engage|permit|sell|sold)\b.{0,300}\b(?:leas\w+|attributable debt)\b`,
    String.raw`\bsales?(?:[\s-](?:(?:and|or|&)[\s-])?|/)lease[\s-]?backs?\b`,
  ),
  kind(
    'Limitation on Prepayments of Indebtedness',
    String.raw`\b(?:prepayments?|payments? of (?:subordinated|junior|other)|prepaying|junior (?:debt|indebtedness) payments|optional payments|repayments? of)\b.*\b(?:debt|indebtedness|notes|instruments)\b|subordinated (?:debt|indebtedness)$|\b(?:debt|indebtedness) (?:re|pre)payments?\b`,
    String.raw`\b(?:prepay|pay|redeem|purchase|defease|repay|make)\b.{0,260}\b(?:indebtedness|debt|notes)\b`,
    String.raw`\b(?:prepay|prepayments? of|repay)\b[^;.]{0,50}\b(?:indebtedness|debt)\b|\bpayments? (?:in respect of|on|of) [^;.]{0,30}\b(?:junior|subordinated)\b[^;.]{0,30}\b(?:indebtedness|debt)\b|\bmake (?:any |certain )?payments (?:in respect of|on|of) certain (?:other )?(?:indebtedness|debt)\b|\b(?:redeem|repurchase|retire|defease|prepay)(?:,? (?:or )?(?:redeem|repurchase|retire|defease|prepay)){0,3} (?:certain |any )?(?:(?:other|junior|subordinated|unsecured) )*(?:indebtedness|debt)\b(?! securities)`,
  ),
  kind(
    'Limitation on Restrictive Agreements',
    String.raw`restrictive agreements?|burdensome agreements?|negative pledge (?:clauses?|agreements?)|(?:dividend|payment|other)[\w ]* restrictions? affecting|restrictions? (?:on|affecting) (?:subsidiar|distributions from|dividends from)|subsidiary (?:distributions|dividends)|(?:payments|dividends|distributions) (?:by|from) (?:\w+ )?subsidiaries|dividend (?:blockers?|stoppers?|restrictions?)|^agreements not to encumber$`,
    String.raw`\b(?:enter|create|permit|suffer|become|exist|agree)\b.{0,400}\b(?:restrict\w*|limit\w*|prohibit\w*|condition|encumbrance)\b|\bagree\b.{0,200}\bnot to (?:grant|create|allow|permit)\b.{0,60}\b(?:liens?|security interests?)\b`,
    String.raw`\brestrictions? on (?:the ability of )?(?:our |its )?subsidiaries\b|\bagreements? (?:(?:that|which) )?(?:restrict|limit|prohibit)(?:s|ing)? (?:the (?:payment of|ability of) )?(?:dividends|distributions|liens|(?:(?:our|its|the|the (?:company|issuer|borrower)'s) )?(?:restricted )?subsidiaries)|\b(?:restrictive|burdensome|negative pledge) agreements\b|\bagreements (?:that|which) (?:restrict|limit)\w* dividends\b|\b(?:create|incur|enter into|permit)\b[^;.]{0,40}?\b(?:restrictions on|(?:obligations|encumbrances|agreements|arrangements|restrictions) (?:that|which) (?:restrict|limit)s?) the ability of (?:(?!and\b)[^;.,\s]{1,30} ){0,4}subsidiaries to (?:pay|make|declare|transfer)\b|\b(?:create|impose) (?:\w+ )?restrictions on (?:the )?(?:payment of )?(?:dividends|distributions|payments)\b[^;.]{0,80}?\b(?:from|by) [^;.,]{0,60}?\bsubsidiaries\b|\b(?:dividend|payment|distribution) restrictions (?:affecting|on|applicable to) (?:(?:our|its|the) )?(?:restricted )?subsidiaries\b`,
  ),
  kind(
    'Limitation on Line of Business',
    String.raw`\b(?:lines? of business|nature of (?:the )?business|changes? in business|business activities|conduct of business|other business|preservation of business)\b`,
    String.raw`\b(?:engage|change|make any)\b.{0,260}\b(?:business|activit)`,
    String.raw`\b(?:lines? of business|nature of (?:(?:our|its|their|the)(?: company's)? )?business|engage in other business|(?:alter|chang(?:e|ing)) (?:(?:our|its|their|the|(?:the )?(?:borrower|company|issuer|partnership)'s) )?(?:business activities|business(?:es)? (?:it|we|they) conducts?))`,
  ),
]

// How a restricting clause begins; under a prohibiting article, the bare verb suffices.
const prohibits = words(
  String.raw`\b(?:shall|will|may|must|would|agrees?|covenants?)\b[^.;]{0,140}?\b(?:not|nor|neither)\b|\b(?:shall|will|may|nor shall|nor will|not) (?:not )?(?:permit|it permit)|\b(?:no|none of the|neither)\b[^.;]{0,120}\b(?:shall|will|may)\b`,
)
export const bareVerb = words(
  String.raw`^\W*(?:\([a-z]\) )?(?:not,? (?:and not (?:permit|allow) [^.;,]{3,60} to,? )?(?:\([a-z]\) )?)?(?:except (?:[^.;]|\.\d){0,160}, )?(?:at (?:any|all) times? (?:prior to|until|after) [^,.;]{0,80}, )?(?:at any time,? |directly or indirectly,? |effect any|become liable|)(?:mortgage,? (?:or )?pledge|pledge,? (?:or )?(?:mortgage|assign|encumber|hypothecate)|create|incur|make|merge|permit|pay|declare|enter|sell|effect|become|consolidate|dispose|prepay|engage|suffer|liquidate|issue|assume|purchase|allow|convey|guarantee|wind up|dissolve|reorgani[sz]e|(?:materially )?(?:alter|change)|be a party|lend|agree with)\b`,
)
// `During the existence of any Event of Default, declare or pay any dividends`: when it applies.
const whileDefault = words(
  String.raw`^(?:during|while|upon|after|following) [^.;,]{0,80}?\bdefault\b[^.;,]{0,60}, (?=(?:declare|pay|make|redeem)\b)`,
)
// Events of default, conditions, representations and definitions mention the same things without restricting.
const elsewhere = words(
  String.raw`\b(?:shall (?:default|fail)|fails? to (?:pay|perform|observe|comply)|(?<!\bno )(?<!\bno default or )event of default|represents? and warrants?|shall have (?:received|been)|means|shall mean)\b`,
)
const notCovenants = words(
  String.raw`\b(?:representations?|warranties|definitions?|defined terms|conditions|agents?|trustee|miscellaneous|defaults?|assignments?)\b`,
)
/** Statements, termination events and definitions contain no covenants. */
export const isNoCovenant = (clause: Clause | null): boolean =>
  clause !== null && notCovenants.test(`${clause.article ?? ''} ${clause.within ?? ''} ${clause.title}`)

const negativeArticle = words(String.raw`\b(?:negative|restrictive|certain|financial|covenants)\b`)

/** Maximum characters of a restriction's quotation. */
const MOST = 700

/** Restrictions of an agreement, by titled prohibiting clauses. */
export function restrictionsIn({ flat, clauses }: Reading): Restriction[] {
  const found: Restriction[] = []
  for (const clause of clauses) {
    const inTitle = kinds.filter(k => k.title.test(clause.title.slice(0, LONGEST_TITLE)))
    if (inTitle.length === 0 || (clause.article && notCovenants.test(clause.article))) continue
    const end = Math.min(clause.to, clause.body + 1500)
    const body = flat.slice(clause.body, end).trimStart().replace(whileDefault, '')
    const opening = body.slice(0, 600)
    const forbids = prohibits.test(opening)
    if (!forbids && !bareVerb.test(opening)) continue
    if (elsewhere.test(body.slice(0, 160))) continue
    for (const { covenant_name, says } of limitsAbility.test(opening) ? ofAgreements : inTitle) {
      if (!says.test(body)) continue
      if (covenant_name === 'Limitation on Liens' && isOnAgreements.test(opening)) continue
      if (covenant_name === 'Limitation on Asset Sales' && isMergerOnly(clause, body)) continue
      const [, stop] = sentenceAround(flat, clause.body + 1, MOST)
      const isArticle = negativeArticle.test(clause.article ?? clause.within ?? '')
      const test = hasTest.test(covenant_name) ? incurrenceTest(flat, clause) : null
      found.push({
        covenant_name,
        test,
        rule: 'restriction_clause',
        confidence: forbids ? 0.95 : isArticle ? 0.9 : 0.85,
        from: clause.from,
        to: Math.min(Math.max(stop, test?.to ?? clause.body + 1), clause.to),
        clause,
      })
    }
  }
  return found
}

// `enter into any agreement which prohibits or limits the ability to create any Lien` forbids the agreement, not the lien.
const isOnAgreements = words(
  String.raw`^(?:(?!\bliens?\b|\bsecurity interests?\b)[^;]){0,500}?\b(?:agreement|restriction)\b(?:(?!\bliens?\b)[^.;]){0,100}?\b(?:prohibit|restrict|limit|condition)\w*\b[^.;]{0,160}?\bliens?\b`,
)

// `suffer to exist any Contractual Obligation limiting the ability of any Subsidiary`, whatever its title names: `Restrictions on
// Indebtedness, Liens and Restricted Payments`.
const limitsAbility = words(
  String.raw`^(?:(?!\b(?:liens?|security interests?|dividends?|distributions?)\b)[^.;]){0,300}?\b(?:agreements?|contractual obligations?|restrictions?)\b[^.;]{0,60}?\b(?:limit|restrict|prohibit)\w* the (?:ability|right) of\b`,
)
const ofAgreements = kinds.filter(k => k.covenant_name === 'Limitation on Restrictive Agreements')

/** `Consolidation, Merger and Sale of Assets` about all assets together does not restrict selling some. */
const isMergerOnly = (clause: Clause, body: string): boolean =>
  (/merger|consolidation/i.test(clause.title)
    ? /\bsubstantially\s+(?:all|as)\b|\bentirety\b/i.test(body.slice(0, 700))
    : /\bof\s+all\s+or\s+substantially\s+all\b/i.test(body.slice(0, 220))) &&
  !/\b(?:substantial|material)(?:\s+or\s+(?:substantial|material))?\s+(?:part|portion)\b|\bany\s+(?:material\s+)?(?:part|portion)\b|\bany\s+of\s+(?:its|their|the)\s+(?:assets|property|properties)/i.test(
    body.slice(0, 700),
  )

const hasTest = /^Limitation on (?:Indebtedness|Liens)$/
