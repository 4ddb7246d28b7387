import { type Columns, unitOf } from '../schema/column.ts'
import type { Condition } from '../schema/filter.ts'
import type { Narrowing } from './operation.ts'

/** A bound that is probably meant in another unit, by the unit of its column, and what to say of it. */
const slips: Readonly<
  Record<string, { readonly below: number; readonly hint: (name: string, value: number) => string }>
> = {
  percent: {
    below: 0.5,
    hint: (name, value) =>
      `${name} is in percent: ${value} is ${value}%; for ${digits(value * 100)}% write ${digits(value * 100)}`,
  },
  'basis points': {
    below: 10,
    hint: (name, value) =>
      `${name} is in basis points: ${value} is ${digits(value / 100)}%; for ${value}% write ${digits(value * 100)}`,
  },
  // No company has debt of less than a million dollars that a screen looks for.
  cents: {
    below: 1e8,
    hint: (name, value) =>
      `${name} is in cents: ${value} is ${digits(value / 100)} in dollars; a million dollars is 100000000`,
  },
}

const digits = (value: number): string => String(Number(value.toPrecision(12)))

const isBound = ({ op }: Condition): boolean => op === 'ge' || op === 'le'

/** Warnings of lower and upper bounds that are far below the values of their columns, such as a yield of 0.08 for 8%. */
export function unitHints(narrowing: readonly Narrowing[], kinds: Columns): string[] {
  const hints: string[] = []
  for (const { name, value, column, conditions } of narrowing) {
    const bounded = kinds[column]
    const slip = bounded && slips[unitOf(bounded) ?? '']
    if (!slip || typeof value !== 'number' || !conditions.every(isBound)) continue
    const size = Math.abs(value)
    if (size > 0 && size < slip.below) hints.push(slip.hint(name, value))
  }
  return hints
}
