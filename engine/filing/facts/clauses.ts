import { elementAt, firstOf, groupOf } from '../../base/elements.ts'

/** A numbered or titled clause of an agreement. Positions are those of the whole text. */
export interface Clause {
  /** `Section 7.14 Financial Covenants`. */
  readonly heading: string
  readonly title: string
  /** Where its number or title begins. */
  readonly from: number
  /** Where its text begins, after the title. */
  readonly body: number
  readonly to: number
  /** Whether it has a number or a letter, not only a title on its own line. */
  readonly isNumbered: boolean
  /** The article that contains it, `NEGATIVE COVENANTS`. */
  readonly article: string | null
  /** The title of the section containing a lettered clause, `(a) Liquidity.`. */
  readonly within: string | null
}

const NUMBERED = String.raw`(?:(?:[Ss](?:ECTION|ection|ec\.)|§)\s*)?\d{1,2}\.\d{1,2}(?:\.\d{1,2})?[.:]?|[Ss](?:ECTION|ection|ec\.)\s+\d{1,4}[.:]?`
const LETTERED = String.raw`\([a-z]{1,2}\)|\([ivx]{1,5}\)|[A-Z]\.`
// `10   Tangible Net Worth. At any time`, a number without a stop, set apart from the title of its line.
const APART = String.raw`(?<=\n[ \t]{0,90})\d{1,2}(?=[ \t]{3,9}[A-Z][A-Za-z,&'\- ]{2,80}\. {1,2}[A-Z])`
const TITLE = String.raw`[A-Z](?:[A-Za-z0-9',;&/()\- ]|(?<=\bU)\.(?=S\.)|(?<=\bU\.S)\.|\n(?![ \t]*\n)){2,120}?`
// `ARTICLE VII` and its title, on the same line or the next.
const article =
  /(?<=^|\s)A(?:RTICLE|rticle)\s+(?:[IVXL]{1,6}|\d{1,2})\b(?:[.:\-\s]{0,6}|(?<=\n[ \t]{0,90}A(?:RTICLE|rticle)\s{1,9}\w{1,6})\.?\s{7,200})(?<title>[A-Z](?:[A-Z',;&()\- ]|\n(?=[ \t]*[A-Z]{2})|(?<=[A-Z][a-z',\- ]*)[a-z]){3,80})/g
