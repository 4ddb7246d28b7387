import { answerOf, answerOfPage, benchCase, execute } from '../case.ts'

const companyColumns = [
  'ticker',
  'name',
  'sector',
  'leverage_ratio',
  'net_leverage_ratio',
  'total_debt',
  'nearest_maturity',
]

const companySql = (from: string) => `
  SELECT ${companyColumns.join(', ')}, count(*) OVER () AS "_total" FROM ${from}
  WHERE leverage_ratio >= $1 AND leverage_ratio <= $2 AND sector = $3
  ORDER BY leverage_ratio DESC NULLS LAST, company_id LIMIT 50`

interface CompanyAsk {
  readonly min: number
  readonly max: number
  readonly sector: string
}

export const companyScreen = benchCase<CompanyAsk>({
  name: 'company-screen',
  question: 'What does the engine add to hand-written SQL for a screen by leverage and sector?',
  ask: (random, { sectors }) => {
    const min = random.whole(0, 400) / 100
    return { min, max: min + random.whole(200, 600) / 100, sector: random.pick(sectors) }
  },
  baselines: {
    'raw DuckDB, Parquet': {
      async run({ raw }, { min, max, sector }) {
        const rows = await raw.rows(companySql('companies'), [min, max, sector])
        return () => answerOf(rows, companyColumns)
      },
    },
    'raw DuckDB, prepared over a table': {
      prepare: ({ session }) => session.run(`PREPARE company_screen AS ${companySql('held.companies')}`),
      async run({ session }, { min, max, sector }) {
        const rows = await execute(session, 'company_screen', [min, max, sector])
        return () => answerOf(rows, companyColumns)
      },
    },
  },
  engine: {
    async run({ engine }, { min, max, sector }) {
      const page = await engine.call('search.companies', {
        min_leverage: min,
        max_leverage: max,
        sector,
        sort: '-leverage_ratio',
        fields: companyColumns,
      })
      return () => answerOfPage(page, companyColumns)
    },
  },
})

const bondColumns = [
  'id',
  'cusip',
  'name',
  'company_ticker',
  'coupon_rate',
  'maturity_date',
  'seniority',
  'outstanding',
  'pricing.last_price',
  'pricing.ytm',
  'pricing.spread',
]

const bondSql = (from: string) => `
  SELECT ${bondColumns.map(c => `"${c}"`).join(', ')}, count(*) OVER () AS "_total" FROM ${from}
  WHERE "pricing.ytm" >= $1 AND maturity_date <= CAST($2 AS DATE) AND seniority = $3 AND is_active AND currency = 'USD'
  ORDER BY "pricing.ytm" DESC NULLS LAST, id LIMIT 50`

interface BondAsk {
  readonly ytm: number
  readonly before: string
  readonly seniority: string
}

export const bondScreen = benchCase<BondAsk>({
  name: 'bond-screen',
  question:
    'What does the engine add to hand-written SQL for a screen of bonds by yield, maturity and seniority?',
  ask: random => ({
    ytm: random.whole(400, 1000) / 100,
    before: `${random.whole(2028, 2045)}-0${random.whole(1, 9)}-15`,
    seniority: random.pick(['senior_secured', 'senior_unsecured', 'subordinated']),
  }),
  baselines: {
    'raw DuckDB, Parquet': {
      async run({ raw }, { ytm, before, seniority }) {
        const rows = await raw.rows(bondSql('bonds'), [ytm, before, seniority])
        return () => answerOf(rows, bondColumns)
      },
    },
    'raw DuckDB, prepared over a table': {
      prepare: ({ session }) => session.run(`PREPARE bond_screen AS ${bondSql('held.bonds')}`),
      async run({ session }, { ytm, before, seniority }) {
        const rows = await execute(session, 'bond_screen', [ytm, before, seniority])
        return () => answerOf(rows, bondColumns)
      },
    },
  },
  engine: {
    async run({ engine }, { ytm, before, seniority }) {
      const page = await engine.call('search.bonds', {
        min_ytm: ytm,
        maturity_before: before,
        seniority,
        sort: '-pricing.ytm',
        fields: bondColumns,
      })
      return () => answerOfPage(page, bondColumns)
    },
  },
})
