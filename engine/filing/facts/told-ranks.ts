import type { FiledSection } from './filed-section.ts'
import { flatten } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { proseOf } from './issue-lists.ts'
import { NOT_NOTES } from './row-headings.ts'

const RANK =
  '(?:senior\\s{1,3}unsecured|unsecured\\s{1,3}senior|unsecured\\s{1,3}and\\s{1,3}unsubordinated|unsecured,?\\s{1,3}unsubordinated|unsubordinated,?\\s{1,3}(?:and\\s{1,3})?unsecured)'
const IS =
  "(?:are|constitute|rank\\s{1,3}as|will\\s{1,3}(?:be|constitute|rank\\s{1,3}as))\\s{1,3}(?:(?:the|our|its|their|general|direct|all|Company's|Corporation's|[A-Z]\\w{1,30}'s),?\\s{1,3}){0,4}"
/** `The Notes are senior unsecured obligations`, `All the notes in the table above are our unsecured senior debt`. */
const ofAll = new RegExp(
  `\\b(?:the|our|these|all|its|such)\\s{1,3}(?:(?:of|the|our|these|outstanding|senior|debt|fixed-rate|floating-rate)\\s{1,3}){0,4}(?:notes|bonds|debentures|debt securities)(?:\\s{1,3}and\\s{1,3}(?:notes|bonds|debentures))?(?:\\s{1,3}in\\s{1,3}the\\s{1,3}table\\s{1,3}(?:above|below))?\\s{1,3}${IS}${RANK}\\b`,
  'i',
)
/** `Debt in the table above is comprised of senior unsecured obligations`. */
const ofDebt = new RegExp(
  `\\bdebt\\s{1,3}(?:in\\s{1,3}the\\s{1,3}table\\s{1,3})?above\\s{1,3}(?:is|are)\\s{1,3}(?:comprised\\s{1,3}of|composed\\s{1,3}of)\\s{1,3}${RANK}\\b`,
  'i',
)
/** `we had $49.7 billion of unsecured senior notes outstanding (the "Notes")`. */
const outstanding = new RegExp(
  `\\b(?:had|have)\\b(?:[^.;]|\\.(?=\\d)){0,60}\\b${RANK}\\s{1,3}(?:notes|bonds|debentures)\\s{1,3}outstanding\\b`,
  'i',
)
/** `The notes issued in May 2022 and June 2023 are senior unsecured obligations and are collectively referred to as the "Notes"`. */
const collective = new RegExp(
  `\\bthe\\s{1,3}(?:senior\\s{1,3})?notes\\s{1,3}issued\\s[^.;$]{0,160}?\\s${IS}${RANK}\\s{1,3}obligations\\b[^.;]{0,40}\\b(?:collectively|together)\\b[^.;"]{0,40}"(?:senior\\s{1,3})?notes\\b`,
  'i',
)
/** `Our senior notes rank equally with our other unsecured and unsubordinated indebtedness`. */
const equally = new RegExp(
  `\\b(?:the|our|these|all|its)\\s{1,3}(?:(?:of|the|our|outstanding|senior)\\s{1,3}){0,3}notes\\s{1,3}rank\\s{1,3}(?:equally|pari\\s{1,3}passu)\\s{1,3}(?:in\\s{1,3}right\\s{1,3}of\\s{1,3}payment\\s{1,3})?with\\s{1,3}(?:(?:all|of|our|its|the)\\s{1,3}){0,4}other\\s{1,3}(?:existing\\s{1,3}and\\s{1,3}future\\s{1,3})?${RANK}\\s{1,3}(?:indebtedness|debt|obligations)\\b`,
  'i',
)
/** `The 2028 Notes are unsecured and unsubordinated obligations`. */
const ofSeries = new RegExp(
  `\\bThe\\s{1,3}(?<year>20\\d\\d)\\s{1,3}(?:Senior\\s{1,3})?(?:Notes|Bonds|Debentures)\\s{1,3}${IS}${RANK}\\b`,
  'g',
)
/** `$550 million 5.35% senior unsecured notes`; notes called senior are unsecured by convention. */
const ofCoupon = new RegExp(
  `(?<![\\d.])(?<rate>\\d{1,2}(?:\\.\\d{1,5})?|\\.\\d{1,5})\\s?%\\s{1,3}(?:fixed-rate\\s{1,3})?(?:(?<said>${RANK})|senior)\\s{1,3}(?:notes|bonds|debentures)\\b`,
  'gi',
)
/** A footnote, `(1) | These senior unsecured obligations rank equally with`. */
const footnote = new RegExp(
  `^\\s{0,6}\\((?<mark>\\w{1,2})\\)[\\s|]{0,9}(?:These|The|All)\\s{1,3}(?:(?:of|the|these|notes|bonds|debentures)\\s{1,3}){0,4}(?:${IS})?${RANK}\\b`,
  'i',
)

const isUnranked = ({ name, seniority, instrument_type: type }: InstrumentLine): boolean =>
  seniority == null && type !== 'commercial_paper' && !NOT_NOTES.test(name ?? '')

/** What introduces a table of issues, `issued $6.5 billion of senior unsecured notes consisting of the following:`. */
const introduced = new RegExp(
  `\\b${RANK}\\s{1,3}(?:notes|bonds|debentures)\\b,?\\s{1,3}(?:which\\s{1,3})?(?:consist\\w*|compris\\w+|as\\s{1,3}follows|includ\\w+)\\b[^.;]{0,60}:?\\s{0,3}$`,
  'i',
)

