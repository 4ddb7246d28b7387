import { dueDay, ofMaturity } from './agreed-maturity.ts'
import { agreementTerms } from './agreement.ts'
import { type Definition, definitionsIn } from './defined-terms.ts'
import { quoted } from './evidence.ts'
import { type FiledSection, voiceOf } from './filed-section.ts'
import { flatten } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { fullDate } from './maturities.ts'
import { AMOUNT, amountIn, everyAmount, type Money } from './money.ts'
import { promissoryNoteIn } from './promissory-notes.ts'
import { monthAfter, NUMBERS, numberSaid } from './tenors.ts'

/** How far into an agreement its title and the amount above it are, characters. */
const COVER = 2500
/** A facility of an agreement to lend. */
interface Agreed {
  /** What sets it apart, `line a`, `tranche b term`; empty where the agreement has one. */
  readonly words: string
  readonly commitment: Money
  readonly from: number
  readonly to: number
}

const isToLend =
  /\b(?:credit|loan|term\s{1,3}loan|revolving\s{1,3}loan|facility)\s{1,3}(?:and\s{1,3}(?:security|guaranty)\s{1,3})?agreement\b/i

/**
 * The facilities that an agreement to lend defines, each with its commitment and the day on which it falls due: the amount
 * of a commitment of all lenders, else the amount above the title of an agreement with one facility. Margin and floor are
 * those that it states as one figure; it is secured where it defines collateral. Amendments that do not repeat the
 * agreement define nothing. A promissory note is read as notes.
 */
export function agreedFacilitiesIn(section: FiledSection): InstrumentLine[] {
  if (section.section_type !== 'credit_agreement' || voiceOf(section) !== 'agreement') return []
  const note = promissoryNoteIn(section)
  if (note !== null) return [note]
  const flat = flatten(section.text)
  if (!isToLend.test(flat.slice(0, COVER))) return []
  const terms = agreementTerms(section.text)
  const day = terms.agreement_date ?? terms.effective_from ?? section.filing_date
  if (day === null) return []
  const definitions = definitionsIn(flat)
  const agreed = commitmentsIn(definitions)
  const all = agreed.length > 0 ? agreed : onCover(flat)
  const shared = { ...marginOf(definitions, flat), ...floorOf(definitions), ...securityOf(definitions) }
  return all.flatMap((each): InstrumentLine[] => {
    const isOnly = all.length === 1
    const maturity =
      maturityOf(each, definitions, { day, isOnly }) ??
      (isOnly && definitions.every(({ label }) => !ofMaturity.test(label)) ? dueByTitle(flat, day) : null)
    if (maturity === null || maturity <= day.slice(0, maturity.length)) return []
    const kind = kindOf(each.words, flat)
    return [
      {
        company_name: section.company_name,
        cik: section.cik,
        name: `${nameOf(each.words, kind)} due ${maturity.slice(0, 4)}`,
        ...issuerOf(definitions),
        instrument_type: kind,
        commitment: each.commitment.value,
        currency: each.commitment.currency,
        ...shared,
        maturity,
        maturity_date: fullDate(maturity),
        balance_date: day,
        rule: 'facility_agreed',
        accession: section.accession,
        ...quoted(section, each.from, each.to, null),
      },
    ]
  })
}

const ofCommitment =
  /^(?<words>(?:[\w-]+ ){0,5}?)(?:(?:loan|credit|facility|lender) )?(?:commitments?|commitment amount)$/
/** Parts of a commitment, and what may be added to it. */
const isPart =
  /\b(?:swing ?line|letters? of credit|l\/c|lc|incremental|additional|unused|available|increase|other|refinanc\w*|replacement|extended|fronting|sub-?limit|bank's|lender's|new|outstanding|percentage|pro rata|applicable)\b/
