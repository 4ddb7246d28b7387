import Parser from 'yargs-parser'
import { invalid } from '../engine/base/errors.ts'
import { isFreeText } from '../engine/schema/examples.ts'
import { type Param, paramNamed, parseParams } from '../engine/schema/params.ts'
import type { Command, ParsedArguments } from './command.ts'
import { snake } from './option-names.ts'
import { asText } from './parser-configuration.ts'
import { plainNumber } from './written-amounts.ts'

const truth = /^(true|false|0|1)$/i

/**
 * The parsed command line, or null if it asks for help. Uses yargs's parser alone: loading all of yargs takes a sixth
 * of the time that `tranche companies` takes from start to table.
 */
export function readArguments(command: Command, argv: readonly string[]): ParsedArguments | null {
  const { word, params, positional = [], letters = {} } = command
  const {
    _: words,
    '--': after = [],
    ...given
  } = Parser([...joinValues(command, argv)], { configuration: asText }) as {
    _: (string | number)[]
    '--'?: string[]
    [name: string]: unknown
  }
  // No prototype: `--__proto__` is an unknown option like any other.
  const input: Record<string, unknown> = Object.create(null)
  const add = (name: string, value: unknown) => {
    input[name] = input[name] === undefined ? value : [input[name], value].flat()
  }
  for (const [written, value] of Object.entries(given)) {
    const name = letters[written] ?? (written === 'h' ? 'help' : snake(written))
    if (name === 'help') return null
    const param = paramNamed(params, name)?.param
    if (value === '' && param) throw invalid(name, null, `${name} needs a value: ${param.column.doc}`)
    add(name, param ? asWritten(param, value) : value)
  }
  const rest = [...words, ...after].map(String)
  for (const name of positional) {
    // Free text needs no quotes on a command line.
    const taken = name === positional.at(-1) && isFreeText(params[name]!) ? rest.splice(0) : rest.splice(0, 1)
    if (taken.length > 0) add(name, taken.join(' '))
  }
  if (rest.length > 0 && !command.words)
    throw invalid('words', rest[0], `${word} takes no ${positional.length ? 'further ' : ''}word: ${rest[0]}`)
  return { input, words: rest }
}

/** Numbers as a desk writes them, in the units of the parameter. */
const asWritten = ({ column }: Param, value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(each => plainNumber(column, String(each)))
    : typeof value === 'string'
      ? plainNumber(column, value)
      : value

/**
 * Joins values to their options, `--name=value`, so that the parser has nothing to guess. The word after an option is
 * its value even if it begins with a minus (`--sort -ytm`), unless it is an option itself; a boolean option takes
 * only `true` and `false`, and alone means `true`.
 */
export function* joinValues({ params, letters = {} }: Command, argv: readonly string[]): Generator<string> {
  for (let i = 0; i < argv.length; i++) {
    const token = argv[i]!
    if (token === '--') return yield* argv.slice(i)
    const [, letter = '', near] = /^-([A-Za-z])(?:=?(.+))?$/s.exec(token) ?? []
    const written = /^--([^=]+)$/s.exec(token)?.[1] ?? letters[letter] ?? letter
    const param = written ? paramNamed(params, snake(written))?.param : undefined
    const next = argv[i + 1]
    if (!param) yield token
    else if (near !== undefined) yield `--${written}=${near}`
    else if (param.column.kind === 'boolean')
      yield `--${written}=${next !== undefined && truth.test(next) ? argv[++i] : 'true'}`
    else if (next !== undefined && !/^--./.test(next)) yield `--${written}=${argv[++i]}`
    else yield `--${written}=`
  }
}

/** Typed arguments; throws on a mistake before anything is opened. */
export const checked = (command: Command, { input }: ParsedArguments) => parseParams(command.params, input)
