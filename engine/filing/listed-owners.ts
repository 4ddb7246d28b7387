import { elementAt, groupOf } from '../base/elements.ts'
import { LEGAL_FORM } from '../names/jurisdiction.ts'
import type { Block, Cell } from './block.ts'

/** A company of a list with what its line says of its owner. */
export interface Owned {
  readonly name: string
  readonly alias: string | null
  readonly owner: string | null
  /** Footnote marks of its share: `100% (1)`. */
  readonly notes: readonly string[]
}

interface Held {
  readonly share: number
  readonly owner: string | null
  readonly notes: readonly string[]
}

/** A share with its owner or footnotes: `70% MSE`, `100% owned by Acme B.V.`, `55% (1)`; of several the first. */
export function heldShare({ text, lines }: Pick<Cell, 'text' | 'lines'>): Held | null {
  const each = lines.length > 1 ? lines.map(shareOf) : []
  return each[0] && each.every(share => share !== null)
    ? each[0]
    : shareOf(text.replace(/[\s*†‡§+#^]{1,9}$/, ''))
}

function shareOf(text: string): Held | null {
  const match = /^(\d{1,3}(?:\.\d{1,6})?) ?%?((?: ?\(\d{1,2}\)){1,4})$/.exec(text)
  if (match && Number(match[1]) <= 100)
    return {
      share: Number(match[1]),
      owner: null,
      notes: [...groupOf(match, 2).matchAll(/\d{1,2}/g)].map(String),
    }
  const held = /^(\d{1,3}(?:\.\d{1,6})?) ?%,? (?:owned by |held by |by |owned )?([A-Z][^%]{1,100})$/i.exec(
    text,
  )
  if (!held || Number(held[1]) > 100 || /^(owned|voting|interest|of)\b/i.test(groupOf(held, 2))) return null
  return { share: Number(held[1]), owner: groupOf(held, 2).trim(), notes: [] }
}

const OWNER_NOTE =
  /^\(?(\d{1,2})[).]?[\s|]{1,9}(?:an? )?(?:(?:direct|indirect|wholly[- ]owned|owned) ){0,3}subsidiary of (?:the )?(\S.{1,150}?)\.?$/i

export const isOwnerNote = (text: string): boolean => text.length <= 200 && OWNER_NOTE.test(text)

/** `(1) Subsidiary of Acme Holdings B.V.`: the owner that a footnote names, by its mark. */
export function ownersInNotes(lines: readonly Block[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>()
  for (const { text } of lines) {
    if (text.length > 200) continue
    const note = OWNER_NOTE.exec(text)
    if (note && !owners.has(groupOf(note, 1))) owners.set(groupOf(note, 1), groupOf(note, 2))
  }
  return owners
}

/** As compared: letters and digits only, without the article. */
const key = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^the\s/, '')
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** How the head of a column of owners reads. */
const OWNER_HEAD =
  /\bholder\b|\bowned by\b|\bheld by\b|^\W*(?:ownership|owners?|parent|immediate parent|parent company|shareholders?|stockholders?)\W*$/i

const FEWEST = 3

/** Columns to the right of names which name other companies of the list: their owners. */
export function ownerColumns(
  lines: readonly Block[],
  columnOf: (cell: { readonly from: number }) => number,
): ReadonlySet<number> {
  const names = new Set(lines.flatMap(({ cells }) => (cells?.[0] ? [key(cells[0].text)] : [])))
  const columns = new Map<number, { listed: number; named: number; headed: boolean }>()
  for (const { cells } of lines)
    for (const [i, cell] of (cells ?? []).entries()) {
      if (i === 0 && cell.from === 0) continue
      const column = columns.get(columnOf(cell)) ?? { listed: 0, named: 0, headed: false }
      columns.set(columnOf(cell), column)
      if (OWNER_HEAD.test(cell.text)) column.headed = true
      else if (i > 0 && LEGAL_FORM.test(cell.text)) {
        column.named++
        if (names.has(key(cell.text))) column.listed++
      }
    }
  return new Set(
    [...columns].flatMap(([column, { listed, named, headed }]) =>
      headed && named >= FEWEST && listed > 0 ? [column] : [],
    ),
  )
}

/**
 * The index of each company's owner in the list; null for the filer, undefined if nothing names one or it is not known.
 * Owners are named in full, by a name that the list gives them, or in a footnote. The filer is the one whom most lines name.
 */
export function ownersOf(
  companies: readonly Owned[],
  notes: ReadonlyMap<string, string>,
): (number | null | undefined)[] {
  const index = new Map<string, number>()
  for (const [i, { name, alias }] of companies.entries())
    for (const each of [name, alias, / \(([^()]{2,60})\)$/.exec(name)?.[1] ?? null]) {
      const named = each === null ? '' : key(each)
      if (named !== '' && !index.has(named)) index.set(named, i)
    }
  const written = companies.map(({ owner, notes: marks }) => {
    const noted = marks.flatMap(mark => notes.get(mark) ?? [])
    return owner ?? (noted.length === 1 ? elementAt(noted, 0) : null)
  })
  const unlisted = new Map<string, number>()
  for (const owner of written)
    if (owner !== null && !index.has(key(owner)))
      unlisted.set(key(owner), (unlisted.get(key(owner)) ?? 0) + 1)
  const told = written.filter(owner => owner !== null).length
  return written.map((owner, i) => {
    if (owner === null) return undefined
    const at = index.get(key(owner))
    if (at !== undefined) return at === i ? null : at
    const count = unlisted.get(key(owner)) ?? 0
    return count >= FEWEST && count >= 0.3 * told ? null : undefined
  })
}
