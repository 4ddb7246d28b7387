import { codes } from '../engine/base/errors.ts'
import { operations } from '../engine/operations/api.ts'
import { type Column, unitOf } from '../engine/schema/column.ts'
import type { Param } from '../engine/schema/params.ts'
import { ROWS_OF_A_FILE } from '../server/limits/rows-of-a-file.ts'
import { formParams, isList } from '../server/v1/endpoints.ts'
import type { Endpoint } from '../server/v1/operations/endpoint.ts'

/** Words that Python keeps for itself; a parameter of such a name ends in an underscore. */
const keywords: ReadonlySet<string> = new Set([
  ...['and', 'as', 'assert', 'async', 'await', 'break', 'class', 'continue', 'def', 'del', 'elif', 'else'],
  ...['except', 'finally', 'for', 'from', 'global', 'if', 'import', 'in', 'is', 'lambda', 'nonlocal', 'not'],
  ...['or', 'pass', 'raise', 'return', 'try', 'while', 'with', 'yield'],
])

export const pythonName = (name: string): string => (keywords.has(name) ? `${name}_` : name)

const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

/** The method of an operation is its command; that of another endpoint its name. */
export const pythonMethod = (name: string): string =>
  pythonName((operations.find(own => own.name === name)?.command ?? name).replaceAll(/[-.]/g, '_'))

/** A name of a type made of an operation's and a parameter's. */
const typeName = (...words: readonly string[]): string =>
  words
    .flatMap(word => word.split(/[^A-Za-z0-9]+/))
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** The type of one value that a column's parameter takes. */
function valueType(column: Column): string {
  const none = column.takesNone ? " | Literal['none']" : ''
  switch (column.kind) {
    case 'boolean':
      return 'bool'
    case 'cents':
    case 'percent':
    case 'bps':
    case 'ratio':
    case 'years':
    case 'number':
      return `float${none}`
    case 'integer':
      return `int${none}`
    case 'date':
      return 'Day'
    case 'list':
    case 'json':
      return 'Any'
    default:
      return `str${none}`
  }
}

interface PythonParam {
  readonly name: string
  readonly param: Param
  readonly type: string
}

const MOST_WIDTH = 116

/** A type alias of allowed words, over as many lines as it takes. */
function literalAlias(name: string, values: readonly string[]): string {
  const lines = [`${name} = Literal[`]
  let line = '   '
  for (const value of values) {
    const next = ` ${quoted(value)},`
    if (line.length + next.length > MOST_WIDTH) {
      lines.push(line)
      line = '   '
    }
    line += next
  }
  return [...lines, line, ']'].join('\n')
}

/** Text as lines of at most so many characters. */
function wrapped(text: string, indent: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.replaceAll('\\', '\\\\').split(/\s+/)) {
    if (line && indent.length + line.length + 1 + word.length > MOST_WIDTH) {
      lines.push(indent + line)
      line = word
    } else line = line ? `${line} ${word}` : word
  }
  if (line) lines.push(indent + line)
  return lines
}

const isRequired = ({ param }: PythonParam): boolean => param.required

/** Parameters of the form of an answer, which the client chooses, and of paging, which it does. */
const ownOfClient: ReadonlySet<string> = new Set(Object.keys(formParams))

function paramsOf(endpoint: Endpoint, aliases: Map<string, readonly string[]>): PythonParam[] {
  return Object.entries(endpoint.params)
    .filter(([name]) => !ownOfClient.has(name))
    .map(([name, param]) => {
      const { values } = param.column
      let type = valueType(param.column)
      if (values && values.length > 0) {
        type = typeName(pythonMethod(endpoint.name), name)
        aliases.set(type, values)
        // Other spellings are accepted, and suggested to.
        if (param.column.valueAliases) type = `${type} | str`
      }
      return { name, param, type: param.many ? `${type} | Sequence[${type}]` : type }
    })
}

function described({ name, param }: PythonParam): string[] {
  const unit = unitOf(param.column)
  const facts = [
    ...(unit && unit !== 'ratio' ? [unit] : []),
    ...(param.fallback !== undefined ? [`default ${JSON.stringify(param.fallback)}`] : []),
  ]
  const text = `${pythonName(name)}: ${param.column.doc}${facts.length > 0 ? ` (${facts.join('; ')})` : ''}`
  const [first, ...rest] = wrapped(text, ' '.repeat(12))
  return [first!, ...rest.map(line => `    ${line}`)]
}

