/** An axis with the member that a figure is of. */
export interface Dimension {
  readonly axis: string
  readonly member: string
}

/** Marks that part axes and members; texts of the source lose them. */
const MARKS = /[;=|]/g
const plain = (text: string): string => text.replace(MARKS, ' ').trim()

/** `axis=member;axis=member` in the order of the axes; null for a figure of the whole company. */
export function dimensionsText(dimensions: readonly Dimension[]): string | null {
  if (dimensions.length === 0) return null
  return dimensions
    .map(({ axis, member }) => `${plain(axis)}=${plain(member)}`)
    .sort()
    .join(';')
}

/** The dimensions in a cell of a table: pairs with `=` between semicolons or bars; null where it holds anything else. */
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
