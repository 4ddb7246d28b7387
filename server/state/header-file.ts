import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

interface OpenFile {
  /** One of each store that opened it: none is closed before the last store is. */
  readonly descriptors: number[]
  stores: number
}

/**
 * Files by device and inode. The locks of SQLite are of the process: closing any descriptor of a file drops all that the process
 * holds on it, and the next process that closes the database takes itself for the last and deletes its -wal and -shm. So a file
 * is kept open until the last store on it is closed.
 */
const opened = new Map<string, OpenFile>()

/** The first bytes of a database file that stores of this process have open. */
export interface HeaderFile {
  /** The first `length` bytes as they are now; fewer where the file was cut. */
  read(length: number): Buffer
  /** To be called after the database is closed. */
  close(): void
}

/** Opens a database file to look at its first bytes; before SQLite opens it. */
export function openHeader(path: string): HeaderFile {
  const fd = openSync(path, 'r')
  const { dev, ino } = fstatSync(fd)
  const key = `${dev}:${ino}`
  const file = opened.get(key) ?? { descriptors: [], stores: 0 }
  opened.set(key, file)
  file.descriptors.push(fd)
  file.stores++
  let isOpen = true
  return {
    read(length) {
      const bytes = Buffer.alloc(length)
      return bytes.subarray(0, readSync(fd, bytes, 0, length, 0))
    },
    close() {
      if (!isOpen) return
      isOpen = false
      if (--file.stores > 0) return
      opened.delete(key)
      for (const each of file.descriptors) closeSync(each)
    },
  }
}
