import { SMALL_NUMBERS } from '../../base/number-words.ts'

/** `one` to `ten`, in order. */
export const NUMBERS = SMALL_NUMBERS.slice(1, 11)

/** `first`, `second` and so on, in order. */
export const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
]

/** A number written in digits or in words, up to ten in words; 0 if it is neither. */
export const numberSaid = (said: string): number => Number(said) || NUMBERS.indexOf(said.toLowerCase()) + 1

/** The month of a day so many years later. */
export const monthAfter = (day: string, years: number): string =>
  `${Number(day.slice(0, 4)) + years}${day.slice(4, 7)}`
