import { firstOf } from '../../base/elements.ts'
import type { CovenantName } from '../../schema/covenant-names.ts'
import { type Clause, clauseAt } from './clauses.ts'
import type { Reading } from './financial-covenants.ts'
import { everyWords, itemAround, sentenceAround, words } from './flat-text.ts'
import { isNoCovenant } from './negative-covenants.ts'
import { thresholdsIn } from './thresholds.ts'

export interface Protection {
  readonly covenant_name: CovenantName
  readonly rule:
    | 'change_of_control_put'
    | 'change_of_control_default'
    | 'make_whole'
    | 'cross_default'
    | 'judgment_default'
    | 'reporting'
  readonly putPricePct: number | null
  /** Minimum debt or judgment that counts, in cents. */
  readonly threshold: number | null
  readonly confidence: number
  readonly from: number
  readonly to: number
  readonly clause: Clause | null
}

const price = String.raw`(?<pct>\d{2,3}(?:\.\d{1,3})?) ?(?:%|percent|per cent)`
const changeOfControl =
  '(?:change (?:of|in) control(?: (?:repurchase|triggering) event| offer)?|fundamental change)'
// `upon a Change of Control … offer to purchase … at a price equal to 101% of the principal amount`.
// A price for another event may stand before it: `100%, in the case of an asset sale, or 101%, in the case of a change of control, of`.
const ofPrincipal = `${price}(?:,? in the case of an? ${changeOfControl},?)?(?: of (?:(?:the|their|its|such|each|aggregate|outstanding|then|unpaid|securities|notes?'?s?|holder'?s?) ){0,5}(?:principal|face|par|accreted)| of par| plus accrued)`
const put = everyWords(
  String.raw`\b${changeOfControl}\b(?:[^.]|\.\d){0,800}?\b(?:repurchase|purchase|redeem|prepay|repay|put|offer)\w*\b(?:[^.]|\.\d){0,500}?\b(?:price|amount|equal to|at)\b(?:[^.]|\.\d){0,120}?${ofPrincipal}`,
)
// `holders may require us to repurchase the notes at 101% of their principal amount upon a change of control`.
const putFirst = everyWords(
  String.raw`\b(?:require|offer|obligat)\w*\b[^.;]{0,160}?\b(?:repurchase|purchase|redeem)\b[^.;]{0,200}?${ofPrincipal}[^.;]{0,240}?\b(?:upon|following|after|in the event of|if|on)\b[^.;]{0,80}?\b${changeOfControl}\b`,
)
// `require the Company to purchase its Debentures upon a change in control on or before June 1, 2003 for 100% of the principal`.
const putLast = everyWords(
  String.raw`\b(?:require|offer|obligat)\w*\b[^.;]{0,160}?\b(?:repurchase|purchase|redeem)\b[^.;]{0,160}?\b(?:upon|following|after|in the event of|if|on)\b[^.;]{0,80}?\b${changeOfControl}\b(?:[^.;]|\.\d){0,160}?\b(?:for|at|price of)\b(?:[^.;]|\.\d){0,60}?${ofPrincipal}`,
)
// `upon certain change of control events we may be required to repurchase the notes`, without a price.
const putUnpriced = everyWords(
  String.raw`\b${changeOfControl}\b[^.;%]{0,120}?\b(?:(?:we|the company) (?:may|will|must|would) (?:be required to )?(?:offer to )?|require (?:us|the company) to )(?:repurchase|purchase)\b[^.;%]{0,60}?\b(?:notes|debentures|bonds)\b[^.;%]{0,160}(?=[.;])`,
)
// The same upon an event that is defined, in a text that speaks of a change of control.
const putOnEvent = everyWords(
  String.raw`\b(?:triggering|designated) event\b(?:[^.]|\.\d){0,600}?\b(?:repurchase|purchase|redeem)\w*\b(?:[^.]|\.\d){0,400}?\b(?:price|amount|equal to|at)\b(?:[^.]|\.\d){0,120}?${ofPrincipal}`,
)
const putFirstOnEvent = everyWords(
  String.raw`\b(?:triggering|designated) event"? at a (?:\w+ )?price (?:of|equal to) ${ofPrincipal}`,
)
const putDefinition = everyWords(
  `"change of control (?:payment|purchase price)"(?:[^.]|\\.\\d){0,160}?${price} of the(?:[^.]|\\.\\d){0,60}?principal`,
)
const controlDefault = words(
  String.raw`^.{0,240}?\b(?:a|any|the) ${changeOfControl} (?:shall occur|occurs|shall have occurred|has occurred)\b|^ ?${changeOfControl}\.? ?(?:there )?(?:shall )?occurs?\b|^.{0,40}\bthere (?:shall )?occurs? (?:a|any) ${changeOfControl}`,
)
// `The events of default include the occurrence of a change of control`.
const controlNamed = everyWords(
  String.raw`\bevents? of default\b[^.;]{0,60}?\b(?:includ\w+|such as)\b[^.]{0,500}?\bchange (?:of|in) control\b`,
)
const controlItem = everyWords(
  String.raw`[;.] ?(?:or )?(?:\d{1,3} )?\([a-z]{1,2}\) ?(?:an?y? |the )?change (?:of|in) control (?:shall occur|occurs|shall have occurred|has occurred)(?= ?[;.])`,
)
const makeWhole = everyWords(
  String.raw`\b(?:redeem|redemption|prepay|prepayment|may be repaid)\w*\b(?:[^.]|\.\d){0,700}?\b(?:treasury rate|treasury yield|comparable treasury|adjusted treasury|plus the applicable premium|"?make[- ]?whole"? (?:amount|premium|price|redemption))\b(?:[^.]|\.\d){0,200}`,
)
const presentValues = everyWords(
  String.raw`\bpresent values? of (?:(?:all|each|of|the) ){0,3}remaining scheduled payments?\b`,
)
const redeems = /\b(?:redeem|redemption|prepay|repaid)/i
const discounts = words(
  String.raw`\b(?:treasury (?:rate|yield)|adjusted treasury rate|comparable treasury(?:[^.]|\.\d){0,40}) plus (?:\d{1,3}(?:\.\d+)? )?basis points|plus the applicable premium|plus (?:a |the )?"?make[- ]?whole"? (?:amount|premium)|"?make[- ]?whole"? (?:amount|premium|price|redemption price)|present values? of (?:(?:all|each|of|the) ){0,3}remaining scheduled payments?`,
)
// Default on, or acceleration of, other debt: `fail to pay … Indebtedness … to cause … to become due prior to its
// maturity`.
const otherDebt =
  '(?:indebtedness|debt|material indebtedness|borrowed money|guarantee of indebtedness|notes, loans, agreements)'
