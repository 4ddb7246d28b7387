import { distance } from 'fastest-levenshtein'
import { memberOf } from '../base/elements.ts'
import { aliasesOf, fillable, type MappedColumn, type Mapping, plainName } from './mapping.ts'
import { Refused } from './readers/reader.ts'
import { suggestedMap } from './suggest-map.ts'
import { usualColumn } from './usual-names.ts'

const MOST_COLUMNS = 2000

/** What is read from which column of a table, and what is said of it. */
export interface Plan {
  /** Dataset column to file column or constant. */
  readonly columns: ReadonlyMap<string, MappedColumn>
  readonly notes: readonly string[]
}

/** Maps file columns to dataset columns; throws on a name that looks misspelt. */
export function planTable(names: readonly string[], mapping: Mapping): Plan {
  if (names.length > MOST_COLUMNS) throw new Refused(`has ${names.length} columns, more than ${MOST_COLUMNS}`)
  const { dataset, ignore } = mapping
  const byName = new Map<string, string>()
  for (const name of names) {
    const same = byName.get(plainName(name))
    if (same !== undefined)
      throw new Refused(
        `has two columns ${same === name ? JSON.stringify(name) : `${JSON.stringify(same)} and ${JSON.stringify(name)}`}`,
      )
    byName.set(plainName(name), name)
  }
  const columns = new Map<string, MappedColumn>()
  const used = new Set<string>()
  for (const [name, mapped] of Object.entries(mapping.columns)) {
    if (mapped.constant !== undefined) {
      columns.set(name, mapped)
      continue
    }
    const from = names.includes(mapped.from!) ? mapped.from! : byName.get(plainName(mapped.from!))
    if (from === undefined)
      throw new Refused(
        `has no column ${JSON.stringify(mapped.from)}, which the mapping reads ${name} from; it has ${names.join(', ')}`,
      )
    columns.set(name, { ...mapped, from })
    used.add(from)
  }
  const ignored = new Set(ignore.map(plainName))
  const aliases = Object.entries(aliasesOf(dataset))
  for (const name of fillable(dataset)) {
    const alias = aliases.find(([, column]) => column === name)?.[0]
    const from = byName.get(name) ?? (alias && byName.get(alias))
    if (from === undefined || columns.has(name) || used.has(from) || ignored.has(name)) continue
    columns.set(name, { from })
    used.add(from)
  }
  const left = names.filter(name => !used.has(name) && !ignored.has(plainName(name)))
  for (const name of left) {
    if (usualColumn(dataset, plainName(name))) continue
    const meant = slipOf(
      plainName(name),
      fillable(dataset).filter(each => !columns.has(each)),
    )
    if (meant)
      throw new Refused(
        `has a column ${JSON.stringify(name)}: did you mean ${meant}? Rename it, or map or ignore it in a --map file`,
      )
  }
  refuseLacking(names, mapping, columns, left)
  const inCents = [...columns.keys()].filter(
    name => dataset.columns[name]?.kind === 'cents' && !mapping.columns[name],
  )
  const renamed = [...columns].filter(([name, { from }]) => from && from !== name && !mapping.columns[name])
  return {
    columns,
    notes: [
      ...(left.length > 0 ? [`columns unknown to ${dataset.name} were ignored: ${left.join(', ')}`] : []),
      ...(inCents.length > 0
        ? [`read in cents: ${inCents.join(', ')}; a --map file gives another unit`]
        : []),
      ...(renamed.length > 0
        ? [`read as: ${renamed.map(([name, { from }]) => `${JSON.stringify(from)} as ${name}`).join(', ')}`]
        : []),
    ],
  }
}

/** Refuses a table that lacks what the dataset needs, or has it, or more of it, under other names. */
function refuseLacking(
  names: readonly string[],
  mapping: Mapping,
  columns: ReadonlyMap<string, MappedColumn>,
  left: readonly string[],
): void {
  const { dataset } = mapping
  const required = Object.keys(dataset.columns).filter(name => !memberOf(dataset.columns, name).nullable)
  const missing = required.filter(name => !columns.has(name))
  const named = dataset.needsOneOf?.some(name => columns.has(name)) ?? true
  const usual: Record<string, string> = {}
  for (const from of left) {
    const name = usualColumn(dataset, plainName(from))
    if (name !== undefined && !columns.has(name)) usual[name] ??= from
  }
  const meant = Object.entries(usual)
  const lacksAny = missing.length > 0 || !named
  if (!lacksAny && meant.length === 0) return
  const map = suggestedMap(mapping, {
    missing: missing.filter(name => usual[name] === undefined),
    oneOf: named ? [] : dataset.needsOneOf!,
    usual,
    free: left,
  })
  if (lacksAny) {
    const lacks = [
      ...(missing.length > 0 ? [`has no column ${missing.join(', ')}, which ${dataset.name} needs`] : []),
      ...(named
        ? []
        : [`has none of the columns ${dataset.needsOneOf?.join(', ')}; ${dataset.name} needs one of them`]),
    ]
    throw new Refused(
      `${lacks.join(', and ')}; it has ${names.slice(0, 40).join(', ')}. Rename the columns, or give a --map file such as ${map}`,
    )
  }
  throw new Refused(
    `has ${meant.map(([name, from]) => `${JSON.stringify(from)} and no ${name}`).join(', ')}: rename them, or give a --map file such as ${map}, where "ignore" leaves columns out`,
  )
}

/** A declared column within edit distance one or two of the name. */
const slipOf = (name: string, free: readonly string[]): string | undefined =>
  free.find(each => name !== each && distance(name, each) <= Math.min(2, Math.floor(each.length / 4)))
