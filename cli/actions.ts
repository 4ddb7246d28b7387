import { memberOf } from '../engine/base/elements.ts'
import { invalid, QueryError } from '../engine/base/errors.ts'
import { nearest } from '../engine/names/nearest.ts'

/** How many arguments an action takes, and which options. */
export type Actions = Readonly<
  Record<string, { readonly words: number; readonly options: readonly string[] }>
>

/** The action given, with its arguments and options validated. */
export function readAction<A extends Actions>(
  command: string,
  actions: A,
  said: string,
  words: readonly string[],
  options: Readonly<Record<string, unknown>>,
): keyof A & string {
  const fit = Object.hasOwn(actions, said) ? memberOf(actions, said) : null
  if (!fit) {
    const meant = nearest(said, Object.keys(actions))
    throw invalid(
      'action',
      said,
      `there is no action "${command} ${said}"${meant ? `; did you mean ${meant}?` : ''}`,
      {
        allowed: Object.keys(actions),
        ...(meant && { suggestion: meant }),
      },
    )
  }
  if (words.length > fit.words)
    throw invalid(
      'words',
      words[fit.words],
      `${command} ${said} takes no further argument: ${words[fit.words]}`,
    )
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !fit.options.includes(name))
      throw invalid(name, value, `${name} is not an option of "${command} ${said}"`)
  return said
}

/** An action's required options. */
export function needed<T>(name: string, value: T | undefined, how: string): T {
  if (value !== undefined) return value
  throw new QueryError('MISSING_PARAMETER', `${name} is required: ${how}`, { parameter: name })
}
