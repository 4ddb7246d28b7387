import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import t, { type Test } from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { builtLake } from '../built-lake.ts'
import { addRows, makeLake, twoIssuers } from '../make-lake.ts'
import { plainProcess } from '../plain-process.ts'
import { connected, examples, overHttp } from '../server/mcp/clients.ts'
import { start } from '../server/start.ts'
import { start as run } from './run-cli.ts'

const program = fileURLToPath(new URL(`../../cli/main${extname(import.meta.url)}`, import.meta.url))

async function overStdio(t: Test, args: readonly string[]) {
  const [command, words] = plainProcess(import.meta.url, program, ['mcp', ...args])
  const transport = new StdioClientTransport({ command, args: words, stderr: 'pipe' })
  let said = ''
  transport.stderr!.on('data', chunk => {
    said += chunk
  })
  return { ...(await connected(t, transport)), said: () => said }
}

t.test('the program answers every tool like the server', async t => {
  const server = await start(t)
  const [{ call, client, said }, http] = await Promise.all([
    overStdio(t, ['--lake', server.lake.root, '--enable-sql']),
    overHttp(t, server.url, { 'X-API-Key': server.keys.business }),
  ])
  const { tools } = await client.listTools()
  t.strictSame(
    tools.map(tool => tool.name),
    examples.map(e => e.name),
  )
  for (const { name, args } of examples) {
    const mine = await call(name, args)
    t.notOk(mine.isError, `${name}: ${mine.text}`)
    if (name !== 'sql') t.strictSame(mine, await http.call(name, args), name)
    else
      t.strictSame(mine.body.data.map((row: { sector: string }) => row.sector).sort(), [
        'Energy',
        'Technology',
      ])
  }
  t.equal(said(), '')
})

t.test('it starts without a lake, reports that, and uses the lake once it exists', async t => {
  const lake = await makeLake(t.teardown, twoIssuers)
  const { call, client } = await overStdio(t, ['--lake', join(lake.root, 'none')])
  const { tools } = await client.listTools()
  t.notOk(
    tools.some(tool => tool.name === 'sql'),
    'SQL is not offered unless it is asked for',
  )
  t.match(await call('search_companies'), { isError: true, text: /NOT_FOUND: .*no lake/ })
  await t.rejects(client.readResource({ uri: 'tranche://snapshot' }), /no lake/)
  t.match(await client.readResource({ uri: 'tranche://schema/bonds' }), {
    contents: [{ text: /maturity_date/ }],
  })

  const unbuilt = await overStdio(t, ['--lake', lake.root])
  t.match(await unbuilt.call('search_companies'), { isError: true, text: /NOT_READY: .*tranche build/ })
  await build(lake)
  t.equal((await unbuilt.call('search_companies')).body.meta.total, 2)
})

t.test('it follows new snapshots, and reports damage', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const { call } = await overStdio(t, ['--lake', lake.root])
  t.equal((await call('search_companies')).body.meta.total, 2)
  await addRows(lake, { companies: [{ ticker: 'GAMA', name: 'Gama Corp', cik: '0000000003' }] })
  await build(lake)
  const { body } = await call('search_companies')
  t.equal(body.meta.total, 3)
  const engine = await open(lake)
  t.equal(body.meta.snapshot, engine.snapshot)
  engine.close()
  await rm(join(lake.root, 'snapshots', body.meta.snapshot, 'covenants.parquet'))
  t.match(await call('search_covenants'), { isError: true, text: /DATA_DAMAGED.*covenants/ })
})

t.test('only the protocol is on standard output, and the program ends with its input', async t => {
  const lake = await builtLake(t.teardown, twoIssuers)
  const child = run(['mcp', '--lake', lake.root])
  let out = ''
  child.stdout!.on('data', chunk => {
    out += chunk
  })
  const message = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '0' } }
  child.stdin!.write(message(1, 'initialize', hello))
  child.stdin!.write(message(2, 'tools/call', { name: 'search_bonds', arguments: {} }))
  child.stdin!.write('this is no message\n')
  while (!out.includes('"id":2')) await once(child.stdout!, 'data')
  child.stdin!.end()
  const [code] = await once(child, 'close')
  t.equal(code, 0)
  for (const line of out.trimEnd().split('\n')) t.equal(JSON.parse(line).jsonrpc, '2.0')
})
