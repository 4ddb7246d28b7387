import type { Engine } from '../engine/engine.ts'
import type { Operation } from '../engine/operations/operation.ts'
import { unbounded } from '../engine/operations/params.ts'
import type { Columns } from '../engine/schema/column.ts'
import { type Input, type Params, splitList } from '../engine/schema/params.ts'
import type { Resource } from '../engine/schema/resource.ts'
import { bonds } from '../engine/schema/resources/bonds.ts'
import { companies } from '../engine/schema/resources/companies.ts'
import { fromAliases, toAliases } from '../engine/schema/resources/pricing.ts'
import { ratings } from '../engine/schema/resources/ratings.ts'
import { type Command, command, lakeFolder, lakeParams } from './command.ts'
import { drawings } from './drawings.ts'
import { exits } from './errors.ts'
import { stoppable } from './interrupt.ts'
import {
  type Choice,
  checkForObject,
  chooseOutput,
  type Format,
  notice,
  noticeRows,
  onTerminal,
  outputLetters,
  outputParams,
  wantsAll,
  widthOf,
  writeJson,
  writeObject,
  writeRows,
} from './output.ts'
import { plotParams, plotting } from './plot.ts'
import { printHits } from './print-hits.ts'
import { printTable } from './print-table.ts'
import { printWall } from './print-wall.ts'

const ours = { ...plotParams, ...outputParams, ...lakeParams } satisfies Params

/** More rows than any lake has: the `limit` for all rows. */
const ALL_ROWS = 2 ** 52

/** The command of an operation: its options are the operation's parameters. */
export function operationCommand(operation: Operation): Command {
  const list = operation.answers === 'rows'
  return command({
    word: operation.command,
    params: { ...unbounded(operation.params), ...(list && plotParams), ...ours } as Params,
    ...(operation.positional && { positional: operation.positional }),
    letters: outputLetters,
    ...(operation.resource && { completes: columnsOf(operation.resource.columns) }),
    ...(list && {
      notes:
        'The formats table and json print one page of rows; all others write every row unless --limit is given.',
    }),
    examples: operation.examples,
    async run(args, given) {
      const { lake, plot, ...outputOptions } = args as {
        plot?: readonly string[]
        no_pager?: boolean
        lake?: string
        format?: Format
        output?: string
        csv_safe?: boolean
      }
      const choice = chooseOutput({ ...outputOptions, ...(plot && { format: 'table' }) }, onTerminal())
      if (!list) checkForObject(choice)
      // The engine parses the text itself.
      const input = Object.fromEntries(
        Object.entries(given.input).filter(([name]) => !Object.hasOwn(ours, name)),
      )
      return stoppable(signal => answer(operation, input, { ...choice, plot }, lakeFolder(lake), signal))
    },
  })
}

interface ListChoice extends Choice {
  /** Columns to plot instead of a table. */
  readonly plot: readonly string[] | undefined
}

async function answer(
  operation: Operation,
  input: Input,
  choice: ListChoice,
  lake: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { open } = await import('../engine/engine.ts')
  // A single query does not pay for loading tables into memory.
  const remote = process.env['TRANCHE_REMOTE']
  const engine = await open(lake, { hotMemory: '0', ...(remote && { remote }) })
  try {
    if (operation.answers === 'object') {
      const drawing = choice.format === 'table' ? drawings[operation.name] : undefined
      const body = await engine.ask(operation.name, { ...input, ...drawing?.input }, { signal })
      const data = (operation.envelope ? body[operation.envelope] : body) as Record<string, unknown>
      await writeObject(body, data, choice, knownKinds, drawing?.draw)
      return undefined
    }
    if (choice.format === 'json') {
      const body = await engine.ask(operation.name, input, { signal })
      await writeJson(body, choice)
      return codeOf(body['meta'])
    }
    return await streamed(engine, operation, input, choice, signal)
  } finally {
    engine.close()
  }
}

