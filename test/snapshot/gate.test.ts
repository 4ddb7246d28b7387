import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { QueryError } from '../../engine/base/errors.ts'
import { open } from '../../engine/engine.ts'
import type { Lake } from '../../engine/lake/lake.ts'
import { listSnapshots, readCurrent } from '../../engine/lake/snapshot.ts'
import { useSnapshot } from '../../engine/lake/use-snapshot.ts'
import { layout } from '../../engine/schema/resources/layout.ts'
import { build } from '../../engine/snapshot/build.ts'
import { gateLimits, parseGate } from '../../engine/snapshot/gate.ts'
import { oneOf } from '../by-night.ts'
import { tranche } from '../cli/run-cli.ts'
import { addRows, makeLake } from '../make-lake.ts'

const company = (ticker: string) => ({ ticker, name: `${ticker} Corp`, known_from: '2024-01-01' })
const bond = (cusip: string, coupon: number | null) => ({
  cusip,
  bond_id: cusip,
  ticker: 'ALFA',
  name: `ALFA ${coupon ?? '?'}`,
  coupon_rate: coupon,
  known_from: '2024-01-01',
})

const lakeOf = () =>
  makeLake(t.teardown, {
    companies: [company('ALFA')],
    bonds: [bond('000000AA7', 4), bond('000000AB5', 5), bond('000000AC3', 6), bond('000000AD1', 8)],
  })

const rulesOf = (...rules: object[]) => ({ gate: parseGate({ rules }) })

/** The error of a promise that is rejected as it should be. */
async function rejects(t: Test, promise: Promise<unknown>, code: string, message = /./): Promise<QueryError> {
  const error = await promise.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(error instanceof QueryError)) throw error ?? new Error('nothing was thrown')
  t.match(error, { code, message })
  return error
}

/** The broken limits of a build that must not be published. */
async function held(t: Test, lake: Lake, ...rules: object[]) {
  const before = await readCurrent(lake)
  const error = await rejects(t, build(lake, rulesOf(...rules)), 'GATE_FAILED')
  t.equal(await readCurrent(lake), before, 'the current snapshot stays')
  const id = error.details['snapshot'] as string
  t.ok(
    (await listSnapshots(lake)).some(s => s.id === id && !s.current && s.problem === null),
    'what was built is kept',
  )
  return { id, error, broken: error.details['broken'] as { limit: string; found: number; says: string }[] }
}

t.test('a snapshot that fulfils its gate is published', async t => {
  const lake = await lakeOf()
  const said: string[] = []
  const { id } = await build(
    lake,
    rulesOf(
      { table: 'bonds', min_rows: 4, max_rows: 4, max_rows_lost_pct: 0 },
      { table: 'bonds', column: 'coupon_rate', min_present_pct: 100, max_median_shift_pct: 1 },
    ),
    () => {},
    text => said.push(text),
  )
  t.equal(await readCurrent(lake), id)
  t.strictSame(
    said,
    [
      'gate: bonds: max_rows_lost_pct not checked: the current snapshot has nothing to compare with',
      'gate: bonds.coupon_rate: max_median_shift_pct not checked: the current snapshot has nothing to compare with',
    ],
    'what could not be compared is said',
  )
})

t.test('each limit holds up a snapshot that breaks it, with what was found', async t => {
  const lake = await lakeOf()
  await build(lake)
  await addRows(lake, {
    bonds: [bond('000000AE9', null), bond('000000AF6', null), bond('000000AG4', 12), bond('000000AH2', 12)],
  })
  const cases: [rule: object, found: number, says: string][] = [
    [{ table: 'bonds', min_rows: 9 }, 8, 'bonds: 8 rows, min_rows is 9'],
    [{ table: 'bonds', max_rows: 7 }, 8, 'bonds: 8 rows, max_rows is 7'],
    [
      { table: 'bonds', max_rows_gained_pct: 99 },
      100,
      'bonds: 8 rows after 4, a change of 100%, max_rows_gained_pct is 99',
    ],
    [
      { table: 'bonds', column: 'coupon_rate', min_present_pct: 80 },
      75,
      'bonds.coupon_rate: 75% of rows have a value, min_present_pct is 80',
    ],
    [
      { table: 'bonds', column: 'coupon_rate', max_present_lost_pct: 20 },
      25,
      'bonds.coupon_rate: 75% of rows have a value after 100%, max_present_lost_pct is 20',
    ],
    [
      { table: 'bonds', column: 'coupon_rate', max_median_shift_pct: 25 },
      100 * (7 / 5.5 - 1),
      'bonds.coupon_rate: median 7 after 5.5, a change of 27.27%, max_median_shift_pct is 25',
    ],
  ]
  for (const [rule, found, says] of oneOf(2, cases)) {
    const { broken, error } = await held(t, lake, rule, { table: 'companies', min_rows: 1 })
    t.match(broken, [{ found: Math.abs(found - Math.round(found)) > 0 ? Number : found, says }], says)
    t.match(error.message, says)
    t.equal(broken.length, 1, 'and only what is broken')
  }
  await build(lake)
  const shrunk = await makeLake(t.teardown, { companies: [company('ALFA')], bonds: [bond('000000AA7', 4)] })
  t.ok(await build(shrunk, rulesOf({ table: 'bonds', max_rows_gained_pct: 0 })), 'a first one has no other')
})

