/** Whether a parameter that nobody declares is an error, or is left out with a warning. */
export type UnknownParams = 'error' | 'ignore'

/** What an answer says of the parameters that were left out. */
export const ignoredWarnings = (ignored: readonly string[]): string[] =>
  ignored.map(name => `there is no parameter ${name.slice(0, 120)}: it was ignored`)
