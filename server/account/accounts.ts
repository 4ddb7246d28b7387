import { text } from '../../engine/schema/column.ts'
import { one } from '../../engine/schema/params.ts'
import { partParams } from './credits.ts'
import { forAdmins } from './operation.ts'

const list = forAdmins({
  name: 'admin.accounts',
  method: 'GET',
  path: '/admin/accounts',
  params: partParams,
  async handle({ state }, part) {
    const { rows, total } = await state.accounts({}, part)
    return {
      body: {
        data: rows.map(row => ({
          email: row.email,
          owner: row.owner,
          role: row.role,
          tier: row.tier,
          has_password: row.hasPassword,
          link_until: row.linkUntil,
          created_at: row.createdAt,
          signed_in_at: row.signedInAt,
          disabled_at: row.disabledAt,
        })),
        meta: { total, ...part },
      },
    }
  },
})

const auditLog = forAdmins({
  name: 'admin.audit_log',
  method: 'GET',
  path: '/admin/audit-log',
  params: {
    subject: one(text('Email or key id that was changed.'), { length: 254 }),
    who: one(text('Who made the change.'), { length: 254 }),
    ...partParams,
  },
  async handle({ state }, { subject, who, ...part }) {
    const filter = { ...(subject !== undefined && { subject }), ...(who !== undefined && { who }) }
    const { rows, total } = await state.auditLog(filter, part)
    const data = rows.map(({ requestId, ...row }) => ({ ...row, request_id: requestId }))
    return { body: { data, meta: { total, ...part } } }
  },
})

export const adminOperations = [list, auditLog]
