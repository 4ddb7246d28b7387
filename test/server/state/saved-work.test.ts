import type { Kysely } from 'kysely'
import t from 'tap'
import { DEMO_EMAIL } from '../../../server/v1/demo-account.ts'
import { onBoth } from './both-stores.ts'

const screen = (name: string) => ({ kind: 'screen', name, body: { resource: 'bonds', query: '' } }) as const

await onBoth('saved work belongs to an account, and names are unique in it', async (t, { open }) => {
  const state = await open()
  const { accountId } = await state.createAccount({ email: 'ana@fund.example' })
  const other = await state.createAccount({ email: 'eve@other.example' })
  const ana = { accountId, email: 'ana@fund.example' }
  const made = await state.saveItem(ana, screen('Energy'))
  await state.saveItem({ ...other }, screen('Energy'))
  await t.rejects(state.saveItem(ana, screen('ENERGY')), {
    code: 'INVALID_PARAMETER',
    message: /named Energy exists/,
  })
  t.strictSame(await state.savedItems(accountId), [made])
  await t.rejects(
    state.changeItem({ ...other }, { kind: 'screen', id: made.id }, item => item),
    { code: 'NOT_FOUND' },
  )
  t.equal(await state.removeItem(other.accountId, 'screen', made.id), false)
  t.equal(await state.removeItem(accountId, 'screen', made.id), true)
  t.strictSame(await state.savedItems(accountId), [])
})

await onBoth('of two writers at once both add their member', async (t, { open }) => {
  const [one, two] = [await open(), await open()]
  const { accountId, email } = await one.createAccount({ email: 'ana@fund.example' })
  const ana = { accountId, email }
  const { id } = await one.saveItem(ana, { kind: 'watchlist', name: 'Mine', body: { members: [] } })
  const adding = (member: string) => (item: { name: string; body: object }) => ({
    name: item.name,
    body: { members: [...(item.body as { members: string[] }).members, member] },
  })
  await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      (i % 2 ? one : two).changeItem(ana, { kind: 'watchlist', id }, adding(`company:C${i}`)),
    ),
  )
  const [found] = await two.savedItems(accountId, 'watchlist')
  t.equal((found!.body['members'] as string[]).length, 10)
})

await onBoth('an import adds all or nothing, up to the limits', async (t, { open }) => {
  const state = await open()
  const { accountId, email } = await state.createAccount({ email: 'ana@fund.example' })
  const ana = { accountId, email }
  await state.saveItem(ana, screen('Energy'))
  const many = Array.from({ length: 100 }, (_, i) => screen(`Screen ${i}`))
  await t.rejects(state.importItems(ana, many, false), { message: /at most 100 saved screens/ })
  t.equal((await state.savedItems(accountId)).length, 1)
  const again = { ...screen('energy'), body: { resource: 'bonds', query: 'min_ytm=8' } }
  t.strictSame(await state.importItems(ana, [again, screen('New')], false), {
    added: 1,
    replaced: 0,
    kept: 1,
  })
  t.strictSame(await state.importItems(ana, [again], true), { added: 0, replaced: 1, kept: 0 })
  t.match(await state.savedItems(accountId), [
    { name: 'New' },
    { name: 'energy', body: { query: 'min_ytm=8' } },
  ])
})

await onBoth(
  'each person has a last look of their own, which goes with the seat',
  async (t, { open, tables }) => {
    const state = await open()
    const { accountId, email } = await state.createAccount({ email: 'ana@fund.example', tier: 'business' })
    await state.createAccount({ email: 'bo@fund.example', owner: email })
    const { id } = await state.saveItem(
      { accountId, email },
      { kind: 'watchlist', name: 'Mine', body: { members: [] } },
    )
    await state.markSeen(email, id, '2025-06-01')
    await state.markSeen(email, id, '2025-06-02')
    await state.markSeen('bo@fund.example', id, '2025-05-01')
    t.strictSame([...(await state.seenDays(email))], [[id, '2025-06-02']])
    await state.removeSeat(accountId, 'bo@fund.example')
    t.strictSame([...(await state.seenDays('bo@fund.example'))], [])
    await state.removeItem(accountId, 'watchlist', id)
    t.strictSame(await (await tables()).selectFrom('watchlist_looks').selectAll().execute(), [])
  },
)

await onBoth(
  'a store of the version before saved work is upgraded, and loses nothing',
  async (t, { open, tables }) => {
    const state = await open()
    const { accountId } = await state.createAccount({ email: DEMO_EMAIL, tier: 'business' })
    const { key } = await state.createKey({ email: DEMO_EMAIL, tier: 'business' })
    const db = (await tables()) as unknown as Kysely<{ settings: { name: string; value: string } }>
    for (const table of ['watchlist_looks', 'saved_items', 'audit_entries'])
      await db.schema.dropTable(table).execute()
    await db.updateTable('settings').set({ value: '4' }).where('name', '=', 'schema').execute()
    const upgraded = await open()
    t.match(await upgraded.authenticate(key), { accountId })
    await upgraded.saveItem({ accountId, email: DEMO_EMAIL }, screen('Energy'))
    t.match(await upgraded.savedItems(accountId), [{ name: 'Energy', by: DEMO_EMAIL }])
  },
)

t.end()
