import { statfs } from 'node:fs/promises'
import { QueryError } from '../engine/base/errors.ts'
import { version } from '../engine/base/version.ts'
import type { ImportRecord } from '../engine/lake/imports.ts'
import type { Lake } from '../engine/lake/lake.ts'
import { boolean, nullable, oneOf, text } from '../engine/schema/column.ts'
import { fallback, one } from '../engine/schema/params.ts'
import type { VectorIndexFacts } from '../engine/search/vectors/vector-index.ts'
import { command, lakeFolder, lakeParams, stateParams } from './command.ts'
import { exits } from './errors.ts'
import { chooseOutput, notice, onTerminal, outputLetters, outputParams, writeList } from './output.ts'

const statuses = ['ok', 'note', 'problem'] as const

export interface Finding {
  readonly part: 'installation' | 'lake' | 'state' | 'data'
  readonly check: string
  /** A `note` is information; a `problem` needs action. */
  readonly status: (typeof statuses)[number]
  readonly says: string
  /** How to fix it. */
  readonly do: string | null
}

const columns = {
  part: text('Part.'),
  check: text('What was checked.'),
  status: oneOf(statuses, 'Result of the check.'),
  says: text('What was found.'),
  do: nullable(text('How to fix it.')),
}

export const doctorCommand = command({
  word: 'doctor',
  params: {
    data: fallback(
      one(
        boolean(
          'Also report on the data: counts, coverage, gaps, rejected rows, impossible values, stale prices.',
        ),
      ),
      false,
    ),
    strict: fallback(one(boolean('Also fail if the data has a problem.')), false),
    ...outputParams,
    ...stateParams,
    ...lakeParams,
  },
  letters: outputLetters,
  notes:
    'Exit code 4 if the installation, the lake or the state store has a problem; with --strict, also the data.',
  examples: ['', '--data', '--data --strict --format json'],
  async run({ lake, state, data, strict, ...outputOptions }) {
    const choice = chooseOutput(outputOptions, onTerminal())
    const folder = lakeFolder(lake)
    const findings = [
      ...(await installation()),
      ...(await lakeFindings(folder, data)),
      ...(await stateFindings(state, folder)),
    ]
    await writeList(columns, findings, choice)
    const problems = findings.filter(f => f.status === 'problem')
    if (problems.length > 0) notice(`${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`)
    return problems.some(f => strict || f.part !== 'data') ? exits.damaged : undefined
  },
})

const number = (n: number): string => n.toLocaleString('en-US')

async function installation(): Promise<Finding[]> {
  const found = (check: string, status: Finding['status'], says: string): Finding => ({
    part: 'installation',
    check,
    status,
    says,
    do: null,
  })
  const [major, minor] = process.versions.node.split('.').map(Number)
  const recent = major! > 20 || (major === 20 && minor! >= 19)
  return [
    found('tranche', 'ok', version),
    recent
      ? found('node', 'ok', `${process.versions.node} on ${process.platform} ${process.arch}`)
      : found('node', 'problem', `${process.versions.node} is too old: install 20.19 or later`),
    await duckdb(found),
    // Optional: machines without a compiler lack it.
    (await present('hnswlib-node'))
      ? found('hnswlib-node', 'ok', 'installed')
      : found('hnswlib-node', 'note', 'not installed: exact search is used'),
  ]
}

async function duckdb(
  found: (check: string, status: Finding['status'], says: string) => Finding,
): Promise<Finding> {
  try {
    const { Database } = await import('../engine/database/database.ts')
    const database = await Database.create({ threads: 1 })
    const [row] = await database.rows<{ version: string }>('SELECT version() AS version')
    database.close()
    return found('duckdb', 'ok', row!.version)
  } catch (error) {
    // Doctor must report that the native part cannot be loaded, rather than crash.
    return found(
      'duckdb',
      'problem',
      `cannot be loaded: ${error instanceof Error ? error.message : error}; run npm ci again`,
    )
  }
}

