import type { Param } from '../engine/schema/params.ts'
import type { Command } from './command.ts'
import { commandNamed } from './commands.ts'
import { declareOptions } from './declare-options.ts'
import { kebab } from './option-names.ts'

/** The help of one command, in `width` columns. */
export function commandHelp(command: Command, width: number): string {
  const { word, params, positional = [], notes, examples } = command
  const places = positional.map(name =>
    params[name]!.required ? name.toUpperCase() : `[${name.toUpperCase()}]`,
  )
  const usage = ['tranche', word, ...places, ...(command.words ? [command.words] : []), '[options]'].join(' ')
  const parts = [usage, commandNamed(word)?.doc ?? '', ...(notes ? [notes] : [])]
  const placeOf = (name: string) => groups.indexOf(groupOf(name))
  const byGroup = Object.keys(params).sort((a, b) => placeOf(a) - placeOf(b))
  const ordered = { ...command, params: Object.fromEntries(byGroup.map(name => [name, params[name]!])) }
  const cli = declareOptions(ordered, name => ({
    group: groupOf(name),
    text: described(params[name]!, positional.includes(name)),
  }))
  cli.wrap(width).usage(parts.join('\n\n'))
  let help = ''
  cli.showHelp(text => {
    help = text
  })
  // Not wrapped: they are there to be copied.
  const lines = examples.map(example => `\n  tranche ${word} ${example}`.trimEnd())
  return `${help}\n${lines.length > 0 ? `\nExamples:${lines.join('')}\n` : ''}`
}

const groups = ['Options', 'Output', 'Lake']

const pageNames = ['fields', 'sort', 'limit', 'offset', 'include_metadata', 'explain', 'format', 'output']
const lakeNames = ['lake', 'as_of', 'snapshot']
const groupOf = (name: string): string =>
  pageNames.includes(name) ? 'Output' : lakeNames.includes(name) ? 'Lake' : 'Options'

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
  { column, many, required, fallback, usual, standing, min, max, aliases = [] }: Param,
  positional: boolean,
): string {
  const shownDefault = fallback ?? usual ?? standing
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
    ...(shownDefault !== undefined && shownDefault !== false
      ? [`default ${[shownDefault].flat().join(',')}`]
      : []),
    ...(required ? ['required'] : []),
    ...(positional ? ['also positional'] : []),
    ...(aliases.length > 0 ? [`also ${aliases.map(alias => `--${kebab(alias)}`).join(', ')}`] : []),
  ]
  return `${column.doc} [${facts.join('; ')}]`
}
