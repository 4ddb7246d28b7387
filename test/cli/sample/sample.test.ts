import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { fillTables, generateSample, sampleDatasets } from '../../../cli/sample/generate.ts'
import { lastDay, readCurves, tradingDays } from '../../../cli/sample/market.ts'
import { tableOf } from '../../../cli/sample/tables.ts'
import { settlementDay } from '../../../engine/credit/calendar.ts'
import { isCusip, isIsin, isLei } from '../../../engine/credit/identifiers.ts'
import { bondAnalytics, NO_DAY } from '../../../engine/credit/yields.ts'
import { Database, literal, quote } from '../../../engine/database/database.ts'
import { covenantNames } from '../../../engine/schema/covenant-names.ts'
import type { Dataset } from '../../../engine/schema/dataset.ts'
import { testFolder } from '../../folder.ts'

const db = await Database.create()
t.teardown(() => db.close())
await fillTables(db, 1)

async function one<T = number>(sql: string): Promise<T> {
  const [row] = await db.rows<Record<string, T>>(sql)
  return Object.values(row!)[0]!
}
const none = async (t: Test, sql: string, says: string) =>
  t.equal(await one(`select count(*) from (${sql})`), 0, says)

t.test('the sample covers as many companies, ratings and trading days as the service does', async t => {
  t.equal(await one('select count(*) from sample_companies'), 253)
  t.equal(await one("select count(*) from sample_companies where coverage = 'standard'"), 211)
  t.equal(await one('select count(*) from sample_ratings'), 607)
  t.equal(await one('select count(distinct ticker) from sample_ratings'), 253)
  t.equal(tradingDays.length, 598)
})

/** Fixed senior unsecured bonds that traded, by company, day and tenor: what the spread series is made from. */
const cells = `
  with traded as (
    select b.ticker, t.trade_date, date_diff('day', t.trade_date, b.maturity_date) / 365.25 as years
    from sample_trades t join (select distinct on (cusip) * from sample_bonds order by cusip, known_from desc nulls last) b using (cusip)
    where t.action = 'trade' and not t.when_issued and not t.price_estimated and t.price >= 60
      and b.seniority = 'senior_unsecured' and b.rate_structure = 'fixed' and b.status <> 'defaulted' and b.currency = 'USD')
  select distinct ticker, trade_date, case when years < 2 then '1Y' when years < 4 then '3Y' when years < 6 then '5Y'
    when years < 8.5 then '7Y' else '10Y' end as tenor
  from traded where years between 1 and 12`

t.test(
  'trades give about 53,000 spreads of 111 companies in five tenors, some on every trading day',
  async t => {
    const spreads = await one(`select count(*) from (${cells})`)
    t.ok(spreads >= 52_500 && spreads <= 53_500, `${spreads} spreads`)
    t.equal(await one(`select count(distinct ticker) from (${cells})`), 111)
    t.equal(await one(`select count(distinct trade_date) from (${cells})`), 598)
    t.equal(await one(`select count(distinct tenor) from (${cells})`), 5)
  },
)

t.test('every value of every enum occurs', async t => {
  // Marks are given clean, single trades have a dataset of their own, and the derived series is not loaded.
  const elsewhere = new Set([
    'prices.price_source trade',
    'prices.price_basis dirty',
    'spreads.feed bond_spread_proxy',
    'bonds.day_count ACT/365',
    'documents.section_type other',
    // Only GLEIF states them.
    'ownership.relationship direct',
    'ownership.relationship ultimate',
  ])
  // The sample's sections are independent: none is part of another. Its facilities run to their maturity.
  const unused = new Set(['documents.within', 'instruments.ended_because'])
  for (const dataset of sampleDatasets)
    for (const [name, column] of Object.entries(dataset.columns)) {
      if (column.kind !== 'enum' || unused.has(`${dataset.name}.${name}`)) continue
      const found = await db.rows<{ v: string }>(
        `select distinct ${quote(name)} as v from ${tableOf(dataset)}`,
      )
      const values = new Set(found.map(row => row.v))
      const missing = column.values!.filter(
        v => !values.has(v) && !elsewhere.has(`${dataset.name}.${name} ${v}`),
      )
      t.strictSame(missing, [], `${dataset.name}.${name}`)
    }
  t.equal(await one('select count(distinct sector) from sample_companies'), 11)
})

