import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { encode } from '../../engine/encode/encode.ts'
import type { FormatName } from '../../engine/encode/formats.ts'
import type { EncodableRows, EncodeOptions } from '../../engine/encode/row-stream.ts'
import {
  boolean,
  type Columns,
  cents,
  date,
  integer,
  json,
  list,
  nullable,
  number,
  percent,
  text,
  timestamp,
} from '../../engine/schema/column.ts'

/** A bond's columns, one of every kind. */
export const bondColumns = {
  cusip: text('CUSIP, 9 characters.'),
  name: nullable(text('Name.')),
  coupon_rate: nullable(percent('Coupon.')),
  maturity_date: nullable(date('Maturity.')),
  outstanding: nullable(cents('Amount outstanding.')),
  guarantor_count: nullable(integer('Guarantors.')),
  callable: nullable(boolean('May be called.')),
  'pricing.last_price': nullable(number('Last price.', { unit: 'percent of par' })),
  'pricing.ytm': nullable(percent('Yield to maturity.')),
  assets: nullable(list('What secures it.')),
  seen_at: nullable(timestamp('When it was seen.')),
  detail: nullable(json('Anything else.')),
} satisfies Columns

export const bonds: readonly (readonly unknown[])[] = [
  [
    '893830AK8',
    'Transocean 6.8%, "2038"',
    6.8,
    '2038-03-15',
    61_000_000_00,
    3,
    true,
    88.125,
    -0.25,
    ['rig "Spitsbergen"', 'a,b'],
    '2026-01-02T03:04:05.678Z',
    '{"a":[1,2],"b":null}',
  ],
  ['000000000', null, null, null, null, null, null, null, null, null, null, null],
  [
    '172967MF5',
    '=HYPERLINK("x")',
    0,
    '1969-12-31',
    9_007_199_254_740_991,
    0,
    false,
    100,
    null,
    [],
    '1969-12-31T23:59:59.999Z',
    '{\n  "a": [],\n  "b": "line"\n}',
  ],
  [
    '38141GXZ2',
    'Zoë\r\nline — 债券 🏦\t',
    -1.5,
    '2400-02-29',
    -5,
    -7,
    false,
    1e-7,
    5,
    ['é', null],
    null,
    '{"a":[]}',
  ],
]

export const rowsOf = (
  columns: Columns,
  rows: readonly (readonly unknown[])[],
  perChunk = 2,
): EncodableRows => ({
  columns: Object.entries(columns).map(([name, column]) => ({ name, column })),
  chunks: (async function* () {
    for (let start = 0; start < rows.length; start += perChunk) {
      const some = rows.slice(start, start + perChunk)
      yield { rowCount: some.length, columns: Object.keys(columns).map((_, j) => some.map(row => row[j])) }
    }
  })(),
})

export async function bytesOf(
  format: FormatName,
  rows: EncodableRows,
  options: EncodeOptions = {},
): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of encode(format, rows, options)) parts.push(Buffer.from(part as string))
  return Buffer.concat(parts)
}

export const textOf = async (
  format: FormatName,
  rows: EncodableRows,
  options: EncodeOptions = {},
): Promise<string> => (await bytesOf(format, rows, options)).toString()

export const writeTo = (
  file: string,
  format: FormatName,
  rows: EncodableRows,
  options: EncodeOptions = {},
): Promise<void> => pipeline(Readable.from(encode(format, rows, options)), createWriteStream(file))
