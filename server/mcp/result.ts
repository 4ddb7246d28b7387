import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Kind } from '../../engine/base/errors.ts'
import { type Columns, unitOf } from '../../engine/schema/column.ts'
import type { Input } from '../../engine/schema/params.ts'
import { fitted, fittedRows, type LeftOut } from './fit.ts'
import { type Tool, toolName } from './tools.ts'

/** Maximum characters of JSON in an answer: about eight thousand tokens. */
const MOST = 24_000

type Body = Readonly<Record<string, unknown>>

/** An answer sized for a model, with a note on what is left out and how to get it. */
export function resultOf(tool: Tool, given: Input, asked: Input, body: Body): CallToolResult {
  const { envelope } = tool.endpoint
  const rows = body[envelope]
  return Array.isArray(rows)
    ? listResult(tool, given, asked, rows, body['meta'] as Body)
    : objectResult(tool, body)
}

function listResult(
  tool: Tool,
  given: Input,
  asked: Input,
  all: readonly Record<string, unknown>[],
  { limit: _limit, request_id: _id, columns: _columns, ...about }: Body,
): CallToolResult {
  const { endpoint, name } = tool
  const { rows, leftOut } = fittedRows(all, MOST)
  const total = about['total'] as number
  const offset = (about['offset'] as number | undefined) ?? 0
  const paged = Object.hasOwn(tool.params, 'offset')
  const next = paged && offset + rows.length < total ? { ...given, offset: offset + rows.length } : null
  const header = headerOf(rows)
  const missing = [
    ...(rows.length < all.length
      ? [
          `${all.length - rows.length} rows of this page, for its size${next ? ': meta.next begins with them' : ''}`,
        ]
      : []),
    ...(about['truncated'] === true ? ['further rows: aggregate, or use LIMIT and OFFSET'] : []),
    ...(rows.length > 0 ? otherColumns(endpoint.columns, given, asked) : []),
    ...said(leftOut),
  ]
  const units = unitsOf(endpoint.columns, header)
  const meta = {
    ...about,
    ...(Object.keys(units).length && { units }),
    ...(next && { next }),
    ...(missing.length && { left_out: missing }),
  }
  const span = rows.length === 0 ? '' : `, rows ${offset + 1} to ${offset + rows.length}`
  const lines = [
    `${total} ${total === 1 ? 'row' : 'rows'}${paged ? ' match' : ''}${span}, as of ${about['as_of']}.`,
    ...(rows.length > 0 ? table(header, units, rows) : []),
    ...(next ? [`More: call ${name} with ${JSON.stringify(next)}`] : []),
    ...(missing.length ? [`Left out: ${missing.join('; ')}.`] : []),
    ...remarks(about),
  ]
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    structuredContent: { [endpoint.envelope]: rows, meta },
  }
}

/** What the meta says in words: why an answer is empty, unknown names and warnings. */
function remarks(meta: Body): string[] {
  const {
    empty_because: reasons,
    unknown,
    warnings,
  } = meta as Readonly<Partial<Record<'empty_because' | 'unknown' | 'warnings', readonly string[]>>>
  return [
    ...(reasons?.length ? [`Empty because: ${reasons.join('; ')}.`] : []),
    ...(unknown?.length ? [`Not known and left out: ${unknown.join(', ')}.`] : []),
    ...(warnings ?? []).map(warning => `Warning: ${warning}.`),
  ]
}

function objectResult({ endpoint }: Tool, { meta, ...body }: Body): CallToolResult {
  const { value, leftOut } = fitted(body, MOST)
  const { request_id: _id, ...about } = (meta ?? {}) as Body
  const missing = said(leftOut)
  const shown = value as Body
  const data = endpoint.envelope ? shown[endpoint.envelope] : shown
  return {
    content: [
      {
        type: 'text',
        text: [
          `As of ${about['as_of']}.`,
          JSON.stringify(data),
          ...(missing.length ? [`Left out: ${missing.join('; ')}.`] : []),
          ...remarks(about),
        ].join('\n'),
      },
    ],
    structuredContent: { ...shown, meta: { ...about, ...(missing.length && { left_out: missing }) } },
  }
}

