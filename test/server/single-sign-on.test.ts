import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Log } from '../../server/log/log.ts'
import { singleSignOn } from '../../server/pages/single-sign-on.ts'
import { openState } from '../../server/state/open.ts'
import { tranche } from '../cli/run-cli.ts'
import { testFolder } from '../folder.ts'
import { openidProvider } from './openid-provider.ts'
import { start } from './start.ts'

t.setTimeout(120_000)

const client = { clientId: 'desk', secret: 'hush' }
const ANA = { email: 'ana@fund.example', email_verified: true }

/** A server whose public address is the one it listens on, with a provider; Ana has an account. */
async function startWith(t: Test, emailClaim = 'email') {
  const provider = await openidProvider(t, client)
  const logged: Record<string, unknown>[] = []
  const note = (about: Record<string, unknown>) => void logged.push(about)
  const log = { info: note, warn: note, error: note } as unknown as Log
  const state = await openState(join(testFolder(t), 'state.db'))
  t.teardown(() => state.close())
  await state.createAccount({ email: 'ana@fund.example', tier: 'pro' })
  // The public address is known only when it listens: a port before that.
  const publicUrl = 'http://debt.example.com'
  const oidc = { ...client, issuer: provider.issuer, name: 'Desk ID', emailClaim, publicUrl }
  const { url } = await start(t, {
    state,
    accounts: state,
    publicUrl,
    singleSignOn: oidc,
    pages: singleSignOn(oidc, { state, log }),
  })
  const ask = (path: string, cookie = '') => fetch(url + path, { redirect: 'manual', headers: { cookie } })
  const cookiesOf = (answer: Response) => answer.headers.getSetCookie()
  const begin = async () => {
    const answer = await ask('/session/provider')
    const [cookie = ''] = cookiesOf(answer)
    return { to: answer.headers.get('location')!, cookie, own: cookie.split(';')[0]! }
  }
  /** Signs in at the provider; where it sends the browser, as a path of this server. */
  const atProvider = async (to: string) => {
    const back = (await fetch(to, { redirect: 'manual' })).headers.get('location')!
    t.ok(back.startsWith(`${publicUrl}/session/provider/callback?`))
    return back.slice(publicUrl.length)
  }
  const signIn = async () => {
    const { to, own } = await begin()
    const answer = await ask(await atProvider(to), own)
    return { answer, location: answer.headers.get('location'), cookies: cookiesOf(answer) }
  }
  return { ...provider, state, logged, ask, begin, atProvider, signIn, publicUrl }
}

t.test('people sign in at a provider, and leave with a session of their own', async t => {
  const { become, ask, begin, signIn, logged, publicUrl } = await startWith(t)
  become({ claims: ANA })
  const anonymous = await ask('/session')
  t.equal(anonymous.status, 401)
  t.match(await anonymous.json(), {
    error: { details: { provider: { name: 'Desk ID', path: '/session/provider' } } },
  })
  const { to, cookie } = await begin()
  t.match(to, /code_challenge_method=S256/)
  t.match(to, /scope=openid\+email/)
  t.match(cookie, /^tranche_sign_in=[\w-]+; Max-Age=600; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/)

  const { answer, location, cookies } = await signIn()
  t.equal(answer.status, 303)
  t.equal(location, `${publicUrl}/`)
  t.match(cookies[0], /^tranche_sign_in=; /, 'used once')
  t.match(cookies[1], /^tranche_session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/)
  const session = await ask('/session', cookies[1]!.split(';')[0])
  t.match(await session.json(), { account: { email: 'ana@fund.example', tier: 'pro' } })
  t.match(logged.at(-1), { audit: 'signed in', by: 'Desk ID', email: 'ana@fund.example' })
  t.notMatch(JSON.stringify(logged), /hush|access|code-/)
})

