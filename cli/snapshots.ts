import { elementAt, firstOf } from '../engine/base/elements.ts'
import { invalid, QueryError } from '../engine/base/errors.ts'
import type { Lake } from '../engine/lake/lake.ts'
import { nearest } from '../engine/names/nearest.ts'
import { boolean, date, integer, list, nullable, text, timestamp } from '../engine/schema/column.ts'
import { one } from '../engine/schema/params.ts'
import { command, lakeFolder, lakeParams } from './command.ts'
import { exits } from './errors.ts'
import {
  type Choice,
  chooseOutput,
  notice,
  onTerminal,
  outputLetters,
  outputParams,
  writeList,
} from './output.ts'

const summaryColumns = {
  id: text('Id.'),
  current: boolean('In force.'),
  created: nullable(timestamp('When it was built.')),
  as_of: nullable(date('Its as-of day.')),
  tables: integer('Tables.'),
  rows: integer('Rows in total.'),
  bytes: integer('Size.', { unit: 'bytes' }),
  problem: nullable(text('Why it cannot be used.')),
}

const diffColumns = {
  table: text('Table.'),
  rows_before: integer('Rows before.'),
  rows_after: integer('Rows after.'),
  added: integer('Rows added.'),
  removed: integer('Rows removed.'),
  changed: nullable(integer('Rows with the same key and different values.')),
  columns_added: list('Columns added.'),
  columns_removed: list('Columns removed.'),
}

const actions = ['list', 'verify', 'use', 'prune', 'diff'] as const

export const snapshotsCommand = command({
  word: 'snapshots',
  words: '[list | verify [ID] | use ID | prune | diff A B]',
  firstWords: actions,
  params: {
    keep: one(integer('Number of newest snapshots that prune keeps; the current one always stays.'), {
      min: 0,
    }),
    ...outputParams,
    ...lakeParams,
  },
  letters: outputLetters,
  notes: 'Name a snapshot by its id, the start of its id, or "current".',
  examples: ['list', 'verify', 'use 20260102', 'prune --keep 3', 'diff 20260102 current'],
  async run({ lake, keep, ...outputOptions }, { words: [action = 'list', ...ids] }) {
    const choice = chooseOutput(outputOptions, onTerminal())
    if (!(actions as readonly string[]).includes(action)) {
      const meant = nearest(action, actions)
      throw invalid(
        'action',
        action,
        `there is no "snapshots ${action}"${meant ? `; did you mean ${meant}?` : ''}`,
        {
          allowed: actions,
          ...(meant && { suggestion: meant }),
        },
      )
    }
    const most = action === 'diff' ? 2 : action === 'verify' || action === 'use' ? 1 : 0
    if (ids.length > most)
      throw invalid('words', ids[most], `snapshots ${action} takes no further argument: ${ids[most]}`)
    if (action === 'prune' && keep === undefined)
      throw new QueryError('MISSING_PARAMETER', 'give the number to keep: snapshots prune --keep N', {
        parameter: 'keep',
      })
    if (action !== 'prune' && keep !== undefined)
      throw invalid('keep', keep, 'keep is an option of "snapshots prune"')
    if (action === 'use' && ids.length < 1)
      throw new QueryError('MISSING_PARAMETER', 'give the snapshot to make current: snapshots use ID', {
        parameter: 'words',
      })
    if (action === 'diff' && ids.length < 2)
      throw new QueryError('MISSING_PARAMETER', 'give two snapshots: snapshots diff A B', {
        parameter: 'words',
      })
    const { openLake } = await import('../engine/lake/lake.ts')
    const opened = await openLake(lakeFolder(lake))
    if (action === 'verify') return verify(opened, ids[0], choice)
    if (action === 'use') return use(opened, firstOf(ids))
    if (action === 'prune') return prune(opened, keep!)
    if (action === 'diff') return diff(opened, firstOf(ids), elementAt(ids, 1), choice)
    const { listSnapshots } = await import('../engine/lake/snapshot.ts')
    const snapshots = await listSnapshots(opened)
    await writeList(summaryColumns, snapshots, choice)
    if (snapshots.length === 0) notice('no snapshot yet: run "tranche build"')
    return undefined
  },
})

/** The snapshot with an id, an id's prefix, or `current`. */
export async function snapshotNamed(lake: Lake, prefix: string): Promise<string> {
  const { currentManifest, listSnapshots } = await import('../engine/lake/snapshot.ts')
  if (prefix === 'current') return (await currentManifest(lake)).id
  const ids = (await listSnapshots(lake)).map(s => s.id)
  const found = ids.filter(id => id === prefix || id.startsWith(prefix))
  if (found.length === 1) return firstOf(found)
  if (found.length > 1)
    throw invalid(
      'snapshot',
      prefix,
      `${found.length} snapshot ids begin with ${prefix}: give more characters`,
    )
  throw new QueryError('NOT_FOUND', `no snapshot ${prefix}: "tranche snapshots list" lists them`, {
    snapshot: prefix,
  })
}

async function verify(
  lake: Lake,
  requested: string | undefined,
  choice: Choice,
): Promise<number | undefined> {
  const { currentManifest, verifySnapshot } = await import('../engine/lake/snapshot.ts')
  const id = requested === undefined ? (await currentManifest(lake)).id : await snapshotNamed(lake, requested)
  const { files, bytes, problems, unnamed } = await verifySnapshot(lake, id)
  await writeList(
    { snapshot: text('Snapshot.'), problem: text('What is wrong.') },
    problems.map(problem => ({ snapshot: id, problem })),
    choice,
  )
  if (unnamed.length > 0) notice(`unused files in the snapshot: ${unnamed.join(', ')}`)
  if (problems.length > 0) {
    notice(`snapshot ${id} is damaged: build again, or restore its files from a copy`)
    return exits.damaged
  }
  notice(`snapshot ${id} is intact: ${files} files, ${bytes.toLocaleString('en-US')} bytes`)
  return undefined
}

async function use(lake: Lake, named: string): Promise<undefined> {
  const [{ useSnapshot }, { layout }, { keepTables }] = await Promise.all([
    import('../engine/lake/use-snapshot.ts'),
    import('../engine/schema/resources/layout.ts'),
    import('../engine/lake/iceberg/keep-tables.ts'),
  ])
  const id = await snapshotNamed(lake, named)
  const before = await useSnapshot(lake, id, layout, () => keepTables(lake))
  notice(before === id ? `snapshot ${id} is current already` : `snapshot ${id} is current, ${before} was`)
}

async function prune(lake: Lake, keep: number): Promise<undefined> {
  const [{ prune: remove }, { keepTables }] = await Promise.all([
    import('../engine/lake/snapshot.ts'),
    import('../engine/lake/iceberg/keep-tables.ts'),
  ])
  const gone = await remove(lake, keep, doomed => keepTables(lake, doomed))
  for (const id of gone) process.stdout.write(`${id}\n`)
  notice(`${gone.length} ${gone.length === 1 ? 'snapshot' : 'snapshots'} removed`)
}

async function diff(lake: Lake, before: string, after: string, choice: Choice): Promise<undefined> {
  const [{ diffSnapshots }, { primaryKeys }] = await Promise.all([
    import('../engine/lake/diff-snapshots.ts'),
    import('../engine/schema/resources/tables.ts'),
  ])
  const rows = await diffSnapshots(
    lake,
    await snapshotNamed(lake, before),
    await snapshotNamed(lake, after),
    primaryKeys,
  )
  await writeList(diffColumns, rows, choice)
}
