import { join } from 'node:path'
import { invalid, QueryError } from '../base/errors.ts'
import { Database, literal, quote } from '../database/database.ts'
import { inLake, type Lake } from '../lake/lake.ts'
import { type Candidate, type Manifest, readManifest } from '../lake/snapshot.ts'
import { nearest } from '../names/nearest.ts'
import { isNumeric } from '../schema/column.ts'
import type { Resource } from '../schema/resource.ts'
import { tables } from '../schema/resources/tables.ts'

/** Limits of a rule on a table, and what each is compared with. */
const tableLimits = {
  min_rows: 'Least number of rows.',
  max_rows: 'Greatest number of rows.',
  max_rows_lost_pct: 'Rows fewer than in the current snapshot, in percent of its rows.',
  max_rows_gained_pct: 'Rows more than in the current snapshot, in percent of its rows.',
} as const

/** Limits of a rule on a column of a table. */
const columnLimits = {
  min_present_pct: 'Least share of rows with a value, in percent.',
  max_present_lost_pct: 'Fall of that share from the current snapshot, in percentage points.',
  max_median_shift_pct: 'Distance of the median from that of the current snapshot, in percent of it.',
} as const

export const gateLimits = { ...tableLimits, ...columnLimits }
type LimitName = keyof typeof gateLimits

/** One rule of a gate: a table, perhaps a column of it, and limits. */
export interface GateRule extends Partial<Readonly<Record<LimitName, number>>> {
  readonly table: string
  readonly column?: string
}

/** What a build must fulfil to be published. */
export interface Gate {
  readonly rules: readonly GateRule[]
}

const names = Object.keys(gateLimits) as LimitName[]

