import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { QueryError } from '../../engine/base/errors.ts'
import { gate } from '../limits/gate.ts'

/** argon2id with OWASP parameters: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export const MIN_LENGTH = 12
const MAX_LENGTH = 256
/** Minimum distinct characters outside common passwords. */
const FEWEST_DISTINCT = 6

const common = /password|passwort|passw0rd|qwerty|qwertz|asdfgh|letmein|welcome|admin|tranche|12345\d*|\d{4}/g

/** A validated password; throws if it is too short or too common. Never repeated in an error. */
export function checkPassword(password: unknown, email: string): string {
  const normalised = typeof password === 'string' ? password.normalize('NFKC') : ''
  const length = [...normalised].length
  if (length < MIN_LENGTH || length > MAX_LENGTH)
    throw bad(`a password has ${MIN_LENGTH} to ${MAX_LENGTH} characters: a few words are easy to remember`)
  const [name = ''] = email.split('@')
  const lower = normalised.toLowerCase().replaceAll(common, '')
  const own = name.length > 3 ? lower.replaceAll(name, '') : lower
  if (new Set(own).size < FEWEST_DISTINCT)
    throw bad('this password is easy to guess: add words unrelated to you and to this site')
  return normalised
}

const bad = (message: string) =>
  new QueryError('INVALID_PARAMETER', message, { parameter: 'password', min: MIN_LENGTH, max: MAX_LENGTH })

export interface Passwords {
  readonly hash: (password: string) => Promise<string>
  /** False if there is no hash to compare with, after the same time. */
  readonly matches: (hashed: string | null, password: unknown) => Promise<boolean>
}

/** Hashed with the server's secret, so that the store alone does not allow guessing. */
export function passwords(secret: Uint8Array): Passwords {
  const options = { ...cost, secret }
  const turn = gate({ running: 4, waiting: 64 })
  const never = new AbortController().signal
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const leave = await turn(never)
    return work().finally(leave)
  }
  let decoy: Promise<string> | undefined
  return {
    hash: password => inTurn(() => hash(password, options)),
    async matches(hashed, password) {
      decoy ??= hash(randomBytes(32), options)
      const decoyHash = await decoy
      const candidate = typeof password === 'string' && password.length <= 4 * MAX_LENGTH ? password : ''
      const right = await inTurn(() => verify(hashed ?? decoyHash, candidate.normalize('NFKC'), options))
      return right && hashed !== null
    },
  }
}
