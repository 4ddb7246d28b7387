import type { ScheduleLine } from './debt-schedules.ts'
import { oneLine } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { dueOnceIn, maturityIn, spelledMaturity } from './maturities.ts'
import { couponAmong } from './stated-rates.ts'

/** What a line of a table of debt is: null where it is no debt of its own, as a total, a discount, a lease. */
export interface DebtLine {
  readonly name: string
  /** The rate as the line states it; null where it has none, or one that is no coupon. */
  readonly coupon: number | null
  readonly isFloating: boolean
  /** It says that its rate is fixed, or which. */
  readonly isFixed: boolean
  /** Null where it states none, or several. */
  readonly maturity: string | null
  /** What is owed is drawn under a facility. */
  readonly isFacility: boolean
}

const NO_DEBT =
  /^(?:less|plus|add)\b|\bless:|\b(?:total|subtotal|unamortized|amortized|(?:un)?accreted|discounts?|premiums?|interest (?:paid|costs?)|issuance costs?|(?:debt|financing|issue) costs|deferred|expenses?|swaps?|hedg\w+|fair value|fair market|adjustments?|derivatives?|(?<!\bnet[- ])leases?|leaseback(?!.{0,80}\bfinancings?\b)|current (?:portion|maturities|installments)|(?:due|maturing|payable) within|(?<!\b(?:fixed|floating|variable|various) )interest rates?|accrued|long-term portion|noncontrolling|advance royalt(?:y|ies)|(?<!cash )equity|restricted cash|accounts payable|liabilit(?:y|ies)|eliminations?|other than|net long-term|(?<!\bescrow )deposits?)\b/i
/** The whole debt of a term. */
const WHOLE =
  /^(?:(?:aggregate|outstanding|long-term) )?(?:debt )?(?:principal|face)(?: (?:amount|balance|value))?(?: outstanding)?$|^(?:short-term|long-term|current|non-?current|net|gross|consolidated|corporate|automotive|company)?[\s-]{0,3}(?:long-term|short-term)?\s{0,3}(?:debt|borrowings|indebtedness|notes payable)?(?: obligations)?$/i
/** Short-term debt and notes payable are lines of their own beside lines of other kinds. */
const OF_ONE_KIND = /^(?:short-term(?: (?:debt|borrowings|notes payable))?|notes payable)$/i
/** Debt after swaps, which is the same debt once more. */
const BY_RATE = /^(?:total )?(?:fixed|floating|variable)[- ]rate (?:debt|borrowings)$/i
/** A heading of lines that say again where the statements show the debt above. */
const CAPTIONS =
  /^(?:(?:consolidated )?balance sheets? (?:captions?|classifications?|presentation)|(?:reflected|classified|reported|presented|included) (?:as|in)\b.{0,60})$/i
const NOUN =
  /\b(?:stock|shares|notes?|bonds?|debentures?|loans?|debt|paper|facilit\w+|revolver|borrowings?|certificates?|mortgages?|credit|obligations?|program|securit\w+|indebtedness|financings?|paper|tranche|term|advances?|tl[ab])\b/i
const RATE_RANGE =
  /\d ?%? ?(?:-|to|and|through) ?\d{1,2}(?:\.\d{1,4})? ?%|\b(?:various|ranging|rates from)\b|\d ?%, ?\d{1,2}(?:\.\d{1,4})? ?%/i
const DUE_RANGE =
  /\b(?:19|20)\d\d ?(?:-|to|and|through) ?(?:[a-z]{3,9} )?(?:19|20)?\d\d\b|\bdue (?:fiscal |in )?(?:through|various|at various)|\bthrough (?:[a-z]{3,9} )?(?:\d{1,2}, )?20\d\d|\bor later\b/i
const PERCENT = /(?<![\d.])(\d{1,2}(?:\.\d{1,5})?|\.\d{1,5}) ?(?:%|percent\b)/gi
const FLOATS =
  /\b(?:floating|variable|libor|hibor|sofr|euribor|tibor|torf|sonia|cdor|cdi|bbsw|prime)\d?\b|\+ ?\d/i
