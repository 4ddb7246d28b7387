import Parser from 'yargs-parser'
import { invalid } from '../engine/base/errors.ts'
import { isFreeText } from '../engine/schema/examples.ts'
import { type Param, paramNamed, parseParams } from '../engine/schema/params.ts'
import type { Command, ParsedArguments } from './command.ts'
import { commandNamed, wrapped } from './commands.ts'

export const kebab = (name: string): string => name.replaceAll('_', '-')
const snake = (name: string): string => name.replaceAll('-', '_')

const truth = /^(true|false|0|1)$/i

/** Everything is read as text: what a value means is said by the declarations, and checked there. */
const asText = {
  'boolean-negation': false,
  'camel-case-expansion': false,
  'dot-notation': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'short-option-groups': false,
  'populate--': true,
  'strip-aliased': true,
  'duplicate-arguments-array': true,
}

/** What a command line says, or null where it asks for help. */
export function readArguments(command: Command, argv: readonly string[]): ParsedArguments | null {
  const { word, params, positional = [], letters = {} } = command
  const names = Object.entries(params).flatMap(([name, { aliases = [] }]) => [name, ...aliases])
  const {
    _: words,
    '--': after = [],
    ...given
  } = Parser([...withValues(command, argv)], {
    string: [...names, ...names.map(kebab), ...Object.keys(letters), 'help', '_'],
    configuration: asText,
  }) as { _: string[]; '--'?: string[]; [name: string]: string | string[] | undefined }
  // No prototype: `--__proto__` is an unknown option like any other.
  const input: Record<string, unknown> = Object.create(null)
  const add = (name: string, value: string | string[]) => {
    input[name] = input[name] === undefined ? value : [input[name], value].flat()
  }
  for (const [written, value = ''] of Object.entries(given)) {
    const name = letters[written] ?? (written === 'h' ? 'help' : snake(written))
    if (name === 'help') return null
    const param = paramNamed(params, name)?.param
    if (value === '' && param) throw invalid(name, null, `${name} needs a value: ${param.column.doc}`)
    add(name, value)
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

/**
 * Ties values to their options: the next word is an option's value also where it begins with a minus (`--sort -ytm`),
 * but not another option; a true-or-false option takes only `true` and `false`, and stands for `true` alone.
 */
function* withValues({ params, letters = {} }: Command, argv: readonly string[]): Generator<string> {
  for (let i = 0; i < argv.length; i++) {
    const token = argv[i]!
    if (token === '--') return yield* argv.slice(i)
    const [, letter = '', near] = /^-([A-Za-z])(?:=?(.+))?$/s.exec(token) ?? []
    const written = /^--([^=]+)$/s.exec(token)?.[1] ?? letters[letter]
    const param = written ? paramNamed(params, snake(written))?.param : undefined
    const next = argv[i + 1]
    if (!param) yield token
    else if (near !== undefined) yield `--${written}=${near}`
    else if (param.column.kind === 'boolean')
      yield `--${written}=${next !== undefined && truth.test(next) ? argv[++i] : 'true'}`
    else if (next !== undefined && !/^--./.test(next)) yield `--${written}=${argv[++i]}`
    else yield token
  }
}

/** Typed arguments; a mistake is said before anything is opened. */
export const checked = (command: Command, { input }: ParsedArguments) => parseParams(command.params, input)

/** The help of one command, in `width` columns. */
export function commandHelp(command: Command, width: number): string {
  const { word, params, letters = {}, positional = [], notes, examples } = command
  const places = positional.map(name =>
    params[name]!.required ? name.toUpperCase() : `[${name.toUpperCase()}]`,
  )
  const usage = ['tranche', word, ...places, ...(command.words ? [command.words] : []), '[options]'].join(' ')
  const parts = [usage, wrapped(commandNamed(word)?.doc ?? '', width).join('\n')]
  if (notes)
    parts.push(
      notes
        .split('\n')
        .flatMap(line => wrapped(line, width))
        .join('\n'),
    )
  const options = Object.entries(params).map(([name, param]) => {
    const letter = Object.keys(letters).find(l => letters[l] === name)
    const flag = name.length === 1 ? `-${name}` : `${letter ? `-${letter}, ` : '    '}--${kebab(name)}`
    return { flag, group: groupOf(name), text: described(param, positional.includes(name)) }
  })
  const pad = Math.max(...options.map(o => o.flag.length)) + 4
  for (const group of ['Options', 'Output', 'Lake']) {
    const lines = options
      .filter(o => o.group === group)
      .flatMap(({ flag, text }) =>
        wrapped(text, Math.max(width - pad, 30)).map(
          (line, i) => `${(i === 0 ? `  ${flag}` : '').padEnd(pad)}${line}`,
        ),
      )
    if (lines.length > 0) parts.push([`${group}:`, ...lines].join('\n'))
  }
  if (examples.length > 0)
    parts.push(['Examples:', ...examples.map(e => `  tranche ${word} ${e}`.trimEnd())].join('\n'))
  return `${parts.join('\n\n')}\n`
}

const pageNames = ['fields', 'sort', 'limit', 'offset', 'include_metadata', 'explain', 'format', 'output']
const groupOf = (name: string): string =>
  pageNames.includes(name) ? 'Output' : name === 'lake' || name === 'as_of' ? 'Lake' : 'Options'

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

function described(
  { column, many, required, fallback, usual, min, max, aliases = [] }: Param,
  positional: boolean,
): string {
  const standing = fallback ?? usual
  const type =
    column.kind === 'json'
      ? (column.unit ?? 'text')
      : (column.format ?? typeNames[column.kind] ?? column.kind)
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
    column.values
      ? `${many ? 'any of' : 'one of'} ${column.values.join(', ')}`
      : `${type}${unit}${range}${many ? ', list' : ''}`,
    ...(standing !== undefined && standing !== false ? [`default ${[standing].flat().join(',')}`] : []),
    ...(required ? ['required'] : []),
    ...(positional ? ['also as a word'] : []),
    ...(aliases.length > 0 ? [`also ${aliases.map(alias => `--${kebab(alias)}`).join(', ')}`] : []),
  ]
  return `${column.doc} [${facts.join('; ')}]`
}
