import t from 'tap'
import { open } from '../../engine/engine.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import type { Traversal } from '../../engine/operations/traverse-entities.ts'
import { build } from '../../engine/snapshot/build.ts'
import type { Difference } from '../../engine/verify/recomputation.ts'
import { verifyFigures } from '../../engine/verify/verify.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'

const lei = (n: number) => `0000000000000000000${n}`
const [OWNER, ALFA, RIGS, SEA, LOST] = [1, 2, 3, 4, 5].map(lei) as [string, string, string, string, string]
const known = { known_from: '2020-01-01' }
const registered = (of: string, name: string, jurisdiction: string) => ({
  registry: 'gleif',
  position: 1,
  lei: of,
  name,
  jurisdiction,
})

const lake = await makeLake(t.teardown, {
  ...twoIssuers,
  companies: twoIssuers['companies']!.map(c => (c['ticker'] === 'ALFA' ? { ...c, lei: ALFA } : c)),
  directory: [
    registered(OWNER, 'Omega Holding S.A.', 'LU'),
    registered(RIGS, 'Alfa Rigs, Incorporated', 'US-DE'),
    registered(lei(6), 'Alfa Rigs, Incorporated', 'US-TX'),
    registered(SEA, 'Alfa Sea B.V.', 'NL'),
  ],
  entities: [
    { id: 'top', name: 'Alfa Drilling Corporation', cik: '0000000001', ...known },
    {
      id: 'rigs',
      name: 'ALFA RIGS, INC.',
      cik: '0000000001',
      jurisdiction: 'Delaware',
      parent_id: 'top',
      ...known,
    },
  ],
  ownership: [
    { child_lei: ALFA, parent_lei: OWNER, relationship: 'ultimate', ...known },
    { child_lei: RIGS, parent_lei: ALFA, relationship: 'direct', ...known },
    { child_lei: SEA, parent_lei: RIGS, relationship: 'direct', ownership_pct: 75, ...known },
    { child_lei: SEA, parent_lei: OWNER, relationship: 'ultimate', ...known },
    { child_lei: LOST, parent_lei: RIGS, relationship: 'direct', ...known },
    {
      child_lei: LOST,
      parent_lei: RIGS,
      relationship: 'direct',
      ended_date: '2022-01-01',
      known_from: '2022-02-01',
    },
    { child_lei: lei(8), parent_lei: lei(9), relationship: 'direct', ...known },
  ],
})
await build(lake, {})
const engine = await open(lake)
t.teardown(() => engine.close())

t.test('entities are matched by name and place, and consolidation adds those above and below', async t => {
  t.strictSame(await engine.sql('SELECT name, lei, ticker, jurisdiction FROM entities ORDER BY lei'), [
    { name: 'Omega Holding S.A.', lei: OWNER, ticker: null, jurisdiction: 'LU' },
    { name: 'Alfa Drilling Corporation', lei: ALFA, ticker: 'ALFA', jurisdiction: null },
    { name: 'ALFA RIGS, INC.', lei: RIGS, ticker: 'ALFA', jurisdiction: 'Delaware' },
    { name: 'Alfa Sea B.V.', lei: SEA, ticker: 'ALFA', jurisdiction: 'NL' },
  ])
})

t.test(
  'the ultimate parent is used only without a direct one, and ended relationships are ignored',
  async t => {
    t.strictSame(
      await engine.sql(`SELECT p.name AS parent, c.name AS child, o.ownership_pct, o.relationship FROM ownership o
      JOIN entities p ON p.id = o.parent_id JOIN entities c ON c.id = o.child_id ORDER BY c.lei`),
      [
        {
          parent: 'Omega Holding S.A.',
          child: 'Alfa Drilling Corporation',
          ownership_pct: null,
          relationship: 'ultimate',
        },
        {
          parent: 'Alfa Drilling Corporation',
          child: 'ALFA RIGS, INC.',
          ownership_pct: null,
          relationship: null,
        },
        { parent: 'ALFA RIGS, INC.', child: 'Alfa Sea B.V.', ownership_pct: 75, relationship: 'direct' },
      ],
    )
    const before = (await engine.sql('SELECT count(*) AS n FROM entities', [], {
      asOf: '2021-01-01',
    })) as unknown
    t.strictSame(before, [{ n: 5 }])
  },
)

t.test('traversal leads up to the owner and down to consolidated entities', async t => {
  const found = async (relationships: string) => {
    const answer = await engine.ask('traverse.entities', { start: 'company:ALFA', relationships, depth: 5 })
    const { data } = answer as unknown as { data: Traversal }
    return data.traversal.entities.map(e => `${e.level} ${e.name}`)
  }
  t.strictSame(await found('subsidiaries'), ['1 ALFA RIGS, INC.', '2 Alfa Sea B.V.'])
  t.strictSame(await found('parents'), ['1 Omega Holding S.A.'])
})

t.test('the independent recomputation agrees', async t => {
  const found: Difference[] = []
  const options = { tables: ['entities', 'ownership'], found: (d: Difference) => found.push(d) }
  await verifyFigures(lake, await currentManifest(lake), options)
  await verifyFigures(lake, await currentManifest(lake), { ...options, asOf: '2021-01-01' })
  t.strictSame(found, [])
})
