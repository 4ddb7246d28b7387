import { date, list, text } from '../../engine/schema/column.ts'
import { object, type Schema, valueSchema } from '../../engine/schema/json-schema.ts'

/** Members of `meta` in every answer from a snapshot. */
export const commonMeta: Readonly<Record<string, Schema>> = {
  snapshot: valueSchema(text('Id of the immutable snapshot that answered.')),
  as_of: valueSchema(date('Day the answer is as of.')),
  request_id: valueSchema(text('Request identifier.')),
  warnings: valueSchema(list('Caveats about the answer.')),
  unknown: valueSchema(list('Requested identifiers that are unknown.')),
  did_you_mean: valueSchema(text('A suggested query, if a search found nothing.')),
  empty_because: valueSchema(
    list('Why there are no rows: the filters that exclude all of them, and the values that exist.'),
  ),
  lane: {
    description: 'With `explain`: the lane that answers the list without it, and why.',
    ...object({
      lane: { enum: ['memory', 'duckdb', 'remote'] },
      why: valueSchema(text('Why.')),
    }),
  },
}

/** Optional members of `meta`. */
export const optionalMeta = ['warnings', 'unknown', 'did_you_mean', 'empty_because', 'lane'] as const

/** The `meta` of an answer that is not a list. */
export const plainMeta = (members: Readonly<Record<string, Schema>> = {}): Schema =>
  object({ ...members, ...commonMeta }, optionalMeta)
