/** A series of notes. */
export interface Series {
  /** Percent. */
  readonly coupon: number
  readonly year: string
}

export interface NamedSeries extends Series {
  readonly from: number
  readonly to: number
}

/** The series that a document names. */
export interface NotesOf {
  readonly byYear: ReadonlyMap<string, readonly Series[]>
  /** The one series that a prospectus offers or an indenture is about, if it is one. */
  readonly subject: Series | null
  /** The series that a prospectus offers. */
  readonly offered: readonly Series[]
}

const DUE = String.raw`due (?:[a-z]{3,9} (?:\d{1,2}, )?)?`

// `the 0.875% 2025 Notes`, `2.375% due 2022 Notes`, but not a rate before the next label, `4.50% 2030 Notes: 4.75%`, `the 2.750% fixed rate notes due 2023`, `6.25% Senior Notes due March 15, 2033`.
const full = new RegExp(
  String.raw`(?<![\d.-])(?<coupon>\d{1,2}\.\d{1,4})% (?:(?:due )?(?<year>20\d\d) (?:senior |secured |unsecured ){0,2}notes\b(?! ?:)|(?:[a-z-]{2,15} ){0,4}(?:notes|debentures|bonds),? ${DUE}(?<due>20\d\d)\b)`,
  'gi',
)

// `the 2030 Notes`, `2029 Senior Notes`, `the notes due 2027`; not `December 31, 2025 notes payable`, and not the other
// notes of a year, `floating rate notes due 2027`.
const byYearOnly = new RegExp(
  String.raw`(?<!\d, ?|% |% due )\b(?<year>20\d\d) (?:senior |secured |unsecured |first |mortgage ){0,3}(?:notes|debentures|bonds)\b|(?<!floating |floating rate |convertible )\b(?:notes|debentures|bonds) ${DUE}(?<due>20\d\d)\b`,
  'gi',
)

// `The 2031 Senior Notes mature on June 1, 2031, and bear interest at a rate of 3.50%`: the name of a year with its coupon.
const bearing =
  /(?<!\d, ?|% |% due )\b(?<year>20\d\d) (?:senior |secured |unsecured ){0,2}notes\b[^.;%]{0,160}?\bbears? interest at (?:a |an |the )?(?:fixed |annual |stated ){0,2}(?:rate of )?(?<coupon>\d{1,2}\.\d{1,4})%/gi

function named(pattern: RegExp, flat: string, from: number, to: number): NamedSeries[] {
  return [...flat.slice(from, to).matchAll(pattern)].map(match => {
    const { coupon, year, due } = match.groups as { coupon?: string; year?: string; due?: string }
    const at = from + match.index
    return { coupon: Number(coupon), year: year ?? due ?? '', from: at, to: at + match[0].length }
  })
}

/** Notes named in part of a text, in order: in full, or by a year; without a coupon where that could be several. */
function mentionsIn(flat: string, from: number, to: number, { byYear }: NotesOf) {
  const whole = named(full, flat, from, to)
  const others = named(byYearOnly, flat, from, to)
    .filter(each => !whole.some(other => each.from < other.to && other.from < each.to))
    .map(each => {
      const [one, ...more] = byYear.get(each.year) ?? []
      return { ...each, coupon: one && more.length === 0 ? one.coupon : null }
    })
  return [...whole, ...others].sort((a, b) => a.from - b.from)
}

/** The series named in part of a text, in order: in full, or by a year in which the document knows one series. */
export const seriesIn = (flat: string, from: number, to: number, notes: NotesOf): NamedSeries[] =>
  mentionsIn(flat, from, to, notes).flatMap(each =>
    each.coupon === null ? [] : [{ ...each, coupon: each.coupon }],
  )

/** The one series that part of a text names; null if it names several, or notes that could be several; else nothing. */
export function onlySeriesIn(
  flat: string,
  from: number,
  to: number,
  notes: NotesOf,
): Series | null | undefined {
  const mentions = mentionsIn(flat, from, to, notes)
  const all = distinct(seriesIn(flat, from, to, notes))
  if (mentions.length === 0) return undefined
  return all.length === 1 && mentions.every(({ coupon }) => coupon !== null) ? all[0] : null
}

/** The series of a document, where those that a section names itself come first. */
export function withOwn(flat: string, { byYear, subject, offered }: NotesOf): NotesOf {
  return { byYear: new Map([...byYear, ...notesNamed([flat], 'report').byYear]), subject, offered }
}

/** How far into a prospectus its title is, characters. */
const OPENING = 6000

/** The series that texts of one document name; the first text is its beginning. */
export function notesNamed(texts: readonly string[], kind: 'offer' | 'indenture' | 'report'): NotesOf {
  const all = distinct(
    texts.flatMap(flat => [full, bearing].flatMap(each => named(each, flat, 0, flat.length))),
  )
  const byYear = new Map<string, Series[]>()
  for (const each of all) byYear.set(each.year, [...(byYear.get(each.year) ?? []), each])
  // The title may be parted from the cover above it.
  const opening = texts.join(' ').slice(0, OPENING)
  const about = kind === 'offer' ? distinct(named(full, opening, 0, opening.length)) : all
  const [one, ...more] = about
  return {
    byYear,
    subject: kind !== 'report' && more.length === 0 ? (one ?? null) : null,
    offered: kind === 'offer' ? about : [],
  }
}

export const distinct = (all: readonly Series[]): Series[] => [
  ...new Map(all.map(({ coupon, year }) => [`${coupon} ${year}`, { coupon, year }])).values(),
]