// A number at the start of a line or a sentence, then a title that ends in a full stop, a colon, a dash or its line.
const heading = new RegExp(
  String.raw`(?<=^|\n[ \t]{0,90}|[.;:]["']?[ \n\t]{1,20}|\s{3}|[\s.](?=SECTION\s))(?<number>(?:${NUMBERED})|(?:${LETTERED})|${APART})\s{0,90}(?<title>${TITLE})(?:\.(?=[\s"])|\s?[:\-]\s|(?=\n[ \t]*\n)|(?=\n[ \t]*(?:\(a\)|The |Each |No |Neither |Cause |Make |Create |Enter |Become |Permit )))`,
  'gm',
)
const numbered = new RegExp(`^(?:${NUMBERED}|\\d)`, 'i')
// A title on its own line, as in an indenture or a prospectus; or before its text, `Limitation on Liens. The Company …`.
const standing =
  /(?<=\n[ \t]{0,90}\n[ \t]{0,90})(?<title>[A-Z][A-Za-z0-9',;&/()\- ]{3,90})(?:(?=[ \t]{0,90}\n[ \t]{0,90}\n)|(?<leads>\.)(?=[ \t]{1,9}[A-Z(]))/g

// The next line is a row of a table.
const headsTable = /^\s{0,200}[^\n|]{0,90}\|/
// A title that its line breaks: `RESTRICTIONS ON DISTRIBUTIONS;`, `NO NEW NEGATIVE PLEDGE`.
const goesOn = /[;,]$|\b(?:and|or|of|to|on)$/i
const MOST_WORDS = 14
const SMALL =
  /^(?:of|the|and|or|to|in|on|for|by|with|at|a|an|from|as|under|upon|into|etc|not|other|than|its|any|certain|against)$/

// Titles without capitals, as some prospectuses set them: `Limitation on liens`.
const plainTitle =
  /^(?:(?:limitations?|restrictions?) (?:on|upon)|consolidations?,? |mergers?\b|change (?:of|in) control|offer to (?:re)?purchase|events? of default|negative pledge|certain (?:other )?covenants|covenants\b|sales? (?:and|of) |optional redemption|modification|amendments? and|defeasance|reports\b|ranking\b)[\w,;&/() -]{0,70}$/i
const MOST_PLAIN_WORDS = 10
const isPlainTitle = (title: string): boolean =>
  plainTitle.test(title) &&
  title.split(/\s+/).length <= MOST_PLAIN_WORDS &&
  !/\b(?:is|are|will|shall|may|has|have|was|were)\b/i.test(title)

const oneSpaced = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Every word but the small ones is capitalised: a title, not the start of a sentence. */
function isTitle(title: string): boolean {
  const parts = title.split(/[\s/]+/).filter(part => /[A-Za-z]/.test(part))
  if (parts.length === 0 || parts.length > MOST_WORDS) return false
  const low = parts.filter(part => /^[("']*[a-z]/.test(part) && !SMALL.test(part.replace(/[^a-z]/g, '')))
  return (
    low.length === 0 &&
    !/^(?:The|This|Each|No(?! Prepayments?\b)|Any|All|If|In|As|For|To|Such|Upon|With|By|On|At)\b/.test(title)
  )
}

interface Head {
  title: string
  label: string
  readonly from: number
  body: number
  readonly rank: number
  readonly isNumbered: boolean
}

/** The clauses of a text, each up to the next of its own rank, without tables of contents. */
export function clausesIn(text: string): Clause[] {
  const plain = text
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/[\u00a0|]/g, ' ')
  const articles = [...plain.matchAll(article)].map(m => ({
    title: oneSpaced(groupOf(m, 'title')),
    from: m.index,
    to: m.index + m[0].length,
  }))
  const numbers = numberedHeadsIn(plain)
  const isHead = new Uint8Array(text.length)
  for (const { from, body } of numbers) isHead.fill(1, from, body)
  const heads = [...numbers, ...standingHeadsIn(text, plain, numbers, isHead)]
  // What an article says before its first section, or without any: `ARTICLE 7. EVENTS OF DEFAULT`.
  for (const { title, from, to } of articles) {
    const isOwnLine = /(?:^|\n)[ \t]{0,90}$/.test(plain.slice(Math.max(0, from - 91), from))
    if (isOwnLine && isTitle(title) && !isHead.subarray(from, to).includes(1))
      heads.push({ title, label: title, from, body: to, rank: 1, isNumbered: false })
  }
  heads.sort((a, b) => a.from - b.from)
  const ends = endsOf(heads, text.length)
  const clauses: Clause[] = []
  let section: string | null = null
  let articleBefore = -1
  for (const [i, head] of heads.entries()) {
    const to = elementAt(ends, i)
    while (articles[articleBefore + 1] && elementAt(articles, articleBefore + 1).from <= head.from)
      articleBefore++
    if (head.rank === 1) section = head.title
    if (
      /^[\s.\d-]*$/.test(plain.slice(head.body, Math.min(to, heads[i + 1]?.from ?? to)).slice(0, 200)) &&
      to - head.body < 200
    )
      continue
    clauses.push({
      heading: head.label,
      title: head.title,
      from: head.from,
      body: head.body,
      to,
      isNumbered: head.isNumbered,
      article: articles[articleBefore]?.title ?? null,
      within: head.rank === 2 ? section : null,
    })
  }
  return clauses
}

/** `Section 7.14 Financial Covenants.`, `(a) Liquidity.` */
function numberedHeadsIn(plain: string): Head[] {
  const heads: Head[] = []
  for (const match of plain.matchAll(heading)) {
    const { number, title } = match.groups as { number: string; title: string }
    // A title may continue on the next line; if that reads as a sentence, the title is its line alone.
    const line = firstOf(title.split('\n'))
    const whole = [title, line].find(isTitle)
    if (whole === undefined) continue
    heads.push({
      title: oneSpaced(whole),
      label: oneSpaced(`${number} ${whole}`),
      from: match.index,
      body:
        whole === title ? match.index + match[0].length : match.index + match[0].indexOf(line) + line.length,
      rank: numbered.test(number) ? 1 : 2,
      isNumbered: true,
    })
  }
  return heads
}

/** Titles that stand on their own lines, marked; one that goes on from a numbered title is added to that. */
function standingHeadsIn(
  text: string,
  plain: string,
  numbers: readonly Head[],
  isHead: Uint8Array<ArrayBuffer>,
): Head[] {
  const heads: Head[] = []
  let last = -1
  for (const match of plain.matchAll(standing)) {
    const title = groupOf(match, 'title').trim()
    const [from, body] = [match.index, match.index + match[0].length]
    // The head of a table is not a clause.
    if (text.slice(from, body).includes('|') || headsTable.test(text.slice(body, body + 300))) continue
    while ((numbers[last + 1]?.from ?? Number.POSITIVE_INFINITY) < from) last++
    const before = numbers[last]
    const between = before && from - before.body < 300 ? plain.slice(before.body, from) : 'other words'
    if (before && goesOn.test(before.title) && between.trim() === '') {
      before.title += ` ${title}`
      before.label += ` ${title}`
      before.body = body
      continue
    }
    const isClause = isPlainTitle(title) || (match.groups?.['leads'] === undefined && isTitle(title))
    if (!isClause || isHead[from]) continue
    isHead.fill(1, from, body)
    heads.push({ title, label: title, from, body, rank: 1, isNumbered: false })
  }
  return heads
}

/** Where each clause ends: at the next one of its rank or above. */
function endsOf(heads: readonly { from: number; rank: number }[], length: number): number[] {
  let next = length
  let nextFirst = length
  return heads
    .toReversed()
    .map(({ from, rank }) => {
      const end = rank === 1 ? nextFirst : next
      next = from
      if (rank === 1) nextFirst = from
      return end
    })
    .reverse()
}

/** The innermost clause that contains a position. */
export const clauseAt = (clauses: readonly Clause[], at: number): Clause | null =>
  clauses.reduce<Clause | null>(
    (best, c) => (c.from <= at && at < c.to && (!best || c.from >= best.from) ? c : best),
    null,
  )
