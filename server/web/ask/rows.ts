import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { InputTo, ListName, RowIn } from '../../v1/client.ts'
import { ageParam, useAnyAge } from './any-age.ts'
import { api } from './api.ts'
import { printParam, useFirstPrints } from './first-prints.ts'
import { useAsOf } from './use-answer.ts'

/** All rows of a list up to `most`: for charts that draw everything. */
export function useAllRows<N extends ListName>(
  name: N,
  input: InputTo<N> | null,
  most = 2_000,
): UseQueryResult<RowIn<N>[]> {
  const asOf = useAsOf()
  const params = {
    ...asOf,
    ...printParam(name, useFirstPrints()),
    ...ageParam(name, useAnyAge()),
    ...input,
  } as InputTo<N>
  return useQuery({
    queryKey: ['all', name, params, most],
    enabled: input !== null,
    queryFn: async ({ signal }) => {
      const rows: RowIn<N>[] = []
      for await (const row of api.pages(name, params, { signal })) {
        rows.push(row)
        if (rows.length >= most) break
      }
      return rows
    },
  })
}
