import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database, literal, quote } from '../engine/database/database.ts'
import { ensureLake } from '../engine/lake/lake.ts'
import { publish } from '../engine/lake/snapshot.ts'
import { copyColumns, spreadCopies } from '../engine/query/spread-copies.ts'
import { type Column, type Columns, sqlType } from '../engine/schema/column.ts'
import { layout } from '../engine/schema/resources/layout.ts'
import { tables } from '../engine/schema/resources/tables.ts'
import { ratingBuckets, tenors } from '../engine/schema/vocabulary.ts'

/** Rows: companies, bonds, and spreads as series of all tenors over business days. */
export interface Size {
  readonly companies: number
  readonly bonds: number
  readonly series: number
  readonly days: number
}

export const sizes = {
  small: { companies: 253, bonds: 2_505, series: 18, days: 598 },
  medium: { companies: 25_000, bonds: 250_000, series: 1_060, days: 1_000 },
  large: { companies: 1_000_000, bonds: 0, series: 10_600, days: 1_000 },
  huge: { companies: 0, bonds: 0, series: 20_000, days: 1_000 },
} as const satisfies Record<string, Size>

export type SizeName = keyof typeof sizes

const sectors = [
  'Communications',
  'Consumer',
  'Energy',
  'Financials',
  'Health Care',
  'Industrials',
  'Materials',
  'Real Estate',
  'Retail',
  'Technology',
  'Utilities',
]

/** A pseudo-random number from 0 up to `below`, reproducible from row and name. */
const thrown = (name: string, below: number) => `CAST(hash(i, ${literal(name)}) % ${below} AS BIGINT)`
const oneOf = (values: readonly string[], at: string) => `[${values.map(literal).join(', ')}][1 + ${at}]`

/** Default content of a column; one value in sixteen is null if allowed. */
function filler(name: string, column: Column): string {
  const value = thing(name, column)
  return column.nullable ? `CASE WHEN ${thrown(`${name} missing`, 16)} > 0 THEN ${value} END` : value
}

function thing(name: string, column: Column): string {
  switch (column.kind) {
    case 'enum':
      return oneOf(column.values!, thrown(name, column.values!.length))
    case 'boolean':
      return `${thrown(name, 3)} = 0`
    case 'date':
      return `DATE '2026-01-02' + ${thrown(name, 7_000)}::INTEGER`
    case 'timestamp':
      return `TIMESTAMP '2025-01-01' + to_seconds(${thrown(name, 20_000_000)})`
    case 'cents':
      return `${thrown(name, 5_000_000)} * 1000000`
    case 'integer':
      return thrown(name, 60)
    case 'bps':
      return `${thrown(name, 20_000)} / 10`
    case 'list':
    case 'json':
      return 'NULL'
    case 'text':
      return `${literal(name.slice(0, 3).toUpperCase())} || ${thrown(name, 40)}`
    default:
      return `${thrown(name, 10_000)} / 1000`
  }
}

const ownSpreads: Readonly<Record<string, string>> = {
  company_id: `'C' || printf('%07d', series)`,
  ticker: `'C' || printf('%07d', series)`,
  company_name: `'Company number ' || series || ' Holdings'`,
  spread_date: 'day',
  tenor: 'tenor',
  // The company's level, a slope by tenor and daily movement, in tenths of a basis point.
  spread_bps: `(3000 + series * 7919 % 9000 + slope * 90 + ${thrown('spread', 900)}) / 10`,
  source: `'bond_spread_proxy'`,
  sector: oneOf(sectors, `series % ${sectors.length}`),
  industry: `'Industry ' || series % 31`,
  rating_bucket: oneOf(ratingBuckets, `series % ${ratingBuckets.length}`),
  coverage: `CASE WHEN series % 2 = 0 THEN 'standard' ELSE 'extended' END`,
  // Columns of the copies.
  spread_tenths: `(3000 + series * 7919 % 9000 + slope * 90 + ${thrown('spread', 900)})`,
}

const own: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  spreads: ownSpreads,
  spreads_by_tenor: ownSpreads,
  spreads_by_ticker: ownSpreads,
  companies: {
    company_id: `'C' || printf('%07d', i)`,
    ticker: `'C' || printf('%07d', i)`,
    name: `'Company number ' || i || ' Holdings'`,
    sector: oneOf(sectors, thrown('sector', sectors.length)),
    cik: `printf('%010d', i)`,
    lei: 'NULL',
    currency: `'USD'`,
    has_near_term_maturity: `${thrown('near', 5)} > 0`,
    coverage: `CASE WHEN i % 2 = 0 THEN 'standard' ELSE 'extended' END`,
  },
  bonds: {
    id: `'bond-' || printf('%08d', i)`,
    cusip: `printf('%09d', i)`,
    isin: 'NULL',
    company_id: `'C' || printf('%07d', i // 10)`,
    company_ticker: `'C' || printf('%07d', i // 10)`,
    name: `'Company number ' || (i // 10) || ' note ' || (i % 10)`,
    currency: `'USD'`,
    is_active: 'true',
  },
}

