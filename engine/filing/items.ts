import { elementAt, firstOf, groupOf, lastOf } from '../base/elements.ts'
import { smallest } from '../base/lists.ts'
import type { Block } from './block.ts'
import type { Item } from './outline.ts'

/** The start of an item of a form. */
export interface ItemStart {
  readonly item: Item
  /** Index of the block with its heading. */
  readonly block: number
}

export interface Candidate {
  /** Index of the item in the outline. */
  readonly order: number
  readonly block: number
  readonly score: number
}

/** Maximum length of page references at the end of a line. */
const LONGEST_PAGES = 200
// at most 200 characters: LONGEST_PAGES
const PAGES = /(\bpages?\s|\s|\|\s*)\d{1,3}(\s*[-–,]\s*\d{1,3})*$/i

/** Whether a line ends in page numbers, as in a table of contents. */
export const endsInPages = (text: string): boolean => PAGES.test(text.slice(-LONGEST_PAGES))

const ITEM =
  /^(?:part\s+(I{1,3}|IV)\W{0,4})?items?\s*(\d{1,2})\s*(?:\(?([ABC])\)?(?![a-z]))?\s*[.:;,|–—-]*\s*/i

/**
 * Finds where the items begin: among all candidate headings, those in form order that look most like headings, lie
 * farthest apart, and are linked from the table of contents.
 */
export function findItems(blocks: readonly Block[], outline: readonly Item[]): ItemStart[] {
  const candidates = candidatesOf(blocks, outline)
  let found = bestSequence(scored(distinct(candidates), blocks))
  // An index of where to look: the sections themselves carry their titles only.
  const pointing = found.filter(({ block }) => endsInPages(elementAt(blocks, block).text))
  if (pointing.length >= 3) {
    const [first, last] = [firstOf(pointing).block, lastOf(pointing).block]
    const body = bestSequence(
      scored(distinct(candidates.filter(({ block }) => block < first || block > last)), blocks),
    )
    const titled = new Set(body.map(({ order }) => order))
    found = [...body, ...found.filter(({ order }) => !titled.has(order))].sort((a, b) => a.block - b.block)
  }
  return found.map(({ order, block }) => ({ item: elementAt(outline, order), block }))
}

/** Without running titles that repeat an item on each page. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const unique: Candidate[] = []
  // A line may be of an item of either part of a form: those of the line before it that names any.
  let before = new Map<number, number>()
  let line = new Map<number, number>()
  let block = -1
  for (const candidate of [...candidates].sort((a, b) => a.block - b.block || a.order - b.order)) {
    if (candidate.block !== block) [before, line, block] = [line, new Map(), candidate.block]
    const score = before.get(candidate.order)
    const isRepeated = score !== undefined && score >= candidate.score - 1
    if (!isRepeated) unique.push(candidate)
    line.set(candidate.order, isRepeated ? score : candidate.score)
  }
  return unique
}

function candidatesOf(blocks: readonly Block[], outline: readonly Item[]): Candidate[] {
  const orders = [...outline.keys()]
  const anchored = new Map(blocks.flatMap(({ anchors }, i) => anchors.map(anchor => [anchor, i] as const)))
  const pointed = new Map<string, Candidate>()
  const found: Candidate[] = []
  const parts = new Map<number, number>()
  let part: number | null = null
  for (const [i, block] of blocks.entries()) {
    const text = block.text.replaceAll(' | ', ' ')
    if (text.length > 400) continue
    const begins = partOf(text)
    part = begins ?? part
    if (begins !== null && block.link === null) parts.set(begins, i)
    const match = ITEM.exec(text)
    const numbered = match ? `${Number(match[2])}${match[3]?.toUpperCase() ?? ''}` : null
    const title = match ? text.slice(match[0].length) : text
    for (const order of orders) {
      if (numbered !== null && elementAt(outline, order).number !== numbered) continue
      const item = elementAt(outline, order)
      const next = title === '' ? (blocks[i + 1]?.text ?? '') : title
      const isTitled = item.says.test(next)
      if (numbered === null && !(isTitled && block.link !== null)) {
        if (isBareTitle(block, item)) found.push({ order, block: i, score: isCapital(text) ? 0.9 : 0.7 })
        continue
      }
      // A line of a table of contents supports its link target.
      const target = block.link === null ? undefined : anchored.get(block.link)
      if (target !== undefined && target !== i) {
        const key = `${order} ${target}`
        const score = (numbered === null ? 0.5 : 1) + (isTitled ? 1 : 0)
        if (!pointed.has(key)) pointed.set(key, { order, block: target, score })
        continue
      }
      if (numbered === null) continue
      const partNumber = match![1] ? ROMAN.indexOf(match![1].toUpperCase()) + 1 : part
      const isProse = !isTitled && /^[a-z(]/.test(title)
      const isCited = /\b(of|in|to) (this|our|the) |see |refer|incorporated|continued\)?$/i.test(title)
      found.push({
        order,
        block: i,
        score:
          1 +
          (isTitled ? 2 : 0) +
          (block.bold ? 1.5 : block.emphasised ? 0.75 : 0) +
          (isCapital(text) ? 0.75 : 0) +
          (partNumber === item.part ? 0.5 : 0) -
          (isProse ? 2 : 0) -
          (isCited ? 2 : 0) -
          (text.length > 200 ? 1.5 : 0) -
          (endsInPages(text) ? 2.5 : 0),
      })
    }
  }
  for (const { order, block, score } of pointed.values()) {
    const at = found.findIndex(each => each.order === order && block <= each.block && each.block <= block + 3)
    if (at >= 0) found[at] = { ...elementAt(found, at), score: elementAt(found, at).score + score }
    else found.push({ order, block, score })
  }
  // A part whose items have no headings begins at its own heading.
  for (const [part, block] of parts) {
    const end = smallest(
      [...parts.values()].filter(each => each > block),
      blocks.length,
    )
    const isEmpty = !found.some(
      each =>
        each.block > block &&
        each.block < end &&
        elementAt(outline, each.order).part === part &&
        each.score > 1,
    )
    const order = outline.findIndex(each => each.part === part)
    if (isEmpty && outline[order]?.key.startsWith('part')) found.push({ order, block, score: 0.4 })
  }
  return found.filter(({ score }) => score > 0)
}

/** An item's title without its number, as some filers write it. */
const isBareTitle = (block: Block, item: Item): boolean =>
  item.type !== 'other' &&
  block.link === null &&
  (block.bold || block.centred) &&
  BARE[item.type]?.test(block.text) === true