t.test('whom the provider does not vouch for is not signed in', async t => {
  const { become, signIn, state, logged } = await startWith(t)
  const refused = async (reason: string, claims: object, forged = false) => {
    become({ claims: { ...ANA, ...claims }, forged })
    const { location, cookies } = await signIn()
    t.match(location, `/#/sign-in?refused=${reason}`, JSON.stringify(claims))
    t.notOk(cookies.some(cookie => cookie.startsWith('tranche_session=')))
  }
  await refused('unverified', { email_verified: false })
  await refused('unverified', { email_verified: undefined })
  await refused('unverified', { email: undefined })
  await refused('unknown', { email: 'eve@fund.example' })
  await refused('unknown', { email: 'not an address' })
  await refused('refused', {}, true)
  await refused('refused', { nonce: 'another' })
  await refused('refused', { aud: 'another' })
  await refused('refused', { iss: 'https://login.example.com' })
  await refused('refused', { exp: 1000 })
  await state.enableAccount('ana@fund.example', false)
  await refused('unknown', {})
  t.match(logged.at(-1), { audit: 'sign-in refused', reason: 'unknown', why: 'the account is disabled' })
})

t.test('an answer counts only in the browser that asked, once', async t => {
  const { become, ask, begin, atProvider, seen, stop } = await startWith(t)
  become({ claims: ANA })
  const { to, own } = await begin()
  const back = await atProvider(to)
  const reason = async (cookie: string, path = back) =>
    /refused=(\w+)/.exec((await ask(path, cookie)).headers.get('location')!)?.[1]
  t.equal(await reason(''), 'expired', 'no sign-in was begun here')
  t.equal(await reason('tranche_sign_in=x'), 'expired')
  t.equal(await reason((await begin()).own), 'refused', 'begun in another browser')
  t.equal(seen.tokens, 0, 'the provider is not even asked')
  t.equal(await reason(own), undefined)
  t.equal(await reason(own), 'refused', 'the code was used')
  t.equal(await reason(own, '/session/provider/callback?error=access_denied'), 'refused')
  for (let i = 0; i < 30; i++) await reason(own, '/session/provider/callback?code=x&state=y')
  const { tokens } = seen
  t.equal(await reason((await begin()).own), 'refused', 'too many from one address')
  t.equal(seen.tokens, tokens)
  stop()
})

t.test('a claim chosen by the operator names the account', async t => {
  const { become, signIn, publicUrl } = await startWith(t, 'upn')
  become({ claims: { upn: 'Ana@Fund.example', email: 'other@fund.example' } })
  t.equal((await signIn()).location, `${publicUrl}/`)
})

t.test('a provider that cannot be reached is reported, and asked again', async t => {
  const log = { error() {} } as unknown as Log
  const state = await openState(join(testFolder(t), 'state.db'))
  t.teardown(() => state.close())
  const oidc = {
    ...client,
    issuer: 'http://127.0.0.1:9',
    name: 'Gone',
    emailClaim: 'email',
    publicUrl: 'http://a.example',
  }
  const { url } = await start(t, { state, accounts: state, pages: singleSignOn(oidc, { state, log }) })
  for (const _ of [1, 2]) {
    const answer = await fetch(`${url}/session/provider`, { redirect: 'manual' })
    t.equal(answer.headers.get('location'), 'http://a.example/#/sign-in?refused=unavailable')
  }
})

t.test('the command says what a provider needs', async t => {
  const folder = testFolder(t)
  const refused = async (args: string[], message: RegExp) => {
    const env = { TRANCHE_PUBLIC_URL: '' }
    const { code, err } = await tranche(['serve', '--lake', folder, ...args], '', env)
    t.equal(code, 2, args.join(' '))
    t.match(err, message)
  }
  const issuer = ['--oidc-issuer', 'https://login.example.com']
  await refused(['--oidc-client', 'desk'], /give --oidc-issuer/)
  await refused(
    ['--oidc-issuer', 'http://login.example.com', '--oidc-client', 'x'],
    /must be an https address/,
  )
  await refused(issuer, /give --oidc-client/)
  await refused([...issuer, '--oidc-client', 'desk'], /give --public-url.*\/session\/provider\/callback/)
})
