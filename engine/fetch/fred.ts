import { QueryError } from '../base/errors.ts'
import { indexSeries } from '../ingest/readers/index-spreads.ts'
import { isCsv } from './content-checks.ts'
import type { Session } from './session.ts'

export interface FredRequest {
  readonly source: 'fred'
  readonly series: readonly string[]
  /** First day; the whole series without it. */
  readonly since: string | null
}

const TENORS = ['1MO', '3MO', '6MO', '1', '2', '3', '5', '7', '10', '20', '30']

/** Constant-maturity Treasury yields, and option-adjusted spreads of bond indices: the series that ingest reads. */
export const usualSeries: readonly string[] = [...TENORS.map(tenor => `DGS${tenor}`), ...indexSeries]

/** One CSV a series. */
export async function fetchFred(session: Session, { series, since }: FredRequest): Promise<void> {
  const unknown: string[] = []
  for (const id of series) {
    const found = await session.file({
      url: `https://fred.stlouisfed.org/graph/fredgraph.csv?id=${id}${since === null ? '' : `&cosd=${since}`}`,
      file: `fred/${id}${since === null ? '' : `-since-${since}`}.csv`,
      check: isCsv('observation_date', 'DATE'),
    })
    if (found === null) unknown.push(id)
  }
  if (unknown.length > 0)
    throw new QueryError(
      'NOT_FOUND',
      `FRED has no series ${unknown.join(', ')}: look them up on fred.stlouisfed.org`,
      {
        unknown,
      },
    )
}
