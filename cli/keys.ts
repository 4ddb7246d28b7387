import { invalid, QueryError } from '../engine/base/errors.ts'
import { boolean, integer, nullable, oneOf, text, timestamp } from '../engine/schema/column.ts'
import { fallback, one } from '../engine/schema/params.ts'
import { namedTiers, packages, tierNamed } from '../server/limits/tiers.ts'
import type { KeyRecord, NewKey, State } from '../server/state/state.ts'
import { needed, readAction } from './actions.ts'
import { command, lakeFolder, lakeParams, stateParams } from './command.ts'
import { openNamedState } from './open-state.ts'
import {
  chooseOutput,
  notice,
  onTerminal,
  outputLetters,
  outputParams,
  writeList,
  writeObject,
} from './output.ts'

const columns = {
  id: text('Id.'),
  prefix: text('How the key begins.'),
  email: text('Whose it is.'),
  tier: text('Tier.'),
  label: nullable(text('Label.')),
  credits: integer('Credits that are left.'),
  created_at: timestamp('When it was made.'),
  last_used_at: nullable(timestamp('When it was last used.')),
  revoked_at: nullable(timestamp('When it was revoked; missing while it is in force.')),
}

const actions = {
  create: { words: 0, options: ['email', 'tier', 'label', 'credits', 'account'] },
  list: { words: 0, options: [] },
  regenerate: { words: 1, options: [] },
  revoke: { words: 1, options: [] },
  credit: { words: 2, options: ['credits', 'package'] },
} as const

const most = 1_000_000_000
const HOW = 'keys create --email E --tier payg|pro|business'

export const keysCommand = command({
  word: 'keys',
  words: '[create | list | regenerate ID | revoke ID | credit ID (N | --package P)]',
  firstWords: Object.keys(actions),
  params: {
    email: one(text('create: whose key it is.')),
    tier: one(oneOf(namedTiers, 'create: what the key may do.')),
    label: one(text('create: what the key is for.'), { length: 200 }),
    credits: one(integer('create: credits to begin with.'), { min: 0, max: most }),
    account: one(text('create: email of the owner of a business account in which the key takes a seat.')),
    package: one(oneOf(Object.keys(packages), 'credit: the prepaid package of so much money.')),
    ...stateParams,
    json: fallback(one(boolean('The same as --format json.')), false),
    ...outputParams,
    ...lakeParams,
  },
  letters: outputLetters,
  notes:
    'create       makes a key and shows it, this once; an email may have several\n' +
    'list         lists the keys by how they begin\n' +
    'regenerate   replaces a key, keeping its id, credits and limits; the old one is dead at once\n' +
    'revoke       ends a key at once\n' +
    `credit       adds credits; packages: ${Object.entries(packages)
      .map(([money, credits]) => `${money} buys ${credits}`)
      .join(', ')}\n` +
    'A key is named by its id, by the start of it, or by how the key begins.',
  examples: [
    'create --email ana@fund.example --tier pro --label desk',
    'create --email bo@fund.example --tier business --account ana@fund.example',
    'list',
    'credit 3f9a --package 25',
    'regenerate 3f9a',
  ],
  async run(args, { words: [said = 'list', ...words] }) {
    const { lake, state: named, json, email, tier, label, credits, account, package: bought, ...asked } = args
    const options = { email, tier, label, credits, account, package: bought }
    const action = readAction('keys', actions, said, words, options)
    const choice = chooseOutput(json ? { ...asked, format: 'json' } : asked, onTerminal())
    if (actions[action].words > 0 && words.length === 0)
      throw new QueryError(
        'MISSING_PARAMETER',
        `say which key: keys ${action} ID ("tranche keys list" lists them)`,
        { parameter: 'id' },
      )
    const wanted =
      action === 'create'
        ? {
            email: needed('email', email, HOW),
            tier: tierNamed(needed('tier', tier, HOW)),
            label,
            credits,
            account,
          }
        : null
    const bundle = action === 'credit' ? added(words[1], credits, bought) : null
    const state = await openNamedState(named, lakeFolder(lake), action === 'create')
    const show = (row: object) => writeObject({ ...row }, { ...row }, choice, columns)
    try {
      if (wanted) {
        await show(shownNew(await state.createKey(wanted)))
        notice('the key is shown this once and is not kept: store it now')
      } else if (action === 'list') {
        const rows = (await state.listKeys()).map(shown)
        await writeList(columns, rows, choice)
        if (rows.length === 0) notice('no keys yet: "tranche keys create --email E --tier T" makes one')
      } else {
        const { keyId } = await keyNamed(state, words[0]!)
        if (action === 'regenerate') {
          await show(shownNew(await state.regenerateKey(keyId)))
          notice('the old key is dead; the new one is shown this once and is not kept: store it now')
        } else if (action === 'revoke') await show(shown(await state.revokeKey(keyId)))
        else {
          const { remaining, used, purchased } = await state.creditKey(keyId, bundle!.credits, bundle!.reason)
          await show({ id: keyId, added: bundle!.credits, credits: remaining, used, purchased })
        }
      }
    } finally {
      await state.close()
    }
    return undefined
  },
})

/** How many credits are added, and why. */
function added(
  word: string | undefined,
  credits: number | undefined,
  bought: string | undefined,
): { credits: number; reason: string } {
  const said = [word, credits, bought].filter(v => v !== undefined)
  if (said.length !== 1)
    throw new QueryError(
      'MISSING_PARAMETER',
      'say how many credits, once: keys credit ID N, or --package P',
      {
        parameter: 'credits',
      },
    )
  if (bought !== undefined)
    return { credits: packages[Number(bought) as keyof typeof packages], reason: `package ${bought}` }
  const number = credits ?? (/^[0-9]+$/.test(word!) ? Number(word) : Number.NaN)
  if (!(number >= 1 && number <= most))
    throw invalid('credits', word ?? credits, `credits must be a whole number between 1 and ${most}`, {
      min: 1,
      max: most,
    })
  return { credits: number, reason: 'added by the operator' }
}

/** The key that an id means, or the start of one, or the start of the key itself. */
async function keyNamed(state: State, word: string): Promise<KeyRecord> {
  const keys = await state.listKeys()
  const found = keys.filter(k => k.keyId === word || k.keyId.startsWith(word) || k.prefix === word)
  if (found.length === 1) return found[0]!
  if (found.length > 1) throw invalid('id', word, `${word} begins ${found.length} ids: write more of it`)
  throw new QueryError('NOT_FOUND', `there is no key ${word}: "tranche keys list" lists them`, { id: word })
}

const shownNew = ({ keyId, key, prefix, email, tier, credits, label }: NewKey) => ({
  id: keyId,
  key,
  prefix,
  email,
  tier,
  credits,
  label,
})

const shown = ({
  keyId,
  prefix,
  email,
  tier,
  label,
  credits,
  createdAt,
  lastUsedAt,
  revokedAt,
}: KeyRecord) => ({
  id: keyId,
  prefix,
  email,
  tier,
  label,
  credits,
  created_at: createdAt,
  last_used_at: lastUsedAt,
  revoked_at: revokedAt,
})
