import type { Accounting, ImportRecord } from '../lake/imports.ts'
import type { SourceIdentity } from './settle.ts'

/** `taken`: new rows are in the lake; `unchanged`: it had them all; `unknown`: not a known kind. */
export type FileStatus = 'taken' | 'unchanged' | 'refused' | 'unknown'

export interface MemberReport {
  readonly name: string
  readonly status: FileStatus
  readonly reason: string
  /** As `failure` of a file. */
  readonly failure?: string | null
}

export interface FileReport extends Accounting {
  readonly name: string
  readonly bytes: number
  readonly status: FileStatus
  readonly kinds: readonly string[]
  /** Why the file was refused, or what was found in one of no known kind. */
  readonly reason: string | null
  /** The stack trace, if an error of Tranche itself caused the refusal. */
  readonly failure: string | null
  /** Members of an archive that were skipped, with the reason. */
  readonly members: readonly MemberReport[]
  /** The record in the lake, if there is one. */
  readonly import: string | null
}

export type Totals = Pick<Accounting, 'read' | 'accepted' | 'duplicate' | 'rejected'> & {
  readonly files: Readonly<Record<FileStatus, number>>
  readonly added: Readonly<Record<string, number>>
}

export interface IngestReport {
  readonly files: readonly FileReport[]
  readonly totals: Totals
  readonly notes: readonly string[]
}

export const nothingRead: Accounting = {
  read: 0,
  accepted: 0,
  duplicate: 0,
  rejected: 0,
  added: {},
  reasons: {},
  notes: [],
}

export const statusOf = ({ accepted, duplicate, rejected }: Accounting): FileStatus => {
  if (accepted > 0) return 'taken'
  return rejected > 0 && duplicate === 0 ? 'refused' : 'unchanged'
}

export const report = (
  { name, bytes }: Pick<SourceIdentity, 'name' | 'bytes'>,
  status: FileStatus,
  rest: Omit<FileReport, 'name' | 'bytes' | 'status' | 'import' | 'failure'>,
): FileReport => ({ ...rest, name, bytes, status, import: null, failure: null })

export const unchanged = (before: ImportRecord, name: string): FileReport => ({
  ...nothingRead,
  name,
  bytes: before.bytes,
  status: 'unchanged',
  kinds: before.kinds,
  read: before.report.read,
  duplicate: before.report.read,
  reason: null,
  failure: null,
  members: [],
  import: before.id,
})

export function totalsOf(files: readonly FileReport[]): Totals {
  const added: Record<string, number> = {}
  for (const file of files)
    for (const [dataset, rows] of Object.entries(file.added)) added[dataset] = (added[dataset] ?? 0) + rows
  const sum = (of: (file: FileReport) => number) => files.reduce((total, file) => total + of(file), 0)
  const count = (status: FileStatus) => sum(file => (file.status === status ? 1 : 0))
  return {
    files: {
      taken: count('taken'),
      unchanged: count('unchanged'),
      refused: count('refused'),
      unknown: count('unknown'),
    },
    read: sum(file => file.read),
    accepted: sum(file => file.accepted),
    duplicate: sum(file => file.duplicate),
    rejected: sum(file => file.rejected),
    added,
  }
}
