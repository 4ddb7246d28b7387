import { quoted } from './evidence.ts'
import { paperRowsIn } from './facility-tables.ts'
import { type FiledSection, tellsOfDebt } from './filed-section.ts'
import { flatten, sentenceAround } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { proseOf } from './issue-lists.ts'
import { spelledMaturity } from './maturities.ts'
import { AMOUNT, amountIn, everyAmount, type Money, type Scale, scaleOf } from './money.ts'
import { datesIn } from './spelled-dates.ts'

const OTHER = '\\$ ?[\\d.,]{1,12}\\s{1,3}(?:million|billion)'
const PAPER = 'commercial\\s{1,3}paper(?:\\s{1,3}(?:notes|borrowings|obligations|balance))?'
/** `we had $4,209 million and $2,146 million, respectively, in outstanding commercial paper borrowings`. */
const had = new RegExp(
  `\\b(?:had|have|has|was|were)\\s{1,3}(?:approximately\\s{1,3})?${AMOUNT}(?:\\s{1,3}and\\s{1,3}${OTHER},?\\s{1,3}respectively,?)?\\s{1,3}(?:in|of)\\s{1,3}(?:outstanding\\s{1,3})?${PAPER}`,
  'gi',
)
/** `commercial paper borrowings outstanding totaled $6.1 billion`, `commercial paper and credit facility borrowings totaling $786 million`. */
const totaled = new RegExp(
  `\\b(?:outstanding\\s{1,3})?${PAPER}\\s{1,3}(?:and\\s{1,3}credit\\s{1,3}facility\\s{1,3}borrowings\\s{1,3})?(?:outstanding\\s{1,3})?(?:totall?ed|totall?ing|was|were|of)\\s{1,3}(?:approximately\\s{1,3})?${AMOUNT}`,
  'gi',
)
const isOther =
  /\b(?:maximum|average|up to|authori[sz]ed|program (?:of|size|limit)|may issue|repaid|proceeds|issued|subsequent)\b/i

const PLAIN = AMOUNT.replace(/\?<\w+>/g, '?:')
/** One amount, or those of two days. */
export const LISTED = `${PLAIN}(?:,?\\s{1,3}and\\s{1,3}${PLAIN})?(?:,?\\s{1,3}respectively,?)?`
/** `$8.5 billion and $6.3 billion of commercial paper outstanding`, `$725 million of borrowings outstanding under the programs`. */
const amountOfPaper = new RegExp(
  `${LISTED}\\s{1,3}(?:of|in)\\s{1,3}(?:outstanding\\s{1,3})?(?:${PAPER}|(?:short-term\\s{1,3})?borrowings\\s{1,3}outstanding,?\\s{1,3}(?:which\\s{1,3}were\\s{1,3}issued\\s{1,3})?under\\s{1,3}(?:the|our|its)\\s{1,3}commercial\\s{1,3}paper\\s{1,3}programs?)\\b`,
  'i',
)
const paperAtDay = new RegExp(
  `\\b${PAPER}\\s{1,3}outstanding\\s{1,3}(?:at|as\\s{1,3}of)\\b[^.;$]{0,40}\\b(?:was|were|totall?ed)\\s{1,3}(?:approximately\\s{1,3})?${PLAIN}`,
  'i',
)
const PROGRAM =
  'under\\s{1,3}(?:the|our|its|these)\\s{1,3}(?:[\\w.-]+\\s{1,3}){0,3}?commercial\\s{1,3}paper\\s{1,3}programs?'