/** A Monday: days go from Monday to Friday. */
const FIRST_DAY = '2021-12-27'
const LAST_DAY = '2025-12-31'

/** Spreads ordered by tenor, then day, then company. */
const byTenor = (size: Size): string =>
  spreadRows(
    size,
    ({ series, days }) =>
      `n % ${series} AS series, n // ${series} % ${days} AS day, n // ${series * days} AS slope`,
  )

/** The same ordered by company, then tenor, then day. */
const byTicker = (size: Size): string =>
  spreadRows(
    size,
    ({ days }) =>
      `n // ${days * tenors.length} AS series, n % ${days} AS day, n // ${days} % ${tenors.length} AS slope`,
  )

const spreadRows = (size: Size, placed: (size: Size) => string): string => `
  SELECT (slope * ${size.days} + day) * ${size.series} + series AS i, series, slope,
    DATE '${FIRST_DAY}' + (day // 5 * 7 + day % 5)::INTEGER AS day, ${oneOf([...tenors].sort(), 'slope')} AS tenor
  FROM (SELECT ${placed(size)} FROM range(${size.series * size.days * tenors.length}) r(n))`

const rowsOf: Readonly<Record<string, (size: Size) => string>> = {
  companies: size => `SELECT i FROM range(${size.companies}) r(i)`,
  bonds: size => `SELECT i FROM range(${size.bonds}) r(i)`,
  spreads: byTenor,
  spreads_by_tenor: byTenor,
  spreads_by_ticker: byTicker,
}

/** The columns of the copies, if every spread is a whole tenth of a basis point. */
const { spread_bps: _inTenths, ...narrow } = copyColumns
const written = [
  ...tables.map(({ table, columns }) => ({ name: table, columns })),
  ...spreadCopies.map(copy => ({ name: copy.name, columns: narrow })),
]
const typeOf = (name: string, column: Column) => (name === 'spread_tenths' ? 'SMALLINT' : sqlType(column))

/** Writes a table of a size; tables that no case needs are empty. */
async function writeTable(
  db: Database,
  table: string,
  columns: Columns,
  size: Size,
  file: string,
): Promise<void> {
  const rows = rowsOf[table]?.(size) ?? 'SELECT 0 AS i WHERE FALSE'
  const selected = Object.entries(columns).map(
    ([name, column]) =>
      `CAST(${own[table]?.[name] ?? filler(name, column)} AS ${typeOf(name, column)}) AS ${quote(name)}`,
  )
  await db.run(
    `COPY (SELECT ${selected.join(', ')} FROM (${rows})) TO ${literal(file)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)`,
  )
}

/** The folder of a lake of a named size, made once per version of this code. */
export const madeLake = (name: SizeName, say: (text: string) => void): Promise<string> =>
  lakeOfSize(name, sizes[name], say)

/** The same for any size, under a name that stands for it. */
export async function lakeOfSize(name: string, size: Size, say: (text: string) => void): Promise<string> {
  const folder = join(tmpdir(), 'tranche-bench', `${name}-${layout}-${await codeHash()}`)
  if (existsSync(folder)) return folder
  say(`making a lake of size ${name} in ${folder}`)
  const making = `${folder}.${process.pid}`
  const db = await Database.create({ temp: join(making, 'temp') })
  try {
    const lake = await ensureLake(making)
    await publish(lake, async into => {
      await mkdir(join(making, 'temp'), { recursive: true })
      for (const { name: table, columns } of written)
        await writeTable(db, table, columns, size, join(into, `${table}.parquet`))
      return {
        as_of: LAST_DAY,
        options: { earliest: null, spread_copies: 'INT16' },
        inputs: [],
        tables: written.map(table => ({ name: table.name, file: `${table.name}.parquet` })),
        layout,
      }
    })
    await rm(join(making, 'temp'), { recursive: true, force: true })
    await rename(making, folder)
  } finally {
    db.close()
    await rm(making, { recursive: true, force: true })
  }
  return folder
}

const codeHash = async (): Promise<string> =>
  createHash('sha256')
    .update(await readFile(import.meta.filename))
    .digest('hex')
    .slice(0, 8)
