import { invalid } from '../base/errors.ts'
import { meantParameter } from '../names/parameter-names.ts'
import type { Input } from './params.ts'

/** Throws on an unknown option: ignoring a misspelt one would silently change the answer. */
export function checkOptions(options: object, known: readonly string[]): void {
  for (const name in options) {
    if (known.includes(name) || (options as Input)[name] === undefined) continue
    const suggestion = meantParameter(name, known)
    throw invalid(
      name,
      null,
      `there is no option ${name}${suggestion ? `; did you mean ${suggestion}?` : `: the options are ${known.join(', ')}`}`,
      { allowed: known, ...(suggestion && { suggestion }) },
    )
  }
}

/** The as-of day, in either spelling. */
export interface AsOf {
  readonly as_of?: string | undefined
  readonly asOf?: string | undefined
}

/** The as-of day of options, in whichever spelling. */
export const dayOf = ({ as_of, asOf }: AsOf): string | undefined => oneDay([as_of, asOf])

/** The input of an operation, with the day under the name of its parameter. */
export function withDay(input: Input, { as_of, asOf }: AsOf): Input {
  if (input['asOf'] === undefined && as_of === undefined && asOf === undefined) return input
  const { asOf: _, ...others } = input
  return { ...others, as_of: oneDay([input['as_of'], input['asOf'], as_of, asOf]) }
}

function oneDay<T>(given: readonly T[]): T | undefined {
  const [day, other] = new Set(given.filter(each => each !== undefined && each !== null && each !== ''))
  if (other !== undefined)
    throw invalid('as_of', other, `as_of and asOf give different days, ${day} and ${other}: give one`)
  return day
}
