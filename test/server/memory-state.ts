import { randomBytes, randomUUID } from 'node:crypto'
import { tiers } from '../../server/limits/tiers.ts'
import type {
  Balance,
  Call,
  CoverageRequest,
  KeyRecord,
  NewKey,
  Principal,
  State,
  StoredResponse,
} from '../../server/state/state.ts'

interface Key extends Principal {
  key: string
  remaining: number
  used: number
  purchased: number
  revokedAt: string | null
}

/** A state in memory, for tests of code that uses one. */
export function memoryState(): State & {
  readonly calls: Call[]
  readonly holds: Map<string, { keyId: string; credits: number }>
} {
  const keys = new Map<string, Key>()
  const windows = new Map<string, { used: number; until: number }>()
  const holds = new Map<string, { keyId: string; credits: number }>()
  const idempotent = new Map<string, { fingerprint: string; answer: StoredResponse | null }>()
  const requests = new Map<string, { id: string; requestedAt: string }>()
  const calls: Call[] = []
  const keyOf = (id: string): Key => {
    const found = keys.get(id)
    if (!found) throw new Error(`no key ${id}`)
    return found
  }
  const balanceOf = ({ remaining, used, purchased }: Key): Balance => ({ remaining, used, purchased })
  const shown = ({ key: _, remaining, used: __, purchased: ___, ...rest }: Key): KeyRecord => ({
    ...rest,
    credits: remaining,
    lastUsedAt: null,
  })
  const principalOf = ({ keyId, accountId, email, tier, label, prefix, createdAt }: Key): Principal => ({
    keyId,
    accountId,
    email,
    tier,
    label,
    prefix,
    createdAt,
  })
  const idempotencyId = (keyId: string, key: string) => `${keyId} ${key}`
  return {
    kind: 'sqlite',
    calls,
    holds,
    async createKey({ email, tier, label = null, credits = 0 }): Promise<NewKey> {
      const key = `tr_${randomBytes(16).toString('hex')}`
      const made: Key = {
        keyId: randomUUID(),
        accountId: email,
        email,
        tier,
        label,
        prefix: key.slice(0, 9),
        createdAt: '2026-01-01T00:00:00.000Z',
        key,
        remaining: credits,
        used: 0,
        purchased: credits,
        revokedAt: null,
      }
      keys.set(made.keyId, made)
      return { ...principalOf(made), key, credits }
    },
    listKeys: async () => [...keys.values()].map(shown),
    async labelKey(keyId, label) {
      const found = { ...keyOf(keyId), label }
      keys.set(keyId, found)
      return shown(found)
    },
    async regenerateKey(keyId) {
      const found = keyOf(keyId)
      found.key = `tr_${randomBytes(16).toString('hex')}`
      return { ...principalOf(found), key: found.key, credits: found.remaining }
    },
    async revokeKey(keyId) {
      const found = keyOf(keyId)
      found.revokedAt = '2026-01-01T00:00:00.000Z'
      return shown(found)
    },
    async creditKey(keyId, credits) {
      const found = keyOf(keyId)
      found.remaining += credits
      found.purchased += credits
      return balanceOf(found)
    },
    async authenticate(presented) {
      const found = [...keys.values()].find(k => k.key === presented && !k.revokedAt)
      return found ? principalOf(found) : null
    },
    async take(keyId, limit, n, now) {
      const known = windows.get(keyId)
      const window = known && known.until > now ? known : { used: 0, until: now + 60_000 }
      windows.set(keyId, window)
      const allowed = window.used + n <= limit
      if (allowed) window.used += n
      return { allowed, limit, remaining: limit - window.used, resetsAt: window.until }
    },
    balance: async keyId => balanceOf(keyOf(keyId)),
    async hold(keyId, credits) {
      const found = keyOf(keyId)
      if (found.remaining < credits) return { kind: 'short', required: credits, remaining: found.remaining }
      found.remaining -= credits
      const id = randomUUID()
      holds.set(id, { keyId, credits })
      return { kind: 'held', id, remaining: found.remaining }
    },
    async settle(holdId, spent) {
      const held = holds.get(holdId)!
      holds.delete(holdId)
      const found = keyOf(held.keyId)
      const cost = spent ?? held.credits
      found.remaining += held.credits - cost
      found.used += cost
    },
    async release(holdId) {
      const held = holds.get(holdId)!
      holds.delete(holdId)
      keyOf(held.keyId).remaining += held.credits
    },
    async claim(keyId, key, fingerprint) {
      const id = idempotencyId(keyId, key)
      const known = idempotent.get(id)
      if (!known) {
        idempotent.set(id, { fingerprint, answer: null })
        return { kind: 'mine' }
      }
      if (known.fingerprint !== fingerprint) return { kind: 'other' }
      return known.answer ? { kind: 'kept', answer: known.answer } : { kind: 'running' }
    },
    async keep(keyId, key, answer) {
      idempotent.get(idempotencyId(keyId, key))!.answer = answer
    },
    async abandon(keyId, key) {
      idempotent.delete(idempotencyId(keyId, key))
    },
    async record(those) {
      calls.push(...those)
    },
    async usage(accountId, from, to) {
      const own = calls.filter(c => keyOf(c.keyId).accountId === accountId && c.at >= from && c.at < to)
      const by = <T>(of: (c: Call) => string, make: (name: string, those: Call[]) => T): T[] =>
        [...new Set(own.map(of))].sort().map(name =>
          make(
            name,
            own.filter(c => of(c) === name),
          ),
        )
      const cost = (those: Call[]) => those.reduce((sum, c) => sum + c.cost, 0)
      const times = own.map(c => c.milliseconds).sort((a, b) => a - b)
      const at = (share: number) => times[Math.floor(share * (times.length - 1))] ?? null
      return {
        daily: by(
          c => new Date(c.at).toISOString().slice(0, 10),
          (date, those) => ({
            date,
            queries: those.length,
            cost: cost(those),
            errors: those.filter(c => c.status >= 400).length,
          }),
        ),
        endpoints: by(
          c => c.endpoint,
          (endpoint, those) => ({
            endpoint,
            queries: those.length,
            cost: cost(those),
            avg_ms: those.reduce((sum, c) => sum + c.milliseconds, 0) / those.length,
          }),
        ),
        keys: by(
          c => c.keyId,
          (key_id, those) => ({ key_id, label: keyOf(key_id).label, queries: those.length }),
        ),
        latency_ms: { p50: at(0.5), p95: at(0.95), p99: at(0.99) },
      }
    },
    forget: async () => 0,
    async requestCoverage(accountId: string, { ticker }: CoverageRequest, now) {
      const id = `${accountId} ${ticker}`
      const known = requests.get(id)
      if (known) return { ...known, created: false }
      const made = { id: randomUUID(), requestedAt: new Date(now).toISOString() }
      requests.set(id, made)
      return { ...made, created: true }
    },
    seats: async accountId => {
      const own = [...keys.values()].filter(k => k.accountId === accountId)
      return { used: 1, total: tiers[own[0]!.tier].seats }
    },
    ping: async () => true,
    close: async () => {},
  }
}
