import { answerOf, answerOfPage, benchCase, execute } from '../case.ts'

const byTenor = ['spread_date', 'tenor', 'median', 'p90', 'count']

// The engine's envelope also says how many rows were read, so hand-written SQL has to find that out as well.
const byTenorSql = (from: string) => `
  SELECT *, count(*) OVER () AS "_total", sum("count") OVER () AS "_scanned" FROM (
    SELECT spread_date, tenor, round(median(spread_bps), 4) AS median,
      round(quantile_cont(spread_bps, 0.9), 4) AS p90, count(*) AS "count"
    FROM ${from} WHERE spread_date >= CAST($1 AS DATE) AND spread_date <= CAST($2 AS DATE) GROUP BY spread_date, tenor)
  ORDER BY spread_date, tenor LIMIT 1000`

interface TenorAsk {
  readonly from: string
  readonly to: string
}

export const spreadsByTenor = benchCase<TenorAsk>({
  name: 'spread-median-by-date-and-tenor',
  question: 'What does the engine add to hand-written SQL for the median spread by day and tenor?',
  ask: (random, { days }) => {
    const from = random.whole(0, Math.floor(days.length / 4))
    return { from: days[from]!, to: days[random.whole(Math.floor(days.length / 2), days.length - 1)]! }
  },
  baselines: {
    'raw DuckDB, Parquet': {
      async run({ raw }, { from, to }) {
        const rows = await raw.rows(byTenorSql('spreads'), [from, to])
        return () => answerOf(rows, byTenor)
      },
    },
    'raw DuckDB, prepared over a table': {
      prepare: ({ session }) => session.run(`PREPARE by_tenor AS ${byTenorSql('held.spreads')}`),
      async run({ session }, { from, to }) {
        const rows = await execute(session, 'by_tenor', [from, to])
        return () => answerOf(rows, byTenor)
      },
    },
  },
  engine: {
    async run({ engine }, { from, to }) {
      const page = await engine.ask('aggregate.spreads', {
        group_by: ['spread_date', 'tenor'],
        metrics: ['median', 'p90', 'count'],
        from_date: from,
        to_date: to,
        limit: 1000,
      })
      return () => answerOfPage(page, byTenor)
    },
  },
})

const bySector = ['sector', 'median', 'p10', 'p90', 'companies', 'count']

const bySectorSql = (from: string) => `
  SELECT *, count(*) OVER () AS "_total", sum("count") OVER () AS "_scanned" FROM (
    SELECT sector, round(median(spread_bps), 4) AS median, round(quantile_cont(spread_bps, 0.1), 4) AS p10,
      round(quantile_cont(spread_bps, 0.9), 4) AS p90, count(DISTINCT company_id) AS companies, count(*) AS "count"
    FROM ${from} WHERE tenor = $1 AND spread_date >= CAST($2 AS DATE) GROUP BY sector)
  ORDER BY median DESC NULLS LAST, sector LIMIT 100`

interface SectorAsk {
  readonly tenor: string
  readonly from: string
}

export const spreadsBySector = benchCase<SectorAsk>({
  name: 'spread-median-by-sector',
  question: 'What does the engine add to hand-written SQL for the distribution of spreads by sector?',
  ask: (random, { days }) => ({
    tenor: random.pick(['1Y', '3Y', '5Y', '7Y', '10Y']),
    from: days[random.whole(0, Math.floor(days.length / 2))]!,
  }),
  baselines: {
    'raw DuckDB, Parquet': {
      async run({ raw }, { tenor, from }) {
        const rows = await raw.rows(bySectorSql('spreads'), [tenor, from])
        return () => answerOf(rows, bySector)
      },
    },
    'raw DuckDB, prepared over a table': {
      prepare: ({ session }) => session.run(`PREPARE by_sector AS ${bySectorSql('held.spreads')}`),
      async run({ session }, { tenor, from }) {
        const rows = await execute(session, 'by_sector', [tenor, from])
        return () => answerOf(rows, bySector)
      },
    },
  },
  engine: {
    async run({ engine }, { tenor, from }) {
      const page = await engine.ask('aggregate.spreads', {
        group_by: ['sector'],
        metrics: ['median', 'p10', 'p90', 'companies', 'count'],
        tenor,
        from_date: from,
        sort: '-median',
      })
      return () => answerOfPage(page, bySector)
    },
  },
})
