import { everyWords, sentenceAround, sentenceBefore, words } from './flat-text.ts'
import { kinds, type Restriction } from './negative-covenants.ts'
import type { Reading } from './reading.ts'

// Documents of lenders and holders; `the agreement` alone is one where its text is about debt.
const DOCUMENT =
  '(?:indentures?|(?:credit|loan|notes?(?: purchase)?|debt|bank|financing|borrowing|lending) (?:agreements?|documents?|instruments?|arrangements?)|facilit(?:y|ies)|notes|debentures|bonds|term loans?|lines? of credit|revolver)'
const BARE =
  '(?:(?:the|this|these|such|each|both|certain) (?:amended )?(?:of (?:the|these|our|its) )?agreements?)'
// What they restrict.
const OBJECT = String.raw`(?:dividends?|distributions?|restricted payments?|(?:share|stock) (?:re)?purchases|(?:additional|other|further|subsidiary|incurrence of|incurring) (?:indebtedness|debt|borrowings?)|liens?|encumbrances|mortgages|secured (?:indebtedness|debt)|mergers?|consolidations?|investments|acquisitions|guarantees|sales? of (?:\w+ ){0,3}assets|asset sales|dispositions?|sale(?:s|/| |-)(?:and |& )?lease-?backs?|transactions with affiliates)`

// Of one sentence, which holds the full stops of its abbreviations.
const limits = words(
  String.raw`\bcovenants,? (?:also |generally |further |among (?:others|other things),? )?(?:limit|restrict|prohibit|preclude)\b|\b(?:limit|restrict|prohibit|impair)\w*\b.{0,100}?\bability\b|\bcovenants?\b.{0,160}?\b(?:(?:that|which)(?:,? among other things,?)? (?:\w+ )?(?:limits?|restricts?|prohibits?)|limiting|restricting|(?:restrictions?|limitations?|limits) (?:(?:in certain circumstances )?on|regarding|with respect to)|including,? (?:without limitation,? |among other things,? )?(?:restrictions?|limitations?|limits) on)\b|\b(?:negative|restrictive) covenants?\b.{0,80}?\b(?:includ\w+|such as|limit|restrict\w*)\b|\bcovenants?\b.{0,400}?\blimit (?:pledg|dispos|the (?:sale|incurrence|creation))\w*`,
)

// `The Notes include … limitations on our ability to`: a covenant, although not called one.
const speaks = words(
  String.raw`\b(?:notes|debentures|bonds|indentures?|facility|facilities|agreements?|term loans?|lines? of credit)\b[^.]{0,80}?\b(?:contains?|includes?|impose[sd]?|places?|subject to)\b[^.]{0,80}?\b(?:limitations?|restrictions?|limits|prohibitions?) (?:on|relating to|related to|regarding|with respect to|concerning)\b`,
)

// `The note agreements restrict mergers, consolidations and sales of assets`, `the agreement prohibits the payment of dividends`.
const RESTRICTS = String.raw`(?<!\b(?:could|may|might|would|can) )\b(?:limits?|restricts?|prohibits?|precludes?|forbids?)\b(?=[^.;]{0,60}?\b${OBJECT}\b)`
const documentRestricts = words(String.raw`\b${DOCUMENT}\b[^;]{0,160}?${RESTRICTS}`)
const agreementRestricts = words(String.raw`\b${BARE}\b[^;]{0,160}?${RESTRICTS}`)
const isAboutDebt = words(String.raw`\b(?:lenders?|banks?|borrow\w*|credit|loans?|debt|indebtedness)\b`)
/** How far before a bare `agreement` its lender is looked for. */
const MOST_BEFORE = 900

// `Dividends are restricted under the terms of the credit agreement`.
const isRestrictedBy = words(
  String.raw`\b${OBJECT}[^.;]{0,80}? (?:is|are) (?:currently |also |further )?(?:(?:restricted|limited|prohibited)\b[^.;]{0,60}? (?:under|by|pursuant to)|subject to (?:certain |the )?(?:restrictions|limitations) (?:in|under|of|contained in|imposed by)) [^.;]{0,80}?\b${DOCUMENT}\b`,
)

