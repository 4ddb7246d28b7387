import { elementAt, firstOf, lastOf } from '../base/elements.ts'
import { partitionPoint } from '../base/partition-point.ts'
import type { Block, Lines } from './block.ts'
import { isHeading, isTitle } from './heading.ts'
import { bestSequence, endsInPages, scored } from './items.ts'
import type { SectionType } from './outline.ts'

/** Blocks `[from, to)` that are one note to the statements. */
export interface Note {
  readonly from: number
  readonly to: number
  readonly title: string
  readonly type: SectionType
}

/** The notes among blocks `[from, to)`: as tagged, else by numbered headings. */
export function notesIn(lines: Lines, from: number, to: number): Note[] {
  const tagged = taggedNotes(lines, from, to)
  return tagged.length >= 3 ? tagged : numberedNotes(lines.blocks, from, to)
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
    const title = elementAt(blocks, headed).text.slice(0, 200)
    notes.push({ from: headed, to: last, title, type: noteType(title, concept) })
  }
  return notes
}

const firstAtOrAfter = (blocks: readonly Block[], offset: number): number =>
  partitionPoint(blocks, ({ at }) => at < offset)

const NOTE = /^(?:notes?\s+)?\(?(\d{1,2})\)?[\s.:;|)–—-]+(?=[A-Z“"(]|$)/i

function numberedNotes(blocks: readonly Block[], from: number, to: number): Note[] {
  const candidates = []
  for (let i = from; i < to; i++) {
    const block = elementAt(blocks, i)
    if (block.text.length > 200 || block.link !== null || endsInPages(block.text)) continue
    const match = NOTE.exec(block.text)
    if (!match) continue
    const isNamed = /^note/i.test(block.text)
    const isRow = block.cells !== null && block.cells.length > 2
    if (isRow || !(isNamed || isTitle(rejoined(block)))) continue
    const isContinued = /\(?cont(inued|’d|'d)/i.test(block.text)
    const score =
      1 + (isNamed ? 1 : 0) + (block.bold ? 1 : 0) + (isHeading(block) ? 0.5 : 0) - (isContinued ? 1.5 : 0)
    if (score > 0) candidates.push({ order: Number(match[1]), block: i, score })
  }
  const found = bestSequence(scored(candidates, blocks))
  const named = found.filter(({ block }) => /^note/i.test(elementAt(blocks, block).text))
  if (found.length < 3 || (named.length < 2 && found.length < 6)) return []
  return found.map(({ block }, i) => {
    const heading = elementAt(blocks, block).text
    const isBare = heading.replace(NOTE, '') === ''
    const title = (isBare ? `${heading} ${blocks[block + 1]?.text ?? ''}` : heading)
      .replaceAll(' | ', ' ')
      .slice(0, 200)
    return { from: block, to: found[i + 1]?.block ?? to, title, type: noteType(title) }
  })
}

/** Text extracted from pages has words broken by a blank, `Signif icant`, which obscures titles. */
const rejoined = (block: Block): Block =>
  block.cells === null
    ? { ...block, text: block.text.replace(/(\p{L}) (\p{Ll}{3,})(?= |$)/u, '$1$2') }
    : block

const DEBT =
  /\b(debt|borrowings?|indebtedness|credit (facilit(y|ies)|agreements?|lines)|notes payable|commercial paper|long-term obligations|financing arrangements?|senior notes)\b/i
const DEBT_CONCEPT =
  /(:|^)(Debt|LongTermDebt|ShortTermDebt|LinesOfCredit|LineOfCredit|Borrowings|NotesPayable|DebtAndCapitalLeases)\w*(Disclosure)?TextBlock$/i

export const GUARANTORS =
  /guarantor|condensed consolidating|guarantees? of (registered|debt|securities|senior)/i

function noteType(title: string, concept = ''): SectionType {
  if (GUARANTORS.test(title)) return 'guarantor_list'
  if (/debt and equity securities|debt securities/i.test(title)) return 'notes'
  return DEBT_CONCEPT.test(concept) || DEBT.test(title) ? 'debt_footnote' : 'notes'
}
