import { useSyncExternalStore } from 'react'

/** The reader's location: `#/screen/bonds?min_ytm=8` is `['screen', 'bonds']` and its parameters. */
export interface Route {
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s)
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) }
}

/** A URL typed by hand may contain a stray `%`. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const listeners = new Set<() => void>()

const listen = (changed: () => void): (() => void) => {
  listeners.add(changed)
  addEventListener('hashchange', changed)
  return () => {
    listeners.delete(changed)
    removeEventListener('hashchange', changed)
  }
}

let last = { hash: '', route: parseRoute('') }
const current = (): Route => {
  if (last.hash !== location.hash) last = { hash: location.hash, route: parseRoute(location.hash) }
  return last.route
}

export const useRoute = (): Route => useSyncExternalStore(listen, current)

export type Query = Readonly<Record<string, string | null | undefined>>

/** `as_of`, `snapshot` and first prints are kept on every page until changed. */
export function href(path: readonly string[], query: Query = {}): string {
  const { query: here } = current()
  const reported = here.get('reported') === 'original' ? 'original' : null
  return written(path, { as_of: here.get('as_of'), reported, snapshot: here.get('snapshot'), ...query })
}

function written(path: readonly string[], query: Query): string {
  const present = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const text = new URLSearchParams(present).toString().replaceAll('%2C', ',')
  return `#/${path.map(encodeURIComponent).join('/')}${text ? `?${text}` : ''}`
}

/** Changes parameters and stays on the page; null removes one. */
export function setParams(changes: Query): void {
  const { path, query } = current()
  go(written(path, { ...Object.fromEntries(query), ...changes }))
}

export function go(to: string): void {
  if (to === location.hash) return
  location.hash = to
  // The event comes later: until then a box that was checked would be drawn unchecked again.
  for (const changed of listeners) changed()
}
