import { invalid } from '../../engine/base/errors.ts'
import { date, integer, json, oneOf, text } from '../../engine/schema/column.ts'
import { fallback, one, required } from '../../engine/schema/params.ts'
import { type SavedItem, type SavedKind, savedKinds, wordsOfKind } from '../state/saved.ts'
import { noSuchItem } from '../state/saved-work.ts'
import { type AccountOperation, forSignedIn } from './operation.ts'
import {
  fileLists,
  itemsOfFile,
  membersOf,
  name,
  savedItem,
  savedParams,
  subject,
  subjectOf,
} from './saved-params.ts'

/** Saved work of a whole account in one file. */
const MOST_FILE_BYTES = 1 << 20

const id = required(one(text('Id of the saved item.')))

/** What an item holds, under its own names. */
const contents = ({ kind, name, body }: SavedItem) => ({
  [kind === 'note' ? 'subject' : 'name']: name,
  ...body,
})

const shown = (item: SavedItem) => ({
  id: item.id,
  ...contents(item),
  changed_by: item.by,
  created_at: item.createdAt,
  changed_at: item.changedAt,
})

/** List, add, change and delete screens and column presets. */
function named(kind: 'screen' | 'columns', path: string): AccountOperation[] {
  const params = savedParams[kind]
  return [
    listOf(kind, path),
    forSignedIn({
      name: `account.${path}.add`,
      method: 'POST',
      path: `/account/${path}`,
      params: { name, ...params },
      async handle({ state, session }, { name, ...given }) {
        return {
          status: 201,
          body: { data: shown(await state.saveItem(session, savedItem(kind, name, given))) },
        }
      },
    }),
    forSignedIn({
      name: `account.${path}.change`,
      method: 'PATCH',
      path: `/account/${path}/{id}`,
      params: { id, name: { ...name, required: false }, ...optional(params) },
      async handle({ state, session }, { id, name, ...given }) {
        const item = await state.changeItem(session, { kind, id }, before =>
          savedItem(kind, (name as string | undefined) ?? before.name, { ...before.body, ...given }),
        )
        return { body: { data: shown(item) } }
      },
    }),
    removalOf(kind, path),
  ]
}

const optional = <P extends object>(params: P) =>
  Object.fromEntries(
    Object.entries(params).map(([name, param]) => [name, { ...param, required: false }]),
  ) as P

const listOf = (kind: SavedKind, path: string): AccountOperation =>
  forSignedIn({
    name: `account.${path}`,
    method: 'GET',
    path: `/account/${path}`,
    params: {},
    async handle({ state, session }) {
      const items = await state.savedItems(session.accountId, kind)
      return { body: { data: items.map(shown), meta: { total: items.length, most: savedKinds[kind] } } }
    },
  })

const removalOf = (kind: SavedKind, path: string): AccountOperation =>
  forSignedIn({
    name: `account.${path}.remove`,
    method: 'DELETE',
    path: `/account/${path}/{id}`,
    params: { id },
    async handle({ state, session }, { id }) {
      if (!(await state.removeItem(session.accountId, kind, id))) throw noSuchItem(kind, id)
      return { status: 204 }
    },
  })

const watchlists = forSignedIn({
  name: 'account.watchlists',
  method: 'GET',
  path: '/account/watchlists',
  params: {},
  async handle({ state, session }) {
    const [items, seen] = await Promise.all([
      state.savedItems(session.accountId, 'watchlist'),
      state.seenDays(session.email),
    ])
    return {
      body: {
        data: items.map(item => ({ ...shown(item), seen: seen.get(item.id) ?? null })),
        meta: { total: items.length, most: savedKinds.watchlist },
      },
    }
  },
})

const addWatchlist = forSignedIn({
  name: 'account.watchlists.add',
  method: 'POST',
  path: '/account/watchlists',
  params: { name, ...savedParams.watchlist },
  async handle({ state, session }, { name, members }) {
    const item = await state.saveItem(session, savedItem('watchlist', name, { members }))
    return { status: 201, body: { data: { ...shown(item), seen: null } } }
  },
})

