import { firstOf } from '../../base/elements.ts'
import { type Clause, clauseAt } from './clauses.ts'
import { everyWords, itemAround, sentenceAround, words } from './flat-text.ts'
import { changeOfControl, MOST_SENTENCE, negated, type Protection } from './protection.ts'
import type { Reading } from './reading.ts'
import { thresholdsIn } from './thresholds.ts'

const controlDefault = words(
  String.raw`^.{0,240}?\b(?:a|any|the) ${changeOfControl} (?:shall occur|occurs|shall have occurred|has occurred)\b|^ ?${changeOfControl}\.? ?(?:there )?(?:shall )?occurs?\b|^.{0,40}\bthere (?:shall )?occurs? (?:a|any) ${changeOfControl}`,
)
// `The events of default include the occurrence of a change of control`.
const controlNamed = everyWords(
  String.raw`\b(?:events? of default|termination events?)\b[^.;]{0,200}?\b(?:includ\w+|such as)\b[^.]{0,500}?\bchange (?:of|in) control\b`,
)
// `A change of control would constitute an event of default under the facility`; `upon a change of control, the lenders may
// declare the loans due`.
const controlTold = everyWords(
  String.raw`\bchange (?:of|in) control\b[^.;,]{0,40} (?:is|are|(?:will|would|shall)(?: also)? (?:be|constitute|result in)|constitutes|results in) (?:an? )?(?:events? of )?default\b|\b(?:is|would be|constitutes?|would constitute) a change (?:of|in) control and (?:an )?event of default\b|\b(?:facility|commitments|credit agreement|line of credit)\b[^.;]{0,40} (?:terminates?|expires?|(?:will|would) terminate|must be repaid)\b[^.;]{0,20}? (?:upon|on|following) [^.;,]{0,30}\bchange (?:of|in) control\b|\b(?:agreements?|facilit(?:y|ies)|notes?|loans?)\b[^.;]{0,40} (?:provides? for|permits?) (?:the )?acceleration\b[^.;]{0,60}? (?:upon|following|in the event of) [^.;,]{0,30}\bchange (?:of|in) control\b|\b(?:upon|following|in the event of)\b[^.;,]{0,30}\bchange (?:of|in) control\b[^.;,]{0,30},? the (?:\w+ )?(?:lenders?|banks?|agent) (?:\w+ ){0,3}?may\b[^.;]{0,80}?\b(?:accelerate|demand (?:re)?payment|terminate (?:the|their) commitments?|declare)\b`,
)
// `In the event of a change in control, all amounts outstanding become due`; `the lenders may accelerate the loans upon a
// change of control`.
const OWED = '(?:amounts|borrowings|loans?|obligations|indebtedness|balances?|principal|notes?)'
const controlAccelerates = everyWords(
  String.raw`\b(?:upon|following|in the event of|if)\b[^.;,]{0,40}\bchange (?:of|in) control\b[^.;,]{0,60}, [^.;,]{0,40}?\b${OWED}\b[^.;]{0,80}?\b(?:becomes?|(?:will|would|shall|may) (?:be|become)|(?:is|are)) (?:immediately )?(?:due|payable)\b|\b(?:${OWED}|commitments)\b[^.;]{0,80}?\b(?:becomes?|(?:will|would|shall|may) (?:be|become)|(?:is|are)) (?:immediately )?(?:due|payable)\b[^.;]{0,40}? (?:upon|following|in the event of|on) [^.;,]{0,30}\bchange (?:of|in) control\b|\b(?:lenders?|banks?|agent)\b[^.;]{0,30}?\bmay\b[^.;]{0,30}?\b(?:accelerate|terminate|declare|require (?:immediate )?repayment)\b[^.;]{0,100}?\b(?:upon|following|in the event of|after)\b[^.;,]{0,40}\bchange (?:of|in) control\b`,
)
const isOfLoan = words(
  String.raw`\b(?:credit|facilit(?:y|ies)|loans?|lenders?|banks?|borrowings|lines? of credit|revolver|notes?)\b`,
)
const isOfStaff = words(
  String.raw`\b(?:executives?|employees?|officers?|severance|awards?|options|vest\w*|bonus|compensation)\b`,
)
// `(l) a Change of Control shall occur;`, `(i) there shall have occurred a Change of Control;`.
const OCCURS = '(?:shall occur|occurs|shall have occurred|has occurred)'
const controlItem = everyWords(
  String.raw`[;.] ?(?:or )?(?:\d{1,2}\.\d{1,2} ?|\d{1,3} )?\([a-z]{1,2}\) ?(?:(?:on or )?after the (?:effective|closing) date,? )?(?:(?:an?y? |the )?change (?:of|in) control(?: event)? ${OCCURS}(?: with respect to (?:the )?(?:borrower|company|parent|holdings|issuer|guarantor|any loan party))?|there ${OCCURS} (?:an?y? |the )?change (?:of|in) control(?: event)?|(?:the )?occurrence of (?:an?y? )?change (?:of|in) (?:voting )?control(?: event)?)(?= ?[;.])`,
)
// A change of control in its own words: `any Person or two or more Persons acting in concert shall have acquired beneficial
// ownership … of 20% or more of the outstanding shares of the voting stock of the Borrower`.
const controlByOwnership = everyWords(
  String.raw`\bany person\b[^.;]{0,160}?\b(?:acquires?|acquired|becomes?|become)\b[^.;]{0,60}?\bbeneficial owner(?:ship|s)?\b[^;]{0,300}?\b\d{2}(?:\.\d{1,2})? ?(?:%|percent)[^;]{0,120}?\bvoting\b`,
)
// `(h) Any change in control of Borrower`, `(h) Any change in ownership of 25% or more of the common stock of Borrower`.
const controlItemNamed = everyWords(
  String.raw`[;.] ?(?:or )?\([a-z]{1,2}\) ?any change (?:of|in) (?:control|ownership of (?:an aggregate of )?[^.;]{0,60}(?:%|percent\b)[^.;]{0,80}?\b(?:stock|shares|interests?|securities)) (?:of|in) (?:the )?(?:borrower|company|parent|guarantor)\b`,
)
// Default on, or acceleration of, other debt: `fail to pay … Indebtedness … to cause … to become due prior to its
// maturity`.
const otherDebt =
  '(?:indebtedness|debt|material indebtedness|borrowed money|guarantee of indebtedness|notes, loans, agreements)'
