import { isAfter } from '../../base/days.ts'
import { smallest } from '../../base/lists.ts'
import { reserveFacilityIn } from './borrowing-bases.ts'
import { quoted } from './evidence.ts'
import { facilityBalancesIn } from './facility-balances.ts'
import { isOfEarlierDay, isOfLaterAgreement, isSince } from './facility-days.ts'
import { aboutThese, drawnIn, sentencesOfAll } from './facility-drawn.ts'
import { type EndedFacility, endedFacilities, isReplacedByName } from './facility-endings.ts'
import { isInForce } from './facility-in-force.ts'
import { marginIn } from './facility-margins.ts'
import {
  maturityBefore,
  maturityByTenor,
  maturityOf,
  maturityOfAgreement,
  maturityOfEach,
  maturityOfKind,
  maturityOfParts,
  maturityRightBehind,
  statedIn,
  tenorNear,
} from './facility-maturity.ts'
import { changedIn, type Mention, mentionsIn } from './facility-mentions.ts'
import { aliasOf, nameOf, sentencesOfTenor, tenorOf, titled } from './facility-names.ts'
import { rankOf, rankTold } from './facility-ranks.ts'
import {
  isOfLaterName,
  sentencesIn,
  sentencesNaming,
  sentencesOfTogether,
  sentencesOfWords,
  upToAnother,
  upToNextMark,
  upToOtherKind,
} from './facility-sentences.ts'
import { facilityRowsIn } from './facility-tables.ts'
import { isAgreedNow, isDrawn, isOfSize, isOnlyOfKind, undatedIn } from './facility-undated.ts'
import { facilityUsageIn } from './facility-usage.ts'
import { dueYearsAfter } from './facility-years.ts'
import type { FiledSection } from './filed-section.ts'
import { flatten, isInRow, oneLine, sentenceAround } from './flat-text.ts'
import { floorIn } from './floors.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { fullDate, maturityInRows } from './maturities.ts'
import { isInThousands, leavesOutThousands, type Scale, scaleOf, writesOutDollars } from './money.ts'
import { type PaidInFull, paidInFullIn } from './paid-in-full.ts'
import { extendedTo, isAgreed, isAmendedBefore, tellsOfAgreement } from './reported-agreements.ts'
import { agreementIn, termsReported } from './reported-terms.ts'
import { datesIn } from './spelled-dates.ts'
import { committedLinesIn, undrawnLinesIn } from './undrawn-lines.ts'

/** How far after its mention a facility may be described, characters. */
const REACH = 1600

/**
 * Committed facilities that a debt note, a current report of a new agreement, or the discussion of liquidity of a report
 * whose notes tell none, describes in its text: commitment, maturity, what is drawn at the report's day, margin. A facility
 * without a maturity after that day, and one that was replaced, repaid or ended, or that the company gave, is left out. A note
 * without a table of debt (`tellsLoans`) tells single loans as a report of agreements does.
 */
