import { elementAt } from '../base/elements.ts'
import type { Block } from './block.ts'

/** Lines at the top and bottom of pages that are not text: page numbers, running titles, links back. */
export function furnitureOf(blocks: readonly Block[]): ReadonlySet<number> {
  const turns: number[] = []
  for (let i = 1; i < blocks.length; i++)
    if (elementAt(blocks, i).page !== elementAt(blocks, i - 1).page) turns.push(i)
  const counts = new Map<string, number>()
  for (const turn of turns) {
    const near = new Set<string>()
    for (let i = Math.max(0, turn - DEEP); i < Math.min(blocks.length, turn + DEEP); i++)
      near.add(shape(elementAt(blocks, i)))
    for (const each of near) counts.set(each, (counts.get(each) ?? 0) + 1)
  }
  const often = Math.max(3, 0.15 * turns.length)
  const isRunning = (block: Block) =>
    block.text.length < 160 && (isPageNumber(block.text) || (counts.get(shape(block)) ?? 0) >= often)
  const found = new Set<number>()
  for (const turn of turns) {
    for (let i = turn - 1; i >= Math.max(0, turn - DEEP) && isRunning(elementAt(blocks, i)); i--) found.add(i)
    for (let i = turn; i < Math.min(blocks.length, turn + DEEP) && isRunning(elementAt(blocks, i)); i++)
      found.add(i)
  }
  for (const [i, block] of blocks.entries()) if (isWayBack(block)) found.add(i)
  return found
}

const DEEP = 4

const shape = ({ text }: Block) => text.replace(/\d+/g, '#').toLowerCase()

const isPageNumber = (text: string) =>
  /^[-–—|\s]*(page\s*)?([A-Z]-)?(\d{1,3}|[ivxl]{1,6})[-–—|\s.]*$/i.test(text)

const isWayBack = ({ text, link }: Block) =>
  link !== null && /^(back to )?(table of contents|index|top)$/i.test(text)