const present = (name: string): Promise<boolean> =>
  import(name).then(
    () => true,
    () => false,
  )

const problemOf = (error: unknown): string => {
  if (error instanceof QueryError) return error.message
  throw error
}

async function lakeFindings(folder: string, data: boolean): Promise<Finding[]> {
  const { openLake } = await import('../engine/lake/lake.ts')
  const findings: Finding[] = []
  const say: Say = (check, status, says, todo = null) =>
    void findings.push({ part: 'lake', check, status, says, do: todo })
  const lake = await openLake(folder).catch(error => {
    say(
      'folder',
      error instanceof QueryError && error.kind === 'missing' ? 'note' : 'problem',
      problemOf(error),
    )
    return null
  })
  if (!lake) return findings
  say('folder', 'ok', `${lake.root}, created ${lake.created}`)
  const { lockHolder } = await import('../engine/lake/lock.ts')
  const holder = await lockHolder(lake)
  say(
    'lock',
    holder ? 'note' : 'ok',
    holder
      ? `held by process ${holder.pid} (${holder.command}) on ${holder.host} since ${holder.since}`
      : 'free',
  )
  const { bavail, bsize } = await statfs(lake.root)
  const free = bavail * bsize
  say('disk', free < 1e9 ? 'note' : 'ok', `${number(Math.round(free / 1e6))} MB free`)
  const records = await batches(lake, say)
  const isIntact = await snapshot(lake, say)
  return data && records ? [...findings, ...(await dataFindings(lake, records, isIntact))] : findings
}

async function stateFindings(named: string | undefined, folder: string): Promise<Finding[]> {
  const [{ checkState }, { stateLocation }] = await Promise.all([
    import('../server/state/check.ts'),
    import('../server/state/location.ts'),
  ])
  const findings = await checkState(stateLocation(named, folder))
  return findings.map(finding => ({ part: 'state', ...finding, do: null }))
}

type Say = (check: string, status: Finding['status'], says: string, todo?: string | null) => void

async function batches(lake: Lake, say: Say): Promise<ImportRecord[] | null> {
  const [{ readImports }, { verifyFile }, { inLake }] = await Promise.all([
    import('../engine/lake/imports.ts'),
    import('../engine/lake/verify.ts'),
    import('../engine/lake/lake.ts'),
  ])
  const records = await readImports(lake).catch(error => {
    say('batches', 'problem', problemOf(error))
    return null
  })
  if (!records) return null
  const files = records.flatMap(r => [...r.batches, ...(r.rejects ? [r.rejects] : [])])
  const problems: string[] = []
  for (const file of files)
    await verifyFile(inLake(lake, file.path), file, file.path).catch(error => problems.push(problemOf(error)))
  for (const problem of problems) say('batches', 'problem', problem)
  if (problems.length === 0)
    say(
      'batches',
      'ok',
      `${number(records.length)} source files, ${number(files.length)} batch files, all intact`,
    )
  return records
}

/** True if the current snapshot can be queried. */
async function snapshot(lake: Lake, say: Say): Promise<boolean> {
  const [{ readCurrent, readManifest, verifySnapshot }, { layout }] = await Promise.all([
    import('../engine/lake/snapshot.ts'),
    import('../engine/schema/resources/layout.ts'),
  ])
  const id = await readCurrent(lake).catch(error => {
    say('CURRENT', 'problem', problemOf(error))
    return undefined
  })
  if (id === undefined) return false
  if (id === null) {
    say('snapshot', 'note', 'none yet: run "tranche build"')
    return false
  }
  const { problems, files, unnamed } = await verifySnapshot(lake, id)
  for (const problem of problems) say('snapshot', 'problem', `${problem}: run "tranche build" again`)
  const isReadable = problems.length > 0 || (await readManifest(lake, id)).layout === layout
  if (!isReadable) {
    say('snapshot', 'problem', `${id} was built by another version of Tranche: run "tranche build"`)
    return false
  }
  if (problems.length === 0) say('snapshot', 'ok', `${id} is current, ${files} files, all intact`)
  if (unnamed.length > 0) say('snapshot', 'note', `contains unused files: ${unnamed.join(', ')}`)
  if (problems.length === 0) await vectorIndex(lake, id, say)
  return problems.length === 0
}