// `The indenture contains covenants with respect to liens, sale-leasebacks and consolidation`.
const covenantsOn = words(
  String.raw`\b(?:${DOCUMENT}|${BARE})\b[^.;]{0,100}?\b(?:contains?|includes?|imposes?|has|have|subject to|provides? for)\b[^.;]{0,80}?\bcovenants?\b[^.;]{0,40}? (?:with respect to|relating to|related to|regarding|concerning)\b|\b(?:${DOCUMENT}|${BARE})\b[^.;]{0,60}?\b(?:contains?|includes?|has|have)\b[^.;]{0,30}?\b(?:provisions|terms|clauses) (?:restricting|limiting|prohibiting|(?:that|which) (?:restrict|limit|prohibit))\b`,
)

// `There are limits in the credit facility on dividends`, `the agreement permits dividends only if no default exists`, `the
// loan agreement requires the consent of the bank before dividends may be paid`.
const limitsWithin = words(
  String.raw`\b(?:limits|limitations|restrictions) (?:in|under|contained in) [^.;]{0,40}?\b${DOCUMENT}[^.;]{0,20}? on\b|\b(?:${DOCUMENT}|${BARE})\b[^.;]{0,40}? (?:permits?|allows?) [^.;]{0,40}?\b(?:dividends?|distributions?|restricted payments?)\b[^.;]{0,60}?\b(?:only (?:if|so long as|to the extent|when)|provided that|limited to|not (?:to exceed|exceeding))\b|\b(?:${DOCUMENT}|${BARE})\b[^;]{0,140}? requires? [^.;]{0,50}?\b(?:consent|approval)\b[^;]{0,40}? (?:before|for|prior to|to pay)\b[^.;]{0,40}?\b(?:dividends?|distributions?)\b`,
)

// `the failure to comply with certain covenants in the indenture relating to our ability to consolidate or merge`.
const defaultOn = words(
  String.raw`\bfail(?:ure|s|ed)?\b[^.;]{0,12}?\bto (?:comply with|perform|observe) (?:certain |its |our |any )?(?:of (?:its|our) )?covenants (?:in|under|of|contained in) (?:the|this|its|our) (?:\w+ )?(?:indentures?|(?:credit|loan|note purchase) agreements?|notes) (?:relating to|regarding|with respect to|restricting|limiting) [^.;,]{0,40}?\bability to\b`,
)

// `The revolving credit facility also limits the amount of debt secured by liens`.
const documentLimits = words(
  String.raw`\b(?:indentures?|(?:credit|loan|note purchase) agreements?|facilit(?:y|ies)|notes|debentures|term loans?|lines? of credit|revolver|amendment no\. \d{1,2})\b.{0,160}?(?<!\b(?:could|may|might|would|can) )\b(?:limits?|restricts?|prohibits?)\b.{0,50}?\b(?:ability|the (?:company|borrower|issuer)|us|amount of|incurrence|(?:payment of|pay|paying) (?:cash |any )?(?:dividends|distributions)|additional (?:indebtedness|debt|borrowings?|liens)|from (?:distributing|incurring|making|paying))\b`,
)
// `Our facilities are subject to negative pledge arrangements`, which need not say what they limit.
const pledgesNegatively = words(
  String.raw`\b(?:facilit(?:y|ies)|agreements?|notes|debentures|bonds|indentures?|loans?)\b.{0,120}?\b(?:contains?|includes?|subject to|provides? for|have|has)\b[^.;]{0,80}?\bnegative pledge(?: (?:clauses?|covenants?|provisions?|arrangements?|restrictions?|undertakings?)\b|(?= ?[.;,]| (?:and|or|that|on|with|in|of)\b))|\b(?:lien|security interest|collateral|secured)\b[^.;]{0,160}?\b(?:(?:provided|granted|given) an?|(?:agreed|subject) to an?) negative pledge\b`,
)

