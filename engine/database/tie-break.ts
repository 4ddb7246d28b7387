/**
 * Ends an `ORDER BY` over a relation's rows so that it is total: ties are ordered by a hash of the row's values,
 * never by batch position, import time or thread order.
 */
export const tieBreak = (relation: string): string => `hash(struct_update(${relation}, ingested_at := NULL))`
