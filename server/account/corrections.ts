import { invalid, QueryError } from '../../engine/base/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import { makeCorrections, type NewCorrection } from '../../engine/ingest/make-corrections.ts'
import { readCorrections } from '../../engine/ingest/read-corrections.ts'
import { type CorrectedRow, takenBack } from '../../engine/ingest/take-back.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { date, oneOf, text } from '../../engine/schema/column.ts'
import { correctable, correctedTables } from '../../engine/schema/datasets/corrections.ts'
import { one, required } from '../../engine/schema/params.ts'
import { partParams } from './credits.ts'
import { forAdmins } from './operation.ts'
import { checkMayWrite, isWritable, MEMORY } from './write-lake.ts'

const fields = Object.fromEntries(
  correctedTables.map(table => [
    table,
    Object.entries(correctable[table]).map(([name, column]) => ({
      name,
      kind: column.format ?? column.kind,
      values: column.values ?? null,
    })),
  ]),
)

/** Corrections in force, newest first, with what can be corrected. */
const list = forAdmins({
  name: 'admin.corrections',
  method: 'GET',
  path: '/admin/corrections',
  params: partParams,
  async handle({ engine: { lake } }, part) {
    const [manifest, stored, writable] = await Promise.all([
      currentManifest(lake),
      readCorrections(lake),
      isWritable(lake),
    ])
    const inForce = stored.filter(({ standing }) => standing === 'in_force')
    const isPending = ({ made_at }: { made_at: string }) => made_at > manifest.created
    return {
      body: {
        data: inForce
          .slice(part.offset, part.offset + part.limit)
          .map(({ standing: _, ...each }) => ({ ...each, is_pending: isPending(each) })),
        meta: {
          total: inForce.length,
          ...part,
          writable,
          // Those taken back since the build wait for it too.
          pending: stored.filter(({ standing, ...each }) => standing !== 'replaced' && isPending(each))
            .length,
          fields,
        },
      },
    }
  },
})

/** As "tranche correct": the next build applies it. */
const correct = forAdmins({
  name: 'admin.corrections.make',
  method: 'POST',
  path: '/admin/corrections',
  params: {
    action: required(one(oneOf(['set', 'drop', 'remove'], 'As in "tranche correct".'))),
    table: required(one(oneOf(correctedTables, 'Table of the row.'))),
    id: required(one(text('Id of the row.'), { length: 200 })),
    field: one(text('Field that is set, or whose correction is taken back.'), { length: 100 }),
    value: one(text('The right value; none: not known.'), { length: 20_000 }),
    because: required(one(text('Why.'), { length: 2000 })),
    from: one(date('Day from which it holds; default the as-of day of the snapshot.')),
  },
  async handle({ engine, session, audit, now }, { action, table, id, field, value, because, from }) {
    const { lake } = engine
    const row: CorrectedRow = { corrects: table, row_id: id }
    const made = await changesOf(engine, row, { action, field: field ?? null, value: value ?? null })
    const { as_of } = await currentManifest(lake)
    const day = from ?? as_of
    if (day === null)
      throw invalid('from', undefined, 'say from which day it holds: the snapshot has no as-of day')
    await checkMayWrite(lake, `run "tranche correct ${action}" where it is built`)
    const kept = await makeCorrections(lake, made, {
      because,
      by: session.email,
      from: day,
      now: () => new Date(now),
      memory: MEMORY,
    })
    audit('fact corrected', { email: session.email, action, table, id, field: field ?? null })
    return { status: 201, body: { data: { kept, from: day } } }
  },
})

async function changesOf(
  engine: Engine,
  row: CorrectedRow,
  { action, field, value }: Pick<NewCorrection, 'action' | 'field' | 'value'>,
): Promise<readonly NewCorrection[]> {
  const known = Object.keys(correctable[row.corrects])
  if (field !== null && !known.includes(field))
    throw invalid('field', field, `field must be one of ${known.join(', ')}`, { allowed: known })
  if (action === 'remove')
    return takenBack(await readCorrections(engine.lake), row, field === null ? [] : [field]).map(
      ({ change }) => change,
    )
  if (action === 'set' && field === null)
    throw new QueryError('MISSING_PARAMETER', 'say which field is set', { parameter: 'field' })
  const found = await engine.sql(`SELECT id FROM ${row.corrects} WHERE id = $id`, { id: row.row_id })
  if (found.length === 0)
    throw new QueryError(
      'NOT_FOUND',
      `${row.corrects} of the current snapshot has no row with id ${row.row_id}: its sources show the id of a fact`,
    )
  return [
    { ...row, action, field: action === 'drop' ? null : field, value: action === 'drop' ? null : value },
  ]
}

export const correctionOperations = [list, correct]
