import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

interface OpenFile {
  /** One per store that opened it; all are closed with the last one. */
  readonly descriptors: number[]
  stores: number
}

/**
 * Files by device and inode. SQLite's locks belong to the process: closing any descriptor of a file releases all of
 * them, and the next process to close the database, believing it is the last, deletes its -wal and -shm. So a file
 * stays open until the last store on it is closed.
 */
const opened = new Map<string, OpenFile>()

/** The header of a database file that stores of this process have open. */
export interface HeaderFile {
  /** The current first `length` bytes; fewer if the file was truncated. */
  read(length: number): Buffer
  /** To be called after the database is closed. */
  close(): void
}

/** Opens a database file to read its header; before SQLite opens it. */
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