const FACILITY =
  /\b(?:revolv\w+|lines? of credit|credit (?:facilit\w+|agreements?)|rcf|abl)\b(?!.{0,40}\bterm loan)/i
const HIGHEST_COUPON = 20

const AMOUNT = '\\$[\\d,.]{1,15}(?: (?:million|billion))?'
const AT = ',? (?:at|as of) [A-Z][a-z]{2,8} \\d{1,2}, 20\\d\\d(?: and [A-Z][a-z]{2,8} \\d{1,2}, 20\\d\\d)?'
/** What a balance is net of, in the midst of a name: `, net of discount of $0.4 and $0.5, respectively`. */
const NET_OF = new RegExp(
  `,? (?:net of|including) (?:an? |the )?(?:[a-z-]{2,14} ){0,5}?(?:discounts?|premiums?|costs?|fees|adjustments?)(?: of ${AMOUNT}(?:${AT})?(?:(?:,| and|, and) ${AMOUNT}(?:${AT})?){0,2}(?:,? respectively)?)?(?=[;,]| which\\b| due\\b|$)`,
  'i',
)
/** The rate of a day behind what interest is based on: `, interest rate at June 30, 2026 and 2025 was 2.3% and 1.9% respectively`. */
const RATE_OF_DAY =
  /,? (?:with an? )?(?:weighted[- ]average |effective )?interest rates? (?:at|as of) [a-z\d, ]{6,60} (?:was|were) [\d.]{1,8} ?%(?: and [\d.]{1,8} ?%)?(?:,? respectively)?/i

/** How a loan is paid, in parts of its name: `; quarterly principal payments of $2.0 million; interest rate at LIBOR plus a margin; due`. */
const PAYMENTS =
  /;\s?(?:(?:\$ ?[\d.,]{1,12} (?:million )?)?(?:(?:quarterly|monthly|annual|semi-?annual) )?principal payments?\b[^;]{0,140}|interest(?:[- ]only)? (?:(?:quarterly|monthly|annual) )?payments?\b[^;%]{0,80}|interest rates? (?:at|based on|equal to)\b[^;%]{0,160})(?=;|$)/gi

const DUE_BEHIND = /;\s?due (?=[A-Z][a-z]{2,8} (?:\d{1,2}, )?20\d\d$)/

const RATE_AT = '\\d{1,2}(?:\\.\\d{1,5})? ?%'
const ON_DAY = '(?:at|as of) [A-Z][a-z]{2,8} \\d{1,2}, 20\\d\\d'
/** Rates of days before what they are: `, 9.7% interest rate at December 31, 2023 and 8.8% at December 31, 2022`. */
const RATES_OF_DAYS = new RegExp(
  `,? ${RATE_AT} (?:(?:weighted[- ]average|effective) )?interest rate ${ON_DAY}(?:(?: and|,) ${RATE_AT} ${ON_DAY})?`,
  'i',
)

/** The rate of a day behind a name: `, with an interest rate of 5.31% at March 31, 2025 and 5.58% at December 31, 2024`. */
const WITH_RATE_OF_DAY = new RegExp(
  `,? (?:(?:with|bearing) (?:an? )?)?(?:weighted[- ]average |effective )?interest rates? (?:of )?${RATE_AT} ${ON_DAY}(?:(?: and|,) ${RATE_AT} ${ON_DAY})?`,
  'i',
)
const WITH_RATE =
  /,? (?:with|at) (?:an? )?(?:fixed )?interest rates? (?:of|ranging from|between) (?=[\d.]{1,8} ?%)/i

