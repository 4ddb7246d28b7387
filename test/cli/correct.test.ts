import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { open } from '../../engine/engine.ts'
import { makeCorrections } from '../../engine/ingest/make-corrections.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { build } from '../../engine/snapshot/build.ts'
import type { Difference } from '../../engine/verify/recomputation.ts'
import { verifyFigures } from '../../engine/verify/verify.ts'
import { builtLake } from '../built-lake.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'
import { resident } from './resident.ts'

const { tranche } = await resident(t)

const test = (id: string, more: object = {}) => ({
  id,
  ticker: 'ALFA',
  covenant_type: 'financial',
  covenant_name: `Maximum Total Leverage Ratio ${id}`,
  test_metric: 'leverage_ratio',
  threshold_type: 'maximum',
  threshold_value: 4.5,
  source: `${id}.html`,
  source_document_date: '2024-02-01',
  known_from: '2024-02-01',
  ...more,
})

const rows = {
  ...twoIssuers,
  covenants: [test('a'), test('b'), test('c')],
  collateral: [
    {
      id: 'k',
      ticker: 'ALFA',
      type: 'cash',
      description: 'All assets',
      source: 'k.html',
      known_from: '2024-02-01',
    },
  ],
  instruments: [
    {
      instrument_id: 'i',
      ticker: 'ALFA',
      name: 'Term loan',
      seniority: 'senior_unsecured',
      principal: 1000,
      maturity_date: '2030-01-01',
      source: 'i.html',
      known_from: '2024-02-01',
    },
  ],
  entities: [
    { id: 'e', ticker: 'ALFA', name: 'Alfa Holdings LLC', jurisdiction: 'Ohio', known_from: '2024-02-01' },
  ],
}

const how = { because: 'as the document says', by: 'reader', from: '2024-09-02' }

t.test('corrections win over what was read, from their day on, and show in explain', async t => {
  const lake = await makeLake(t.teardown, rows)
  await makeCorrections(
    lake,
    [
      { corrects: 'covenants', row_id: 'a', action: 'set', field: 'threshold_value', value: '4.25' },
      { corrects: 'covenants', row_id: 'b', action: 'set', field: 'ended_on', value: '2024-08-01' },
      { corrects: 'covenants', row_id: 'c', action: 'drop', field: null, value: null },
      { corrects: 'covenants', row_id: 'gone', action: 'set', field: 'threshold_value', value: '1' },
      { corrects: 'collateral', row_id: 'k', action: 'set', field: 'assets', value: '["cash","stock"]' },
      { corrects: 'collateral', row_id: 'k', action: 'set', field: 'description', value: null },
      { corrects: 'instruments', row_id: 'i', action: 'set', field: 'maturity_date', value: '2031-06-01' },
      { corrects: 'instruments', row_id: 'i', action: 'set', field: 'guarantors', value: '["X Corp"]' },
      { corrects: 'entities', row_id: 'e', action: 'set', field: 'is_guarantor', value: 'true' },
    ],
    how,
  )
  await build(lake)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const covenants = async (options = {}) =>
    (
      await engine.call('search.covenants', {
        ticker: 'ALFA',
        sort: 'covenant_name',
        explain: true,
        ...options,
      })
    ).data
  const now = await covenants()
  t.match(now, [
    {
      id: 'a',
      threshold_value: 4.25,
      _explain: {
        threshold_value: { value: 4.25, formula: 'as corrected' },
        corrections: [
          {
            field: 'threshold_value',
            was: 4.5,
            value: '4.25',
            by: 'reader',
            on: '2024-09-02',
            because: 'as the document says',
          },
        ],
      },
    },
  ])
  t.equal(now.length, 1, 'one has ended, one is dropped')
  t.match(await covenants({ in_force: false }), [{ id: 'b', ended_on: '2024-08-01', in_force: false }])
  const before = await covenants({ as_of: '2024-09-01' })
  t.match(
    before.map(({ id, threshold_value }) => [id, threshold_value]),
    [
      ['a', 4.5],
      ['b', 4.5],
      ['c', 4.5],
    ],
    'nothing is corrected before their day',
  )
  t.match((await engine.call('search.collateral', { ticker: 'ALFA' })).data, [
    { assets: ['cash', 'stock'], description: null },
  ])
  t.match(
    (
      await engine.call('search.instruments', {
        ticker: 'ALFA',
        explain: true,
        fields: 'id,maturity,maturity_date,maturity_year,guarantors',
      })
    ).data,
    [
      {
        maturity: '2031-06-01',
        maturity_date: '2031-06-01',
        maturity_year: 2031,
        guarantors: ['X Corp'],
        _explain: { corrections: [{ field: 'guarantors' }, { field: 'maturity_date', was: '2030-01-01' }] },
      },
    ],
  )
  t.match(await engine.sql("SELECT is_guarantor FROM entities WHERE id = 'e'"), [{ is_guarantor: true }])
  const listed = await engine.call('search.corrections', { sort: 'corrects,row_id,field' })
  t.equal(listed.meta.total, 9)
  t.match(
    (await engine.call('search.corrections', { is_applied: false })).data,
    [{ row_id: 'gone', is_applied: false }],
    'what finds no row is said',
  )
  t.match((await engine.call('search.corrections', { row_id: 'a' })).data, [{ ticker: 'ALFA', was: 4.5 }])

  const found: Difference[] = []
  await verifyFigures(lake, await currentManifest(lake), { found: difference => found.push(difference) })
  t.strictSame(found, [], 'verify expects the corrections')
})

