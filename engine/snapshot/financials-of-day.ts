import { createHash } from 'node:crypto'
import { damaged } from '../base/errors.ts'
import { type Database, literal } from '../database/database.ts'
import { financialsOfDay, type SnapshotStatements } from '../derive/companies/other-financials.ts'
import type { Lake } from '../lake/lake.ts'
import { type Manifest, type StoredFile, verifiedFile } from '../lake/snapshot.ts'
import { tableFile } from './day-tables.ts'

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

function keysFile({ id, files }: Manifest): StoredFile {
  const keys = files.find(({ file }) => file === STATEMENT_KEYS)
  if (keys) return keys
  throw damaged(
    `snapshots/${id}`,
    `has no ${STATEMENT_KEYS}: it was built by an older version; run "tranche build" again`,
  )
}

/** Names what a snapshot holds of statements. */
const contentOf = (manifest: Manifest): string =>
  createHash('sha256')
    .update(`${tableFile(manifest, 'financials').sha256} ${keysFile(manifest).sha256}`)
    .digest('hex')
    .slice(0, 16)

/** The files of a day that have its financials besides those of a snapshot. */
export function filesBeside(manifest: Manifest): readonly string[] {
  const content = contentOf(manifest)
  return parts.map(part => nameOf(part, content))
}

/** The files of statements of a snapshot, verified. */
export async function snapshotStatements(lake: Lake, manifest: Manifest): Promise<SnapshotStatements> {
  const financials = await verifiedFile(lake, manifest, tableFile(manifest, 'financials'))
  const keys = await verifiedFile(lake, manifest, keysFile(manifest))
  return { content: contentOf(manifest), financials, keys }
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
  const [others, companies] = await Promise.all(parts.map(part => file(nameOf(part, snapshot.content))))
  const rows = await database.rows<{ company_id: string }>(
    `SELECT company_id FROM read_parquet(${literal(companies!)}) ORDER BY company_id`,
  )
  return financialsOfDay({
    day,
    snapshot: snapshot.financials,
    others: `read_parquet(${literal(others!)})`,
    otherCompanies: rows.map(({ company_id }) => company_id),
  })
}
