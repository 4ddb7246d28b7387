import type { Columns } from '../engine/column.ts'
import { unbounded } from '../engine/list.ts'
import type { Operation } from '../engine/operation.ts'
import type { Params } from '../engine/params.ts'
import { bonds } from '../engine/resources/bonds.ts'
import { companies } from '../engine/resources/companies.ts'
import { ratings } from '../engine/resources/ratings.ts'
import { type Command, command, lakeFolder, lakeParams } from './command.ts'
import {
  chooseOutput,
  type Format,
  notice,
  noticeRows,
  onTerminal,
  outputLetters,
  outputParams,
  wantsAll,
  writeJson,
  writeObject,
  writeRows,
} from './output.ts'

const ours = { ...outputParams, ...lakeParams } satisfies Params

/** An answer that can be sorted is a list of rows; any other is one object. */
const isList = ({ params }: Operation): boolean => Object.hasOwn(params, 'sort')

/** More rows than any lake has: what `limit` is where all are wanted. */
const ALL_ROWS = 2 ** 52

/** The command of an operation: its options are the operation's parameters. */
export function operationCommand(operation: Operation): Command {
  const list = isList(operation)
  return command({
    word: operation.command,
    params: { ...unbounded(operation.params), ...ours } as Params,
    ...(operation.positional && { positional: operation.positional }),
    letters: outputLetters,
    ...(list && {
      notes:
        'As table and json a page of rows is printed; every other format has all rows, unless --limit is given.',
    }),
    examples: operation.examples,
    async run(args, given) {
      const { lake, format, output } = args as { lake?: string; format?: Format; output?: string }
      const choice = chooseOutput({ ...(format && { format }), ...(output && { output }) }, onTerminal())
      // The engine reads the text itself: what was typed is what is asked.
      const input = Object.fromEntries(
        Object.entries(given.input).filter(([name]) => !Object.hasOwn(ours, name)),
      )
      const { open } = await import('../engine/engine.ts')
      const engine = await open(lakeFolder(lake))
      try {
        if (!list) {
          const body = await engine.ask(operation.name, input)
          const data = (operation.envelope ? body[operation.envelope] : body) as Record<string, unknown>
          await writeObject(body, data, choice, knownKinds)
        } else if (choice.format === 'json') await writeJson(await engine.ask(operation.name, input), choice)
        else {
          const all = wantsAll(choice) && !given.input['limit']
          await engine.stream(
            operation.name,
            all ? { ...input, limit: ALL_ROWS } : input,
            {},
            async stream => {
              const about = {
                snapshot: engine.snapshot,
                as_of: String(input['as_of'] ?? engine.manifest.as_of),
              }
              const rows = await writeRows({ columns: stream.columns, chunks: stream.chunks }, choice, {
                about,
              })
              const meta = await stream.meta()
              noticeRows(rows, meta.total, choice)
              const { unknown, warnings } = meta as { unknown?: string[]; warnings?: string[] }
              if (unknown?.length) notice(`left out, not known: ${unknown.join(', ')}`)
              for (const warning of warnings ?? []) notice(`warning: ${warning}`)
            },
          )
        }
      } finally {
        engine.close()
      }
      return undefined
    },
  })
}

/** What fields of single objects are: they carry the names of the tables they come from. */
const knownKinds: Columns = {
  ...ratings.columns,
  ...companies.columns,
  ...bonds.columns,
  ...Object.fromEntries(Object.entries(bonds.columns).map(([name, column]) => [`bond.${name}`, column])),
}