/** Which vector index searches use, and why. */
async function vectorIndex(lake: Lake, id: string, say: Say): Promise<void> {
  const [{ readManifest }, { native }] = await Promise.all([
    import('../engine/lake/snapshot.ts'),
    import('../engine/search/vectors/graph.ts'),
  ])
  const { options } = await readManifest(lake, id)
  const facts = options['vector_index'] as VectorIndexFacts | undefined
  // Snapshots of older builds do not record it.
  if (!facts) return
  const { used, because, recall_at_10 } = facts
  const recall = recall_at_10 === undefined ? '' : `${(100 * recall_at_10).toFixed(1)}% of the ten nearest`
  const reasons: Readonly<Record<VectorIndexFacts['because'], string>> = {
    chosen: `the build was told so by --vector-index ${facts.chosen}`,
    few_vectors: 'there are few vectors, which are compared in milliseconds',
    many_vectors: 'there are many vectors',
    not_installed: 'there are many vectors, but hnswlib-node was not installed when the snapshot was built',
    low_recall: `there are many vectors, but graphs find only ${recall}`,
    no_passages: 'there are no passages of filings',
  }
  const install = 'run "npm install hnswlib-node"'
  if (used === 'hnsw' && !(await native()))
    say(
      'vector index',
      'note',
      'exact: the snapshot has graphs (hnsw), but hnswlib-node is not installed',
      install,
    )
  else if (because === 'not_installed')
    say('vector index', 'note', `exact: ${reasons[because]}`, `${install}, then "tranche build"`)
  else
    say(
      'vector index',
      'ok',
      `${used}: ${reasons[because]}${used === 'hnsw' ? `; graphs find ${recall}` : ''}`,
    )
}

async function dataFindings(
  lake: Lake,
  records: readonly ImportRecord[],
  whole: boolean,
): Promise<Finding[]> {
  const { adviceOf, qualityChecks, refusalAdvice, refusals, sentenceOf } = await import(
    '../engine/snapshot/quality.ts'
  )
  const findings: Finding[] = []
  const say: Say = (check, status, says, todo = null) =>
    void findings.push({ part: 'data', check, status, says, do: todo })
  const refused = refusals(records)
  for (const { reason, count } of refused.rows)
    say('rejected rows', 'note', `${number(count)}: ${reason}`, refusalAdvice.rows(reason))
  for (const { reason, names } of refused.files)
    say(
      'refused files',
      'note',
      `${number(names.length)}: ${reason} (${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''})`,
      refusalAdvice.files,
    )
  if (!whole) return findings
  const { currentManifest } = await import('../engine/lake/snapshot.ts')
  const { as_of, notes, quality, freshness } = await currentManifest(lake)
  say('as of', 'ok', String(as_of))
  const { freshnessText } = await import('../engine/snapshot/as-of-day.ts')
  for (const sentence of freshness ? freshnessText(freshness) : []) say('freshness', 'note', sentence)
  for (const note of notes) say('build', 'note', note)
  if (!quality) {
    say('quality', 'note', 'the snapshot was built by an older version', 'run "tranche build" again')
    return findings
  }
  for (const { table, rows, companies, first, last, newest_known_from } of quality.tables) {
    const facts = [
      `${number(rows)} rows`,
      companies ? `${number(companies)} companies` : null,
      first && `${first} to ${last}`,
      newest_known_from && `known to ${newest_known_from}`,
    ]
    say(table, 'ok', facts.filter(Boolean).join(', '))
  }
  for (const { name } of qualityChecks) {
    const found = quality.findings.filter(f => f.check === name)
    for (const finding of found) say(name, finding.severity, sentenceOf(finding), adviceOf(name))
    if (found.length === 0) say(name, 'ok', 'none')
  }
  return findings
}
