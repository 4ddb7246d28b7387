import type { Mention } from './facility-mentions.ts'
import { MOST_NAMING } from './facility-sentences.ts'
import { oneLine, sentenceAround } from './flat-text.ts'

// What a text calls a facility, and what it is called here.

/** The tenor in the words of a facility, `five-year`; empty where they have none. */
export const tenorOf = ({ words }: Pick<Mention, 'words'>): string =>
  sameTenor(/\b\w{1,6}[ -](?:year|day|month)\b/i.exec(words)?.[0] ?? '')

/** What a text calls a facility from here on: `(the "Five-Year Credit Agreement")`. */
export function aliasOf(
  flat: string,
  { from, to, words, alias }: Pick<Mention, 'to' | 'words' | 'alias'> & Partial<Pick<Mention, 'from'>>,
): string | undefined {
  if (alias !== undefined) return alias
  const own = flat.slice(from ?? to, to)
  const beside = own.startsWith(words)
    ? rightBehind.exec(own.slice(words.length))?.groups?.['name']
    : undefined
  if (beside !== undefined) return beside
  const after = flat.slice(to, to + 220)
  const defined =
    /^(?:[^.;$]|\.(?=\w)|(?<=\b[A-Z])\.){0,120}?\((?:[^()"]{0,40})"(?<name>[A-Z][^"]{2,50})"/.exec(after) ??
    // Without quotes: `(Credit Facility)`, `(the 5-year Facility)`.
    /^\s{0,3}\((?:the\s)?(?<name>(?:[A-Z0-9][\w-]*\s){1,4}(?:Facility|Agreement|Revolver|Loan|Line))\)/.exec(
      after,
    )
  const name = defined?.groups?.['name']?.replace(/,$/, '')
  // `which includes a First In, Last Out ("FILO") tranche`: a part of it.
  if (name !== undefined && !(isOfPart.test(defined?.[0] ?? '') && !isOfWhole.test(name))) return name
  return /^(?:[A-Z0-9][\w-]*\s){1,8}[A-Z]\w+$/.test(words) ? words : undefined
}

/** `Loan and Security Agreement (the "Alfa Loan")`, before its amount. */
const rightBehind = /^\s{0,3}\((?:the\s)?"(?<name>[A-Z][^"]{2,50})"\)/

const isOfPart = /\binclud\w+\b/i
const isOfWhole = /facilit|agreement|loan|revolver|credit|\bline\b/i

/** `the five-year revolving credit facility`. */
const byTenor =
  /\b(?:the|our|its)\s{1,3}(?<tenor>\w{1,6}[ -](?:year|day|month))(?:\s{1,3}\w{1,20}){0,4}?\s{1,3}(?:facility|agreement|revolver)\b/gi
const sameTenor = (words: string): string => words.toLowerCase().replace(' ', '-')

/** The sentences in which a facility is called by its tenor, `the five-year facility`, which no other has. */
export function sentencesOfTenor(flat: string, mention: Mention, all: readonly Mention[]): string[] {
  const tenor = tenorOf(mention)
  const isOther = (each: Mention) =>
    tenorOf(each) === tenor && each.commitment.value !== mention.commitment.value
  if (tenor === '' || all.some(isOther)) return []
  const found = [...flat.matchAll(byTenor)]
    .filter(match => sameTenor(match.groups?.['tenor'] ?? '') === tenor)
    .slice(0, MOST_NAMING)
    .map(({ index }) => sentenceAround(flat, index))
  return [...new Set(found.map(([from, to]) => flat.slice(from, to)))]
}

/** The words between quotes by which the text calls it from here on, else its kind and maturity. */
export function nameOf(
  flat: string,
  mention: Pick<Mention, 'kind' | 'words' | 'to' | 'alias'>,
  maturity: string | null,
  taken: ReadonlySet<string>,
): string {
  const { kind, words, to } = mention
  const alias = aliasOf(flat, { to, words, ...(mention.alias !== undefined && { alias: mention.alias }) })
  const isTelling =
    alias !== undefined &&
    /\w\s\w/.test(alias) &&
    /facility|agreement|loan|revolver|credit|rcf|ddtl/i.test(alias)
  const plain = titled(
    oneLine(words, 80)
      .replace(/^(?:new|and)\s/i, '')
      .replace(/\s?-\s?(?=year|day|month)/i, '-'),
  )
  const name = isTelling
    ? alias
    : /loan|revolv|credit|\bterm\b|receivable|securitiz|warehouse|\babl\b|liquidity/i.test(plain)
      ? plain
      : `${titled(tenorOf(mention))} ${kind === 'revolver' ? 'Revolving Credit Facility' : 'Term Loan'}`.trim()
  if (maturity === null || name.endsWith(` due ${maturity.slice(0, 4)}`)) return name
  const due = `${name} due ${maturity.slice(0, 4)}`
  return taken.has(due) ? `${name} due ${maturity}` : due
}

export const titled = (words: string): string =>
  words.replace(/\b(?!(?:and|of)\b)[a-z]/g, letter => letter.toUpperCase())
