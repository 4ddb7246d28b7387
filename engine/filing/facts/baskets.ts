import { groupOf } from '../../base/elements.ts'
import type { Clause } from './clauses.ts'
import { everyWords, oneLine } from './flat-text.ts'
import { thresholdsIn } from './thresholds.ts'

/** An amount that a restriction permits. */
export interface Basket {
  /** Cents; null if only a share is stated. */
  readonly amount: number | null
  /** A share of another quantity, 15% as 0.15. */
  readonly share: number | null
  /** What it is a share of. */
  readonly of: string | null
  /** For whatever no other exception permits. */
  readonly general: boolean
  readonly text: string
}

/** How far into a clause to look. */
const LONGEST_CLAUSE = 20_000
const MOST_BASKETS = 20
const MOST_QUOTED = 300

// `in an aggregate principal amount not to exceed the greater of $50,000,000 and 15% of Consolidated Total Assets`.
const limited = everyWords(
  String.raw`\b(?:not (?:to )?(?:at any time )?exceed(?:ing)?|does not (?:at any time )?exceed|do not exceed|shall not exceed|not in excess of|not more than|up to)\b(?<level>[^;.]{0,60}?(?:\$ ?\d|\d(?:\.\d{1,2})? ?%)[^;]{0,160})`,
)
const share =
  /(?<percent>\d{1,3}(?:\.\d{1,3})?)\s?%\s+of\s+(?:the\s+)?(?<of>[A-Z][\w-]*(?:\s+[A-Z][\w-]*){0,6})/
const itemStart =
  /(?<!\b(?:clauses?|sections?|paragraphs?|of|and|or))\s\((?:[a-w]{1,3}|[A-W]{1,2}|\d{1,2})\)(?=\s|[A-Za-z])/g
const isGeneral =
  /\bnot\s+(?:otherwise\s+)?permitted\b|\bin\s+addition\s+to\b|\bnot\s+(?:otherwise\s+)?(?:described|included)\b|^\W*(?:any\s+)?(?:other|additional)\b|\bother\s+(?:unsecured\s+)?(?:liens|indebtedness|debt|investments|restricted\s+payments|dispositions)\b/i

/** An item, with its beginning and its amount if it is long. */
const quotedItem = (item: string): string =>
  item.length <= MOST_QUOTED
    ? oneLine(item, MOST_QUOTED)
    : `${oneLine(item.slice(0, MOST_QUOTED / 2), MOST_QUOTED)} … ${oneLine(item.slice(-MOST_QUOTED / 2), MOST_QUOTED)}`

/** The amounts that the exceptions of a restriction permit, in the order of the clause. */
export function basketsIn(flat: string, clause: Clause): Basket[] {
  const text = flat.slice(clause.body, Math.min(clause.to, clause.body + LONGEST_CLAUSE))
  const starts = [...text.matchAll(itemStart)].map(match => match.index + match[0].length)
  const baskets: Basket[] = []
  let at = 0
  for (const match of text.matchAll(limited)) {
    while ((starts[at + 1] ?? text.length) <= match.index) at++
    const level = groupOf(match, 'level')
    const money = thresholdsIn(level).find(({ unit, from }) => unit === 'cents' && from < 90)
    const part = share.exec(level)?.groups
    if (!money && !part) continue
    const first = starts[at]
    const from = first !== undefined && first <= match.index ? first : Math.max(0, match.index - 200)
    const item = text.slice(from, match.index + match[0].length)
    baskets.push({
      amount: money?.value ?? null,
      share: part ? Math.round(Number(part['percent']) * 1e4) / 1e6 : null,
      of: part?.['of'] ? oneLine(part['of'], 80) : null,
      general: isGeneral.test(item),
      text: quotedItem(item),
    })
    if (baskets.length === MOST_BASKETS) break
  }
  return baskets
}
