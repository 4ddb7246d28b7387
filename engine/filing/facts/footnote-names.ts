/** Names that say nothing of which notes are meant. */
const GENERIC = /^(?:senior\s+)?(?:notes|bonds|debentures)$/i
/** A footnote about notes: `(4) The bonds are redeemable`. */
const FOOTNOTE =
  /(?:^|[\s|])\((?<mark>\d{1,2})\)[\s|]{0,12}(?:The|These|This|All|Each)\s+(?:\w+\s+){0,3}(?:bonds?|notes?|debentures?)\b/
/** Lines of a table that a footnote can be of. */
const MOST_LINES = 12

/**
 * The notes that a footnote of a debt table is about: `The bonds are redeemable …` under (4) is told of the lines marked (4), `Bonds due
 * 2026 and 2046`. The name itself if it says more, or if no line has the mark.
 */
export function footnoteName(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
  name: string | null,
): string | null {
  if (name !== null && !GENERIC.test(name)) return name
  const footnote = FOOTNOTE.exec(text.slice(from, to))
  const mark = footnote?.groups?.['mark']
  if (footnote === null || mark === undefined) return name
  const lines = text
    .slice(0, from + footnote.index)
    .split('\n')
    .filter(line => isMarked(line, mark) && /\d(?:\.\d{1,3})?\s{0,3}\|?\s{0,3}%/.test(line))
  const years = [...new Set(lines.slice(0, MOST_LINES).flatMap(line => maturityIn(line) ?? []))].sort()
  const last = years.pop()
  if (last === undefined) return name
  return `${name ?? 'notes'} due ${years.length === 0 ? last : `${years.join(', ')} and ${last}`}`
}

const isMarked = (line: string, mark: string): boolean =>
  [...line.matchAll(MARKED)].some(({ groups }) => groups?.['mark'] === mark)
const MARKED = /(?<=[^\s|][\s|]{0,6})\((?<mark>\d{1,2})\)/g

/** The last year that a line names: its maturity. */
const maturityIn = (line: string): string | null => line.match(/\b20\d{2}\b/g)?.at(-1) ?? null
