import { QueryError } from '../engine/base/errors.ts'
import { isStore } from '../engine/lake/store/address.ts'
import { boolean, type Column } from '../engine/schema/column.ts'
import { type ArgsOf, type Input, one, type Param, type Params } from '../engine/schema/params.ts'

/** The parsed command line: options by parameter name, and positional words. */
export interface ParsedArguments {
  readonly input: Input
  readonly words: readonly string[]
}

/** A command; its parameters are declared and parsed like those of operations. */
export interface Command<P extends Params = Params> {
  readonly word: string
  /** Positional words in the usage line, `PATH...`; a command without it takes none. */
  readonly words?: string
  /** Parameters that may stand as words, in order. */
  readonly positional?: readonly string[]
  readonly params: P
  /** One-letter names: `{ o: 'output' }`. */
  readonly letters?: Readonly<Record<string, keyof P & string>>
  /** Values of the first word, for shell completion. */
  readonly firstWords?: readonly string[]
  /** Values of parameters that declare none, for shell completion. */
  readonly completes?: Readonly<Record<string, readonly string[]>>
  /** Further text for the help. */
  readonly notes?: string
  /** Command lines after `tranche WORD`. */
  readonly examples: readonly string[]
  /** Returns the exit code if it is not 0. */
  run(args: ArgsOf<P>, given: ParsedArguments): Promise<number | undefined>
}

export const command = <const P extends Params>(declaration: Command<P>): Command =>
  declaration as unknown as Command

/** A path or a piece of SQL: used unchanged, where other text is trimmed and normalised. */
export const verbatim = (doc: string, placeholder: string): Param<string | undefined> =>
  one({ kind: 'json', unit: placeholder, doc, nullable: false } satisfies Column as Column<string>)

export const lakeParams = {
  lake: verbatim('Folder of the lake; default TRANCHE_LAKE, else ./lake.', 'DIR'),
} satisfies Params

export const icebergParams = {
  iceberg: one(
    boolean(
      'Write Iceberg tables of the snapshots, which Spark, Trino, DuckDB and pyiceberg read; see docs/open-tables.md.',
    ),
  ),
  iceberg_location: verbatim(
    'The lake as their readers name it, a URL or an absolute path; default where it is written.',
    'URL',
  ),
} satisfies Params

export const stateParams = {
  state: verbatim(
    'Keys, credits and usage: a SQLite file, or postgres://...; default TRANCHE_STATE, else state.db in the lake.',
    'PATH|URL',
  ),
} satisfies Params

/** The lake: the option, else `TRANCHE_LAKE`, else `lake`. A store for the commands that read one. */
export const lakeLocation = (named: string | undefined): string =>
  named || process.env['TRANCHE_LAKE'] || './lake'

/** The folder of the lake; throws for the address of a store. */
export function lakeFolder(named: string | undefined): string {
  const location = lakeLocation(named)
  if (isStore(location))
    throw new QueryError(
      'INVALID_PARAMETER',
      `${location} is a store: "tranche pull ${location} --lake DIR" copies it, "tranche serve" reads it as it is`,
      { parameter: 'lake', value: location },
    )
  return location
}