export function creditFacilitiesIn(section: FiledSection, tellsLoans = false): InstrumentLine[] {
  if (section.section_type === 'notes') return undrawnLinesIn(section)
  const isDiscussion = section.section_type === 'mda_liquidity'
  if (isDiscussion && section.has_told_facilities !== false) return facilityBalancesIn(section)
  const isCurrent = /^8-?K/i.test(section.doc_type)
  const isNote = section.section_type === 'debt_footnote'
  if (!isNote && !isDiscussion && !(isCurrent && tellsOfAgreement(section.title))) return []
  const day = section.period_end
  if (day === null) return []
  const flat = flatten(section.text)
  const unit = section.amounts_in ?? null
  const isOfThousands = isCurrent
    ? isInThousands(flat, unit)
    : isNote && leavesOutThousands(section.text, unit)
  const isInDollars = (isCurrent || isNote) && writesOutDollars(section.text, unit)
  const scale: Scale = isOfThousands ? 'thousands' : isInDollars ? 'dollars' : scaleOf(flat, unit)
  // The total of a table and the heading below it, `$14,862 Credit Facility`, are no facility.
  const all = withReserves(
    mentionsIn(flat, scale, isCurrent || (isNote && tellsLoans)),
    reserveFacilityIn(flat, scale, day),
  ).filter(({ from, to }) => /illion/i.test(flat.slice(from, to)) || !isInRow(section.text, from))
  const inForce = all.filter(
    mention =>
      isInForce(flat, mention, ...sentenceAround(flat, mention.from)) && !isReplacedByName(flat, mention),
  )
  const ended = endedFacilities(flat, all, inForce, mention => ({
    alias: aliasOf(flat, mention),
    tenor: tenorOf(mention),
  }))
  const current = inForce
    .filter(mention => ended.every(each => each.mention !== mention))
    .filter(mention => isCurrent || !isOfEarlierDay(flat, mention, inForce, day))
  const { found, asOfDay, undated } = toldIn({
    flat,
    text: section.text,
    day,
    scale,
    isCurrent,
    isNote,
    all,
    current,
  })
  const names = new Set<string>()
  const rows = isCurrent
    ? []
    : [...facilityRowsIn(section), ...facilityUsageIn(section), ...facilityBalancesIn(section)]
  const standing = found
    .map(each => ({ ...each, about: [...each.about, ...toldOfDay(flat, each, asOfDay)] }))
    .filter(each => !asOfDay.some(other => isHistoryOf(each, other)))
    // A table of all facilities at the report's day knows better than a sentence about one.
    .filter(each => !rows.some(row => isInTable(row, each)))
  const kept = withoutContradictions(standing, flat, day)
  const ofAll = isCurrent ? [] : sentencesOfAll(flat, isOnlyRevolver(current))
  const inUse = isNote
    ? undated.filter(each => isOnlyOfKind(each, [...kept, ...undated], rows))
    : isCurrent
      ? undatedIn(undated, kept)
      : []
  const lines = [...kept, ...inUse].map((each): InstrumentLine => {
    const name = nameOf(flat, each, each.maturity, names)
    names.add(name)
    const drawing = { day, commitment: each.commitment, scale }
    const own = isCurrent ? termsReported(each.about, drawing) : drawnIn(each.about, drawing)
    const isToldByAll =
      each.kind === 'revolver' &&
      own.drawn === undefined &&
      own.undrawn === undefined &&
      !isOfAssets.test(flat.slice(...each.sentence))
    return { ...toldLine(section, day, each), name, ...(isToldByAll ? drawnIn(ofAll, drawing) : own) }
  })
  const named = [...rows.map(row => withMaturity(row, found)), ...lines]
  return [
    ...named,
    ...(named.length === 0 && !isCurrent ? linesTold(section) : []),
    ...(isCurrent ? [] : ended.map(each => endedLine(section, day, each))),
    ...(isNote ? paidInFullIn(flat, day).map(each => paidLine(section, day, each)) : []),
  ]
}

/** Facilities with the one that is lent against reserves, in the place of the most that its agreement allows. */
function withReserves(all: readonly Mention[], reserve: Mention | null): readonly Mention[] {
  const isRevolver = ({ kind }: Mention) => kind === 'revolver'
  const isLess = (each: Mention) =>
    isRevolver(each) && reserve !== null && each.commitment.value < reserve.commitment.value
  if (reserve === null || all.some(isLess)) return all
  return [...all.filter(each => !isRevolver(each)), reserve].toSorted((a, b) => a.from - b.from)
}

/** Lines of credit that a section tells together, by what is committed, or in a note by what is undrawn. */
function linesTold(section: FiledSection): InstrumentLine[] {
  const lines = committedLinesIn(section)
  return lines.length > 0 || section.section_type !== 'debt_footnote' ? lines : undrawnLinesIn(section)
}

/** A text with the facilities that it names. */
interface Told {
  readonly flat: string
  /** With its lines. */
  readonly text: string
  readonly day: string
  readonly scale: Scale
  readonly isCurrent: boolean
  readonly isNote: boolean
  readonly all: readonly Mention[]
  /** Those in force. */
  readonly current: readonly Mention[]
}

/**
 * The facilities in force with what the text says of each, and those of the report's day without their maturity.
 * Over 80 lines: the sources of a maturity follow each other, the surer first.
 */