// `Covenants in the credit agreement limit dividends`, `we are restricted from paying dividends under our credit facility`.
const covenantsLimit = words(
  String.raw`\bcovenants (?:in|of|under|contained (?:with)?in) (?=\S)[^.;]{3,80}?(?<=\S) (?:(?:generally|also|further) )?(?:limit|restrict|prohibit)\b|\b(?:restricted|prohibited|limited) from (?=\S)[^.;]{3,160}?(?<=\S) (?:under|by|pursuant to) (?:the |our |its |this |these )?(?:terms of )?(?:[^.;]{0,59}[^.;\s] )?(?:agreements?|facilit(?:y|ies)|indentures?|notes|term loans?|lines? of credit|covenants)\b`,
)
// `Under the loan agreement we may not, without the consent of the bank, pay dividends or incur additional debt`.
const underDocument = words(
  String.raw`\b(?:under|pursuant to) (?:the |our |its |this )?(?:terms of (?:the |our |its |this )?)?[^.;,]{0,60}\b(?:agreements?|facilit(?:y|ies)|indentures?|notes|note(?=,)|term loans?|lines? of credit)\b,? [^.;,]{0,60}(?:may|shall|will|can) ?not\b`,
)
// `The indenture provides that the Company may not consolidate`, `we may not pay dividends without the consent of the lenders`,
// `the loan contains covenants not to create liens`.
const FORBIDS = String.raw`\b(?:(?:may|shall|will|can) ?not|(?:is|are) not (?:permitted|allowed) to|(?:requires? [^.;]{2,60}?|agreed (?:with [^.;,]{3,40} )?)not to),?(?: [^.;,]{1,60},)? (?:incur|pay|declare|make|create|grant|sell|dispose|merge|consolidate|pledge|mortgage|enter|engage|guarantee|borrow|repurchase|redeem|transfer|permit|prepay|be a party to)\b`
const documentForbids = words(
  String.raw`\b${DOCUMENT}\b[^.;]{0,60}? (?:provides?|states?|stipulates?) that [^.;]{0,80}?${FORBIDS}|${FORBIDS}[^.;]{3,300}?\b(?:without (?:the )?(?:prior )?(?:written )?(?:consent|approval) of (?:the |our |its )?(?:\w+ )?(?:lenders?|banks?|noteholders|holders)|(?:under|pursuant to) (?:the |our |its )(?:terms of (?:the |our |its )?)?(?:[^.;,]{0,40} )?${DOCUMENT})\b|\bwithout (?:the )?(?:prior )?(?:written )?(?:consent|approval) of (?:the |our |its )?(?:\w+ )?(?:lenders?|banks?|noteholders|holders)\b[^.;]{0,60}?${FORBIDS}|\b(?:so long as|until) [^.;]{0,40}?\b(?:notes?|loans?|debentures) (?:is|are|remains?|has been|have been) (?:outstanding|(?:re)?paid)\b[^.;]{0,80}?(?:${FORBIDS}|\bagreed not to\b)|\b(?:${DOCUMENT} requires? [^.;]{2,60}?|agreed with (?:the|our|its) (?:\w+ )?(?:lenders?|banks?|noteholders|holders) )not to\b|\b(?:${DOCUMENT}|${BARE}|loans?)\b[^.;]{0,80}?\bcovenants not to\b`,
)
// `The company is permitted to pay dividends so long as no default exists and it complies with the financial covenants`.
const permittedWhile = words(
  String.raw`\b(?:we|company|borrower|issuer|partnership) (?:is|are) (?:only )?(?:permitted|allowed) to (?:declare (?:and|or) |make (?:and|or) )?(?:pay|make|declare) [^.;,]{0,30}?\b(?:dividends|distributions|restricted payments)\b[^.;]{0,160}?\b(?:so long as|as long as|only if|provided that)\b[^.;]{0,160}?\b(?:defaults?|covenants?|availability)\b`,
)
// `must obtain permission from its lender to pay dividends`.
const mustObtain = words(
  String.raw`\b(?:must|is required to|are required to) (?:obtain|have|receive) (?:the )?(?:prior )?(?:written )?(?:consent|approval|permission) (?:from|of) (?:the |our |its )?(?:\w+ )?(?:lenders?|banks?|noteholders)\b[^.;]{0,20}? to\b`,
)
const consent = words(
  '(?:, |(?<!\\s) |\\b)(?:without|absent) (?:[^.;,]{0,49}[^.;,\\s] )?(?:consent|approval)(?: (?:of|from) [^.;,]{0,50})?,?',
)

