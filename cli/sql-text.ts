import { groupOf } from '../engine/base/elements.ts'
/** Splits at semicolons outside quotes and comments; `rest` is an unfinished statement. */
export function splitStatements(text: string): { done: string[]; rest: string } {
  const done: string[] = []
  let start = 0
  const tokens =
    /'[^']*(?:''[^']*)*'|"[^"]*(?:""[^"]*)*"|--[^\n]*(?:\n|$)|\/\*(?:[\s\S]*?\*\/|[\s\S]*)|['"]|;/g
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === ';') {
      const statement = text.slice(start, index)
      if (statement.trim() !== '') done.push(statement.trim())
      start = index + 1
    } else if (token === "'" || token === '"' || isOpenComment(token)) break
  }
  const rest = text.slice(start)
  return { done, rest: rest.trim() === '' ? '' : rest }
}

const isOpenComment = (token: string): boolean =>
  token.startsWith('/*') && (token.length < 4 || !token.endsWith('*/'))

/** `k=v` pairs for `$k`; all are text, which DuckDB casts if necessary. */
export function namedValues(pairs: readonly string[]): {
  values: Record<string, string>
  mistake: string | null
} {
  const values = new Map<string, string>()
  const mistaken = (mistake: string) => ({ values: {}, mistake })
  for (const pair of pairs) {
    const match = /^\$?([A-Za-z_]\w*)=(.*)$/s.exec(pair)
    if (!match) return mistaken(`param must be name=value, not ${pair}`)
    const [name, value] = [groupOf(match, 1), groupOf(match, 2)]
    if (values.has(name)) return mistaken(`param gives ${name} twice`)
    values.set(name, value)
  }
  return { values: Object.fromEntries(values), mistake: null }
}

const keywords =
  'select from where group by having order limit offset join left inner on using as and or not in is null like ilike ' +
  'between case when then else end distinct union all with asc desc nulls last first count sum avg min max median ' +
  'quantile_cont round coalesce cast date interval over partition row_number qualify explain describe exists filter'

const plainName = /^[a-z_]\w*$/i

/**
 * Completions of the word before the cursor: columns of the tables named in the text (or of all), tables, keywords.
 * The second part is that word.
 */
export function completions(
  text: string,
  views: readonly { readonly name: string; readonly columns: Readonly<Record<string, unknown>> }[],
): [string[], string] {
  const word = /"[^"]*$|(?<!\w)\w+$/.exec(text)?.[0].replace(/^\d+/, '') ?? ''
  if (word === '' || text.trimStart().startsWith('.'))
    return [dotCompletions(text.trimStart(), views), text.trimStart()]
  const before = text.slice(0, text.length - word.length).toLowerCase()
  const named = new Set(before.match(/\w+/g))
  const spoken = views.filter(v => named.has(v.name.toLowerCase()))
  const columns = (spoken.length > 0 ? spoken : views).flatMap(v => Object.keys(v.columns))
  const names = [...new Set([...columns, ...views.map(v => v.name)])].map(n =>
    plainName.test(n) ? n : `"${n}"`,
  )
  const upper = word === word.toUpperCase() && /[A-Z]/.test(word)
  const words = keywords.split(' ').map(k => (upper ? k.toUpperCase() : k))
  const begins = (candidate: string) => candidate.toLowerCase().startsWith(word.toLowerCase())
  return [[...names.filter(begins).sort(), ...words.filter(begins)], word]
}

export const dotCommands = ['.help', '.tables', '.schema', '.quit'] as const

function dotCompletions(text: string, views: readonly { readonly name: string }[]): string[] {
  if (!text.startsWith('.')) return []
  const schema = /^\.schema\s+(\w*)$/.exec(text)
  if (schema) return views.map(v => `.schema ${v.name}`).filter(c => c.startsWith(`.schema ${schema[1]}`))
  return dotCommands.filter(c => c.startsWith(text))
}