/** `the aggregate amount of the Commitments on the Closing Date is $500,000,000`; `which aggregate commitment shall be`. */
const ofAll = new RegExp(
  `\\b(?:aggregate|total|combined)\\b[^.;$]{0,180}?\\b(?:is|was|are|were|be|equals?|of|to|being)\\s{1,3}(?:an\\s{1,3}(?:aggregate\\s{1,3})?(?:principal\\s{1,3})?amount\\s{1,3}(?:of|equal\\s{1,3}to)\\s{1,3})?${AMOUNT}`,
  'i',
)
/** `"Line A Commitment" means, subject to Sections 2.5 and 2.7, $45,000,000`. */
const ownAmount = new RegExp(
  `^[,:]?\\s{1,9}(?:subject\\s{1,3}to\\s{1,3}[^$,;]{2,80},\\s{1,3})?(?:an?\\s{1,3}(?:aggregate\\s{1,3})?(?:principal\\s{1,3})?amount\\s{1,3}(?:equal\\s{1,3}to|of)\\s{1,3})?${AMOUNT}`,
  'i',
)

/** The commitments of all lenders that an agreement defines, each once. */
function commitmentsIn(definitions: readonly Definition[]): Agreed[] {
  const found = new Map<string, Agreed>()
  for (const { label, says, from, to } of definitions) {
    const words = ofCommitment.exec(label)?.groups?.['words']?.trim()
    if (words === undefined || isPart.test(label)) continue
    const match = ownAmount.exec(says) ?? ofAll.exec(says)
    const commitment = match === null ? null : amountIn(match.groups ?? {})
    if (commitment === null || commitment.value === 0) continue
    const key = words.replace(/^(?:total|aggregate|initial) ?/, '')
    if (!found.has(key)) found.set(key, { words: key, commitment, from, to: Math.min(to, from + 700) })
  }
  // `Commitment` beside those of facilities is that of all.
  const all = [...found.values()]
  return all.length > 1 ? all.filter(({ words }) => words !== '') : all
}

/** The one amount above the title of an agreement, of the one facility that it has. */
function onCover(flat: string): Agreed[] {
  const cover = flat.slice(0, COVER)
  const at = cover.search(isToLend)
  const found = [...cover.slice(0, at + 300).matchAll(everyAmount)].flatMap(match => {
    const commitment = amountIn(match.groups ?? {})
    return commitment === null ? [] : [{ commitment, from: match.index, to: at + 300 }]
  })
  const [one, ...others] = found
  if (one === undefined || others.length > 0) return []
  const loans = /"Term\s{1,3}Loans?"/i.test(flat)
  const revolves = /"Revolving\s|\breborrow/i.test(flat)
  return loans && revolves ? [] : [{ words: '', ...one }]
}

/** The day on which a facility falls due by the definition of its own maturity date, else of the only one. */
function maturityOf(
  { words }: Agreed,
  definitions: readonly Definition[],
  { day, isOnly }: { readonly day: string; readonly isOnly: boolean },
): string | null {
  const all = definitions.flatMap(({ label, says }) => {
    const own = ofMaturity.exec(label)?.groups?.['words']?.trim()
    const found = own === undefined ? null : dueDay(says, words, definitions, day)
    return own === undefined || found === null ? [] : [{ own, found }]
  })
  const plain = (text: string) => text.replace(/\b(?:term|loans?|credit|facility)\b|\W/g, '')
  const named = all.filter(({ own }) => own !== '' && plain(own) === plain(words))
  const generic = all.filter(({ own }) => own === '')
  const those = named.length > 0 ? named : generic.length > 0 ? generic : isOnly ? all : []
  const [one, ...others] = new Set(those.map(({ found }) => found))
  return one !== undefined && others.length === 0 ? one : null
}

const TENORS = NUMBERS.slice(1, 7)
const titled = new RegExp(
  `\\b(?<years>${TENORS.join('|')}|[2-7])[- ]year\\s{1,3}(?:revolving\\s{1,3}|term\\s{1,3}loan\\s{1,3}|competitive\\s{1,3}advance\\s{1,3}and\\s{1,3}){0,2}(?:credit|loan)\\s{1,3}(?:facility\\s{1,3})?agreement\\b`,
  'i',
)

/** The month in which an agreement falls due that its title calls by its years, `FIVE-YEAR CREDIT AGREEMENT`. */
function dueByTitle(flat: string, day: string): string | null {
  const cover = flat.slice(0, COVER)
  const match = titled.exec(cover)
  if (match === null || /\bamendment\b/i.test(cover.slice(0, match.index))) return null
  return monthAfter(day, numberSaid(match.groups?.['years'] ?? ''))
}

