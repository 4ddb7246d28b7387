import { join } from 'node:path'
import t from 'tap'
import { openState } from '../../server/state/open.ts'
import { testFolder } from '../folder.ts'
import { resident } from './resident.ts'

const { tranche } = await resident(t)

const visitor = { address: '127.0.0.1', agent: null }
const password = 'correct horse battery staple'

t.test('an account is created, changed, reset and disabled', async t => {
  const location = join(testFolder(t), 'state.db')
  const run = async (...args: string[]) => {
    const { code, out, err } = await tranche(['accounts', ...args, '--format', 'json', '--state', location])
    return { code, err, row: out ? JSON.parse(out) : null }
  }
  const made = await run(
    'create',
    '--email',
    'Ana@Fund.example',
    '--tier',
    'payg',
    '--url',
    'https://debt.example.com',
  )
  t.match(await run('create', '--email', 'ana@fund.example', '--url', 'https://debt.example.com/x'), {
    code: 2,
    err: /--url must be only scheme and host/,
  })
  t.match(made, { code: 0, err: /shown only once/ })
  t.match(made.row, { email: 'ana@fund.example', role: 'user', tier: 'pay_as_you_go', password: 'link' })
  const [origin, token] = made.row.link.split('/#/welcome?token=')
  t.equal(origin, 'https://debt.example.com')

  const state = await openState(location)
  t.teardown(() => state.close())
  t.ok(await state.acceptLink({ token, password }, visitor))
  t.match(await run('create', '--email', 'ana@fund.example'), {
    code: 2,
    err: /accounts reset ana@fund.example/,
  })
  t.match((await run('change', 'ana@fund.example', '--role', 'admin', '--tier', 'business')).row, {
    role: 'admin',
    tier: 'business',
    password: 'set',
  })
  t.match((await run('create', '--email', 'bo@fund.example', '--account', 'ana@fund.example')).row, {
    owner: 'ana@fund.example',
    tier: 'business',
    link: /^http:\/\/127\.0\.0\.1:8787\/#/,
  })
  const listed = await run('list')
  t.match(listed.row, {
    data: [{ email: 'ana@fund.example' }, { email: 'bo@fund.example' }],
    meta: { total: 2 },
  })
  t.notMatch(JSON.stringify(listed.row), /argon2|token/)
  const looked = await tranche(['doctor', '--format', 'json', '--lake', t.testdirName, '--state', location])
  t.match(looked.out, /"check":"accounts","status":"ok","says":"2 may sign in, 0 may not"/)

  const signIn = () => state.signIn({ email: 'ana@fund.example', password }, visitor)
  t.match(await signIn(), { kind: 'in' })
  t.match((await run('disable', 'ana@fund.example')).row, { disabled_at: /^20/ })
  t.match(await signIn(), { kind: 'wrong' })
  t.match((await run('enable', 'ana@fund.example')).row, { disabled_at: null })
  t.match(await signIn(), { kind: 'in' })
  t.match((await run('reset', 'ana@fund.example')).row, { password: 'link' })
  t.match(await signIn(), { kind: 'wrong' }, 'the old password is dead')
  t.strictSame(await state.sessions('ana@fund.example'), [])

  const log = await run('log', 'Ana@fund.example')
  t.match(log.row, {
    data: [
      { action: 'account reset', subject: 'ana@fund.example', who: /^.+@.+/, details: '{}' },
      { action: 'account enabled' },
      { action: 'account disabled' },
      { action: 'account changed', details: '{"role":"admin","tier":"business"}' },
      { action: 'password set', who: 'ana@fund.example', address: visitor.address },
      { action: 'account created' },
    ],
  })
  t.equal((await run('log')).row.meta.total, 7, 'and the seat')
  t.match(await run('log', 'nobody@fund.example'), { err: /no changes of nobody/ })
})

t.test('mistakes are reported before anything is created', async t => {
  const state = ['--state', join(testFolder(t), 'state.db')]
  const all: [string[], number, RegExp][] = [
    [['create'], 2, /email is required: accounts create --email E/],
    [['create', '--email', 'x@y.example', '--url', 'ftp://x'], 2, /--url must be/],
    [['reset'], 2, /email is required: accounts reset EMAIL/],
    [['reset', 'x@y.example', '--tier', 'pro'], 2, /--tier is not an option of "accounts reset"/],
    [['change', 'x@y.example'], 2, /give --role or --tier/],
    [['disabel', 'x@y.example'], 2, /did you mean disable/],
    [['list'], 3, /no state store/],
  ]
  const ended = await Promise.all(all.map(([args]) => tranche(['accounts', ...args, ...state])))
  for (const [i, [args, code, err]] of all.entries())
    t.match(ended[i], { code, out: '', err }, args.join(' '))
})