// `results in the acceleration of the maturity of any Debt`.
const crossAcceleration = everyWords(
  String.raw`\bresults? in (?:the |an )?acceleration of [^.;]{0,120}?\b${otherDebt}\b[^.;]{0,160}`,
)
const debtWord = words(otherDebt)
const crossDefault = everyWords(
  String.raw`\b(?:fails?|shall fail|default|defaults|failure|shall default|declaration of an event of default|event of default|accelerat\w+)\b[^.]{0,600}?\b${otherDebt}\b[^.]{0,1400}?\b(?:become due|due and payable|before the date on which it otherwise would become due|prior to (?:its|their|the) (?:stated|scheduled|express) maturity|accelerat\w+|to be (?:repurchased|prepaid)|becoming due|after the passage of all applicable notice)\b`,
)
// The wording in reports: `a $150 million cross-default provision`, `events of default, including defaults under other
// material debt`, `a default on our other debt would likely constitute an event of default under our facilities as well`.
const crossNamed = everyWords(
  String.raw`\b(?:includes?|including|contains?|has|have|subject to)\b[^.;]{0,160}?\bcross(?:- ?| )(?:default|acceleration)s?\b(?: (?:provisions?|clauses?|triggers?))?[^.;]{0,120}|\bevents? of default\b[^.;]{0,40}\b(?:includ\w+|such as)\b[^.;]{0,400}?\bdefaults? (?:under|on|with respect to|in respect of) [^.;,]{0,40}\b(?:other|material)\b[^.;,]{0,30}\b(?:indebtedness|debt)\b|\bdefault\b[^.;]{0,60}\bother (?:outstanding )?(?:indebtedness|debt)\b,?[^.;,]{0,20},? (?:it |this )?would (?:likely )?(?:also )?constitute an event of default\b[^.;]{0,80}`,
)
const crossTitle = words(
  String.raw`\bcross[- ]?(?:default|acceleration|payment)|\b(?:other|material) (?:indebtedness|debt)\b|\bindebtedness\b|default under other`,
)
const least = words(
  String.raw`\b(?:principal amount|amount|aggregate|indebtedness|excess|exceed\w*|more than|least|threshold)\b[^;]{0,80}$|^[^;]{0,30}\bor more\b`,
)

const MOST = 1400

