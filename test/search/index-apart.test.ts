import t from 'tap'
import { open } from '../../engine/engine.ts'
import { readCurrent, readManifest } from '../../engine/lake/snapshot.ts'
import { build } from '../../engine/snapshot/build.ts'
import { addRows, makeLake, twoIssuers } from '../make-lake.ts'

const document = (id: string, content: string) => ({
  id,
  ticker: 'ALFA',
  doc_type: '10-K',
  section_type: 'covenants',
  filing_date: '2025-02-01',
  known_from: '2025-02-01',
  content,
})

/** Together more than one process indexes by itself. */
const long = Array.from({ length: 6 }, (_, i) =>
  document(`long${i}`, `${'the notes are due and the lien is released '.repeat(4200)}covenant${i}`),
)

const lake = await makeLake(t.teardown.bind(t), {
  ...twoIssuers,
  documents: [document('short', 'The leverage ratio may not exceed 4.50 to 1.00.')],
})
const first = await build(lake)
await addRows(lake, { documents: long })

const found = async (q: string): Promise<number> => {
  const engine = await open(lake)
  try {
    return (await engine.call('search.documents', { q })).data.length
  } finally {
    engine.close()
  }
}

for (const [what, point] of [
  ['the process that builds the search index', 'index:built'],
  ['a process that helps to build the search index', 'index:helper'],
] as const)
  t.test(`where ${what} is killed, the build says so and the old snapshot stays in force`, async t => {
    process.env['TRANCHE_FAULT'] = point
    t.teardown(() => {
      delete process.env['TRANCHE_FAULT']
    })
    await t.rejects(build(lake), { message: new RegExp(`^${what} ended \\(SIGKILL\\)`) })
    t.equal(await readCurrent(lake), first.id)
    t.equal(await found('leverage'), 1)
    t.equal(await found('covenant3'), 0)
  })

t.test('a build is stopped while other processes build its search index', async t => {
  const stopped = new Error('stopped')
  const progress = (step: string) => {
    if (step.startsWith('reading sections')) throw stopped
  }
  await t.rejects(build(lake, {}, progress), stopped)
  t.equal(await readCurrent(lake), first.id)
})

t.test('the next build makes the whole index, telling how far it is', async t => {
  const steps = new Set<string>()
  const { id } = await build(lake, {}, step => steps.add(step.replace(/: \d+%$/, '')))
  for (const step of ['reading sections', 'learning what words mean', 'placing passages by meaning'])
    t.ok(steps.has(step), step)
  t.equal(await readCurrent(lake), id)
  t.equal((await readManifest(lake, id)).tables.find(table => table.name === 'documents')!.rows, 7)
  t.equal(await found('covenant3'), 1)
  t.equal(await found('leverage'), 1)
})
