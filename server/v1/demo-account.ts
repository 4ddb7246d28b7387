import type { Accounts } from '../state/accounts.ts'

/** Whose session everybody has who opens a demo. Where there is no demo nobody has it. */
export const DEMO_EMAIL = 'demo@localhost'

/** It sees what administrators see, unless there are accounts of others to be seen. */
export async function ensureDemoAccount(state: Accounts): Promise<void> {
  const { rows } = await state.accounts()
  const isAlone = rows.every(account => account.email === DEMO_EMAIL)
  const wanted = { role: isAlone ? 'admin' : 'user', tier: 'business' } as const
  if (rows.some(account => account.email === DEMO_EMAIL)) await state.changeAccount(DEMO_EMAIL, wanted)
  else await state.createAccount({ email: DEMO_EMAIL, ...wanted })
}
