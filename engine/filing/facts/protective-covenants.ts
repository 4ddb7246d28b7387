import { clauseAt } from './clauses.ts'
import { putsIn } from './control-puts.ts'
import {
  controlDefaultsIn,
  crossDefaultClausesIn,
  crossDefaultsIn,
  crossDefaultsNamedIn,
  judgmentsIn,
} from './default-events.ts'
import { everyWords, sentenceAround, words } from './flat-text.ts'
import { MOST_SENTENCE, type Protection } from './protection.ts'
import type { Reading } from './reading.ts'
import { reportingIn } from './reporting-covenants.ts'
import { suspensionsIn } from './suspensions.ts'

const PRESENT_VALUES = `present values? of (?:(?:all|each|of|the) ){0,3}(?:remaining scheduled payments?|principal(?: amounts?)? and (?:future|remaining) interest)`
const makeWhole = everyWords(
  String.raw`\b(?:redeem|redemption|prepay|prepayment|prepaid|may be repaid|callable|may be called)\w*\b(?:[^.]|\.\d){0,700}?\b(?:treasury rate|treasury yield|comparable treasury|adjusted treasury|plus the applicable premium|"?make[- ]?whole"? (?:amount|premium|price|payment|value|redemption|provisions?|call)|yield[- ]maintenance (?:amount|premium|fee|payment|provisions?))\b(?:[^.]|\.\d){0,200}|\b(?:notes|debentures|bonds)\b[^.;]{0,60}?\b(?:carry|have|contain|include|are subject to) an? make[- ]?whole (?:call|redemption|prepayment) (?:provision|feature|option|right)`,
)
const presentValues = everyWords(String.raw`\b${PRESENT_VALUES}\b`)
// `plus an applicable premium`, which the sentence after it computes from the Treasury rate.
const premium = everyWords(
  String.raw`\b(?:redeem|redemption)\w*\b(?:[^.]|\.\d){0,400}?\bplus an applicable premium\b`,
)
const isOfTreasury = words(String.raw`^[^§]{0,400}\bapplicable premium\b[^§]{0,500}\btreasury rate\b`)
const redeems = /\b(?:redeem|redemption|prepay|prepaid|repaid|call(?:able|ed)?\b)/i
const discounts = words(
  String.raw`\b(?:treasury (?:rate|yield)|adjusted treasury rate|comparable treasury(?:[^.]|\.\d){0,40}) plus (?:(?:\d{1,3}(?:\.\d+)? )?basis points|an? (?:\w+ )?(?:spread|margin))|plus the applicable premium|plus (?:a |the )?"?make[- ]?whole"? (?:amount|premium)|"?make[- ]?whole"? (?:amount|premium|price|payment|value|redemption price|provisions?|call)|yield[- ]maintenance (?:amount|premium|fee|payment|provisions?)|${PRESENT_VALUES}`,
)

/** An agreement grants each protection once; a report tells of those of every instrument. */
export function protectionsIn(reading: Reading): Protection[] {
  const told = reading.isContract ? first : <T>(all: readonly T[]): readonly T[] => all
  return [
    ...told(putsIn(reading)),
    ...told(controlDefaultsIn(reading)),
    ...told(makeWholesIn(reading)),
    ...told(judgmentsIn(reading)),
    ...told(reportingIn(reading)),
    ...told(suspensionsIn(reading)),
    ...told([
      ...crossDefaultsIn(reading),
      ...crossDefaultClausesIn(reading),
      ...(reading.isContract ? [] : crossDefaultsNamedIn(reading)),
    ]),
  ]
}

const first = <T>(all: readonly T[]): readonly T[] => all.slice(0, 1)

function makeWholesIn({ flat, clauses, isContract }: Reading): Protection[] {
  const premiums = [...flat.matchAll(premium)].filter(match =>
    isOfTreasury.test(flat.slice(match.index + match[0].length, match.index + match[0].length + 1000)),
  )
  return [...flat.matchAll(makeWhole), ...flat.matchAll(presentValues), ...premiums].flatMap(match => {
    const [from, to] = sentenceAround(flat, match.index, MOST_SENTENCE)
    const sentence = flat.slice(from, to)
    const isDiscounted = discounts.test(sentence) || premiums.includes(match)
    if (!redeems.test(sentence) || !isDiscounted || noMakeWhole.test(sentence)) return []
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
  String.raw`\b(?:recorded|recognized|resulted|resulting|completed|loss on|(?:we|company|issuer|and) (?:\w+ )?(?:redeemed|repaid|paid|retired|prepaid)|(?:was|were) (?:\w+ )?(?:redeemed|repaid|paid|retired|prepaid)|exercis(?:ed|ing) (?:our|its|the|an?) make[- ]?whole)\b|\b(?:redeemed|repaid|retired|prepaid) \$`,
)
// Nor the bonds of others, whose yields give a discount rate.
const noMakeWhole = words(
  String.raw`\b(?:without|no|not) (?:any |payment of (?:any |a )?|a |including )?make[- ]?whole|\b(?:yield curve|discount rate(?! of \d{1,3} basis points)|corporate bonds|benefit obligations?)\b`,
)
