import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { invalid } from '../engine/base/errors.ts'
import type { TransferStep } from '../engine/lake/store/push.ts'
import { text } from '../engine/schema/column.ts'
import { one, type Params } from '../engine/schema/params.ts'
import { verbatim } from './command.ts'
import type { Step } from './progress.ts'

export const cacheParams = {
  cache: one(
    text(
      'Space for the copy of a store; the least recently used snapshots are removed first. Default no limit.',
      {
        example: '50GB',
      },
    ),
  ),
} satisfies Params

/** Where a server keeps its copy of a store. */
export const cacheFolderParam = verbatim(
  'Folder for the copy of a lake that is a store; default one in ~/.cache/tranche.',
  'DIR',
)

/** The default folder for the copy of a store: one for each address. */
export function cacheFolder(store: string): string {
  const name = store.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 60)
  const digest = createHash('sha256').update(store).digest('hex').slice(0, 8)
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'tranche', `${name}-${digest}`)
}

/** `50GB` as bytes. */
export async function cacheBytes(size: string | undefined): Promise<number | undefined> {
  if (size === undefined) return undefined
  const { bytesOf } = await import('../engine/query/memory/memory.ts')
  const bytes = bytesOf(size, 'cache')
  if (bytes === 0) throw invalid('cache', size, 'a cache needs some space, such as 50GB')
  return bytes
}

export const transferStep =
  (verb: 'send' | 'receive') =>
  ({ file, done, total }: TransferStep): Step => ({ label: `${verb} ${file}`, done, total, unit: 'bytes' })