// `results in the acceleration of the maturity of any Debt`.
const crossAcceleration = everyWords(
  String.raw`\bresults? in (?:the |an )?acceleration of [^.;]{0,120}?\b${otherDebt}\b[^.;]{0,160}`,
)
// `any Indebtedness … shall become or be declared to be due and payable prior to the expressed maturity thereof`.
const crossMaturity = everyWords(
  String.raw`\b(?:obligations|${otherDebt})\b[^.;]{0,420}?\b(?:shall (?:become|be declared)|becomes?|(?:is|are) declared)\b[^.;]{0,60}?\bdue (?:and payable )?prior to (?:its|their|the) (?:stated|scheduled|express(?:ed)?) maturity\b`,
)
// `shall default in the payment of any Indebtedness in excess of $10,000,000 when due`; `a default in any agreement resulting
// in a right to accelerate the maturity of any Indebtedness`.
const crossPayment = everyWords(
  String.raw`\b(?:default|defaults|fails?)\b[^.;]{0,100}?\b(?:in (?:the |any )?(?:due )?payment(?: or performance)? of|to (?:pay|make (?:any )?payments?))\b(?:[^.;]|\.\d){0,160}?\b(?:any|other|material) (?:\w+ ){0,3}(?:indebtedness|debt)\b(?! (?:hereunder|under this|evidenced hereby|owed to the (?:lender|bank|agent|holder)))(?:[^.;]|\.\d){0,200}|\bdefault\b[^.;]{0,300}?\bright\b[^.;]{0,80}?\baccelerate (?:the )?(?:maturity|payment) of (?:any |such |its )?${otherDebt}\b(?:[^.;]|\.\d){0,160}|\bdefaults? under any (?:other )?(?:\w+ ){0,3}(?:agreement|instrument|note|loan)s?\b[^.;]{0,100}?\b(?:borrowed money|indebtedness|debt)\b(?:[^.;]|\.\d){0,160}`,
)
// `Any default in the payment of any obligation under the terms of any contract pursuant to which Borrower has incurred any
// debt or other liability to any person`.
const crossContract = everyWords(
  String.raw`\bdefault\b[^.;]{0,240}?\bthe terms of any\b[^.;]{0,200}?\bpursuant to which\b[^.;]{0,160}?\bincurred any (?:debt|indebtedness)\b[^.;]{0,120}`,
)
// `the intent of Borrower to cross-default this Loan with any other loan`.
const crossLoans = everyWords(
  String.raw`\bcross(?:- ?| )defaults?\b,? (?:and cross(?:- ?| )collaterali[sz]e )?(?:this|the) (?:loan|note|agreement)s? with (?:any|each|every|all|the) other\b[^.;]{0,200}`,
)
const debtWord = words(otherDebt)
const crossDefault = everyWords(
  String.raw`\b(?:fails?|shall fail|default|defaults|failure|shall default|declaration of an event of default|event of default|accelerat\w+)\b[^.]{0,600}?\b${otherDebt}\b[^.]{0,1400}?\b(?:become due|due and payable|before the date on which it otherwise would become due|prior to (?:its|their|the) (?:stated|scheduled|express) maturity|accelerat\w+|to be (?:repurchased|prepaid)|becoming due|after the passage of all applicable notice)\b`,
)
// The wording in reports: `a $150 million cross-default provision`, `events of default, including defaults under other
// material debt`, `a default on our other debt would likely constitute an event of default under our facilities as well`.
const crossNamed = everyWords(
  String.raw`\b(?:includes?|including|contains?|has|have|subject to)\b[^.;]{0,160}?\bcross(?:- ?| )(?:default|acceleration)s?\b(?: (?:provisions?|clauses?|triggers?))?[^.;]{0,120}|\bevents? of default\b[^.;]{0,110}\b(?:includ\w+|such as)\b[^.;]{0,400}?\bdefaults? (?:under|on|with respect to|in respect of|in (?:the )?payment of) [^.;,]{0,40}\b(?:other|material)\b[^.;,]{0,30}\b(?:indebtedness|debt)\b|\bevents? of default\b[^.;]{0,40}\b(?:includ\w+|such as)\b[^.;]{0,400}?\bdefaults? (?:by [^.;,]{3,80}? )?(?:under|on|with respect to|in respect of) (?:any |certain )?(?:indebtedness|debt) (?:for (?:borrowed money|money borrowed) )?(?:of|in excess of|exceeding|having|with)\b|\bdefault\b[^.;]{0,60}\bother (?:outstanding )?(?:indebtedness|debt)\b,?[^.;,]{0,60},? (?:it |this )?(?:would|will) (?:likely )?(?:also )?(?:constitute|be|result in|trigger|cause) an? (?:event of )?default\b[^.;]{0,80}|\bcross(?:- ?| )(?:default|acceleration) threshold (?:is|of|in)\b(?:[^.;]|\.\d){0,60}|\bevents? of default\b[^.;]{0,20}\b(?:such as|relating to)\b[^.;]{0,200}?\bcross(?:- ?| )(?:default|acceleration)s?\b|\bevent of default\b[^.;]{0,30} (?:if|when) (?:[^.;]|\.\d){0,60}?\b(?:other|any) (?:\w+ )?(?:indebtedness|debt)\b(?:[^.;]|\.\d){0,80}\b(?:accelerated|not paid)\b`,
)
// `events of default related to payment defaults and accelerations of outstanding debt of material subsidiaries`,
// `there could be a cross-default to our recourse debt`.
const crossTold = everyWords(
  String.raw`\bevents? of default\b[^.;]{0,60}?\b(?:relat\w+ to|includ\w+|such as)\b[^.;]{0,300}?\b(?:failure to pay|nonpayment of|accelerations? of) (?:certain |any )?(?:(?:other|material)(?: \w+)? (?:indebtedness|debt)|outstanding (?:indebtedness|debt) of)\b[^.;]{0,80}|\bacceleration of (?:any )?(?:of )?(?:our |its |the )?other (?:indebtedness|debt)\b[^.;]{0,60} (?:is|are|would be|constitutes?) an event of default\b|\bdefault\b[^.;]{0,60}?\b(?:on|under|acceleration of),? any (?:\w+ ){0,3}(?:indebtedness|debt)\b(?:[^.;]|\.\d){0,200}? (?:will|would|shall) (?:cause|constitute|result in|trigger) an? (?:event of )?default\b|\b(?:is|are) (?:cross(?:- ?| )collateralized and )?cross(?:- ?| )defaulted\b|\bdefault under (?:the|our|its|any) [^.;,]{3,80}? (?:(?:would|will|shall)(?: also)? (?:be|constitute|result in|trigger|cause)|constitutes|is also|results in|triggers) (?:an? )?(?:event of )?default under (?:the|our|its|all|any|each)\b[^.;]{0,60}|\bdefault\b[^.;]{0,120}?\b(?:due to|because of|as a result of|through|under|by reason of) (?:the |certain )?cross(?:- ?| )(?:default|acceleration) (?:provisions?|clauses?)\b|\btermination events?\b[^.;]{0,200}?\b(?:includ\w+|such as)\b[^.;]{0,300}?\bdefaults? (?:on|under) (?:other |certain |material )?(?:indebtedness|debt)\b|\bupon the occurrence of certain (?:\w+ )?events,? includ\w+\b[^.;]{0,480}?\bcross(?:- ?| )defaults?\b[^.;]{0,120}|\b(?:there (?:could|would|may) be|(?:could|would) (?:trigger|result in|cause)) an? cross(?:- ?| )(?:default|acceleration)\b[^.;]{0,60}\b(?:indebtedness|debt|notes|facility|agreement|indentures?)\b`,
)
// In a list of events of default: `(ii) certain cross-defaults`, `payment default on, or acceleration under, certain other
// material indebtedness`, `certain defaults by the issuer or any guarantor with respect to indebtedness for borrowed money of`.
const crossInList = everyWords(
  String.raw`\bcross(?:- ?| )(?:payment )?(?:default|acceleration)s?\b|\bpayment defaults?(?: (?:on|under))?,? or accelerations? (?:of|under|on),? (?:certain |any )?(?:(?:other|material) ){1,2}(?:indebtedness|debt)\b|\bdefaults? by [^;.]{3,200}? with respect to (?:any |certain )?(?:indebtedness|debt) for (?:borrowed money|money borrowed) (?=of|in excess of|exceeding|having|with)`,
)
const crossTitle = words(
  String.raw`\bcross[- ]?(?:default|acceleration|payment)|\b(?:other|material) (?:indebtedness|debt)\b|\bindebtedness\b|default under other|^other agreements$`,
)
const least = words(
  String.raw`\b(?:principal amount|amounts?|aggregate|indebtedness|excess|exceed\w*|more than|least|threshold)\b[^;]{0,80}$|^[^;]{0,30}\bor more\b`,
)

