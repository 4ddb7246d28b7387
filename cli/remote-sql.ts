import { QueryError } from '../engine/base/errors.ts'
import { openLake } from '../engine/lake/lake.ts'
import { readCurrent } from '../engine/lake/snapshot.ts'
import { parseRemote, schemaOf } from '../engine/query/remote/address.ts'
import { TrinoClient } from '../engine/query/remote/trino-client.ts'
import { MissingOnRemote, RefusedByRemote } from '../engine/query/remote/trino-errors.ts'
import { undeclaredChunk } from '../engine/query/remote/trino-values.ts'
import type { Choice } from './output.ts'
import { type Shown, writeStream } from './sql-output.ts'

/** Runs one statement on a Trino server and writes its rows. Unqualified tables are the current snapshot's, if there is a lake. */
export async function writeRemoteSql(
  { remote, lake }: { remote: string; lake: string },
  statement: string,
  { signal, plot }: Shown & { readonly signal: AbortSignal },
  choice: Choice,
): Promise<void> {
  const address = parseRemote(remote)
  const snapshot = await openLake(lake)
    .then(readCurrent)
    .catch(() => null)
  const schema = snapshot === null ? address.prefix : schemaOf(address, snapshot)
  const pages = new TrinoClient(address).readOnlyPages(statement, { signal }, { 'X-Trino-Schema': schema })
  const chunks = async function* () {
    for await (const page of pages) yield undeclaredChunk(page)
  }
  const about = { remote_schema: schema, ...(snapshot !== null && { snapshot }) }
  await writeStream(chunks(), about, { plot }, choice).catch(error => {
    if (error instanceof MissingOnRemote || error instanceof RefusedByRemote)
      throw new QueryError('INVALID_SQL', error.message)
    throw error
  })
}
