import { firstOf } from '../../base/elements.ts'
import { instrumentKey, isTermLoan, tenorOf } from './instrument-key.ts'
import type { StatedCovenant } from './stated-covenant.ts'

/** What the covenants of one agreement share. */
export interface Agreement {
  /** The day on which it matures, as the newest of its documents that says so has it. */
  readonly matures: string | null
  /** The newest day of a document that states any of its covenants. */
  readonly lastStated: string | null
  /** Whether reports tell of it, and beside them only the current reports that announced it. */
  readonly isToldByReports: boolean
}

type Stated = Pick<
  StatedCovenant,
  | 'company_id'
  | 'instrument_name'
  | 'agreement_date'
  | 'agreement_maturity_date'
  | 'document_type'
  | 'day'
  | 'rule'
>

export const isReport = ({ document_type }: Pick<Stated, 'document_type'>): boolean =>
  /^(?:10-?[KQ]|20-?F|40-?F|EX-13)/i.test(document_type ?? '')
export const isCurrent = ({ document_type }: Pick<Stated, 'document_type'>): boolean =>
  /^[86]-?K/i.test(document_type ?? '')
const isOwnText = (row: Stated): boolean => !isReport(row) && !isCurrent(row)

/** The key of the agreement that a row is of. */
export type AgreementKey = (row: Stated) => string | null

/**
 * Which agreement each row is of: told by company, kind and date; of agreements of one date also by the tenors that their
 * names state, and whether their own texts are of term loans. Null of a loaded row, of one without a date, and of a guarantee or lease.
 */
export function agreementKeys(rows: readonly Stated[]): AgreementKey {
  const tenors = new Map<string, Set<string>>()
  const kinds = new Map<string, Set<boolean>>()
  for (const row of rows) {
    const [key, name] = [keyByDate(row), row.instrument_name ?? '']
    const tenor = tenorOf(name)
    if (key !== null && tenor !== null) tenors.set(key, (tenors.get(key) ?? new Set()).add(tenor))
    if (key !== null && isOwnText(row)) kinds.set(key, (kinds.get(key) ?? new Set()).add(isTermLoan(name)))
  }
  return row => {
    const [key, name] = [keyByDate(row), row.instrument_name ?? '']
    if (key === null) return null
    const tenor = (tenors.get(key)?.size ?? 0) > 1 ? tenorOf(name) : null
    const isTerm = (kinds.get(key)?.size ?? 0) > 1 && isTermLoan(name)
    return [key, tenor, isTerm].join('\n')
  }
}

function keyByDate({ company_id, instrument_name: name, agreement_date: date, rule }: Stated): string | null {
  if (company_id === null || name === null || date === null || rule === null) return null
  const { family } = instrumentKey(name, null)
  return family === 'ancillary' ? null : [company_id, family, date].join('\n')
}

/** A covenant: the row by which it is told, and all rows that state it. */
interface Covenant {
  readonly shown: Stated
  readonly rows: readonly Stated[]
}

/** The agreement of each covenant; null of a loaded one, and of one whose agreement has no date. */
export function agreementsOf(
  covenants: readonly Covenant[],
  keyOf: AgreementKey,
): readonly (Agreement | null)[] {
  const keys = covenants.map(({ shown }) => keyOf(shown))
  const members = new Map<string, Stated[]>()
  for (const [i, { rows }] of covenants.entries()) {
    const key = keys[i] ?? null
    if (key !== null) members.set(key, [...(members.get(key) ?? []), ...rows])
  }
  const agreements = new Map([...members].map(([key, own]) => [key, agreementIn(own)]))
  return keys.map(key => agreements.get(key ?? '') ?? null)
}

function agreementIn(rows: readonly Stated[]): Agreement {
  const maturities = rows.flatMap(({ day, agreement_maturity_date: matures }) =>
    matures === null ? [] : [{ day: day ?? '', matures }],
  )
  maturities.sort((a, b) => compare(a.day, b.day) || compare(a.matures, b.matures))
  const days = rows.flatMap(({ day }) => day ?? []).sort()
  return {
    matures: maturities.at(-1)?.matures ?? null,
    lastStated: days.at(-1) ?? null,
    isToldByReports: rows.some(isReport) && !rows.some(isOwnText),
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

interface Use {
  readonly name: string
  readonly isOwn: boolean
  readonly times: number
  readonly newest: number
}

/**
 * One name for an agreement, or for an instrument whose words tell it from others, that documents name in several ways: the
 * one of its own text, else the one most often used, else the newest.
 */
export function namesOf(rows: readonly Stated[], ofAgreement: AgreementKey): (row: Stated) => string | null {
  const keyOf = (row: Stated): string | null => {
    if (row.company_id === null || row.instrument_name === null || row.rule === null) return null
    const { family, words, owner } = instrumentKey(row.instrument_name, null)
    if (family === 'ancillary') return null
    return ofAgreement(row) ?? (words === '' ? null : [row.company_id, family, words, owner].join('\n'))
  }
  const uses = new Map<string, Map<string, Use>>()
  for (const [n, row] of rows.entries()) {
    const [key, name] = [keyOf(row), row.instrument_name]
    if (key === null || name === null) continue
    const names = uses.get(key) ?? new Map<string, Use>()
    const { isOwn = false, times = 0 } = names.get(name) ?? {}
    names.set(name, { name, isOwn: isOwn || isOwnText(row), times: times + 1, newest: n })
    uses.set(key, names)
  }
  const best = new Map([...uses].map(([key, names]) => [key, firstOf([...names.values()].sort(byUse)).name]))
  return row => best.get(keyOf(row) ?? '') ?? row.instrument_name
}

const byUse = (a: Use, b: Use): number =>
  Number(b.isOwn) - Number(a.isOwn) || b.times - a.times || b.newest - a.newest
