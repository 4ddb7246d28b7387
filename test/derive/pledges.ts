import type { Test } from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, type Rows, twoIssuers } from '../make-lake.ts'

/** What is known of the pledges of a lake on a day, `what: instrument, how it ended`. */
export async function standing(t: Test, datasets: Rows, as_of = '2024-06-03') {
  const lake = await makeLake(t.teardown, { ...twoIssuers, ...datasets })
  await build(lake, { asOf: '2024-06-03' })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const of = async (in_force: boolean) =>
    (
      await engine.call('search.collateral', {
        in_force,
        fields: ['type', 'instrument_name', 'ended_on', 'ended_because', 'evidence_count', 'last_stated'],
        as_of,
      })
    ).data.map(row =>
      [row.type, row.instrument_name, row.evidence_count, row.last_stated, row.ended_because, row.ended_on]
        .filter(part => part !== null)
        .join(' '),
    )
  return { lake, told: { stands: (await of(true)).sort(), ended: (await of(false)).sort() } }
}

let offset = 0
export const pledge = (day: string, document_type: string, more: Readonly<Record<string, unknown>> = {}) => ({
  ticker: 'ALFA',
  type: 'general_lien',
  instrument_name: 'Senior Credit Facility',
  description: 'secured by substantially all assets',
  rule: 'secured_by',
  document_type,
  source_document_date: day,
  known_from: day,
  evidence_offset: offset++,
  ...more,
})
