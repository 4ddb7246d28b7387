import { invalid } from '../engine/errors.ts'
import { type Param, parseParams } from '../engine/params.ts'
import type { Command, Given } from './command.ts'
import { commandNamed } from './commands.ts'

export const kebab = (name: string): string => name.replaceAll('_', '-')
const snake = (name: string): string => name.replaceAll('-', '_')

const truth = /^(true|false|0|1)$/i

/**
 * Every option as `--name=value`: `--has_pricing` becomes `--has-pricing=true`, and `--sort -ytm` keeps its value,
 * which a usual reading would take for an option.
 */
export function joined(argv: readonly string[], { params, letters = {} }: Pick<Command, 'params' | 'letters'>): string[] {
  const tokens: string[] = []
  for (let i = 0; i < argv.length; i++) {
    const token = argv[i]!
    if (token === '--') return [...tokens, ...argv.slice(i)]
    const option = /^--([^=]+)(?:=(.*))?$/s.exec(token)
    const letter = option ? null : /^-([A-Za-z])=?(.*)$/s.exec(token)
    if (!option && !letter) {
      tokens.push(token)
      continue
    }
    const name = option ? snake(option[1]!) : (letters[letter![1]!] ?? letter![1]!)
    if (name === 'help' || token === '-h') {
      tokens.push('--help')
      continue
    }
    const said = option ? option[2] : letter![2] || undefined
    const flag = Object.hasOwn(params, name) && params[name]!.column.kind === 'boolean'
    const next = argv[i + 1]
    let value = said
    if (value === undefined && next !== undefined && (flag ? truth.test(next) : !next.startsWith('--') || next === '--')) {
      value = next
      i++
    }
    if (value === undefined && flag) value = 'true'
    if (value === undefined && Object.hasOwn(params, name))
      throw invalid(name, null, `${name} needs a value: ${params[name]!.column.doc}`)
    tokens.push(`--${kebab(name)}=${value ?? ''}`)
  }
  return tokens
}

async function parser(tokens: readonly string[]) {
  const { default: yargs } = await import('yargs')
  return yargs([...tokens])
    .help(false)
    .version(false)
    .exitProcess(false)
    .parserConfiguration({
      'camel-case-expansion': false,
      'dot-notation': false,
      'boolean-negation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
}

/** What the command line says, or null where it asks for help. */
export async function readArguments(command: Command, argv: readonly string[]): Promise<Given | null> {
  const tokens = joined(argv, command)
  const end = tokens.indexOf('--')
  if (tokens.slice(0, end < 0 ? undefined : end).includes('--help')) return null
  const { _: words, $0: _, ...options } = await (await parser(tokens)).parseAsync()
  const input: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) input[snake(name)] = value
  const rest = words.map(String)
  for (const name of command.positional ?? []) {
    const last = name === command.positional!.at(-1)
    // Free text needs no quotes on a command line.
    const taken = last && freeText(command.params[name]!) ? rest.splice(0) : rest.splice(0, 1)
    if (taken.length === 0) break
    input[name] = input[name] === undefined ? taken.join(' ') : [input[name], taken.join(' ')].flat()
  }
  if (rest.length > 0 && !command.words)
    throw invalid('words', rest[0], `${command.word} takes no ${command.positional ? 'further ' : ''}word: ${rest[0]}`)
  return { input, words: rest }
}

const freeText = ({ column, many }: Param): boolean => column.kind === 'text' && !column.format && !many

/** Typed arguments; a mistake is said before anything is opened. */
export const checked = (command: Command, { input }: Given) => parseParams(command.params, input)

/** The help of one command, in `width` columns. */
export async function commandHelp(command: Command, width: number): Promise<string> {
  const { word, params, letters = {}, positional = [], examples } = command
  const places = positional.map(name => (params[name]!.required ? name.toUpperCase() : `[${name.toUpperCase()}]`))
  const usage = ['tranche', word, ...places, ...(command.words ? [command.words] : []), '[options]'].join(' ')
  const notes = command.notes ? `\n\n${command.notes}` : ''
  const built = (await parser([])).wrap(width).usage(`${usage}\n\n${commandNamed(word)?.doc ?? ''}${notes}`)
  for (const [name, param] of Object.entries(params)) {
    const letter = Object.keys(letters).find(l => letters[l] === name)
    built.option(kebab(name), {
      describe: described(param, positional.includes(name)),
      group: groupOf(name),
      ...(letter && { alias: letter }),
    })
  }
  return `${(await built.getHelp()).trimEnd()}\n${examples.length ? `\nExamples:\n${examples.map(e => `  tranche ${word} ${e}`.trimEnd()).join('\n')}\n` : ''}`
}

const pageNames = ['fields', 'sort', 'limit', 'offset', 'include_metadata', 'explain', 'format', 'output']
const groupOf = (name: string): string =>
  pageNames.includes(name) ? 'Output:' : name === 'lake' || name === 'as_of' ? 'Lake:' : 'Options:'

const typeNames: Partial<Record<string, string>> = {
  enum: '',
  cents: 'whole number, cents',
  integer: 'whole number',
  percent: 'percent',
  bps: 'basis points',
  ratio: 'number',
  years: 'years',
  date: 'YYYY-MM-DD',
  timestamp: 'instant',
  boolean: 'true or false',
}

function described({ column, many, required, fallback, min, max }: Param, positional: boolean): string {
  const type = column.kind === 'json' ? (column.unit ?? 'text') : (column.format ?? typeNames[column.kind] ?? column.kind)
  const unit = column.unit && column.kind !== 'json' ? `, ${column.unit}` : ''
  const range =
    min !== undefined && max !== undefined
      ? `, ${min} to ${max}`
      : min !== undefined
        ? `, at least ${min}`
        : max !== undefined
          ? `, at most ${max}`
          : ''
  const facts = [
    column.values ? `${many ? 'any of' : 'one of'} ${column.values.join(', ')}` : `${type}${unit}${range}${many ? ', list' : ''}`,
    ...(fallback !== undefined && fallback !== false ? [`default ${[fallback].flat().join(',')}`] : []),
    ...(required ? ['required'] : []),
    ...(positional ? ['also as a word'] : []),
  ]
  return `${column.doc} [${facts.join('; ')}]`
}
