import type { Database } from '../database.ts'
import { deriveAnalytics } from './analytics.ts'
import { deriveCompanies, deriveFinancials } from './company-metrics.ts'
import { curveHistory } from './curve-table.ts'
import { deriveDailyPrices } from './daily-prices.ts'
import { type Inputs, openInputs } from './inputs.ts'
import { deriveInstruments, linkInstruments } from './instruments.ts'
import { deriveIssuers, type Issuers } from './issuers.ts'
import { deriveSpreads } from './spread-table.ts'
import { deriveStatements } from './statements.ts'
import { deriveEntities, deriveLoaded, derivePublicBonds, deriveRatings } from './tables.ts'
import { deriveZSpreads } from './z-spreads.ts'

export interface DeriveOptions {
  /** Only what was known by the close of this day is used. */
  readonly asOf: string
  /** Rows without a date of their own count as known: true but for questions about an earlier day. */
  readonly undated: boolean
  readonly assumeSeniority: string | null
  readonly progress?: (step: string) => void
}

/**
 * Derives every table that users query, from the rows of the lake known on a day, into `db`.
 * The same steps make a snapshot and answer `as_of`: nothing later than the day can reach a figure.
 */
export async function derive(db: Database, inputs: Inputs, options: DeriveOptions): Promise<Issuers> {
  const { progress = () => {} } = options
  await openInputs(db, inputs, options)
  progress('bonds')
  await deriveInstruments(db, options)
  progress('issuers')
  const issuers = await deriveIssuers(db)
  await linkInstruments(db)
  progress('ratings')
  await deriveRatings(db)
  await deriveEntities(db)
  await deriveLoaded(db)
  progress('prices')
  await deriveDailyPrices(db)
  const curves = await curveHistory(db)
  await deriveAnalytics(db, curves, done => progress(`prices: ${done.toLocaleString('en')} yields`))
  await deriveZSpreads(db, curves)
  await derivePublicBonds(db, options)
  progress('spreads')
  await deriveSpreads(db, options)
  progress('statements')
  await deriveStatements(db, options)
  await deriveFinancials(db)
  progress('companies')
  await deriveCompanies(db, options)
  return issuers
}
