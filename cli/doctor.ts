import { statfs } from 'node:fs/promises'
import { boolean, oneOf, text } from '../engine/column.ts'
import type { Engine } from '../engine/engine.ts'
import { QueryError } from '../engine/errors.ts'
import type { ImportRecord } from '../engine/lake/imports.ts'
import type { Lake } from '../engine/lake/lake.ts'
import { fallback, one } from '../engine/params.ts'
import { version } from '../engine/version.ts'
import { command, lakeFolder, lakeParams } from './command.ts'
import { exits } from './errors.ts'
import { chooseOutput, notice, onTerminal, outputLetters, outputParams, writeList } from './output.ts'

const statuses = ['ok', 'note', 'problem'] as const

export interface Finding {
  readonly part: 'installation' | 'lake' | 'data'
  readonly check: string
  /** A `note` is for reading; a `problem` has to be dealt with. */
  readonly status: (typeof statuses)[number]
  readonly says: string
}

const columns = {
  part: text('Part.'),
  check: text('What was checked.'),
  status: oneOf(statuses, 'How it is.'),
  says: text('What was found.'),
}

export const doctorCommand = command({
  word: 'doctor',
  params: {
    data: fallback(
      one(
        boolean('Also look into the data: counts, rejects, unlinked issuers, stale prices, missing curves.'),
      ),
      false,
    ),
    ...outputParams,
    ...lakeParams,
  },
  letters: outputLetters,
  notes: 'Exit code 4 where something is wrong.',
  examples: ['', '--data', '--format json'],
  async run({ lake, data, ...asked }) {
    const choice = chooseOutput(asked, onTerminal())
    const folder = lakeFolder(lake)
    const findings = [...(await installation()), ...(await lakeFindings(folder, data))]
    await writeList(columns, findings, choice)
    const problems = findings.filter(f => f.status === 'problem').length
    if (problems > 0) notice(`${problems} ${problems === 1 ? 'problem' : 'problems'}`)
    return problems > 0 ? exits.damaged : undefined
  },
})

const number = (n: number): string => n.toLocaleString('en-US')

async function installation(): Promise<Finding[]> {
  const found = (check: string, status: Finding['status'], says: string): Finding => ({
    part: 'installation',
    check,
    status,
    says,
  })
  const [major, minor] = process.versions.node.split('.').map(Number)
  const recent = major! > 20 || (major === 20 && minor! >= 19)
  return [
    found('tranche', 'ok', version),
    recent
      ? found('node', 'ok', `${process.versions.node} on ${process.platform} ${process.arch}`)
      : found('node', 'problem', `${process.versions.node} is too old: install 20.19 or later`),
    await duckdb(found),
    // Optional: a computer without a compiler goes without it.
    (await present('hnswlib-node'))
      ? found('hnswlib-node', 'ok', 'installed')
      : found('hnswlib-node', 'note', 'not installed: exact search is used'),
  ]
}

async function duckdb(
  found: (check: string, status: Finding['status'], says: string) => Finding,
): Promise<Finding> {
  try {
    const { Database } = await import('../engine/database.ts')
    const database = await Database.create({ threads: 1 })
    const [row] = await database.rows<{ version: string }>('SELECT version() AS version')
    database.close()
    return found('duckdb', 'ok', row!.version)
  } catch (error) {
    // The one thing doctor is for: to say that the native part does not load, and not to die of it.
    return found(
      'duckdb',
      'problem',
      `does not load: ${error instanceof Error ? error.message : error}; run npm ci again`,
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
  const say = (check: string, status: Finding['status'], says: string) =>
    void findings.push({ part: 'lake', check, status, says })
  const lake = await openLake(folder).catch(error => {
    say(
      'folder',
      error instanceof QueryError && error.kind === 'missing' ? 'note' : 'problem',
      problemOf(error),
    )
    return null
  })
  if (!lake) return findings
  say('folder', 'ok', `${lake.root}, made ${lake.created}`)
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
  const whole = await snapshot(lake, say)
  return data && records ? [...findings, ...(await dataFindings(lake, records, whole))] : findings
}

type Say = (check: string, status: Finding['status'], says: string) => void

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
      `${number(records.length)} source files, ${number(files.length)} batch files, all whole`,
    )
  return records
}

