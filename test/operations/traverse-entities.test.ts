import t from 'tap'
import { open } from '../../engine/engine.ts'
import type { Traversal } from '../../engine/operations/traverse-entities.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const known = { known_from: '2024-01-01', document_date: '2024-01-01' }
const entity = (n: number, name: string, more: object = {}) => ({
  id: id(n),
  name,
  ticker: 'ALFA',
  entity_type: 'subsidiary',
  jurisdiction: 'Delaware',
  ...known,
  ...more,
})

/** Alfa Drilling Corp (1) owns Holdings (2), which owns Rigs (3) and Offshore (4); Lost (5) has no known parent. */
const group = {
  ...twoIssuers,
  entities: [
    entity(1, 'Alfa Drilling Corporation', { entity_type: 'holdco' }),
    entity(2, 'Alfa Holdings LLC', { parent_id: id(1), entity_type: 'holdco', is_guarantor: true }),
    entity(3, 'Alfa Rigs Inc', { parent_id: id(2), is_guarantor: true, guarantee_type: 'full' }),
    entity(4, 'Alfa Offshore BV', { parent_id: id(2), jurisdiction: 'Netherlands', entity_type: 'opco' }),
    entity(5, 'Alfa Lost LP', {}),
    entity(6, 'Alfa Sold Ltd', { parent_id: id(1), removed_date: '2024-06-01' }),
    entity(7, 'Beta Networks Inc', { ticker: 'BETA' }),
  ],
  // A ring of owners, as cross-holdings make.
  ownership: [{ parent_id: id(3), child_id: id(2), ...known }],
  guarantees: [
    { guarantor_id: id(2), cusip: '000000AA7', guarantee_type: 'full', ...known },
    { guarantor_id: id(3), cusip: '000000AA7', guarantee_type: 'full', ...known },
    { guarantor_id: id(7), cusip: '000000AA7', guarantee_type: 'full', ...known },
  ],
  bonds: twoIssuers['bonds']!.map(bond =>
    bond['cusip'] === '000000AA7' ? { ...bond, issuer_id: id(2) } : bond,
  ),
}

const lake = await makeLake(t.teardown, group)
await build(lake, {})
const engine = await open(lake)
t.teardown(() => engine.close())

const traverse = async (input: Record<string, unknown>, options: object = {}) =>
  (await engine.ask('traverse.entities', input, options)) as unknown as {
    data: Traversal
    meta: { warnings?: string[] }
  }
const names = ({ data }: { data: Traversal }) => data.traversal.entities.map(e => `${e.level} ${e.name}`)

t.test('a company starts from the entity with its name, and from parentless ones', async t => {
  const near = await traverse({ start: { type: 'company', id: 'ALFA' }, relationships: ['subsidiaries'] })
  t.same(names(near), ['1 Alfa Holdings LLC', '1 Alfa Lost LP'])
  const deep = await traverse({
    start: { type: 'company', ticker: 'alfa' },
    relationships: 'parent_of',
    depth: 5,
  })
  t.same(names(deep), ['1 Alfa Holdings LLC', '1 Alfa Lost LP', '2 Alfa Offshore BV', '2 Alfa Rigs Inc'])
  t.match(deep.data.summary, { total_entities: 4, max_depth: 2, holdcos: 1, opcos: 1, total_guarantors: 2 })
  t.match(deep.data.start, { type: 'company', id: 'ALFA', ticker: 'ALFA', name: 'Alfa Drilling Corp' })
})

t.test('filters choose what is returned, not where the walk may go', async t => {
  const found = await traverse({
    start: 'company:ALFA',
    relationships: 'subsidiaries',
    depth: 3,
    filters: { jurisdiction: 'netherlands', entity_type: ['opco'] },
    fields: ['name', 'level'],
  })
  t.same(found.data.traversal.entities, [{ name: 'Alfa Offshore BV', level: 2 }])
})

