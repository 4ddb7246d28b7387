import type { MappedColumn, Mapping } from './mapping.ts'
import { plainName } from './mapping.ts'

/** What a table lacks, and what it has under no known name. */
interface Lacking {
  /** Columns that the dataset needs. */
  readonly missing: readonly string[]
  /** Columns of which the dataset needs one; none if the table has one. */
  readonly oneOf: readonly string[]
  /** Columns of the table that are known under these names, by column of the dataset. */
  readonly usual?: Readonly<Record<string, string>>
  /** Columns of the table that nothing is read from. */
  readonly free: readonly string[]
}

const wordsOf = (name: string): readonly string[] => plainName(name).split('_')

/** Whether two words are one: `cusip` and `cusip9`, but not `id` and `identifier`. */
const alike = (a: string, b: string): boolean =>
  a === b || (Math.min(a.length, b.length) >= LEAST && (a.startsWith(b) || b.startsWith(a)))
const LEAST = 4

/** The column that says as much: every word of the shorter name is in the longer one. Of several, the nearest in length. */
function columnFor(name: string, free: readonly string[]): string | undefined {
  const within = (some: readonly string[], all: readonly string[]) =>
    some.every(word => all.some(other => alike(word, other)))
  const wanted = wordsOf(name)
  return free
    .filter(each => within(wordsOf(each), wanted) || within(wanted, wordsOf(each)))
    .sort((a, b) => Math.abs(a.length - name.length) - Math.abs(b.length - name.length))[0]
}

/** A `--map` file to begin with: what it says already, and the columns of the table that may be those it lacks. */
export function suggestedMap(
  { dataset, ...given }: Mapping,
  { missing, oneOf, usual = {}, free }: Lacking,
): string {
  const columns: Record<string, MappedColumn | { from: string; unit: string } | string> = {}
  const constants: Record<string, string> = {}
  for (const [name, { constant, ...mapped }] of Object.entries(given.columns))
    if (constant !== undefined) constants[name] = constant
    else columns[name] = Object.keys(mapped).length > 1 ? mapped : mapped.from!
  // Money without its unit would be a hundred times or a million times too small.
  for (const [name, from] of Object.entries(usual))
    columns[name] = dataset.columns[name]?.kind === 'cents' ? { from, unit: MONEY_UNITS } : from
  const known = Object.values(usual)
  const unread = () => free.filter(each => !known.includes(each) && !Object.values(columns).includes(each))
  const [identifier] = oneOf.flatMap(name => {
    const from = columnFor(name, unread())
    return from === undefined ? [] : [{ name, from }]
  })
  if (identifier) columns[identifier.name] = identifier.from
  else if (oneOf[0] !== undefined) columns[oneOf[0]] = UNKNOWN
  for (const name of missing) {
    const from = columnFor(name, unread())
    const words = dataset.columns[name]?.values
    if (from === undefined && words) constants[name] = `one of ${words.join(', ')}`
    else columns[name] = from ?? UNKNOWN
  }
  const some = (part: object) => Object.keys(part).length > 0
  return JSON.stringify({
    dataset: dataset.name,
    ...(some(columns) && { columns }),
    ...(some(constants) && { constants }),
    ...(given.ignore.length > 0 && { ignore: given.ignore }),
    ...(given.nulls.length > 0 && { nulls: given.nulls }),
  })
}

/** For the user to fill in. */
const MONEY_UNITS = 'one of cents, dollars, thousands, millions, billions'
const UNKNOWN = '?'
