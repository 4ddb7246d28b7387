import { SMALL_NUMBERS } from '../../base/number-words.ts'
import { ownerOf } from '../../names/instrument-owner.ts'

/** What the name of an instrument says about which one it is. */
export interface InstrumentKey {
  readonly family: 'loan' | 'notes' | 'ancillary'
  /** The words that tell it from others of its family, sorted; empty for `the Credit Facility`, `the Notes`. */
  readonly words: string
  /** Whose facility it is where its name says, the Alfa of `Alfa's Revolving Credit Facility`; else null. */
  readonly owner: string | null
}

const spelledYears = new RegExp(`\\b(?:${SMALL_NUMBERS.slice(1, 11).join('|')})(?=[\\s-]year)`, 'g')
const inDigits = (name: string): string => name.replace(spelledYears, n => String(SMALL_NUMBERS.indexOf(n)))

/** Words that say the family or nothing at all. */
export const genericWords: readonly string[] =
  'a agreement agreements amended and bank bond bonds committed credit debenture debentures dated debt due existing facilities facility indenture indentures its lender lenders loan loans new note notes of our promissory restated revolver revolving securities senior syndicated the their under unsecured'.split(
    ' ',
  )
const GENERIC = new Set(genericWords)

/**
 * The key under which documents of one company name one instrument: `Five-Year Credit Facility` and `5-year Facility`
 * have the same. An agreement with a date is told by the date.
 */
export function instrumentKey(name: string, agreementDate: string | null): InstrumentKey {
  const text = name.toLowerCase()
  // `Loan and Security Agreement` lends.
  const family = /guarant|pledge|(?<!\b(?:loan|credit)\s+and\s+)security\s+agreement|collateral|lease\b/.test(
    text,
  )
    ? 'ancillary'
    : /\b(?:notes?|bonds?|debentures?|indentures?|securities)\b/.test(text)
      ? 'notes'
      : 'loan'
  const owner = ownerOf(name)?.toLowerCase() ?? null
  if (agreementDate !== null) return { family, words: `dated ${agreementDate}`, owner }
  const words = inDigits(text)
    .replace(/\b(\d+)[\s-]+(year|month|day)\b/g, '$1-$2')
    .split(/[^a-z0-9.%&-]+/)
    .filter(word => word !== '' && !GENERIC.has(word))
  return { family, words: [...new Set(words)].sort().join(' '), owner }
}

/** The tenor that a name states, `364-day` or `5-year`, by which agreements of one date are told apart; else null. */
export function tenorOf(name: string): string | null {
  const text = inDigits(name.toLowerCase())
  const match = /\b(\d{1,3})[\s-](year|month|day)\b/.exec(text)
  return match ? `${match[1]}-${match[2]}` : null
}

/** Whether a name says that the agreement is of term loans, `Term Loan Credit Agreement`. */
export const isTermLoan = (name: string): boolean => /\bterm\b/i.test(name)

/** The name that an agreement and its restatements share, `credit agreement` of `Amended and Restated Credit Agreement`. */
export const nameWithoutRestatement = (name: string): string =>
  name
    .toLowerCase()
    .replace(/ dated [\d-]{1,10}$/, '')
    .replace(
      /\b(?:amended|and|restated|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b/g,
      ' ',
    )
    .replace(/\s{1,200}/g, ' ')
    .trim()

/** Whether a name says that the agreement restates an earlier one. */
export const isRestatement = (name: string): boolean => /\brestated\b/i.test(name)

/** The year of maturity by which a name tells notes, `2026 Senior Notes`; null if it has none, or several. */
export function yearOf({ family, words }: InstrumentKey): string | null {
  const [year, ...others] = words.match(/(?<![\w.-])(?:19|20)\d\d(?![\w.-])/g) ?? []
  return family === 'notes' && year !== undefined && others.length === 0 ? year : null
}
