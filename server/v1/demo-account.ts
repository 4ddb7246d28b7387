import type { Accounts } from '../state/accounts.ts'
import type { NewSavedItem } from '../state/saved.ts'

/** The account of every visitor of a demo. Without a demo nobody has it. */
export const DEMO_EMAIL = 'demo@localhost'

/** Saved screens that a new demo account begins with; those deleted stay deleted. */
const demoScreens: readonly NewSavedItem[] = [
  ['Energy above 4x leverage', 'companies', 'sector=Energy&min_leverage=4&sort=-leverage_ratio'],
  ['Cheapest BB bonds', 'bonds', 'rating_bucket=HY-BB&has_pricing=true&sort=-pricing.spread'],
  ['Newest ratings', 'ratings', 'sort=-effective_date'],
].map(([name = '', resource, query]) => ({ kind: 'screen', name, body: { resource, query } }))

/** It sees what administrators see, unless other accounts exist. */
export async function ensureDemoAccount(state: Accounts): Promise<void> {
  const { rows } = await state.accounts()
  const isAlone = rows.every(account => account.email === DEMO_EMAIL)
  const wanted = { role: isAlone ? 'admin' : 'user', tier: 'business' } as const
  if (rows.some(account => account.email === DEMO_EMAIL)) await state.changeAccount(DEMO_EMAIL, wanted)
  else {
    const account = await state.createAccount({ email: DEMO_EMAIL, ...wanted })
    await state.importItems(account, demoScreens, false)
  }
}