function toldIn({ flat, text, day, scale, isCurrent, isNote, all, current }: Told): {
  readonly found: Facility[]
  readonly asOfDay: Mention[]
  /** Without their maturity, of which the text says what is drawn at the report's day. */
  readonly undated: Undated[]
} {
  const found: Facility[] = []
  const asOfDay: Mention[] = []
  const undated: Undated[] = []
  for (const [i, mention] of all.entries()) {
    const [from, end] = sentenceAround(flat, mention.from)
    if (!current.includes(mention) || isSince(flat.slice(from, mention.from), day)) continue
    if (!isCurrent && isOfLaterAgreement(flat, from, day)) continue
    const extended = isCurrent ? extendedTo(flat, mention, aliasOf(flat, mention), current) : null
    // What is lent against reserves is told apart from its terms, which are looked up by its name.
    const isOfReserves = mention.isStanding !== undefined
    if (
      isCurrent &&
      !(isOfReserves && isAmendedBefore(flat, from)) &&
      !isAgreed(flat, mention, [from, end], extended)
    )
      continue
    const next = all.find(each => each.from > end)?.from ?? flat.length
    const alone = current.every(each => each === mention || each.from < from || each.from >= end)
    const to = Math.min(all[i + 1]?.from ?? flat.length, end)
    const behind = upToNextMark(
      flat.slice(from, mention.from),
      upToAnother(sentencesIn(flat, end, Math.min(next, end + REACH))),
    )
    const after = alone ? upToOtherKind(behind, mention.kind) : behind
    const naming = [
      ...sentencesNaming(flat, aliasOf(flat, mention), from),
      ...(alone ? [] : sentencesOfWords(after, mention, current)),
    ]
    // What a text calls a facility tells more than what stands next to it.
    const isNamed = aliasOf(flat, mention) === mention.words
    const both = isNamed ? [...naming, ...after] : [...after, ...naming]
    const following = (
      alone ? [...new Set(both)] : [...naming, ...sentencesOfTogether(flat, from, end), ...aboutAll(after)]
    ).filter(each => !isOfLaterName(flat, end, each))
    const own = flat.slice(mention.from, Math.max(to, mention.to))
    const ownMaturity =
      mention.maturity ??
      extended ??
      maturityOfParts(naming, mention.commitment.value, scale) ??
      maturityOf({
        own,
        sentence: flat.slice(from, end),
        tenor: tenorNear(flat, mention, from),
        following,
      })
    const maturity = isOfReserves
      ? (mention.maturity ?? null)
      : (ownMaturity ??
        maturityRightBehind(flat, mention.to) ??
        (alone
          ? (maturityBefore(flat, from, end) ??
            (isDrawing.test(flat.slice(from, mention.to)) || !isOnlyRevolver(all)
              ? null
              : maturityInRows(text, mention.kind)))
          : null) ??
        maturityOfAgreement(flat.slice(from, end)) ??
        (alone ? null : (maturityOfKind(mention, after) ?? maturityOfEach(flat.slice(from, end)))) ??
        maturityByTenor(flat, from, end) ??
        (isNote ? extendedTo(flat, mention, aliasOf(flat, mention), current) : null) ??
        (isCurrent
          ? dueYearsAfter(flat, mention, {
              own,
              // A tenor before the first is that of each, `has a five-year term and provides for`.
              sentence: alone
                ? flat.slice(from, end)
                : `${flat.slice(from, smallest(all.flatMap(each => (each.from >= from ? each.from : []))))} ${own}`,
              following,
              alias: aliasOf(flat, mention),
            })
          : null))
    if (maturity === null && datesIn(flat.slice(from, end)).some(({ date }) => date === day))
      asOfDay.push(mention)
    if (maturity !== null && !isAfter(maturity, day)) continue
    const ofTenor = sentencesOfTenor(flat, mention, current)
    const ofAgreement =
      isCurrent && alone ? sentencesNaming(flat, agreementIn(flat.slice(from, end)), from) : []
    const about = alone
      ? [...new Set([flat.slice(from, end), ...following, ...ofTenor, ...ofAgreement])]
      : [own, ...following, ...ofTenor, ...aboutThese(after)]
    const changed =
      alone && !isOfReserves && !isNow.test(flat.slice(from, end)) ? changedIn(following, scale) : undefined
    if (changed === null) continue
    const commitment = changed ?? mention.commitment
    // What is said before the first facility of a sentence is of each, `a senior secured credit facility, which consists of`.
    const first = smallest(current.flatMap(each => (each.from >= from && each.from < end ? each.from : [])))
    const before = flat.slice(...(mention.list ?? [from, first]))
    const ranked = rankTold(alone && mention.list === undefined ? about : [before])
    const told = {
      ...mention,
      commitment,
      sentence: [from, Math.max(end, mention.to)] as const,
      about,
      ranked,
    }
    if (maturity !== null) found.push({ ...told, maturity })
    else if (isCurrent) {
      if (extended === null && (mention.isStanding || isAgreedNow(flat, mention, [from, end], day)))
        undated.push({ ...told, maturity })
    } else if (
      mention.isStanding ||
      (asOfDay.includes(mention) && isCommitted.test(flat.slice(mention.from, mention.to))) ||
      (isOfSize(flat, mention) && isDrawn(about, { day, commitment, scale }))
    )
      undated.push({ ...told, maturity })
  }
  return { found, asOfDay, undated }
}

