import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readCorrections } from '../../engine/ingest/read-corrections.ts'
import { takeLock } from '../../engine/lake/lock.ts'
import { build } from '../../engine/snapshot/build.ts'
import type { Log } from '../../server/log/log.ts'
import { openState } from '../../server/state/open.ts'
import { builtLake } from '../built-lake.ts'
import { testFolder } from '../folder.ts'
import { twoIssuers } from '../make-lake.ts'
import { signedUp } from './browser.ts'
import { start } from './start.ts'

const folder = testFolder(t)
let stores = 0

const rows = {
  ...twoIssuers,
  covenants: [
    {
      id: 'a',
      ticker: 'ALFA',
      covenant_type: 'financial',
      covenant_name: 'Maximum Total Leverage Ratio',
      test_metric: 'leverage_ratio',
      threshold_type: 'maximum',
      threshold_value: 4.5,
      source: 'a.html',
      source_document_date: '2024-02-01',
      known_from: '2024-02-01',
    },
  ],
  collateral: [
    {
      id: 'k',
      ticker: 'ALFA',
      type: 'cash',
      description: 'A heading',
      source: 'k.html',
      known_from: '2024-02-01',
    },
  ],
  entities: [{ id: 'e', ticker: 'ALFA', name: 'Alfa Holdings LLC', known_from: '2024-02-01' }],
}

async function startWith(t: Test) {
  const lake = await builtLake(t.teardown, rows)
  const state = await openState(join(folder, `${stores++}.db`))
  t.teardown(() => state.close())
  const logged: object[] = []
  const note = (about: object) => void logged.push(about)
  const log = { info: note, warn: note, error: note } as unknown as Log
  const running = await start(t, { lake, state, accounts: state, log })
  const signUp = async (email: string, role: 'user' | 'admin') =>
    signedUp(running.url, (await state.createAccount({ email, tier: 'business', role })).token)
  const root = await signUp('root@fund.example', 'admin')
  const correct = (body: object) => root.send('POST', '/admin/corrections', body)
  return { ...running, logged, root, correct, signUp }
}

const level = { action: 'set', table: 'covenants', id: 'a', field: 'threshold_value', because: 'Section 6.1' }

t.test(
  'an administrator corrects a fact, which waits for the build, wins, shows and is taken back',
  async t => {
    const { root, correct, lake, engine, logged } = await startWith(t)
    t.match(await root.get('/admin/corrections'), {
      body: { data: [], meta: { total: 0, writable: true, pending: 0 } },
    })
    t.match(await correct({ ...level, value: '4.25' }), {
      status: 201,
      body: { data: { kept: 1, from: '2025-06-02' } },
    })
    t.match(
      await correct({
        action: 'drop',
        table: 'collateral',
        id: 'k',
        because: 'a heading',
        from: '2024-05-01',
      }),
      {
        status: 201,
      },
    )
    t.match(
      logged.filter(entry => 'audit' in entry && entry.audit === 'fact corrected'),
      [
        { email: 'root@fund.example', table: 'covenants', id: 'a', field: 'threshold_value' },
        { action: 'drop', table: 'collateral', id: 'k' },
      ],
    )
    const waiting = (await root.get('/admin/corrections')).body
    t.match(waiting, {
      data: [
        { corrects: 'collateral', row_id: 'k', action: 'drop', made_on: '2024-05-01', is_pending: true },
        {
          corrects: 'covenants',
          row_id: 'a',
          value: '4.25',
          made_by: 'root@fund.example',
          reason: 'Section 6.1',
        },
      ],
      meta: { total: 2, pending: 2 },
    })
    t.ok(waiting.meta.fields.covenants.some(({ name }: { name: string }) => name === 'threshold_value'))
    await build(lake)
    await engine.refresh()
    const covenant = async () =>
      (await engine.call('search.covenants', { ticker: 'ALFA', explain: true })).data[0] as unknown as Record<
        string,
        unknown
      >
    t.match(await covenant(), {
      threshold_value: 4.25,
      _explain: { corrections: [{ by: 'root@fund.example', because: 'Section 6.1', was: 4.5 }] },
    })
    t.strictSame((await engine.call('search.collateral', { ticker: 'ALFA' })).data, [])
    t.match((await root.get('/admin/corrections')).body, {
      data: [{ is_pending: false }, {}],
      meta: { pending: 0 },
    })
    t.match(await correct({ ...level, action: 'remove', because: 'it does say 4.50' }), { status: 201 })
    t.match((await root.get('/admin/corrections')).body, { meta: { total: 1, pending: 1 } })
    await build(lake)
    await engine.refresh()
    t.match(await covenant(), { threshold_value: 4.5 })
  },
)

t.test('what cannot be corrected is refused with what to do, and nothing is kept', async t => {
  const { correct, lake } = await startWith(t)
  const refusals: readonly (readonly [object, number, RegExp])[] = [
    [
      { ...level, value: 'four' },
      400,
      /nothing is corrected: covenants.threshold_value must be a number, .*, or nothing for not known/,
    ],
    [{ ...level, field: 'id', value: 'x' }, 400, /field must be one of instrument_name/],
    [{ ...level, field: undefined, value: '4' }, 400, /which field is set/],
    [{ ...level, because: '', value: '4' }, 400, /because/],
    [{ ...level, id: 'zz', value: '4' }, 404, /no row with id zz: its sources show the id/],
    [{ ...level, table: 'bonds', value: '4' }, 400, /table/],
    [{ ...level, from: '2024-13-01', value: '4' }, 400, /from/],
    [
      { action: 'drop', table: 'entities', id: 'e', because: 'x' },
      400,
      /drop takes no field, and a row of covenants/,
    ],
    [{ action: 'remove', table: 'covenants', id: 'a', because: 'x' }, 404, /no correction of covenants a/],
  ]
  for (const [body, status, message] of refusals)
    t.match(await correct(body), { status, body: { error: { message } } }, JSON.stringify(body))
  const release = await takeLock(lake, 'build')
  t.match(await correct({ ...level, value: '4' }), { status: 503, body: { error: { code: 'OVERLOADED' } } })
  release()
  t.strictSame(await readCorrections(lake), [])
})

t.test('only administrators correct', async t => {
  const { signUp, ask } = await startWith(t)
  const ana = await signUp('ana@fund.example', 'user')
  t.equal((await ana.get('/admin/corrections')).status, 403)
  t.equal((await ana.send('POST', '/admin/corrections', { ...level, value: '4' })).status, 403)
  t.equal((await ask('/admin/corrections')).status, 401, 'a key does not reach it')
})
