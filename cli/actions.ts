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
  action: string,
  words: readonly string[],
  options: Readonly<Record<string, unknown>>,
): keyof A & string {
  const fit = Object.hasOwn(actions, action) ? memberOf(actions, action) : null
  if (!fit) {
    const meant = nearest(action, Object.keys(actions))
    throw invalid(
      'action',
      action,
      `there is no action "${command} ${action}"${meant ? `; did you mean ${meant}?` : ''}`,
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
      `${command} ${action} takes no further argument: ${words[fit.words]}`,
    )
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !fit.options.includes(name))
      throw invalid(name, value, `${name} is not an option of "${command} ${action}"`)
  return action
}

/** An action's required options. */
export function requireOption<T>(name: string, value: T | undefined, how: string): T {
  if (value !== undefined) return value
  throw new QueryError('MISSING_PARAMETER', `${name} is required: ${how}`, { parameter: name })
}
