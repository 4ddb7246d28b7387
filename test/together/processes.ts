import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Only a file that hangs takes this long, in milliseconds: the ceiling has to hold on a machine that is busy with
 * other work.
 */
export const FILE_TIMEOUT = 900_000

/** So many files share a process at most: none is left to run alone at the end, and a crash fails few. */
const FILES_A_PROCESS = 10

/**
 * What a file says that changes or measures its process, starts others, or has tests outside of it: such a file has a
 * process of its own.
 */
const NEEDS_A_PROCESS =
  /\bprocess\.|\bglobalThis\b|\bglobal\.|child_process|worker_threads|perf_hooks|performance\.|node:v8|node:vm|plain-process|resident-process|both-stores|constructedPatterns/

/** Folders whose files share processes: their files leave engines, servers and the sample as they were. */
const SHARED_FOLDERS = [
  'base',
  'bench',
  'credit',
  'credit/options',
  'derive',
  'derive/debt',
  'docs',
  'encode',
  'filing',
  'filing/facts',
  'ingest',
  'lake',
  'names',
  'operations',
  'operations/resolve',
  'query',
  'query/memory',
  'schema',
  'search',
  'server',
  'server/state',
].map(name => join(name))

/**
 * Test files by the process that runs them: files of a folder that leave the process as it was run one after the
 * other in one, in the order of their names.
 */
export function byProcess(
  folder: string,
  files: readonly string[],
  sharedFolders: readonly string[] = SHARED_FOLDERS,
): string[][] {
  const processes: string[][] = []
  const shared = new Map<string, string[]>()
  for (const file of files.toSorted()) {
    const isShared = sharedFolders.includes(dirname(file))
    if (!isShared || NEEDS_A_PROCESS.test(readFileSync(join(folder, file), 'utf8'))) {
      processes.push([file])
      continue
    }
    const last = shared.get(dirname(file))
    if (last && last.length < FILES_A_PROCESS) last.push(file)
    else {
      const first = [file]
      shared.set(dirname(file), first)
      processes.push(first)
    }
  }
  return processes
}
