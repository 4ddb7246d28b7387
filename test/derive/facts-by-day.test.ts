import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Database, literal } from '../../engine/database/database.ts'
import { factFingerprints, factsByDaySql, namesInFacts } from '../../engine/derive/cache/facts-by-day.ts'
import { testFolder } from '../folder.ts'

/** Facts and filings that became known on four days, of two filers of one company and one of another. */
async function facts(t: Test): Promise<Database> {
  const db = await Database.create()
  t.teardown(() => db.close())
  await db.run(`
    CREATE TABLE all_facts AS
    SELECT lpad(CAST(1 + i % 3 AS VARCHAR), 10, '0') AS cik, 'us-gaap:Assets' AS concept, 'USD' AS unit, NULL::DATE AS period_start,
      DATE '2023-12-31' AS period_end, i * 1000.0 AS value, 0 AS decimals, 'a-' || i % 5 AS accession,
      CASE WHEN i % 2 = 0 THEN '10-K' END AS form, 2023 AS fiscal_year, 'FY' AS fiscal_period, DATE '2023-12-31' AS report_date,
      DATE '2024-02-01' AS filed_date, CASE WHEN i < 38 THEN DATE '2024-02-01' + CAST(i % 4 AS INTEGER) END AS known_from,
      FALSE AS dates_rounded, CASE WHEN i = 1 THEN 'a.xml' ELSE 'facts.json' END AS source, NULL::VARCHAR AS dimensions, i AS row_of_file,
      CASE WHEN i % 7 <> 3 THEN 'Name ' || i // 5 END AS company_name
    FROM range(40) r(i);
    CREATE TABLE all_filings AS SELECT 'a-' || i AS accession, '10-Q' AS form, DATE '2023-09-30' AS report_date,
      DATE '2024-02-01' + CAST(i % 3 AS INTEGER) AS known_from FROM range(5) r(i);
    CREATE TABLE in_calculations AS SELECT 'a-3' AS document, 'balance sheet' AS role, 'us-gaap:Liabilities' AS parent, 'us-gaap:LongTermDebt' AS child,
      1.0 AS weight;
    CREATE TABLE company_of_cik AS FROM (VALUES ('0000000001', 'A'), ('0000000002', 'A'), ('0000000003', 'B')) v(cik, company_id)`)
  return db
}

const days = ['2024-01-31', '2024-02-01', '2024-02-02', '2024-02-03', '2024-02-04', '2024-12-31']

const known = (db: Database, day: string) =>
  db.run(`CREATE OR REPLACE VIEW in_facts AS SELECT * FROM all_facts WHERE known_from <= DATE '${day}';
    CREATE OR REPLACE VIEW in_filings AS SELECT * FROM all_filings WHERE known_from <= DATE '${day}'`)

async function fileOf(t: Test, db: Database): Promise<() => Promise<string>> {
  const file = join(testFolder(t), 'facts.parquet')
  await db.run(
    `COPY (${factsByDaySql('all_facts', 'all_filings', 'in_calculations')}) TO ${literal(file)} (FORMAT parquet)`,
  )
  return async () => file
}

t.test('what is known of facts on a day is the same from the file of all days as from the facts', async t => {
  const db = await facts(t)
  const factsByDay = await fileOf(t, db)
  const seen = new Set<string>()
  for (const asOf of days)
    for (const withFilings of [true, false]) {
      await known(db, asOf)
      const direct = await factFingerprints(db, {}, { withFilings })
      t.strictSame(await factFingerprints(db, { asOf, factsByDay }, { withFilings }), direct, asOf)
      seen.add(JSON.stringify(direct))
    }
  // No facts, then four days on which more was known, with and without what filings say.
  t.equal(seen.size, 9)
})

t.test('so is what filers were called last in their facts', async t => {
  const db = await facts(t)
  const factsByDay = await fileOf(t, db)
  const seen = new Set<string>()
  for (const asOf of days) {
    await known(db, asOf)
    const [direct, ofFile] = await Promise.all(
      [{}, { asOf, factsByDay }].map(async from => db.rows(`${await namesInFacts(from)} ORDER BY cik`)),
    )
    t.strictSame(ofFile, direct, asOf)
    seen.add(JSON.stringify(direct))
  }
  t.equal(seen.size, 5)
})

t.test('a fact that became known later changes no earlier day, and any column of one its own', async t => {
  const db = await facts(t)
  const of = async (asOf: string) => {
    await known(db, asOf)
    const rows = await factFingerprints(db, {}, { withFilings: true })
    return Object.fromEntries(rows.map(row => [row.company_id, row]))
  }
  const before = await of('2024-02-02')
  t.strictSame([before['A']!.has_links, before['B']!.has_links], [true, false])
  await db.run("UPDATE all_facts SET value = 5 WHERE known_from > DATE '2024-02-02'")
  t.strictSame(await of('2024-02-02'), before)
  await db.run("UPDATE all_facts SET decimals = -3 WHERE row_of_file = 2 AND cik = '0000000003'")
  await db.run("UPDATE all_facts SET decimals = -3 WHERE row_of_file = 5 AND cik = '0000000003'")
  const after = await of('2024-02-02')
  t.strictSame(after['A'], before['A'])
  t.not(after['B']!.fingerprint, before['B']!.fingerprint)
})

t.test('the form that a filing says counts where the fact has none', async t => {
  const db = await facts(t)
  await known(db, '2024-12-31')
  const both = async () =>
    Promise.all([true, false].map(withFilings => factFingerprints(db, {}, { withFilings })))
  const [with1, without1] = await both()
  await db.run("UPDATE all_filings SET form = '10-K' WHERE accession = 'a-1'")
  const [with2, without2] = await both()
  t.notSame(with2, with1)
  t.strictSame(without2, without1)
  await db.run("UPDATE in_calculations SET child = 'us-gaap:SeniorNotes'")
  const [with3, without3] = await both()
  t.notSame(with3, with2, 'and so do the lines of a balance sheet')
  t.strictSame(without3, without1)
})
