import type { Database } from '../database/database.ts'
import type { SpreadWidth } from '../query/spread-copies.ts'

/** The input of a recomputation: rows as loaded (`raw_<dataset>`), and the tables to check (`kept_<table>`). */
export interface Workbench {
  readonly db: Database
  /** The as-of day of the tables. */
  readonly asOf: string
  readonly assumeSeniority: string | null
  /** True for a sample of companies, where missing rows cannot be judged. */
  readonly sampled: boolean
  /** The snapshot's spread copies, and their width. */
  readonly copies: ReadonlyMap<string, SpreadWidth>
}

/** Tolerance: absolute, or relative to the figure. */
export interface Tolerance {
  readonly absolute?: number
  readonly share?: number
}

export const exact: Tolerance = {}
/** A figure stored with the given number of decimals. */
export const rounded = (decimals: number): Tolerance => ({ absolute: 0.5001 * 10 ** -decimals + 1e-9 })
/** Ratios of the same two numbers may differ in their last bits. */
export const ratios: Tolerance = { share: 1e-9 }

/**
 * Independent code and SQL that recomputes columns of a table. It never reads what it checks: only `made_` tables of
 * earlier recomputations, raw rows, and columns of kept tables that others verify.
 */
export interface Recomputation {
  readonly table: string
  /** Its method, for readers of a difference. */
  readonly how: string
  readonly columns: Readonly<Record<string, Tolerance>>
  /** Missing and extra rows are differences too. */
  readonly whole: boolean
  /** Checks the cells that users corrected, which the others leave out. */
  readonly ofCorrected?: boolean
  /** Computes the rows; returns the table or query with the table's key and `columns`. */
  make(bench: Workbench): Promise<string>
}

export interface Difference {
  readonly dataset: string
  readonly key: string
  readonly field: string
  readonly stored: string | null
  readonly recomputed: string | null
  /** Stored less recomputed, for numbers. */
  readonly difference: number | null
  readonly cause: string
}
