import { invalid } from '../../engine/base/errors.ts'

/** Parameters by name, in order; a repeated one is an array. Names are taken literally. */
export function readQuery(search: string): Record<string, string | string[]> {
  const input: Record<string, string | string[]> = Object.create(null)
  if (search === '') return input
  for (const pair of search.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at), null)
    const value = decode(at < 0 ? '' : pair.slice(at + 1), name)
    const before = input[name]
    if (before === undefined) input[name] = value
    else if (Array.isArray(before)) before.push(value)
    else input[name] = [before, value]
  }
  return input
}

function decode(text: string, parameter: string | null): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    const shown = text.slice(0, 120)
    throw invalid(
      parameter ?? shown,
      shown,
      `${parameter ?? 'a parameter name'} is not percent-encoded UTF-8: write % as %25`,
    )
  }
}
