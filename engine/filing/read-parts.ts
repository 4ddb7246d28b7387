import type { Section } from './sections.ts'

/** Words without which a discussion tells nothing of what lenders require, or of what is pledged to them. */
const OF_LENDERS =
  /\b(?:covenant|indenture|debenture|lenders?\b|noteholders?\b|(?:senior|subordinated|secured|convertible) notes\b|(?:credit|loan|bank|note|lease|guarantee|counterparty) agreements?\b|(?:credit|loan|bank|revolving|borrowing) facilit|lines? of credit|term loan|revolver|pledg|collateral|secured\b|security interest|mortgage|backed by|change (?:of|in) control|make-whole)/gi
/** How much is read before and behind such a word, characters: more than a sentence and the one beside it. */
const REACH = 1500

/** What may come, and not what is: a paragraph of forward-looking statements, and the list behind it. */
const OF_RISKS =
  /\bforward-looking\b|\bcautionary (?:statement|factor|note)|\brisks?(?: and |,? or )uncertaint|\bcould cause (?:our |the company\W?s )?actual results\b/i
const LISTED = /^\s*(?:\||[•●▪◦○■·*–—-]\s|\(\w{1,3}\)\s)|^\s*$/
/** From here a discussion repeats risk factors. */
const RISK_FACTORS =
  /^(?:item 1a\W{0,3})?(?:(?:certain|additional|other) )?(?:risk factors|factors (?:that|which) (?:may|could|might) affect\b.{0,60})$/i

/** Where a stretch of a text begins and ends. */
type Stretch = readonly [from: number, to: number]

/**
 * What is read of a section by itself: of a discussion, outside of its parts on liquidity, what stands near words of lenders;
 * of any other section all of it.
 */
export function readParts(section: Section, sections: readonly Section[]): Section[] {
  if (section.type !== 'mda') return [section]
  const { text, offset } = section
  return outside(section, sections)
    .flatMap(part => factual(text, part))
    .flatMap(part => nearLenders(text, part))
    .map(([from, to]) => ({ ...section, offset: offset + from, text: text.slice(from, to) }))
}

/** The stretches of a discussion outside of its parts on liquidity, which are sections of their own. */
function outside({ text, offset }: Section, sections: readonly Section[]): Stretch[] {
  const stretches: Stretch[] = []
  let at = 0
  for (const inner of sections) {
    const from = inner.offset - offset
    if (inner.type !== 'mda_liquidity' || from < 0 || from >= text.length) continue
    if (at < from) stretches.push([at, from])
    at = Math.max(at, from + inner.text.length)
  }
  if (at < text.length) stretches.push([at, text.length])
  return stretches
}

/** What is left of a stretch without forward-looking statements and risk factors. */
function factual(text: string, [begin, end]: Stretch): Stretch[] {
  const stretches: Stretch[] = []
  let from = begin
  let isRisk = false
  for (let at = begin; at < end; ) {
    const next = text.indexOf('\n', at) + 1
    const to = next === 0 ? end : Math.min(next, end)
    const line = text.slice(at, to).trim()
    if (RISK_FACTORS.test(line)) {
      if (!isRisk && from < at) stretches.push([from, at])
      return stretches
    }
    const wasRisk: boolean = isRisk
    isRisk = OF_RISKS.test(line) || (wasRisk && LISTED.test(line))
    if (isRisk && !wasRisk && from < at) stretches.push([from, at])
    if (!isRisk && wasRisk) from = at
    at = to
  }
  if (!isRisk && from < end) stretches.push([from, end])
  return stretches
}

/** The paragraphs of a stretch that stand near words of lenders. */
function nearLenders(text: string, [begin, end]: Stretch): Stretch[] {
  const found: [number, number][] = []
  for (const match of text.slice(begin, end).matchAll(OF_LENDERS)) {
    const at = begin + match.index
    const last = found.at(-1)
    if (last && at + REACH <= last[1]) continue
    const line = text.lastIndexOf('\n', Math.max(begin, at - REACH)) + 1
    const next = text.indexOf('\n', at + REACH)
    const from = Math.max(begin, line)
    const to = next < 0 ? end : Math.min(next, end)
    if (last && from <= last[1]) last[1] = to
    else found.push([from, to])
  }
  return found
}
