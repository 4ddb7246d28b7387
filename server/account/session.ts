import { QueryError } from '../../engine/base/errors.ts'
import { json, text } from '../../engine/schema/column.ts'
import { one, required } from '../../engine/schema/params.ts'
import type { OpenedSession, Session, SignIn } from '../state/accounts.ts'
import { DEMO_EMAIL } from '../v1/demo-account.ts'
import { SSO_PATH } from '../v1/server-context.ts'
import { keyNamed } from './keys.ts'
import { type AccountCall, type AccountReply, forAnybody, forSignedIn } from './operation.ts'

/** Taken literally, and never repeated in an error. */
const secret = (doc: string) => required(one(json(doc)))

const shown = ({ email, role, tier, isOwner, csrf, key }: Session) => ({
  account: { email, role, tier, owner: isOwner },
  csrf,
  key: key && { id: key.keyId, label: key.label, prefix: key.prefix, tier: key.tier },
  demo: email === DEMO_EMAIL,
})

/** A sign-in always creates a new session; the browser's previous one ends. */
async function begin(
  { state, session }: AccountCall<Session | null>,
  opened: OpenedSession,
): Promise<AccountReply> {
  if (session) await state.endSession(session.email, session.id)
  return { body: shown(opened.session), opened }
}

/** Signs in; the error is the same for unknown emails. */
function entered(answer: SignIn, audit: AccountCall<unknown>['audit']): OpenedSession {
  if (answer.kind === 'in') return answer
  const { email } = answer
  if (answer.kind === 'wrong') {
    audit('sign-in refused', { email })
    throw new QueryError('UNAUTHORIZED', 'wrong email or password')
  }
  const { seconds } = answer
  audit('sign-in locked', { email, seconds })
  throw new QueryError('RATE_LIMITED', `too many failed sign-ins: wait ${Math.ceil(seconds / 60)} minutes`, {
    retry_after: seconds,
  })
}

const show = forAnybody({
  name: 'session.show',
  method: 'GET',
  path: '/session',
  params: {},
  async handle(call) {
    const { session, demo, singleSignOn, state, visitor, audit } = call
    if (session) return { body: shown(session) }
    if (!demo)
      throw new QueryError('UNAUTHORIZED', 'not signed in', {
        ...(singleSignOn && { provider: { name: singleSignOn.name, path: SSO_PATH } }),
      })
    audit('signed in', { email: DEMO_EMAIL })
    return begin(call, await state.openSession(DEMO_EMAIL, visitor))
  },
})

const signIn = forAnybody({
  name: 'session.sign_in',
  method: 'POST',
  path: '/session',
  params: { email: required(one(text('Email.'), { length: 254 })), password: secret('Password.') },
  async handle(call, given) {
    const { state, visitor, audit } = call
    const opened = entered(await state.signIn(given, visitor), audit)
    audit('signed in', { email: opened.session.email })
    return begin(call, opened)
  },
})

const accept = forAnybody({
  name: 'session.accept',
  method: 'POST',
  path: '/session/accept',
  params: { token: secret('Token of the link.'), password: secret('The new password.') },
  async handle(call, { token, password }) {
    const { state, visitor, audit } = call
    const opened =
      typeof token === 'string' && token.length < 100
        ? await state.acceptLink({ token, password }, visitor)
        : null
    if (!opened) {
      audit('link refused', {})
      throw new QueryError(
        'NOT_FOUND',
        'this link is not valid: it was used or has expired; ask its sender for another',
      )
    }
    audit('password set', { email: opened.session.email })
    return begin(call, opened)
  },
})

const changePassword = forSignedIn({
  name: 'session.password',
  method: 'POST',
  path: '/session/password',
  params: { current: secret('The current password.'), password: secret('The new password.') },
  async handle({ state, session, visitor, audit }, given) {
    const { email } = session
    const answer = await state.changePassword({ ...given, email }, visitor)
    // Not 401: the person stays signed in.
    if (answer.kind === 'wrong') {
      audit('password change refused', { email })
      throw new QueryError('FORBIDDEN', 'the current password is wrong', { reason: 'wrong_password' })
    }
    const opened = entered(answer, audit)
    audit('password set', { email })
    return { body: shown(opened.session), opened }
  },
})

const signOut = forSignedIn({
  name: 'session.sign_out',
  method: 'DELETE',
  path: '/session',
  params: {},
  async handle({ state, session, audit }) {
    await state.endSession(session.email, session.id)
    audit('signed out', { email: session.email })
    return { status: 204, opened: null }
  },
})

const chooseKey = forSignedIn({
  name: 'session.key',
  method: 'POST',
  path: '/session/key',
  params: { id: required(one(text('Id of the key to use.'))) },
  async handle({ state, session }, { id }) {
    const { keyId, label, prefix, tier, createdAt, accountId, email } = await keyNamed(state, session, id)
    await state.chooseKey(session.id, keyId)
    const key = { keyId, label, prefix, tier, createdAt, accountId, email }
    return { body: shown({ ...session, key }) }
  },
})

export const sessionOperations = [show, signIn, accept, changePassword, signOut, chooseKey]