t.test('a traversal finds guarantors of a bond, guaranteed bonds, and debt at an entity', async t => {
  const of = await traverse({
    start: { type: 'bond', id: '000000AA7' },
    relationships: ['guarantees'],
    direction: 'inbound',
  })
  t.same(names(of), ['1 Alfa Holdings LLC', '1 Alfa Rigs Inc', '1 Beta Networks Inc'])
  t.equal(of.data.summary.total_guarantors, 3)
  t.equal(of.data.summary.guarantee_coverage, 0.4)
  t.match(of.data.traversal.entities[0]!.debt_at_entity, { count: 1, total: 50_000_000_00 })
  t.equal(of.data.traversal.instruments, undefined)
  const by = await traverse({ start: { type: 'entity', id: id(3) }, relationships: 'guarantees' })
  t.same(
    by.data.traversal.instruments!.map(b => b.cusip),
    ['000000AA7'],
  )
  const debt = await traverse({ start: { type: 'entity', id: id(2) }, relationships: 'debt' })
  t.equal(debt.data.summary.total_instruments, 1)
  const borrower = await traverse({
    start: { type: 'bond', id: '000000aa7' },
    relationships: 'borrowers',
    direction: 'inbound',
  })
  t.same(names(borrower), ['1 Alfa Holdings LLC'])
})

t.test('a traversal runs in both directions, also in a ring of owners', async t => {
  const around = await traverse({
    start: { type: 'entity', id: id(2) },
    relationships: 'parents,subsidiaries',
    direction: 'both',
    depth: 10,
  })
  t.same(names(around), [
    '1 Alfa Drilling Corporation',
    '1 Alfa Offshore BV',
    '1 Alfa Rigs Inc',
    '2 Alfa Lost LP',
  ])
})

t.test('standard coverage neither sees nor passes through an extended company', async t => {
  const seen = await traverse(
    { start: { type: 'bond', id: '000000AA7' }, relationships: 'guarantees', direction: 'inbound' },
    { coverage: 'standard' },
  )
  t.same(names(seen), ['1 Alfa Holdings LLC', '1 Alfa Rigs Inc'])
})

t.test('a sold entity exists until its removal', async t => {
  const before = await traverse({ start: 'company:ALFA', relationships: 'subsidiaries', as_of: '2024-02-01' })
  t.ok(names(before).includes('1 Alfa Sold Ltd'))
})

t.test('a direction without possible results is answered with a hint', async t => {
  const { data, meta } = await traverse({ start: 'bond:000000AA7', relationships: 'guarantees' })
  t.same(data.traversal.entities, [])
  t.match(meta.warnings, [/ask for direction inbound/])
})

t.test('an unknown start says how to find it', async t => {
  const refuses = (input: Record<string, unknown>, wanted: object) =>
    traverse({ relationships: 'debt', ...input }).then(
      () => t.fail(`${JSON.stringify(input)} was answered`),
      error => t.match(error, wanted),
    )
  await refuses({ start: { type: 'company', id: 'NONE' } }, { code: 'INVALID_TICKER' })
  await refuses({ start: { type: 'bond', id: '037833100' } }, { code: 'INVALID_CUSIP' })
  await refuses({ start: { type: 'bond', id: '037833101' } }, { code: 'INVALID_PARAMETER' })
  await refuses({ start: { type: 'entity', id: id(99) } }, { code: 'NOT_FOUND' })
  await refuses({ start: { type: 'fund', id: 'X' } }, { details: { parameter: 'start.type' } })
  await refuses({ start: { type: 'company' } }, { code: 'MISSING_PARAMETER' })
  await refuses(
    { start: { type: 'company', id: 'ALFA', name: 'x' } },
    { details: { parameter: 'start.name' } },
  )
  await refuses({ start: 'ALFA' }, { details: { parameter: 'start' } })
  await refuses(
    { start: 'company:ALFA', relationships: 'friends' },
    { details: { parameter: 'relationships' } },
  )
  await refuses({ start: 'company:ALFA', depth: 11 }, { details: { parameter: 'depth' } })
  await refuses(
    { start: 'company:ALFA', fields: 'nam' },
    { details: { parameter: 'fields', suggestion: 'name' } },
  )
})
