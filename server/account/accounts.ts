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

export const adminOperations = [list]
