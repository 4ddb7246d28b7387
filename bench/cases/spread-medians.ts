import { literal } from '../../engine/database/database.ts'
import {
  answerOf,
  answerOfPage,
  benchCase,
  type Case,
  type Contestant,
  type Ground,
  type Shown,
} from '../case.ts'
import type { Statement } from '../duck.ts'
import type { SizeName } from '../made-lake.ts'
import { type Foreign, peer } from '../peers.ts'

/** Beyond this many rows no copy of the table is made in DuckDB's own memory. */
const MOST_HELD = 10_000_000

interface Ask {
  /** Groups to skip: another page each time, so that nothing can be cached. */
  readonly offset: number
}

interface Grouped {
  readonly name: string
  readonly question: string
  readonly by: readonly string[]
  /** Maximum number of groups to skip. */
  readonly most: number
  readonly sizes: readonly SizeName[]
  /** The filter, as SQL and as engine parameters; all rows by default. */
  readonly only?: { readonly sql: string; readonly input: Readonly<Record<string, string>> }
}

const few = ({ rows }: Ground) => (rows['spreads'] ?? 0) <= MOST_HELD

const nameTenths = ({ duck, file }: Ground) =>
  duck.run(
    `CREATE OR REPLACE VIEW tenths_of_spreads AS SELECT *, spread_tenths AS tenths FROM read_parquet(${literal(file('spreads_by_tenor'))})`,
  )

const hold = ({ duck }: Ground) =>
  duck.run(
    'CREATE TABLE IF NOT EXISTS held_spreads AS SELECT spread_date, tenor, sector, spread_bps, (spread_bps * 10)::SMALLINT AS tenths FROM spreads',
  )

/** A DuckDB table, and how it is made if the lake has none. */
function duckdb(
  sql: string,
  shown: Shown,
  { fits, before }: { fits?: Contestant<Ask>['fits']; before?: (ground: Ground) => Promise<void> } = {},
): Contestant<Ask> {
  let statement: Statement
  return {
    isDuckDB: true,
    ...(fits && { fits }),
    async prepare(ground) {
      await before?.(ground)
      statement = await ground.duck.prepare(sql)
    },
    async run(_, { offset }) {
      const rows = await statement.rows([offset])
      return () => answerOf(rows, shown)
    },
  }
}

function polars(by: readonly string[], shown: Shown): Contestant<Ask> {
  let frame: Foreign
  let pl: Foreign
  return {
    peer: 'nodejs-polars',
    fits: few,
    async prepare({ file }) {
      pl = peer('nodejs-polars')
      frame = pl.readParquet(file('spreads')).select('spread_date', 'tenor', 'sector', 'spread_bps')
    },
    run(_, { offset }) {
      const { col } = pl
      const found = frame
        .groupBy(...by)
        .agg(col('spread_bps').median().alias('median'), col('spread_bps').count().alias('count'))
        .sort(by)
      const rows = found.slice(offset, 1000).toRecords()
      return () => rounded(answerOf(rows, shown, found.height), shown)
    },
  }
}

function arquero(by: readonly string[], shown: Shown): Contestant<Ask> {
  let table: Foreign
  let aq: Foreign
  return {
    peer: 'arquero',
    fits: ({ size }) => size === 'small',
    async prepare({ duck }) {
      aq = peer('arquero')
      const taken = await duck.columns(
        'SELECT CAST(spread_date AS VARCHAR), tenor, sector, spread_bps FROM spreads',
      )
      const names = ['spread_date', 'tenor', 'sector', 'spread_bps']
      table = aq.table(Object.fromEntries(names.map((name, i) => [name, taken[i]])))
    },
    run(_, { offset }) {
      const found = table
        .groupby(...by)
        .rollup({ median: aq.op.median('spread_bps'), count: aq.op.count() })
        .orderby(...by)
      const rows = found.slice(offset, offset + 1000).objects()
      return () => rounded(answerOf(rows, shown, found.numRows()), shown)
    },
  }
}

/** Rounds medians to the digits that the others return. */
function rounded(answer: ReturnType<typeof answerOf>, shown: Shown) {
  const at = Object.keys(shown).indexOf('median')
  const rows = answer.rows.map(row => row.with(at, Math.round((row[at] as number) * 10_000) / 10_000))
  return { ...answer, rows }
}

/** The median by some keys. */
function medians({ name, question, by, most, sizes, only }: Grouped): Case {
  const shown: Shown = {
    ...Object.fromEntries(by.map(key => [key, 'text'] as const)),
    median: 'number',
    count: 'number',
  }
  const keys = by.join(', ')
  const sql = (from: string, value = 'spread_bps') => `
    SELECT *, count(*) OVER () AS "_total" FROM (
      SELECT ${keys}, round(median(${value})${value === 'tenths' ? ' / 10' : ''}, 4) AS median, count(*) AS "count" FROM ${from}${only ? ` WHERE ${only.sql}` : ''}
      GROUP BY ${keys})
    ORDER BY ${keys} LIMIT 1000 OFFSET $1`
  const input = ({ offset }: Ask) => ({
    group_by: by as ('spread_date' | 'tenor' | 'sector')[],
    metrics: ['median', 'count'] as const,
    limit: 1000,
    offset,
    ...only?.input,
  })
  const held = { fits: few, before: hold }

  return benchCase<Ask>({
    name,
    question,
    sizes,
    over: 'spreads',
    ask: random => ({ offset: random.whole(0, most) }),
    baselines: {
      'DuckDB, Parquet': duckdb(sql('spreads'), shown),
      'DuckDB, Parquet of tenths': duckdb(sql('tenths_of_spreads', 'tenths'), shown, { before: nameTenths }),
      'DuckDB, table': duckdb(sql('held_spreads'), shown, held),
      'DuckDB, table of tenths as SMALLINT': duckdb(sql('held_spreads', 'tenths'), shown, held),
      ...(!only && { 'nodejs-polars': polars(by, shown), arquero: arquero(by, shown) }),
    },
    engine: {
      prepare: ({ engine }) => engine.warm('aggregate.spreads', input({ offset: 0 })),
      async run({ engine }, ask) {
        const page = await engine.call('aggregate.spreads', input(ask))
        return () => answerOfPage(page, shown)
      },
    },
  })
}

const all = ['small', 'medium', 'large', 'huge'] as const

export const mediansByTenor = medians({
  name: 'median by date and tenor',
  question: 'How long does the exact median spread of every day and tenor take?',
  by: ['spread_date', 'tenor'],
  most: 1900,
  sizes: all,
})

export const mediansBySector = medians({
  name: 'median by sector',
  question: 'How long does the exact median spread of every sector take?',
  by: ['sector'],
  most: 5,
  sizes: all,
})

export const mediansOfSector = medians({
  name: 'median by date of a tenor and a sector',
  question:
    'How long does the exact median spread of every day of one tenor, one sector and the later days take?',
  by: ['spread_date'],
  most: 20,
  sizes: ['small', 'medium', 'large'],
  only: {
    sql: "tenor = '5Y' AND sector = 'Energy' AND spread_date >= DATE '2023-06-30'",
    input: { tenor: '5Y', sector: 'Energy', from_date: '2023-06-30' },
  },
})
