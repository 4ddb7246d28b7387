import t from 'tap'
import { open } from '../../engine/engine.ts'
import type { Lake } from '../../engine/lake/lake.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import type { Traversal } from '../../engine/operations/traverse-entities.ts'
import { build } from '../../engine/snapshot/build.ts'
import type { Difference } from '../../engine/verify/recomputation.ts'
import { verifyFigures } from '../../engine/verify/verify.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'

const filing =
  (day: string, document_type: string) =>
  (id: string, more: object = {}) => ({
    id,
    name: id,
    cik: '0000000001',
    document_type,
    document_date: day,
    known_from: day,
    source: `${document_type} of ${day}, ${id}`,
    ...more,
  })
const first = filing('2021-03-01', 'EX-21')
const guarantors = filing('2021-03-01', 'EX-22')
const second = filing('2022-03-01', 'EX-21')
const abbreviated = filing('2022-09-01', 'EX-21.1')
const third = filing('2023-03-01', 'EX-21')
const parent = { parent_id: 'top', jurisdiction: 'Delaware' }

const lake = await makeLake(t.teardown, {
  ...twoIssuers,
  entities: [
    first('top', { entity_type: 'holdco' }),
    first('rigs', { ...parent, entity_type: 'opco', entity_type_confidence: 0.6, entity_type_rule: 'name' }),
    first('offshore', parent),
    first('sold', parent),
    first('back', parent),
    first('merged', parent),
    guarantors('rigs', { is_guarantor: true, guarantee_type: 'full', entity_type: 'subsidiary' }),
    ...['top', 'rigs', 'offshore', 'merged', 'new'].map(id => second(id, parent)),
    abbreviated('top'),
    ...['top', 'offshore', 'back'].map(id => third(id, parent)),
    filing('2023-06-01', 'EX-4.1')('rigs', { is_guarantor: true }),
    filing('2023-06-01', '10-K')('stranger', { is_guarantor: true }),
    filing('2023-06-01', '10-K')('sold', { is_guarantor: true }),
  ],
  guarantees: [
    ...[
      { instrument_name: '6% Senior Notes due 2030' },
      { instrument_name: '6% Senior Notes due 2031' },
      { issuer_id: 'top' },
      { guarantor_id: 'stranger', issuer_id: 'top' },
    ].map(more => ({
      guarantor_id: 'rigs',
      rule: 'list_of_guarantors',
      extraction_confidence: 0.95,
      document_date: '2021-03-01',
      known_from: '2021-03-01',
      ...more,
    })),
  ],
  filings: [
    {
      cik: '0000000001',
      accession: '0000000001-23-000001',
      form: '10-K',
      filed_date: '2023-03-01',
      known_from: '2023-03-01',
    },
  ],
  documents: [
    { filing_date: null, known_from: '2023-06-01', page_count: 9, source: 'copy without a date' },
    {
      filing_date: '2023-02-27',
      known_from: '2023-02-27',
      page_count: 7,
      exhibit: 'EX-10.1',
      item: '1.01',
      source: 'copy with a date',
    },
  ]
    .map(more => ({
      id: 'section',
      cik: '0000000001',
      doc_type: '8-K',
      section_type: 'covenants',
      content: 'No liens.',
      ...more,
    }))
    .concat([
      {
        id: 'dated by its number',
        cik: '0000000001',
        doc_type: '10-K',
        section_type: 'mda',
        content: 'Cash rose.',
        accession: '0000000001-23-000001',
        source: 'x',
      } as never,
    ]),
})
await build(lake, {})
const engine = await open(lake)
t.teardown(() => engine.close())

const rows = (sql: string, asOf?: string) => engine.sql(sql, [], asOf ? { asOf } : {}) as Promise<unknown>

t.test('each column keeps its last stated value, and roles come from lists of subsidiaries', async t => {
  t.strictSame(
    await rows(
      `SELECT name, jurisdiction, parent_id, entity_type, entity_type_rule, is_guarantor, guarantee_type FROM entities WHERE id = 'rigs'`,
    ),
    [
      {
        name: 'rigs',
        jurisdiction: 'Delaware',
        parent_id: 'top',
        entity_type: 'opco',
        entity_type_rule: 'name',
        is_guarantor: true,
        guarantee_type: 'full',
      },
    ],
  )
})

const removed = `SELECT id, CAST(removed_date AS VARCHAR) AS removed_date FROM entities WHERE id <> 'top' ORDER BY id`
const dates = async (asOf?: string) =>
  Object.fromEntries(
    ((await rows(removed, asOf)) as { id: string; removed_date: string }[]).map(r => [r.id, r.removed_date]),
  )

t.test('an entity is removed by the first complete list after the last document naming it', async t => {
  t.strictSame(await dates(), {
    back: null,
    merged: '2023-03-01',
    new: '2023-03-01',
    offshore: null,
    rigs: null,
    sold: '2022-03-01',
    stranger: null,
  })
  t.strictSame(await dates('2022-12-31'), {
    back: '2022-03-01',
    merged: null,
    new: null,
    offshore: null,
    rigs: null,
    sold: '2022-03-01',
  })
})

