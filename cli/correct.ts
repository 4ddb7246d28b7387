import { userInfo } from 'node:os'
import { invalid, QueryError } from '../engine/base/errors.ts'
import type { Lake } from '../engine/lake/lake.ts'
import { nearest } from '../engine/names/nearest.ts'
import { boolean, date, list, nullable, oneOf, text, unitOf } from '../engine/schema/column.ts'
import {
  type CorrectedTable,
  correctable,
  correctedTables,
  corrections as dataset,
} from '../engine/schema/datasets/corrections.ts'
import { fallback, one } from '../engine/schema/params.ts'
import { command, lakeFolder, lakeParams, type ParsedArguments } from './command.ts'
import { stoppable } from './interrupt.ts'
import { chooseOutput, notice, onTerminal, outputLetters, outputParams, writeList } from './output.ts'

const actions = ['list', 'fields', 'set', 'drop', 'remove', 'import'] as const

const columns = {
  standing: oneOf(['in_force', 'replaced', 'taken_back'], 'Whether it is the last for its field.'),
  ...dataset.columns,
}

const fieldColumns = {
  table: text('Table.'),
  field: text('Field.'),
  kind: text('Kind of value.'),
  unit: nullable(text('Unit.')),
  values: nullable(list('Values that it can have.')),
}

export const correctCommand = command({
  word: 'correct',
  words:
    '[list | fields | set TABLE ID FIELD=VALUE... | drop TABLE ID | remove TABLE ID [FIELD...] | import FILE]',
  firstWords: actions,
  params: {
    because: one(text('Why; required by set, drop and remove.')),
    by: one(text('Who corrects; default the name of the user of this system.')),
    from: one(date('Day from which it holds; default the as-of day of the current snapshot.')),
    all: fallback(one(boolean('list: also corrections that were replaced or taken back.')), false),
    ...outputParams,
    ...lakeParams,
  },
  letters: outputLetters,
  notes:
    'list     corrections in the lake\n' +
    'fields   tables and fields that can be corrected\n' +
    'set      gives fields of a row the right value; FIELD= without a value: not known\n' +
    'drop     drops a row that is no such fact\n' +
    'remove   takes corrections of a row back: of the fields named, else all\n' +
    'import   reads corrections that "list -o FILE" wrote\n' +
    'TABLE is covenants, collateral, instruments or entities; ID is the id of the row.\n' +
    'Money is in cents. Corrections take effect with the next build.',
  examples: [
    '',
    'set covenants 0b6f2c threshold_value=4.25 --because "Section 6.1 says 4.25x"',
    'drop collateral 9d01aa --because "a heading"',
    'remove covenants 0b6f2c threshold_value --because "the amendment does say 4.5x"',
    'list --all true -o corrections.csv',
  ],
  async run({ lake, because, by, from, all, ...outputOptions }, { words }: ParsedArguments) {
    const choice = chooseOutput(outputOptions, onTerminal())
    const [action = 'list', ...rest] = words
    const meant = actions.find(name => name === action)
    if (meant === undefined) throw unknownWord('action', action, actions)
    if (meant === 'fields') {
      await writeList(fieldColumns, fieldRows(), choice)
      return undefined
    }
    const { openLake } = await import('../engine/lake/lake.ts')
    const opened = await openLake(lakeFolder(lake))
    if (meant === 'list') {
      const { readCorrections } = await import('../engine/ingest/read-corrections.ts')
      const read = await readCorrections(opened)
      const shown = read.filter(({ standing }) => all || standing === 'in_force')
      await writeList(columns, shown, choice)
      notice(
        `${shown.length} ${shown.length === 1 ? 'correction' : 'corrections'}${all || shown.length === read.length ? '' : `, and ${read.length - shown.length} replaced or taken back (--all true)`}`,
      )
      return undefined
    }
    if (meant === 'import') return importFile(opened, rest)
    if (because === undefined)
      throw new QueryError('MISSING_PARAMETER', `say why: correct ${meant} … --because "…"`, {
        parameter: 'because',
      })
    const asked = await readAsked(meant, rest, opened)
    const { makeCorrections } = await import('../engine/ingest/make-corrections.ts')
    const { row_id, corrects, day } = asked
    const made = await stoppable(signal =>
      makeCorrections(
        opened,
        asked.changes.map(change => ({ corrects, row_id, ...change })),
        { because, by: by ?? userInfo().username, from: from ?? day, signal },
      ),
    )
    notice(
      `${made} ${made === 1 ? 'correction' : 'corrections'} kept, from ${from ?? day} on; run "tranche build" to apply ${made === 1 ? 'it' : 'them'}`,
    )
    return undefined
  },
})

function fieldRows() {
  return correctedTables.flatMap(table =>
    Object.entries(correctable[table]).map(([field, column]) => ({
      table,
      field,
      kind: column.format ?? column.kind,
      unit: unitOf(column) ?? null,
      values: column.values ?? null,
    })),
  )
}

interface Change {
  readonly action: 'set' | 'drop' | 'remove'
  readonly field: string | null
  readonly value: string | null
}

