import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { tranche } from '../../cli/run-cli.ts'
import { testFolder } from '../../folder.ts'
import { FakeTrino } from './fake-trino.ts'

t.setTimeout(300_000)

function isOpensslHere(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const skip = isOpensslHere() ? false : 'openssl, which makes the certificate, is not installed here'

t.test('a password goes over TLS, to a server whose certificate is trusted alone', { skip }, async t => {
  const folder = testFolder(t)
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject]
  execFileSync('openssl', [...made, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const reply = () => ({ columns: [{ name: 'n', type: 'bigint' }], pages: [[[7]]] })
  const server = await FakeTrino.start(reply, { cert: await readFile(cert), key: await readFile(key) })
  t.teardown(() => server.close())
  const ask = (host: string, env: NodeJS.ProcessEnv = {}) =>
    tranche(
      ['sql', '--remote', `trino+https://reader:sesame@${host}:${server.port}/debt/lake`, 'SELECT 7 AS n'],
      '',
      {
        TRANCHE_LAKE: join(folder, 'none'),
        ...env,
      },
    )

  const refused = await ask('localhost')
  t.match(refused, {
    code: 5,
    err: /cannot be reached \(DEPTH_ZERO_SELF_SIGNED_CERT\): trust its authority in NODE_EXTRA_CA_CERTS/,
  })
  t.strictSame(server.asked, [], 'an unknown certificate gets no request, and no password')

  const env = { NODE_EXTRA_CA_CERTS: cert }
  const answered = await ask('localhost', env)
  t.match(answered, { code: 0, err: '' })
  t.match(answered.out, /"n":7/)
  t.match(server.statements, ['START TRANSACTION READ ONLY', 'SELECT 7 AS n', 'ROLLBACK'])
  const authorization = `Basic ${Buffer.from('reader:sesame').toString('base64')}`
  t.ok(server.asked.every(({ headers }) => headers.authorization === authorization))

  const asked = server.asked.length
  const elsewhere = await ask('127.0.0.1', env)
  t.match(elsewhere, { code: 5, err: /cannot be reached/ })
  t.equal(server.asked.length, asked, 'a certificate of another name gets no request either')
  for (const { out, err } of [refused, answered, elsewhere]) t.notMatch(`${out}${err}`, /sesame/)
})
