/** Whether unknown parameters are an error, or ignored with a warning. */
export type UnknownParams = 'error' | 'ignore'

/** The warning about ignored parameters. */
export const ignoredWarnings = (ignored: readonly string[]): string[] =>
  ignored.map(name => `unknown parameter ${name.slice(0, 120)} was ignored`)
