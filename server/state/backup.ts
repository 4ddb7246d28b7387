import { randomUUID } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { chmod, copyFile, link, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import Libsql from 'libsql'
import { invalid, QueryError } from '../../engine/base/errors.ts'
import { moveWhole, storageError, sync } from '../../engine/lake/durable.ts'
import { absent } from '../../engine/lake/lake.ts'
import { checkState } from './check.ts'
import { displayLocation, isPostgres } from './location.ts'
import { explainedSqlite } from './sqlite.ts'
import { stateDamaged, stateUnavailable } from './store.ts'

export interface Backup {
  readonly file: string
  readonly bytes: number
}

export interface Restored {
  readonly state: string
  /** The store before, under another name; null if there was none. */
  readonly kept: string | null
}

/** How long other writers are waited for. */
const PATIENCE_MS = 10_000

/**
 * Copies a SQLite store into a new file, as it is at one moment, while servers use it. The copy is checked before it gets its
 * name.
 */
export async function backUp(location: string, file: string): Promise<Backup> {
  refusePostgres(location, `pg_dump --schema tranche --format custom --file ${file}`)
  if ((await stat(location).catch(absent)) === null)
    throw new QueryError('NOT_FOUND', `no state store at ${location}: choose it with --state`, {
      state: location,
    })
  if (await stat(file).catch(absent)) throw invalid('words', file, `${file} exists: choose another file`)
  const scratch = `${file}.${randomUUID()}.tmp`
  try {
    // It holds the server secret.
    createPrivate(scratch, file)
    try {
      const database = new Libsql(location)
      try {
        database.pragma(`busy_timeout = ${PATIENCE_MS}`)
        database.prepare('vacuum into ?').run(scratch)
      } finally {
        database.close()
      }
    } catch (error) {
      throw explainedSqlite(location, error) ?? error
    }
    await checkWhole(scratch, location)
    await sync(scratch)
    const { size } = await stat(scratch)
    await moveWhole(scratch, file)
    return { file, bytes: size }
  } catch (error) {
    await removeAll(scratch)
    throw storageError(error, '')
  }
}

/** Puts a backup in the place of a SQLite store that nothing uses; the one that was there is kept under another name. */
export async function restore(location: string, file: string, now = new Date()): Promise<Restored> {
  refusePostgres(location, `pg_restore --clean --if-exists --dbname URL ${file}`)
  if ((await stat(file).catch(absent)) === null)
    throw new QueryError('NOT_FOUND', `there is no file ${file}`, { file })
  const scratch = `${location}.${randomUUID()}.tmp`
  try {
    await copyFile(file, scratch)
    await chmod(scratch, 0o600)
    await checkWhole(scratch, file)
    await sync(scratch)
    const isThere = (await stat(location).catch(absent)) !== null
    if (isThere) refuseUsed(location)
    const kept = `${location}.before-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`
    // Rows that could not be written into a damaged store; of a whole one there are none.
    if ((await stat(`${location}-wal`).catch(absent))?.size) await rename(`${location}-wal`, `${kept}-wal`)
    for (const end of COMPANIONS) await rm(location + end, { force: true })
    if (isThere) await link(location, kept).catch(() => copyFile(location, kept))
    await moveWhole(scratch, location)
    return { state: location, kept: isThere ? kept : null }
  } catch (error) {
    await removeAll(scratch)
    throw storageError(error, '')
  }
}

function createPrivate(scratch: string, file: string): void {
  try {
    closeSync(openSync(scratch, 'wx', 0o600))
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    throw invalid('words', file, `there is no folder ${dirname(file)}`)
  }
}

const COMPANIONS = ['-wal', '-shm']

const removeAll = async (path: string): Promise<void> => {
  for (const end of ['', ...COMPANIONS]) await rm(path + end, { force: true })
}

function refusePostgres(location: string, command: string): void {
  if (isPostgres(location))
    throw invalid(
      'state',
      displayLocation(location),
      `a PostgreSQL is backed up and restored by its own programs: ${command}`,
    )
}

/** Throws STATE_DAMAGED if a copy is not whole, or no store that this version reads. */
async function checkWhole(copy: string, of: string): Promise<void> {
  const findings = await checkState(copy)
  for (const end of COMPANIONS) await rm(copy + end, { force: true })
  const problem = findings.find(
    ({ check, status }) => status === 'problem' && ['state store', 'file', 'version'].includes(check),
  )
  if (problem) throw stateDamaged(`${of}: ${problem.says.replace(/^state store[^:]*: /, '')}`)
  if (!findings.some(({ check }) => check === 'version'))
    throw stateDamaged(
      `${of} is not a state store of Tranche: choose a file that "tranche state backup" made`,
    )
}

/** Throws STATE_UNAVAILABLE while another process has a store open: it would go on with the one that was replaced. */
function refuseUsed(location: string): void {
  try {
    const database = new Libsql(location)
    try {
      database.pragma('locking_mode = EXCLUSIVE')
      database.exec('begin exclusive')
      database.exec('rollback')
      database.pragma('wal_checkpoint(truncate)')
    } finally {
      database.close()
    }
  } catch (error) {
    // A damaged one is what is to be replaced.
    if (explainedSqlite(location, error)?.details['reason'] === 'locked')
      throw stateUnavailable(
        'locked',
        `state store ${location} is in use: stop the servers and commands that use it, then restore`,
      )
  }
}