function methodText(endpoint: Endpoint, aliases: Map<string, readonly string[]>): string {
  const { name, doc } = endpoint
  const params = paramsOf(endpoint, aliases)
  const positional = endpoint.positional ?? params.filter(isRequired).map(param => param.name)
  const first = positional.flatMap(word => params.filter(param => param.name === word))
  const others = params.filter(param => !positional.includes(param.name))
  const isRows = isList(endpoint) || endpoint.params['format'] !== undefined
  const declared = (param: PythonParam): string =>
    `        ${pythonName(param.name)}: ${param.type}${isRequired(param) ? '' : ' | None = None'},`
  const ordered = [...others.filter(isRequired), ...others.filter(param => !isRequired(param))]
  const columns = endpoint.columns
    ? Object.entries(endpoint.columns)
        .filter(([, column]) => !column.on_request)
        .map(([column, { unit }]) => (unit ? `${column} (${unit})` : column))
    : []
  return [
    `    def ${pythonMethod(name)}(`,
    '        self,',
    ...first.map(declared),
    ...(ordered.length > 0 ? ['        *,'] : []),
    ...ordered.map(declared),
    `    ) -> ${isRows ? 'Rows' : 'Answer'}:`,
    ...wrapped(`"""${doc}`, ' '.repeat(8)),
    ...(params.length > 0 ? ['', '        Args:', ...[...first, ...ordered].flatMap(described)] : []),
    ...(columns.length > 0 ? ['', '        Columns:', ...wrapped(columns.join(', '), ' '.repeat(12))] : []),
    '        """',
    `        return self._${isRows ? 'rows' : 'answer'}(`,
    `            ${quoted(name)},`,
    '            {',
    ...params.map(param => `                ${quoted(param.name)}: ${pythonName(param.name)},`),
    '            },',
    '        )',
  ].join('\n')
}

/** The parameters of an endpoint that are amounts of money. */
const moneyOf = ({ params }: Endpoint): string[] =>
  Object.entries(params)
    .filter(([, { column }]) => unitOf(column) === 'cents')
    .map(([name]) => name)

/** The file of routes: what is asked where. */
function routeText(endpoint: Endpoint): string {
  const { name, method, path, envelope, params } = endpoint
  const limit = params['limit']
  const money = moneyOf(endpoint)
  const facts = [
    quoted(method),
    quoted(path),
    quoted(envelope),
    String(endpoint.bulk ? limit?.max : limit ? Math.max(limit.max ?? 0, ROWS_OF_A_FILE) : 'None'),
    params['offset'] ? 'True' : 'False',
    money.length > 0 ? `frozenset({${money.map(quoted).join(', ')}})` : 'frozenset()',
  ]
  return `    ${quoted(name)}: Route(${facts.join(', ')}),`
}

const errorName = (code: string): string =>
  `${typeName(...code.toLowerCase().split('_'))}${code.endsWith('ERROR') ? '' : 'Error'}`

/** The exceptions of the Python package: one a code, under the kind of mistake. */
export function pythonErrors(): string {
  return [
    '# Written by `npm run docs` from the declarations. Do not edit.',
    '"""An exception for each error code of Tranche."""',
    '',
    'from __future__ import annotations',
    '',
    'from ._error import TrancheError',
    '',
    ...Object.entries(codes).flatMap(([code, { status, when, fix }]) => [
      '',
      `class ${errorName(code)}(TrancheError):`,
      `    """${code}, HTTP status ${status}.`,
      '',
      `    ${when}`,
      `    ${fix}`,
      '    """',
      '',
    ]),
    '',
    'BY_CODE: dict[str, type[TrancheError]] = {',
    ...Object.keys(codes).map(code => `    ${quoted(code)}: ${errorName(code)},`),
    '}',
    '',
  ].join('\n')
}

/** The methods of the Python package: one an endpoint, with types and docs. */
export function pythonOperations(endpoints: readonly Endpoint[]): string {
  const aliases = new Map<string, readonly string[]>()
  const methods = endpoints.map(endpoint => methodText(endpoint, aliases))
  // The same words are one type, under the name of the first that has them.
  const byWords = new Map<string, string>()
  const renamed = new Map<string, string>()
  for (const [name, values] of aliases) {
    const words = values.join('\n')
    const same = byWords.get(words)
    if (same === undefined) byWords.set(words, name)
    else renamed.set(name, same)
  }
  const body = methods.join('\n\n').replaceAll(/\b[A-Z][A-Za-z]*[a-z]\b/g, word => renamed.get(word) ?? word)
  return [
    '# Written by `npm run docs` from the declarations. Do not edit.',
    '"""The operations of Tranche, with the types of their parameters."""',
    '',
    'from __future__ import annotations',
    '',
    'from abc import ABC, abstractmethod',
    'from collections.abc import Mapping, Sequence',
    'from typing import Any, Literal, NamedTuple, Union',
    'import datetime',
    '',
    'from ._rows import Answer, Rows',
    '',
    '#: A day: `2024-06-30`, or a date.',
    'Day = Union[str, datetime.date]',
    '',
    ...[...aliases]
      .filter(([name]) => !renamed.has(name))
      .map(([name, values]) => literalAlias(name, values)),
    '',
    '',
    'class Route(NamedTuple):',
    '    """Where an operation is asked."""',
    '',
    '    method: str',
    '    path: str',
    '    #: The member of the answer with its rows or object.',
    '    envelope: str',
    '    #: Rows of one page at most; None without a limit.',
    '    page: int | None',
    '    has_offset: bool',
    '    #: Parameters that are amounts of money.',
    '    money: frozenset[str]',
    '',
    '',
    'ROUTES: dict[str, Route] = {',
    ...endpoints.map(routeText),
    '}',
    '',
    '',
    'class Operations(ABC):',
    '    """Every operation as a method."""',
    '',
    '    @abstractmethod',
    '    def _rows(self, name: str, args: Mapping[str, Any]) -> Rows: ...',
    '',
    '    @abstractmethod',
    '    def _answer(self, name: str, args: Mapping[str, Any]) -> Answer: ...',
    '',
    body,
    '',
  ].join('\n')
}
