import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { projectFolder } from './project-folder.ts'

/** What the engine is held against: the packages of bench/package.json, which are not among the engine's own. */
export const peerNames = [
  'better-sqlite3',
  'nodejs-polars',
  'arquero',
  'hnswlib-node',
  'usearch',
  '@lancedb/lancedb',
] as const
export type PeerName = (typeof peerNames)[number]

const folder = join(projectFolder, 'bench')
const own = createRequire(join(folder, 'package.json'))

export const howToInstall = 'npm ci --prefix bench'

/** Whether a peer is installed for the benchmarks, whole: npm may leave out a native part without an error. */
export function isInstalled(name: PeerName): boolean {
  if (!existsSync(join(folder, 'node_modules', name))) return false
  try {
    own(name)
    return true
  } catch {
    return false
  }
}

/** What a peer gives: its types are not here where types are checked. */
// biome-ignore lint/suspicious/noExplicitAny: peers are not installed where types are checked
export type Foreign = any

/** Loaded by `require`: the form that one of them has for `import` overflows the stack. */
export function peer(name: PeerName): Foreign {
  const loaded = own(name)
  return loaded.default ?? loaded
}

/** The version that is installed. */
export const versionOf = (name: PeerName): string =>
  (own(join(folder, 'node_modules', name, 'package.json')) as { version: string }).version
