import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { invalid, QueryError } from '../../engine/base/errors.ts'
import type { Db, Store } from './store.ts'

/** Hex digits of a key that may be shown to identify it; the others keep 96 bits. */
const SHOWN = 8

export const newKey = (prefix: string): string => `${prefix}_${randomBytes(16).toString('hex')}`

/** Prefix, underscore, 32 hex digits. */
export const isKey = (text: string): boolean => /^[a-z][a-z0-9]{0,15}_[0-9a-f]{32}$/.test(text)

/** The start of a key, up to the digits that may be shown. */
export const visiblePart = (key: string): string => key.slice(0, key.indexOf('_') + 1 + SHOWN)

export function checkPrefix(prefix: string): string {
  if (/^[a-z][a-z0-9]{0,15}$/.test(prefix)) return prefix
  throw invalid(
    'prefix',
    prefix,
    'the prefix of keys is 1 to 16 lower-case letters and digits, beginning with a letter',
  )
}

/** The stored hash of a key. Keys are random, so a slow hash would only slow down the server. */
export const hashOf = (secret: Uint8Array, key: string): string =>
  createHmac('sha256', secret).update(key).digest('hex')

export const sameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** The secret of the store: the given one, else one created in the store on first use. */
export async function serverSecret(store: Store, given: string | undefined): Promise<Uint8Array> {
  if (given !== undefined && given.length < 32)
    throw invalid(
      'secret',
      null,
      'the secret (TRANCHE_SECRET) is too short: give at least 32 random characters',
    )
  return store.durably(async tx => {
    const secret = given === undefined ? await setting(tx, 'secret', randomBytes(32).toString('hex')) : given
    const bytes = given === undefined ? Buffer.from(secret, 'hex') : Buffer.from(secret)
    const sign = hashOf(bytes, 'tranche state store')
    if ((await setting(tx, 'secret_sign', sign)) === sign) return bytes
    throw new QueryError(
      'INVALID_PARAMETER',
      'the keys of this state store were made with another secret: ' +
        (given === undefined ? 'set TRANCHE_SECRET to it' : 'set TRANCHE_SECRET to that one, or unset it'),
      { parameter: 'secret' },
    )
  })
}

/** A setting; created as `first` if missing. */
async function setting(tx: Db, name: string, first: string): Promise<string> {
  await tx
    .insertInto('settings')
    .values({ name, value: first })
    .onConflict(c => c.doNothing())
    .execute()
  const row = await tx
    .selectFrom('settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return row.value
}
