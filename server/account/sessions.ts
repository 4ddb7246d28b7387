import { QueryError } from '../../engine/base/errors.ts'
import { text } from '../../engine/schema/column.ts'
import { one, required } from '../../engine/schema/params.ts'
import { forSignedIn } from './operation.ts'

const list = forSignedIn({
  name: 'account.sessions',
  method: 'GET',
  path: '/account/sessions',
  params: {},
  async handle({ state, session }) {
    const sessions = await state.sessions(session.email)
    return {
      body: {
        data: sessions.map(({ id, agent, address, createdAt, seenAt, endsAt }) => ({
          id,
          agent,
          address,
          created_at: createdAt,
          seen_at: seenAt,
          ends_at: endsAt,
          current: id === session.id,
        })),
        meta: { total: sessions.length },
      },
    }
  },
})

const end = forSignedIn({
  name: 'account.sessions.end',
  method: 'DELETE',
  path: '/account/sessions/{id}',
  params: { id: required(one(text('Id of the session.'))) },
  async handle({ state, session, audit }, { id }) {
    if (!(await state.endSession(session.email, id)))
      throw new QueryError('NOT_FOUND', 'no such session', { id })
    audit('signed out', { email: session.email, session_id: id })
    return { status: 204, ...(id === session.id && { opened: null }) }
  },
})

export const signedInOperations = [list, end]