/** A label without what stands in brackets, which are rates of a day and amounts in other currencies, and notes of its foot. */
const bare = (label: string): string =>
  label
    // Also around the mark of a note, `(interest rate of 4.2%(1) at September 30, 2026)`.
    .replace(/\(\w{1,2}\)|\[\w{1,2}\]/g, ' ')
    .replace(/\([^()]{0,160}\)/g, ' ')
    .replace(/\([^()]{0,160}$/, ' ')
    .replace(NET_OF, ' ')
    .replace(/\. (?:at|as of) [^;]{0,90}\bthere (?:was|were) .{0,120}$/i, '')
    .replace(/,? net of [^;]{0,120}$/i, '')
    .replace(RATE_OF_DAY, '')
    .replace(RATES_OF_DAYS, '')
    .replace(WITH_RATE_OF_DAY, '')
    .replace(WITH_RATE, ', ')
    .replace(/(?<=[\d.] ?%) (?:(?:fixed|stated|annual) )?interest rate(?= {0,2}(?:[,;]|due\b|$))/i, '')
    .replace(PAYMENTS, '')
    .replace(DUE_BEHIND, ' due ')
    .replace(/, face amount of \$[\d,.]{1,15}(?: (?:million|billion))?(?= due\b)/i, '')
    .replace(
      /,? (?:contractual|stated|nominal) (?:annual )?(?:interest )?rate (?:of )?(?=[\d.]{1,8} ?%)/i,
      ', ',
    )
    .replace(/,? which bears? interest at (?:a|the) rate of [\d.]{1,8} ?%$/i, '')
    .replace(/,?(?: with an)? effective (?:interest )?rate (?:of )?[\d.]{1,8} ?%/i, '')
    .replace(/^(?:US)?\$ ?[\d,.]{1,9} (?:million|billion)(?: (?:USD )?|$)/i, '')
    .replace(/, (?:aggregate )?principal(?: amount)?$/i, '')
    .replace(
      /^(?:aggregate |outstanding )?principal amount of (?=[a-z ]{3,40}\b(?:notes|debentures|bonds)$)/i,
      '',
    )
    .replace(/[\s-]{0,4}\bstated maturity:?$/i, '')
    .replace(/[\s-]{0,4}\bstated maturity: ?(?=20\d\d)/i, ' due ')
    .replace(/ various$/i, '')
    .replace(/[$,;:\s.-]{1,9}$/, '')
    // A number of a footnote set behind a word or a year.
    .replace(/(?<!\b(?:series|tranche|class|notes?|loan|line|facility|program|phase)) \d$/i, '')
    .replace(/\b(20\d\d)\d\b/g, '$1')
    .replace(/(?<=\b(?:loans|notes|bonds|debentures|borrowings|facility|agreement|debt))\d$/i, '')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[,;])/g, '')
    .trim()

export function debtLineOf({ row, before, head, isBesideOthers }: ScheduleLine): DebtLine | null {
  const label = bare(row.label)
  const heading = bare(row.heading).replace(/ due(?: on| in)?$/i, '')
  // `Due after one year and through three years`: a schedule of payments.
  if (/\b(?:within|after|through|less than|more than)\b.{0,40}\byears?\b/i.test(label) && !NOUN.test(label))
    return null
  if (NO_DEBT.test(label) || BY_RATE.test(label) || CAPTIONS.test(heading)) return null
  // A table of all long-term obligations has others than debt.
  if (/^other (?:long-term )?obligations$/i.test(label) && !/\b(?:debt|borrowings|notes)\b/i.test(head))
    return null
  if (label !== '' && WHOLE.test(label) && !(isBesideOthers && OF_ONE_KIND.test(label))) return null
  const topic = heading.replace(/\b(?:fixed|floating|variable)(?:[\s-]interest)?[\s-]rates?\b/gi, ' ')
  if (NO_DEBT.test(topic) && !NOUN.test(label)) return null
  const named = [...label.matchAll(PERCENT)].map(match => Number(match[1]))
  const ranges = row.marks.filter(({ kind }) => kind === 'range').map(({ text }) => text)
  const years = ranges.filter(range => /^(?:19|20)\d\d/.test(range))
  const rates = ranges.filter(range => !years.includes(range))
  const dues = row.marks.filter(({ kind }) => kind === 'due').map(({ text }) => text)
  const isRange = RATE_RANGE.test(label) || named.length > 1 || rates.length > 0
  const isLong = DUE_RANGE.test(label) || years.length > 0
  const stated = maturityIn([label], label) ?? dueOnceIn(row.label)
  const beside = lastOf(dues)
  // A column says more exactly when notes of a year fall due.
  const isExacter = stated?.length === 4 && beside?.startsWith(stated) === true
  const maturity = isLong ? null : isExacter ? beside : (stated ?? beside)
  const isFloating =
    FLOATS.test(`${label} ${row.others}`) ||
    (FLOATS.test(heading) && named.length === 0 && !/fixed/i.test(heading))
  const coupon =
    isRange || isLong || isFloating || OF_AVERAGE.test(label)
      ? null
      : (named[0] ??
        rateBorne(row.label) ??
        rateInBrackets(row.label) ??
        rateAsName(row) ??
        couponBeside({ row, before, head }))
  const range = named.length > 0 || !statesCoupon(head) ? null : (rates[0] ?? null)
  const rate = range ?? (coupon !== null && named.length === 0 ? `${coupon}%` : null)
  const words = nameOf({ label, heading, rate, due: years[0] ?? maturity })
  if (words === null) return null
  const name = isFloating && !FLOATS.test(words) ? `Floating-rate ${words}` : words
  const isFixed = coupon !== null || (!isFloating && /\bfixed\b/i.test(`${label} ${row.others}`))
  return { name, coupon, isFloating, isFixed, maturity, isFacility: FACILITY.test(label) }
}

