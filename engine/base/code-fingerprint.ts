import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The folders of the engine whose code decides what is derived from given rows. */
const FOLDERS = ['base', 'names', 'credit', 'schema', 'database', 'filing', 'derive', 'query']

let computed: Promise<string> | null = null

/**
 * A hash of the code that derives tables, and of the Node that runs it: results stored by another version of either are
 * not used. Arithmetic and sorting of names may differ between versions of Node and between processors.
 */
export const codeFingerprint = (): Promise<string> => {
  computed ??= compute()
  return computed
}

async function compute(): Promise<string> {
  const { node, v8, icu } = process.versions
  const hash = createHash('sha256').update(JSON.stringify([node, v8, icu, process.arch]))
  for (const folder of FOLDERS) {
    const root = fileURLToPath(new URL(`../${folder}/`, import.meta.url))
    const names = (await readdir(root, { recursive: true })).filter(name => /\.[jt]s$/.test(name)).sort()
    for (const name of names) hash.update(`${folder}/${name}\n`).update(await readFile(`${root}${name}`))
  }
  return hash.digest('hex').slice(0, 16)
}
