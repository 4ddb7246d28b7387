import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import type { Test } from 'tap'
import { ensureLake, type Lake } from '../engine/lake/lake.ts'
import { build } from '../engine/snapshot/build.ts'
import { removeFolder } from './folder.ts'
import { makeLake, type Rows } from './make-lake.ts'

/** Where built lakes are kept: by the suite for all its files, else until this process ends. */
const keptIn: string = process.env['TRANCHE_TEST_LAKES'] || ownFolder()

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tranche-lakes-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * A lake of these rows with its snapshot, in a folder of its own. Lakes of the same rows and day are built once and
 * copied after that: a build takes longer than most tests. For tests of what a lake answers, not of how it is built.
 */
export async function builtLake(
  teardown: Test['teardown'],
  rows: Rows,
  how: { readonly asOf?: string } = {},
): Promise<Lake> {
  const kind = createHash('sha256')
    .update(serialize([rows, how]))
    .digest('hex')
  const kept = join(keptIn, kind)
  if (existsSync(kept)) {
    const folder = await mkdtemp(join(tmpdir(), 'tranche-test-'))
    teardown(() => removeFolder(folder))
    await cp(kept, folder, { recursive: true })
    return ensureLake(folder)
  }
  const lake = await makeLake(teardown, rows)
  await build(lake, how)
  const copy = await mkdtemp(`${kept}.`)
  await cp(lake.root, copy, { recursive: true })
  // Another file may have been first.
  await rename(copy, kept).catch(() => rm(copy, { recursive: true }))
  return lake
}
