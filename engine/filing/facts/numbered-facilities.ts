import { DATE, onlyStatedIn } from './facility-maturity.ts'
import { sentenceAround } from './flat-text.ts'
import { AMOUNT, amountIn, everyAmount, type Money, type Scale } from './money.ts'

/** A facility of a numbered list, with the day on which it falls due where the list or the text after it says. */
export interface NumberedFacility {
  readonly words: string
  readonly commitment: Money
  readonly maturity: string
  readonly from: number
  readonly to: number
  /** Where its list begins, with the words that say what it is of, and its first mark. */
  readonly list: readonly [begin: number, mark: number]
}

const MARK = '\\((?:i{1,3}|iv|vi{0,3}|[a-h]|[1-8])\\)'
const BULLET = '[\\u00b7\\u2022\\u25aa\\u25cf\\u25a0]'
const mark = new RegExp(`(?:${MARK}|${BULLET})\\s{1,3}(?=\\S)`, 'gi')
const isFirst = new RegExp(`^(?:\\((?:i|a|1)\\)|${BULLET})`, 'i')
const OF = "(?:an?|the|our|its|[\\w.&-]{1,30}'s)"
const LINE =
  '(?:facilit(?:y|ies)|loans?|commitments|tranche\\s{1,3}[A-C]|term\\s{1,3}loan\\s{1,3}[A-C]|revolver|credit\\s{1,3}lines?|lines?\\s{1,3}of\\s{1,3}credit)'
/** `(ii) the Company's $400.0 million term A-1 facility`, `(i) a $1.5 billion five-year revolving loan facility`. */
const amountFirst = new RegExp(
  `^(?:${OF}\\s{1,3}){0,2}(?:new\\s{1,3})?${AMOUNT},?\\s{1,3}(?<words>(?:[\\w-]{1,25},?\\s{1,3}){0,9}?${LINE})\\b`,
  'i',
)
/** `(i) a delayed draw term loan facility in an aggregate principal amount of up to $840 million`. */
const amountLast = new RegExp(
  `^(?:${OF}\\s{1,3}){0,2}(?<words>(?:[\\w-]{1,25},?\\s{1,3}){0,9}?${LINE})(?:\\s{0,3}\\([^()]{2,60}\\))?,?\\s{1,3}(?:in|with|of)\\s{1,3}(?:(?:an?|the)\\s{1,3})?(?:(?:initial|original|outstanding|aggregate|total|maximum|principal|committed|amount|commitments?)\\s{1,3}){0,5}(?:of\\s{1,3})?(?:up\\s{1,3}to\\s{1,3})?(?:an?\\s{1,3}aggregate\\s{1,3}(?:principal\\s{1,3})?amount\\s{1,3}of\\s{1,3})?${AMOUNT}`,
  'i',
)
/** `(ii) up to $50.5 million in delayed draw term loans`, `(i) an aggregate amount of $1,500,000 under a revolving loan`. */
const lent = new RegExp(
  `^(?:(?:an?\\s{1,3})?(?:aggregate\\s{1,3})?(?:principal\\s{1,3})?amount\\s{1,3}of\\s{1,3})?(?:up\\s{1,3}to\\s{1,3})?${AMOUNT}\\s{1,3}(?:in|of|under)\\s{1,3}(?:an?\\s{1,3})?(?<words>(?:[\\w-]{1,25},?\\s{1,3}){0,6}?${LINE})\\b`,
  'i',
)
/** `(ii) an increase in the revolving commitments to an aggregate of $1,570 million`: what they are then. */
const increased = new RegExp(
  `^(?:an?\\s{1,3}|to\\s{1,3})?increase\\s{1,3}(?:(?:in|of|to)\\s{1,3})?(?:the\\s{1,3})?(?:aggregate\\s{1,3})?(?<words>(?:[\\w-]{1,25}\\s{1,3}){0,4}?${LINE})\\s{1,3}(?:from\\s{1,3}[^.;]{3,30}?\\s{1,3})?to\\s{1,3}(?:(?:an?\\s{1,3})?(?:aggregate|total)\\s{1,3}(?:(?:principal\\s{1,3})?amount\\s{1,3})?of\\s{1,3})?${AMOUNT}`,
  'i',
)
/** What the list is of, in the words before its first mark. */
const isOfFacilities =
  /\b(?:(?:credit|loan)\s{1,3}(?:agreement|facilit\w+)|term\s{1,3}loans?|facilit(?:y|ies)|lenders?|commitments?)\b/i
