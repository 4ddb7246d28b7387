import { invalid, QueryError } from '../engine/base/errors.ts'
import { boolean, integer, nullable, oneOf, text, timestamp } from '../engine/schema/column.ts'
import { fallback, one } from '../engine/schema/params.ts'
import { namedTiers, packages, tierNamed } from '../server/limits/tiers.ts'
import type { KeyRecord, NewKey, State } from '../server/state/state.ts'
import { readAction, requireOption } from './actions.ts'
import { command, lakeFolder, lakeParams, stateParams } from './command.ts'
import { openNamedState } from './open-state.ts'
import { operator } from './operator.ts'
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
  prefix: text('Start of the key.'),
  email: text('Whose it is.'),
  tier: text('Tier.'),
  label: nullable(text('Label.')),
  credits: integer('Credits left.'),
  created_at: timestamp('When it was created.'),
  last_used_at: nullable(timestamp('When it was last used.')),
  revoked_at: nullable(timestamp('When it was revoked; missing if it is active.')),
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
    tier: one(oneOf(namedTiers, 'create: rights of the key.')),
    label: one(text('create: what the key is for.'), { length: 200 }),
    credits: one(integer('create: initial credits.'), { min: 0, max: most }),
    account: one(text('create: email of the owner of a business account, in which they get a seat.')),
    package: one(oneOf(Object.keys(packages), 'credit: a prepaid package, by price.')),
    ...stateParams,
    json: fallback(one(boolean('The same as --format json.')), false),
    ...outputParams,
    ...lakeParams,
  },
  letters: outputLetters,
  notes:
    'create       creates a key and shows it once; an email may have several\n' +
    'list         lists the keys by their first characters\n' +
    'regenerate   replaces a key, keeping its id, credits and limits; the old one stops working at once\n' +
    'revoke       revokes a key at once\n' +
    `credit       adds credits; packages: ${Object.entries(packages)
      .map(([money, credits]) => `${money} buys ${credits}`)
      .join(', ')}\n` +
    'Name a key by its id, the start of its id, or the start of the key.',
  examples: [
    'create --email ana@fund.example --tier pro --label desk',
    'create --email bo@fund.example --tier business --account ana@fund.example',
    'list',
    'credit 3f9a --package 25',
    'regenerate 3f9a',
  ],
  async run(args, { words: [said = 'list', ...words] }) {
    const {
      lake,
      state: named,
      json,
      email,
      tier,
      label,
      credits,
      account,
      package: bought,
      ...outputOptions
    } = args
    const options = { email, tier, label, credits, account, package: bought }
    const action = readAction('keys', actions, said, words, options)
    const choice = chooseOutput(json ? { ...outputOptions, format: 'json' } : outputOptions, onTerminal())
    if (actions[action].words > 0 && words.length === 0)
      throw new QueryError(
        'MISSING_PARAMETER',
        `give a key: keys ${action} ID ("tranche keys list" lists them)`,
        { parameter: 'id' },
      )
    const wanted =
      action === 'create'
        ? {
            email: requireOption('email', email, HOW),
            tier: tierNamed(requireOption('tier', tier, HOW)),
            label,
            credits,
            account,
          }
        : null
    const bundle = action === 'credit' ? added(words[1], credits, bought) : null
    const state = await openNamedState(named, lakeFolder(lake), action === 'create')
    const by = operator()
    const show = (row: object) => writeObject({ ...row }, { ...row }, choice, columns)
    try {
      if (wanted) {
        await show(shownNew(await state.createKey({ ...wanted, by })))
        notice('the key is shown only once: store it now')
      } else if (action === 'list') {
        const rows = (await state.listKeys()).map(shown)
        await writeList(columns, rows, choice)
        if (rows.length === 0) notice('no keys yet: create one with "tranche keys create --email E --tier T"')
      } else {
        const { keyId } = await keyNamed(state, words[0]!)
        if (action === 'regenerate') {
          await show(shownNew(await state.regenerateKey(keyId, by)))
          notice('the old key no longer works; the new one is shown only once: store it now')
        } else if (action === 'revoke') await show(shown(await state.revokeKey(keyId, by)))
        else {
          const { remaining, used, purchased } = await state.creditKey(
            keyId,
            bundle!.credits,
            bundle!.reason,
            by,
          )
          await show({ id: keyId, added: bundle!.credits, credits: remaining, used, purchased })
        }
      }
    } finally {
      await state.close()
    }
    return undefined
  },
})

/** The credits to add, and the reason. */
function added(
  word: string | undefined,
  credits: number | undefined,
  bought: string | undefined,
): { credits: number; reason: string } {
  const amounts = [word, credits, bought].filter(v => v !== undefined)
  if (amounts.length !== 1)
    throw new QueryError('MISSING_PARAMETER', 'give the credits once: keys credit ID N, or --package P', {
      parameter: 'credits',
    })
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

/** The key with an id, a prefix of an id, or a prefix of the key itself. */
async function keyNamed(state: State, word: string): Promise<KeyRecord> {
  const keys = await state.listKeys()
  const found = keys.filter(k => k.keyId === word || k.keyId.startsWith(word) || k.prefix === word)
  if (found.length === 1) return found[0]!
  if (found.length > 1)
    throw invalid('id', word, `${found.length} ids begin with ${word}: give more characters`)
  throw new QueryError('NOT_FOUND', `no key ${word}: "tranche keys list" lists them`, { id: word })
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
