import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'

/** The newest as-of day of any answer so far, without a call of its own; '' before the first. */
export function useLatestDay(): string {
  const cache = useQueryClient().getQueryCache()
  const listen = useCallback(
    (changed: () => void) => cache.subscribe(notifyManager.batchCalls(changed)),
    [cache],
  )
  return useSyncExternalStore(listen, () =>
    cache
      .getAll()
      .map(({ state }) => dayOf(state.data))
      .reduce((newest, day) => (day > newest ? day : newest), ''),
  )
}

function dayOf(data: unknown): string {
  const { meta } = (data ?? {}) as { meta?: { as_of?: unknown } }
  return typeof meta?.as_of === 'string' ? meta.as_of.slice(0, 10) : ''
}