/** `there was $640 million outstanding under our commercial paper program`. */
const underProgram = new RegExp(
  `${LISTED}\\s{1,3}(?:(?:was|were|of\\s{1,3}(?:notes|borrowings))\\s{1,3})?outstanding\\s{1,3}${PROGRAM}\\b`,
  'i',
)
/** `Borrowings under the commercial paper program were $150 million`. */
const programWas = new RegExp(
  `\\bborrowings\\s{1,3}(?:outstanding\\s{1,3})?${PROGRAM}\\s{1,3}(?:was|were|totall?ed)\\s{1,3}(?:approximately\\s{1,3})?${LISTED}`,
  'i',
)
/** `The Company issues commercial paper from time to time and had $315 million and $0 outstanding`. */
const issuesAndHad = new RegExp(
  `\\b${PAPER}\\b[^.;$]{0,60}\\band\\s{1,3}(?:had|has)\\s{1,3}(?:approximately\\s{1,3})?${LISTED}\\s{1,3}outstanding\\b`,
  'i',
)
/** `$360 million and $348 million, respectively, in lines of credit, short-term credit facilities and other short-term borrowings`. */
const otherBorrowings = new RegExp(
  `${LISTED}\\s{1,3}(?:of|in)\\s{1,3}(?:outstanding\\s{1,3})?(?:lines\\s{1,3}of\\s{1,3}credit,?\\s{1,3}[^.;$]{0,60})?other\\s{1,3}short-term\\s{1,3}borrowings\\b`,
  'i',
)
/** `Short-term borrowings outstanding were $88 and $41 at the end of 2022 and 2021`. */
const atEndOfYears = new RegExp(
  `\\bshort-term\\s{1,3}borrowings\\s{1,3}outstanding\\s{1,3}(?:were|was|totall?ed)\\s{1,3}(?<amounts>${LISTED})\\s{1,3}at\\s{1,3}the\\s{1,3}end\\s{1,3}of\\s{1,3}(?:fiscal\\s{1,3})?(?<years>20\\d\\d(?:\\s{1,3}and\\s{1,3}20\\d\\d)?)\\b`,
  'gi',
)
/** `December 31, 2020 and 2021` names two days. */
const twoYears = /\b(?<day>[A-Z][a-z]{2,8} \d{1,2}), (?<first>20\d\d),? and (?<second>20\d\d)\b/g

/** `at year-end 2024 and 2023`, as the days on which years end. */
const atYearEnd = /\b(?<at>at|as of) (?:the end of |year-?end )(?:fiscal )?(?<year>20\d\d)\b/gi

const isNoLimit = /\bweighted[- ]average\b|\bissued (?:and outstanding|under)\b/gi

/** The amount that a sentence gives for the report's day: of one day, of two days in their order, or of both alike. */
export function amountAt(sentence: string, stated: string, day: string, scale: Scale): Money | null {
  const spelled = sentence
    .replace(/\s+/g, ' ')
    .replace(atYearEnd, `$<at> ${spelledMaturity(day).replace(/\d{4}$/, '')}$<year>`)
    .replace(twoYears, '$<day>, $<first> and $<day>, $<second>')
  const days = datesIn(spelled).map(({ date }) => date)
  const amounts = [...stated.matchAll(everyAmount)].map(match => amountIn(match.groups ?? {}, scale))
  const at = days.indexOf(day)
  if (at < 0 || days.length > 2 || /\b(?:no|nor|not)\b/i.test(sentence)) return null
  return (amounts.length === days.length ? amounts[at] : amounts.length === 1 ? amounts[0] : null) ?? null
}

const betweenClauses =
  /;\s|,?\s{1,3}(?:and|while|but|whereas|compared\s{1,3}(?:to|with))\s{1,3}(?=(?:as\s{1,3}of|at|on|we|there|no|the\s{1,3}company)\b)/i

/**
 * The clause of the report's day, of a sentence that says one thing of each of two days: `As of December 31, 2023, we had
 * none and as of December 31, 2024, we had $2.3 billion`. Null where a clause names no day, or two name this one.
 */
function clauseAt(sentence: string, day: string): string | null {
  const clauses = sentence.split(betweenClauses)
  const days = clauses.map(clause => datesIn(clause).map(({ date }) => date))
  const own = clauses.filter((_, i) => days[i]?.includes(day))
  return clauses.length > 1 && days.every(each => each.length === 1) && own.length === 1
    ? (own[0] ?? null)
    : null
}

/** Borrowings that a sentence of each kind says were outstanding at the report's day. */
function borrowingsIn(flat: string, day: string, scale: Scale, patterns: readonly RegExp[]) {
  return sentencesNaming(flat, /\b(?:commercial\s{1,3}paper|short-term\s{1,3}borrowings)\b/gi).flatMap(
    ([from, to]) => {
      const whole = flat.slice(from, to)
      const sentence = clauseAt(whole, day) ?? whole
      const stated = patterns.map(pattern => pattern.exec(sentence)?.[0]).find(each => each !== undefined)
      if (stated === undefined || isOther.test(sentence.replace(isNoLimit, ' '))) return []
      const amount = amountAt(sentence, stated, day, scale)
      return amount === null || amount.value === 0 ? [] : [{ amount, from, to }]
    },
  )
}

function sentencesNaming(flat: string, every: RegExp): (readonly [number, number])[] {
  const found = new Map<number, readonly [number, number]>()
  for (const match of flat.matchAll(every)) {
    const sentence = sentenceAround(flat, match.index)
    found.set(sentence[0], sentence)
  }
  return [...found.values()]
}

