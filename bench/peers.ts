import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { projectFolder } from './project-folder.ts'

/** The packages to compare with, from bench/package.json, which are not dependencies of the engine. */
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

/** Whether a peer is completely installed: npm may omit a native part without an error. */
export function isInstalled(name: PeerName): boolean {
  if (!existsSync(join(folder, 'node_modules', name))) return false
  try {
    own(name)
    return true
  } catch {
    return false
  }
}

/** A peer's exports, untyped, because peers are not installed where types are checked. */
// biome-ignore lint/suspicious/noExplicitAny: peers are not installed where types are checked
export type Foreign = any

/** Loaded by `require`: one peer overflows the stack when loaded by `import`. */
export function peer(name: PeerName): Foreign {
  const loaded = own(name)
  return loaded.default ?? loaded
}

/** The version that is installed. */
export const versionOf = (name: PeerName): string =>
  (own(join(folder, 'node_modules', name, 'package.json')) as { version: string }).version
