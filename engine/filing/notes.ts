import { elementAt, firstOf, lastOf } from '../base/elements.ts'
import { partitionPoint } from '../base/partition-point.ts'
import type { Block, Lines } from './block.ts'
import { isHeading, isTitle } from './heading.ts'
import { bestSequence, type Candidate, endsInPages, scored } from './items.ts'
import { unnumberedNotes } from './note-titles.ts'
import type { SectionType } from './outline.ts'

/** Blocks `[from, to)` that are one note to the statements. */
export interface Note {
  readonly from: number
  readonly to: number
  readonly title: string
  readonly type: SectionType
}

/** The notes among blocks `[from, to)`: as tagged, else by headings with numbers, else with letters. */
export function notesIn(lines: Lines, from: number, to: number): Note[] {
  const tagged = taggedNotes(lines, from, to)
  if (tagged.length >= 3) return tagged
  const numbered = markedNotes(lines.blocks, from, to, numberOf)
  return numbered.length > 0 ? numbered : markedNotes(lines.blocks, from, to, letterOf)
}

/** The notes of statements, where their headings may also have neither numbers nor letters. */
export function notesOfStatements(lines: Lines, from: number, to: number): Note[] {
  const notes = notesIn(lines, from, to)
  if (notes.length > 0) return notes
  const starts = unnumberedNotes(lines.blocks, from, to)
  return starts.map((block, i) => {
    const title = elementAt(lines.blocks, block).text.slice(0, 200)
    return { from: block, to: starts[i + 1] ?? to, title, type: typeNamed(title) }
  })
}

function taggedNotes({ blocks, textBlocks }: Lines, from: number, to: number): Note[] {
  const notes: Note[] = []
  let covered = 0
  const noteBlocks = textBlocks
    .filter(
      ({ concept }) =>
        !/(Policy|Policies|Table)TextBlock$/.test(concept) || /SignificantAccountingPolicies/.test(concept),
    )
    .map(({ concept, ranges }) => ({ concept, begin: firstOf(ranges)[0], end: lastOf(ranges)[1] }))
    .sort((a, b) => a.begin - b.begin || b.end - a.end)
  for (const { concept, begin, end } of noteBlocks) {
    const first = firstAtOrAfter(blocks, begin)
    const last = firstAtOrAfter(blocks, end)
    if (first < Math.max(from, covered) || last > to || last <= first) continue
    covered = last
    // If only the text is tagged, the heading precedes the tag.
    const before = blocks[first - 1]
    const headed = first > from && before && NOTE.test(before.text) && isHeading(before) ? first - 1 : first
    const heading = elementAt(blocks, headed).text
    const isBare = heading.replace(NOTE, '') === ''
    const title = (isBare ? `${heading} ${titleBelow(blocks, headed)}` : heading).slice(0, 200)
    notes.push({ from: headed, to: last, title, type: noteType(title, concept) })
  }
  return notes
}

const firstAtOrAfter = (blocks: readonly Block[], offset: number): number =>
  partitionPoint(blocks, ({ at }) => at < offset)

