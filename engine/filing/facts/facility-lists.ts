import { smallest } from '../../base/lists.ts'
import { DATE } from './facility-maturity.ts'
import { sentenceAround } from './flat-text.ts'
import { dayNamed } from './maturities.ts'
import { AMOUNT, amountIn, everyAmount, type Money, type Scale } from './money.ts'
import { numberedFacilitiesIn } from './numbered-facilities.ts'

/** One of several facilities that a sentence names together. */
export interface ListedFacility {
  readonly words: string
  readonly commitment: Money
  readonly maturity: string
  readonly from: number
  readonly to: number
  /** Of a numbered list: where it begins, and its first mark. */
  readonly list?: readonly [begin: number, mark: number]
}

const ENDS = '(?:expir(?:e|es|ing)|matur(?:e|es|ing)|terminat(?:e|es|ing)|due)'
const TENOR = '(?:\\w{3,6}|\\d{1,3})\\s?-?\\s?(?:year|day|month)'
const LINE =
  /\b(?:credit\s(?:facilit(?:y|ies)|lines?|agreements?)|facilit(?:y|ies)|lines?\sof\scredit|term\sloans?|revolv\w+)\b/i

/** `of which $2,480 is a 364-day revolving credit facility expiring in November 2029, $2,370 expires in November 2030`. */
const eachWithItsDay = new RegExp(
  `${AMOUNT},?\\s{1,3}(?:(?:is|are|under|was)\\s{1,3}(?:an?\\s{1,3})?)?(?<words>(?:[\\w-]+\\s{1,3}){0,8}?)(?:(?:which|that)\\s{1,3}(?:is|are)?\\s{0,3}(?:scheduled\\s{1,3}to\\s{1,3})?)?${ENDS}\\s{1,3}(?:in|on)?\\s{0,3}(?<date>${DATE})`,
  'gi',
)
const respectively = new RegExp(
  `\\b${ENDS}\\s{1,3}(?:in\\s{1,3}|on\\s{1,3})?(?<dates>${DATE}(?:(?:,?\\s{1,3}and\\s{1,3}|,\\s{1,3})${DATE}){1,4}),?\\s{1,3}respectively`,
  'gi',
)
const everyDate = new RegExp(DATE, 'gi')
const NUMBERS: Readonly<Record<string, number>> = { two: 2, three: 3, four: 4 }

/** Before an amount: it is no facility in force. */
const isNone =
  /\b(?:prior|previous|former|existing|replac\w+|terminat(?:ed|ing)|repa(?:id|y\w*)|refinanc\w+|cancel\w*|notes?(?!\s{1,3}\d)|bonds?|debentures?|sub-?limits?)\b[^.;]{0,60}$/i

const named = (date: string): string | null => dayNamed(date.replace(/\s+/g, ' '))

/** The facilities that a sentence lists together, each with the day on which it falls due. */
export function listedFacilitiesIn(flat: string, scale: Scale): ListedFacility[] {
  const numbered = numberedFacilitiesIn(flat, scale)
  const others = [...eachOfIn(flat, scale), ...respectiveIn(flat, scale), ...oneByOneIn(flat, scale)]
  return [
    ...numbered,
    ...others.filter(each => !numbered.some(item => each.from < item.to && item.from < each.to)),
  ]
}

/** `$7.0 billion five-year and $4.0 billion 364-day credit facilities, which mature in May 2029 and May 2025, respectively`. */
function respectiveIn(flat: string, scale: Scale): ListedFacility[] {
  return [...flat.matchAll(respectively)].flatMap(match => {
    const days = [...(match.groups?.['dates'] ?? '').matchAll(everyDate)].map(each => named(each[0]))
    const [begin] = sentenceAround(flat, match.index)
    const before = flat.slice(begin, match.index)
    const amounts = [...before.matchAll(everyAmount)].slice(-days.length)
    const [first] = amounts
    if (first === undefined || !LINE.test(before.slice(first.index))) return []
    // `two $5.0 billion credit facilities that expire on`.
    const alike = /\b(two|three|four)\s(?:\w+\s){0,3}$/i.exec(before.slice(0, amounts.at(-1)?.index))?.[1]
    const last = amounts.at(-1)
    const each =
      alike !== undefined && NUMBERS[alike.toLowerCase()] === days.length && last !== undefined
        ? days.map(() => last)
        : amounts
    if (each.length !== days.length || isNone.test(before.slice(0, each[0]?.index).slice(-90))) return []
    const shared = before.slice(last?.index)
    if (isOfNotes.test(before.slice(each[0]?.index))) return []
    return each.flatMap((amount, i) => {
      const commitment = amountIn(amount.groups ?? {}, scale)
      const maturity = days[i]
      if (commitment === null || maturity === null || maturity === undefined) return []
      const own = before.slice(amount.index + amount[0].length, each[i + 1]?.index ?? before.length)
      const from = begin + amount.index
      const words = wordsOf(own, LINE.test(own) ? own : shared, before.slice(0, amount.index))
      return [{ words, commitment, maturity, from, to: from + amount[0].length }]
    })
  })
}

/** `three- and five-year syndicated facility agreements`. */
const TENORS =
  /\b(?<tenors>(?:(?:two|three|four|five|six|seven|364|[2-7])(?:-|\s-|\s)?(?:year|day)?(?:,?\s{1,3}(?:and\s{1,3})?)){1,3}(?:two|three|four|five|six|seven|364|[2-7])[-\s](?:year|day))\b/i
