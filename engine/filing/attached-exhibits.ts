import { elementAt } from '../base/elements.ts'
import type { Block } from './block.ts'

/** An exhibit printed behind a report: blocks `[from, to)`. */
export interface AttachedExhibit {
  readonly from: number
  readonly to: number
  /** `4.18`. */
  readonly number: string
}

const EXHIBIT =
  /^(?:[^|]{0,40}\|\s*)?(?:EXHIBIT|Exhibit|EX-)\s*\(?(?<number>\d{1,3}(?:\.\d{1,3})?)(?:\([a-z0-9]{1,3}\))?\)?(?=\W*$|\s+[A-Z(])/
/** How many lines may stand above the number of an exhibit on its first page. */
const MOST_ABOVE = 2

/** The exhibits that follow a report in the same document, by their numbers at the top of a page. */
export function attachedExhibits(blocks: readonly Block[], after: number): AttachedExhibit[] {
  const begins: { from: number; number: string }[] = []
  let top = after
  for (let i = after + 1; i < blocks.length; i++) {
    const block = elementAt(blocks, i)
    if (block.page !== elementAt(blocks, i - 1).page) top = i
    if (top === after || i - top > MOST_ABOVE || block.text.length > 160 || begins.at(-1)?.from === top)
      continue
    const number = EXHIBIT.exec(block.text)?.groups?.['number']
    if (number !== undefined) begins.push({ from: top, number })
  }
  return begins.map(({ from, number }, i) => ({ from, number, to: begins[i + 1]?.from ?? blocks.length }))
}