/** An agreement grants each protection once; a report tells of those of every instrument. */
export function protectionsIn(reading: Reading): Protection[] {
  const told = reading.isContract ? first : <T>(all: readonly T[]): readonly T[] => all
  return [
    ...told(putsIn(reading)),
    ...told(controlDefaultsIn(reading)),
    ...told(makeWholesIn(reading)),
    ...told(judgmentsIn(reading)),
    ...told(reportingIn(reading)),
    ...told([...crossDefaultsIn(reading), ...(reading.isContract ? [] : crossDefaultsNamedIn(reading))]),
  ]
}

const first = <T>(all: readonly T[]): readonly T[] => all.slice(0, 1)

function putsIn({ flat, clauses, isContract }: Reading): Protection[] {
  return [
    ...flat.matchAll(put),
    ...flat.matchAll(putFirst),
    ...flat.matchAll(putDefinition),
    ...(isContract ? [] : flat.matchAll(putLast)),
    ...(isContract ? [] : flat.matchAll(putUnpriced)),
    ...(definesEvent.test(flat) && ofControl.test(flat)
      ? [...flat.matchAll(putOnEvent), ...flat.matchAll(putFirstOnEvent)]
      : []),
  ].flatMap(match => {
    const stated = match.groups?.['pct']
    const pct = stated === undefined ? null : Number(stated)
    if (pct !== null && (pct < 90 || pct > 150)) return []
    const [from, to] = sentenceAround(flat, match.index, MOST)
    const sentence = flat.slice(from, to)
    if (!/offer|right|option|require|obligat|shall|must|will/i.test(sentence) || negated.test(sentence))
      return []
    return {
      covenant_name: 'Change of Control Put' as const,
      rule: 'change_of_control_put' as const,
      putPricePct: pct,
      threshold: null,
      confidence: pct === null ? 0.8 : 0.95,
      from,
      to: Math.max(to, match.index + match[0].length),
      clause: clauseAt(clauses, match.index),
    }
  })
}

const definesEvent = words('(?:triggering|designated) event')
const ofControl = words('change (?:of|in) control|fundamental change')

const negated = words(
  String.raw`\b(?:will not|shall not|do not|does not|not be) (?:be )?(?:required|obligated|have|contain|entitled)\b`,
)

function controlDefaultsIn({ flat, clauses, isContract }: Reading): Protection[] {
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
  const items = [...flat.matchAll(controlItem)].map(match => ({
    from: match.index + match[0].indexOf('('),
    to: match.index + match[0].length,
    clause: clauseAt(clauses, match.index),
  }))
  return [...titled, ...items, ...(isContract ? [] : controlDefaultsNamedIn(flat))].map(place => ({
    covenant_name: 'Change of Control Default' as const,
    rule: 'change_of_control_default',
    putPricePct: null,
    threshold: null,
    confidence: 0.9,
    ...place,
  }))
}

/** Where a report names a change of control among the events of default. */
const controlDefaultsNamedIn = (flat: string): { from: number; to: number; clause: null }[] =>
  [...flat.matchAll(controlNamed)].flatMap(match => {
    const [from, to] = sentenceAround(flat, match.index, MOST)
    const isOffer = /\b(?:re)?purchase|\boffer\b/i.test(match[0])
    return isOffer || negated.test(flat.slice(from, to)) ? [] : [{ from, to, clause: null }]
  })

function makeWholesIn({ flat, clauses, isContract }: Reading): Protection[] {
  return [...flat.matchAll(makeWhole), ...flat.matchAll(presentValues)].flatMap(match => {
    const [from, to] = sentenceAround(flat, match.index, MOST)
    const sentence = flat.slice(from, to)
    if (!redeems.test(sentence) || !discounts.test(sentence) || noMakeWhole.test(sentence)) return []
    if (!isContract && hasHappened.test(sentence) && !/\bmay\b/.test(sentence)) return []
    return {
      covenant_name: 'Make-Whole Redemption' as const,
      rule: 'make_whole' as const,
      putPricePct: null,
      threshold: null,
      confidence: 0.9,
      from,
      to,
      clause: clauseAt(clauses, match.index),
    }
  })
}

// What a report says was redeemed, rather than may be.
const hasHappened = words(
  String.raw`\b(?:recorded|recognized|resulted|resulting|completed|loss on|(?:we|company|issuer|and) (?:\w+ )?(?:redeemed|repaid|paid|retired|prepaid)|(?:was|were) (?:\w+ )?(?:redeemed|repaid|paid|retired|prepaid))\b`,
)
const noMakeWhole = words(
  String.raw`\b(?:without|no|not) (?:any |payment of (?:any |a )?|a |including )?make[- ]?whole`,
)

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
const MOST_ITEM = 700
// To its end, with a second condition: `; and (b) the principal amount of such indebtedness is more than $50 million`.
const restOfItem =
  /^(?:[^;]|;\s{1,9}and\s{1,9}\((?:b|ii|2|y)\)\s{1,9}(?=the\s))*?(?=;(?!\s{1,9}and\s{1,9}\((?:b|ii|2|y)\)\s{1,9}the\s)|\.\s|$)/