t.test('a correction is replaced by a later one, and taken back', async t => {
  const lake = await makeLake(t.teardown, rows)
  const level = async () => {
    await build(lake)
    const engine = await open(lake)
    const { data } = await engine.call('search.covenants', {
      ticker: 'ALFA',
      sort: 'covenant_name',
      limit: 1,
    })
    engine.close()
    return data[0]!.threshold_value
  }
  const set = (value: string, at: string) =>
    makeCorrections(
      lake,
      [{ corrects: 'covenants', row_id: 'a', action: 'set', field: 'threshold_value', value }],
      { ...how, now: () => new Date(at) },
    )
  await set('4', '2024-09-02T10:00:00Z')
  await set('3.5', '2024-09-02T11:00:00Z')
  t.equal(await level(), 3.5)
  await makeCorrections(
    lake,
    [
      {
        corrects: 'covenants',
        row_id: 'a',
        action: 'set',
        field: 'step_down_schedule',
        value: '[{"date":"2024-01-01","threshold_value":3.5},{"date":null,"threshold_value":3}]',
      },
    ],
    how,
  )
  await build(lake, { full: true })
  t.equal(await level(), 3.5, 'a full build keeps it too')
  await makeCorrections(
    lake,
    [{ corrects: 'covenants', row_id: 'a', action: 'remove', field: 'threshold_value', value: null }],
    { ...how, now: () => new Date('2024-09-02T12:00:00Z') },
  )
  t.equal(await level(), 4.5)
})