/** `5.58% weighted-average senior notes`, `Foreign bank debt weighted average rate 6.11%`. */
const OF_AVERAGE = /\d ?% weighted[- ]average\b|\bweighted[- ]average (?:interest )?rate (?:of )?\d/i

const BORNE =
  /\bbears? (?:fixed )?interest at (?:the |a )?(?:fixed )?rate of (?<rate>\d{1,2}(?:\.\d{1,5})?) ?%/i

/** The rate that a name says the notes bear behind what they are net of. */
function rateBorne(label: string): number | null {
  const rate = BORNE.exec(label)?.groups?.['rate']
  return rate === undefined ? null : Number(rate)
}

/** `Senior Notes due 2029 (interest rate of 5.25%)`: one that is neither of a day nor an average. */
function rateInBrackets(label: string): number | null {
  const rate = NOTES_DUE.test(label) ? IN_BRACKETS.exec(label)?.groups?.['rate'] : undefined
  return rate === undefined ? null : Number(rate)
}

const NOTES_DUE = /\b(?:notes|bonds|debentures)\b.{0,12}\bdue\b/i
const IN_BRACKETS =
  /\((?:with an? )?(?:fixed |stated |annual |coupon ){0,2}interest rate of (?<rate>\d{1,2}(?:\.\d{1,5})?) ?%\)/i

/** The rate that stands in place of a name, `9.250% | April 2026 | 737`, below a heading that names notes. */
function rateAsName({ label, heading, marks }: ScheduleLine['row']): number | null {
  const [first, ...others] = marks
  if (label !== '' || first?.kind !== 'percent' || others.some(({ kind }) => kind === 'percent')) return null
  return first.value > 0 && first.value < HIGHEST_COUPON && OF_NOTES.test(heading) ? first.value : null
}

const OF_NOTES = /\b(?:notes|bonds|debentures)\b/i

const isShortTerm = /^short-term(?: debt| borrowings| notes payable)*(?: \([^()]*\))?$/i
const isPartOfIt = /\b(?:commercial paper|notes payable|short-term|overdrafts?|bank (?:loans|borrowings))\b/i

/** Without short-term debt as one line where others name what it is. */
export const onceShortTerm = (lines: readonly InstrumentLine[]): InstrumentLine[] =>
  lines.filter(
    line =>
      !isShortTerm.test(line.name ?? '') ||
      lines.every(other => other === line || !isPartOfIt.test(other.name ?? '')),
  )

/** The last of the days of a line, which is that of its maturity. */
const lastOf = (days: readonly string[]): string | null =>
  days.length === 0 || days.length > 3 ? null : (days.toSorted().at(-1) ?? null)

