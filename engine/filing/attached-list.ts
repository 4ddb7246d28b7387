import { elementAt } from '../base/elements.ts'
import { LEGAL_FORM } from '../names/jurisdiction.ts'
import type { Block, Lines } from './block.ts'
import { subsidiariesIn } from './subsidiaries.ts'

const BEGINS =
  /^\W*(?:exhibit\s*\(?21(?:\.\d+)?\)?(?!\d)|(?:(?:list of|major|significant|principal|active|consolidated|the)\s+)*subsidiaries of\b|list of (?:\w+ ){0,2}subsidiaries\b)/i
const ENDS =
  /^\W*(?:exhibit\s*\(?(?:1|2[2-9]|[3-9]\d|1\d\d)(?:\.\d+)?\)?(?!\d)|(?:ex-)?23\.\d|consents? of independent|consent of .{0,60}\b(?:accounting|auditors?|llp)|power of attorney|(?:section \d+ )?certifications?\b|report of independent)/i

/** The list of subsidiaries in a report that includes its exhibits: blocks `[from, to)`; null if there is none. */
export function attachedList(lines: Lines): { readonly from: number; readonly to: number } | null {
  const { blocks } = lines
  let best: { from: number; to: number; named: number } | null = null
  for (let from = Math.floor(blocks.length / 2); from < blocks.length; from++) {
    if (!isLine(elementAt(blocks, from)) || !BEGINS.test(elementAt(blocks, from).text)) continue
    const after = blocks.slice(from + 1).findIndex(block => isLine(block) && ENDS.test(block.text))
    const to = after < 0 ? blocks.length : from + 1 + after
    const listed = subsidiariesIn({ ...lines, blocks: blocks.slice(from, to) })
    const placed = listed.filter(each => each.jurisdiction !== null)
    const named = listed.filter(each => LEGAL_FORM.test(each.name))
    const isList =
      placed.length >= 3 && placed.length >= 0.6 * listed.length && named.length >= 0.5 * listed.length
    if (isList && (best === null || placed.length > best.named)) best = { from, to, named: placed.length }
  }
  return best && { from: best.from, to: best.to }
}

const isLine = ({ text }: Block): boolean => text.length < 200