t.test('what a field cannot hold is refused, and nothing of it is kept', async t => {
  const lake = await makeLake(t.teardown, rows)
  const bad = [
    ['covenants', 'threshold_value', 'four'],
    ['covenants', 'threshold_value', 'inf'],
    ['covenants', 'covenant_type', 'odd'],
    ['covenants', 'covenant_type', null],
    ['covenants', 'ended_on', '2024-13-01'],
    ['covenants', 'baskets', '[{'],
    ['covenants', 'step_down_schedule', '[{"date":"2025-01-01"}]'],
    ['covenants', 'step_down_schedule', '[{"date":"soon","threshold_value":4}]'],
    ['covenants', 'step_down_schedule', '{"threshold_value":4}'],
    ['covenants', 'equity_cure', '[]'],
    ['covenants', 'id', 'x'],
    ['collateral', 'estimated_value', '1.5'],
    ['instruments', 'guarantors', 'X Corp'],
    ['entities', 'is_guarantor', 'maybe'],
  ] as const
  for (const [corrects, field, value] of bad)
    await t.rejects(
      makeCorrections(
        lake,
        [
          { corrects, row_id: 'a', action: 'set', field, value },
          { corrects: 'covenants', row_id: 'a', action: 'set', field: 'threshold_value', value: '4' },
        ],
        how,
      ),
      { code: 'INVALID_PARAMETER', message: /^nothing is corrected: / },
      `${corrects}.${field} = ${value}`,
    )
  const asks = (corrects: 'covenants' | 'instruments', field: string, value: string, message: RegExp) =>
    t.rejects(
      makeCorrections(lake, [{ corrects, row_id: 'a', action: 'set', field, value }], how),
      { message },
      'says what the field can hold',
    )
  await asks('covenants', 'threshold_value', '5,5', /covenants.threshold_value must be a number/)
  await asks('covenants', 'covenant_type', 'odd', /must be one of financial, negative/)
  await asks('instruments', 'maturity_date', '2099', /must be a day, YYYY-MM-DD, or nothing/)
  const drop = { corrects: 'entities', row_id: 'e', action: 'drop', field: null, value: null } as const
  await t.rejects(makeCorrections(lake, [drop], how), { message: /drop takes no field/ })
  const { out } = await tranche(['correct', '--lake', lake.root, '--format', 'json'])
  t.match(JSON.parse(out), { data: [] })
})

t.test('tranche correct sets, lists, takes back, exports and imports', async t => {
  const lake = await builtLake(t.teardown, rows)
  const correct = (...words: string[]) => tranche(['correct', ...words, '--lake', lake.root])
  t.match(await correct('set', 'covenants', 'a', 'threshold_value=4'), { code: 2, err: /--because/ })
  t.match(await correct('set', 'covenants', 'a', 'threshold_val=4', '--because', 'x'), {
    code: 2,
    err: /did you mean threshold_value\?/,
  })
  t.match(await correct('set', 'covenant', 'a', 'threshold_value=4', '--because', 'x'), {
    code: 2,
    err: /did you mean covenants\?/,
  })
  t.match(await correct('set', 'bonds', 'a', 'seniority=senior_secured', '--because', 'x'), {
    code: 2,
    err: /bonds take their rank, .* from instruments: correct the instrument/,
  })
  t.match(await correct('set', 'covenants', 'zz', 'threshold_value=4', '--because', 'x'), {
    code: 3,
    err: /no row with id zz/,
  })
  const set = await correct('set', 'covenants', 'a', 'threshold_value=4', 'description=', '--because', 'x')
  t.match(set, { code: 0, err: /2 corrections kept, from 2025-06-02 on; run "tranche build"/ })
  t.match(await correct('drop', 'collateral', 'k', '--because', 'y', '--by', 'Ann', '--from', '2024-05-01'), {
    code: 0,
  })
  t.match(await correct('remove', 'covenants', 'a', 'description', '--because', 'z'), { code: 0 })
  t.match(await correct('remove', 'covenants', 'a', 'description', '--because', 'z'), { code: 3 })
  const file = join(lake.root, 'corrections.csv')
  t.match(await correct('list', '--all', 'true', '-o', file), { code: 0 })
  t.match(await correct('import', file), { err: /0 corrections kept, 4 were there, 0 rejected/ })

  const other = await makeLake(t.teardown, rows)
  t.match(await tranche(['correct', 'import', file, '--lake', other.root]), {
    code: 0,
    err: /4 corrections kept/,
  })
  const { out } = await tranche(['correct', 'list', '--format', 'ndjson', '--lake', other.root])
  t.match(
    out
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line)),
    [
      { corrects: 'collateral', action: 'drop', made_by: 'Ann', made_on: '2024-05-01' },
      { corrects: 'covenants', field: 'threshold_value', value: '4', standing: 'in_force' },
    ],
  )
  await writeFile(
    file,
    'corrects,row_id,action,field,value,reason,made_by,made_on,made_at\ncovenants,a,set,odd,1,r,m,2024-01-01,2024-01-01T00:00:00Z\n',
  )
  t.match(await tranche(['correct', 'import', file, '--lake', other.root]), { code: 4, err: /1 rejected/ })
  await rm(file)
})
