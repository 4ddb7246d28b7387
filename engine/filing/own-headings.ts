import { elementAt } from '../base/elements.ts'
import { largest } from '../base/lists.ts'
import type { Block } from './block.ts'
import { isTitle } from './heading.ts'
import { endsInPages, type ItemStart } from './items.ts'
import type { SectionType } from './outline.ts'

/** A part of a report under a heading of its own: blocks `[from, to)`. */
export interface OwnSection {
  readonly from: number
  readonly to: number
  readonly type: SectionType
  readonly title: string
}

/** Characters of text: items closer than this are lines of an index. */
const LINE = 1200
const FEWEST = 6
/** An item of this length holds its text. */
const LONG = 10_000

/** Whether the items of a report are an index of where to look, so that its sections have headings of their own. */
export function isCrossIndexed(blocks: readonly Block[], starts: readonly ItemStart[]): boolean {
  if (starts.length < FEWEST) return blocks.some(block => INDEX.test(block.text) && isTitle(block))
  const lengths = starts
    .slice(1)
    .map((start, i) => lengthOf(blocks.slice(elementAt(starts, i).block, start.block)))
  return lengths.filter(length => length < LINE).length >= 0.8 * lengths.length && largest(lengths) < LONG
}

const INDEX = /^(?:form )?10-?K cross-?\s?reference (?:index|table|guide|sheet)$/i

const lengthOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { text }) => sum + text.length, 0)

const HEADINGS: readonly (readonly [RegExp, SectionType])[] = [
  [/^(?:our |fundamentals of our )?business(?: overview)?$/i, 'business'],
  [/^risk factors$/i, 'risk_factors'],
  [/^management\W?s discussion (?:and|&) analysis\b(?!.*continued)/i, 'mda'],
  [
    /^(?:(?:index to )?consolidated )?financial statements(?: and supplement(?:al|ary) (?:data|details))?$/i,
    'other',
  ],
  [/^(?:report of independent registered|management\W?s report on internal)/i, 'other'],
  [
    /^(?:other key information|properties|legal proceedings|controls and procedures|exhibits(?: and .{0,40})?|signatures)$/i,
    'other',
  ],
  [INDEX, 'other'],
]

/** Characters of text: shorter sections are mentions, or lines of a table of contents. */
const SHORTEST = 1500

/** The sections of a report by its own headings, with what precedes the first. */
export function ownSections(blocks: readonly Block[]): OwnSection[] {
  const found: { from: number; type: SectionType; title: string }[] = []
  for (const [from, block] of blocks.entries()) {
    if (block.text.length > 120 || !isTitle(block) || endsInPages(block.text)) continue
    if ((block.cells?.length ?? 1) > 1) continue
    const type = HEADINGS.find(([says]) => says.test(block.text))?.[1]
    if (type !== undefined) found.push({ from, type, title: block.text.slice(0, 200) })
  }
  const apart = found.filter(
    ({ from }, i) => lengthOf(blocks.slice(from, found[i + 1]?.from ?? blocks.length)) >= SHORTEST,
  )
  // A title that heads every page of its section begins it once.
  const begun = apart.filter(({ title }, i) => title !== apart[i - 1]?.title)
  return [{ from: 0, type: 'other' as const, title: 'Cover' }, ...begun].map((each, i, all) => ({
    ...each,
    to: all[i + 1]?.from ?? blocks.length,
  }))
}