t.test('a copy with a filing date replaces one without, and an accession number dates a section', async t => {
  t.strictSame(
    await rows(
      `SELECT id, CAST(filing_date AS VARCHAR) AS filing_date, page_count, exhibit, item FROM documents ORDER BY id`,
    ),
    [
      { id: 'dated by its number', filing_date: '2023-03-01', page_count: null, exhibit: null, item: null },
      { id: 'section', filing_date: '2023-02-27', page_count: 7, exhibit: 'EX-10.1', item: '1.01' },
    ],
  )
})

t.test('a guarantee is linked to the bond with its coupon and maturity, else keeps its words', async t => {
  t.strictSame(
    await rows(`SELECT bond_id, instrument_name, issuer_id FROM guarantees WHERE guarantor_id = 'rigs'
       ORDER BY bond_id NULLS LAST, instrument_name NULLS LAST`),
    [
      { bond_id: '000000AA7', instrument_name: '6% Senior Notes due 2030', issuer_id: null },
      { bond_id: null, instrument_name: '6% Senior Notes due 2031', issuer_id: null },
      { bond_id: null, instrument_name: null, issuer_id: 'top' },
    ],
  )
  t.strictSame(await rows('SELECT cusip, guarantor_count FROM bonds WHERE guarantor_count IS NOT NULL'), [
    { cusip: '000000AA7', guarantor_count: 1 },
  ])
})

t.test(
  "a company named only as a guarantor is no subsidiary, and guarantees all of the company's debt",
  async t => {
    const found = async (relationships: string, direction = 'outbound') => {
      const { data } = (await engine.ask('traverse.entities', {
        start: 'company:ALFA',
        relationships,
        direction,
        depth: 3,
      })) as unknown as { data: Traversal }
      return data.traversal.entities.map(e => e.name)
    }
    t.notOk((await found('subsidiaries')).includes('stranger'))
    t.strictSame(await found('guarantees', 'inbound'), ['rigs', 'stranger'])
  },
)

t.test('the independent recomputation agrees', async t => {
  t.strictSame(await differences(lake), [])
})

async function differences(of: Lake): Promise<Difference[]> {
  const found: Difference[] = []
  const options = {
    tables: ['entities', 'ownership', 'guarantees', 'documents'],
    found: (d: Difference) => found.push(d),
  }
  await verifyFigures(of, await currentManifest(of), options)
  await verifyFigures(of, await currentManifest(of), { ...options, asOf: '2022-12-31' })
  return found
}

t.test("spellings of one name in a company's documents are one entity", async t => {
  const row = (id: string, name: string, more: object) => ({
    id,
    name,
    document_type: 'EX-21',
    document_date: '2021-03-01',
    known_from: '2021-03-01',
    source: `EX-21, ${id}`,
    ...more,
  })
  const byCik = { cik: '0000000001' }
  const byName = { company_name: 'Alfa Drilling Corp' }
  const spelled = await makeLake(t.teardown, {
    ...twoIssuers,
    entities: [
      row('a1', 'Alfa Japan K.K.', byCik),
      row('a2', 'Alfa Japan KK', byName),
      row('a3', 'Alfa Luxembourg S.à r.l.', byCik),
      row('a4', 'Alfa Luxembourg SARL', { ...byName, parent_id: 'a2' }),
      row('b1', 'Alfa Japan KK', { cik: '0000000002' }),
      { id: 'own', name: 'Alfa Japan KK', cik: '0000000001', known_from: '2021-03-01', source: 'a table' },
    ],
    guarantees: [
      {
        guarantor_id: 'a2',
        issuer_id: 'a4',
        rule: 'list_of_guarantors',
        document_date: '2021-03-01',
        known_from: '2021-03-01',
      },
    ],
  })
  await build(spelled, {})
  const engine = await open(spelled)
  t.teardown(() => engine.close())
  t.strictSame(await engine.sql("SELECT id, ticker FROM entities WHERE id <> 'none' ORDER BY id"), [
    { id: 'a1', ticker: 'ALFA' },
    { id: 'a3', ticker: 'ALFA' },
    { id: 'b1', ticker: 'BETA' },
    { id: 'own', ticker: 'ALFA' },
  ])
  t.strictSame(await engine.sql('SELECT guarantor_id, issuer_id FROM guarantees'), [
    { guarantor_id: 'a1', issuer_id: 'a3' },
  ])
  t.strictSame(await differences(spelled), [])
})

t.test('guarantors named only in documents count for the bond they name, in both computations', async t => {
  const read = {
    rule: 'named_as_guarantor',
    document_date: '2021-03-01',
    known_from: '2021-03-01',
    source: '10-K',
  }
  const named = await makeLake(t.teardown, {
    ...twoIssuers,
    entities: [
      {
        id: 'g',
        name: 'Alfa Rigs LLC',
        cik: '0000000001',
        document_type: '10-K',
        known_from: '2021-03-01',
        source: '10-K',
      },
    ],
    guarantees: [{ guarantor_id: 'g', instrument_name: '6% Senior Notes due 2030', ...read }],
  })
  await build(named, {})
  const engine = await open(named)
  t.teardown(() => engine.close())
  t.strictSame(await engine.sql("SELECT guarantor_count FROM bonds WHERE cusip = '000000AA7'"), [
    { guarantor_count: 1 },
  ])
  const found: Difference[] = []
  await verifyFigures(named, await currentManifest(named), { tables: ['bonds'], found: d => found.push(d) })
  t.strictSame(found, [])
})
