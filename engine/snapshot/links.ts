import { readFile } from 'node:fs/promises'
import { groupOf } from '../base/elements.ts'
import type { LinkedMention } from '../derive/issuers/issuers.ts'
import type { FileReport } from '../ingest/report.ts'
import { readImports } from '../lake/imports.ts'
import { inLake, type Lake } from '../lake/lake.ts'
import { currentManifest, type Manifest, verifiedFile } from '../lake/snapshot.ts'

/** A user's link of a name, an LEI or a CIK to a ticker; without a ticker it undoes an earlier one. */
export type LinkDecision = Readonly<Record<'name' | 'lei' | 'cik' | 'ticker', string | null>>

/** How the snapshot matched each name. */
export async function readLinks(lake: Lake, manifest: Manifest): Promise<LinkedMention[]> {
  const stored = manifest.files.find(f => f.file === 'links.json')
  return stored ? JSON.parse(await readFile(await verifiedFile(lake, manifest, stored), 'utf8')) : []
}

export const isUnlinked = ({ method, group_id }: LinkedMention): boolean => method === 'own' && !group_id

/** The mentions with this name, LEI or CIK. */
export function mentionsOf(mentions: readonly LinkedMention[], who: string): LinkedMention[] {
  const identifier = who.trim().toUpperCase()
  return mentions.filter(m => [m.name, m.lei, m.cik].some(value => value?.toUpperCase() === identifier))
}

/** A link of `who` to a ticker, where `-` undoes an earlier one; an LEI and a CIK are recognised by their form. */
export function linkDecision(who: string, to: string): LinkDecision {
  const identifier = who.trim()
  const ticker = to.trim() === '-' ? null : to.trim().toUpperCase()
  const unknown = { name: null, lei: null, cik: null, ticker }
  if (/^[0-9A-Z]{18}[0-9]{2}$/i.test(identifier)) return { ...unknown, lei: identifier.toUpperCase() }
  const digits = /^(?:CIK)?([0-9]{1,10})$/i.exec(identifier)
  return digits ? { ...unknown, cik: groupOf(digits, 1).padStart(10, '0') } : { ...unknown, name: identifier }
}

/** Stores links in the lake; the next build uses them. */
export async function storeLinks(
  lake: Lake,
  decisions: readonly LinkDecision[],
  source: string,
  { now = new Date(), ...options }: { now?: Date; signal?: AbortSignal; memory?: string } = {},
): Promise<FileReport> {
  const { writeRows } = await import('../ingest/ingest.ts')
  const decided_at = now.toISOString()
  const rows = decisions.map(decision => ({ ...decision, decided_at }))
  return writeRows(lake, 'links', rows, source, options)
}

/** Links that were stored after the snapshot was built, the last decision on each name, newest first. */
export async function pendingLinks(lake: Lake): Promise<LinkDecision[]> {
  const { inputs } = await currentManifest(lake)
  const built = new Set(inputs.map(({ path }) => path))
  const added = (await readImports(lake))
    .flatMap(({ batches }) => batches)
    .filter(({ dataset, path }) => dataset === 'links' && !built.has(path))
  if (added.length === 0) return []
  const { Database, literal } = await import('../database/database.ts')
  const database = await Database.create({ threads: 1, memory: '100MB' })
  try {
    const files = added.map(({ path }) => literal(inLake(lake, path))).join(', ')
    return await database.rows<LinkDecision>(
      `SELECT name, lei, cik, ticker FROM read_parquet([${files}])
       QUALIFY row_number() OVER (PARTITION BY name, lei, cik ORDER BY decided_at DESC NULLS LAST) = 1
       ORDER BY decided_at DESC NULLS LAST, name, lei, cik`,
    )
  } finally {
    database.close()
  }
}