/** The row of a facility that a text describes, without its name and what is drawn. */
const toldLine = (
  section: FiledSection,
  day: string,
  { kind, words, commitment, maturity, about, sentence, ranked }: Facility | Undated,
): InstrumentLine => ({
  company_name: section.company_name,
  cik: section.cik,
  instrument_type: kind,
  ...rankOf(`${ranked} ${words}`),
  commitment: commitment.value,
  currency: commitment.currency,
  ...(floats.test(about.join(' ')) && { rate_type: 'floating' }),
  ...marginIn(about.join(' ')),
  ...floorIn(about.join(' ')),
  maturity,
  maturity_date: fullDate(maturity),
  balance_date: day,
  rule: 'facility_text',
  accession: section.accession,
  ...quoted(section, sentence[0], sentence[1], null),
})

/** A facility that has ended, by which the same facility in other sources is known to have. */
function endedLine(
  section: FiledSection,
  day: string,
  { mention: { kind, words, commitment }, because, endedOn, due, sentence: [from, to] }: EndedFacility,
): InstrumentLine {
  const name = titled(oneLine(words, 80))
  return {
    company_name: section.company_name,
    cik: section.cik,
    name: `${name} of ${commitment.currency} ${commitment.value}, ${because}`,
    instrument_type: kind,
    commitment: commitment.value,
    currency: commitment.currency,
    ...(due !== null && { maturity: due, maturity_date: fullDate(due) }),
    ended_on: endedOn,
    ended_because: because,
    balance_date: day,
    rule: 'facility_ended',
    accession: section.accession,
    ...quoted(section, from, to, null),
  }
}

function paidLine(
  section: FiledSection,
  day: string,
  { name, kind, endedOn, sentence: [from, to] }: PaidInFull,
): InstrumentLine {
  return {
    company_name: section.company_name,
    cik: section.cik,
    name: `${name}, ${kind.replace('_', ' ')} paid in full`,
    instrument_type: kind,
    ended_on: endedOn,
    ended_because: 'terminated',
    balance_date: day,
    rule: 'facility_ended',
    accession: section.accession,
    ...quoted(section, from, to, null),
  }
}

/** Whether all revolving facilities in force that a note names have one commitment: `the facility` is that one. */
const isOnlyRevolver = (all: readonly Mention[]): boolean =>
  new Set(all.filter(({ kind }) => kind === 'revolver').map(({ commitment }) => commitment.value)).size === 1

/** Whether a table that has a row states what a sentence says of a facility of its kind. */
const isInTable = (row: InstrumentLine, { commitment, kind, words }: Facility): boolean =>
  row.commitment === commitment.value ||
  (row.instrument_type === kind && ofReceivables(row.name ?? '') === ofReceivables(words))

/** What is lent on assets is no credit facility that a text means by `the credit facilities`. */
const isOfAssets = /\b(?:receivables?|securiti[sz]ation|conduits?|warehouse)\b/i

const ofReceivables = (words: string): boolean => /receivable|securitiz/i.test(words)

/** A row of a table without a maturity, with that of the one facility of its commitment that a sentence tells. */
function withMaturity(row: InstrumentLine, told: readonly Facility[]): InstrumentLine {
  if (row.maturity !== undefined) return row
  const days = new Set(
    told.filter(each => each.commitment.value === row.commitment).map(({ maturity }) => maturity),
  )
  const [maturity] = days
  if (maturity === undefined || days.size > 1) return row
  return { ...row, maturity, maturity_date: fullDate(maturity) }
}

/** The sentences of the report's day that name a facility by its commitment, without its maturity. */
const toldOfDay = (flat: string, { kind, commitment }: Facility, asOfDay: readonly Mention[]): string[] =>
  asOfDay
    .filter(other => other.kind === kind && other.commitment.value === commitment.value)
    .map(other => flat.slice(...sentenceAround(flat, other.from)))

/** What is committed, not what is owed. */
const isCommitted = /\bcommitments?\b/i

/** A facility as it was agreed, told after what it is at the report's day. */
const isHistoryOf = (each: Facility, now: Mention): boolean =>
  each.kind === now.kind &&
  each.from > now.from &&
  each.from < now.from + REACH &&
  each.commitment.value !== now.commitment.value

