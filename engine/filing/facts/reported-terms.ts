import { type Drawing, drawnIn } from './facility-drawn.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { dayNamed } from './maturities.ts'
import { AMOUNT, amountIn } from './money.ts'

const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
const agreement =
  /^\s{0,9}(?:the|this)\s{1,3}(?<name>(?:[A-Z0-9][\w-]*\s{1,3}){1,6}(?:Agreement|Facility))\b/i

/** The agreement that a sentence tells of, `The Term Loan Agreement provides for`. */
export const agreementIn = (sentence: string): string | undefined =>
  agreement.exec(sentence)?.groups?.['name']

const AGREED = '(?:agreement|facility|facilities|loan|revolver)'
/** `On March 26, 2024, the Company borrowed $274.4 million under the Credit Agreement`. */
const borrowed = new RegExp(
  `\\bon\\s{1,3}(?<date>${MONTH}\\s{1,3}\\d{1,2},\\s{1,3}20\\d\\d),?\\s{1,3}[^.;$]{2,60}?\\b(?:borrowed|drew(?:\\s{1,3}down)?)\\s{1,3}(?:approximately\\s{1,3})?${AMOUNT}\\s{1,3}(?:(?:in\\s{1,3})?(?:aggregate\\s{1,3})?principal\\s{1,3}amount\\s{1,3})?(?:of\\s{1,3}(?:term\\s{1,3}|revolving\\s{1,3})?loans\\s{1,3})?under\\s{1,3}the\\s{1,3}(?:[\\w-]+\\s{1,3}){0,5}?${AGREED}\\b`,
  'i',
)
/** `The amount drawn under the Amended Credit Agreement continues to be $100.0 million`. */
const stays = new RegExp(
  `\\bamount\\s{1,3}(?:drawn|outstanding|borrowed)\\s{1,3}under\\s{1,3}the\\s{1,3}(?:[\\w-]+\\s{1,3}){0,5}?${AGREED}\\s{1,3}(?:is|remains|continues\\s{1,3}to\\s{1,3}be)\\s{1,3}(?:approximately\\s{1,3})?${AMOUNT}`,
  'i',
)
/** Days between a report and what was borrowed at its closing. */
const CLOSE = 10

/** What a report says was borrowed under a facility when it was agreed, and the one fixed rate that it bears. */
export function termsReported(about: readonly string[], { day, commitment, scale }: Drawing): InstrumentLine {
  const drawn = about.flatMap(sentence => {
    const match = borrowed.exec(sentence)
    const on = dayNamed((match?.groups?.['date'] ?? '').replace(/\s+/g, ' '))
    const isClose = on !== null && Math.abs(Date.parse(day) - Date.parse(on)) <= CLOSE * 86_400_000
    const stated = isClose ? match : stays.exec(sentence)
    return amountIn(stated?.groups ?? {}, scale) ?? []
  })
  const [one, ...others] = new Set(
    drawn.filter(({ value }) => value <= commitment.value).map(({ value }) => value),
  )
  const sum =
    one !== undefined &&
    others.length === 0 &&
    drawn.every(({ currency }) => currency === commitment.currency)
  const nothing = one === undefined && drawnIn(about, { day, commitment, scale }).drawn === 0
  return { ...(sum ? { drawn: one } : nothing ? { drawn: 0 } : {}), ...fixedRateIn(about.join(' ')) }
}

const fixed =
  /\b(?:fixed\s{1,3}(?:annual\s{1,3}|interest\s{1,3}){0,2}rate\s{1,3}(?:of|equal\s{1,3}to)|interest\s{1,3}at\s{1,3}(?:an?\s{1,3}|the\s{1,3})?(?:fixed\s{1,3}|annual\s{1,3})?(?:interest\s{1,3})?rate\s{1,3}(?:per\s{1,3}annum\s{1,3})?(?:of|equal\s{1,3}to))\s{1,3}(?<rate>\d{1,2}(?:\.\d{1,4})?)\s?%(?!\s{1,3}(?:to|above|over|plus|in\s{1,3}excess)\b)/gi
const floats =
  /\b(?:SOFR|LIBOR|EURIBOR|SONIA|prime|base\s{1,3}rate|floating|variable|swaps?|default\s{1,3}rate|event\s{1,3}of\s{1,3}default)\b/i

/** The one fixed rate that sentences say a loan bears, where none says that it floats. */
function fixedRateIn(said: string): InstrumentLine {
  const [one, ...others] = new Set([...said.matchAll(fixed)].map(({ groups }) => Number(groups?.['rate'])))
  return one === undefined || others.length > 0 || floats.test(said)
    ? {}
    : { rate_type: 'fixed', coupon_rate: one }
}
