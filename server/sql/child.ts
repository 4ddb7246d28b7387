import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { QueryError } from '../../engine/base/errors.ts'
import { Database } from '../../engine/database/database.ts'
import type { SqlValue } from '../../engine/database/parameters.ts'
import type { Chunk } from '../../engine/database/results.ts'
import { encode } from '../../engine/encode/encode.ts'
import { undeclared } from '../../engine/encode/undeclared.ts'
import { admitStatement } from '../../engine/sql/admit-statement.ts'
import { defineNamed, refuseCurves, withCurves } from '../../engine/sql/define-functions.ts'
import { sqlFunctions } from '../../engine/sql/sql-functions.ts'
import type {
  Done,
  Failed,
  Message,
  Named,
  OpenMessage,
  Reply,
  RunMessage,
  TablesMessage,
} from './messages.ts'

/**
 * The process in which untrusted statements run. It has one database file open at a time, read-only, without access to
 * anything else, and its parent kills it when a statement exceeds its time.
 */
let database: Database | null = null
let folder = ''
let isWatched = false

process.on('message', (message: Message) => {
  void answer(message)
    .catch(failed)
    .then(reply => process.send!(reply))
})
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
// If the system runs out of memory, this process is killed first.
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {})
process.send!({ kind: 'ready' } satisfies Reply)

function answer(message: Message): Promise<Reply> {
  if (message.kind === 'open') return open(message)
  return message.kind === 'run' ? run(message) : tablesOf(message)
}

async function tablesOf({ sql, over }: TablesMessage): Promise<Named> {
  const { text, tables } = await admitStatement(database!, sql, over)
  if (over === 'one day') return { kind: 'named', tables: withCurves(tables, sqlFunctions, text) }
  refuseCurves(sqlFunctions, text)
  return { kind: 'named', tables }
}

async function open({ file, memory, resident, threads }: OpenMessage): Promise<Reply> {
  database?.close()
  folder = dirname(file)
  database = await Database.create({ file, readOnly: true, memory: `${memory}MiB`, threads, temp: null })

  await database.confine({})
  if (!isWatched) watch(resident)
  isWatched = true
  return { kind: 'opened' }
}

/** DuckDB's own limit does not count every string it allocates. */
function watch(resident: number): void {
  setInterval(() => {
    if (process.memoryUsage.rss() < resident * 2 ** 20) return
    process.send!({ kind: 'memory' } satisfies Reply, () => process.kill(process.pid, 'SIGKILL'))
  }, 20).unref()
}

async function run(request: RunMessage): Promise<Done> {
  const db = database!
  const statement = await admitStatement(db, request.sql, request.over)
  await defineNamed(db, sqlFunctions, statement.text, { macros: false })
  const { columns, chunks } = await undeclared(db.query(statement, request.params as readonly SqlValue[]))
  const counted = { rows: 0, truncated: false }
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of encode(
    request.format,
    { columns, chunks: bounded(chunks, request, counted) },
    { safe: request.csvSafe, about: request.about },
  )) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    size += bytes.length
    if (size > request.maxBytes) throw tooLarge(request)
    pieces.push(bytes)
  }
  return {
    kind: 'done',
    columns: columns.map(({ name, column }) => ({ name, kind: column.kind })),
    bytes: Buffer.concat(pieces),
    rowCount: counted.rows,
    truncated: counted.truncated,
    resident: Math.round(process.memoryUsage.rss() / 2 ** 20),
  }
}

/** Stops at the requested limit; without one, more rows than allowed are an error. */
async function* bounded(
  chunks: AsyncIterable<Chunk>,
  request: RunMessage,
  counted: { rows: number; truncated: boolean },
): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    const room = (request.limit ?? request.maxRows) - counted.rows
    if (chunk.rowCount <= room) {
      counted.rows += chunk.rowCount
      yield chunk
      continue
    }
    if (request.limit === null) throw tooLarge(request)
    counted.rows += room
    counted.truncated = true
    yield { rowCount: room, columns: chunk.columns.map(column => column.slice(0, room)) }
    return
  }
}

const tooLarge = ({ maxRows, maxBytes }: RunMessage) =>
  new QueryError(
    'RESULT_TOO_LARGE',
    `the result is above ${maxRows} rows or ${maxBytes} bytes: aggregate, select fewer columns, or give a limit`,
    { max_rows: maxRows, max_bytes: maxBytes },
  )

function failed(error: unknown): Failed {
  if (error instanceof QueryError)
    return { kind: 'failed', code: error.code, message: clean(error.message), details: error.details }
  const message = error instanceof Error ? error.message : String(error)
  // DuckDB's errors begin with their kind; any other comes from this code.
  const ofDuckDb = /^(Failed to extract statements: *)?[A-Z][\w ]* Error: /.test(message)
  return { kind: 'failed', code: ofDuckDb ? 'INVALID_SQL' : null, message: clean(message), details: {} }
}

function clean(message: string): string {
  const text = message.replace(/^Failed to extract statements: */, '').replaceAll(folder || '\0', '')
  return text.length > 2000 ? `${text.slice(0, 2000)}…` : text
}