t.test('a shrunken table is held up, and can be published all the same, and gone back from', async t => {
  const lake = await makeLake(t.teardown, {
    companies: [company('ALFA'), { ...company('BETA'), known_from: '2024-02-01' }],
    bonds: [bond('000000AA7', 4)],
  })
  const whole = await build(lake, { asOf: '2024-03-01' })
  const rules = rulesOf({ table: 'companies', max_rows_lost_pct: 10 })
  const error = await rejects(
    t,
    build(lake, { asOf: '2024-01-15', ...rules }),
    'GATE_FAILED',
    /1 rows after 2/,
  )
  const id = error.details['snapshot'] as string
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const total = async () => (await engine.call('search.companies', {})).meta.total
  t.equal(await total(), 2)
  t.equal(await useSnapshot(lake, id, layout), whole.id, 'says which was current')
  t.equal(await total(), 1, 'an open engine switches to it')
  await useSnapshot(lake, whole.id, layout)
  t.equal(await total(), 2)
})

t.test('a snapshot that is damaged, unknown or of another layout does not become current', async t => {
  const lake = await lakeOf()
  const { id } = await build(lake)
  await rejects(t, useSnapshot(lake, '20200101T000000Z-00000000', layout), 'NOT_FOUND')
  await rejects(t, useSnapshot(lake, id, 'other'), 'NOT_READY', /built by version/)
  const { appendFile } = await import('node:fs/promises')
  const { inLake } = await import('../../engine/lake/lake.ts')
  await appendFile(inLake(lake, 'snapshots', id, 'bonds.parquet'), 'x')
  await rejects(t, useSnapshot(lake, id, layout), 'DATA_DAMAGED', /bonds\.parquet/)
  t.equal(await readCurrent(lake), id)
})

t.test('a gate that cannot be meant is refused before the build', async t => {
  const wrong: [unknown, RegExp][] = [
    [[], /must be an object with "rules"/],
    [{ rules: [] }, /at least one/],
    [{ rules: [{ table: 'bonds', min_rows: 1 }], strict: true }, /no member strict/],
    [{ rules: [7] }, /rule 1 of the gate must be an object/],
    [
      JSON.parse('{"rules":[{"table":{"toString":1}}]}'),
      /rule 1 of the gate: there is no table \{"toString":1\}/,
    ],
    [
      JSON.parse('{"rules":[{"table":"bonds","column":{"toString":1,"valueOf":1},"min_present_pct":1}]}'),
      /there is no column \{/,
    ],
    [{ rules: [{ table: 'bonds', column: ['coupon_rate'], min_present_pct: 1 }] }, /there is no column \[/],
    [{ rules: [{ table: 'bond', min_rows: 1 }] }, /no table bond; did you mean bonds\?/],
    [{ rules: [{ table: 'bonds', column: 'coupon', min_present_pct: 1 }] }, /did you mean coupon_rate\?/],
    [{ rules: [{ table: 'bonds', min_row: 1 }] }, /no limit min_row; did you mean min_rows\?/],
    [{ rules: [{ table: 'bonds', min_present_pct: 1 }] }, /min_present_pct needs a column/],
    [{ rules: [{ table: 'bonds', column: 'cusip', min_rows: 1 }] }, /min_rows is of a table/],
    [{ rules: [{ table: 'bonds' }] }, /has no limit/],
    [{ rules: [{ table: 'bonds', min_rows: '1' }] }, /must be a number/],
    [{ rules: [{ table: 'bonds', min_rows: -1 }] }, /0 or more/],
    [{ rules: [{ table: 'bonds', column: 'cusip', max_median_shift_pct: 1 }] }, /cusip has no median/],
  ]
  for (const [given, says] of wrong)
    t.throws(() => parseGate(given), { code: 'INVALID_PARAMETER', message: says })
})

t.test('the docs list every limit', async t => {
  const text = await readFile('docs/data.md', 'utf8')
  for (const name of Object.keys(gateLimits)) t.match(text, `\`${name}\``)
})

t.test('on the command line: exit codes, what is said, and the way to publish it', async t => {
  const lake = await lakeOf()
  const at = (name: string) => join(lake.root, name)
  const run = (...args: string[]) => tranche([...args, '--lake', lake.root])
  const first = await build(lake)
  await writeFile(at('gate.json'), JSON.stringify({ rules: [{ table: 'bonds', min_rows: 5 }] }))
  await writeFile(at('broken.json'), '{')
  const held = await run('build', '--gate', at('gate.json'))
  t.match(held, { code: 4, out: '', err: /bonds: 4 rows, min_rows is 5\n.*snapshots use/ })
  const id = /snapshot (\S+) is not published/.exec(held.err)![1]!
  t.equal(await readCurrent(lake), first.id)
  t.match(await run('snapshots', 'use', id), { code: 0, err: `snapshot ${id} is current, ${first.id} was` })
  t.equal(await readCurrent(lake), id)
  t.match(await run('snapshots', 'use', id), { code: 0, err: 'is current already' })
  t.match(await run('snapshots', 'use'), { code: 2, err: 'give the snapshot to make current' })
  t.match(await run('snapshots', 'use', '2099'), { code: 3, err: 'no snapshot 2099' })
  t.match(await run('build', '--gate', at('broken.json')), {
    code: 2,
    err: /--gate .*broken\.json is not JSON/,
  })
  t.match(await run('build', '--gate', at('none.json')), { code: 2, err: /--gate .*cannot be read/ })
})
