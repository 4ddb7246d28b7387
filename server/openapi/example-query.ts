import type { Operation } from '../../engine/operations/operation.ts'
import { exampleInput } from '../../engine/schema/examples.ts'

/** `--min-leverage 4 --sort -ytm` as a path with its query; null where an option is one of the command line only. */
export function exampleQuery(
  route: Pick<Operation, 'path' | 'params' | 'positional'>,
  example: string,
): string | null {
  const input = exampleInput(route, example)
  if (!input) return null
  const given = { ...input }
  const named = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = given[name]
    delete given[name]
    return encodeURIComponent(String(text ?? name))
  })
  const query = Object.entries(given).map(
    ([k, v]) => `${k}=${encodeURIComponent(String(v)).replaceAll('%2C', ',')}`,
  )
  return query.length ? `${named}?${query.join('&')}` : named
}
