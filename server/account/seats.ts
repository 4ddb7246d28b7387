import { invalid, QueryError } from '../../engine/base/errors.ts'
import { text } from '../../engine/schema/column.ts'
import { one, required } from '../../engine/schema/params.ts'
import type { Session } from '../state/accounts.ts'
import { checkTier } from '../v1/operations/access.ts'
import { linkTo } from './link.ts'
import { forSignedIn } from './operation.ts'

const email = required(one(text('Email of the person the seat is for.'), { length: 254 }))

function checkOwner({ isOwner, tier }: Session): void {
  if (!isOwner)
    throw new QueryError('FORBIDDEN', 'only the owner of the account adds and removes seats', {
      reason: 'not_owner',
    })
  checkTier({ name: 'a team', tier: 'business' }, tier)
}

const list = forSignedIn({
  name: 'account.seats',
  method: 'GET',
  path: '/account/seats',
  params: {},
  async handle({ state, session: { accountId, owner } }) {
    const [seats, keys, people] = await Promise.all([
      state.seats(accountId),
      state.listKeys({ accountId, revoked: false }),
      state.accounts({ accountId }),
    ])
    const emails = new Set([...people.rows.map(one => one.email), ...keys.map(key => key.email)])
    return {
      body: {
        data: [...emails].map(email => {
          const account = people.rows.find(one => one.email === email)
          return {
            email,
            owner: email === owner,
            keys: keys.filter(key => key.email === email).length,
            has_password: account?.hasPassword ?? false,
            link_until: account?.linkUntil ?? null,
            signed_in_at: account?.signedInAt ?? null,
          }
        }),
        meta: seats,
      },
    }
  },
})

/** Adds a seat, or sends another link to an invitee who has not used theirs. */
const add = forSignedIn({
  name: 'account.seats.add',
  method: 'POST',
  path: '/account/seats',
  params: { email },
  async handle({ state, session, origin, actor, audit }, { email }) {
    checkOwner(session)
    const [known] = (await state.accounts({ email, accountId: session.accountId })).rows
    if (known?.hasPassword) throw invalid('email', known.email, `${known.email} already has a seat`)
    const { token, ...made } = known
      ? await state.resetAccount(known.email, actor)
      : await state.createAccount({ email, owner: session.email, by: actor })
    audit('seat added', { email: session.email, account_id: session.accountId, seat: made.email })
    const data = { email: made.email, link: linkTo(origin, token), link_until: made.linkUntil }
    return { status: 201, body: { data } }
  },
})

const remove = forSignedIn({
  name: 'account.seats.remove',
  method: 'DELETE',
  path: '/account/seats/{email}',
  params: { email },
  async handle({ state, session, actor, audit }, { email }) {
    checkOwner(session)
    if (email.toLowerCase() === session.email)
      throw invalid('email', email, "the owner's seat cannot be removed")
    await state.removeSeat(session.accountId, email, actor)
    audit('seat removed', { email: session.email, account_id: session.accountId, seat: email })
    return { status: 204 }
  },
})

export const seatOperations = [list, add, remove]