const NOTE = /^(?:notes?\s+)?\(?(\d{1,2})\)?[\s.:;|)•·–—-]+(?=[A-Z“"(]|$)|^notes?\s+(\d{1,2})$/i

/** The place of a note among the others, by the mark of its heading; null if it has none. */
type OrderOf = (heading: string) => number | null

const numberOf: OrderOf = heading => {
  const match = NOTE.exec(heading)
  if (!match || (match[2] === undefined && endsInPages(heading))) return null
  return Number(match[1] ?? match[2])
}

const LETTERED = /^notes?\s+\(?([A-Z])\)?(?:[\s.:;|)\u2013\u2014-]+(?=[A-Z\u201c"(])|$)/i

/** `Note A - Accounting Policies`. */
const letterOf: OrderOf = heading => {
  const letter = LETTERED.exec(heading)?.[1]
  return letter === undefined || endsInPages(heading)
    ? null
    : letter.toUpperCase().charCodeAt(0) - 'A'.charCodeAt(0) + 1
}

function markedNotes(blocks: readonly Block[], from: number, to: number, orderOf: OrderOf): Note[] {
  const candidates = []
  for (let i = from; i < to; i++) {
    const block = elementAt(blocks, i)
    if (block.text.length > 200 || block.link !== null) continue
    const order = orderOf(block.text)
    if (order === null) continue
    const isNamed = /^note/i.test(block.text)
    const isRow = block.cells !== null && block.cells.length > 2
    if (isRow || !(isNamed || isTitle(rejoined(block)))) continue
    const isContinued = /\(?cont(inued|’d|'d)/i.test(block.text)
    const score =
      1 + (isNamed ? 1 : 0) + (block.bold ? 1 : 0) + (isHeading(block) ? 0.5 : 0) - (isContinued ? 1.5 : 0)
    if (score > 0) candidates.push({ order, block: i, score })
  }
  const { found, end } = withoutAnnexed(candidates, blocks, to)
  const named = found.filter(({ block }) => /^note/i.test(elementAt(blocks, block).text))
  if (found.length < 3 || (named.length < 2 && found.length < 6)) return []
  return found.map(({ block }, i) => {
    const heading = elementAt(blocks, block).text
    const isWhole =
      heading.replace(orderOf === letterOf ? LETTERED : NOTE, '') !== '' &&
      !/(?:\b(?:and|of|or|for|term)|[-,])$/i.test(heading)
    const title = (isWhole ? heading : `${heading} ${titleBelow(blocks, block)}`)
      .replaceAll(' | ', ' ')
      .slice(0, 200)
    return { from: block, to: found[i + 1]?.block ?? end, title, type: typeNamed(title) }
  })
}

/** Notes that begin again behind this many are those of another company's statements. */
const WHOLE = 8
/** Notes have this many characters at least; their list on a contents page has fewer. */
const LEAST_TEXT = 30_000

/** The filer's own notes, and where they end: statements of an affiliate that are annexed have notes from 1 on too. */
function withoutAnnexed(
  candidates: readonly Candidate[],
  blocks: readonly Block[],
  to: number,
): { found: Candidate[]; end: number } {
  let found = bestSequence(scored(candidates, blocks))
  let end = to
  for (let first = found[0]; first !== undefined && first.order === 1; first = found[0]) {
    const { block: begin } = first
    const before = candidates.filter(({ block }) => block < begin)
    const own = bestSequence(scored(before, blocks))
    const [one, last] = [own[0], own.at(-1)]
    if (one === undefined || last === undefined || one.order !== 1 || own.length < WHOLE) break
    if (elementAt(blocks, last.block).at - elementAt(blocks, one.block).at < LEAST_TEXT) break
    found = own
    end = begin
  }
  return { found, end }
}

const typeNamed = (title: string): SectionType => {
  const type = noteType(title)
  return type === 'notes' ? noteType(joined(title)) : type
}

/** How many lines of a page's foot and head may stand between a note's number and its title. */
const BETWEEN = 3
const PAGE_LINE =
  /^(?:[-\s\d|]{0,12}|index|table of contents|notes to (?:the )?(?:condensed )?consolidated financial statements.{0,40}|.{0,60}\(continued\))$/i

/** The rest of a title set in two lines, as below the number of a note: the next line that is of no page. */
function titleBelow(blocks: readonly Block[], at: number): string {
  const below = blocks.slice(at + 1, at + 2 + BETWEEN)
  return (below.find(({ text }) => !PAGE_LINE.test(text)) ?? below[0])?.text ?? ''
}

/** Text extracted from pages has words broken by a blank, `Signif icant` or `Deb t`, which obscures titles. */
const joined = (title: string): string => title.replace(/(\p{L}) (\p{Ll}{3,}|(?!a\b)\p{Ll})(?= |$)/u, '$1$2')

const rejoined = (block: Block): Block =>
  block.cells === null ? { ...block, text: joined(block.text) } : block

const DEBT =
  /\b(debt|borrowings?|borrowed funds|indebtedness|credit (facilit(y|ies)|agreements?|lines?)|(secured |revolving )?lines? of credit|revolv(ers?|ing (loans?|credit))|notes payable|commercial paper|long-term obligations|financing arrangements?|senior notes)\b/i
/** Titles of notes on debt that name its kinds alone. */
const KINDS =
  /\b(?:(?:convertible|exchangeable|subordinated|junior|unsecured|secured|promissory|mortgage|first mortgage|medium-term)\s(?:(?:convertible|senior|subordinated|promissory)\s){0,2}(?:notes|debentures|bonds)|(?:notes|loans|bonds)(?: and (?:notes|loans|bonds|mortgages))? payable|debentures|trust preferred securities|(?:term|bank|revolving|subordinated|shareholder|construction) loans?|loan (?:agreements?|facilit(?:y|ies)|payable)|credit arrangements|warehouse facilit(?:y|ies)|funds borrowed|(?:secured|project|vessel|aircraft|equipment|bank) financings?|(?:long-term )?capitalization)\b/i
const KIND_ALONE =
  /^(?:note\s)?\W{0,3}\d{0,2}\W{0,4}(?:financings?|financing activities|bonds|notes|loans|(?:interest-bearing|financial) (?:assets and )?liabilities)\W{0,2}$/i
/** Titles of notes on what others owe. */
const OF_ASSETS = /\breceivable|\binvest(?:ments?|ed)\b|\bheld\b|\ballowance|\bavailable\b|\bderivative/i

const DEBT_CONCEPT =
  /(:|^)(Debt|LongTermDebt|ShortTermDebt|LinesOfCredit|LineOfCredit|Borrowings|NotesPayable|DebtAndCapitalLeases)\w*(Disclosure)?TextBlock$/i

export const GUARANTORS =
  /guarantor|condensed consolidating|guarantees? of (registered|debt|securities|senior)/i

function noteType(title: string, concept = ''): SectionType {
  if (GUARANTORS.test(title)) return 'guarantor_list'
  if (/debt and equity securities|debt securities/i.test(title)) return 'notes'
  const isNamed = (KINDS.test(title) || KIND_ALONE.test(title)) && !OF_ASSETS.test(title)
  return DEBT_CONCEPT.test(concept) || DEBT.test(title) || isNamed ? 'debt_footnote' : 'notes'
}