/** Adds and removes members by name, so that two people who do so at once both succeed. */
const changeWatchlist = forSignedIn({
  name: 'account.watchlists.change',
  method: 'PATCH',
  path: '/account/watchlists/{id}',
  params: {
    id,
    name: one(text('Name, unique among the watchlists.'), { length: 100 }),
    add: savedParams.watchlist.members,
    remove: savedParams.watchlist.members,
  },
  async handle({ state, session }, { id, name, add = [], remove = [] }) {
    const gone = new Set(membersOf(remove))
    const item = await state.changeItem(session, { kind: 'watchlist', id }, before => {
      const kept = (before.body['members'] as string[]).filter(member => !gone.has(member))
      return savedItem('watchlist', name ?? before.name, { members: [...kept, ...add] })
    })
    return { body: { data: shown(item) } }
  },
})

const seeWatchlist = forSignedIn({
  name: 'account.watchlists.seen',
  method: 'POST',
  path: '/account/watchlists/{id}/seen',
  params: { id, day: required(one(date('As-of day up to which you have seen the changes.'))) },
  async handle({ state, session }, { id, day }) {
    const items = await state.savedItems(session.accountId, 'watchlist')
    if (!items.some(item => item.id === id)) throw noSuchItem('watchlist', id)
    await state.markSeen(session.email, id, day)
    return { body: { data: { id, seen: day } } }
  },
})

const notes = forSignedIn({
  name: 'account.notes',
  method: 'GET',
  path: '/account/notes',
  params: { subject: { ...subject, required: false } },
  async handle({ state, session }, { subject }) {
    const wanted = subject && subjectOf('subject', subject)
    const items = (await state.savedItems(session.accountId, 'note')).filter(
      item => !wanted || item.name === wanted,
    )
    return { body: { data: items.map(shown), meta: { total: items.length, most: savedKinds.note } } }
  },
})

/** Writes the note on a subject, in place of the one there. */
const writeNote = forSignedIn({
  name: 'account.notes.write',
  method: 'POST',
  path: '/account/notes',
  params: {
    subject,
    ...savedParams.note,
    expected: one(text('Time of the change that this text is based on; a newer one is an error.'), {
      length: 40,
    }),
  },
  async handle({ state, session }, { subject, text, expected }) {
    const wanted = savedItem('note', subject, { text })
    const before = (await state.savedItems(session.accountId, 'note')).find(item => item.name === wanted.name)
    if (!before) return { status: 201, body: { data: shown(await state.saveItem(session, wanted)) } }
    const item = await state.changeItem(session, { kind: 'note', id: before.id }, ({ changedAt, by }) => {
      if (expected !== undefined && expected !== changedAt)
        throw invalid(
          'expected',
          expected,
          `${by} has changed this note meanwhile: read it again, then write`,
          {
            changed_at: changedAt,
          },
        )
      return wanted
    })
    return { body: { data: shown(item) } }
  },
})

/** Everything, as a file that `account.saved.import` reads. */
const exported = forSignedIn({
  name: 'account.saved.export',
  method: 'GET',
  path: '/account/saved',
  params: {},
  async handle({ state, session }) {
    const items = await state.savedItems(session.accountId)
    const lists = Object.entries(fileLists).map(
      ([list, kind]) => [list, items.filter(item => item.kind === kind).map(contents)] as const,
    )
    return { body: { data: { version: 1, ...Object.fromEntries(lists) } } }
  },
})

const list = (kind: SavedKind) => one(json(`The file's ${wordsOfKind[kind].many}.`))

const imported = forSignedIn({
  name: 'account.saved.import',
  method: 'POST',
  path: '/account/saved',
  mostBytes: MOST_FILE_BYTES,
  params: {
    version: required(one(integer('Version of the file.'), { min: 1, max: 1 })),
    screens: list('screen'),
    columns: list('columns'),
    watchlists: list('watchlist'),
    notes: list('note'),
    existing: fallback(one(oneOf(['keep', 'replace'], 'What to do with items of the same name.')), 'keep'),
  },
  async handle({ state, session }, { existing, ...file }) {
    const data = await state.importItems(session, itemsOfFile(file), existing === 'replace')
    return { body: { data } }
  },
})

export const savedOperations: readonly AccountOperation[] = [
  ...named('screen', 'screens'),
  ...named('columns', 'columns'),
  watchlists,
  addWatchlist,
  changeWatchlist,
  removalOf('watchlist', 'watchlists'),
  seeWatchlist,
  notes,
  writeNote,
  removalOf('note', 'notes'),
  exported,
  imported,
]