/** Other short-term borrowings that a sentence tells beside commercial paper. */
function otherBorrowingsIn(section: FiledSection): InstrumentLine[] {
  const day = section.period_end
  if (!tellsOfDebt(section) || day === null) return []
  const flat = flatten(section.text)
  const found = borrowingsIn(flat, day, scaleOf(flat, section.amounts_in), [otherBorrowings])
  const [one, ...others] = found
  if (one === undefined || others.length > 0) return []
  return [lineOf(section, day, 'Other short-term borrowings', one)]
}

/** Short-term borrowings that one sentence states at the ends of years, of which the report's is one. */
function borrowingsOfYearIn(section: FiledSection): InstrumentLine[] {
  const day = section.period_end
  if (!tellsOfDebt(section) || day === null) return []
  const flat = flatten(section.text)
  const scale = scaleOf(flat, section.amounts_in)
  const [match, ...others] = flat.matchAll(atEndOfYears)
  if (match === undefined || others.length > 0) return []
  const { amounts = '', years = '' } = match.groups ?? {}
  const all = [...amounts.matchAll(everyAmount)].map(each => amountIn(each.groups ?? {}, scale))
  const ends = [...years.matchAll(/20\d\d/g)].map(([year]) => year)
  const amount = all.length === ends.length ? all[ends.indexOf(day.slice(0, 4))] : undefined
  if (amount === undefined || amount === null || amount.value === 0) return []
  const [from, to] = sentenceAround(flat, match.index)
  return [lineOf(section, day, 'Short-term borrowings', { amount, from, to })]
}

/** Commercial paper that a sentence says was outstanding at the report's own day; nothing where it is told twice differently. */
function commercialPaperIn(section: FiledSection): InstrumentLine[] {
  const day = section.period_end
  if (!tellsOfDebt(section) || day === null) return []
  const flat = flatten(section.text)
  const scale = scaleOf(flat, section.amounts_in)
  const found = [...flat.matchAll(had), ...flat.matchAll(totaled)].flatMap(match => {
    const [from, to] = sentenceAround(flat, match.index)
    const sentence = flat.slice(from, to)
    const own = clauseAt(sentence, day)
    if (own !== null && !own.includes(match[0])) return []
    const amount = amountIn(match.groups ?? {}, scale)
    // Of two days, the amounts follow them: the report's own comes first.
    const isOfDay = datesIn(sentence)[0]?.date === day && /\boutstanding\b|\bborrowings\b/i.test(sentence)
    return amount === null ||
      amount.value === 0 ||
      !isOfDay ||
      isOther.test(match[0]) ||
      isOther.test(flat.slice(Math.max(from, match.index - 60), match.index))
      ? []
      : [{ amount, from, to }]
  })
  const all = [
    ...found,
    ...borrowingsIn(proseOf(section.text), day, scale, [
      amountOfPaper,
      paperAtDay,
      underProgram,
      programWas,
      issuesAndHad,
    ]),
  ]
  const [one, ...others] = all
  if (one === undefined || others.some(({ amount }) => amount.value !== one.amount.value)) return []
  return [{ ...lineOf(section, day, 'Commercial paper', one), instrument_type: 'commercial_paper' }]
}

/** A line of debt that a sentence tells. */
export const lineOf = (
  section: FiledSection,
  day: string,
  name: string,
  { amount, from, to }: { readonly amount: Money; readonly from: number; readonly to: number },
): InstrumentLine => ({
  company_name: section.company_name,
  cik: section.cik,
  name,
  carrying_amount: amount.value,
  currency: amount.currency,
  balance_date: day,
  rule: 'note_text',
  accession: section.accession,
  ...quoted(section, from, to, null),
})

/** That of a column of a table of facilities, by borrower; else of a sentence. */
function paperIn(section: FiledSection): InstrumentLine[] {
  const rows = paperRowsIn(section)
  return rows.length > 0 ? rows : commercialPaperIn(section)
}

/** Commercial paper and other short-term borrowings that sentences tell and no line of the tables is. */
export function shortTermToldIn(section: FiledSection, lines: readonly InstrumentLine[]): InstrumentLine[] {
  const has = (words: RegExp) => lines.some(({ name }) => words.test(name ?? ''))
  return [
    ...(has(/\bcommercial paper\b/i) ? [] : paperIn(section)),
    ...(has(/\bshort-term\b|\bnotes payable\b/i)
      ? []
      : [...otherBorrowingsIn(section), ...borrowingsOfYearIn(section)]),
  ]
}
