import type { Operation } from '../../engine/operations/operation.ts'

/** Values over the lake `twoIssuers`. */
const values: Readonly<Record<string, unknown>> = {
  cusip: '000000AA7',
  ticker: 'ALFA',
  q: 'debt',
  resource: 'bonds',
  data_type: 'bonds',
  start: { type: 'company', id: 'ALFA' },
  relationships: ['subsidiaries'],
  dates: ['2024-06-30'],
  from: '2024-01-01',
  since: '2024-06-30',
}

/** What an operation needs beside what a test is about. */
export const requiredInput = ({ name, params }: Operation): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params)
      .filter(([key, given]) => given.required || (name === 'panel' && key === 'dates'))
      .map(([key]) => [key, values[key]]),
  )
