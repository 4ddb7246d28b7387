import { everyWords } from './flat-text.ts'

export type Direction = 'maximum' | 'minimum'

export interface Comparison {
  /** The direction of the words alone: `not to exceed` is a maximum, `at least` a minimum. */
  readonly direction: Direction
  readonly from: number
  readonly to: number
}

const NOT = `(?:not|cannot|no|never|nor)(?: at any (?:one )?time|,? (?:as of|for any|on) [^,;.]{0,70},)?(?: to)?(?: be| been)?(?: permitted to)?(?: be)?(?: any)?`
const LESS =
  'less tha[nt](?: or equal to)?|less(?= \\d{1,2}\\.\\d)|below|lower than|fall below|fewer than|decrease below|be under'
const MORE = 'exceed(?:s|ed|ing)?|greater tha[nt](?: or equal to)?|more than|in excess of|above|higher than'

/** Each comparison with its direction when not negated. */
const comparison = everyWords(
  [
    String.raw`(?<cap>\b(?:${NOT} (?:${MORE})|from exceeding))`,
    String.raw`(?<floor>\b(?:${NOT} (?:${LESS})|from falling below))`,
    String.raw`(?<least>\b(?:equal to or greater than|equal or greater than|at least(?: equal to)?|(?:at|equal to) a minimum(?: level| ratio| amount)? of|minimum of|greater than or equal to|equal to at least))`,
    String.raw`(?<most>\b(?:equal to or less than|equal or less than|at most|a maximum(?: level| ratio)? of|maximum of|up to a maximum of|less than or equal to))`,
    String.raw`(?<more>\b(?:${MORE}))`,
    String.raw`(?<less>\b(?:${LESS}))`,
  ].join('|'),
)

/** Comparisons of a text, in order. */
export function comparisonsIn(flat: string): Comparison[] {
  return [...flat.matchAll(comparison)].map(match => {
    const g = match.groups!
    const isMaximum = g['cap'] ?? g['most'] ?? g['less']
    return {
      direction: isMaximum ? 'maximum' : 'minimum',
      from: match.index,
      to: match.index + match[0].length,
    } as const
  })
}

export const opposite = (direction: Direction): Direction => (direction === 'maximum' ? 'minimum' : 'maximum')
