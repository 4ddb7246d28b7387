import { elementAt, groupOf } from '../base/elements.ts'
import type { Block } from './block.ts'
import { isHeading, setting } from './heading.ts'
import { bestSequence, endsInPages, scored } from './items.ts'

/** An article of an agreement or indenture: blocks `[from, to)`. */
export interface Article {
  readonly from: number
  readonly to: number
  readonly title: string
}

const WORDS =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  )

/** How agreements number their main parts, most common first. */
const NUMBERINGS: readonly RegExp[] = [
  new RegExp(`^article\\s+([ivxl]+|\\d{1,2}|${WORDS.join('|')})\\b[\\s.:|–—-]*`, 'i'),
  /^section\s+([ivxl]+|\d{1,2})(?![.\d])[\s.:|–—-]*/i,
  /^(\d{1,2})\.(?!\d)[\s|]*(?=[A-Z])/,
]

/** The main parts of an agreement in order; empty without a recognisable numbering. */
export function articlesOf(blocks: readonly Block[]): Article[] {
  for (const numbering of NUMBERINGS) {
    const articles = numbered(blocks, numbering)
    if (articles.length >= 3) return articles
  }
  return []
}

const COVENANTS = /covenant|negative pledge|financial (condition|tests)/i
const TITLED = /^\W*(?:\w\S* (?:\S+ ){0,3})?covenants\b.{0,40}$/i

/** The articles of covenants; without a numbering, what is under headings about covenants. */
export function covenantArticles(blocks: readonly Block[]): Article[] {
  const articles = articlesOf(blocks).filter(({ title }) => COVENANTS.test(title))
  if (articles.length > 0) return articles
  const headings = [...blocks.keys()].filter(
    i => isHeading(elementAt(blocks, i)) && !endsInPages(elementAt(blocks, i).text),
  )
  return headings.flatMap((from, i) => {
    const { text } = elementAt(blocks, from)
    if (!TITLED.test(text)) return []
    const look = setting(elementAt(blocks, from))
    const next = headings.slice(i + 1).find(at => setting(elementAt(blocks, at)) === look)
    const to = next ?? blocks.length
    // A contents page lists headings one below the other.
    const isListed = elementAt(blocks, Math.min(to, blocks.length - 1)).at - elementAt(blocks, from).at < 1000
    return isListed ? [] : [{ from, to, title: text.slice(0, 200) }]
  })
}

function numbered(blocks: readonly Block[], numbering: RegExp): Article[] {
  const candidates = []
  for (const [i, block] of blocks.entries()) {
    if (block.text.length > 200 || block.link !== null) continue
    const match = numbering.exec(block.text)
    const order = match ? numberOf(groupOf(match, 1)) : 0
    if (order === 0) continue
    const rest = block.text.slice(match![0].length)
    if (endsInPages(` ${rest}`)) continue
    // Empty, or a title: a sentence that begins with an article is a reference to it.
    if (rest !== '' && !isHeading(block) && !/^[A-Z][^.]{2,90}\.?$/.test(rest)) continue
    const score = 1 + (isHeading(block) ? 1 : 0) + (rest === '' || rest === rest.toUpperCase() ? 1 : 0)
    candidates.push({ order, block: i, score })
  }
  const found = bestSequence(scored(candidates, blocks))
  return found.map(({ block }, i) => {
    const heading = elementAt(blocks, block).text.replaceAll(' | ', ' ')
    const isBare = heading.replace(numbering, '') === ''
    const title = isBare ? `${heading} ${blocks[block + 1]?.text ?? ''}` : heading
    return { from: block, to: found[i + 1]?.block ?? blocks.length, title: title.slice(0, 200) }
  })
}

function numberOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  const word = WORDS.indexOf(text.toLowerCase())
  if (word >= 0) return word + 1
  const values: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50 }
  const digits = [...text.toLowerCase()].map(letter => values[letter] ?? 0)
  return digits.reduce((sum, digit, i) => sum + (digit < (digits[i + 1] ?? 0) ? -digit : digit), 0)
}