function kindOf(words: string, flat: string): 'term_loan' | 'revolver' | null {
  if (/\bterm\b|\bdelayed draw\b/.test(words)) return 'term_loan'
  if (/\brevolv|\bworking capital\b|\bline\b/.test(words)) return 'revolver'
  if (/\breborrow|"Revolving\s|\bSwing\s{0,1}(?:line)?\s{1,3}Loan/i.test(flat)) return 'revolver'
  return /"Term\s{1,3}Loans?"/i.test(flat) ? 'term_loan' : null
}

const nameOf = (words: string, kind: ReturnType<typeof kindOf>): string => {
  const noun = kind === 'term_loan' ? 'Term Loan' : kind === 'revolver' ? 'Revolving Credit Facility' : 'Loan'
  const own = words
    .replace(/\b(?:term|loans?|revolving|revolver|credit|facility)\b/g, ' ')
    .trim()
    .replace(/\b[a-z]/g, letter => letter.toUpperCase())
  return `${own} ${noun}`.trim()
}

const rate = /(?<![\d.])(?<percent>\d{1,2}(?:\.\d{1,4})?)\s?%/g
/** Loans whose rate follows an index, before or behind their margin. */
const ofIndex = /\b(?:Term\s?Benchmark|Euro-?\s?dollar|(?:Term\s)?SOFR|LIBO?R|RFR|Euro-Dollar)\b/i
const ofBase = /\b(?:ABR|Alternate\s{1,3}Base|Base\s{1,3}Rate|Prime)\b/i
/** Where the margin depends on a ratio or a rating. */
const isGrid =
  /\b(?:grid|pricing\s{1,3}level|level\s{1,3}[I1]|ratio|rating|availability|set\s{1,3}forth\s{1,3}below|following\s{1,3}table)\b/i

/** The one margin over the index. */
function marginOf(definitions: readonly Definition[], flat: string): InstrumentLine {
  const benchmark = /\bSOFR\b/.test(flat)
    ? 'SOFR'
    : /\bLIBO?R?\b|\bEuro-?dollar\b/i.test(flat)
      ? 'LIBOR'
      : null
  const floating = benchmark === null ? {} : { rate_type: 'floating' as const }
  const said = definitions.find(({ label }) =>
    /^applicable (?:rate|margin|interest margin)$/.test(label),
  )?.says
  if (said === undefined || benchmark === null || isGrid.test(said)) return floating
  const all = [...said.matchAll(rate)]
  const found = all.filter(({ index }, i) => {
    const to = all[i + 1]?.index ?? index + 160
    const behind = said.slice(index, to)
    return (
      all.length === 1 ||
      (ofIndex.test(behind) && (!ofBase.test(behind) || behind.search(ofIndex) < behind.search(ofBase)))
    )
  })
  const [one, ...others] = new Set(found.map(({ groups }) => Number(groups?.['percent'])))
  if (one === undefined || others.length > 0) return floating
  return { ...floating, benchmark, spread_bps: Math.round(one * 1e5) / 1e3 }
}

/** `the initial Floor for each shall be 1.00%`. */
function floorOf(definitions: readonly Definition[]): InstrumentLine {
  const said = definitions.find(({ label }) => /^(?:\w+ )?floor$/.test(label))?.says.slice(0, 600)
  const [one, ...others] = new Set(
    [...(said ?? '').matchAll(rate)].map(({ groups }) => Number(groups?.['percent'])),
  )
  return one === undefined || others.length > 0 ? {} : { floor_bps: Math.round(one * 1e5) / 1e3 }
}

const securityOf = (definitions: readonly Definition[]): InstrumentLine =>
  definitions.some(({ label }) => label === 'collateral') ? { seniority: 'senior_secured' } : {}

/** `"Borrower" means Lifetime Brands, Inc., a Delaware corporation`. */
function issuerOf(definitions: readonly Definition[]): InstrumentLine {
  const said = definitions.find(({ label }) => label === 'borrower')?.says ?? ''
  const name =
    /^\s{1,9}(?<name>[A-Z][\w&.' -]{2,60}?(?:,\s{1,3}(?:Inc|LLC|L\.L\.C|L\.P|LP|Ltd|N\.A)\.?)?),\s{1,3}an?\s{1,3}[A-Z]/.exec(
      said,
    )?.groups?.['name']
  return name === undefined ? {} : { issuer: name.replace(/\s+/g, ' ') }
}
