import type { Database } from '../database/database.ts'
import type { SpreadWidth } from '../query/spread-copies.ts'

/** What a recomputation reads: rows as they were loaded (`raw_<dataset>`), and the tables to be checked (`kept_<table>`). */
export interface Workbench {
  readonly db: Database
  /** The day the tables speak as of. */
  readonly asOf: string
  readonly assumeSeniority: string | null
  /** True where only some companies are looked at: then nothing can be said of rows that are missing. */
  readonly sampled: boolean
  /** The copies of the spreads that the snapshot has, and their width. */
  readonly copies: ReadonlyMap<string, SpreadWidth>
}

/** The greatest difference that is none: absolute, or as a share of the figure. */
export interface Tolerance {
  readonly absolute?: number
  readonly share?: number
}

export const exact: Tolerance = {}
/** A figure stored with so many decimals. */
export const rounded = (decimals: number): Tolerance => ({ absolute: 0.5001 * 10 ** -decimals + 1e-9 })
/** Ratios of the same two numbers may differ in their last bits. */
export const ratios: Tolerance = { share: 1e-9 }

/**
 * A second way, with code and SQL of its own, to the columns of a table. It never reads what it is there to check:
 * `made_` tables of earlier recomputations, raw rows, and of kept tables only columns that others certify.
 */
export interface Recomputation {
  readonly table: string
  /** How, for whoever reads a difference. */
  readonly how: string
  readonly columns: Readonly<Record<string, Tolerance>>
  /** A row more or less than the table has is a difference too. */
  readonly whole: boolean
  /** Makes the rows; returns the table or query that holds the table's key and `columns`. */
  make(bench: Workbench): Promise<string>
}

export interface Difference {
  readonly dataset: string
  readonly key: string
  readonly field: string
  readonly stored: string | null
  readonly recomputed: string | null
  /** Stored less recomputed, of numbers. */
  readonly difference: number | null
  readonly cause: string
}