interface Facility extends Mention {
  readonly sentence: readonly [from: number, to: number]
  readonly maturity: string
  /** The sentences that describe it. */
  readonly about: readonly string[]
  /** The rank that its list is said to have. */
  readonly ranked: string
}

/** A facility whose maturity the text does not state. */
type Undated = Omit<Facility, 'maturity'> & { readonly maturity: null }

/** `The borrowing capacity under the Credit Facility is now $315 million`: what it was changed to. */
const isNow = /\bis\s{1,3}now\b/i

/** The amount of a sentence may be what is drawn or left. */
const isDrawing = /\b(?:outstanding|drawings? under|drew|drawn|borrow(?:ed|ings)|owed|available|balance)\b/i

/** The first of the sentences after several facilities that says when all of them fall due. */
const aboutAll = (after: readonly string[]): string[] =>
  after
    .slice(0, 4)
    .filter(each =>
      /\b(?:both|each of|all of|each(?=\s{1,3}(?:matur|expir|terminat)))\b[^.;]{0,120}\b(?:matur|expir|terminat)/i.test(
        each,
      ),
    )
    .slice(0, 1)

/** Facilities of one sentence with names of their own, `Term Loan H` and `Term Loan I`. */
const areNamedApart = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && a !== b && a.replace(/\s\w{1,3}$/, '') === b.replace(/\s\w{1,3}$/, '')

/**
 * Each facility once. One amount with two maturities in two sentences is left out, and of one maturity with two amounts
 * the one that its sentence states as of the report's day is kept, if either does.
 */
function withoutContradictions(all: readonly Facility[], flat: string, day: string): Facility[] {
  const isSame = (a: Facility, b: Facility) =>
    a.kind === b.kind &&
    // Two of one list are two.
    (a.list === undefined || b.list === undefined || a.list[0] !== b.list[0]) &&
    a.commitment.value === b.commitment.value &&
    a.commitment.currency === b.commitment.currency &&
    !areNamedApart(aliasOf(flat, a), aliasOf(flat, b))
  const agrees = (a: Facility, b: Facility) =>
    a.maturity.startsWith(b.maturity) || b.maturity.startsWith(a.maturity)
  const isOfDay = ({ sentence: [from, to] }: Facility) =>
    datesIn(flat.slice(from, to)).some(({ date }) => date === day)
  const once: Facility[] = []
  for (const each of all) {
    const at = once.findIndex(other => isSame(each, other) && agrees(each, other))
    const other = once[at]
    if (other === undefined) once.push(each)
    else
      once[at] = {
        ...other,
        maturity: each.maturity.length > other.maturity.length ? each.maturity : other.maturity,
        about: [...new Set([...other.about, ...each.about])],
      }
  }
  return once.filter(each =>
    once.every(other => {
      if (other === each || other.kind !== each.kind || other.sentence[0] === each.sentence[0]) return true
      // What it was changed to, told later.
      if (
        other.isChanged &&
        other.from > each.from &&
        agrees(each, other) &&
        tenorOf(each) === tenorOf(other)
      )
        return false
      if (isSame(each, other))
        return (
          tenorOf(each) !== tenorOf(other) ||
          isInAddition(flat, each, other) ||
          (statesItsDay(flat, each) && !statesItsDay(flat, other))
        )
      return !agrees(each, other) || isOfDay(each) || !isOfDay(other)
    }),
  )
}

/** Whether the sentence of a facility states its day, which then is no other's. */
const statesItsDay = (flat: string, { sentence, maturity, isAvailable }: Facility): boolean =>
  isAvailable !== true && statedIn(flat.slice(...sentence)).includes(maturity)

/** Whether the later of two facilities is said to be beside the earlier, `in addition to the existing credit facility`. */
const isInAddition = (flat: string, one: Facility, other: Facility): boolean => {
  const later = one.from > other.from ? one : other
  return /\bin addition to\b|\banother\b|\ba (?:second|separate)\b|\balso (?:has|have|had|maintain\w*|entered)\b/i.test(
    flat.slice(...later.sentence),
  )
}

/** The words of an interest rate that moves. */
const floats =
  /\b(?:SOFR|LIBOR|EURIBOR|SONIA|Secured\s+Overnight\s+Financing\s+Rate|base\s+rate|prime\s+rate|(?:variable|floating)[\s-](?:interest\s+)?rates?)\b/i