/** Writes the rows of a list; the exit code if nothing was found. */
function streamed(
  engine: Engine,
  operation: Operation,
  input: Input,
  choice: ListChoice,
  signal: AbortSignal,
): Promise<number | undefined> {
  const all = wantsAll(choice) && !input['limit']
  const fields = choice.plot
    ? plotColumns(operation, choice.plot)
    : choice.format === 'table'
      ? tableColumns(operation, input, choice)
      : undefined
  // A cloud of points or a line is of all rows; bars are of a page.
  const isWhole = all || (fields && choice.plot && !input['limit'] && !isBars(operation, choice.plot))
  const request = { ...input, ...(isWhole && { limit: ALL_ROWS }), ...(fields && { fields }) }
  return engine.stream(operation.name, request, { signal }, async ({ meta: asMeta, ...stream }) => {
    const meta = await asMeta()
    const { snapshot, as_of } = meta as unknown as { snapshot: string; as_of: string }
    const print = choice.plot
      ? plotting(choice.plot)
      : ((input['fields'] ? undefined : layouts[operation.name]?.(choice)) ?? printRows)
    const rows = await writeRows(stream, choice, { about: { snapshot, as_of }, print })
    const { unknown, warnings, empty_because: reasons = [] } = meta as Partial<Record<string, string[]>>
    if (meta.total > 0) noticeRows(rows, meta.total, choice)
    else if (reasons.length === 0 && choice.format === 'table') notice('no rows match')
    for (const reason of reasons) notice(`no rows match: ${reason}`)
    if (unknown?.length) notice(`unknown, left out: ${unknown.join(', ')}`)
    for (const warning of warnings ?? []) notice(`warning: ${warning}`)
    return codeOf(meta)
  })
}

/** Nothing found of an identifier that nobody has: as an unknown one is refused elsewhere. */
const codeOf = (meta: unknown): number | undefined => {
  const { total, unknown } = (meta ?? {}) as { total?: number; unknown?: readonly string[] }
  return total === 0 && unknown && unknown.length > 0 ? exits.missing : undefined
}

/** Columns of a plot: what names a row, its day, and the numbers. */
function plotColumns({ resource }: Operation, plot: readonly string[]): readonly string[] | undefined {
  if (!resource) return undefined
  const [label] = resource.glance ?? Object.keys(resource.columns)
  const day = dayOf(resource)
  return [...new Set([...(label ? [label] : []), ...(day ? [day] : []), ...plot])]
}

/** The day that tells rows of one thing apart. */
const dayOf = ({ key, columns }: Resource): string | undefined =>
  key.find(name => columns[name]?.kind === 'date')

const isBars = ({ resource }: Operation, plot: readonly string[]): boolean =>
  plot.length === 1 && (!resource || dayOf(resource) === undefined)

const columnsOf = (columns: Columns) => ({ fields: Object.keys(columns), sort: Object.keys(columns) })

/** The columns that a question sorts or filters by, which its table must show. */
function askedColumns({ columns, filters }: Resource, input: Input): string[] {
  const sorted = splitList([input['sort'] ?? []].flat().join(',')).map(key => key.replace(/^-/, ''))
  const filtered = Object.keys(input).flatMap(name => filters[name]?.column ?? [])
  return [...sorted, ...filtered].filter(
    name => Object.hasOwn(columns, name) && !['company_id', 'coverage'].includes(name),
  )
}

/**
 * Default columns of a table: the first, those that the question is about, then the most informative, because a narrow
 * terminal cuts the last.
 */
function tableColumns(
  { name, resource }: Operation,
  input: Input,
  choice: Choice,
): readonly string[] | undefined {
  const { aggregation = 'latest', ...rest } = input
  const isHistory = ['date_from', 'date_to', ...fromAliases, ...toAliases].some(
    name => rest[name] !== undefined,
  )
  const asksHistory = isHistory || aggregation !== 'latest'
  if (!resource || input['fields'] !== undefined || asksHistory) return undefined
  const { columns } = resource
  const named = Object.keys(columns).filter(name => !columns[name]!.on_request)
  const [first, ...glance] = resource.glance ?? named
  const own = [...new Set([first!, ...askedColumns(resource, input), ...glance])]
  // A file, and what is piped, has no width that would leave others out.
  const isNarrowed = widthOf(choice) === null && resource.glance && !layouts[name]
  return isNarrowed ? own : [...new Set([...own, ...named])]
}

/** A table; nothing where there are no rows, because headings alone look like an answer. */
const printRows: typeof printTable = (columns, rows, width) =>
  rows.length === 0 ? { text: '', hidden: [] } : printTable(columns, rows, width)

const hitsFor =
  ({ file }: Choice): typeof printTable =>
  (columns, rows, width) =>
    printHits(columns, rows, width, file === null && onTerminal() && !process.env['NO_COLOR'])

/** Layouts of lists that say more than a table, used unless `fields` chooses columns. */
const layouts: Readonly<Record<string, (choice: Choice) => typeof printTable>> = {
  'search.documents': hitsFor,
  'search.maturities': () => (columns, rows, width) =>
    rows.length === 0 ? { text: '', hidden: [] } : printWall(columns, rows, width),
}

/** The kinds of an object's fields, from the tables they come from. */
const knownKinds: Columns = {
  ...ratings.columns,
  ...companies.columns,
  ...bonds.columns,
  ...Object.fromEntries(Object.entries(bonds.columns).map(([name, column]) => [`bond.${name}`, column])),
}
