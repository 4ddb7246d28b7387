import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../ask/api.ts'
import { printParam, useFirstPrints } from '../../ask/first-prints.ts'
import { useAsOf } from '../../ask/use-answer.ts'
import { issuerFields, withIssuers } from '../../show/issuer-axes.ts'

/** Tickers of one call. */
const TICKERS = 100

/** Rows with the figures of their issuers, which are read once the rows are there; without a key the rows alone. */
export function useIssuers(
  listed: UseQueryResult<object[]>,
  key: string | null,
): Pick<UseQueryResult<object[]>, 'data' | 'error' | 'isError' | 'refetch'> {
  const scope = { ...useAsOf(), ...printParam('search.companies', useFirstPrints()) }
  const rows = listed.data
  const tickers = useMemo(
    () => (key === null || rows === undefined ? null : tickersOf(rows, key)),
    [rows, key],
  )
  const issuers = useQuery({
    queryKey: ['issuers', scope, tickers],
    enabled: tickers !== null,
    queryFn: async ({ signal }) => {
      const all: object[] = []
      for (let from = 0; from < (tickers ?? []).length; from += TICKERS) {
        const ticker = tickers?.slice(from, from + TICKERS) ?? []
        const { data } = await api.call(
          'search.companies',
          { ...scope, ticker, fields: issuerFields, limit: TICKERS },
          { signal },
        )
        all.push(...data)
      }
      return all
    },
  })
  const joined = useMemo(
    () => rows && issuers.data && withIssuers(rows, issuers.data, key ?? ''),
    [rows, issuers.data, key],
  )
  if (key === null || listed.isError) return listed
  return { data: joined, error: issuers.error, isError: issuers.isError, refetch: listed.refetch }
}

const tickersOf = (rows: readonly object[], key: string): string[] => [
  ...new Set(
    rows.flatMap(row => {
      const ticker = (row as Readonly<Record<string, unknown>>)[key]
      return typeof ticker === 'string' ? [ticker] : []
    }),
  ),
]
