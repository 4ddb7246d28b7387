import { date, list, text } from '../../engine/schema/column.ts'
import { object, type Schema, valueSchema } from '../../engine/schema/json-schema.ts'

/** Members of `meta` in every answer from a snapshot. */
export const commonMeta: Readonly<Record<string, Schema>> = {
  snapshot: valueSchema(text('Id of the immutable snapshot that answered.')),
  as_of: valueSchema(date('Day the answer is as of.')),
  request_id: valueSchema(text('Request identifier.')),
  warnings: valueSchema(list('What to know before using the answer.')),
  unknown: valueSchema(list('Identifiers asked about that are not known.')),
  did_you_mean: valueSchema(text('The query as it was perhaps meant, where a search found nothing.')),
  empty_because: valueSchema(
    list('Why there are no rows: the filters that leave none, and what there is without them.'),
  ),
  lane: {
    description: 'With `explain`: what answers the list where it is not explained, and why.',
    ...object({
      lane: { enum: ['memory', 'duckdb'] },
      why: valueSchema(text('Why.')),
    }),
  },
}

/** Optional members of `meta`. */
export const sometimes = ['warnings', 'unknown', 'did_you_mean', 'empty_because', 'lane'] as const

/** The `meta` of an answer that is not a list. */
export const plainMeta = (members: Readonly<Record<string, Schema>> = {}): Schema =>
  object({ ...members, ...commonMeta }, sometimes)
