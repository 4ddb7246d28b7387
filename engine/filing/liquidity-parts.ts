import { largest } from '../base/lists.ts'
import { type Block, blocksIn } from './block.ts'
import { isTitle } from './heading.ts'
import { endsInPages, isCapital, partOf } from './items.ts'

/** A part of a discussion, blocks `[from, to)`. */
interface DiscussionPart {
  readonly title: string
  readonly from: number
  readonly to: number
}

const LIQUIDITY =
  /\bliquidity\b|^capital resources\b|^(?:consolidated )?financial condition(?: of (?!operations\b).{2,60})?$/i
/** The same in capitals that a page breaks, `FINANCIAL CONDITION AND LIQUIDI TY`. */
const BROKEN = /LIQUIDITY|^CAPITALRESOURCES|^(?:CONSOLIDATED)?FINANCIALCONDITION$/
/** Titles of the whole discussion of liquidity, rather than of something about it. */
const WHOLE = /capital\s?resources|financial\s?condition|^liquidity\W*$/i
/** Where a discussion has none of these titles. */
const ABOUT_DEBT =
  /^(?:our )?(?:(?:debt|financing|capitalization|indebtedness|capital structure|credit facilit(?:y|ies)|financial (?:position|resources)|cash flows?|sources (?:and uses )?of (?:cash|funds|liquidity|capital))(?: (?:and|of) .{3,40}| arrangements?| activities)?)$/i
const BEYOND =
  /critical accounting|accounting (?:estimates|policies|pronouncements|standards|developments)|^results of operations|forward.looking|market risk|quantitative and qualitative|^outlook|non-gaap|^inflation|controls and procedures|^recent(?:ly)? |^new accounting/i
/** A heading that runs into its paragraph: `Liquidity and Capital Resources We believe`, `Automotive Liquidity. Total available`. */
const RUN_IN =
  /^(?<title>(?:[A-Z][\w'\u2019-]{1,20} ){0,3}Liquidity(?: (?:and|&) (?:Capital|Financial) Resources)?)[.:\u2014\u2013-]{0,2} (?=(?:We|Our|The|This|Total|As of|At|In|During|Since|Cash|Net|Management)\b)/
/** A line of a sentence or of a column of text, in the middle of which a page may set a line like a heading. */
const INCOMPLETE = /^[a-z]|\b(?:and|or|of|on|in|the|to|by|with)$/
const REFERS = /\b(?:below|above|see|refer)\b/i

/** Characters of text: less is a line of the discussion's own contents, or a reference. */
const SHORTEST = 600

const says = (text: string): boolean =>
  LIQUIDITY.test(text) || (isCapital(text) && BROKEN.test(text.replace(/\s+/g, '')))

/**
 * The parts of a discussion, blocks `[from, to)`, that are about liquidity and capital resources: from each title to the next
 * of another subject. A line of the discussion's own contents is none where the part itself is found.
 */
export function liquidityParts(blocks: readonly Block[], from: number, to: number): DiscussionPart[] {
  const titled = blocksIn(blocks, from + 1, to).flatMap(([i, block]) => titleAt(blocks, i, block) ?? [])
  const named = titled.filter(({ title }) => says(title) && !BEYOND.test(title))
  const whole = named.filter(({ title }) => WHOLE.test(title))
  const starts = whole.length > 0 ? whole : named.length > 0 ? named : titled.filter(isAboutDebt).slice(0, 1)
  const ends = titled.filter(({ title }) => BEYOND.test(title) && !says(title))
  const parts: DiscussionPart[] = []
  for (const start of starts) {
    if (start.from < (parts.at(-1)?.to ?? 0)) continue
    const end = ends.find(each => each.from > start.from)?.from ?? to
    parts.push({ ...start, to: end })
  }
  const measured = parts.map(part => ({
    part,
    length: blocks.slice(part.from, part.to).reduce((sum, { text }) => sum + text.length, 0),
  }))
  const longest = largest(
    measured.map(({ length }) => length),
    0,
  )
  return measured.flatMap(({ part, length }) => (length >= Math.min(SHORTEST, longest) ? part : []))
}

const isAboutDebt = ({ title }: { readonly title: string }): boolean => ABOUT_DEBT.test(title)

/** A title, or the heading that a paragraph begins with. */
function titleAt(blocks: readonly Block[], from: number, block: Block) {
  const { text } = block
  if (!isTitle(block)) {
    const title = block.cells === null ? RUN_IN.exec(text)?.groups?.['title'] : undefined
    return title === undefined ? null : { from, title }
  }
  // A title of the whole discussion may stand on several lines.
  const isInTitle = /^(?:and )?results of/i.test(blocks[from + 1]?.text ?? '') && /condition$/i.test(text)
  if (INCOMPLETE.test(text) || REFERS.test(text) || endsInPages(text) || isInTitle) return null
  return partOf(text) === null ? { from, title: text } : null
}
