import { QueryError } from '../engine/base/errors.ts'
import { append } from '../engine/base/lists.ts'
import { nullable, oneOf, text, timestamp } from '../engine/schema/column.ts'
import { one } from '../engine/schema/params.ts'
import { linkTo } from '../server/account/link.ts'
import { parsePublicUrl } from '../server/http/public-url.ts'
import { namedTiers, tierNamed } from '../server/limits/tiers.ts'
import {
  type AccountRecord,
  type Accounts,
  type AuditEntry,
  auditActions,
  type Invitation,
  roles,
} from '../server/state/accounts.ts'
import { readAction, requireOption } from './actions.ts'
import { command, lakeFolder, lakeParams, stateParams } from './command.ts'
import { openNamedState } from './open-state.ts'
import { operator } from './operator.ts'
import {
  type Choice,
  chooseOutput,
  notice,
  onTerminal,
  outputLetters,
  outputParams,
  writeList,
  writeObject,
} from './output.ts'

const columns = {
  email: text('Who signs in.'),
  owner: text('Owner of the account.'),
  role: oneOf(roles, 'What they may see.'),
  tier: text('Tier of the keys they create.'),
  password: oneOf(['set', 'link', 'none'], 'Whether it is set, or a link to set it is pending.'),
  created_at: timestamp('When it was created.'),
  signed_in_at: nullable(timestamp('When they last signed in.')),
  disabled_at: nullable(timestamp('When it was disabled; missing if it is enabled.')),
}

const actions = {
  create: { words: 0, options: ['email', 'role', 'tier', 'account', 'url'] },
  list: { words: 0, options: [] },
  change: { words: 1, options: ['role', 'tier'] },
  reset: { words: 1, options: ['url'] },
  disable: { words: 1, options: [] },
  enable: { words: 1, options: [] },
  log: { words: 1, options: [] },
} as const

export const accountsCommand = command({
  word: 'accounts',
  words: '[create | list | change EMAIL | reset EMAIL | disable EMAIL | enable EMAIL | log [EMAIL | KEY]]',
  firstWords: Object.keys(actions),
  params: {
    email: one(text('create: who it is for.')),
    role: one(oneOf(roles, 'create, change: admin sees all accounts and coverage requests.')),
    tier: one(oneOf(namedTiers, 'create, change: tier of the keys they create.')),
    account: one(text('create: email of the owner of a business account, in which they get a seat.')),
    url: one(
      text(
        'create, reset: public address of the server; default TRANCHE_PUBLIC_URL, else http://127.0.0.1:8787.',
      ),
    ),
    ...stateParams,
    ...outputParams,
    ...lakeParams,
  },
  letters: outputLetters,
  notes:
    'create    creates an account and prints a link to set the password, shown once\n' +
    'list      lists the accounts\n' +
    'change    changes role or tier; existing keys keep theirs\n' +
    'reset     prints a new link; the password and all sessions stop working at once\n' +
    'disable   ends all sessions and blocks sign-in; keys stay active: "tranche keys revoke" ends them\n' +
    'enable    allows sign-in again\n' +
    'log       lists who changed accounts, keys and credits, newest first: all, or those of an email or a key id\n' +
    'A link works once, for three days.',
  examples: [
    'create --email ana@fund.example --tier business --url https://debt.example.com',
    'create --email root@desk.example --role admin',
    'reset ana@fund.example',
    'list',
    'log ana@fund.example',
  ],
  async run(args, { words: [said = 'list', ...words] }) {
    const { lake, state: named, email, role, tier, account, url, format, output, csv_safe, no_pager } = args
    const action = readAction('accounts', actions, said, words, { email, role, tier, account, url })
    const choice = chooseOutput(
      { ...(format && { format }), ...(output && { output }), ...(csv_safe && { csv_safe }), no_pager },
      onTerminal(),
    )
    // TRANCHE_URL is the variable's former name.
    const configured = process.env['TRANCHE_PUBLIC_URL'] || process.env['TRANCHE_URL']
    const origin = parsePublicUrl(url ?? (configured || 'http://127.0.0.1:8787'), 'url')
    const who =
      action === 'create'
        ? requireOption('email', email, 'accounts create --email E')
        : action === 'list' || action === 'log'
          ? ''
          : requireOption('email', words[0], `accounts ${action} EMAIL`)
    if (action === 'change' && !role && !tier)
      throw new QueryError('MISSING_PARAMETER', 'give --role or --tier', {
        parameter: 'role',
      })
    const state = await openNamedState(named, lakeFolder(lake), action === 'create')
    const show = (row: object) => writeObject({ ...row }, { ...row }, choice, columns)
    const invite = async (made: Invitation) => {
      await show({ ...shown(made), link: linkTo(origin, made.token), link_until: made.linkUntil })
      notice('the link is shown only once: send it over a private channel')
      if (made.disabledAt !== null) notice(`the account is disabled: "tranche accounts enable ${made.email}"`)
    }
    const wanted = { role, tier: tier && tierNamed(tier) }
    const by = operator()
    try {
      if (action === 'create')
        await invite(await state.createAccount({ ...wanted, email: who, owner: account, by }))
      else if (action === 'reset') await invite(await state.resetAccount(who, by))
      else if (action === 'change') await show(shown(await state.changeAccount(who, wanted, by)))
      else if (action === 'log') await showLog(state, words[0], choice)
      else if (action !== 'list') await show(shown(await state.enableAccount(who, action === 'enable', by)))
      else {
        const { rows } = await state.accounts()
        await writeList(columns, rows.map(shown), choice)
        if (rows.length === 0) notice('no accounts yet: create one with "tranche accounts create --email E"')
      }
    } finally {
      await state.close()
    }
    return undefined
  },
})

const logColumns = {
  at: timestamp('When.'),
  who: text('Who made the change: an email, `name@machine` of a command, or `program`.'),
  action: oneOf(auditActions, 'What was done.'),
  subject: text('The email or key id that was changed.'),
  details: text('The new values, as JSON.'),
  address: nullable(text('Where the request came from.')),
  request_id: nullable(text('The request, as in the log of the server.')),
}

/** Entries read at a time. */
const PART = 500

async function showLog(state: Accounts, word: string | undefined, choice: Choice): Promise<void> {
  const filter = word?.includes('@') ? { subject: word.toLowerCase() } : {}
  const entries: AuditEntry[] = []
  for (;;) {
    const { rows, total } = await state.auditLog(filter, { limit: PART, offset: entries.length })
    append(entries, rows)
    if (rows.length === 0 || entries.length >= total) break
  }
  // A key may be named by the start of its id.
  const shown = entries.filter(({ subject }) => subject.startsWith(filter.subject ?? word ?? ''))
  await writeList(
    logColumns,
    shown.map(({ at, who, action, subject, details, address, requestId }) => ({
      at,
      who,
      action,
      subject,
      details: JSON.stringify(details),
      address,
      request_id: requestId,
    })),
    choice,
  )
  if (shown.length === 0) notice(word ? `no changes of ${word}` : 'no changes yet')
}

const shown = (row: AccountRecord) => ({
  email: row.email,
  owner: row.owner,
  role: row.role,
  tier: row.tier,
  password: row.hasPassword ? 'set' : row.linkUntil ? 'link' : 'none',
  created_at: row.createdAt,
  signed_in_at: row.signedInAt,
  disabled_at: row.disabledAt,
})
