import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { QueryError } from '../base/errors.ts'

/** A file to ingest, as the user names it. */
export interface InputFile {
  readonly name: string
  readonly path: string
  /** Not a plain file, but a stream to be read once: a pipe, standard input. */
  readonly stream: boolean
}

export interface Walk {
  readonly files: readonly InputFile[]
  /** What was skipped and why, in sentences. */
  readonly notes: readonly string[]
}

export const STDIN = '-'

/**
 * The files of the paths, folders recursively in name order. Hidden names, links to folders and the lake itself are
 * skipped, with a note.
 */
export async function walk(paths: readonly string[], lakeRoot: string): Promise<Walk> {
  const files: InputFile[] = []
  const passed = { hidden: 0, links: 0, special: 0, lake: 0 }
  const unreadable: string[] = []
  const visit = async (folder: string): Promise<void> => {
    const entries = await entriesOf(folder)
    if (entries === null) {
      unreadable.push(folder)
      return
    }
    if ((await realpath(folder)) === lakeRoot) {
      passed.lake++
      return
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name)
      if (entry.name.startsWith('.')) passed.hidden++
      else if (entry.isDirectory()) await visit(path)
      else if (entry.isFile()) files.push({ name: path, path, stream: false })
      else {
        const target = entry.isSymbolicLink() ? await stat(path).catch(() => null) : null
        if (target?.isFile()) files.push({ name: path, path, stream: false })
        else if (entry.isSymbolicLink()) passed.links++
        else passed.special++
      }
    }
  }
  for (const path of paths) {
    if (path === STDIN) {
      files.push({ name: 'stdin', path, stream: true })
      continue
    }
    const info = await stat(path).catch(error => cannotOpen(path, error))
    if (!info) throw new QueryError('NOT_FOUND', `no file or folder ${path}`, { path })
    if (!info.isDirectory()) files.push({ name: path, path, stream: !info.isFile() })
    else if (`${await realpath(path)}${sep}`.startsWith(`${lakeRoot}${sep}`)) passed.lake++
    else await visit(path)
  }
  const notes = notesOf(passed)
  if (unreadable.length > 0)
    notes.push(`${unreadable.length} folders cannot be read: ${unreadable.slice(0, 3).join(', ')}`)
  return { files: distinct(files), notes }
}

/** Null if it cannot be read: what is beside it can. */
const entriesOf = (folder: string) =>
  readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (ofFolder.has(error.code ?? '')) return null
    throw error
  })

/** Codes of failures that lie with a folder or path rather than with this process. */
const ofFolder: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'EPERM',
  'EIO',
  'ELOOP',
  'ENAMETOOLONG',
  'ESTALE',
])

function cannotOpen(path: string, error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  if (ofFolder.has(error.code ?? ''))
    throw new QueryError('NOT_FOUND', `${path} cannot be read: ${error.code}`, { path })
  throw error
}

const distinct = (files: readonly InputFile[]): InputFile[] => [
  ...new Map(files.map(file => [file.path, file])).values(),
]

function notesOf(passed: { hidden: number; links: number; special: number; lake: number }): string[] {
  const counts: [number, string][] = [
    [passed.hidden, 'hidden files or folders were skipped (give one by name to read it)'],
    [passed.links, 'links to folders and broken links were skipped'],
    [passed.special, 'special files were skipped'],
  ]
  const notes = counts.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}`)
  return passed.lake > 0 ? [...notes, "the lake's own folder was skipped"] : notes
}
