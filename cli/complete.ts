import { paramNamed } from '../engine/schema/params.ts'
import type { Command } from './command.ts'
import { commandNamed, commands } from './commands.ts'
import { declareOptions, plainYargs } from './declare-options.ts'
import { snake } from './option-names.ts'
import { joinValues } from './read-arguments.ts'

/**
 * Completions for the last word of a command line: commands, options, and listed values of options and words. Empty
 * for file names and free text.
 * @param line the words of the line, without the program's name
 */
export async function completions(
  line: readonly string[],
  load: (word: string) => Promise<Command>,
): Promise<readonly string[]> {
  const [word, ...words] = withoutLake(line)
  const current = line.at(-1) ?? ''
  if (word === undefined || words.length === 0) {
    const general = ['--help', '--version', '--lake']
    return beginningWith(current, current.startsWith('-') ? general : await commandNames())
  }
  if (!commandNamed(word)) return []
  const command = await load(word)
  const begun = /^-{0,2}/.exec(current)![0]
  return (
    valuesAt(command, words) ??
    beginningWith(current, await declareOptions(command).getCompletion([...words.slice(0, -1), begun]))
  )
}

/** Without `--lake DIR` before the command. */
function withoutLake(line: readonly string[]): readonly string[] {
  if (line[0] === '--lake' && line.length > 2) return withoutLake(line.slice(2))
  return line[0]?.startsWith('--lake=') && line.length > 1 ? withoutLake(line.slice(1)) : line
}

/** The commands as yargs completes them, with descriptions for shells that show these. */
function commandNames(): Promise<readonly string[]> {
  const cli = plainYargs()
  for (const { word, doc } of commands) cli.command(word, doc)
  return cli.getCompletion([''])
}

const beginningWith = (start: string, values: readonly string[]): string[] =>
  values.filter(value => value.startsWith(start))

/** Values for the last of a command's words; null if an option name is expected. */
function valuesAt(command: Command, words: readonly string[]): readonly string[] | null {
  const current = words.at(-1)!
  const before = joined(words.slice(0, -1))
  const last = before.at(-1) ?? ''
  // Bash gives `--format=js` as three words, and completes the third.
  if (last.endsWith('=')) return valuesOf(command, last.slice(0, -1), current)
  const [, option, begun = ''] = /^(--[^=]+)=(.*)$/s.exec(current) ?? []
  if (option) return valuesOf(command, option, begun).map(value => `${option}=${value}`)
  if (takesValue(command, last) && !/^--./.test(current)) return valuesOf(command, last, current)
  if (current.startsWith('-')) return null
  return wordsAt(command, before, current)
}

/** Options and their values that Bash splits at the equals sign, as one word again. */
function joined(words: readonly string[]): string[] {
  const whole: string[] = []
  for (const [i, word] of words.entries())
    if (word === '=' || words[i - 1] === '=') whole.push(`${whole.pop() ?? ''}${word}`)
    else whole.push(word)
  return whole
}

const paramOf = ({ params, letters = {} }: Command, option: string) => {
  const [, letter = '', name = ''] = /^-(?:([A-Za-z])|-(.+))$/s.exec(option) ?? []
  return paramNamed(params, snake(name || (letters[letter] ?? letter)))
}

function takesValue(command: Command, option: string): boolean {
  const param = paramOf(command, option)?.param
  return param !== undefined && param.column.kind !== 'boolean'
}

/** Values of an option that begin like the current word; for a list, its last member. */
function valuesOf(command: Command, option: string, current: string): string[] {
  const found = paramOf(command, option)
  return found ? valuesOfParam(command, found.name, current) : []
}

function valuesOfParam({ params, completes = {} }: Command, name: string, current: string): string[] {
  const { column, many } = params[name]!
  const values = column.values ?? completes[name] ?? (column.kind === 'boolean' ? ['true', 'false'] : [])
  const before = many ? current.slice(0, current.lastIndexOf(',') + 1) : ''
  const begun = current.slice(before.length)
  const downwards = name === 'sort' && begun.startsWith('-') ? '-' : ''
  return values
    .map(value => downwards + value)
    .filter(value => value.startsWith(begun))
    .map(value => before + value)
}

/** Values of the next word; null if there is none. */
function wordsAt(command: Command, before: readonly string[], current: string): readonly string[] | null {
  const { positional = [], words, firstWords } = command
  const place = [...joinValues(command, before)].filter(token => !token.startsWith('-')).length
  const name = positional[place]
  if (name) return valuesOfParam(command, name, current)
  if (!words) return null
  return place === 0 && firstWords ? beginningWith(current, firstWords) : []
}