const BARE: Partial<Record<Item['type'], RegExp>> = {
  business: /^(our )?business$/i,
  risk_factors: /^risk factors$/i,
  // Whole, or its first line where it is set in two.
  mda: /^management\W?s discussion and analysis(?: of(?: financial(?: condition(?: and(?: results(?: of(?: operations)?)?)?)?)?)?)?( \(.*\))?$/i,
  notes: /^((condensed )?consolidated )?financial statements( and supplement(al|ary) (data|details))?$/i,
}

const ROMAN = ['I', 'II', 'III', 'IV']

/** The part of a form that a line announces. */
export function partOf(text: string): number | null {
  const match = /^part\s+(I{1,3}|IV)\b\D{0,60}$/i.exec(text)
  return match ? ROMAN.indexOf(groupOf(match, 1).toUpperCase()) + 1 : null
}

export const isCapital = (text: string) => /[A-Z]{3}/.test(text) && text === text.toUpperCase()

/** Adds a score for the distance to the next candidate: items on a contents page are adjacent. */
export function scored<C extends Candidate>(candidates: readonly C[], blocks: readonly Block[]): C[] {
  const listed = listedOf(candidates)
  return candidates.map((candidate, i) => {
    const next = candidates.slice(i + 1).find(({ block }) => block > candidate.block)
    const distance =
      (next ? elementAt(blocks, next.block).at : Number.POSITIVE_INFINITY) -
      elementAt(blocks, candidate.block).at
    const apart = Math.min(1, distance / 4000)
    return { ...candidate, score: candidate.score + apart - (listed.has(i) ? LISTED : 0) }
  })
}

/** Penalty for a heading among consecutive headings with almost nothing between. */
const LISTED = 1.5

/** Runs of four or more candidates with at most one line between neighbours. */
function listedOf(candidates: readonly Candidate[]): ReadonlySet<number> {
  const listed = new Set<number>()
  let run: number[] = []
  const end = () => {
    if (run.length >= 4) for (const each of run) listed.add(each)
    run = []
  }
  for (const [i, { block }] of candidates.entries()) {
    const last = run[run.length - 1]
    if (last !== undefined && block - elementAt(candidates, last).block > 2) end()
    run.push(i)
  }
  end()
  return listed
}

/** The candidates in ascending position and order with the highest total; the later ones on ties. */
export function bestSequence<C extends Candidate>(candidates: readonly C[]): C[] {
  const best: { sum: number; before: number }[] = []
  let last = -1
  for (const [i, { order, block, score }] of candidates.entries()) {
    let sum = score
    let before = -1
    for (let j = 0; j < i; j++) {
      const other = elementAt(candidates, j)
      if (other.order < order && other.block < block && elementAt(best, j).sum + score >= sum) {
        sum = elementAt(best, j).sum + score
        before = j
      }
    }
    best.push({ sum, before })
    if (last < 0 || sum >= elementAt(best, last).sum) last = i
  }
  const sequence: C[] = []
  for (let i = last; i >= 0; i = elementAt(best, i).before) sequence.unshift(elementAt(candidates, i))
  return sequence
}