/** True where the snapshot in force can be asked. */
async function snapshot(lake: Lake, say: Say): Promise<boolean> {
  const { readCurrent, verifySnapshot } = await import('../engine/lake/snapshot.ts')
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
  if (problems.length === 0) say('snapshot', 'ok', `${id} is in force, ${files} files, all whole`)
  if (unnamed.length > 0) say('snapshot', 'note', `holds files that nothing reads: ${unnamed.join(', ')}`)
  return problems.length === 0
}

async function dataFindings(
  lake: Lake,
  records: readonly ImportRecord[],
  whole: boolean,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const say: Say = (check, status, says) => void findings.push({ part: 'data', check, status, says })
  const sums = (pick: (r: ImportRecord) => Readonly<Record<string, number>>): [string, number][] => {
    const totals = new Map<string, number>()
    for (const record of records)
      for (const [name, n] of Object.entries(pick(record))) totals.set(name, (totals.get(name) ?? 0) + n)
    return [...totals].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  }
  for (const [dataset, rows] of sums(r => r.report.added)) say(`rows of ${dataset}`, 'ok', number(rows))
  for (const [reason, rows] of sums(r => r.report.reasons))
    say('rejected', 'note', `${number(rows)}: ${reason}`)
  for (const { name, refused } of records.filter(r => r.refused !== null))
    say('refused file', 'note', `${name}: ${refused}`)
  if (!whole) return findings
  const { open } = await import('../engine/engine.ts')
  const engine = await open(lake)
  try {
    say('as of', 'ok', String(engine.manifest.as_of))
    for (const note of engine.manifest.notes) say('build', 'note', note)
    const { readLinks } = await import('./link.ts')
    const own = (await readLinks(lake)).filter(l => l.method === 'own')
    say(
      'unlinked issuers',
      own.length > 0 ? 'note' : 'ok',
      own.length > 0
        ? `${number(own.length)} ways of naming one match no company: "tranche link" lists them`
        : 'none',
    )
    await askData(engine, say)
  } finally {
    engine.close()
  }
  return findings
}

/** A curve this many days older than a price was not known by mistake of the calendar only. */
const CURVE_DAYS = 7

async function askData(engine: Engine, say: Say): Promise<void> {
  const { STALE_DAYS } = await import('../engine/operations/pricing.ts')
  const [prices] = await engine.sql<{ priced: number; stale: number; bonds: number; unranked: number }>(
    `SELECT (SELECT count(*) FROM pricing) AS priced,
       (SELECT count(*) FROM pricing WHERE staleness_days > ${STALE_DAYS}) AS stale,
       (SELECT count(*) FROM bonds WHERE is_active) AS bonds,
       (SELECT count(*) FROM bonds WHERE is_active AND seniority IS NULL) AS unranked`,
  )
  const { priced, stale, bonds, unranked } = prices!
  say('priced bonds', 'ok', `${number(priced)}; ${number(bonds)} active`)
  say(
    'stale prices',
    stale > 0 ? 'note' : 'ok',
    stale > 0 ? `${number(stale)} are older than ${STALE_DAYS} days` : 'none',
  )
  if (unranked > 0)
    say(
      'seniority',
      'note',
      `unknown for ${number(unranked)} active bonds, which the spread series leaves out unless the build assumes one`,
    )
  const [curves] = await engine.sql<{
    days: number
    first: string | null
    last: string | null
    bare: number
  }>(
    `WITH curves AS (SELECT DISTINCT date AS day FROM treasury_yields), days AS (SELECT DISTINCT date AS day FROM pricing_history)
     SELECT (SELECT count(*) FROM curves) AS days, (SELECT CAST(min(day) AS VARCHAR) FROM curves) AS first,
       (SELECT CAST(max(day) AS VARCHAR) FROM curves) AS last, count(*) FILTER (NOT coalesce(near, FALSE)) AS bare
     FROM (SELECT d.day, (SELECT max(c.day) >= d.day - ${CURVE_DAYS} FROM curves c WHERE c.day <= d.day) AS near FROM days d)`,
  )
  const { days, first, last, bare } = curves!
  say(
    'Treasury curves',
    days > 0 ? 'ok' : 'note',
    days > 0 ? `${number(days)} days, ${first} to ${last}` : 'none: no spread can be formed',
  )
  say(
    'missing curves',
    bare > 0 ? 'note' : 'ok',
    bare > 0 ? `${number(bare)} days with prices have no curve of the ${CURVE_DAYS} days before` : 'none',
  )
}
