import { floorIn, ofFloor } from './floors.ts'
import type { InstrumentLine } from './instrument-line.ts'

const MARGIN =
  /\b(libor|sofr|euribor)(?:\d|\(\w\))?(?![a-z])(?: rate)?,? ?(?:plus|\+) ?(?:an? (?:applicable |interest )?(?:margin|spread) of )?(\d{1,2}(?:\.\d{1,5})?) ?%(?! ?(?:-|to) ?\d)/i

/** The margin over a reference that the words about a floating note state, `LIBOR plus 0.5%`. */
export function marginIn(words: string): InstrumentLine {
  const margin = MARGIN.exec(words.replace(ofFloor, '').replace(/\s+/g, ' '))
  if (!margin) return {}
  return {
    benchmark: margin[1]?.toUpperCase() ?? null,
    spread_bps: Math.round(Number(margin[2]) * 1e5) / 1e3,
    ...floorIn(words),
  }
}
