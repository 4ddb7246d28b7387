import { floorIn, ofFloor } from './floors.ts'
import type { InstrumentLine } from './instrument-line.ts'

const MARGIN =
  /\b(libor|sofr|euribor)(?:\d|\(\w\))?(?![a-z])(?: rate)?,? ?(?:plus|\+) ?(?:an? (?:applicable |interest )?(?:margin|spread) of )?(?:(?<percent>\d{1,2}(?:\.\d{1,5})?) ?%|(?<points>\d{2,3}) ?(?:bps|bp|basis points)\b)(?! ?(?:-|to) ?\d)/i

/** The margin over a reference that the words about a floating note state, `LIBOR plus 0.5%`, `SOFR plus 351 bps`. */
export function marginIn(words: string): InstrumentLine {
  const margin = MARGIN.exec(words.replace(ofFloor, '').replace(/\s+/g, ' '))
  if (!margin) return {}
  const { percent, points } = margin.groups ?? {}
  return {
    benchmark: margin[1]?.toUpperCase() ?? null,
    spread_bps: points === undefined ? Math.round(Number(percent) * 1e5) / 1e3 : Number(points),
    ...floorIn(words),
  }
}
