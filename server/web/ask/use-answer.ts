import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { AnswerOf, InputTo, Name } from '../../v1/client.ts'
import { useRoute } from '../app/route.ts'
import { ageParam, useAnyAge } from './any-age.ts'
import { api } from './api.ts'
import { printParam, useFirstPrints } from './first-prints.ts'

/** The global as-of day and snapshot, as parameters of a call. */
export function useAsOf(): { as_of?: string; snapshot?: string } {
  const { query } = useRoute()
  const [day, snapshot] = [query.get('as_of'), query.get('snapshot')]
  return { ...(day && { as_of: day }), ...(snapshot && { snapshot }) }
}

/**
 * Calls an operation as of the reader's day, by first prints and with figures of any age if the reader asks for them, and caches the
 * answer; null calls nothing. `timeless` for what has no day.
 */
export function useAnswer<N extends Name>(
  name: N,
  input: InputTo<N> | null,
  { keep = false, timeless = false }: { keep?: boolean; timeless?: boolean } = {},
): UseQueryResult<AnswerOf<N>> {
  const asOf = useAsOf()
  const print = printParam(name, useFirstPrints())
  const age = ageParam(name, useAnyAge())
  const params = { ...(!timeless && { ...asOf, ...print, ...age }), ...input }
  return useQuery({
    queryKey: [name, params],
    queryFn: ({ signal }) => (api.call as Call)(name, params, { signal }) as Promise<AnswerOf<N>>,
    enabled: input !== null,
    ...(keep && { placeholderData: keepPreviousData }),
  })
}

type Call = (name: Name, input: object, options: { signal: AbortSignal }) => Promise<unknown>
