import { firstOf } from '../../engine/base/elements.ts'
import { answerOf, answerOfPage, benchCase, type Contestant, type Ground, type Shown } from '../case.ts'
import type { Statement } from '../duck.ts'
import { type Foreign, peer } from '../peers.ts'

const shown = {
  company_id: 'text',
  ticker: 'text',
  name: 'text',
  sector: 'text',
  leverage_ratio: 'number',
  net_leverage_ratio: 'number',
  interest_coverage: 'number',
  total_debt: 'number',
  nearest_maturity: 'text',
  rating_bucket: 'text',
  has_near_term_maturity: 'boolean',
} as const satisfies Shown
const columns = Object.keys(shown) as (keyof typeof shown)[]
const list = columns.join(', ')

interface Ask {
  readonly min: number
  readonly max: number
  readonly sector: string
  readonly offset: number
}

const where = 'leverage_ratio >= $1 AND leverage_ratio <= $2 AND sector = $3 AND has_near_term_maturity'
const order = 'ORDER BY leverage_ratio DESC, company_id LIMIT 50 OFFSET $4'
const windowed = (from: string) =>
  `SELECT ${list}, count(*) OVER () AS "_total" FROM ${from} WHERE ${where} ${order}`
const paged = (from: string) => `SELECT ${list} FROM ${from} WHERE ${where} ${order}`
const counted = (from: string) => `SELECT count(*) AS n FROM ${from} WHERE ${where}`
// Finds the page among row ids alone, and reads only its rows whole.
const joined = `
  WITH f AS MATERIALIZED (SELECT rowid AS r, leverage_ratio, company_id FROM held_companies WHERE ${where}),
  p AS (SELECT r FROM f ${order})
  SELECT ${list}, (SELECT count(*) FROM f) AS "_total" FROM held_companies c JOIN p ON c.rowid = p.r
  ORDER BY leverage_ratio DESC, company_id`

const values = ({ min, max, sector, offset }: Ask) => [min, max, sector, offset]

const hold = ({ duck }: Ground) =>
  duck.run(`CREATE TABLE IF NOT EXISTS held_companies AS SELECT ${list} FROM companies`)

function oneStatement(sql: string, before?: (ground: Ground) => Promise<void>): Contestant<Ask> {
  let statement: Statement
  return {
    isDuckDB: true,
    async prepare(ground) {
      await before?.(ground)
      statement = await ground.duck.prepare(sql)
    },
    async run(_, ask) {
      const rows = await statement.rows(values(ask))
      return () => answerOf(rows, shown)
    },
  }
}

function pageAndCount(from: string, before?: (ground: Ground) => Promise<void>): Contestant<Ask> {
  let page: Statement
  let count: Statement
  return {
    isDuckDB: true,
    async prepare(ground) {
      await before?.(ground)
      page = await ground.duck.prepare(paged(from))
      count = await ground.duck.prepare(counted(from))
    },
    async run(_, ask) {
      const rows = await page.rows(values(ask))
      const [total] = await count.rows(values(ask).slice(0, 3))
      return () => answerOf(rows, shown, total!['n'])
    },
  }
}

function sqlite(): Contestant<Ask> {
  let page: Foreign
  let count: Foreign
  return {
    peer: 'better-sqlite3',
    async prepare({ duck }) {
      const Sqlite = peer('better-sqlite3')
      const db = new Sqlite(':memory:')
      db.exec(`CREATE TABLE c (${list})`)
      const insert = db.prepare(`INSERT INTO c VALUES (${columns.map(() => '?').join(', ')})`)
      const taken = await duck.columns(
        `SELECT ${columns.map(c => (c === 'nearest_maturity' ? `CAST(${c} AS VARCHAR)` : c === 'has_near_term_maturity' ? `CAST(${c} AS INTEGER)` : c)).join(', ')} FROM companies`,
      )
      db.exec('BEGIN')
      for (let i = 0; i < firstOf(taken).length; i++) insert.run(...taken.map(column => column[i]))
      db.exec('COMMIT')
      db.exec(
        'CREATE INDEX by_leverage ON c (sector, has_near_term_maturity, leverage_ratio DESC, company_id); ANALYZE',
      )
      const asked =
        'sector = ? AND has_near_term_maturity = 1 AND leverage_ratio >= ? AND leverage_ratio <= ?'
      page = db.prepare(
        `SELECT ${list} FROM c WHERE ${asked} ORDER BY leverage_ratio DESC, company_id LIMIT 50 OFFSET ?`,
      )
      count = db.prepare(`SELECT count(*) AS n FROM c WHERE ${asked}`)
    },
    run(_, { min, max, sector, offset }) {
      const rows = page.all(sector, min, max, offset)
      const { n } = count.get(sector, min, max)
      return () => answerOf(rows, shown, n)
    },
  }
}

