import yargs, { type Argv } from 'yargs'
import type { Command } from './command.ts'
import { kebab } from './option-names.ts'
import { asText } from './parser-configuration.ts'

export interface OptionText {
  readonly group: string
  readonly text: string
}

/** yargs without its own help, version, locale and exit. */
export const plainYargs = (): Argv =>
  yargs([])
    .scriptName('tranche')
    .parserConfiguration(asText)
    .detectLocale(false)
    .help(false)
    .version(false)
    .exitProcess(false)
    .fail(false)

/** The options of a command, as its parameters declare them; `textOf` gives the help text of each. */
export function declareOptions(
  { params, letters = {} }: Command,
  textOf: (name: string) => OptionText = name => ({ group: 'Options', text: params[name]!.column.doc }),
): Argv {
  const cli = plainYargs()
  const letterOf = Object.fromEntries(Object.entries(letters).map(([letter, name]) => [name, letter]))
  for (const name of Object.keys(params)) {
    const { group, text } = textOf(name)
    const letter = letterOf[name]
    cli.option(kebab(name), { describe: text, group: `${group}:`, ...(letter && { alias: letter }) })
  }
  return cli
}
