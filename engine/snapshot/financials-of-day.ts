import { createHash } from 'node:crypto'
import { type Database, literal } from '../database/database.ts'
import { financialsOfDay, type SnapshotStatements } from '../derive/companies/other-financials.ts'
import type { DayFiles } from '../lake/day-files.ts'
import { inLake, type Lake } from '../lake/lake.ts'
import { type Manifest, verifiedFile } from '../lake/snapshot.ts'

/** The file of a snapshot that says what its statements are derived from. */
export const STATEMENT_KEYS = 'statement_keys.parquet'

/** The rows of a day besides those of a snapshot, and whose rows of the snapshot are none of the day: tables of the pipeline. */
const parts = ['other_financials', 'other_companies'] as const
type Part = (typeof parts)[number]

/** Where a day has them: a later snapshot has others. */
const nameOf = (part: Part, content: string): string => `${part}-${content}`

/** The part of a name; null for other tables. */
export const partNamed = (name: string): Part | null =>
  parts.find(part => name.startsWith(`${part}-`)) ?? null

/** The files of statements in a manifest; null if the snapshot has none: each day is then derived from everything. */
function filesOf({ tables, files }: Manifest) {
  const financials = tables.find(({ name }) => name === 'financials')
  const keys = files.find(({ file }) => file === STATEMENT_KEYS)
  if (!financials || !keys) return null
  const content = createHash('sha256')
    .update(`${financials.sha256} ${keys.sha256}`)
    .digest('hex')
    .slice(0, 16)
  return { financials, keys, content }
}

/** What SQL as of a day reads besides the tables of the day. */
export function filesBeside(lake: Lake, manifest: Manifest, kept: DayFiles): readonly string[] {
  const found = filesOf(manifest)
  if (!found) return []
  return [
    inLake(lake, `snapshots/${manifest.id}/${found.financials.file}`),
    ...parts.map(part => kept.pathOf(nameOf(part, found.content))),
  ]
}

/** Whether a day has a table in files, unverified: its own, or those beside the snapshot's. */
export async function hasTable(manifest: Manifest, kept: DayFiles, table: string): Promise<boolean> {
  if (await kept.has(table)) return true
  const found = table === 'financials' ? filesOf(manifest) : null
  if (!found) return false
  const has = await Promise.all(parts.map(part => kept.has(nameOf(part, found.content))))
  return has.every(Boolean)
}

/** The verified files of statements of a snapshot; null if it has none. */
export async function snapshotStatements(lake: Lake, manifest: Manifest): Promise<SnapshotStatements | null> {
  const found = filesOf(manifest)
  if (!found) return null
  const financials = await verifiedFile(lake, manifest, found.financials)
  return { financials, keys: await verifiedFile(lake, manifest, found.keys), content: found.content }
}

interface DayBeside {
  readonly database: Database
  readonly day: string
  readonly snapshot: SnapshotStatements
  /** The file of a table of the day, derived if it is missing. */
  readonly file: (name: string) => Promise<string>
}

/** `financials` as of a day, as a query over the file of a snapshot. */
export async function financialsBeside({ database, day, snapshot, file }: DayBeside): Promise<string> {
  const partOf = async (part: Part) => `read_parquet(${literal(await file(nameOf(part, snapshot.content)))})`
  const others = await partOf('other_financials')
  const rows = await database.rows<{ company_id: string }>(
    `SELECT company_id FROM ${await partOf('other_companies')} ORDER BY company_id`,
  )
  return financialsOfDay({
    day,
    snapshot: snapshot.financials,
    others,
    otherCompanies: rows.map(({ company_id }) => company_id),
  })
}
