/** An axis and member of a figure. */
export interface Dimension {
  readonly axis: string
  readonly member: string
}

/** Separators of axes and members, removed from source texts. */
const MARKS = /[;=|]/g
const plain = (text: string): string => text.replace(MARKS, ' ').trim()

/** `axis=member;axis=member` ordered by axis; null for a figure of the whole company. */
export function dimensionsText(dimensions: readonly Dimension[]): string | null {
  if (dimensions.length === 0) return null
  return dimensions
    .map(({ axis, member }) => `${plain(axis)}=${plain(member)}`)
    .sort()
    .join(';')
}

/** The dimensions in a cell: pairs with `=` between semicolons or bars; null for anything else. */
export function dimensionsIn(cell: string): readonly Dimension[] | null {
  const pairs = cell
    .split(/[;|]/)
    .map(pair => pair.trim())
    .filter(pair => pair !== '')
  const dimensions = pairs.map(pair => {
    const at = pair.indexOf('=')
    return at < 1 ? null : { axis: pair.slice(0, at), member: pair.slice(at + 1) }
  })
  return dimensions.includes(null) ? null : (dimensions as Dimension[])
}
