import { invalid, QueryError } from '../../engine/base/errors.ts'
import { text } from '../../engine/schema/column.ts'
import { one, required } from '../../engine/schema/params.ts'
import { checkPlain } from '../http/plain-text.ts'
import type { Session } from '../state/accounts.ts'
import type { KeyRecord, NewKey, State } from '../state/state.ts'
import { forSignedIn } from './operation.ts'

/** Maximum number of active keys per person: rate limits are per key. */
const MOST = 10

const id = required(one(text('Id of the key.')))
const label = one(text('What the key is for.'), { length: 100 })

/** Keys that a person may see and change: their own, and for the owner of an account all of its keys. */
export const keysOf = async (state: State, { accountId, email, isOwner }: Session): Promise<KeyRecord[]> =>
  (await state.listKeys({ accountId })).filter(key => isOwner || key.email === email)

/** One of those keys, if it is active. */
export async function keyNamed(state: State, session: Session, id: string): Promise<KeyRecord> {
  const key = (await keysOf(state, session)).find(key => key.keyId === id)
  if (!key) throw new QueryError('NOT_FOUND', 'no such key', { id })
  if (key.revokedAt !== null) throw invalid('id', id, 'this key is revoked: create another')
  return key
}

const shown = (key: KeyRecord | NewKey) => ({
  id: key.keyId,
  label: key.label,
  prefix: key.prefix,
  email: key.email,
  tier: key.tier,
  credits: key.credits,
  created_at: key.createdAt,
})

const shownRecord = (key: KeyRecord, session: Session) => ({
  ...shown(key),
  last_used_at: key.lastUsedAt,
  revoked_at: key.revokedAt,
  chosen: key.keyId === session.key?.keyId,
})

/** Includes the key itself, shown once. */
const shownNew = (key: NewKey) => ({ ...shown(key), key: key.key })

const list = forSignedIn({
  name: 'account.keys',
  method: 'GET',
  path: '/account/keys',
  params: {},
  async handle({ state, session }) {
    const keys = await keysOf(state, session)
    return {
      body: { data: keys.map(key => shownRecord(key, session)), meta: { total: keys.length, most: MOST } },
    }
  },
})

const create = forSignedIn({
  name: 'account.keys.create',
  method: 'POST',
  path: '/account/keys',
  params: { label },
  async handle({ state, session, actor, audit }, { label }) {
    checkPlain('label', label)
    const { email, tier, accountId, owner } = session
    const key = await state.createKey({
      email,
      tier,
      most: MOST,
      label: label ?? null,
      account: owner,
      by: actor,
    })
    audit('key created', { email, account_id: accountId, key_id: key.keyId })
    return { status: 201, body: { data: shownNew(key) } }
  },
})

const relabel = forSignedIn({
  name: 'account.keys.label',
  method: 'PATCH',
  path: '/account/keys/{id}',
  params: { id, label },
  async handle({ state, session, actor, audit }, { id, label }) {
    checkPlain('label', label)
    const { keyId } = await keyNamed(state, session, id)
    const key = await state.labelKey(keyId, label ?? null, actor)
    audit('key labelled', { email: session.email, key_id: keyId })
    return { body: { data: shownRecord(key, session) } }
  },
})

const regenerate = forSignedIn({
  name: 'account.keys.regenerate',
  method: 'POST',
  path: '/account/keys/{id}/regenerate',
  params: { id },
  async handle({ state, session, actor, audit }, { id }) {
    const { keyId } = await keyNamed(state, session, id)
    const key = await state.regenerateKey(keyId, actor)
    audit('key regenerated', { email: session.email, key_id: keyId })
    return { body: { data: shownNew(key) } }
  },
})

const revoke = forSignedIn({
  name: 'account.keys.revoke',
  method: 'DELETE',
  path: '/account/keys/{id}',
  params: { id },
  async handle({ state, session, actor, audit }, { id }) {
    const { keyId } = await keyNamed(state, session, id)
    const key = await state.revokeKey(keyId, actor)
    audit('key revoked', { email: session.email, key_id: keyId })
    return { body: { data: { ...shownRecord(key, session), chosen: false } } }
  },
})

export const keyOperations = [list, create, relabel, regenerate, revoke]
