import { clauseAt } from './clauses.ts'
import { everyWords, sentenceAround, words } from './flat-text.ts'
import { changeOfControl, MOST_SENTENCE, negated, type Protection } from './protection.ts'
import type { Reading } from './reading.ts'

const price = String.raw`(?<pct>\d{2,3}(?:\.\d{1,3})?) ?(?:%|percent|per cent)`
// `upon a Change of Control … offer to purchase … at a price equal to 101% of the principal amount`.
// A price for another event may stand before it: `100%, in the case of an asset sale, or 101%, in the case of a change of control, of`.
const ofPrincipal = `${price}(?:,? in the case of an? ${changeOfControl},?)?(?: of (?:(?:the|their|its|such|each|aggregate|outstanding|then|unpaid|securities|notes?'?s?|holder'?s?) ){0,5}(?:principal|face|par|accreted|compounded)| of (?:par|face)| plus accrued)`
const put = everyWords(
  String.raw`\b${changeOfControl}\b(?:[^.]|\.\d){0,800}?\b(?:repurchase|purchase|redeem|prepay|repay|put|offer)\w*\b(?:[^.]|\.\d){0,500}?\b(?:price|amount|equal to|at|for)\b(?:[^.]|\.\d){0,120}?${ofPrincipal}`,
)
// `holders may require us to repurchase the notes at 101% of their principal amount upon a change of control`.
const putFirst = everyWords(
  String.raw`\b(?:require|offer|obligat)\w*\b[^.;]{0,160}?\b(?:repurchase|purchase|redeem)\b[^.;]{0,200}?${ofPrincipal}[^.;]{0,240}?\b(?:upon|following|after|in the event of|in case of|if|on)\b[^.;]{0,80}?\b${changeOfControl}\b`,
)
// `require the Company to purchase its Debentures upon a change in control on or before June 1, 2003 for 100% of the principal`.
const putLast = everyWords(
  String.raw`\b(?:require|offer|obligat)\w*\b[^.;]{0,160}?\b(?:repurchase|purchase|redeem)\b[^.;]{0,160}?\b(?:upon|following|after|in the event of|if|on)\b[^.;]{0,80}?\b${changeOfControl}\b(?:[^.;]|\.\d){0,160}?\b(?:for|at|price of)\b(?:[^.;]|\.\d){0,60}?${ofPrincipal}`,
)
// `upon certain change of control events we may be required to repurchase the notes`, without a price.
const putUnpriced = everyWords(
  String.raw`\b${changeOfControl}\b[^.;%]{0,120}?\b(?:(?:we|the company) (?:may|will|must|would) (?:be required to )?(?:offer to )?|require (?:us|the company) to )(?:repurchase|purchase)\b[^.;%]{0,60}?\b(?:notes|debentures|bonds)\b[^.;%]{0,160}(?=[.;])`,
)
// `upon a change of control we are required to offer to purchase the notes at 101%`, of what goes without saying.
const putAtPercent = everyWords(
  String.raw`\b${changeOfControl}\b[^.;%]{0,160}?\b(?:offer to |(?:right|option) to require \w+(?: \w+)? to |may require \w+(?: \w+)? to )(?:(?:re)?purchase|buy back)\b[^.;%]{0,120}?\b(?:notes|debentures|bonds)\b[^.;%]{0,60}?\bat (?:a (?:\w+ )?price (?:of|equal to) )?${price}(?= ?[.;,]| if\b| upon\b)`,
)
// The same at its end: `holders may require the Company to purchase the notes upon a change of control`.
const UPON = '(?:upon|following|after|in the event of|in connection with|if|on)'
const putUnpricedLast = everyWords(
  String.raw`\b(?:(?:holders?|noteholders?|debentureholders?)\b[^.;%]{0,60}?\b(?:may|can|right to|option to|entitled to) require (?:[^.;,%\s]{1,30} ){1,4}?to (?:re)?(?:purchase|redeem)|(?:we|the company|the issuer) (?:may|will|must|would) be required to (?:offer to )?(?:re)?(?:purchase|redeem)) [^.;%]{0,60}?\b(?:notes|debentures|bonds)\b[^.;%]{0,80}? ${UPON} [^.;%]{0,120}?\b${changeOfControl}\b(?=[^.;%]{0,300}[.;])`,
)
// `each holder can put its notes to us at 101% of the principal amount`, `the debentures may be put to the Company upon a
// change in control`.
const putToIssuer = everyWords(
  String.raw`\b${changeOfControl}\b(?:[^.;]|\.\d){0,120}?\b(?:may|can|could|right to|option to) put (?:\w+ ){0,4}(?:notes|debentures|bonds)\b(?:[^.;]|\.\d){0,80}?(?:\bat (?:a price (?:of|equal to) )?${ofPrincipal}|(?= back to | to (?:us|the company|the issuer)))`,
)
// `a right to sell their notes back to us at 101% of par if there is a change of control`.
const putSold = everyWords(
  String.raw`\b(?:right|option|may|able)(?: to)? sell\b[^.;%]{0,60}?\b(?:notes|debentures|bonds)\b[^.;%]{0,40}?\bat (?:a price (?:of|equal to) )?${ofPrincipal}[^.;]{0,80}? ${UPON} [^.;]{0,60}?\b${changeOfControl}\b`,
)
const putToIssuerFirst = everyWords(
  String.raw`\b(?:notes|debentures|bonds|securities)\b[^.;]{0,60}?\b(?:(?:may|can|could) be put (?:back )?to (?:us|the company|the issuer)|(?:is|are) put(?:t)?able)\b(?:[^.;]|\.\d){0,60}? ${UPON} [^.;]{0,60}?\b${changeOfControl}\b`,
)
// At par in words, before or after the event.
const PAR = String.raw`\b(?:at par\b|at (?:a (?:\w+ ){0,2}price equal to )?(?:the|their|its)(?: aggregate)? principal amount\b)(?! (?:plus an? )?(?:\w+ )?premium)`
const putAtPar = everyWords(
  String.raw`\b(?:require|obligat\w*|offer)\b[^.;]{0,120}?\b(?:repurchase|purchase|redeem|repay|prepay)\b[^.;%]{0,80}?\b(?:notes|debentures|bonds)\b[^.;%]{0,100}?${PAR}[^.;%]{0,120}? ${UPON} [^.;%]{0,80}?\b${changeOfControl}\b`,
)
const putAtParLast = everyWords(
  String.raw`\b${changeOfControl}s?\b[^.;%]{0,200}?\b(?:require|cause|obligat\w*|offer)\b[^.;%]{0,120}?\b(?:repurchase|purchase|redeem)\b[^.;%]{0,80}?\b(?:notes|debentures|bonds)\b[^.;%]{0,100}?${PAR}`,
)
// Elected, tendered or offered: `holders may elect to have their notes repurchased`, `obligated to offer to repurchase all notes`.
const HOLDERS_MAY =
  '(?:holders?|noteholders?|debentureholders?)\\b[^.;%]{0,40}?\\b(?:may elect to|may|can|elect to|right to|option to|entitled to)'
