import { useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Name } from '../../../v1/client.ts'
import { routes } from '../../../v1/client-routes.ts'
import { api } from '../../ask/api.ts'

interface Page {
  readonly rows: readonly object[]
  readonly total: number
  readonly meta: {
    readonly as_of?: string
    readonly filters_applied?: Record<string, unknown>
    readonly empty_because?: readonly string[]
    /** Of rows left out, units and mixed sources. */
    readonly warnings?: readonly string[]
  }
}

const readPage = async (name: Name, input: object, signal: AbortSignal): Promise<Page> => {
  const answer = (await (api.call as unknown as Ask)(name, input, { signal })) as Record<string, object[]> & {
    meta: Page['meta'] & { total: number }
  }
  return { rows: answer[routes[name].envelope]!, total: answer.meta.total, meta: answer.meta }
}

type Ask = (name: Name, input: object, options: { signal: AbortSignal }) => Promise<unknown>

/** The rows of a list of any length, of which only visible pages are loaded. */
export function useRows(name: Name, input: Readonly<Record<string, string>>, size: number) {
  const [sight, setSight] = useState<readonly [number, number]>([0, 0])
  const pageQuery = (page: number) => ({
    queryKey: [name, input, page] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      readPage(name, { ...input, limit: size, offset: page * size }, signal),
  })
  // The previous rows stay until the new ones arrive, if they are of the same list.
  const first = useQuery({
    ...pageQuery(0),
    placeholderData: (before, query) => (query?.queryKey[0] === name ? before : undefined),
  })
  const further = range(Math.floor(sight[0] / size), Math.floor(sight[1] / size)).filter(page => page > 0)
  const answers = [first, ...useQueries({ queries: further.map(pageQuery) })]
  const rowAt = (index: number): object | undefined =>
    answers[[0, ...further].indexOf(Math.floor(index / size))]?.data?.rows[index % size]
  const onSight = useCallback((from: number, to: number) => {
    // Rows that are only scrolled past are not loaded.
    clearTimeout(waiting)
    waiting = setTimeout(() => setSight([from, to]), 60)
  }, [])
  return {
    total: first.data?.total,
    meta: first.data?.meta,
    error: answers.find(answer => answer.isError)?.error ?? null,
    again: () => void Promise.all(answers.map(answer => answer.refetch())),
    stale: first.isPlaceholderData,
    rowAt,
    onSight,
  }
}

let waiting: ReturnType<typeof setTimeout> | undefined

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
