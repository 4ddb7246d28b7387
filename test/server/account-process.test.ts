import t from 'tap'
import { builtLake } from '../built-lake.ts'
import { twoIssuers } from '../make-lake.ts'
import { browser, PASSWORD, signedUp } from './browser.ts'
import { serving, stateOf } from './serving.ts'
import { ask } from './start.ts'

const lake = await builtLake(t.teardown, twoIssuers)

t.test('a change through one worker is known to all at once', async t => {
  const state = await stateOf(t, lake.root)
  const { token } = await state.createAccount({ email: 'ana@fund.example', tier: 'pro' })
  const server = await serving(t, ['--lake', lake.root, '--workers', '2', '--log-level', 'info'])
  const { url } = server
  // Connections go to workers in turn: four requests reach both workers twice.
  const everywhere = async (key: string) =>
    (await Promise.all([1, 2, 3, 4].map(() => ask(url, '/v1/auth/me', { key })))).map(a => a.status)

  const ana = await signedUp(url, token)
  const { id, key } = (await ana.send('POST', '/account/keys', { label: 'desk' })).body.data
  t.strictSame(await everywhere(key), [200, 200, 200, 200])
  const thief = await ask(url, `/account/keys/${id}/regenerate`, { method: 'POST', key })
  t.equal(thief.status, 401)
  const next = (await ana.send('POST', `/account/keys/${id}/regenerate`)).body.data.key
  t.strictSame(await everywhere(key), [401, 401, 401, 401])
  t.strictSame(await everywhere(next), [200, 200, 200, 200])
  const asked = await Promise.all([1, 2, 3, 4].map(() => ana.get('/v1/bonds')))
  t.ok(asked.every(answer => answer.status === 200))

  const guesses = await Promise.all(
    Array.from({ length: 8 }, () =>
      browser(url).send('POST', '/session', { email: 'ana@fund.example', password: 'wrong wrong wrong' }),
    ),
  )
  t.equal(guesses.filter(answer => answer.status === 401).length, 5, 'the same count in every worker')
  await ana.send('DELETE', '/session')
  const after = await Promise.all([1, 2, 3, 4].map(() => ana.get('/v1/bonds')))
  t.ok(after.every(answer => answer.status === 401))

  await server.stop()
  const log = server.err()
  for (const event of ['password set', 'key created', 'key regenerated', 'sign-in locked', 'signed out'])
    t.ok(log.includes(`"audit":"${event}"`), event)
  for (const secret of [key, next, PASSWORD, 'wrong wrong', token, ana.cookie, ana.csrf])
    t.notOk(log.includes(secret), 'no secret in the log')
})
