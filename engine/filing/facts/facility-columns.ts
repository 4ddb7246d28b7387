import { cellsOf, flatten } from './flat-text.ts'

/** What a column of a table of facilities states. */
export type FacilityColumn = 'commitment' | 'drawn' | 'letters' | 'paper' | 'left'

const LEFT = /\b(?:unused|undrawn|unborrowed|availab\w+|remaining)\b/i
const LETTERS = /\bletters? of credit\b|\bcredit outstanding\b/i
const PAPER = /\bpaper\b/i
const COMMITMENT =
  /\b(?:commit\w*|limits?|capacity|size|facility amounts?|amount of (?:the )?facility|maximum facility)\b|^(?:credit |bank )?facilit(?:y|ies)$|^total facilit(?:y|ies)(?: ?\/ ?debt)?$/i
const DRAWN = /\b(?:borrow\w*|loans?|drawn|draws|used|outstanding)\b/i
/** Neither a commitment nor what is used of one. */
const OTHER = /\b(?:sub-?limit|average|maximum amount|rates?|highest|fees?)\b/i

const columnOf = (head: string): FacilityColumn | null => {
  if (OTHER.test(head)) return null
  if (LEFT.test(head)) return 'left'
  if (PAPER.test(head)) return 'paper'
  if (LETTERS.test(head)) return 'letters'
  if (COMMITMENT.test(head)) return 'commitment'
  return DRAWN.test(head) ? 'drawn' : null
}

/**
 * What the last columns of a table of facilities state, from left to right: heads stand in one line, or in several below
 * each other, as `Facility | Borrowed` above `Amount | Amount`. Null where a column's head says neither.
 */
export function facilityColumnsIn(above: string, count: number): readonly FacilityColumn[] | null {
  const lines = above.split('\n').filter(line => line.trim() !== '')
  const cells = lines.filter(line => line.includes('|')).map(amountCellsOf)
  // A line of its own above a head without a word of its own: `Borrowed` above `Facility Amount | Amount`.
  const single = lines
    .filter(line => !line.includes('|') && line.length < LONGEST_HEAD && !/:\s*$/.test(line))
    .map(flatten)
  const heads = Array.from({ length: count }, (_, i) =>
    cells
      .filter(each => each.length >= count)
      .map(each => each[each.length - count + i] ?? '')
      .join(' ')
      .trim(),
  )
  const bare = heads.filter(isBare)
  // The only column of a table that its introduction calls committed.
  if (count === 1 && bare.length === 1 && /\bcommitted\b/i.test(above)) return ['commitment']
  const columns = heads.map(head =>
    columnOf(isBare(head) && bare.length === 1 && single.length > 0 ? `${single.at(-1)} ${head}` : head),
  )
  const found = columns.filter(each => each !== null)
  const isOne = found.filter(each => each === 'commitment').length === 1
  const drawn = heads.filter((_, i) => columns[i] === 'drawn')
  // A head in several lines whose first words are not above the column they belong to.
  const short = [...single, ...cells.filter(each => each.length < count).map(each => each.join(' '))].join(
    ' ',
  )
  const isHidden = (['letters', 'paper'] as const).some(
    each => (each === 'letters' ? LETTERS : PAPER).test(short) && !found.includes(each),
  )
  return found.length === count && isOne && new Set(drawn).size === drawn.length && !isHidden ? found : null
}

const LONGEST_HEAD = 30

const isBare = (head: string): boolean => /^amounts?$/i.test(head)

const amountCellsOf = (line: string): string[] => {
  const cells = cellsOf(line)
  // Rates are no amounts.
  return cells.filter((cell, i) => (cell !== '' || i === 0) && !/\brates?\b/i.test(cell))
}