interface Asked {
  readonly corrects: CorrectedTable
  readonly row_id: string
  readonly changes: readonly Change[]
  /** The as-of day of the current snapshot. */
  readonly day: string
}

/** Reads `TABLE ID [FIELD=VALUE...]`, and finds the row. */
async function readAsked(action: Change['action'], words: readonly string[], lake: Lake): Promise<Asked> {
  const [table, row_id, ...rest] = words
  const wanted = { set: 'TABLE ID FIELD=VALUE...', drop: 'TABLE ID', remove: 'TABLE ID [FIELD...]' }[action]
  if (table === undefined || row_id === undefined || (action === 'set' && rest.length === 0))
    throw new QueryError('MISSING_PARAMETER', `give the row: correct ${action} ${wanted}`, {
      parameter: 'words',
    })
  const corrects = correctedTables.find(name => name === table)
  if (table === 'bonds')
    throw invalid(
      'table',
      table,
      'bonds take their rank, amount, calls and guarantors from instruments: correct the instrument, whose id "tranche instruments --fields id,name" shows',
      { allowed: [...correctedTables] },
    )
  if (corrects === undefined) throw unknownWord('table', table, correctedTables)
  if (action === 'drop' && rest.length > 0)
    throw invalid('words', rest[0], `drop takes a table and an id, not ${rest[0]}`)
  const { readCorrections } = await import('../engine/ingest/read-corrections.ts')
  if (action === 'remove') {
    const fields = rest.map(name => fieldOf(corrects, name))
    const { takenBack } = await import('../engine/ingest/take-back.ts')
    const taken = takenBack(await readCorrections(lake), { corrects, row_id }, fields)
    const changes = taken.map(({ change: { field, value } }) => ({ action, field, value }))
    const day = (await currentDay(lake)) ?? firstDay(taken.map(({ correction }) => correction))
    return { corrects, row_id, changes, day }
  }
  const day = await dayOfRow(lake, corrects, row_id)
  if (action === 'drop') return { corrects, row_id, changes: [{ action, field: null, value: null }], day }
  const changes = rest.map(word => {
    const at = word.indexOf('=')
    if (at < 1) throw invalid('words', word, `write FIELD=VALUE, not ${word}`)
    const value = word.slice(at + 1)
    return { action, field: fieldOf(corrects, word.slice(0, at)), value: value === '' ? null : value }
  })
  return { corrects, row_id, changes, day }
}

const firstDay = (taken: readonly { readonly made_on: string }[]): string =>
  taken.map(({ made_on }) => made_on).sort()[0]!

const fieldOf = (table: CorrectedTable, name: string): string => {
  if (Object.hasOwn(correctable[table], name)) return name
  throw unknownWord('field', name, Object.keys(correctable[table]), ` of ${table}`)
}

function unknownWord(parameter: string, given: string, allowed: readonly string[], of = ''): QueryError {
  const meant = nearest(given, allowed)
  return invalid(
    parameter,
    given,
    `${parameter}${of} must be one of ${allowed.join(', ')}${meant ? `; did you mean ${meant}?` : ''}`,
    { allowed, ...(meant && { suggestion: meant }) },
  )
}

async function currentDay(lake: Lake): Promise<string | null> {
  const { currentManifest, readCurrent } = await import('../engine/lake/snapshot.ts')
  return (await readCurrent(lake)) === null ? null : (await currentManifest(lake)).as_of
}

/** The as-of day of the current snapshot, in which the row must be. */
async function dayOfRow(lake: Lake, table: CorrectedTable, id: string): Promise<string> {
  const { open } = await import('../engine/engine.ts')
  const engine = await open(lake, { hotMemory: '0' })
  try {
    const rows = await engine.sql<{ id: string }>(`SELECT id FROM ${table} WHERE id = $id`, { id })
    if (rows.length === 1) return (await currentDay(lake))!
  } finally {
    engine.close()
  }
  throw new QueryError(
    'NOT_FOUND',
    `${table} of the current snapshot has no row with id ${id}; ${table === 'entities' ? '"tranche traverse" shows' : `"tranche ${table} --fields id,ticker" lists`} ids`,
  )
}

async function importFile(lake: Lake, words: readonly string[]): Promise<number | undefined> {
  const [file, ...more] = words
  if (file === undefined || more.length > 0)
    throw new QueryError('MISSING_PARAMETER', 'give one file: correct import FILE', { parameter: 'words' })
  const { ingest } = await import('../engine/ingest/ingest.ts')
  const { totals, files } = await stoppable(signal =>
    ingest(lake, [file], { dataset: 'corrections', signal }),
  )
  for (const { name, reason } of files) if (reason) notice(`${name}: ${reason}`)
  notice(
    `${totals.accepted} corrections kept, ${totals.duplicate} were there, ${totals.rejected} rejected; run "tranche build" to apply them`,
  )
  return totals.accepted + totals.duplicate === 0 ? (await import('./errors.ts')).exits.damaged : undefined
}
