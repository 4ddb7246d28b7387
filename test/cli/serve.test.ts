import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { firstCommands } from '../../cli/serve.ts'
import { builtLake } from '../built-lake.ts'
import { testFolder } from '../folder.ts'
import { twoIssuers } from '../make-lake.ts'
import { openSample } from '../sample-engine.ts'
import { serving, until } from '../server/serving.ts'
import { ask } from '../server/start.ts'
import { tranche } from './run-cli.ts'

t.test('a demo prints its address and a key valid until the next demo', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const server = await serving(t, ['--demo', '--lake', lake.root])
  t.equal(server.out(), `listening on ${server.url}\n`, 'one line on stdout')
  // stderr may arrive after stdout.
  const [key] = await until(() => /tr_[0-9a-f]{32}(?=.*stops it)/s.exec(server.err()))
  t.match(server.err(), `curl -H 'X-API-Key: ${key}' '${server.url}/v1/companies`)
  t.match(server.err(), `${server.url}/docs`)
  t.match(
    server.err(),
    `  tranche companies --min-leverage 4 --sort -leverage_ratio --limit 5 --lake ${lake.root}\n`,
  )
  t.match((await ask(server.url, '/v1/companies', { key })).body.meta, { total: 2 })
  t.match((await ask(server.url, '/docs', {})).headers, { 'content-type': /^text\/html/ })
  t.match((await ask(server.url, '/v1/openapi.json', {})).body, { openapi: /^3\.1/ })
  t.equal((await ask(server.url, '/v1/sql', { key, body: { sql: 'SELECT 1' } })).status, 404, 'SQL is off')
  t.strictSame(await server.stop('SIGINT'), { code: 130, signal: null })

  const next = await serving(t, ['--demo', '--lake', lake.root])
  const [anew] = await until(() => /tr_[0-9a-f]{32}/.exec(next.err()))
  t.equal((await ask(next.url, '/v1/companies', { key })).status, 401)
  t.equal((await ask(next.url, '/v1/companies', { key: anew! })).status, 200)
  t.strictSame(await next.stop(), { code: 0, signal: null })
  const { out } = await tranche(['keys', 'list', '--lake', lake.root])
  t.equal(out.trim().split('\n').length, 1)
})

t.test('what a demo says to try runs, and finds something in the sample', async t => {
  const opened = (await openSample(t)).lake
  const lake = typeof opened === 'string' ? opened : opened.root
  for (const line of firstCommands) {
    const { code, out, err } = await tranche([...words(line), '--lake', lake])
    t.equal(code, 0, `${line} ${err}`)
    t.ok(out.trim().split('\n').length >= 3, line)
  }
})

const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

t.test('a server that cannot start says why in one sentence, with its own exit code', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const other = createServer()
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  t.teardown(() => other.close())
  const taken = String((other.address() as AddressInfo).port)
  const folder = testFolder(t)
  await writeFile(join(folder, 'notes.txt'), 'not a database, and longer than the header of one is'.repeat(3))
  const lakes = ['--lake', lake.root]
  const cases: [args: string[], code: number, says: RegExp][] = [
    [
      ['--lake', join(folder, 'nowhere'), '--port', '0'],
      3,
      /no lake at .*: no such folder\. Create one with/,
    ],
    [[...lakes, '--port', taken], 2, /cannot listen on 127\.0\.0\.1:\d+: the port is in use/],
    [[...lakes, '--port', '0', '--host', '192.0.2.1'], 2, /no such address: choose another with --host/],
    [[...lakes, '--port', '65536'], 2, /--port/],
    [[...lakes, '--port', '0', '--demo', '--host', '0.0.0.0'], 2, /a demo listens on this machine only/],
    [[...lakes, '--port', '0', '--demo', '--host', '127.0.0.1.example'], 2, /a demo listens on this machine/],
    [[...lakes, '--port', '0', '--tls-cert', join(folder, 'notes.txt')], 2, /TLS needs both/],
    [
      [...lakes, '--port', '0', '--tls-cert', join(folder, 'none'), '--tls-key', join(folder, 'none')],
      2,
      /--tls-cert cannot be read/,
    ],
    [
      [
        ...lakes,
        '--port',
        '0',
        '--tls-cert',
        join(folder, 'notes.txt'),
        '--tls-key',
        join(folder, 'notes.txt'),
      ],
      2,
      /--tls-cert and --tls-key do not work together/,
    ],
    [[...lakes, '--port', '0', '--state', join(folder, 'none', 's.db')], 5, /no such folder/],
    [[...lakes, '--port', '0', '--state', join(folder, 'notes.txt')], 4, /is not a SQLite database/],
    [
      [...lakes, '--port', '0', '--state', 'postgres://nobody@127.0.0.1:1/none'],
      5,
      /PostgreSQL at 127\.0\.0\.1/,
    ],
  ]
  const ended = await Promise.all(cases.map(([args]) => tranche(['serve', ...args])))
  for (const [i, [args, code, says]] of cases.entries()) {
    t.equal(ended[i]!.code, code, args.slice(2).join(' '))
    t.match(ended[i]!.err, says)
    t.equal(ended[i]!.out, '')
    t.equal(ended[i]!.err.trim().split('\n').length, 1, ended[i]!.err)
  }
})

t.test('a demo does not change a lake with other rows', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  await rm(join(lake.root, 'CURRENT'))
  const { code, err } = await tranche(['serve', '--demo', '--port', '0', '--lake', lake.root])
  t.equal(code, 2)
  t.match(err, /has other rows, which the sample would mix with/)
})
