import { invalid } from '../../../engine/base/errors.ts'
import type { SqlValue } from '../../../engine/database/parameters.ts'
import { formats } from '../../../engine/encode/formats.ts'
import { type DaysAsked, daysParams } from '../../../engine/operations/panel-days.ts'
import { boolean, date, integer, json, oneOf, text } from '../../../engine/schema/column.ts'
import { fallback, type Input, one, required } from '../../../engine/schema/params.ts'
import { tiers } from '../../limits/tiers.ts'
import { type SqlFormat, sqlFormats } from '../../sql/messages.ts'
import { LONGEST, type SqlQuestion, type SqlRunner } from '../../sql/runner.ts'
import type { CallTypes, Endpoint, FileReply, Meta } from './endpoint.ts'

/** Runs statements. */
export type RunSql = Pick<SqlRunner, 'run' | 'limits'>

export interface SqlInput {
  sql: string
  params?: Readonly<Record<string, SqlValue>> | readonly SqlValue[]
  as_of?: string
  dates?: readonly string[]
  from?: string
  to?: string
  every?: DaysAsked['every']
  limit?: number
}

export interface SqlOutput {
  data: Record<string, unknown>[]
  meta: Meta & {
    total: number
    truncated: boolean
    columns: { name: string; kind: string }[]
    dates?: string[]
  }
}

/** `POST /v1/sql`: available only if the server was started with a runner. */
export const sqlEndpoint = (runner: RunSql) =>
  ({
    name: 'sql',
    method: 'POST',
    path: '/v1/sql',
    doc: 'One SELECT or EXPLAIN over the documented tables, within limits on time, memory, rows and bytes.',
    tier: 'pro',
    cost: 'free',
    heavy: 'never',
    answers: 'object',
    envelope: 'data',
    columns: null,
    body: true,
    examples: [
      `{"sql": "SELECT sector, median(leverage_ratio) AS leverage FROM companies GROUP BY sector"}`,
      `{"sql": "SELECT as_of, median(leverage_ratio) AS leverage FROM companies GROUP BY as_of", "dates": ["2025-03-31", "2025-06-30"]}`,
    ],
    params: {
      sql: required(
        one(text('The statement.', { example: 'SELECT ticker, leverage_ratio FROM companies' }), {
          length: LONGEST,
        }),
      ),
      params: one(json('Values of `$name`, as an object, or of `?`, as an array.')),
      as_of: one(date('Answer as of the close of this day.')),
      ...daysParams,
      limit: one(integer('Maximum rows; without it a larger result is an error.'), {
        min: 1,
        max: runner.limits.rows,
      }),
      format: one(oneOf(sqlFormats, 'Format of the answer; default chosen by the Accept header.')),
      csv_safe: fallback(
        one(boolean("CSV: put `'` before text that a spreadsheet would run as a formula.")),
        true,
      ),
    },
    paramSchemas: {
      params: {
        anyOf: [
          { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
          { type: 'array', items: { type: ['string', 'number', 'boolean', 'null'] } },
        ],
      },
    },
    formats: sqlFormats,
    schema: answerSchema,
    handle: async ({ args, principal, signal }) => {
      const who = { coverage: tiers[principal.tier].coverage, key: principal.keyId, signal }
      const format = args['format'] as SqlFormat
      return format === 'json' ? { body: await answerSql(runner, args, who) } : fileOfSql(runner, args, who)
    },
    types: undefined as CallTypes<SqlInput, SqlOutput> | undefined,
  }) satisfies Endpoint

/** The caller: what they may see, and the key for fair queueing. */
export type Caller = Required<Pick<SqlQuestion, 'coverage' | 'key' | 'signal'>>

/** The answer to a statement with the endpoint's parameters. */
export async function answerSql(
  runner: RunSql,
  args: Input,
  caller: Caller,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await runner.run(questionOf(args, caller))
  const { rows, rowCount, truncated, columns, milliseconds, snapshot, asOf, dates } = answer
  const meta = { total: rowCount, truncated, columns, duration_ms: milliseconds, snapshot, as_of: asOf }
  return { data: rows, meta: dates === null ? meta : { ...meta, dates } }
}

/** The answer as a file of rows, as lists give them in these formats. */
async function fileOfSql(runner: RunSql, args: Input, caller: Caller): Promise<FileReply> {
  const format = args['format'] as SqlFormat
  const question = { ...questionOf(args, caller), format, csvSafe: args['csv_safe'] !== false }
  const { bytes, rowCount, truncated } = await runner.run(question)
  return {
    bytes: bytes!,
    headers: {
      'Content-Type': formats[format].type,
      'Content-Disposition': `attachment; filename="sql.${formats[format].extensions[0]}"`,
      'X-Total-Count': String(rowCount),
      ...(truncated && { 'X-Truncated': 'true' }),
    },
  }
}

function questionOf(args: Input, caller: Caller): SqlQuestion {
  const { sql, params, as_of, dates, from, to, every, limit } = args as Omit<SqlInput, 'params'> & {
    readonly params?: unknown
  }
  if (params !== undefined && (typeof params !== 'object' || params === null))
    throw invalid('params', typeof params, 'params must be an object of names or an array of values')
  return {
    sql,
    ...(params !== undefined && { params: params as NonNullable<SqlQuestion['params']> }),
    asOf: as_of,
    over: [dates, from, to, every].some(given => given !== undefined)
      ? { dates, from, to, every }
      : undefined,
    limit,
    ...caller,
  }
}

const described = (type: string, description: string) => ({ type, description })

const answerSchema = {
  type: 'object',
  required: ['data', 'meta'],
  additionalProperties: false,
  properties: {
    data: {
      type: 'array',
      description: 'Rows with the columns of the statement.',
      items: { type: 'object', additionalProperties: true },
    },
    meta: {
      type: 'object',
      required: ['total', 'truncated', 'columns', 'duration_ms', 'snapshot', 'as_of', 'request_id'],
      properties: {
        total: described('integer', 'Rows returned.'),
        truncated: described('boolean', 'Whether `limit` truncated the rows.'),
        columns: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'kind'],
            additionalProperties: false,
            properties: { name: described('string', 'Name.'), kind: described('string', 'Kind of value.') },
          },
        },
        duration_ms: described('integer', 'Milliseconds it took.'),
        snapshot: described('string', 'Snapshot that answered.'),
        as_of: {
          ...described('string', 'Day the answer is as of; over several days, that of the snapshot.'),
          format: 'date',
        },
        dates: {
          type: 'array',
          description: 'The days of a statement over several, in order.',
          items: { type: 'string', format: 'date' },
        },
        request_id: described('string', 'Request identifier.'),
      },
    },
  },
} as const
