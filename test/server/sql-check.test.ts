import t from 'tap'
import { Database } from '../../engine/database/database.ts'
import { rawViews, tables } from '../../engine/schema/resources/tables.ts'
import { type Parsed, refusal, splitExplain } from '../../engine/sql/admit-statement.ts'
import { visibleSql } from '../../server/sql/visible.ts'

const database = await Database.create()
t.teardown(() => database.close())

async function refused(sql: string): Promise<string | null> {
  const [row] = await database.rows<{ tree: string }>(
    'SELECT json_serialize_sql(CAST(? AS VARCHAR)) AS tree',
    [splitExplain(sql).statement],
  )
  return refusal(JSON.parse(row!.tree) as Parsed)
}

t.test('ordinary queries are admitted', async t => {
  for (const sql of [
    'SELECT sector, median(leverage_ratio) FROM companies GROUP BY ALL ORDER BY ALL',
    'FROM bonds SELECT name, pricing.ytm WHERE pricing.ytm > $floor',
    'WITH wide AS (SELECT * FROM spreads WHERE spread_bps > 500) SELECT ticker FROM wide w JOIN main.companies c USING (ticker)',
    'WITH RECURSIVE tree AS (SELECT id FROM entities UNION ALL SELECT child_id FROM ownership JOIN tree ON parent_id = id) FROM tree',
    'SELECT (SELECT max(spread_date) FROM spreads), unnest(aliases) FROM companies',
    'SELECT * FROM facts WHERE cik IN (SELECT cik FROM companies) QUALIFY row_number() OVER (PARTITION BY cik) = 1',
    'SELECT * FROM generate_series(1, 3), unnest([1, 2])',
    "PIVOT spreads ON tenor IN ('1Y', '5Y') USING median(spread_bps) GROUP BY ticker",
    'DESCRIBE bonds',
    'SUMMARIZE companies',
    'SHOW TABLES',
    'SELECT table_name FROM information_schema.tables',
    'EXPLAIN SELECT 1',
    '/* why */ explain -- x\n analyze SELECT 1',
    'VALUES (1)',
    'SELECT 1;',
  ])
    t.equal(await refused(sql), null, sql)
})

t.test('sources other than the documented tables are refused anywhere in a statement', async t => {
  const hidden = [
    'pg_settings',
    'duckdb_settings()',
    'duckdb_databases()',
    'sqlite_master',
    'stored.companies',
    'system.main.duckdb_settings',
    'lake.main.companies',
    'information_schema.schemata',
    "glob('/*')",
    "read_text('/etc/passwd')",
    "read_parquet('x.parquet')",
    "'x.parquet'",
    "query('SELECT 1')",
    "query_table('companies')",
    "parquet_metadata('x')",
    'enable_logging()',
    'checkpoint()',
    "json_execute_serialized_sql('{}')",
    "sniff_csv('x')",
    'pragma_database_size()',
    "pragma_table_info('companies')",
    "histogram_values('companies', 1)",
  ]
  for (const source of hidden)
    for (const sql of [
      `SELECT * FROM ${source}`,
      `SELECT * FROM companies, LATERAL (SELECT * FROM ${source})`,
      `WITH a AS (SELECT * FROM ${source}) SELECT * FROM a`,
      `SELECT (SELECT count(*) FROM ${source})`,
      `SELECT 1 WHERE EXISTS (FROM ${source})`,
      `SELECT list_transform([1], x -> (SELECT x FROM ${source}))`,
      `EXPLAIN SELECT * FROM ${source}`,
      `SELECT 1 UNION ALL SELECT 1 FROM ${source}`,
      `SELECT 1 ORDER BY (SELECT 1 FROM ${source})`,
    ])
      t.type(await refused(sql), 'string', sql)
  for (const sql of [
    "SELECT current_setting('temp_directory')",
    "SELECT list_transform(['a'], x -> current_setting(x))",
    "SELECT 'home_directory'.current_setting()",
    "SELECT json_serialize_plan('SELECT 1')",
    "SELECT write_log('x')",
    'WITH pg_settings AS (SELECT 1) SELECT * FROM pg_settings',
    'SHOW DATABASES',
    'SHOW ALL TABLES',
  ])
    t.type(await refused(sql), 'string', sql)
})

t.test('only a single reading statement is admitted', async t => {
  t.match(await refused('SELECT 1; SELECT 2'), /one statement at a time, not 2/)
  t.match(await refused('-- nothing'), /no statement/)
  t.match(await refused('selec'), /syntax error/)
  for (const sql of [
    'DROP TABLE companies',
    "COPY companies TO 'x'",
    'PRAGMA version',
    'SET threads = 9',
    'CALL checkpoint()',
  ])
    t.match(await refused(sql), /only SELECT and EXPLAIN/, sql)
})

t.test('every table defines the rows visible to standard coverage', async t => {
  for (const { table, columns } of tables)
    t.match(visibleSql(table, Object.keys(columns), 'standard'), / WHERE (?!FALSE)/, table)
  for (const name of rawViews) t.match(visibleSql(name, [], 'standard'), / WHERE (?!FALSE)/, name)
  t.match(visibleSql('of_tomorrow', ['id'], 'standard'), / WHERE FALSE$/)
})
