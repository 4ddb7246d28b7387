import fc from 'fast-check'
import type { Ask } from '../start.ts'
import type { Document } from './judge.ts'
import type { Row } from './service.ts'

/** A request to send. */
export interface Sent {
  readonly path: string
  readonly how: Ask
}

type Schema = Readonly<Record<string, unknown>>

interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly schema: Schema
}

/** Texts that have broken something somewhere. */
const hostile = fc.oneof(
  fc.constantFrom(
    "' OR '1'='1",
    '"; DROP TABLE bonds; --',
    "x'); ATTACH 'y",
    '/*',
    '--',
    ';',
    '%',
    '_',
    '*',
    '\\',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'NaN',
    'Infinity',
    '-0',
    '0x10',
    '1e308',
    '1e400',
    '１０',
    '9'.repeat(400),
    '9007199254740993',
    '-9223372036854775809',
    '\0',
    'a\0b',
    '\ud800',
    '\u202egnp.exe',
    '\u200b',
    'e\u0301',
    '💣',
    '\r\nX-Injected: 1',
    '../../secret/passwords',
    '{{7*7}}',
    '<script>alert(1)</script>',
    '=HYPERLINK("x")',
    '2024-02-30',
    '0000-00-00',
    '99999-01-01',
    '2024-01-01T00:00:00Z',
    ',',
    ',,,',
    '"',
    '""',
    '"a,b',
    'true,false',
    '[object Object]',
    '[]',
    '{}',
    'x'.repeat(600),
    'x,'.repeat(1200),
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
)

const boundaries = (schema: Schema) => {
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number }
  const edges = [0, -1, 1, 1.5, -0.000001, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308]
  if (minimum !== undefined) edges.push(minimum, minimum - 1)
  if (maximum !== undefined) edges.push(maximum + 1)
  return fc.constantFrom(...edges)
}

