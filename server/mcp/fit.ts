/** What was cut from a value: the number of texts, and the members shown of each list. */
export interface LeftOut {
  texts: number
  readonly lists: Map<string, { readonly shown: number; readonly of: number }>
}

interface Bounds {
  /** Maximum characters of a text. */
  readonly text: number
  /** Maximum members of a list. */
  readonly items: number
}

const TEXT = 2000
const LISTS = [Number.POSITIVE_INFINITY, 100, 50, 20, 10, 5, 2]

/** A value shortened to at most `most` characters of JSON, as far as shorter lists and texts allow. */
export function fitted(value: unknown, most: number): { readonly value: unknown; readonly leftOut: LeftOut } {
  for (const items of LISTS) {
    const leftOut: LeftOut = { texts: 0, lists: new Map() }
    const text = items > 2 ? Math.min(TEXT, most) : 200
    const cut = trimmed(value, { text, items }, leftOut, '')
    if (items === LISTS.at(-1) || JSON.stringify(cut).length <= most) return { value: cut, leftOut }
  }
  throw new Error('unreachable')
}

/** As many of the first rows as fit into `most` characters, at least one; fewer rows may have longer texts. */
export function fittedRows(
  rows: readonly Record<string, unknown>[],
  most: number,
): { readonly rows: Record<string, unknown>[]; readonly leftOut: LeftOut } {
  const leftOut: LeftOut = { texts: 0, lists: new Map() }
  const text = Math.max(500, Math.floor(most / 2 / Math.max(1, rows.length)))
  const kept: Record<string, unknown>[] = []
  let length = 0
  for (const row of rows) {
    const noted: LeftOut = { texts: 0, lists: new Map() }
    const cut = trimmed(row, { text, items: Number.POSITIVE_INFINITY }, noted, '')
    length += JSON.stringify(cut).length
    if (length > most && kept.length > 0) break
    const whole = length > most ? fitted(row, most) : { value: cut, leftOut: noted }
    kept.push(whole.value as Record<string, unknown>)
    leftOut.texts += whole.leftOut.texts
    for (const [path, counts] of whole.leftOut.lists) leftOut.lists.set(path, counts)
  }
  return { rows: kept, leftOut }
}

function trimmed(value: unknown, bounds: Bounds, leftOut: LeftOut, path: string): unknown {
  if (typeof value === 'string') return shortText(value, bounds.text, leftOut)
  if (Array.isArray(value)) {
    if (value.length > bounds.items) leftOut.lists.set(path, { shown: bounds.items, of: value.length })
    return value.slice(0, bounds.items).map(item => trimmed(item, bounds, leftOut, path))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      trimmed(member, bounds, leftOut, path === '' ? name : `${path}.${name}`),
    ]),
  )
}

function shortText(text: string, most: number, leftOut: LeftOut): string {
  if (text.length <= most) return text
  leftOut.texts++
  return `${text.slice(0, most).toWellFormed()}… [${text.length - most} more characters]`
}
