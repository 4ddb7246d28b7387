import { type Drawing, drawnIn } from './facility-drawn.ts'
import type { Mention } from './facility-mentions.ts'
import type { InstrumentLine } from './instrument-line.ts'

// A facility whose maturity a note does not state is read where the note shows otherwise that it is in force.

/** Whether sentences say what is drawn under a facility, or left, at the report's day. */
export const isDrawn = (about: readonly string[], drawing: Drawing): boolean =>
  Object.keys(drawnIn(about, drawing)).length > 0

/** Whether a facility is named behind its own amount, `a $3.5 billion facility`: what stands behind one may be what is owed. */
export const isOfSize = (flat: string, { from }: Mention): boolean =>
  /^(?:[A-Z]{0,3}\$|[\u20ac\u00a3\u00a5])/.test(flat.slice(from, from + 4))

/** Whether a facility is the only one of its kind that a note tells, in its text or its tables of facilities. */
export const isOnlyOfKind = (
  each: Pick<Mention, 'kind'>,
  told: readonly Pick<Mention, 'kind'>[],
  rows: readonly InstrumentLine[],
): boolean =>
  told.every(other => other === each || other.kind !== each.kind) &&
  rows.every(row => row.instrument_type !== each.kind)