t.test("rows satisfy their dataset's conditions and have unique keys", async t => {
  for (const dataset of sampleDatasets) {
    for (const check of dataset.checks ?? [])
      await none(
        t,
        `select 1 from ${tableOf(dataset)} where not (${check.sql})`,
        `${dataset.name}: ${check.says}`,
      )
    for (const [name, column] of Object.entries(dataset.columns))
      if (!column.nullable)
        await none(
          t,
          `select 1 from ${tableOf(dataset)} where ${quote(name)} is null`,
          `${dataset.name}.${name} is never null`,
        )
    const dated = [...dataset.known, 'known_from']
    await none(
      t,
      `select 1 from ${tableOf(dataset)} group by ${[...new Set([...dataset.key, ...dated])].map(quote).join(', ')} having count(*) > 1`,
      `${dataset.name}: one row a key and day`,
    )
  }
})

t.test('references lead to existing rows', async t => {
  const ids = 'select id from sample_entities'
  await none(
    t,
    `select 1 from sample_entities where parent_id is not null and parent_id not in (${ids})`,
    'parents',
  )
  await none(t, `select 1 from sample_bonds where issuer_id not in (${ids})`, 'issuers')
  await none(t, `select 1 from sample_guarantees where guarantor_id not in (${ids})`, 'guarantors')
  await none(
    t,
    `select 1 from sample_ownership where parent_id not in (${ids}) or child_id not in (${ids})`,
    'owners',
  )
  const numbers = (column: string) => `select ${column} from sample_bonds where ${column} is not null`
  for (const table of ['trades', 'prices', 'covenants', 'ratings', 'collateral', 'guarantees'])
    await none(
      t,
      `select 1 from sample_${table} where cusip is not null and cusip not in (${numbers('cusip')})`,
      `bonds of ${table}`,
    )
  for (const table of ['collateral', 'guarantees'])
    await none(
      t,
      `select 1 from sample_${table} where bond_id is not null and bond_id not in (${numbers('bond_id')})`,
      `loans of ${table}`,
    )
})

t.test(
  'identifiers of invented bonds and companies have valid check digits and belong to nobody',
  async t => {
    const bonds = await db.rows<{ cusip: string | null; isin: string | null }>(
      'select distinct cusip, isin from sample_bonds',
    )
    for (const { cusip, isin } of bonds) {
      if (cusip !== null && !(isCusip(cusip) && cusip.startsWith('99'))) t.fail(`CUSIP ${cusip}`)
      if (isin !== null && !isIsin(isin)) t.fail(`ISIN ${isin}`)
    }
    const leis = await db.rows<{ lei: string }>('select lei from sample_companies')
    for (const { lei } of leis) if (!isLei(lei)) t.fail(`LEI ${lei}`)
    await none(
      t,
      'select 1 from sample_bonds where cusip is null and isin is null and bond_id is null',
      'an id each',
    )
    await none(
      t,
      'select 1 from sample_trades t anti join sample_bonds b on b.cusip = t.cusip and b.isin is not null',
      'priced bonds have both',
    )
    await none(t, "select 1 from sample_companies where cik not like '99%'", 'keys of no registrant')
  },
)