/** Notes, by a name that says so or by one coupon. */
const isOfNotes = ({ name, coupon_rate: coupon }: InstrumentLine): boolean =>
  coupon != null || /\b(?:notes?|bonds?|debentures?|securities)\b/i.test(name ?? '')

const ranked = (line: InstrumentLine, isSaid = true): InstrumentLine => ({
  ...line,
  seniority: 'senior_unsecured',
  ...(isSaid && { security_type: 'unsecured' }),
})

/**
 * Lines with the rank that sentences or footnotes of the note say: of all its notes, of the series with a coupon or year, or of
 * the lines with the mark of a footnote. Loans, and notes whose names say another rank, have none of it.
 */
export function withToldRanks(section: FiledSection, lines: readonly InstrumentLine[]): InstrumentLine[] {
  const prose = proseOf(section.text)
  const isAll = ofAll.test(prose) || outstanding.test(prose)
  const isOfNotesAlone = collective.test(prose) || equally.test(prose)
  const isDebt = ofDebt.test(prose)
  const years = new Set([...prose.matchAll(ofSeries)].map(({ groups }) => groups?.['year'] ?? ''))
  const coupons = new Map(
    [...prose.matchAll(ofCoupon)].map(({ groups }) => [
      Number(groups?.['rate']),
      groups?.['said'] !== undefined,
    ]),
  )
  const marks = marksOf(section.text)
  const kinds = kindsOf(section.text)
  const isOne = ({ maturity }: InstrumentLine, others: readonly InstrumentLine[]): boolean =>
    others.filter(other => other.maturity?.slice(0, 4) === maturity?.slice(0, 4)).length === 1
  return lines.map(each => {
    const line = withKind(section, each, kinds)
    if (!isUnranked(line) || isSubordinated(line.name ?? '')) return line
    const { coupon_rate: coupon, maturity } = line
    if (isDebt || isMarkedIn(section, line, marks)) return ranked(line)
    const heading = headingOf(section, line) ?? ''
    if (!isOfNotes(line) || isNonRecourse.test(heading)) return line
    if (introduced.test(flatten(heading))) return ranked(line)
    const isOfYear = maturity != null && years.has(maturity.slice(0, 4)) && isOne(line, lines)
    if (isAll || isOfYear || (isOfNotesAlone && !isBond.test(line.name ?? ''))) return ranked(line)
    const isOneOfCoupon = lines.filter(other => other.coupon_rate === coupon).length === 1
    const isSaid = coupon == null || !isOneOfCoupon ? undefined : coupons.get(coupon)
    return isSaid === undefined ? line : ranked(line, isSaid)
  })
}

const isBond = /\b(?:bonds?|debentures?)\b/i

const isSubordinated = (name: string): boolean => /\b(?:junior|subordinated|preferred|trust)\b/i.test(name)

/** The marks of footnotes that say the rank of their lines. */
function marksOf(text: string): ReadonlySet<string> {
  return new Set(text.split('\n').flatMap(line => footnote.exec(flatten(line))?.groups?.['mark'] ?? []))
}

const NOTES = { bonds: 'bond', notes: 'notes', debentures: 'debentures' } as const
/** A footnote that says what its lines are, `(2) | The bonds are redeemable`. */
const ofKind =
  /^\s{0,6}\((?<mark>\w{1,2})\)[\s|]{0,9}(?:The|These|All)\s{1,3}(?<kind>bonds|notes|debentures)\b/

/** What footnotes call the lines with their marks. */
const kindsOf = (text: string): ReadonlyMap<string, (typeof NOTES)[keyof typeof NOTES]> =>
  new Map(
    text.split('\n').flatMap(line => {
      const { mark, kind } = ofKind.exec(flatten(line))?.groups ?? {}
      return mark === undefined ? [] : [[mark, NOTES[kind as keyof typeof NOTES]] as const]
    }),
  )

const NAMED =
  /\b(?:notes?|bonds?|debentures?|loans?|paper|certificates?|securit\w+|mortgages?|credit|facilit\w+|revolver|borrowings)\b/i

/** A line with one coupon whose name says no kind, with that of the footnote whose mark it has. */
function withKind(
  section: FiledSection,
  line: InstrumentLine,
  kinds: ReturnType<typeof kindsOf>,
): InstrumentLine {
  if (kinds.size === 0 || line.coupon_rate == null || NAMED.test(line.name ?? '')) return line
  const found = new Set(
    [...kinds].flatMap(([mark, kind]) => (isMarkedIn(section, line, new Set([mark])) ? [kind] : [])),
  )
  const [kind, ...others] = found
  return kind === undefined || others.length > 0 ? line : { ...line, instrument_type: kind }
}

/** How far above a row its heading may stand, characters. */
const ABOVE = 1500
const isNonRecourse = /\bnon-?recourse\b|(?<!un)secured\b|\bcollaterali[sz]ed\b/i

/** The heading above the row of a line; null where it is of no table. */
function headingOf(
  { text, offset }: FiledSection,
  { evidence_offset: at, rule }: InstrumentLine,
): string | null {
  if (at == null || (rule !== 'debt_table' && rule !== 'debt_schedule')) return null
  const from = at - offset
  const above = text.slice(Math.max(0, from - ABOVE), from).split('\n')
  return above.findLast(line => line.trim() !== '' && !line.includes('|')) ?? null
}

/** Whether the row of a line, or the heading above it, has one of the marks. */
function isMarkedIn(section: FiledSection, line: InstrumentLine, marks: ReadonlySet<string>): boolean {
  const heading = marks.size === 0 ? null : headingOf(section, line)
  if (heading === null) return false
  return [...marks].some(mark => heading.includes(`(${mark})`) || line.evidence?.includes(`(${mark})`))
}
