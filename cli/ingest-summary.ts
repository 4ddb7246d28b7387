import { firstOf } from '../engine/base/elements.ts'
import { append } from '../engine/base/lists.ts'
import type { FileReport, IngestReport } from '../engine/ingest/report.ts'
import { integer, text } from '../engine/schema/column.ts'
import { groupReasons } from './group-reasons.ts'

/** Lines of the summary for the reasons of files, of rows, and for notes; `--verbose` shows all. */
const MOST = { files: 6, members: 2, rows: 6, notes: 3 } as const

export const kindColumns = {
  kind: text('Kind the files were read as.'),
  files: integer('Files of this kind with rows, or without any to read.'),
  read: integer('Rows read.'),
  accepted: integer('Taken.'),
  duplicate: integer('Already in the lake.'),
  rejected: integer('Refused.'),
}

/** Rows by kind of file, the largest first; files of which nothing was read are in the reasons. */
export function byKind(files: readonly FileReport[]) {
  const kinds = new Map<string, FileReport[]>()
  for (const file of files)
    if (file.read > 0 || file.status === 'taken' || file.status === 'unchanged') {
      const kind = file.kinds.join(', ') || 'rows'
      kinds.set(kind, [...(kinds.get(kind) ?? []), file])
    }
  return [...kinds]
    .map(([kind, those]) => {
      const sum = (of: (file: FileReport) => number) => those.reduce((total, file) => total + of(file), 0)
      return {
        kind,
        files: those.length,
        read: sum(f => f.read),
        accepted: sum(f => f.accepted),
        duplicate: sum(f => f.duplicate),
        rejected: sum(f => f.rejected),
      }
    })
    .sort((a, b) => b.read - a.read || (a.kind < b.kind ? -1 : 1))
}

const counted = (n: number): string => n.toLocaleString('en-US')
const some = (n: number, what: string): string => `${counted(n)} ${what}${n === 1 ? '' : 's'}`

/** What happened to one file, with every reason in full. */
export function fileLines({ name, status, kinds, read, accepted, duplicate, ...file }: FileReport): string {
  const what = read > 0 ? `${counted(accepted)} of ${some(read, 'row')} accepted` : kinds.join(', ')
  const lines = [
    ...(file.reason === null ? [] : [file.reason]),
    ...(duplicate > 0 ? [`${some(duplicate, 'row')} already in the lake`] : []),
    ...Object.entries(file.reasons).map(([reason, rows]) => `rejected ${some(rows, 'row')}: ${reason}`),
    ...file.members.map(member => `${member.name} ${member.status}: ${member.reason}`),
    ...file.notes,
  ]
  return [
    `${status.padEnd(9)} ${name}${what ? `  (${what})` : ''}`,
    ...lines.map(l => `          ${l}`),
  ].join('\n')
}

/** The summary of an ingest, one line per fact; reasons that differ only in a value share a line. */
export function summary({ files, totals, notes }: IngestReport, verbose = false): string[] {
  const { read, accepted, duplicate, rejected } = totals
  const lines: string[] = []
  const list = (said: readonly Said[], most: number, line: (count: number, of: string) => string) => {
    const groups = grouped(said)
    const shown = verbose || groups.length <= most + 1 ? groups : groups.slice(0, most)
    for (const { count, reason, names } of shown)
      lines.push(
        `${line(count, names.length === 1 ? firstOf(names) : some(names.length, 'file'))}: ${reason}`,
      )
    const rest = groups.slice(shown.length)
    const left = rest.reduce((sum, { count }) => sum + count, 0)
    if (rest.length > 0)
      lines.push(`${line(left, 'other files')}: ${rest.length} other reasons, which --verbose lists`)
  }
  list(
    files.flatMap(({ name, reason }) => (reason === null ? [] : [{ name, reason, count: 1 }])),
    MOST.files,
    (_, of) => `not taken, ${of}`,
  )
  list(
    files.flatMap(({ name, members }) => members.map(({ reason }) => ({ name, reason, count: 1 }))),
    MOST.members,
    (count, of) => `left out, ${some(count, 'member')} of ${of}`,
  )
  list(
    files.flatMap(({ name, reasons }) =>
      Object.entries(reasons).map(([reason, count]) => ({ name, reason, count })),
    ),
    MOST.rows,
    (count, of) => `rejected ${some(count, 'row')} of ${of}`,
  )
  list(
    files.flatMap(file => file.notes.map(reason => ({ name: file.name, reason, count: 1 }))),
    MOST.notes,
    (_, of) => of,
  )
  if (process.env['TRANCHE_DEBUG'])
    for (const { failure, members } of files)
      append(
        lines,
        [failure, ...members.map(m => m.failure)].filter(trace => typeof trace === 'string'),
      )
  append(lines, notes)
  const { taken = 0, unchanged = 0, refused = 0, unknown = 0 } = totals.files
  lines.push(
    `${some(files.length, 'file')}: ${taken} taken, ${unchanged} unchanged, ${refused} refused, ${unknown} of no known kind`,
    `${some(read, 'row')} read: ${counted(accepted)} accepted, ${counted(duplicate)} duplicate, ${counted(rejected)} rejected`,
  )
  const added = Object.entries(totals.added).filter(([, rows]) => rows > 0)
  if (added.length > 0) {
    lines.push(`added: ${added.map(([dataset, rows]) => `${dataset} ${counted(rows)}`).join(', ')}`)
    lines.push('run "tranche build" to use them')
  }
  if (rejected > 0 || refused > 0) lines.push('"tranche rejects" shows what was refused and why')
  return lines
}

/** What is said of rows or the whole of a file. */
interface Said {
  readonly name: string
  readonly reason: string
  readonly count: number
}

/** Groups of reasons, with the files that they are of. */
function grouped(said: readonly Said[]) {
  const counts = new Map<string, number>()
  const files = new Map<string, Set<string>>()
  for (const { name, reason, count } of said) {
    counts.set(reason, (counts.get(reason) ?? 0) + count)
    files.set(reason, (files.get(reason) ?? new Set()).add(name))
  }
  return groupReasons(counts).map(({ members, ...group }) => ({
    ...group,
    names: [...new Set(members.flatMap(member => [...(files.get(member) ?? [])]))],
  }))
}
