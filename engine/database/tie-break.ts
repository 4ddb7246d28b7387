/**
 * Ends an `ORDER BY` over the rows of a relation, so that it is total. Rows that agree on everything before it are ordered
 * by a hash of their values: neither their place in a batch, nor the time of the import, nor the thread that reads them
 * first decides.
 */
export const tieBreak = (relation: string): string => `hash(struct_update(${relation}, ingested_at := NULL))`
