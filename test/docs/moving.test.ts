import { readFileSync } from 'node:fs'
import t from 'tap'
import { operations } from '../../engine/operations/api.ts'
import type { Column } from '../../engine/schema/column.ts'
import { root } from '../root.ts'

const page = readFileSync(`${root}/docs/moving.md`, 'utf8')

/** Words in code type in the table of aliases, and every column of it that has them. */
const table = page.slice(page.indexOf('## Aliases'), page.indexOf('## Stricter'))
const named = new Set([...table.matchAll(/`([a-z_]+)`/g)].map(([, word]) => word))

/** Aliases by operation, as declared: of parameters, of columns, and of values. */
const declared = operations.flatMap(({ name, params, columns }) => {
  const ofColumns = (all: readonly Column[]) =>
    all.flatMap(({ aliases = [], values = [], valueAliases = {} }) => [
      ...aliases,
      ...Object.keys(valueAliases).filter(word => !values.includes(word)),
    ])
  const ofParams = Object.values(params).flatMap(({ aliases = [] }) => aliases)
  const words = [
    ...ofParams,
    ...ofColumns(Object.values(params).map(({ column }) => column)),
    ...ofColumns(Object.values(columns ?? {})),
  ]
  return [...new Set(words)].map(word => [name, word] as const)
})

t.test('the page for teams that move names every alias', t => {
  t.ok(declared.length >= 8)
  for (const [operation, word] of declared) t.ok(named.has(word), `${operation} ${word}`)
  t.end()
})

t.test('the page names every setting that makes a server more tolerant', t => {
  for (const setting of ['TRANCHE_UNKNOWN_PARAMS=ignore', 'on_unknown=skip', 'max_age=none', 'snapshot=ID'])
    t.ok(page.includes(setting), setting)
  for (const { path } of operations.filter(o => ['get.company', 'search.indices'].includes(o.name)))
    t.ok(page.includes(path), path)
  t.end()
})