const putElected = everyWords(
  String.raw`\b(?:${HOLDERS_MAY} (?:have|tender|surrender) (?:[^.;%,\s]{1,20} ){1,4}?(?:notes|debentures|bonds)\b[^.;%]{0,60}?\b(?:(?:re)?purchased?|redeemed)\b|(?:obligated|obliged|obligates?|obliges?|requires?) (?:(?:us|we|the company|the issuer|it) )?to (?:offer to|make an offer to) (?:re)?purchase [^.;%]{0,40}\b(?:notes|debentures|bonds)\b|\b(?:notes|debentures|bonds) (?:are|is) (?:redeemable|repayable|subject to (?:redemption|repurchase)) at the (?:option|election) of (?:the |their )?(?:note|debenture|bond)?holders?\b|\b(?:notes|debentures|bonds) (?:contain|include|have|carry) put (?:rights|options)\b)(?:[^.;%]|\d%){0,80}? ${UPON} [^.;%]{0,80}?\b${changeOfControl}\b`,
)
// `A change of control gives holders the right to have the notes repurchased at 101% of their principal amount`.
const putGiven = everyWords(
  String.raw`\b${changeOfControl} (?:gives|entitles|allows|permits|enables) [^.;%]{0,40}?holders\b[^.;%]{0,60}?\bto (?:have|require|cause|put|sell|tender)\b[^.;%]{0,80}?\b(?:notes|debentures|bonds)\b[^.;%]{0,60}?(?:\bat (?:a price (?:of|equal to) )?${ofPrincipal}|[.;])`,
)
// `tender their notes to the Company for repurchase at 101% of principal upon a change of control`.
const putTendered = everyWords(
  String.raw`\b${HOLDERS_MAY} (?:have|tender|surrender) (?:[^.;%,\s]{1,20} ){1,4}?(?:notes|debentures|bonds)\b[^.;%]{0,60}?\b(?:(?:re)?purchased?|redeemed)\b[^.;%]{0,20}?\bat (?:a price (?:of|equal to) )?${ofPrincipal}[^.;%]{0,40}? ${UPON} [^.;%]{0,80}?\b${changeOfControl}\b`,
)
// `a put right at 101% of face value upon a change of control`.
const putRight = everyWords(
  String.raw`\bput (?:right|option)s?\b[^.;%]{0,60}?\bat ${ofPrincipal}[^.;]{0,80}?\b(?:upon|following|on|in the event of)\b[^.;]{0,40}?\b${changeOfControl}\b`,
)
// `These notes are senior unsecured obligations that include a change of control repurchase provision`.
const putNamed = everyWords(
  String.raw`\b(?:notes|debentures|bonds|obligations|securities|series)\b[^.;%]{0,80}?\b(?:includes?|contains?|have|has|provides? for) (?:an? )?(?:change (?:of|in) control|fundamental change) (?:(?:re)?purchase|put|offer) (?:provisions?|features?|rights?|options?|obligations?)\b`,
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
// In an agreement: `upon a Change of Control, each Purchaser may elect to require the Company to repurchase the Notes`.
const putAgreed = everyWords(
  String.raw`\b${UPON} an? ${changeOfControl}\b[^.;%]{0,160}?\b(?:each|any|the|such|every) (?:\w+ )?(?:note|debenture|bond)?(?:holder|purchaser)s? (?:may|shall have the (?:right|option)|has the right|will have the right|can)\b[^.;%]{0,80}?\brequire (?:[^.;,%\s]{1,30} ){1,4}?to (?:re)?(?:purchase|redeem)\b[^.;%]{0,40}?\b(?:notes|debentures|bonds)\b`,
)
const inReports = [
  putUnpriced,
  putUnpricedLast,
  putAtPercent,
  putRight,
  putElected,
  putTendered,
  putGiven,
  putNamed,
  putToIssuer,
  putToIssuerFirst,
  putSold,
  putAtPar,
  putAtParLast,
]

/** Puts of holders on a change of control, with their price in percent of principal where one is stated. */
export function putsIn({ flat, clauses, isContract }: Reading): Protection[] {
  return [
    ...flat.matchAll(put),
    ...flat.matchAll(putFirst),
    ...flat.matchAll(putDefinition),
    ...(isContract ? flat.matchAll(putAgreed) : flat.matchAll(putLast)),
    ...(isContract ? [] : inReports.flatMap(p => [...flat.matchAll(p)])),
    ...(definesEvent.test(flat) && ofControl.test(flat)
      ? [...flat.matchAll(putOnEvent), ...flat.matchAll(putFirstOnEvent)]
      : []),
    ...(eventOfControl.test(flat) ? flat.matchAll(putAtPrincipal) : []),
  ].flatMap(match => {
    const stated = match.groups?.['pct']
    const pct = stated === undefined ? (isAtPrincipal.test(match[0]) ? 100 : null) : Number(stated)
    if (pct !== null && (pct < 90 || pct > 150)) return []
    const [from, to] = sentenceAround(flat, match.index, MOST_SENTENCE)
    const sentence = flat.slice(from, to)
    if (
      !/offer|right|option|elect|tender|redeemable|require|obligat|shall|must|will|\bput\b|puttable/i.test(
        sentence,
      ) ||
      negated.test(sentence)
    )
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

// `Following the occurrence of a Relevant Event, each Noteholder will have the right … to require the Issuer to redeem … at
// their principal amount`.
const putAtPrincipal = everyWords(
  String.raw`\b(?:triggering|designated|relevant) event\b[^.;]{0,120}?\b(?:note|bond)?holders?\b[^.;]{0,120}?\brequire\b[^.;]{0,80}?\b(?:redeem|repurchase|purchase)\b[^.;]{0,200}?\bat (?:their|its) principal amount\b`,
)
const isAtPrincipal = words(`at (?:their|its) principal amount$|${PAR}`)
const eventOfControl = words(
  String.raw`"?\b(?:triggering|designated|relevant) event"? (?:means|occurs (?:if|when|upon))\b[^.]{0,300}?\bchange (?:of|in) control\b`,
)
const definesEvent = words('(?:triggering|designated) event')
const ofControl = words('change (?:of|in) control|fundamental change')
