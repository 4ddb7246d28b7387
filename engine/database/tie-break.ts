/**
 * Ends an `ORDER BY` over a relation's rows so that it is total: ties are ordered by a hash of the row's values.
 * Neither batch position, import time nor thread order then decides.
 */
export const tieBreak = (relation: string): string => `hash(struct_update(${relation}, ingested_at := NULL))`