t.test("a company's instruments add up to the debt on its balance sheet", async t => {
  await none(
    t,
    `with last as (select ticker, last(total_debt order by period_end_date) as debt, max(period_end_date) as day,
        last(currency order by period_end_date) as currency from sample_financials where total_debt is not null group by ticker),
      alive as (select b.ticker, sum(b.outstanding * case when b.currency = l.currency then 1 else 1.08 end) as debt
        from (select distinct on (coalesce(cusip, isin, bond_id)) * from sample_bonds order by coalesce(cusip, isin, bond_id), known_from nulls first) b
        join last l using (ticker)
        left join sample_bonds r on r.status = 'retired' and coalesce(r.cusip, r.isin, r.bond_id) = coalesce(b.cusip, b.isin, b.bond_id)
        where b.issue_date <= l.day and b.maturity_date > l.day and (r.known_from is null or r.known_from > l.day) group by b.ticker)
      select 1 from last join alive using (ticker) where abs(last.debt / alive.debt - 1) > 0.02`,
    'within two percent',
  )
  await none(
    t,
    'select 1 from sample_financials where total_liabilities is not null and total_assets <> total_liabilities + stockholders_equity',
    'assets are liabilities and equity',
  )
  await none(
    t,
    'select 1 from sample_financials where debt_due_1yr > debt_due_2yr or debt_due_2yr > debt_due_3yr',
    'debt due is cumulative',
  )
})

t.test('the sample contains the awkward companies', async t => {
  const some = async (sql: string, says: string) =>
    t.ok((await one(`select count(*) from (${sql})`)) > 0, says)
  await some("select 1 from sample_financials where filing_type like '%/A'", 'restatements')
  await some(
    'select 1 from sample_financials group by ticker having count(*) < 4',
    'fewer than four quarters',
  )
  await some(
    'select 1 from sample_financials group by ticker having count(depreciation_amortization) = 0',
    'no depreciation',
  )
  await some(
    'select 1 from sample_financials where operating_income + depreciation_amortization < 0',
    'negative EBITDA',
  )
  await some("select 1 from sample_companies where fiscal_year_end <> '1231'", 'other fiscal years')
  await some("select 1 from sample_bonds where currency = 'EUR'", 'euro bonds')
  await some('select 1 from sample_bonds where call_schedule is not null', 'call schedules')
  await some('select 1 from sample_bonds where put_schedule is not null', 'put schedules')
  await some('select 1 from sample_bonds where sinking_schedule is not null', 'sinking schedules')
  await some('select 1 from sample_trades where price < 60', 'distressed prices')
  await some('select 1 from sample_trades where quantity_capped', 'capped sizes')
  await some('select 1 from sample_trades where reported_date > trade_date', 'late reports')
  await some('select 1 from sample_entities where removed_date is not null', 'entities that went')
  await some(
    'select 1 from sample_covenants where has_step_down and step_down_schedule is not null',
    'step-downs',
  )
  await some('select 1 from sample_covenants where put_price_pct = 101', 'puts at 101')
  t.strictSame(
    await db.rows(
      `select distinct covenant_name from sample_covenants where covenant_name not in (${covenantNames.map(literal).join(', ')})`,
    ),
    [],
    'covenants are named as those read out of filings',
  )
  await some('select 1 from sample_companies where len(aliases) > 0', 'aliases')
  await some('select 1 from sample_companies where len(former_names) > 0', 'former names')
  await some(
    "select ticker from sample_ratings where cusip is null group by ticker having arg_max(rating, effective_date) in ('NR', 'WR')",
    'withdrawn ratings',
  )
})

t.test('every filing section says that its issuer is fictional', async t => {
  await none(
    t,
    "select 1 from sample_documents where content not like '%is a fictional issuer%'",
    'each says so',
  )
})

t.test('nothing is known after the last trading day', async t => {
  const day = new Date(lastDay * 86_400_000).toISOString().slice(0, 10)
  for (const dataset of sampleDatasets)
    for (const column of [...dataset.known, 'known_from'])
      await none(
        t,
        `select 1 from ${tableOf(dataset)} where ${quote(column)} > date '${day}'`,
        `${dataset.name}.${column}`,
      )
})