const lists =
  /\b(?:consist\w*|compris\w*|provid\w+|includ\w+|establish\w*|made\s{1,3}up|borrow\w*|following)\b[^.;]{0,60}$/i
const isPart =
  /\b(?:sub-?limit|sub-?facilit\w+|swing\s?-?line|letters?\s{1,3}of\s{1,3}credit|accordion|increase|notes?|bonds?|bridge)\b/i
/** How far behind a list a sentence may say when its facilities fall due. */
const BEHIND = 1500

/**
 * The facilities of a numbered list in a sentence, of two or more: `senior secured credit facilities comprised of (i) a $525.0
 * million term loan B facility, (ii) ...`. Each falls due on the day that its item says, else that which a sentence
 * behind the list says of it by its words.
 */
export function numberedFacilitiesIn(flat: string, scale: Scale): NumberedFacility[] {
  const found: NumberedFacility[] = []
  let last = -1
  for (const first of flat.matchAll(mark)) {
    if (first.index < last || !isFirst.test(first[0])) continue
    // Where a sentence begins and ends takes long to find.
    if (!lists.test(flat.slice(Math.max(0, first.index - 100), first.index))) continue
    const [begin, end] = sentenceAround(flat, first.index, LONGEST)
    const lead = flat.slice(begin, first.index).slice(-400)
    if (!isOfFacilities.test(lead) || !lists.test(lead)) continue
    const marks = [...flat.slice(first.index, end).matchAll(mark)].map(({ index, 0: text }) => ({
      from: first.index + index + text.length,
      at: first.index + index,
    }))
    const items = marks.flatMap(({ from }, i) => itemIn(flat, from, marks[i + 1]?.at ?? end, scale))
    last = end
    if (items.length < 2) continue
    const after = behind(flat, end)
    const ofAll = dueOfEach(flat.slice(items.at(-1)!.to, end))
    for (const item of items) {
      const { alias, ...facility } = item
      const due =
        item.maturity ??
        ofAll ??
        dueOfAlias(item, items, after) ??
        dueBehind(item.words, after) ??
        dueOfAll(after)
      if (due !== null) found.push({ ...facility, maturity: due, list: [begin, first.index] })
    }
  }
  return found
}

/** `each maturing on June 26, 2029`, behind the last item of a list: the day of all. */
const ofEach = /\b(?:each|all)\b[^.;$]{0,40}\b(?:matur|expir|terminat|due)\w*\b/i
function dueOfEach(rest: string): string | null {
  const at = rest.search(ofEach)
  return at < 0 ? null : onlyStatedIn(rest.slice(at))
}

/** `All outstanding amounts owed under the Agreement mature on`, `The Facilities, which expire on`. */
const ofAllTold =
  /^\s{0,9}(?:all\s{1,3}(?:outstanding\s{1,3})?(?:amounts?|borrowings|loans)|the\s{1,3}(?:credit\s{1,3}|loan\s{1,3})?facilities)\b[^.;]{0,80}?\b(?:matur|expir)/i
function dueOfAll(after: readonly string[]): string | null {
  const told = after.find(each => ofAllTold.test(each))
  return told === undefined ? null : onlyStatedIn(told)
}

/** Longest sentence of a list, characters to either side. */
const LONGEST = 2400

type Item = Omit<NumberedFacility, 'maturity' | 'list'> & {
  readonly maturity: string | null
  /** What the text calls it from here on, in small letters. */
  readonly alias: string | null
}