/** Requests generated from the document alone, and some values from the data. */
export function requestsOf(
  document: Document,
  { known, asOf }: { known: Readonly<Record<string, readonly string[]>>; asOf: string },
) {
  /** A valid value. Few past days, because each is a derivation of its own. */
  function valid(name: string, schema: Schema): fc.Arbitrary<unknown> {
    if (['as_of', 'since', 'until'].includes(name)) return fc.constantFrom(asOf, '1901-01-01', '2099-01-01')
    if (name === 'limit') return fc.integer({ min: 1, max: 60 })
    if (name === 'offset') return fc.integer({ min: 0, max: 3000 })
    if (known[name]) return fc.constantFrom(...known[name])
    const { type, enum: values, items } = schema as { type?: string; enum?: string[]; items?: Schema }
    if (values) return fc.constantFrom(...values, ...values.map(v => String(v).toUpperCase()))
    if (type === 'array') return fc.array(valid(name, items!), { minLength: 1, maxLength: 3 })
    if (type === 'integer') return fc.integer({ min: 0, max: 5000 })
    if (type === 'number') return fc.double({ min: -10, max: 1000, noNaN: true })
    if (type === 'boolean') return fc.boolean()
    if (schema['format'] === 'date') return fc.constantFrom('2023-06-01', '2024-01-15', '2025-01-02', asOf)
    return fc.constantFrom('Energy', 'senior', 'a')
  }

  const given = ({ name, schema }: Parameter): fc.Arbitrary<unknown> =>
    fc.oneof(
      { weight: 6, arbitrary: valid(name, schema) },
      { weight: 1, arbitrary: boundaries(schema) },
      { weight: 2, arbitrary: hostile },
    )

  /** Query members: as declared, repeated, as arrays and objects, and unknown ones. */
  function query(parameters: readonly Parameter[]): fc.Arbitrary<string> {
    const one = fc
      .constantFrom(...parameters)
      .chain(parameter => given(parameter).map(value => [parameter.name, value] as const))
    const twisted = fc
      .tuple(one, fc.constantFrom('[]', '[a]', '[0]', '.x', ' '))
      .map(([[name, value], end]) => [`${name}${end}`, value] as const)
    const strange = fc.tuple(hostile, hostile)
    const pairs = fc.array(
      fc.oneof(
        { weight: 20, arbitrary: one },
        { weight: 1, arbitrary: twisted },
        { weight: 1, arbitrary: strange },
      ),
      { maxLength: 4 },
    )
    return pairs.map(list =>
      list.map(([name, value]) => `${encode(name)}=${encode(textOf(value))}`).join('&'),
    )
  }

  /** A JSON body close to its schema. */
  function body(schema: Schema): fc.Arbitrary<Ask['body']> {
    const near = like(resolve(schema), '')
    const text = fc.constantFrom(
      '',
      '[]',
      'null',
      '{',
      '"x"',
      '{"a":1,"a":2}',
      `${'{"a":'.repeat(64)}1${'}'.repeat(64)}`,
      '{"__proto__":{"x":1}}',
      '\ufeff{}',
    )
    return fc.oneof(
      { weight: 8, arbitrary: near.map(value => jsonOf(value)) },
      { weight: 1, arbitrary: fc.jsonValue().map(value => jsonOf(value)) },
      { weight: 1, arbitrary: text },
    )
  }

  const resolve = (schema: Schema): Schema =>
    typeof schema['$ref'] === 'string'
      ? document['components'].schemas[schema['$ref'].split('/').at(-1)!]
      : schema

  function like(schema: Schema, name: string): fc.Arbitrary<unknown> {
    const {
      properties,
      type,
      items,
      required = [],
    } = schema as { properties?: Record<string, Schema>; type?: string; items?: Schema; required?: string[] }
    const odd = fc.oneof(hostile, fc.jsonValue({ maxDepth: 2 }), boundaries(schema))
    if (properties) {
      const members = Object.fromEntries(
        Object.entries(properties).map(([member, s]) => [member, like(resolve(s), member)]),
      )
      return fc.oneof(
        { weight: 12, arbitrary: fc.record(members, { requiredKeys: required }) },
        { weight: 1, arbitrary: odd },
      )
    }
    if (type === 'array') {
      const list = fc.array(like(resolve(items!), name), {
        minLength: 0,
        maxLength: name === 'operations' ? 3 : 2,
      })
      return fc.oneof({ weight: 12, arbitrary: list }, { weight: 1, arbitrary: odd })
    }
    if (name === 'params')
      return fc.dictionary(
        fc.constantFrom('ticker', 'limit', 'fields', 'sort', 'q', 'min_ytm', 'format', '__proto__'),
        fc.oneof(hostile, fc.integer(), fc.boolean(), fc.constantFrom(...(known['ticker'] ?? []))),
        { maxKeys: 3 },
      )
    const pool = name === 'id' ? [...(known['ticker'] ?? []), ...(known['cusip'] ?? [])] : known[name]
    return fc.oneof(
      { weight: 8, arbitrary: pool ? fc.constantFrom(...pool) : valid(name, schema) },
      { weight: 1, arbitrary: odd },
    )
  }

  const operations = Object.entries<Document>(document['paths'])
    .filter(([path]) => path !== '/v1/openapi.json' && path !== '/v1/sql')
    .flatMap(([path, methods]) =>
      Object.entries<Document>(methods).map(([method, operation]) => ({ path, method, operation })),
    )

  const request = fc.constantFrom(...operations).chain(({ path, method, operation }): fc.Arbitrary<Sent> => {
    const declared = ((operation['parameters'] ?? []) as Parameter[]).filter(p => p.name)
    const [inPath] = declared.filter(p => p.in === 'path')
    const asked = declared.filter(p => p.in === 'query')
    const where = inPath
      ? fc
          .oneof(
            { weight: 4, arbitrary: fc.constantFrom(...known[inPath.name]!) },
            { weight: 1, arbitrary: hostile },
          )
          .map(value => path.replace(/\{\w+\}/, encode(value) || 'x'))
      : fc.constant(path)
    if (method === 'post')
      return fc
        .tuple(where, body(operation['requestBody'].content['application/json'].schema))
        .map(([at, sent]) => ({ path: at, how: { body: sent! } }))
    return fc
      .tuple(
        where,
        asked.length ? query(asked) : fc.constant(''),
        fc.constantFrom('GET', 'GET', 'GET', 'HEAD'),
      )
      .map(([at, search, verb]) => ({ path: search ? `${at}?${search}` : at, how: { method: verb } }))
  })
  return request
}

const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(textOf).join(',')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

/** Percent-encodes any text: a lone surrogate becomes the bytes it would have. */
const encode = (text: string): string =>
  [...text].map(c => (c.isWellFormed() ? encodeURIComponent(c) : '%ED%A0%80')).join('')

const jsonOf = (value: unknown): string => JSON.stringify(value) ?? 'null'

/** Values from the data, by the parameter that takes them. */
export const knownOf = (bonds: readonly Row[], companies: readonly Row[]) => {
  const some = (rows: readonly Row[], member: string) =>
    [
      ...new Set(
        rows
          .map(row => row[member])
          .filter(v => v !== null)
          .map(String),
      ),
    ].slice(0, 12)
  return {
    ticker: some(companies, 'ticker'),
    sector: some(companies, 'sector'),
    industry: some(companies, 'industry'),
    cusip: some(bonds, 'cusip'),
    isin: some(bonds, 'isin'),
    currency: ['USD', 'eur'],
    q: [...some(bonds, 'name'), ...some(bonds, 'cusip')],
    fields: [
      'ticker',
      'company_ticker',
      'id,pricing',
      'cusip',
      'leverage_ratio,ticker',
      'pricing.ytm',
      '_explain',
    ],
    sort: ['ticker', '-ticker', '-pricing.ytm', 'ytm', '-spread_date', 'id', 'median', '-total_debt,name'],
    period: ['TTM', 'latest', '2024Q3', 'Q1 2023'],
  }
}
