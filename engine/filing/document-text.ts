import { elementAt } from '../base/elements.ts'
import type { Lines } from './block.ts'
import { furnitureOf } from './furniture.ts'

/** The text of a document with the position of each line. */
export interface DocumentText {
  readonly lines: Lines
  readonly text: string
  /** Offset of each block in `text`, and the length of `text` at the end; running titles are empty. */
  readonly starts: readonly number[]
  readonly furniture: ReadonlySet<number>
}

/** Rows are consecutive lines, paragraphs are separated by blank lines. */
export function documentText(lines: Lines): DocumentText {
  const furniture = furnitureOf(lines.blocks)
  const starts: number[] = []
  const parts: string[] = []
  let length = 0
  let wasRow = false
  for (const [i, { text, cells }] of lines.blocks.entries()) {
    if (furniture.has(i)) {
      starts.push(length)
      continue
    }
    const isRow = cells !== null
    const gap = length === 0 ? '' : wasRow && isRow ? '\n' : '\n\n'
    starts.push(length + gap.length)
    parts.push(gap, text)
    length += gap.length + text.length
    wasRow = isRow
  }
  return { lines, text: parts.join(''), starts: [...starts, length], furniture }
}

/**
 * Source length of blocks `[from, to)`, up to the start of the next one, without the gap between a page's foot and
 * the next page's running title.
 */
export function sourceLength({ lines, furniture }: DocumentText, from: number, to: number): number {
  const { blocks, length } = lines
  let count = (blocks[to]?.at ?? length) - elementAt(blocks, from).at
  for (let i = from; i < to && i + 1 < blocks.length; i++) {
    const [block, next] = [elementAt(blocks, i), elementAt(blocks, i + 1)]
    if (next.page !== block.page && furniture.has(i + 1)) count -= Math.max(0, next.at - block.end)
  }
  return count
}