/** `a term loan facility (the "Euro Term Loan")`. */
const named = /\((?:the |each )?"(?<alias>[A-Z][^"]{3,50})"/

function itemIn(flat: string, from: number, to: number, scale: Scale): Item[] {
  const said = flat.slice(from, to)
  const match = increased.exec(said) ?? amountFirst.exec(said) ?? lent.exec(said) ?? amountLast.exec(said)
  const words = match?.groups?.['words']?.replace(/\s+/g, ' ').trim()
  const commitment = amountIn(match?.groups ?? {}, scale)
  if (match === null || words === undefined || commitment === null || isPart.test(words)) return []
  const amount = said.search(everyAmount)
  return [
    {
      words: facilityOf(words),
      commitment,
      maturity: onlyStatedIn(said),
      alias: named.exec(said.slice(match[0].length - 1))?.groups?.['alias']?.toLowerCase() ?? null,
      from: from + Math.max(0, amount),
      to: from + match[0].length,
    },
  ]
}

/** `revolving commitments` are those of a revolving credit facility. */
const facilityOf = (words: string): string =>
  /\brevolv\w+ (?:credit )?(?:commitments|loans?)$/i.test(words)
    ? words.replace(/\b(revolv\w+) (?:credit )?(?:commitments|loans?)$/i, '$1 credit facility')
    : words

function behind(flat: string, end: number): string[] {
  const all: string[] = []
  for (let at = end; at < Math.min(flat.length, end + BEHIND); ) {
    const [, to] = sentenceAround(flat, Math.min(at + 2, flat.length))
    all.push(flat.slice(at, to))
    at = Math.max(to, at + 1)
  }
  return all
}

const clauseEnd = new RegExp(
  `\\b(?:${DATE}),?\\s{1,3}(?:and|while|whereas)\\s{1,3}(?=the\\b|our\\b|its\\b|any\\b)`,
  'gi',
)

/** The parts of a sentence that each give a day, `The revolver matures on July 3, 2029, and the loan matures on July 3, 2031`. */
function clausesOf(sentence: string): string[] {
  const ends = [...sentence.matchAll(clauseEnd)].map(({ index, 0: text }) => index + text.length)
  return [0, ...ends].map((from, i) => sentence.slice(from, ends[i] ?? sentence.length))
}

/** The day of the part of a sentence that calls a facility by the name that its list gives it, and none that is longer. */
function dueOfAlias({ alias }: Item, items: readonly Item[], after: readonly string[]): string | null {
  if (alias === null) return null
  const longer = items.flatMap(each =>
    each.alias !== alias && each.alias?.includes(alias) ? [each.alias] : [],
  )
  for (const clause of after.flatMap(clausesOf)) {
    const said = longer.reduce(
      (rest, each) => rest.replaceAll(each, ''),
      clause.toLowerCase().replace(/\s+/g, ' '),
    )
    if (!/\bmatur|\bexpir|\bterminat/.test(said) || !said.includes(alias)) continue
    return onlyStatedIn(clause)
  }
  return null
}

/** The day of the sentence that calls a facility by its last words, `term A-1 facility`, or by its kind. */
function dueBehind(words: string, after: readonly string[]): string | null {
  const plain = words.toLowerCase()
  const name = /\b(?:term\s(?:loan\s)?[a-c](?:-\d)?(?:\s(?:loan|facility))?|incremental term loans?)\b/.exec(
    plain,
  )?.[0]
  const kind = /revolv/.test(plain) ? 'revolving' : /term/.test(plain) ? 'term' : null
  const key = (each: string): boolean =>
    name !== undefined ? each.includes(name) : kind !== null && each.includes(kind)
  for (const each of after) {
    if (!/\bmatur|\bexpir|\bterminat/i.test(each) || !key(each.toLowerCase().replace(/\s+/g, ' '))) continue
    return onlyStatedIn(each)
  }
  return null
}
