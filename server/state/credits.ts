import { invalid } from '../../engine/base/errors.ts'
import type { Accounts, LedgerRow, PageOf, PageRequest } from './accounts.ts'
import { recordChanges } from './audit.ts'
import { noKey, revoked } from './no-key.ts'
import { prepared } from './prepared.ts'
import type { State, StoredResponse } from './state.ts'
import type { Db, Store } from './store.ts'

type Credits = Pick<State, 'creditKey' | 'balance' | 'hold' | 'settle' | 'release'> & Pick<Accounts, 'ledger'>

/** More than anybody buys: sums stay exact. */
const MOST = 1_000_000_000_000

/** The hold of a call that costs nothing. */
const NOTHING = '0'

export function checkAmount(credits: number): void {
  if (!Number.isInteger(credits) || credits < 1 || credits > MOST)
    throw invalid('credits', credits, `credits must be a whole number between 1 and ${MOST}`, {
      min: 1,
      max: MOST,
    })
}

/** Adds purchased or granted credits; false if there is no such key. */
export async function addCredits(
  tx: Db,
  key_id: string,
  credits: number,
  reason: string,
  at: number,
): Promise<boolean> {
  const added = await tx
    .updateTable('credits')
    .set(e => ({ remaining: e('remaining', '+', credits), purchased: e('purchased', '+', credits) }))
    .where('key_id', '=', key_id)
    .returning('key_id')
    .executeTakeFirst()
  if (added) await tx.insertInto('ledger').values({ key_id, at, kind: 'grant', credits, reason }).execute()
  return added !== undefined
}

/** Returns held credits. */
export async function refund(
  tx: Db,
  call: { key_id: string; endpoint: string | null; request_id: string | null },
  credits: number,
  reason: string,
  at: number,
): Promise<void> {
  const { key_id, endpoint, request_id } = call
  await tx
    .updateTable('credits')
    .set(e => ({ remaining: e('remaining', '+', credits) }))
    .where('key_id', '=', key_id)
    .execute()
  await tx
    .insertInto('ledger')
    .values({ key_id, at, kind: 'refund', credits, endpoint, request_id, reason })
    .execute()
}

interface Charge {
  key_id: string
  at: number
  credits: number
  endpoint: string
  request_id: string
  held_by: string
}

/**
 * A balance is the sum of its ledger. A call is charged before it runs, in a row marked with the run that holds it;
 * the mark is removed when the call succeeds, and a refund follows if it fails.
 * @param holder registers this process as a holder, and returns its name
 * @param keepAnswer stores the answer of a request under its idempotency key
 */
