/** Longer paths match nothing and are not looked up. */
const LONGEST_PATH = 2000

/** A path as decoded segments without empty ones. Null if it is not a path, or too long. */
export function segmentsOf(path: string): string[] | null {
  if (path.length > LONGEST_PATH) return null
  const segments: string[] = []
  for (const part of path.split('/')) {
    let segment = part
    if (part.includes('%'))
      try {
        segment = decodeURIComponent(part)
      } catch {
        return null
      }
    if (segment !== '') segments.push(segment)
  }
  return segments
}

/** Whether a segment is `.` or `..`, plain or percent-encoded, also between encoded slashes. */
export const hasDotSegment = (path: string): boolean =>
  (path.includes('/.') || path.includes('%')) &&
  (segmentsOf(path) ?? []).some(segment => segment.split(/[/\\]/).some(part => part === '.' || part === '..'))

export interface Pattern {
  readonly method: string
  /** `/v1/bonds/{cusip}/pricing/history`. */
  readonly path: string
}

/** `allow` lists the methods of a path that exists under others. */
export type Match<R> =
  | { readonly kind: 'found'; readonly route: R; readonly named: Readonly<Record<string, string>> }
  | { readonly kind: 'method'; readonly allow: readonly string[] }
  | { readonly kind: 'none' }

interface Place<R> {
  /** Segments in lower case; null where any value matches. */
  readonly segments: readonly (string | null)[]
  readonly names: readonly string[]
  readonly methods: Map<string, R>
}

/**
 * Finds routes by method and path. Every spelling of a path (case, doubled and trailing slashes, percent-encoding)
 * finds the same route. HEAD is GET.
 */
export function matcher<R extends Pattern>(routes: readonly R[]) {
  const places = new Map<string, Place<R>>()
  for (const route of routes) {
    const parts = segmentsOf(route.path)!
    const segments = parts.map(part => (part.startsWith('{') ? null : part.toLowerCase()))
    const id = segments.join('/')
    const names = parts.filter(part => part.startsWith('{')).map(part => part.slice(1, -1))
    const place = places.get(id) ?? { segments, names, methods: new Map<string, R>() }
    place.methods.set(route.method, route)
    places.set(id, place)
  }
  const templates = [...places.values()].filter(place => place.names.length > 0)
  /** As most clients spell them. */
  const plain = new Map(
    [...places]
      .filter(([, { names }]) => names.length === 0)
      .map(([id, place]) => [`/${id}`, { place, values: [] }]),
  )

  function find(path: string): { place: Place<R>; values: string[] } | null {
    const known = plain.get(path)
    if (known) return known
    const segments = segmentsOf(path)
    if (!segments) return null
    const lower = segments.map(segment => segment.toLowerCase())
    // A slash inside a segment was written %2F and does not separate.
    const literal = lower.some(segment => segment.includes('/')) ? undefined : places.get(lower.join('/'))
    if (literal && literal.names.length === 0) return { place: literal, values: [] }
    for (const place of templates)
      if (
        place.segments.length === lower.length &&
        place.segments.every((segment, i) => segment === null || segment === lower[i])
      )
        return { place, values: segments.filter((_, i) => place.segments[i] === null) }
    return null
  }

  return (method: string, path: string): Match<R> => {
    const found = find(path)
    if (!found) return { kind: 'none' }
    const { methods, names } = found.place
    const route = methods.get(method === 'HEAD' ? 'GET' : method)
    if (!route) return { kind: 'method', allow: allowed([...methods.keys()]) }
    return {
      kind: 'found',
      route,
      named: Object.fromEntries(names.map((name, i) => [name, found.values[i] ?? ''])),
    }
  }
}

const allowed = (methods: readonly string[]): string[] => [
  ...methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
  'OPTIONS',
]