/** The rate in a column that the head calls a coupon, a stated rate or an interest rate, not an average. */
function couponBeside({ row, before, head }: Pick<ScheduleLine, 'row' | 'before' | 'head'>): number | null {
  const firstAmount = row.marks.findIndex(({ kind, value }) => kind === 'amount' && !before.includes(value))
  const percents = row.marks.flatMap(({ kind, value }, i) => (kind === 'percent' ? [{ value, i }] : []))
  // Beside an average, the coupon is the first of two rates that stand before the amounts.
  const isAverage =
    /\b(?:effective|average|weighted)\b/i.test(head) && !NAMED_COUPON.test(head.replace(AVERAGES, ' '))
  const leading = percents.filter(({ i }) => !isAverage || i < firstAmount).map(({ value }) => value)
  const rates = percents.length > 0 ? leading : before.filter(value => value > 0 && value < HIGHEST_COUPON)
  const [, ...others] = rates
  const rate = couponAmong(rates, head)
  if (rate === undefined || rate > HIGHEST_COUPON) return null
  return statesCoupon(head) && (!isAverage || others.length > 0) ? rate : null
}

/** The average of the coupons of several. */
const AVERAGES =
  /\bweighted[- ]average (?:stated|nominal|contractual|coupon|effective)?(?: (?:annual|interest))?(?: rates?)?/gi
const NAMED_COUPON = /\b(?:coupon|stated|nominal|contractual)\b/i

/** Whether the heads of a table name a rate that is neither effective nor an average. */
function statesCoupon(head: string): boolean {
  if (NAMED_COUPON.test(head.replace(AVERAGES, ' '))) return true
  const others = head.replace(
    /\b(?:effective|average|weighted|fixed|floating|variable)\b[\s-]{0,3}(?:average\s)?(?:annual\s)?(?:interest\s)?(?:rates?)?/gi,
    ' ',
  )
  return /\brates?\b|\binterest\b(?! payable)/i.test(others)
}

interface Named {
  readonly label: string
  readonly heading: string
  readonly rate: string | null
  readonly due: string | null
}

/** `3.25% Senior unsecured debt due 2026`: the words of the line, with its heading where they do not say what it is. */
function nameOf({ label, heading, rate, due }: Named): string | null {
  const own = label
    .replace(/^(?:all )?others?(?=,|$)/i, 'Other debt')
    .replace(/^short-term$/i, 'Short-term debt')
    // `2023 through 2028` alone is when it falls due.
    .replace(/^(?=20\d\d (?:through|to|-) 20\d\d$)/, 'due ')
  const group = NOUN.test(heading) && heading.length < 70 && !/[.]$/.test(heading) ? heading : ''
  const hasNoun = NOUN.test(own.replace(/\blong-term\b/gi, ''))
  // `1.85% due 2018` below `Notes`.
  const said = hasNoun ? own : [own, group].filter(part => part !== '').join(' ')
  const words = NOUN.test(said) ? said : `${said} debt`.trim()
  if (said === '' && rate === null && due === null) return null
  // `4.50% and 6.15% due 2036`: what they are stands before a range.
  const set =
    hasNoun || group === '' || !/^[\d.]{1,8} ?%/.test(own)
      ? words
      : /^[\d.]{1,8} ?% ?(?:-|to|and|,)/.test(own)
        ? `${group} ${own}`
        : own.replace(/^([\d.]{1,8} ?%),?/, `$1 ${group.toLowerCase()}`)
  const isRange = rate !== null && /-|to/.test(rate)
  const front = rate === null || isRange || set.includes(rate) ? '' : `${rate} `
  const range =
    isRange && !set.includes(rate) ? ` ${rate.replace(/([\d.]+)(?: ?%)?/g, '$1%').replace(/ ?- ?/, '-')}` : ''
  const last = due === null || set.includes(due.slice(0, 4)) ? '' : ` due ${spelledMaturity(due)}`
  const name = `${front}${set}${range}${last}`
  return oneLine(name.charAt(0).toUpperCase() + name.slice(1), 160)
}
