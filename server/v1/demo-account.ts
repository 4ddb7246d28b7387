import type { Accounts } from '../state/accounts.ts'

/** The account of every visitor of a demo. Without a demo nobody has it. */
export const DEMO_EMAIL = 'demo@localhost'

/** It sees what administrators see, unless other accounts exist. */
export async function ensureDemoAccount(state: Accounts): Promise<void> {
  const { rows } = await state.accounts()
  const isAlone = rows.every(account => account.email === DEMO_EMAIL)
  const wanted = { role: isAlone ? 'admin' : 'user', tier: 'business' } as const
  if (rows.some(account => account.email === DEMO_EMAIL)) await state.changeAccount(DEMO_EMAIL, wanted)
  else await state.createAccount({ email: DEMO_EMAIL, ...wanted })
}
