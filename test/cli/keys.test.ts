import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { ensureLake } from '../../engine/lake/lake.ts'
import { openState } from '../../server/state/open.ts'
import { testFolder } from '../folder.ts'
import { resident } from './resident.ts'

const { tranche } = await resident(t)

t.test('a key is created, listed, regenerated, credited and revoked', async t => {
  const folder = testFolder(t)
  const { root } = await ensureLake(join(folder, 'lake'))
  const keys = (...args: string[]) => tranche(['keys', ...args, '--lake', root])
  const create = ['create', '--email', 'Ana@Fund.example', '--label', 'desk', '--credits', '7', '--json']
  const created = await keys(...create, '--tier', 'payg')
  t.match(created.err, /shown only once/)
  const made = JSON.parse(created.out)
  const { id, key, prefix } = made
  t.strictSame(made, {
    id,
    key,
    prefix,
    email: 'ana@fund.example',
    tier: 'pay_as_you_go',
    credits: 7,
    label: 'desk',
  })
  t.match(key, /^tr_[0-9a-f]{32}$/)
  t.equal((await stat(join(root, 'state.db'))).mode & 0o777, 0o600)

  const listed = await keys('list', '--json')
  t.notOk(listed.out.includes(key), 'a key is never listed')
  t.match(JSON.parse(listed.out), {
    data: [{ id, prefix, credits: 7, revoked_at: null }],
    meta: { total: 1 },
  })

  const state = await openState(join(root, 'state.db'))
  t.teardown(() => state.close())
  const replaced = JSON.parse((await keys('regenerate', id.slice(0, 8), '--json')).out)
  t.match(replaced, { id, email: 'ana@fund.example', credits: 7, label: 'desk' })
  t.equal(await state.authenticate(key), null)
  t.equal((await state.authenticate(replaced.key))?.keyId, id)

  t.match(JSON.parse((await keys('credit', replaced.prefix, '--package', '25')).out), {
    added: 500,
    credits: 507,
  })
  t.match(JSON.parse((await keys('credit', id, '3')).out), { id, added: 3, credits: 510, purchased: 510 })
  const refused = await keys('credit', id, '0')
  t.match(refused, { code: 2, err: /whole number between 1 and/ })

  t.match(JSON.parse((await keys('revoke', id)).out), { id, revoked_at: /^20/ })
  t.equal(await state.authenticate(replaced.key), null)
  t.match(await keys('regenerate', id), { code: 2, err: /is revoked/ })
})

t.test('mistakes are reported before anything is created', async t => {
  const folder = testFolder(t)
  const state = ['--state', join(folder, 'state.db')]
  const all: [string[], number, RegExp][] = [
    [['create', '--tier', 'pro'], 2, /email is required/],
    [['create', '--email', 'a@b.example'], 2, /tier is required/],
    [['create', '--email', 'a@b.example', '--tier', 'gold'], 2, /payg, pay_as_you_go, pro, business/],
    [['credit', 'x'], 2, /give the credits once/],
    [['regenerate'], 2, /give a key/],
    [['list', '--tier', 'pro'], 2, /tier is not an option of "keys list"/],
    [['liste'], 2, /did you mean list/],
    [['list'], 3, /no state store/],
  ]
  const ended = await Promise.all(all.map(([args]) => tranche(['keys', ...args, ...state])))
  for (const [i, [args, code, err]] of all.entries())
    t.match(ended[i], { code, out: '', err }, args.join(' '))
  const lost = await tranche(['keys', 'list', '--lake', join(folder, 'nowhere')])
  t.match(lost, { code: 3, err: /no lake at/ })
})