const eachProvides = new RegExp(
  `\\beach\\s{1,3}(?:of\\s{1,3}which\\s{1,3})?(?:provid\\w+|consist\\w+)\\s{1,3}(?:(?:for|of)\\s{1,3})?(?:an?\\s{1,3})?(?<words>(?:[\\w-]+\\s{1,3}){0,6}?(?:facility|line\\s{1,3}of\\s{1,3}credit))\\s{1,3}(?:of|with|in\\s{1,3}an\\s{1,3}amount\\s{1,3}of)\\s{1,3}${AMOUNT}`,
  'gi',
)
const datesInOrder = new RegExp(
  `\\b(?:matur\\w+|expir\\w+|terminat\\w+|due)\\b[^.;$]{0,40}?(?<dates>${DATE}(?:(?:,?\\s{1,3}and\\s{1,3}|,\\s{1,3})${DATE}){1,3}),?\\s{1,3}respectively`,
  'i',
)

/** Facilities that `each provide a revolving credit facility of $1.9 billion`, and fall due on days given in their order. */
function eachOfIn(flat: string, scale: Scale): ListedFacility[] {
  return [...flat.matchAll(eachProvides)].flatMap(match => {
    const [begin, end] = sentenceAround(flat, match.index)
    const [, last] = sentenceAround(flat, Math.min(end + 2, flat.length))
    const dates = datesInOrder.exec(flat.slice(match.index, last))?.groups?.['dates'] ?? ''
    const days = [...dates.matchAll(everyDate)].map(each => named(each[0]))
    const commitment = amountIn(match.groups ?? {}, scale)
    if (commitment === null || days.length < 2 || isNone.test(flat.slice(begin, match.index).slice(-90)))
      return []
    const spelled = TENORS.exec(flat.slice(Math.max(0, begin - 300), match.index))?.groups?.['tenors'] ?? ''
    const tenors = [...spelled.matchAll(/\b(?:two|three|four|five|six|seven|364|[2-7])\b/gi)].map(
      each => each[0],
    )
    const words = (match.groups?.['words'] ?? '').trim()
    return days.flatMap((maturity, i) => {
      if (maturity === null) return []
      const tenor =
        tenors.length === days.length ? `${tenors[i]}-${tenors[i] === '364' ? 'day' : 'year'} ` : ''
      const from = match.index + i
      return [{ words: `${tenor}${words}`, commitment, maturity, from, to: from + 1 }]
    })
  })
}

const isOfNotes = /\b(?:notes|bonds|debentures)\b/i
const tenor = new RegExp(`\\b${TENOR}\\b`, 'i')
const tenorBefore = new RegExp(`\\b${TENOR}\\s{1,3}$`, 'i')

/** `364-day revolving credit facility`, of the words behind its amount, else of the tenor before it. */
function wordsOf(own: string, line: string, before: string): string {
  const of = (tenor.exec(own) ?? tenorBefore.exec(before))?.[0]?.trim() ?? ''
  const kind = /\bterm\s{1,3}loans?\b/i.test(line)
    ? 'term loan facility'
    : /\brevolv/i.test(line)
      ? 'revolving credit facility'
      : 'credit facility'
  return `${of} ${kind}`.trim()
}

/** Facilities of a sentence that each have their amount and their day; at least two. */
function oneByOneIn(flat: string, scale: Scale): ListedFacility[] {
  const found = [...flat.matchAll(eachWithItsDay)].map(match => ({
    match,
    sentence: sentenceAround(flat, match.index)[0],
  }))
  return found.flatMap(({ match, sentence }) => {
    const beside = found.filter(each => each.sentence === sentence)
    const first = smallest(beside.map(each => each.match.index))
    const lead = flat.slice(sentence, first)
    const { words = '', date = '' } = match.groups ?? {}
    const commitment = amountIn(match.groups ?? {}, scale)
    const maturity = named(date)
    const before = beside.findLast(each => each.match.index < match.index)?.match
    const since =
      before === undefined ? Math.max(sentence, match.index - 60) : before.index + before[0].length
    // `a Term Loan A with an original balance of $200 million due`.
    const isLoan =
      /\bterm\s{1,3}loan\b/i.test(flat.slice(since, match.index)) ||
      (/\bterm\s{1,3}loans\b/i.test(lead) && !/\b(?:revolv\w+|facilit\w+|lines?)\b/i.test(lead))
    const line = isLoan ? 'term loan' : words
    const around = beside.map(each => each.match.groups?.['words'] ?? '').join(' ')
    if (
      beside.length < 2 ||
      commitment === null ||
      maturity === null ||
      !/\bof which\b|\bconsist\w*|\bcompris\w*|\binclud\w+|:/i.test(lead.slice(-140)) ||
      !/\b(?:credit|facilit\w+|revolv\w+|term\s{1,3}loans)\b/i.test(`${lead.slice(-240)} ${around}`) ||
      /\b(?:notes|bonds|debentures|issued)\b/i.test(`${lead.slice(-160)} ${words}`)
    )
      return []
    return [
      {
        words: wordsOf(words, line, flat.slice(0, match.index).slice(-24)),
        commitment,
        maturity,
        from: match.index,
        to: match.index + match[0].length,
      },
    ]
  })
}