export function credits(
  store: Store,
  now: () => number,
  holder: () => string | Promise<string>,
  keepAnswer: (tx: Db, keyId: string, idempotencyKey: string, answer: StoredResponse) => Promise<void>,
): Credits {
  const { db } = store
  const { balanceOf, pay, charge, letGo } = statements(db)
  const changed = recordChanges(now)

  const balance = async (from: Db, keyId: string) => {
    const [row] = await balanceOf(from, { key_id: keyId })
    if (!row) throw noKey(keyId)
    const { remaining, purchased } = row
    return { remaining, used: purchased - remaining, purchased }
  }

  /** Ends a hold with `spent` of its credits spent; does nothing if it was released already. */
  const end = async (tx: Db, holdId: string, spent: number, reason: string) => {
    const [hold] = await letGo(tx, { id: Number(holdId) })
    if (!hold) return
    const rest = -hold.credits - spent
    if (rest < 0) throw new RangeError(`${spent} credits cannot be spent of ${-hold.credits} that are held`)
    if (rest > 0) await refund(tx, hold, rest, reason, now())
  }

  return {
    balance: keyId => balance(db, keyId),

    async creditKey(keyId, amount, reason, by) {
      checkAmount(amount)
      return store.durably(async tx => {
        await checkInForce(tx, keyId)
        await addCredits(tx, keyId, amount, reason, now())
        await changed(tx, by, 'credits added', keyId, { credits: amount, reason })
        return balance(tx, keyId)
      })
    },

    async hold(keyId, amount, { requestId, endpoint }) {
      if (amount === 0) return { kind: 'held', id: NOTHING, remaining: (await balance(db, keyId)).remaining }
      checkAmount(amount)
      const held_by = await holder()
      return store.transaction(async tx => {
        const [paid] = await pay(tx, { key_id: keyId, credits: amount })
        if (!paid) return { kind: 'short', required: amount, remaining: (await balance(tx, keyId)).remaining }
        const [row] = await charge(tx, {
          key_id: keyId,
          at: now(),
          credits: -amount,
          endpoint,
          request_id: requestId,
          held_by,
        })
        return { kind: 'held', id: String(row!.id), remaining: paid.remaining }
      })
    },

    async settle(holdId, spent, stored) {
      // All credits spent and no answer to store: one statement.
      if (spent === undefined && stored === undefined) {
        await letGo(db, { id: Number(holdId) })
        return
      }
      await store.transaction(async tx => {
        if (spent === undefined) await letGo(tx, { id: Number(holdId) })
        else await end(tx, holdId, spent, 'part of the call failed')
        if (stored) await keepAnswer(tx, stored.keyId, stored.idempotencyKey, stored.answer)
      })
    },

    ledger: (keyIds, part) => ledgerPage(db, keyIds, part),

    async release(holdId) {
      if (holdId !== NOTHING) await store.transaction(tx => end(tx, holdId, 0, 'the call failed'))
    },
  }
}

/** @throws if there is no such key, or it is revoked */
async function checkInForce(tx: Db, keyId: string): Promise<void> {
  const row = await tx.selectFrom('keys').select('revoked_at').where('id', '=', keyId).executeTakeFirst()
  if (!row) throw noKey(keyId)
  if (row.revoked_at !== null) throw revoked(keyId)
}

function statements(db: Db) {
  const balanceOf = prepared((v: { key_id: string }) =>
    db.selectFrom('credits').select(['remaining', 'purchased']).where('key_id', '=', v.key_id),
  )
  const pay = prepared((v: { key_id: string; credits: number }) =>
    db
      .updateTable('credits')
      .set(e => ({ remaining: e('remaining', '-', v.credits) }))
      .where('key_id', '=', v.key_id)
      .where('remaining', '>=', v.credits)
      .returning('remaining'),
  )
  const charge = prepared((v: Charge) =>
    db
      .insertInto('ledger')
      .values({ ...pickCharge(v), kind: 'charge' })
      .returning('id'),
  )
  const letGo = prepared((v: { id: number }) =>
    db
      .updateTable('ledger')
      .set({ held_by: null })
      .where('id', '=', v.id)
      .where('held_by', 'is not', null)
      .returning(['key_id', 'credits', 'endpoint', 'request_id']),
  )
  return { balanceOf, pay, charge, letGo }
}

const pickCharge = ({ key_id, at, credits, endpoint, request_id, held_by }: Charge): Charge => ({
  key_id,
  at,
  credits,
  endpoint,
  request_id,
  held_by,
})

/** Changes of balances, newest first. */
async function ledgerPage(
  db: Db,
  keyIds: readonly string[],
  { limit, offset }: PageRequest,
): Promise<PageOf<LedgerRow>> {
  if (keyIds.length === 0) return { rows: [], total: 0 }
  const wanted = db.selectFrom('ledger').where('key_id', 'in', keyIds)
  const { total } = await wanted.select(e => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await wanted
    .select(['id', 'key_id', 'at', 'kind', 'credits', 'endpoint', 'request_id', 'reason'])
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return {
    total,
    rows: rows.map(({ key_id, at, request_id, ...row }) => ({
      ...row,
      keyId: key_id,
      at: new Date(at).toISOString(),
      requestId: request_id,
    })),
  }
}
