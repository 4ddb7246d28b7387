import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** What a provider says of the person who signs in, and how it goes wrong. */
export interface Person {
  readonly claims: Readonly<Record<string, unknown>>
  /** Signs with a key that it did not publish. */
  readonly forged?: boolean
}

/** A token of this issuer, signed as its published key says. */
function idToken(claims: object, forged = false): string {
  const head = `${encoded({ alg: 'RS256', kid: 'one', typ: 'JWT' })}.${encoded(claims)}`
  return `${head}.${sign('RSA-SHA256', Buffer.from(head), forged ? other.privateKey : pair.privateKey).toString('base64url')}`
}

/** An OpenID provider on this machine, which signs everybody in at once as the person given. */
export async function openidProvider(t: Test, { clientId, secret }: { clientId: string; secret: string }) {
  const codes = new Map<string, { challenge: string; nonce: string; redirect: string }>()
  const seen = { tokens: 0, discoveries: 0 }
  let person: Person = { claims: {} }
  let issuer = ''
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, issuer)
    const json = (body: object, status = 200) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration') {
      seen.discoveries++
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
      })
    }
    if (url.pathname === '/keys')
      return json({
        keys: [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
      })
    if (url.pathname === '/authorize') {
      const { searchParams: asked } = url
      const redirect = asked.get('redirect_uri')!
      const code = `code-${codes.size}`
      codes.set(code, { challenge: asked.get('code_challenge')!, nonce: asked.get('nonce')!, redirect })
      const back = new URL(redirect)
      back.searchParams.set('code', code)
      back.searchParams.set('state', asked.get('state')!)
      return response.writeHead(302, { Location: back.href }).end()
    }
    seen.tokens++
    let body = ''
    for await (const chunk of request) body += chunk
    const form = new URLSearchParams(body)
    const known = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isClient =
      (form.get('client_id') === clientId && form.get('client_secret') === secret) ||
      request.headers.authorization === `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
    if (!known || proof !== known.challenge || form.get('redirect_uri') !== known.redirect || !isClient)
      return json({ error: 'invalid_grant' }, 400)
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, aud: clientId, sub: 'one', iat: now, exp: now + 300, nonce: known.nonce }
    return json({
      access_token: 'access',
      token_type: 'Bearer',
      id_token: idToken({ ...claims, ...person.claims }, person.forged),
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    seen,
    become(next: Person) {
      person = next
    },
    stop: () => server.close(),
  }
}
