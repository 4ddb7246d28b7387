import { type Tier, tiers } from '../../limits/tiers.ts'
import type { CallTypes, Endpoint, Meta } from './endpoint.ts'

export interface Account {
  email: string
  tier: Tier
  credits: { remaining: number; resets_at: null; unlimited: boolean }
  key: { id: string; label: string | null; prefix: string; created_at: string }
  rate_limit: { limit: number; remaining: number; reset: number }
  seats: { used: number; total: number }
  meta: Meta
}

const integer = { type: 'integer' } as const
const text = { type: 'string' } as const

/** The credits of a key; unmetered accounts keep what they bought. */
export const creditsOf = (remaining: number, paid: boolean) => ({
  remaining,
  resets_at: null,
  unlimited: !paid,
})

export const authMe = {
  name: 'auth.me',
  method: 'GET',
  path: '/v1/auth/me',
  doc: "The account, its tier, and the key's remaining limit and credits.",
  tier: 'any',
  cost: 'free',
  answers: 'object',
  params: {},
  envelope: '',
  columns: null,
  examples: [],
  types: undefined as CallTypes<Record<never, never>, Account> | undefined,
  schema: {
    type: 'object',
    required: ['email', 'tier', 'credits', 'key', 'rate_limit', 'seats', 'meta'],
    properties: {
      email: text,
      tier: { enum: Object.keys(tiers) },
      credits: {
        type: 'object',
        required: ['remaining', 'resets_at', 'unlimited'],
        properties: {
          remaining: integer,
          resets_at: { type: ['string', 'null'], description: 'Null: credits never expire.' },
          unlimited: { type: 'boolean', description: 'True if calls are not charged.' },
        },
      },
      key: {
        type: 'object',
        required: ['id', 'label', 'prefix', 'created_at'],
        properties: {
          id: text,
          label: { type: ['string', 'null'] },
          prefix: text,
          created_at: { type: 'string', format: 'date-time' },
        },
      },
      rate_limit: {
        type: 'object',
        required: ['limit', 'remaining', 'reset'],
        properties: {
          limit: { ...integer, description: 'Requests a minute.' },
          remaining: integer,
          reset: { ...integer, description: 'Unix epoch seconds at which the window is full again.' },
        },
      },
      seats: {
        type: 'object',
        required: ['used', 'total'],
        properties: { used: integer, total: integer },
      },
      meta: { type: 'object', required: ['request_id'], properties: { request_id: text } },
    },
  },
  async handle({ state, principal, window }) {
    const [balance, seats] = await Promise.all([
      state.balance(principal.keyId),
      state.seats(principal.accountId),
    ])
    return {
      body: {
        email: principal.email,
        tier: principal.tier,
        credits: creditsOf(balance.remaining, tiers[principal.tier].paid),
        key: {
          id: principal.keyId,
          label: principal.label,
          prefix: principal.prefix,
          created_at: principal.createdAt,
        },
        rate_limit: {
          limit: window.limit,
          remaining: window.remaining,
          reset: Math.ceil(window.resetsAt / 1000),
        },
        seats,
      },
    }
  },
} satisfies Endpoint