export function controlDefaultsIn({ flat, clauses, isContract }: Reading): Protection[] {
  const isOn = (clause: Clause) =>
    /change\s+(?:of|in)\s+control|^control$/i.test(clause.title) ||
    /events?\s+of\s+default/i.test(`${clause.within} ${clause.title}`)
  const titled = clauses
    .filter(c => {
      const body = flat.slice(c.body, Math.min(c.to, c.body + 300))
      return (
        isOn(c) &&
        controlDefault.test(body) &&
        !/\b(?:offer|re)?purchase|\boffer\b|\bconver(?:sion|t)/i.test(body)
      )
    })
    .map(clause => ({
      from: clause.from,
      to: Math.min(clause.to, sentenceAround(flat, clause.body + 1, 500)[1]),
      clause,
    }))
  const named = isContract
    ? [...flat.matchAll(controlItemNamed)].filter(({ index }) => isListed(flat, index, MOST_AGREEMENT_LIST))
    : []
  const items = [...flat.matchAll(controlItem), ...named].map(match => ({
    from: match.index + match[0].indexOf('('),
    to: match.index + match[0].length,
    clause: clauseAt(clauses, match.index),
  }))
  const more = isContract ? controlByOwnershipIn(flat, clauses) : controlDefaultsNamedIn(flat)
  return [...titled, ...items, ...more].map(place => ({
    covenant_name: 'Change of Control Default' as const,
    rule: 'change_of_control_default',
    putPricePct: null,
    threshold: null,
    confidence: 0.9,
    ...place,
  }))
}

