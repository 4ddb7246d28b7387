import { elementAt, firstOf, memberOf } from '../base/elements.ts'
import type { Param, Params } from './params.ts'

interface Exampled {
  readonly params: Params
  readonly positional?: readonly string[]
}

/** Free text needs no quotes on a command line: it takes all remaining words. */
export const isFreeText = ({ column, many }: Param): boolean =>
  column.kind === 'text' && !column.format && !many

/**
 * `--min-leverage 4 --sort -ytm` as `{ min_leverage: '4', sort: '-ytm' }`; null where the example has an option of
 * the command line only.
 */
export function exampleInput(
  { params, positional = [] }: Exampled,
  example: string,
): Readonly<Record<string, unknown>> | null {
  if (example.startsWith('{')) return JSON.parse(example) as Record<string, unknown>
  const words = example.match(/"[^"]*"|\S+/g) ?? []
  const options: Record<string, string> = {}
  const loose: string[] = []
  for (let i = 0; i < words.length; i++) {
    const word = elementAt(words, i)
    const option = /^--([a-z-]+)$/.exec(word)?.[1]?.replaceAll('-', '_')
    if (option === undefined) loose.push(word)
    else if (!Object.hasOwn(params, option)) return null
    else options[option] = (words[++i] ?? '').replaceAll('"', '')
  }
  const placed: Record<string, string> = {}
  for (const name of positional) {
    const free = name === positional.at(-1) && isFreeText(memberOf(params, name))
    const taken = loose.splice(0, free ? loose.length : 1)
    // Alone, a phrase in quotes is one word of the shell; among others it is a phrase of the search.
    if (taken.length > 0)
      placed[name] = taken.length === 1 ? firstOf(taken).replaceAll('"', '') : taken.join(' ')
  }
  return loose.length > 0 ? null : { ...placed, ...options }
}