function polars(): Contestant<Ask> {
  let frame: Foreign
  let pl: Foreign
  return {
    peer: 'nodejs-polars',
    async prepare({ file }) {
      pl = peer('nodejs-polars')
      frame = pl.readParquet(file('companies')).select(...columns)
    },
    run(_, { min, max, sector, offset }) {
      const { col, lit } = pl
      const passed = frame.filter(
        col('leverage_ratio')
          .gtEq(lit(min))
          .and(col('leverage_ratio').ltEq(lit(max)))
          .and(col('sector').eq(lit(sector)))
          .and(col('has_near_term_maturity')),
      )
      const rows = passed
        .sort([col('leverage_ratio'), col('company_id')], [true, false])
        .slice(offset, 50)
        .toRecords()
      return () => answerOf(rows, shown, passed.height)
    },
  }
}

function arquero(): Contestant<Ask> {
  let table: Foreign
  let aq: Foreign
  return {
    peer: 'arquero',
    async prepare({ duck }) {
      aq = peer('arquero')
      const taken = await duck.columns(
        `SELECT ${columns.map(c => (c === 'nearest_maturity' ? `CAST(${c} AS VARCHAR)` : c === 'total_debt' ? `CAST(${c} AS DOUBLE)` : c)).join(', ')} FROM companies`,
      )
      table = aq.table(Object.fromEntries(columns.map((name, i) => [name, taken[i]])))
    },
    run(_, { min, max, sector, offset }) {
      const passed = table.params({ min, max, sector }).filter(
        (d: Foreign, $: Foreign) =>
          // In JavaScript null is not below 0.
          d.leverage_ratio !== null &&
          d.leverage_ratio >= $.min &&
          d.leverage_ratio <= $.max &&
          d.sector === $.sector &&
          d.has_near_term_maturity,
      )
      const rows = passed
        .orderby(aq.desc('leverage_ratio'), 'company_id')
        .slice(offset, offset + 50)
        .objects()
      return () => answerOf(rows, shown, passed.numRows())
    },
  }
}

const input = ({ min, max, sector, offset }: Ask) => ({
  min_leverage: min,
  max_leverage: max,
  sector,
  has_near_term_maturity: true,
  sort: '-leverage_ratio' as const,
  fields: columns,
  limit: 50,
  offset,
})

export const screen = benchCase<Ask>({
  name: 'screen',
  question: 'How long does a page of a screen take: leverage between two bounds, a sector, debt due soon?',
  sizes: ['small', 'medium', 'large'],
  over: 'companies',
  ask: (random, { sectors, size }) => {
    const min = random.whole(0, 3000) / 1000
    const offset = size === 'small' ? 0 : 50 * random.whole(0, 5)
    return { min, max: min + random.whole(3000, 6000) / 1000, sector: random.pick(sectors), offset }
  },
  baselines: {
    'DuckDB, Parquet, count(*) over ()': oneStatement(windowed('companies')),
    'DuckDB, Parquet, page and count': pageAndCount('companies'),
    'DuckDB, table, count(*) over ()': oneStatement(windowed('held_companies'), hold),
    'DuckDB, table, page and count': pageAndCount('held_companies', hold),
    'DuckDB, table, row ids joined': oneStatement(joined, hold),
    'nodejs-polars': polars(),
    'better-sqlite3, fitting index': sqlite(),
    arquero: arquero(),
  },
  engine: {
    async prepare({ engine, sectors }) {
      const ask = { min: 0, max: 1, sector: firstOf(sectors), offset: 0 }
      await engine.warm('search.companies', input(ask))
    },
    async run({ engine }, ask) {
      const page = await engine.call('search.companies', input(ask))
      return () => answerOfPage(page, shown)
    },
  },
})
