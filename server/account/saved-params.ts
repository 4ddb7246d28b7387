import { invalid, QueryError } from '../../engine/base/errors.ts'
import { nearest } from '../../engine/names/nearest.ts'
import { text } from '../../engine/schema/column.ts'
import { many, one, type Param, parseParams, required } from '../../engine/schema/params.ts'
import type { Resource } from '../../engine/schema/resource.ts'
import { checkPlain } from '../http/plain-text.ts'
import { type NewSavedItem, type SavedKind, savedKinds } from '../state/saved.ts'
import { endpoints } from '../v1/endpoints.ts'

/** The most companies and bonds in a watchlist. */
const MOST_MEMBERS = 100

const resources: ReadonlyMap<string, Resource> = new Map(
  endpoints.flatMap(({ resource }) => (resource ? [[resource.name, resource] as const] : [])),
)

export const name = required(one(text('Name, unique among those of its kind.'), { length: 100 }))
const resource = required(one(text('List that it shows: `companies`, `bonds`, ...'), { length: 40 }))
const query = one(text('Parameters of the list as in a URL: `min_leverage=4&sort=-leverage_ratio`.'), {
  length: 4_000,
})
const fields = required(many(text('Columns, in order.'), { length: 100 }))
export const subject = required(
  one(text('A company by its ticker, `company:FRNLL`, or a bond by CUSIP or id, `bond:000000AA7`.'), {
    length: 80,
  }),
)
const members = many(text('Companies and bonds, each as `company:TICKER` or `bond:CUSIP`.'), { length: 80 })
const note = required(one(text('The note, in plain text.'), { length: 4_000 }))

/** What each kind holds beside its name, as its callers give it. */
export const savedParams = {
  screen: { resource, query },
  columns: { resource, fields },
  watchlist: { members },
  note: { text: note },
} as const satisfies Record<SavedKind, Record<string, Param>>

/** A saved item from its parsed parameters: names, lists and subjects checked. */
export function savedItem(
  kind: SavedKind,
  name: string,
  given: Readonly<Record<string, unknown>>,
): NewSavedItem {
  if (kind === 'note') {
    checkPlain('text', given['text'] as string, { lines: true })
    return { kind, name: subjectOf('subject', name), body: { text: given['text'] } }
  }
  checkPlain('name', name)
  if (kind === 'watchlist')
    return { kind, name, body: { members: membersOf(given['members'] as string[] | undefined) } }
  const resource = resourceNamed(given['resource'] as string)
  if (kind === 'columns')
    return {
      kind,
      name,
      body: { resource: resource.name, fields: columnsOf(resource, given['fields'] as string[]) },
    }
  checkPlain('query', given['query'] as string | undefined)
  return { kind, name, body: { resource: resource.name, query: given['query'] ?? '' } }
}

function resourceNamed(name: string): Resource {
  const found = resources.get(name)
  if (found) return found
  const allowed = [...resources.keys()]
  const suggestion = nearest(name, allowed)
  throw invalid(
    'resource',
    name,
    `there is no list ${name}${suggestion ? `; did you mean ${suggestion}?` : ''}`,
    {
      allowed,
      ...(suggestion && { suggestion }),
    },
  )
}

function columnsOf({ name, columns }: Resource, fields: readonly string[]): readonly string[] {
  const unknown = fields.find(field => !Object.hasOwn(columns, field))
  if (unknown === undefined) return fields
  const suggestion = nearest(unknown, Object.keys(columns))
  throw invalid(
    'fields',
    unknown,
    `${name} have no column ${unknown}${suggestion ? `; did you mean ${suggestion}?` : ''}`,
    {
      ...(suggestion && { suggestion }),
    },
  )
}

/** Each once, in the order given. */
export function membersOf(given: readonly string[] = []): readonly string[] {
  const members = [...new Set(given.map(member => subjectOf('members', member)))]
  if (members.length > MOST_MEMBERS)
    throw invalid('members', members.length, `a watchlist holds at most ${MOST_MEMBERS}: start another`, {
      max: MOST_MEMBERS,
    })
  return members
}

/** `company:FRNLL` or `bond:000000AA7`, with the identifier in upper case unless it is a UUID. */
export function subjectOf(parameter: string, given: string): string {
  const [, kind, id] = /^(company|bond):([\w.*@#/-]{1,70})$/.exec(given.trim()) ?? []
  if (kind === undefined || id === undefined)
    throw invalid(
      parameter,
      given.slice(0, 100),
      `write a company as company:TICKER and a bond as bond:CUSIP, not ${given.slice(0, 100)}`,
    )
  return `${kind}:${/^[0-9a-f]{8}-/.test(id) ? id : id.toUpperCase()}`
}

/** Saved work as a file: one list a kind, items without ids. */
export const fileLists = {
  screens: 'screen',
  columns: 'columns',
  watchlists: 'watchlist',
  notes: 'note',
} as const satisfies Record<string, SavedKind>

/** The items of such a file; an error says which item is wrong. */
export function itemsOfFile(lists: Readonly<Record<string, unknown>>): NewSavedItem[] {
  return Object.entries(fileLists).flatMap(([list, kind]) => {
    const items = lists[list] ?? []
    if (!Array.isArray(items)) throw invalid(list, null, `${list} must be a list, as an export has it`)
    if (items.length > savedKinds[kind])
      throw invalid(list, items.length, `${list}: an account holds at most ${savedKinds[kind]}`, {
        max: savedKinds[kind],
      })
    return items.map((item, at) => fileItem(kind, item, `${list}[${at}]`))
  })
}

function fileItem(kind: SavedKind, item: unknown, where: string): NewSavedItem {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw invalid(where, null, `${where} must be an object, as an export has it`)
  const params = { ...(kind === 'note' ? { subject } : { name }), ...savedParams[kind] }
  try {
    const { name, subject, ...rest } = parseParams(params, item as Record<string, unknown>) as Record<
      string,
      unknown
    >
    return savedItem(kind, (name ?? subject) as string, rest)
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    throw new QueryError(error.code, `${where}: ${error.message}`, { ...error.details, parameter: where })
  }
}