/** Where an event of default describes a change of control that it does not name. */
const controlByOwnershipIn = (flat: string, clauses: readonly Clause[]) =>
  [...flat.matchAll(controlByOwnership)].flatMap(match => {
    const clause = clauseAt(clauses, match.index)
    if (!/events?\s+of\s+default/i.test(`${clause?.within} ${clause?.title}`)) return []
    if (/"|\bmeans\b/.test(match[0])) return []
    const [start] = sentenceAround(flat, match.index, MOST_SENTENCE)
    const from = itemAround(flat, match.index, Math.max(start, clause?.from ?? 0))
    return { from, to: match.index + match[0].length, clause }
  })

/** Where a report names a change of control among the events of default. */
const controlDefaultsNamedIn = (flat: string): { from: number; to: number; clause: null }[] =>
  [
    ...flat.matchAll(controlNamed),
    ...flat.matchAll(controlTold),
    ...[...flat.matchAll(controlAccelerates)].filter(match => {
      const sentence = flat.slice(...sentenceAround(flat, match.index, MOST_SENTENCE))
      return isOfLoan.test(sentence) && !isOfStaff.test(sentence)
    }),
  ].flatMap(match => {
    const [from, to] = sentenceAround(flat, match.index, MOST_SENTENCE)
    const isOffer = /\b(?:re)?purchase|\boffer\b/i.test(match[0])
    return isOffer || negated.test(flat.slice(from, to)) ? [] : [{ from, to, clause: null }]
  })

/** How far before an event of default the list that it is of may begin. */
const MOST_LIST = 3500
// `The following constitute events of default`, `Each of the following is an event of default`.
const beginsList = words(
  String.raw`\bfollowing\b[^.;]{0,80}\bevents? of default\b|\bevents? of default\b[^.;]{0,80}\b(?:following|includ\w+)\b`,
)

/** Whether a text lists events of default before a position. */
const isListed = (flat: string, at: number, most = MOST_LIST): boolean =>
  beginsList.test(flat.slice(Math.max(0, at - most), at))

const isMaterial = /\bmaterial\s+(?:indebtedness|debt)\b/i

/** Longest rest of an event of default after what accelerates the debt. */
const MOST_ITEM = 1400
// To its end, with a condition behind it, `; provided that no such default is an Event of Default unless`, or a second one: `; and (b) the principal amount of such indebtedness is more than $50 million`.
const restOfItem =
  /^(?:[^;]|;(?=\s{1,9}(?:and\s{1,9}\((?:b|ii|2|y)\)\s{1,9}the|provided,?\s{1,9}that)\s))*?(?=;(?!\s{1,9}(?:and\s{1,9}\((?:b|ii|2|y)\)\s{1,9}the|provided,?\s{1,9}that)\s)|\.\s|$)/

/** An event of default on other debt; without a title, by its words alone. */
export function crossDefaultsIn({ flat, clauses, isContract }: Reading): Protection[] {
  const stated = [
    ...flat.matchAll(crossDefault),
    ...flat.matchAll(crossAcceleration),
    ...(isContract
      ? [...flat.matchAll(crossMaturity), ...flat.matchAll(crossPayment), ...flat.matchAll(crossContract)]
      : []),
  ]
  return stated.flatMap(match => {
    const clause = clauseAt(clauses, match.index)
    const titled = clause !== null && crossTitle.test(clause.title)
    const inDefaults = /events?\s+of\s+default|defaults?\b/i.test(
      `${clause?.article ?? ''} ${clause?.within ?? ''} ${clause?.title ?? ''}`,
    )
    const debt = match.index + match[0].search(debtWord)
    if (isContract && /^notices?\b/i.test(clause?.within ?? '')) return []
    const from = itemAround(
      flat,
      debt,
      Math.max(sentenceAround(flat, match.index, MOST_SENTENCE)[0], clause?.from ?? 0),
    )
    // Of a list without a heading of its own, which begins within the clause before it.
    const inList = isContract
      ? (clause === null || flat[from] === '(') &&
        isListed(flat, debt, Math.min(MOST_AGREEMENT_LIST, debt - (clause?.body ?? 0)))
      : isListed(flat, debt)
    const own =
      /\b(?:other|any|material|such)\s+(?:\w+\s+){0,3}(?:indebtedness|debt)\b(?!\s+securit)|notes,\s+loans|for\s+borrowed\s+money/i.test(
        match[0],
      )
    const isCross = /cross[\s-]?(?:default|acceleration)/i.test(clause?.title ?? '')
    if (!(own || isCross) || !(titled || inDefaults || inList || isMaterial.test(match[0]))) return []
    if (
      /\b(?:shall|will)\s+not\b|represents?\b|no\s+default/i.test(
        sentenceBegun(flat.slice(Math.max(0, match.index - 80), match.index)),
      )
    )
      return []
    if (isContract && ofJudgment.test(flat.slice(from, debt))) return []
    const end = match.index + match[0].length
    // Its amount may follow: `… prior to its maturity, and the principal of all such Indebtedness aggregates $50
    // million`.
    const to = end + restOfItem.exec(flat.slice(end, end + MOST_ITEM))![0].length
    return {
      covenant_name: 'Cross-Default' as const,
      rule: 'cross_default' as const,
      putPricePct: null,
      threshold: leastAmount(flat.slice(from, to)),
      confidence: titled ? 0.9 : 0.8,
      from,
      to,
      clause,
    }
  })
}

/** What of a text belongs to the sentence in which it ends. */
const sentenceBegun = (text: string): string =>
  text.slice(Math.max(text.lastIndexOf('.'), text.lastIndexOf(';')) + 1)

/** Clauses that are called a cross-default, or say that they make one, whatever agreements they speak of. */
export const crossDefaultClausesIn = (reading: Reading): Protection[] =>
  reading.isContract ? [...crossDefaultTitlesIn(reading), ...crossDefaultLoansIn(reading)] : []

const crossDefaultLoansIn = ({ flat, clauses }: Reading): Protection[] =>
  [...flat.matchAll(crossLoans)].map(match => {
    const [from, to] = sentenceAround(flat, match.index, MOST_SENTENCE)
    return {
      covenant_name: 'Cross-Default' as const,
      rule: 'cross_default' as const,
      putPricePct: null,
      threshold: null,
      confidence: 0.8,
      from,
      to,
      clause: clauseAt(clauses, match.index),
    }
  })

const crossDefaultTitlesIn = ({ flat, clauses }: Reading): Protection[] =>
  clauses.flatMap(clause => {
    const body = flat.slice(clause.body, Math.min(clause.to, clause.body + MOST_SENTENCE))
    if (!isCrossTitle.test(clause.title) || !ofOtherAgreements.test(body)) return []
    return {
      covenant_name: 'Cross-Default' as const,
      rule: 'cross_default' as const,
      putPricePct: null,
      threshold: leastAmount(body),
      confidence: 0.85,
      from: clause.from,
      to: Math.min(clause.to, sentenceAround(flat, clause.body + 1, MOST_SENTENCE)[1]),
      clause,
    }
  })
const isCrossTitle = /^(?:other\s+)?cross[\s-]?(?:default|acceleration)s?$/i
const ofOtherAgreements = words(
  String.raw`\bdefaults?\b[^.]{0,400}?\b(?:other|another|any) (?:\w+ ){0,4}(?:agreements?|instruments?|notes?|indebtedness|debt|obligations?)\b`,
)

export function crossDefaultsNamedIn({ flat }: Reading): Protection[] {
  const listed = [...flat.matchAll(crossInList)].filter(match => isListed(flat, match.index))
  const told = [...flat.matchAll(crossNamed), ...flat.matchAll(crossTold)]
  return [...listed, ...told].flatMap(match => {
    const [from, to] = sentenceAround(flat, match.index, MOST_SENTENCE)
    if (negated.test(flat.slice(from, to)) || /\bno\s+cross|\bnot\s+(?:contain|include)/i.test(match[0]))
      return []
    // Of a list, the amount of its own item.
    const said = listed.includes(match)
      ? (flat.slice(match.index + match[0].length, to).split(nextItem)[0] ?? '')
      : flat.slice(match.index, to)
    const amount = thresholdsIn(said).find(({ unit }) => unit === 'cents')
    return {
      covenant_name: 'Cross-Default' as const,
      rule: 'cross_default' as const,
      putPricePct: null,
      threshold: amount?.value ?? null,
      confidence: 0.75,
      from,
      to,
      clause: null,
    }
  })
}

// `a judgment shall be entered for damages or Indebtedness due` is no default on debt.
const ofJudgment = words(String.raw`^(?:\([a-z]{1,3}\) )?[^;]{0,80}?\bjudge?ments?\b(?![^;]*\bdefault)`)
const JUDGMENT = String.raw`\b(?<!before |prejudgment )(?:(?:final |money |unsatisfied |\([ivx]{1,3}\) ){0,4}judge?ments?(?:\(s\))?|(?:final )?(?:orders?|decrees?) for the payment)(?!\w)`
const REMAINS = String.raw`\b(?:undischarged|unstayed|unsatisfied|unpaid|unvacated|unbonded|discharged|stayed|vacated|bonded|satisfied|paid|execution|stay of enforcement|enforcement proceedings?)\b(?:[^.;]|\.\d){0,120}`
const judgment = everyWords(String.raw`${JUDGMENT}(?:[^.;]|\.\d){0,420}?\$(?:[^.;]|\.\d){0,700}?${REMAINS}`)
// Over an amount that is a defined term: `in an aggregate amount exceeding the Threshold Amount`.
const judgmentOverTerm = everyWords(
  String.raw`${JUDGMENT}(?:[^.;$]|\.\d){0,300}?\b(?:amount|exceeding|exceeds?|excess)\b(?:[^.;$]|\.\d){0,600}?${REMAINS}`,
)
// `the failure to pay final judgments in excess of $75 million for a period of 60 days`.
const judgmentUnpaid = everyWords(
  String.raw`\bfail(?:ure|s)?\b[^.;]{0,60}?\bto (?:pay|discharge|satisfy) (?:\w+ ){0,3}judge?ments?\b(?:[^.;$]|\.\d){0,120}?\$(?:[^.;]|\.\d){0,120}|\bfails? to (?:comply with or )?pay any (?:sum|amount)s?\b(?:[^.;$]|\.\d){0,60}?\$(?:[\d,]|\.\d){1,20}(?:[^.;]|\.\d){0,80}?\bunder any (?:final )?judge?ment\b`,
)
// With its amount at the end: `shall not be vacated … and the aggregate amount of all such judgments exceeds $5,000,000`.
const judgmentAmountLast = everyWords(
  String.raw`${JUDGMENT}(?:[^.;$]|\.\d){0,420}?\b(?:unstayed|unsatisfied|unvacated|discharged|stayed|vacated|bonded|satisfied)\b(?:[^.;$]|\.\d){0,240}?\bamount\b(?:[^.;$]|\.\d){0,80}?\bexceeds? \$(?:[\d,]|\.\d){1,20}`,
)
// Of any amount: `Any judgment is entered against any Obligor`.
const judgmentAny = everyWords(
  String.raw`\bany (?:final |money )?judge?ments? (?:is|are|shall be|has been) (?:entered|rendered|filed|awarded)[^.;$]{0,30}? against\b[^.;$]{0,200}`,
)
// By its entry alone: `the entry of a judgment against Borrower in excess of $50,000`.
const judgmentEntry = everyWords(
  String.raw`\bentry of (?:an?|any|one or more) (?:(?:final|money|monetary) ){0,2}judge?ments?\b[^.;$]{0,200}? (?:in excess of|exceeding) \$(?:[\d,]|\.\d){1,20}(?:[^.;]|\.\d){0,120}`,
)
// Named in a report: `judgment defaults`, `failure to satisfy material judgments`, `unstayed judgments … in excess of`.
const judgmentNamed = everyWords(
  String.raw`\b(?:judge?ment defaults?\b|(?:certain|unsatisfied|unstayed|undischarged|unpaid|material|monetary|final|significant|adverse)(?: (?:final|material|monetary|money|unsatisfied|unstayed|uninsured|court))? judge?ments?\b|failure to (?:pay|satisfy|discharge)(?: \w+){0,3} judge?ments?\b|entry of(?: \w+){0,3} judge?ments?\b|judge?ments (?:in excess|exceeding))|(?<=,|\band|\bor) judge?ments?(?=,|;|\.| and\b)`,
)
const namesDefaults = words(
  String.raw`\b(?:events? of default|termination events?|default provisions)\b[^;]{0,200}?\b(?:includ\w+|such as|occurrence of|upon|following)\b|\bevents? of default (?:for|relating to) |\bupon the occurrence of certain (?:\w+ )?events,? includ\w+\b|\b(?:includes?|contains?|subject to|provides? for)\b[^.;]{0,60}?\bcross(?:- ?| )default,? (?:and|or) $|\bfollowing certain events? of default\b`,
)
/** How far before a judgment in an agreement the list of events of default may begin. */
const MOST_AGREEMENT_LIST = 16_000

/** A judgment among the events of default, with the one amount it names. */
export function judgmentsIn({ flat, clauses, isContract }: Reading): Protection[] {
  if (!isContract) return [...judgmentsListedIn(flat, clauses, isContract), ...judgmentsNamedIn(flat)]
  return judgmentsListedIn(flat, clauses, isContract)
}

/** Judgments of a list of events of default. */
function judgmentsListedIn(flat: string, clauses: readonly Clause[], isContract: boolean): Protection[] {
  if (!isContract && !beginsList.test(flat)) return []
  const all = [
    ...flat.matchAll(judgment),
    ...(isContract
      ? [
          ...flat.matchAll(judgmentOverTerm),
          ...flat.matchAll(judgmentAmountLast),
          ...flat.matchAll(judgmentAny),
          ...flat.matchAll(judgmentEntry),
        ]
      : []),
    ...flat.matchAll(judgmentUnpaid),
  ]
  return all.flatMap(match => {
    const clause = clauseAt(clauses, match.index)
    const where = `${clause?.article ?? ''} ${clause?.within ?? ''} ${clause?.title ?? ''}`
    const inDefaults = isContract
      ? /\bdefaults?\b|judge?ment|\btrigger\s+events?/i.test(where) ||
        isListed(flat, match.index, MOST_AGREEMENT_LIST)
      : isListed(flat, match.index)
    if (!inDefaults || /representation|litigation|currency|indemni/i.test(where)) return []
    const threshold = leastAmount(match[0])
    if (threshold === null && !(isContract && isJudgmentEntered(flat, match))) return []
    const [start] = sentenceAround(flat, match.index, MOST_SENTENCE)
    return {
      covenant_name: 'Judgment Default' as const,
      rule: 'judgment_default' as const,
      putPricePct: null,
      threshold,
      confidence: 0.85,
      from: itemAround(flat, match.index, Math.max(start, clause?.from ?? 0)),
      to: match.index + match[0].length,
      clause,
    }
  })
}

/** Judgments that a report names among the events of default, with the amount that follows. */
const judgmentsNamedIn = (flat: string): Protection[] =>
  [...flat.matchAll(judgmentNamed)].flatMap(match => {
    const [from, to] = sentenceAround(flat, match.index, MOST_SENTENCE)
    const end = match.index + match[0].length
    if (!namesDefaults.test(flat.slice(from, match.index)) || negated.test(flat.slice(from, to))) return []
    return {
      covenant_name: 'Judgment Default' as const,
      rule: 'judgment_default' as const,
      putPricePct: null,
      threshold: leastAmount(flat.slice(match.index, to).split(nextItem)[0] ?? ''),
      confidence: 0.75,
      from,
      to: Math.max(to, end),
      clause: null,
    }
  })
const nextItem = /[,;](?!\d)|\s\((?:[a-z]{1,3}|\d{1,2})\)\s/

// `One or more final judgments … shall be rendered against`, `There is entered against`, in an event of default.
const entered = words(
  String.raw`\b(?:entered|rendered|filed|awarded|issued|outstanding)\b[^.;]{0,60}\bagainst\b|\bfails? to pay\b|\bagainst\b[^.;]{0,160}\b(?:entered|rendered|filed)\b`,
)
const isJudgmentEntered = (flat: string, match: RegExpExecArray): boolean =>
  entered.test(flat.slice(Math.max(0, match.index - 200), match.index + match[0].length))

/** The one amount in a cross-default or judgment default. */
function leastAmount(text: string): number | null {
  const amounts = thresholdsIn(text).filter(
    t => t.unit === 'cents' && (least.test(text.slice(0, t.from)) || least.test(text.slice(t.to))),
  )
  const values = new Set(amounts.map(t => t.value))
  return values.size === 1 ? firstOf(amounts).value : null
}