/** A gate as it was read from JSON; throws INVALID_PARAMETER with the first thing that is wrong. */
export function parseGate(given: unknown): Gate {
  if (!isObject(given) || !Array.isArray(given['rules']) || given['rules'].length === 0)
    throw invalid('gate', null, 'gate must be an object with "rules", an array of at least one')
  const other = Object.keys(given).find(name => name !== 'rules')
  if (other !== undefined) throw invalid('gate', other, `gate has no member ${other}: it has "rules"`)
  return { rules: given['rules'].map((rule: unknown, i) => parseRule(rule, `rule ${i + 1} of the gate`)) }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parseRule(given: unknown, where: string): GateRule {
  if (!isObject(given)) throw invalid('gate', given, `${where} must be an object`)
  const { table, column, ...limits } = given
  const resource = tables.find(t => t.table === table)
  if (!resource)
    throw unknown(
      where,
      'table',
      table,
      tables.map(t => t.table),
    )
  if (column !== undefined && (typeof column !== 'string' || !Object.hasOwn(resource.columns, column)))
    throw unknown(where, 'column', column, Object.keys(resource.columns))
  const allowed: readonly LimitName[] =
    column === undefined
      ? (Object.keys(tableLimits) as LimitName[])
      : (Object.keys(columnLimits) as LimitName[])
  for (const [name, value] of Object.entries(limits)) {
    if (!(allowed as readonly string[]).includes(name)) {
      const needs = (names as readonly string[]).includes(name)
        ? column === undefined
          ? `${where}: ${name} needs a column`
          : `${where}: ${name} is of a table: put it into a rule without a column`
        : undefined
      throw needs === undefined ? unknown(where, 'limit', name, allowed) : invalid('gate', name, needs)
    }
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
      throw invalid('gate', value, `${where}: ${name} must be a number, 0 or more`)
  }
  if (Object.keys(limits).length === 0)
    throw invalid('gate', given, `${where} has no limit: give one of ${allowed.join(', ')}`, { allowed })
  if (limits['max_median_shift_pct'] !== undefined && !hasMedian(resource, String(column)))
    throw invalid('gate', column, `${where}: ${column} has no median: it is not a number`)
  return given as unknown as GateRule
}

const hasMedian = ({ columns }: Resource, name: string): boolean => {
  const column = columns[name]
  return column !== undefined && isNumeric(column)
}

function unknown(where: string, what: string, value: unknown, allowed: readonly string[]): QueryError {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const meant = nearest(text, allowed)
  return invalid(
    'gate',
    value,
    `${where}: there is no ${what} ${text}${meant ? `; did you mean ${meant}?` : ''}`,
    { allowed, ...(meant && { suggestion: meant }) },
  )
}

/** A limit that was broken, or could not be compared. */
export interface GateFinding {
  readonly table: string
  readonly column: string | null
  readonly limit: LimitName
  readonly allowed: number
  /** Rows, or percent as the limit says; null if there is nothing to compare with. */
  readonly found: number | null
  /** One sentence. */
  readonly says: string
}

export interface GateReport {
  readonly broken: readonly GateFinding[]
  /** Comparisons that were left out because the current snapshot does not have the table, the column or a median. */
  readonly skipped: readonly GateFinding[]
  readonly limits: number
}

/** What a gate finds in a finished snapshot, beside the one that is current. */
export async function checkGate(lake: Lake, gate: Gate, candidate: Candidate): Promise<GateReport> {
  const before =
    candidate.before === null ? null : await readManifest(lake, candidate.before).catch(() => null)
  const now = { manifest: candidate.manifest, folder: candidate.folder }
  const then = before && { manifest: before, folder: inLake(lake, 'snapshots', before.id) }
  const database = await Database.create({ threads: 1 })
  const found: GateFinding[] = []
  try {
    for (const rule of gate.rules) {
      const measures = await measure(database, now, rule)
      const former = then && (await measure(database, then, rule).catch(() => null))
      for (const limit of names)
        if (rule[limit] !== undefined) found.push(finding(rule, limit, rule[limit], measures!, former))
    }
  } finally {
    database.close()
  }
  return {
    broken: found.filter(({ limit, allowed, found }) => found !== null && isBroken(limit, found, allowed)),
    skipped: found.filter(one => one.found === null),
    limits: found.length,
  }
}

interface Measures {
  readonly rows: number
  /** Percent of rows with a value; of no rows, 100. */
  readonly present: number | null
  readonly median: number | null
}

interface SnapshotFiles {
  readonly manifest: Manifest
  readonly folder: string
}

/** Null if the snapshot lacks the table or the column. */
async function measure(
  database: Database,
  { manifest, folder }: SnapshotFiles,
  { table, column, max_median_shift_pct }: GateRule,
): Promise<Measures | null> {
  const stored = manifest.tables.find(({ name }) => name === table)
  if (!stored) return null
  if (column === undefined) return { rows: stored.rows, present: null, median: null }
  if (!stored.columns.some(({ name }) => name === column)) return null
  const median = max_median_shift_pct === undefined ? 'NULL' : `median(CAST(${quote(column)} AS DOUBLE))`
  const [row] = await database.rows<{ present: number; median: number | null }>(`
    SELECT CAST(count(${quote(column)}) AS DOUBLE) AS present, CAST(${median} AS DOUBLE) AS median
    FROM read_parquet(${literal(join(folder, stored.file))})`)
  const { rows } = stored
  return { rows, present: rows === 0 ? 100 : (100 * (row?.present ?? 0)) / rows, median: row?.median ?? null }
}

const isBroken = (limit: LimitName, found: number, allowed: number): boolean =>
  limit.startsWith('min_') ? found < allowed : found > allowed

/** Percent by which a number is above a base; of no base, infinite unless nothing changed. */
const gain = (now: number, base: number): number =>
  now === base ? 0 : base === 0 ? Number.POSITIVE_INFINITY : (100 * (now - base)) / Math.abs(base)

function foundBy(limit: LimitName, now: Measures, former: Measures | null): number | null {
  switch (limit) {
    case 'min_rows':
    case 'max_rows':
      return now.rows
    case 'min_present_pct':
      return now.present
    case 'max_rows_lost_pct':
      return former && Math.max(0, -gain(now.rows, former.rows))
    case 'max_rows_gained_pct':
      return former && Math.max(0, gain(now.rows, former.rows))
    case 'max_present_lost_pct':
      return former && Math.max(0, former.present! - now.present!)
    case 'max_median_shift_pct':
      if (former === null || former.median === null) return null
      return now.median === null ? Number.POSITIVE_INFINITY : Math.abs(gain(now.median, former.median))
  }
}

function finding(
  { table, column }: GateRule,
  limit: LimitName,
  allowed: number,
  now: Measures,
  former: Measures | null,
): GateFinding {
  const found = foundBy(limit, now, former)
  const name = column === undefined ? table : `${table}.${column}`
  const says =
    found === null
      ? `${name}: ${limit} not checked: the current snapshot has nothing to compare with`
      : `${name}: ${textOf(limit, found, now, former)}, ${limit} is ${allowed}`
  return { table, column: column ?? null, limit, allowed, found, says }
}

const count = (n: number): string => n.toLocaleString('en-US')
const percent = (n: number): string => (Number.isFinite(n) ? `${Number(n.toFixed(2))}%` : 'without bound')

function textOf(limit: LimitName, found: number, now: Measures, former: Measures | null): string {
  switch (limit) {
    case 'min_rows':
    case 'max_rows':
      return `${count(now.rows)} rows`
    case 'max_rows_lost_pct':
    case 'max_rows_gained_pct':
      return `${count(now.rows)} rows after ${count(former!.rows)}, a change of ${percent(found)}`
    case 'min_present_pct':
      return `${percent(found)} of rows have a value`
    case 'max_present_lost_pct':
      return `${percent(now.present!)} of rows have a value after ${percent(former!.present!)}`
    case 'max_median_shift_pct':
      return `median ${now.median} after ${former!.median}, a change of ${percent(found)}`
  }
}

/** The error of a build whose snapshot is kept, but not published. */
export function gateError(id: string, { broken }: GateReport): QueryError {
  return new QueryError(
    'GATE_FAILED',
    `snapshot ${id} is not published, the current one stays:\n${broken.map(({ says }) => `  ${says}\n`).join('')}` +
      `"tranche snapshots diff current ${id}" compares them, "tranche snapshots use ${id}" publishes it all the same`,
    { snapshot: id, broken },
  )
}
