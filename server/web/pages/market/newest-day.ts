import type { InputTo } from '../../../v1/client.ts'
import { useAnswer } from '../../ask/use-answer.ts'

/** The newest day of the spreads on the page, which come from one source. */
export function useNewestDay(tenor: InputTo<'aggregate.spreads'>['tenor']): string | undefined {
  const newest = useAnswer('aggregate.spreads', {
    ...(tenor && { tenor }),
    group_by: ['spread_date'],
    metrics: ['count'],
    sort: ['-spread_date'],
    limit: 1,
  })
  const day = newest.data?.data[0]?.spread_date
  return typeof day === 'string' ? day : undefined
}