// `These include those restricting liens`, after a sentence about covenants.
const refersBack = words(String.raw`^\W{0,3}(?:(?:among other things,? )?(?:these|those|such)|they)\b`)

// `do not contain financial covenants but include covenants that limit`.
const butThis = words(String.raw`\b(?:does|do) not (?:contain|include)\b[^.;,]{0,60}\bbut\b`)

// `certain covenants including, without limitation, limitations on liens`.
const butAll = words('(?:, ?|(?<!\\s) )?without limitation,?')

const limiting =
  /\b(?:limit|restrict|prohibit|impair|preclude|forbid)\w*\b|\bnegative\s+(?:covenants?|pledges?)\b|\b(?:may|shall|will|can)\s?not\b|\b(?:permitted|allowed|not)\s+to\b(?=\s+(?:incur|pay|declare|make|create|grant|sell|dispose|merge|consolidate|pledge))|\bmust\s+obtain\b|\b(?:permits?|allows?|requires?)\b(?=[^.;]{0,120}\b(?:dividends?|distributions?)\b)|\bcovenants?\s[^.;]{0,40}?(?:with\s+respect\s+to|relating\s+to|related\s+to|regarding|concerning)\b/gi

// `Under the most restrictive covenants, $40 million of retained earnings was available for dividends`.
const retainedEarnings = everyWords(
  String.raw`\bretained earnings\b(?=[^.;]{0,120}\b(?:dividends?|restricted|unrestricted|distribution))`,
)
const underCovenants = words(
  String.raw`\bmost restrictive\b|\b(?:under|by|pursuant to|terms of|provisions of) (?:(?:the|our|its|these|certain) )?(?:[^.;,]{0,50} )?${DOCUMENT}\b`,
)
const isAvailable = words(String.raw`\b(?:available|unrestricted|restricted|free)\b`)

