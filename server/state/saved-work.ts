import { randomUUID } from 'node:crypto'
import { invalid, QueryError } from '../../engine/base/errors.ts'
import {
  type NewSavedItem,
  type SavedItem,
  type SavedKind,
  type SavedWork,
  type Saver,
  savedKinds,
  wordsOfKind,
} from './saved.ts'
import type { Db, Store } from './store.ts'
import type { Tables } from './tables.ts'

type Row = Tables['saved_items']

const itemOf = (row: Row): SavedItem => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  body: JSON.parse(row.body),
  by: row.changed_by,
  createdAt: new Date(row.created_at).toISOString(),
  changedAt: new Date(row.changed_at).toISOString(),
})

// Over 80 lines: one short method after the other.
export function savedWork(store: Store, now: () => number): SavedWork {
  const itemsOf = (db: Db, accountId: string, kind?: SavedKind) =>
    db
      .selectFrom('saved_items')
      .selectAll()
      .where('account_id', '=', accountId)
      .$if(kind !== undefined, q => q.where('kind', '=', kind!))
      .orderBy('kind')
      .orderBy('name')
      .orderBy('id')
      .execute()

  return {
    async savedItems(accountId, kind) {
      return (await itemsOf(store.db, accountId, kind)).map(itemOf)
    },

    saveItem: (saver, item) =>
      store.durably(async tx => {
        await lock(tx, saver.accountId)
        const others = await itemsOf(tx, saver.accountId, item.kind)
        checkName(others, item.kind, item.name)
        checkNumber(item.kind, others.length + 1)
        return insert(tx, saver, item, now())
      }),

    changeItem: (saver, { kind, id }, change) =>
      store.durably(async tx => {
        await lock(tx, saver.accountId)
        const all = await itemsOf(tx, saver.accountId, kind)
        const row = all.find(one => one.id === id)
        if (!row) throw noSuchItem(kind, id)
        const to = change(itemOf(row))
        checkName(
          all.filter(one => one !== row),
          kind,
          to.name,
        )
        return update(tx, row, saver, to, now())
      }),

    removeItem: (accountId, kind, id) =>
      store.durably(async tx => {
        const gone = await tx
          .deleteFrom('saved_items')
          .where('account_id', '=', accountId)
          .where('kind', '=', kind)
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirst()
        return gone !== undefined
      }),

    importItems: (saver, items, replace) =>
      store.durably(async tx => {
        await lock(tx, saver.accountId)
        const known = new Map(
          (await itemsOf(tx, saver.accountId)).map(row => [nameKey(row.kind, row.name), row]),
        )
        const done = { added: 0, replaced: 0, kept: 0 }
        for (const item of items) {
          const row = known.get(nameKey(item.kind, item.name))
          if (!row) {
            await insert(tx, saver, item, now())
            done.added++
          } else if (replace) {
            await update(tx, row, saver, item, now())
            done.replaced++
          } else done.kept++
        }
        for (const kind of Object.keys(savedKinds) as SavedKind[])
          checkNumber(kind, (await itemsOf(tx, saver.accountId, kind)).length)
        return done
      }),

    async seenDays(email) {
      const rows = await store.db
        .selectFrom('watchlist_looks')
        .select(['watchlist_id', 'day'])
        .where('email', '=', email)
        .execute()
      return new Map(rows.map(({ watchlist_id, day }) => [watchlist_id, day]))
    },

    async markSeen(email, watchlist_id, day) {
      await store.durably(tx =>
        tx
          .insertInto('watchlist_looks')
          .values({ email, watchlist_id, day })
          .onConflict(c => c.columns(['watchlist_id', 'email']).doUpdateSet({ day }))
          .execute(),
      )
    },
  }
}

async function insert(tx: Db, { accountId, email }: Saver, { kind, name, body }: NewSavedItem, at: number) {
  const row: Row = {
    id: randomUUID(),
    account_id: accountId,
    kind,
    name,
    body: JSON.stringify(body),
    changed_by: email,
    created_at: at,
    changed_at: at,
  }
  await tx.insertInto('saved_items').values(row).execute()
  return itemOf(row)
}

async function update(tx: Db, row: Row, { email }: Saver, to: { name: string; body: object }, at: number) {
  const changed = {
    ...row,
    name: to.name,
    body: JSON.stringify(to.body),
    changed_by: email,
    changed_at: at,
  }
  await tx.updateTable('saved_items').set(changed).where('id', '=', row.id).execute()
  return itemOf(changed)
}

export const noSuchItem = (kind: SavedKind, id: string): QueryError =>
  new QueryError('NOT_FOUND', `the account has no such item among its ${wordsOfKind[kind].many}`, { id })

/** Names that differ in case only are one name. */
const nameKey = (kind: SavedKind, name: string): string => `${kind} ${name.toLowerCase()}`

/** Locks the account's row: of two writers the second waits, and then sees what the first wrote. */
async function lock(tx: Db, accountId: string): Promise<void> {
  await tx
    .updateTable('accounts')
    .set(e => ({ seated_at: e.ref('seated_at') }))
    .where('id', '=', accountId)
    .execute()
}

function checkName(others: readonly Row[], kind: SavedKind, name: string): void {
  const other = others.find(row => nameKey(kind, row.name) === nameKey(kind, name))
  if (!other) return
  throw invalid(
    kind === 'note' ? 'subject' : 'name',
    name,
    `${wordsOfKind[kind].one} named ${other.name} exists: choose another name, or change that one`,
    { id: other.id },
  )
}

function checkNumber(kind: SavedKind, number: number): void {
  const most = savedKinds[kind]
  if (number > most)
    throw invalid(
      'kind',
      kind,
      `an account holds at most ${most} ${wordsOfKind[kind].many}: delete one you no longer need`,
      { max: most },
    )
}