t.test('prices come from the Treasury curve of the day and a spread that suits the rating', async t => {
  const { columns, rowCount } = await db.columns(`
    select b.coupon_rate, t.price, date_diff('day', date '1970-01-01', t.trade_date)::int,
      date_diff('day', date '1970-01-01', b.maturity_date)::int, b.restricted
    from sample_trades t join sample_bonds b using (cusip)
    where b.seniority = 'senior_unsecured' and b.rate_structure = 'fixed' and b.status = 'active' and t.action = 'trade'
      and not t.when_issued and not t.price_estimated and t.trade_date > b.issue_date and t.price >= 60`)
  const [coupon, price, day, maturity, restricted] = columns as [
    number[],
    number[],
    number[],
    number[],
    boolean[],
  ]
  const { ytm } = bondAnalytics({
    coupon: Float64Array.from(coupon),
    price: Float64Array.from(price),
    settle: Int32Array.from(day, d => settlementDay(d)),
    maturity: Int32Array.from(maturity),
    accrualStart: new Int32Array(rowCount).fill(NO_DAY),
  })
  const curves = readCurves()
  const medianOf = (isHigh: boolean) => {
    const values: number[] = []
    for (let i = 0; i < rowCount; i++)
      if (restricted[i] !== isHigh)
        values.push(100 * (ytm[i]! - curves.interpolateAt(day[i]!, (maturity[i]! - day[i]!) / 365.25)))
    values.sort((a, b) => a - b)
    t.ok(values.length > 1000)
    return values[values.length >> 1]!
  }
  const [high, low] = [medianOf(true), medianOf(false)]
  t.ok(high > 50 && high < 120, `investment grade at ${high.toFixed(0)} bp`)
  t.ok(low > 200 && low < 500, `high yield at ${low.toFixed(0)} bp`)
})

t.test('the same seed gives the same files, another seed others', async t => {
  const dir = testFolder(t)
  const first = await generateSample(join(dir, 'a'), { seed: 7 })
  await generateSample(join(dir, 'b'), { seed: 7 })
  const same = (dataset: Dataset, a: string, b: string) =>
    `(select count(*) from (select * from read_parquet(${literal(join(dir, a, `${dataset.name}.parquet`))}) except all select * from ${b}))`
  for (const dataset of sampleDatasets) {
    const other = `read_parquet(${literal(join(dir, 'b', `${dataset.name}.parquet`))})`
    t.equal(await one(`select ${same(dataset, 'a', other)}`), 0, dataset.name)
  }
  const names = `select name from read_parquet(${literal(join(dir, 'a', 'companies.parquet'))})`
  t.ok((await one(`select count(*) from sample_companies where name not in (${names})`)) > 200)
  t.equal(first.rows['companies'], 253)
  t.ok(first.files.every(file => existsSync(file.path)))
  t.notOk(existsSync(join(dir, 'a', '.spill')))
})

t.test('a larger scale repeats the structure under other names and numbers', async t => {
  const dir = testFolder(t)
  const { rows } = await generateSample(dir, { scale: 3 })
  t.equal(rows['companies'], 759)
  t.equal(rows['ratings'], 3 * 607)
  const all = (name: string) =>
    `read_parquet(${literal(join(dir, `${name}*.parquet`))}, union_by_name = true)`
  for (const column of ['ticker', 'cik', 'lei', 'name'])
    t.equal(await one(`select count(distinct ${column}) from ${all('companies')}`), 759, column)
  t.equal(
    await one(`select count(distinct coalesce(cusip, isin, bond_id)) from ${all('bonds')}`),
    3 * (await one('select count(distinct coalesce(cusip, isin, bond_id)) from sample_bonds')),
  )
  await none(
    t,
    `select 1 from ${all('trades')} t anti join ${all('bonds')} b using (cusip)`,
    'trades of known bonds',
  )
  await none(
    t,
    `select 1 from ${all('guarantees')} g anti join ${all('entities')} e on e.id = g.guarantor_id`,
    'guarantors',
  )
  await none(
    t,
    `select 1 from ${all('bonds')} b anti join ${all('entities')} e on e.id = b.issuer_id and e.ticker = b.ticker`,
    'issuers',
  )
  const numbers = await db.rows<{ cusip: string | null; isin: string | null }>(
    `select distinct cusip, isin from ${all('bonds')}`,
  )
  t.ok(
    numbers.every(({ cusip, isin }) => (cusip === null || isCusip(cusip)) && (isin === null || isIsin(isin))),
  )
  await none(
    t,
    `select 1 from ${all('documents')} where content not like '%' || company_name || '%'`,
    'texts name their company',
  )
})
