import { exitCode } from '../cli/errors.ts'
import { type Code, codes, QueryError } from '../engine/base/errors.ts'
import { operations } from '../engine/operations/api.ts'
import { type Column, type Columns, sqlType, unitOf } from '../engine/schema/column.ts'
import { datasets } from '../engine/schema/datasets/datasets.ts'
import type { Param } from '../engine/schema/params.ts'
import { histories, rawViews, tables } from '../engine/schema/resources/tables.ts'
import { signature } from '../engine/sql/sql-function.ts'
import { sqlFunctions } from '../engine/sql/sql-functions.ts'
import { exampleForms } from './example-forms.ts'

/** The walk runs the commands; test/scripts/example-forms holds that the other forms ask the same. */
const NOT_RUN = '<!-- not run: asks what the command above asks -->'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n')

const code = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ')

const values = ({ values, valueAliases = {} }: Column): string =>
  [
    values ? ` One of ${code(values)}.` : '',
    ...Object.entries(valueAliases).map(([word, value]) =>
      word === value ? '' : ` \`${word}\` is read as \`${value}\`.`,
    ),
  ].join('')

const alsoNamed = ({ aliases = [] }: { readonly aliases?: readonly string[] }): string =>
  aliases.length > 0 ? ` Also named ${code(aliases)}.` : ''

const kindOf = (column: Column): string => {
  const unit = unitOf(column)
  return `${column.kind}${unit && unit !== column.kind ? `, ${unit}` : ''}${column.nullable ? ', nullable' : ''}`
}

function paramRow([name, param]: [string, Param]): string[] {
  const { column, many, required, fallback, usual, min, max } = param
  const standing = fallback ?? usual ?? param.standing
  const bounds = [
    min !== undefined ? `at least ${min}` : '',
    max !== undefined ? `at most ${max}` : '',
    required ? 'required' : '',
    standing !== undefined
      ? `default ${Array.isArray(standing) ? standing.join(',') : String(standing)}`
      : '',
  ].filter(Boolean)
  return [
    `\`${name}\``,
    `${column.kind}${many ? ' list' : ''}`,
    bounds.join(', '),
    column.doc + values(column) + alsoNamed(param),
  ]
}

const columnRows = (columns: Columns): string[][] =>
  Object.entries(columns).map(([name, column]) => [
    `\`${name}\``,
    kindOf(column),
    sqlType(column),
    column.doc +
      values(column) +
      alsoNamed(column) +
      (column.derived ? ' *Derived.*' : '') +
      (column.on_request ? ' *On request.*' : ''),
  ])

/** The reference, generated from the declarations alone. */
// Over 80 lines: the chapters of one document, in order.
export function reference(): string {
  const parts = [
    '# Reference',
    '',
    'Written by `npm run docs` from the declarations in `engine/`. Do not edit.',
    '',
    'Every operation returns the same from the library (`engine.call(name, params)`), the command line',
    '(`tranche COMMAND --option`) and over HTTP.',
    '',
    '## Operations',
    '',
    table(
      ['Operation', 'Command', 'HTTP', 'Tier', 'Cost', 'Answers'],
      operations.map(o => [
        `[\`${o.name}\`](#${o.name.replaceAll('.', '')})`,
        `\`tranche ${o.command}\``,
        `${o.method} \`${o.path}\``,
        o.tier,
        o.cost,
        o.doc,
      ]),
    ),
  ]
  for (const o of operations) {
    parts.push('', `### ${o.name}`, '', o.doc, '')
    parts.push(`\`tranche ${o.command}\` · \`${o.method} ${o.path}\` · tier ${o.tier} · cost ${o.cost}`, '')
    for (const { language, text } of exampleForms(o))
      parts.push(...(language === 'sh' ? [] : ['', NOT_RUN]), `\`\`\`${language}`, text, '```')
    if (o.examples.length) parts.push('')
    parts.push(table(['Parameter', 'Kind', 'Bounds', 'Meaning'], Object.entries(o.params).map(paramRow)))
    if (o.resource) parts.push('', `Rows of [\`${o.resource.table}\`](#table-${o.resource.table}).`)
  }
  parts.push(
    '',
    '## Tables',
    '',
    'What a snapshot holds, one Parquet each, and what `tranche sql` sees. Over several days it also sees their',
    `[intervals](point-in-time.md#intervals): ${histories.map(({ name }) => `\`${name}\``).join(', ')}.`,
  )
  for (const t of tables) {
    parts.push('', `### Table ${t.table}`, '', t.doc, '')
    parts.push(
      `Key: ${t.key.map(k => `\`${k}\``).join(', ')}. Default order: ${t.sort.map(k => `\`${k}\``).join(', ')}.`,
      '',
    )
    parts.push(table(['Column', 'Kind', 'SQL type', 'Meaning'], columnRows(t.columns)))
  }
  parts.push(
    '',
    '## Functions',
    '',
    "Bond maths in `tranche sql`, in addition to the functions of DuckDB. Arguments may be named (`day_count := 'ACT/ACT'`); null for",
    'an argument means its default. The result is null where the maths has no answer; only an unknown day count is an error.',
    'Curves are those known on the as-of day.',
    '',
    table(
      ['Function', 'Gives', 'Unit', 'Example'],
      sqlFunctions.map(f => [
        `\`${signature(f)}\``,
        f.doc,
        unitOf(f.result) ?? f.result.kind,
        `\`${f.example}\`${f.shows === undefined ? '' : ` is ${f.shows}`}`,
      ]),
    ),
    '',
    'Their arguments:',
    '',
    table(
      ['Argument', 'Kind', 'Meaning'],
      [...new Map(sqlFunctions.flatMap(f => Object.entries(f.params)).reverse())]
        .reverse()
        .map(([name, { column }]) => [`\`${name}\``, kindOf(column), column.doc + values(column)]),
    ),
    '',
    '## Datasets',
    '',
    'Accepted by `tranche ingest --dataset NAME` as CSV, NDJSON, JSON or Parquet, and produced by the readers of public',
    `files. ${rawViews.map(v => `\`${v}\``).join(', ')} can also be queried with \`tranche sql\` as loaded.`,
    'Any row may also carry `known_from`, the day the market could first know it.',
  )
  for (const d of datasets) {
    parts.push('', `### Dataset ${d.name}`, '', d.doc, '')
    const needs = d.needsOneOf ? ` One of ${d.needsOneOf.map(k => `\`${k}\``).join(', ')} is needed.` : ''
    const known = d.known.length
      ? `Known from: ${d.known.map(k => `\`${k}\``).join(', else ')}, else \`--known-from\` or \`--date\`${d.reference ? ', else always' : ''}.`
      : 'Reference rows: always known unless `known_from` says otherwise.'
    parts.push(`Key: ${d.key.map(k => `\`${k}\``).join(', ')}.${needs} ${known}`, '')
    parts.push(table(['Column', 'Kind', 'SQL type', 'Meaning'], columnRows(d.columns)))
  }
  parts.push(
    '',
    '## Errors',
    '',
    'Each has one cause. `message` says what to do in the case at hand; where a server answers 429 or 503, `Retry-After` says when.',
    'The exit code is that of a command. Codes without a status are of commands alone.',
    '',
    table(
      ['Code', 'HTTP', 'Exit', 'When', 'What to do'],
      (Object.keys(codes) as Code[]).map(code => {
        const info: (typeof codes)[Code] = codes[code]
        const status = 'isLocal' in info ? '' : String(info.status)
        return [`\`${code}\``, status, String(exitCode(new QueryError(code, ''))), info.when, info.fix]
      }),
    ),
    '',
  )
  return parts.join('\n')
}
