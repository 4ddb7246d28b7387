/** A column of a result, as the server describes it. */
export interface ResultColumn {
  readonly name: string
  readonly kind: string
}

type Row = Readonly<Record<string, unknown>>

/** Columns to draw, as the reader chose them; anything that the result does not have is ignored. */
export interface Chosen {
  readonly x: string | null
  readonly y: string | null
  readonly by: string | null
}

/** What a chart of a result draws, and what else it could. */
export interface Axes {
  /** Lines over days, points over a number, bars over anything else. */
  readonly form: 'lines' | 'points' | 'bars'
  readonly x: string
  readonly ys: readonly string[]
  /** One line for each of its values. */
  readonly by: string | null
  readonly options: {
    readonly x: readonly string[]
    readonly y: readonly string[]
    readonly by: readonly string[]
  }
}

/** Instead of a column of figures: all of them. */
export const ALL = 'all'
/** Instead of a column to split by: none. */
export const NONE = 'none'

/**
 * By default all figures over the first date, else over the first text, else over the first figure. Where several rows
 * have the same day, lines are split by the first text column. Null if there is no figure to draw.
 */
export function axesOf(columns: readonly ResultColumn[], rows: readonly Row[], chosen: Chosen): Axes | null {
  const isFigure = ({ name }: ResultColumn) => rows.some(row => typeof row[name] === 'number')
  const figures = columns.filter(isFigure).map(({ name }) => name)
  const texts = columns.filter(c => !isFigure(c) && c.kind !== 'date').map(({ name }) => name)
  const known = (name: string | null) => columns.find(column => column.name === name)
  const over =
    known(chosen.x) ??
    columns.find(({ kind }) => kind === 'date') ??
    columns.find(c => !isFigure(c)) ??
    columns[0]
  if (!over) return null
  const drawable = figures.filter(name => name !== over.name)
  if (drawable.length === 0) return null
  const form = over.kind === 'date' ? 'lines' : isFigure(over) ? 'points' : 'bars'
  const isRepeated = new Set(rows.map(row => row[over.name])).size < rows.length
  const splits = form === 'lines' ? texts : []
  const by =
    chosen.by === NONE
      ? null
      : (splits.find(name => name === chosen.by) ?? (isRepeated ? (splits[0] ?? null) : null))
  const asked = drawable.find(name => name === chosen.y)
  // Points, and lines that are split, have one figure each.
  const ys =
    asked !== undefined ? [asked] : form === 'points' || by !== null ? drawable.slice(0, 1) : drawable
  return {
    form,
    x: over.name,
    ys,
    by,
    options: { x: columns.map(({ name }) => name), y: drawable, by: splits },
  }
}

/** The lines of a result over days: one for each figure, or for each value of the column that splits them. */
export function linesOf({ x, ys, by }: Axes, rows: readonly Row[], most: number) {
  const value = (row: Row, name: string) => (typeof row[name] === 'number' ? row[name] : null)
  const dated = rows
    .filter(row => typeof row[x] === 'string')
    .sort((a, b) => (String(a[x]) < String(b[x]) ? -1 : String(a[x]) > String(b[x]) ? 1 : 0))
  const line = (name: string, y: string, of: readonly Row[]) => ({
    name,
    points: of.map(row => [String(row[x]), value(row, y)] as const),
  })
  if (by === null) return { lines: ys.map(y => line(y, y, dated)), left: 0 }
  const groups = new Map<string, Row[]>()
  for (const row of dated) {
    const name = String(row[by] ?? '–')
    const group = groups.get(name)
    if (group) group.push(row)
    else groups.set(name, [row])
  }
  return {
    lines: [...groups].slice(0, most).map(([name, of]) => line(name, ys[0] ?? '', of)),
    left: Math.max(0, groups.size - most),
  }
}
