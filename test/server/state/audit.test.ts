import { auditActions } from '../../../server/state/accounts.ts'
import { onBoth } from './both-stores.ts'

const by = { who: 'root@desk.example', address: '192.0.2.7', requestId: 'req-1' }
const visitor = { address: '192.0.2.9', agent: null }
const password = 'correct horse battery staple'

await onBoth('every change of accounts, keys and credits is in the audit log', async (t, { open }) => {
  const state = await open()
  const secrets: string[] = [password]
  const { token } = await state.createAccount({ email: 'Ana@Fund.example', tier: 'business', by })
  await state.acceptLink({ token, password }, visitor)
  const seat = await state.createAccount({ email: 'bo@fund.example', owner: 'ana@fund.example', by })
  const made = await state.createKey({
    email: 'ana@fund.example',
    tier: 'pay_as_you_go',
    label: 'desk',
    credits: 5,
    by,
  })
  await state.labelKey(made.keyId, 'night', by)
  const again = await state.regenerateKey(made.keyId, by)
  await state.creditKey(made.keyId, 200, 'package 10', by)
  await state.revokeKey(made.keyId, by)
  await state.changeAccount('ana@fund.example', { role: 'admin' }, by)
  await state.removeSeat(seat.accountId, 'bo@fund.example', by)
  await state.enableAccount('ana@fund.example', false, by)
  await state.enableAccount('ana@fund.example', true)
  const reset = await state.resetAccount('ana@fund.example', by)
  secrets.push(token, seat.token, made.key, again.key, reset.token)

  const { rows, total } = await state.auditLog()
  t.equal(total, 13)
  t.strictSame(
    rows.map(({ action, subject }) => `${action} ${subject === made.keyId ? 'KEY' : subject}`).reverse(),
    [
      'account created ana@fund.example',
      'password set ana@fund.example',
      'account created bo@fund.example',
      'key created KEY',
      'key labelled KEY',
      'key regenerated KEY',
      'credits added KEY',
      'key revoked KEY',
      'account changed ana@fund.example',
      'seat removed bo@fund.example',
      'account disabled ana@fund.example',
      'account enabled ana@fund.example',
      'account reset ana@fund.example',
    ],
  )
  t.strictSame(new Set(rows.map(row => row.action)), new Set(auditActions), 'each kind of change')
  t.match(rows.at(-1), {
    who: by.who,
    address: by.address,
    requestId: by.requestId,
    details: { tier: 'business' },
  })
  t.match(rows.at(-2), { who: 'ana@fund.example', address: visitor.address, details: { by: 'link' } })
  t.match(rows[1], { who: 'program', address: null, requestId: null })
  for (const secret of secrets) t.notOk(JSON.stringify(rows).includes(secret))

  t.equal((await state.auditLog({ subject: made.keyId })).total, 5)
  t.equal((await state.auditLog({ who: 'program' })).total, 1)
  const part = await state.auditLog({}, { limit: 1, offset: 1 })
  t.match(part, { total, rows: [{ action: 'account enabled' }] })
})

await onBoth('a change that fails leaves no entry', async (t, { open }) => {
  const state = await open()
  const { keyId } = await state.createKey({ email: 'ana@fund.example', tier: 'pro', by })
  await state.revokeKey(keyId, by)
  const { total } = await state.auditLog()
  await t.rejects(state.regenerateKey(keyId, by))
  await t.rejects(state.creditKey(keyId, 10, 'late', by))
  await t.rejects(state.changeAccount('nobody@fund.example', { role: 'admin' }, by))
  await t.rejects(state.removeSeat('none', 'nobody@fund.example', by))
  await state.revokeKey(keyId, by)
  t.equal((await state.auditLog()).total, total, 'a key is revoked once')
})