/** Restrictions that a report lists: `covenants that limit our ability to incur liens, merge or pay dividends`. */
export function listedRestrictionsIn({ flat, isContract }: Reading): Restriction[] {
  const found: Restriction[] = []
  let past = 0
  for (const match of flat.matchAll(limiting)) {
    if (match.index < past) continue
    const [from, to] = sentenceAround(flat, match.index)
    const sentence = flat.slice(from, to)
    const isProhibition = /not$|\b(?:permitted|allowed|not)\s+to$/i.test(match[0])
    const isCovenant = isProhibition
      ? !isContract &&
        (underDocument.test(sentence) || documentForbids.test(sentence) || permittedWhile.test(sentence))
      : isOfCovenants(flat, from, sentence) || (!isContract && isRestricted(flat, from, sentence))
    if (!isCovenant) continue
    if (notThere.test(sentence.replace(butThis, ' ').replace(butAll, ' ').replace(consent, ' '))) continue
    past = to
    // Of an event of default, not what the next ones tell.
    const isDefault = !isContract && defaultOn.test(sentence)
    // What is restricted stands before the verb in the passive.
    const isPassive = !isContract && isRestrictedBy.test(sentence)
    const whole = flat.slice(isPassive ? from : match.index, to)
    // Of a prohibition, not the conditions on which it yields.
    const list = isProhibition
      ? whole.slice(0, indexOr(whole, /(?<!\()\bunless\b/i))
      : isDefault
        ? whole.slice(0, indexOr(whole, /;/))
        : whole
    for (const { covenant_name, listed } of kinds)
      if (listed.test(list))
        found.push({
          covenant_name,
          test: null,
          rule: 'restriction_listed',
          confidence: 0.75,
          from,
          to,
          clause: null,
        })
  }
  return isContract ? found : [...found, ...restrictedEarningsIn(flat)]
}

const indexOr = (text: string, pattern: RegExp): number => {
  const at = text.search(pattern)
  return at < 0 ? text.length : at
}

/** Retained earnings of which covenants leave a part for dividends. */
const restrictedEarningsIn = (flat: string): Restriction[] =>
  [...flat.matchAll(retainedEarnings)].flatMap(match => {
    const [from, to] = sentenceAround(flat, match.index)
    const sentence = flat.slice(from, to)
    if (!underCovenants.test(sentence) || !isAvailable.test(sentence) || notThere.test(sentence)) return []
    return {
      covenant_name: 'Limitation on Restricted Payments' as const,
      test: null,
      rule: 'restriction_listed' as const,
      confidence: 0.75,
      from,
      to,
      clause: null,
    }
  })

// `During that period the borrower is restricted from paying dividends, making investments and incurring debt`, of a text on
// an agreement to lend, not of what a law asks.
const restrictedFrom = words(
  String.raw`\b(?:is|are|be) (?:also |further |generally )?(?:restricted|prohibited|precluded) from (?:paying|declaring|making|incurring|creating|granting|selling|merging|repurchasing|entering)\b`,
)
// `During the relief period the company will be subject to limitations on share repurchases and dividends`.
const subjectToLimits = words(
  String.raw`\b(?:we|company|borrower|issuer|partnership) (?:is|are|will be)(?: also)? subject to (?:certain |additional |various )?(?:limitations|restrictions|limits) on (?:our |its |the )?(?:ability to (?:incur|pay|make|create)\b|(?:payment of )?(?:cash )?${OBJECT}\b)`,
)
const byLaw = words(
  String.raw`\b(?:laws?|regulat(?:ions?|ors?|ory)|statut(?:es?|ory)|cares act|insurance (?:department|commissioner)|state of|commission)\b`,
)

/** Whether a sentence of a report says that a document restricts something. */
const isRestricted = (flat: string, from: number, sentence: string): boolean =>
  documentRestricts.test(sentence) ||
  defaultOn.test(sentence) ||
  isRestrictedBy.test(sentence) ||
  mustObtain.test(sentence) ||
  limitsWithin.test(sentence) ||
  covenantsOn.test(sentence) ||
  ((restrictedFrom.test(sentence) || subjectToLimits.test(sentence)) &&
    !byLaw.test(sentence) &&
    isOfLending(flat, from)) ||
  (agreementRestricts.test(sentence) &&
    isAboutDebt.test(flat.slice(Math.max(0, from - MOST_BEFORE), from + sentence.length)))

/** Whether a sentence goes on from words on an agreement to lend. */
const isOfLending = (flat: string, from: number): boolean =>
  ofAgreement.test(flat.slice(Math.max(0, from - MOST_BEFORE), from))
const ofAgreement = words(
  String.raw`\b(?:credit|loan|note purchase|financing) (?:agreements?|facilit(?:y|ies))\b|\bindentures?\b`,
)

/** Whether a sentence that limits is about covenants, or about what a document limits. */
const isOfCovenants = (flat: string, from: number, sentence: string): boolean =>
  (limits.test(sentence) && /covenants?\b/i.test(sentence)) ||
  speaks.test(sentence) ||
  documentLimits.test(sentence) ||
  pledgesNegatively.test(sentence) ||
  covenantsLimit.test(sentence) ||
  (refersBack.test(sentence) && /\bcovenants?\b/i.test(sentenceBefore(flat, from)))

const notThere = words(
  String.raw`\b(?:(?:does|do|did|will) not (?:\w+ )?(?:\w+ or )?(?:contain|include|limit|restrict|prohibit)|(?:may|could|would) (?:allow|permit|enable|entitle) (?:the |our |its )?(?:lenders|banks|holders)|(?:does|do) not,? among other things|(?:may|will|do|does) not have\b|no (?:such )?covenants?|not (?:limit|restrict|prohibit)|neither\b|without|waive[ds]?|may be (?:limited|restricted)|(?:may|might|could) (?:contain|include|impose)|not in compliance(?! with the [^.;,]{3,60} (?:tests?|ratios?)\b)|defeasance|be discharged from|cease to comply|(?:regulations?|laws?|statutes?) (?:limits?|restricts?|prohibits?|generally (?:limit|restrict|prohibit)s?)|(?:have|following) (?:\w+ ){0,2}consequences|(?:indebtedness|debt)[^.;]{0,100} (?:may|could): |future (?:debt|indebtedness|borrowings?|financings?))\b`,
)