const said = ({ texts, lists }: LeftOut): string[] => [
  ...[...lists].map(([path, { shown, of }]) => `${of - shown} of ${of} members of ${path}: narrow the query`),
  ...(texts > 0 ? [`the ends of ${texts} long texts: ask for fewer rows, or search for the passage`] : []),
]

/** Columns omitted by default. */
function otherColumns(columns: Columns | null, given: Input, { fields }: Input): string[] {
  if (!columns || given['fields'] !== undefined || !Array.isArray(fields)) return []
  const others = Object.keys(columns).filter(name => !fields.includes(name))
  if (others.length === 0) return []
  return [
    `${others.length} further columns, which the tool's description lists: name in \`fields\` what is needed`,
  ]
}

const isBranch = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every column of the rows, with members of objects under dotted names. */
function headerOf(rows: readonly Body[]): string[] {
  const names = new Set<string>()
  const add = (row: Body, under: string) => {
    for (const [name, value] of Object.entries(row))
      if (isBranch(value) && name !== '_explain') add(value, `${under}${name}.`)
      else names.add(under + name)
  }
  for (const row of rows) add(row, '')
  // An object that is null in one row has members in another.
  return [...names].filter(name => ![...names].some(other => other.startsWith(`${name}.`)))
}

const unitsOf = (columns: Columns | null, header: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    header.flatMap(name => {
      const unit = columns?.[name] && unitOf(columns[name])
      return unit && unit !== 'ratio' ? [[name, unit]] : []
    }),
  )

/** CSV, the most compact form. Explained rows are trees, and stay JSON. */
const table = (header: readonly string[], units: Readonly<Record<string, string>>, rows: readonly Body[]) =>
  header.includes('_explain')
    ? rows.map(row => JSON.stringify(row))
    : [
        header.map(name => cell(units[name] ? `${name} (${units[name]})` : name)).join(','),
        ...rows.map(row => header.map(name => cell(member(row, name))).join(',')),
      ]

const member = (row: Body, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((at, name) => (isBranch(at) && Object.hasOwn(at, name) ? at[name] : undefined), row)

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A failed tool's answer. */
export interface ToolFailure {
  readonly code: string
  readonly kind: Kind
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** How to recover from a failure. */
const advice: Readonly<Record<Kind, string>> = {
  invalid: 'Fix the arguments as the message says and call the tool again.',
  missing: 'Check the name: use the suggestion if it was meant, or look it up with a list or resolve_bond.',
  forbidden: "The key's tier does not allow this. Use the alternative if there is one, and tell the user.",
  unpaid: 'Tell the user: credits must be bought.',
  unauthenticated: 'Tell the user: the key is not valid.',
  throttled: 'Wait as long as the error says, then call again.',
  busy: 'Call again in a moment, or ask for less at once.',
  unsupported: 'Call one of the listed tools.',
  damaged: 'Tell the user: the operator of the lake must rebuild it.',
  bug: 'Tell the user: this is a bug in the program, not in the arguments.',
}

/** Maximum length of a list of allowed values to repeat. */
const ALLOWED = 100

export function failure({ code, kind, message, details }: ToolFailure): CallToolResult {
  const { suggestion, allowed, alternative } = details as Readonly<Record<string, unknown>>
  const values = Array.isArray(allowed) ? allowed.map(String) : []
  const listed = values.length > 0 && values.length <= ALLOWED && !values.every(v => message.includes(v))
  const text = [
    `${code}: ${message}`,
    ...(suggestion ? [`Nearest: ${suggestion}`] : []),
    ...(listed ? [`Allowed: ${values.join(', ')}`] : []),
    ...(alternative ? [`Alternative: ${alternative}`] : []),
    advice[kind],
  ]
  return {
    isError: true,
    content: [{ type: 'text', text: text.join('\n') }],
    structuredContent: { error: { code, message, details } },
  }
}

export const unknownTool = (
  name: string,
  tools: readonly Tool[],
  nearest: string | undefined,
): ToolFailure => ({
  code: 'NOT_FOUND',
  kind: 'unsupported',
  message: `there is no tool ${name.slice(0, 120)}${nearest ? `; did you mean ${toolName(nearest)}?` : ''}`,
  details: { allowed: tools.map(tool => tool.name) },
})
