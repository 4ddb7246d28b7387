export type RatingBucket = 'IG' | 'HY-BB' | 'HY-B' | 'HY-CCC' | 'NR'

export type Agency = 'sp' | 'moodys' | 'fitch'

const LETTERS = [
  ['AAA'],
  ['AA+', 'AA1'],
  ['AA', 'AA2'],
  ['AA-', 'AA3'],
  ['A+', 'A1'],
  ['A', 'A2'],
  ['A-', 'A3'],
  ['BBB+', 'BAA1'],
  ['BBB', 'BAA2', 'BAA'],
  ['BBB-', 'BAA3'],
  ['BB+', 'BA1'],
  ['BB', 'BA2', 'BA'],
  ['BB-', 'BA3'],
  ['B+', 'B1'],
  ['B', 'B2'],
  ['B-', 'B3'],
  ['CCC+', 'CAA1'],
  ['CCC', 'CAA2', 'CAA'],
  ['CCC-', 'CAA3'],
  ['CC', 'CA'],
  ['C'],
  ['D', 'SD', 'RD', 'DD', 'DDD'],
]

const RANKS = new Map(LETTERS.flatMap((letters, i) => letters.map(letter => [letter, i + 1] as const)))

const WITHDRAWN = new Set(['NR', 'WR', 'WD', 'NA', 'N.A.', 'N/A', 'N.R.', 'PIF', 'W'])

/** What may follow a letter: outlook, watch, a short-term rating: `BBB-/Negative/A-3`, `BBB- (Stable)`. */
const WORDS = '(?:rating |credit)?watch|on watch|outlook|stable|negative|positive|developing'
const AFTER_LETTER = new RegExp(`(?<!\\s)(?:\\s+\\(?(?:${WORDS})|\\s*[,;/]).*$`, 'is')

/** Pattern of a whole text that is a rating of either long-term scale, or a mark of none; valid for RE2. */
export const onLongTermScale = `(?is)\\s*(?:\\(P\\)\\s*)?(?:${[...RANKS.keys(), ...WITHDRAWN]
  .map(letter => letter.replace(/[+.]/g, '\\$&'))
  .join(
    '|',
  )})[–−]?(?:u|e|pi?)?(?:\\s*[,;/*].*|\\s*\\((?:P|EXP|SF|PI|HYB|CRE)\\).*|\\s+\\(?(?:${WORDS}).*|\\s*)`

/** The rating without watch marks (`*-`), provisional `(P)`, unsolicited `u`, expected `(EXP)` or `e`, and `(sf)`. */
function bareLetter(text: string): string {
  if (WITHDRAWN.has(text.trim().toUpperCase())) return text.trim().toUpperCase()
  return text
    .trim()
    .replace(/^\(P\)/i, '')
    .replace(/(?<!\s)\s*\((?:P|EXP|SF|PI|HYB|CRE)\)/gi, '')
    .replace(/(?<!\s)\s*(?:\/\s*)?\*\s*[+-]?$/, '')
    .replace(AFTER_LETTER, '')
    .replace(/(?<=[A-D0-9+-])(?:u|e|p|pi)$/, '')
    .replace('–', '-')
    .replace('−', '-')
    .trim()
    .toUpperCase()
}

const MOODYS = 'Aaa Aa1 Aa2 Aa3 A1 A2 A3 Baa1 Baa2 Baa3 Ba1 Ba2 Ba3 B1 B2 B3 Caa1 Caa2 Caa3 Ca C'.split(' ')
const PLUS_MINUS = 'AAA AA+ AA AA- A+ A A- BBB+ BBB BBB- BB+ BB BB- B+ B B- CCC+ CCC CCC- CC C D'.split(' ')

/** Default ratings that share a rank but are distinct. */
const DEFAULTS: Readonly<Record<Agency, readonly string[]>> = { sp: ['SD'], moodys: [], fitch: ['RD'] }

const WITHDRAWN_MARK: Readonly<Record<Agency, string>> = { sp: 'NR', moodys: 'WR', fitch: 'WD' }

const scaleOf = (agency: Agency): readonly string[] => (agency === 'moodys' ? MOODYS : PLUS_MINUS)

/** Every rating of an agency's scale, best first, then its marks of a withdrawn rating. */
export const agencyScale: Readonly<Record<Agency, readonly string[]>> = {
  sp: [...PLUS_MINUS, ...DEFAULTS.sp, WITHDRAWN_MARK.sp],
  moodys: [...MOODYS, WITHDRAWN_MARK.moodys],
  fitch: [...PLUS_MINUS, ...DEFAULTS.fitch, WITHDRAWN_MARK.fitch],
}

/** A rating on its agency's own scale: `BB+ *-` is `BB+`, and `BB+` of Moody's is `Ba1`; null if there is none. */
export function letterOnScale(agency: Agency, letter: string): string | null {
  const bare = bareLetter(letter)
  if (WITHDRAWN.has(bare)) return WITHDRAWN_MARK[agency]
  if (DEFAULTS[agency].includes(bare)) return bare
  const rank = RANKS.get(bare)
  return (rank !== undefined && scaleOf(agency)[rank - 1]) || null
}

/**
 * 1 (AAA) to 22 (D), or null if the rating is not on the scale (NR, WR, short-term ratings). Both alphabets are
 * accepted for any agency, because histories write Moody's ratings in the S&P alphabet; the two do not overlap.
 */
export const ratingRank = (_agency: string, letter: string): number | null =>
  RANKS.get(bareLetter(letter)) ?? null

/** Whether a mark means that the agency no longer rates: NR, WR, WD. */
export const isWithdrawn = (letter: string): boolean => WITHDRAWN.has(bareLetter(letter))

/** Investment grade to rank 10 (BBB-), then BB, B, and CCC for the rest down to D. */
export function ratingBucket(rank: number | null): RatingBucket {
  if (rank === null) return 'NR'
  if (rank <= 10) return 'IG'
  if (rank <= 13) return 'HY-BB'
  return rank <= 16 ? 'HY-B' : 'HY-CCC'
}

/** The composite of several agencies' ranks: the middle of three, the worse of two, else the one; null if empty. */
export function composite(ranks: readonly (number | null)[]): number | null {
  const known = ranks.filter(rank => rank !== null).sort((a, b) => a - b)
  return known[Math.floor(known.length / 2)] ?? null
}
