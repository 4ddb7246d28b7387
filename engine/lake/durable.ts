import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { QueryError } from '../base/errors.ts'

/** Syncs a file's bytes or a folder's names to disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } catch (error) {
    // Some file systems cannot sync a folder and say so; their renames are as safe as they can be.
    if (!['EINVAL', 'EISDIR', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await handle.close()
  }
}

/** Writes a file atomically, surviving a crash. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.tmp`
  const handle = await open(temporary, 'w')
  try {
    await handle.writeFile(content)
    await handle.sync()
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  await moveWhole(temporary, path)
}

/** Renames a synced file or folder durably. */
export async function moveWhole(from: string, to: string): Promise<void> {
  await rename(from, to)
  await sync(dirname(to))
}

const storage: Record<string, string> = {
  ENOSPC: 'the disk is full: free some space and run it again',
  EDQUOT: 'the disk quota is used up: free some space and run it again',
  EROFS: 'the disk is read-only',
  EACCES: 'no permission to write there',
  EPERM: 'no permission to write there',
  EIO: 'the disk failed to read or write: check it before going on',
  EMFILE: 'too many open files: raise the limit (ulimit -n) and run it again',
  ENFILE: 'too many open files on this machine: run it again later',
}

/**
 * A disk failure as an error the user can act on; any other error unchanged.
 * @param consequence what it means for the data
 */
export function storageError(error: unknown, consequence = '; the lake is as it was before'): unknown {
  if (!(error instanceof Error) || error instanceof QueryError) return error
  const code = (error as NodeJS.ErrnoException).code ?? fromMessage(error.message)
  const says = code ? storage[code] : undefined
  return says ? new QueryError('STORAGE_FAILED', `${says} (${error.message})${consequence}`, { code }) : error
}

const fromMessage = (message: string): string | undefined =>
  /No space left on device|failed to offload data block|max_temp_directory_size/i.test(message)
    ? 'ENOSPC'
    : /Read-only file system/i.test(message)
      ? 'EROFS'
      : /Permission denied/i.test(message)
        ? 'EACCES'
        : /Input\/output error/i.test(message)
          ? 'EIO'
          : /Too many open files/i.test(message)
            ? 'EMFILE'
            : undefined
