import type { Block } from './block.ts'
import { isCapital } from './items.ts'

/** Whether a line looks like a heading: short, and visually distinct from the text. */
export const isHeading = (block: Block): boolean =>
  block.text.length <= 160 &&
  block.link === null &&
  (block.cells === null || block.cells.length === 1) &&
  /\p{L}{3}/u.test(block.text) &&
  (block.bold || block.emphasised || isCapital(block.text) || (block.centred && block.text.length < 90)) &&
  !/[,;]$/.test(block.text)

/** A heading's style: headings of one level look alike. */
export const setting = (block: Block): string =>
  [block.bold, block.emphasised, block.centred, isCapital(block.text), block.cells !== null]
    .map(Number)
    .join('')

/** A possible title in plain text without formatting: short, capitalised, not a sentence. */
export const isTitle = (block: Block): boolean =>
  isHeading(block) ||
  (block.link === null &&
    (block.cells?.length ?? 1) <= 2 &&
    block.text.length <= 90 &&
    /^[A-Z\d]/.test(block.text) &&
    !/[.,;:%\d]$/.test(block.text) &&
    block.text
      .split(/[ |]+/)
      .every(word => /^(\P{Ll}|and|of|the|in|on|for|to|or|with|from|by|a|an|at|as)/u.test(word)))
