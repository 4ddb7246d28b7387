import type { Column } from '../engine/schema/column.ts'
import { type ArgsOf, type Input, one, type Param, type Params } from '../engine/schema/params.ts'

/** What a command line said: options by parameter name, and the words between them. */
export interface ParsedArguments {
  readonly input: Input
  readonly words: readonly string[]
}

/** A command; its parameters are declared and read as those of operations are. */
export interface Command<P extends Params = Params> {
  readonly word: string
  /** How words that are not options stand in the usage line, `PATH...`; without it there are none. */
  readonly words?: string
  /** Parameters that may stand as words, in order. */
  readonly positional?: readonly string[]
  readonly params: P
  /** One-letter names: `{ o: 'output' }`. */
  readonly letters?: Readonly<Record<string, keyof P & string>>
  /** Values that the first word may have, for a shell to complete. */
  readonly firstWords?: readonly string[]
  /** Values of parameters whose declaration lists none, for a shell to complete. */
  readonly completes?: Readonly<Record<string, readonly string[]>>
  /** More to say in the help. */
  readonly notes?: string
  /** What stands after `tranche WORD`. */
  readonly examples: readonly string[]
  /** Returns the exit code, where it is not 0. */
  run(args: ArgsOf<P>, given: ParsedArguments): Promise<number | undefined>
}

export const command = <const P extends Params>(declaration: Command<P>): Command =>
  declaration as unknown as Command

/** A path or a piece of SQL: taken to the byte, where a text would be trimmed and normalised. */
export const verbatim = (doc: string, placeholder: string): Param<string | undefined> =>
  one({ kind: 'json', unit: placeholder, doc, nullable: false } satisfies Column as Column<string>)

export const lakeParams = {
  lake: verbatim('Folder of the lake; TRANCHE_LAKE or ./lake if not said.', 'DIR'),
} satisfies Params

export const stateParams = {
  state: verbatim(
    'Keys, credits and usage: a SQLite file, or postgres://...; TRANCHE_STATE or state.db in the lake if not said.',
    'PATH|URL',
  ),
} satisfies Params

/** The folder of the lake that is meant. */
export const lakeFolder = (named: string | undefined): string =>
  named || process.env['TRANCHE_LAKE'] || './lake'