/** An event of default on other debt; without a title, by its words alone. */
function crossDefaultsIn({ flat, clauses, isContract }: Reading): Protection[] {
  return [...flat.matchAll(crossDefault), ...flat.matchAll(crossAcceleration)].flatMap(match => {
    const clause = clauseAt(clauses, match.index)
    const titled = clause !== null && crossTitle.test(clause.title)
    const inDefaults = /events?\s+of\s+default|defaults?\b/i.test(
      `${clause?.within ?? ''} ${clause?.title ?? ''}`,
    )
    const debt = match.index + match[0].search(debtWord)
    const inList = !isContract && isListed(flat, debt)
    const own =
      /\b(?:other|any|material|such)\s+(?:\w+\s+){0,3}(?:indebtedness|debt)\b(?!\s+securit)|notes,\s+loans/i.test(
        match[0],
      )
    if (!own || !(titled || inDefaults || inList || isMaterial.test(match[0]))) return []
    if (
      /\b(?:shall|will)\s+not\b|represents?\b|no\s+default/i.test(flat.slice(match.index - 80, match.index))
    )
      return []
    const from = itemAround(
      flat,
      debt,
      Math.max(sentenceAround(flat, match.index, MOST)[0], clause?.from ?? 0),
    )
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

function crossDefaultsNamedIn({ flat }: Reading): Protection[] {
  return [...flat.matchAll(crossNamed)].flatMap(match => {
    const [from, to] = sentenceAround(flat, match.index, MOST)
    if (negated.test(flat.slice(from, to)) || /\bno\s+cross|\bnot\s+(?:contain|include)/i.test(match[0]))
      return []
    const amount = thresholdsIn(flat.slice(match.index, to)).find(({ unit }) => unit === 'cents')
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

const JUDGMENT = String.raw`\b(?<!before |prejudgment )(?:(?:final |money |unsatisfied |\([ivx]{1,3}\) ){0,4}judge?ments?(?:\(s\))?|(?:final )?(?:orders?|decrees?) for the payment)(?!\w)`
const REMAINS = String.raw`\b(?:undischarged|unstayed|unsatisfied|unpaid|unvacated|unbonded|discharged|stayed|vacated|bonded|satisfied|paid|execution|stay of enforcement|enforcement proceedings?)\b(?:[^.;]|\.\d){0,120}`
const judgment = everyWords(String.raw`${JUDGMENT}(?:[^.;]|\.\d){0,420}?\$(?:[^.;]|\.\d){0,700}?${REMAINS}`)
// Over an amount that is a defined term: `in an aggregate amount exceeding the Threshold Amount`.
const judgmentOverTerm = everyWords(
  String.raw`${JUDGMENT}(?:[^.;$]|\.\d){0,300}?\b(?:amount|exceeding|exceeds?|excess)\b(?:[^.;$]|\.\d){0,600}?${REMAINS}`,
)
/** How far before a judgment in an agreement the list of events of default may begin. */
const MOST_AGREEMENT_LIST = 16_000

/** A judgment among the events of default, with the one amount it names. */
function judgmentsIn({ flat, clauses, isContract }: Reading): Protection[] {
  if (!isContract && !beginsList.test(flat)) return []
  const all = [...flat.matchAll(judgment), ...(isContract ? flat.matchAll(judgmentOverTerm) : [])]
  return all.flatMap(match => {
    const clause = clauseAt(clauses, match.index)
    const where = `${clause?.article ?? ''} ${clause?.within ?? ''} ${clause?.title ?? ''}`
    const inDefaults = isContract
      ? /\bdefaults?\b|judge?ment/i.test(where) || isListed(flat, match.index, MOST_AGREEMENT_LIST)
      : isListed(flat, match.index)
    if (!inDefaults || /representation|litigation|currency|indemni/i.test(where)) return []
    const threshold = leastAmount(match[0])
    if (threshold === null && !(isContract && isJudgmentEntered(flat, match))) return []
    const [start] = sentenceAround(flat, match.index, MOST)
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

// `One or more final judgments … shall be rendered against`, `There is entered against`, in an event of default.
const entered = words(
  String.raw`\b(?:entered|rendered|filed|awarded|issued|outstanding)\b[^.;]{0,60}\bagainst\b|\bfails? to pay\b|\bagainst\b[^.;]{0,160}\b(?:entered|rendered|filed)\b`,
)
const isJudgmentEntered = (flat: string, match: RegExpExecArray): boolean =>
  entered.test(flat.slice(Math.max(0, match.index - 200), match.index + match[0].length))

const reportTitle = words(
  String.raw`^(?:(?:annual|quarterly|periodic|sec|commission|certain|delivery of|provision of|furnishing of|maintenance of) )*(?:financial (?:statements?|reports?|reporting|(?:and (?:business|other) )?information)|reports?|reporting(?: requirements| covenants?)?|information(?: covenants?)?)\b`,
)
const delivers = words(
  String.raw`\b(?:shall|will|must|agrees? to)\b[^.;]{0,200}?\b(?:furnish|deliver|provide|file|transmit|submit)\b`,
)
// `Deliver to each of the Lenders`, whose obligor stands in the lead-in of its article.
const deliversToLenders = words(
  String.raw`(?:^\W*(?:\([a-z]\) ?)?|\b(?:and|shall|will)\b[^.;:]{0,160}? )(?:furnish|deliver|provide|submit)(?: or cause to be (?:furnished|delivered|provided))?\b[^.;:]{0,80}?\bto (?:each (?:of )?)?(?:the )?(?:\w+ ){0,2}(?:lenders?|banks?|agents?|holders?|noteholders?|trustees?|purchasers?)\b`,
)
const statements = words(
  String.raw`\bfinancial statements|balance sheets?|annual reports?|form 10-?k|section 13\b`,
)

// `covenants including financial reporting requirements`, `to provide financial and other reports to our lenders`.
const reportingNamed = everyWords(
  String.raw`\b(?:financial reporting (?:requirements?|obligations?|covenants?)|reporting (?:requirements|covenants)|(?:delivery|furnishing|provision) of (?:\w+ ){0,3}financial (?:statements|reports|information)|(?:deliver|furnish|provide) (?:\w+ ){0,3}(?:financial (?:statements|reports|information)|reports) to (?:our |the )?(?:lenders|banks|agent|trustee|holders))\b`,
)

/** Where a report names financial reporting among the covenants of an instrument. */
const reportingNamedIn = (flat: string): Protection[] =>
  [...flat.matchAll(reportingNamed)].flatMap(match => {
    const [from, to] = sentenceAround(flat, match.index, MOST)
    const sentence = flat.slice(from, to)
    if (!/\bcovenants?\b/i.test(sentence) || !grantsCovenants.test(sentence) || negated.test(sentence))
      return []
    return {
      covenant_name: 'Financial Reporting' as const,
      rule: 'reporting' as const,
      putPricePct: null,
      threshold: null,
      confidence: 0.75,
      from,
      to,
      clause: null,
    }
  })
const grantsCovenants = words(
  String.raw`\bcovenants\b[^.;]{0,200}?\b(?:includ\w+|such as|relat\w+ to|with respect to|regarding|requir\w+)\b|\b(?:contains?|includes?|subject to|imposes?)\b[^.;]{0,200}?\bcovenants\b`,
)

/** Financial statements required by lenders or holders. */
function reportingIn({ flat, clauses, isContract }: Reading): Protection[] {
  if (!isContract) return reportingNamedIn(flat)
  return clauses.flatMap(clause => {
    const body = flat.slice(clause.body, Math.min(clause.to, clause.body + 1500))
    if (isNoCovenant(clause) || !statements.test(body)) return []
    const toLenders = deliversToLenders.test(body.slice(0, 600))
    if (!reportTitle.test(clause.title)) return []
    if (
      !toLenders &&
      !delivers.test(body.slice(0, 500)) &&
      !/affirmative|reporting|^covenants/i.test(clause.article ?? '')
    )
      return []
    return {
      covenant_name: 'Financial Reporting' as const,
      rule: 'reporting' as const,
      putPricePct: null,
      threshold: null,
      confidence: 0.9,
      from: clause.from,
      to: Math.min(clause.to, Math.max(sentenceAround(flat, clause.body + 1, 700)[1], clause.body + 1)),
      clause,
    }
  })
}

/** The one amount in a cross-default or judgment default. */
function leastAmount(text: string): number | null {
  const amounts = thresholdsIn(text).filter(
    t => t.unit === 'cents' && (least.test(text.slice(0, t.from)) || least.test(text.slice(t.to))),
  )
  const values = new Set(amounts.map(t => t.value))
  return values.size === 1 ? firstOf(amounts).value : null
}
