import t from 'tap'
import { completions, namedValues, splitStatements } from '../../cli/sql-text.ts'

t.test('a statement ends at a semicolon outside quotes and comments', async t => {
  t.strictSame(splitStatements('SELECT 1; SELECT 2'), { done: ['SELECT 1'], rest: ' SELECT 2' })
  t.strictSame(splitStatements("SELECT ';' AS a;"), { done: ["SELECT ';' AS a"], rest: '' })
  t.strictSame(splitStatements('SELECT "a;b" -- no; end\nFROM bonds;'), {
    done: ['SELECT "a;b" -- no; end\nFROM bonds'],
    rest: '',
  })
  t.strictSame(splitStatements("SELECT 'open; "), { done: [], rest: "SELECT 'open; " })
  t.strictSame(splitStatements('SELECT /* ; '), { done: [], rest: 'SELECT /* ; ' })
  t.strictSame(splitStatements(" ; ;SELECT 'it''s';"), { done: ["SELECT 'it''s'"], rest: '' })
})

t.test('values are given by name, as text', async t => {
  t.strictSame(namedValues(['t=RIG', '$day=2025-01-01', 'note=a=b,c']), {
    values: { t: 'RIG', day: '2025-01-01', note: 'a=b,c' },
    mistake: null,
  })
  t.match(namedValues(['RIG']).mistake, /name=value/)
  t.match(namedValues(['t=1', 't=2']).mistake, /twice/)
})

const views = [
  { name: 'bonds', columns: { cusip: 1, coupon_rate: 1, 'pricing.ytm': 1 } },
  { name: 'companies', columns: { cik: 1, name: 1 } },
]

t.test('Tab completes columns of the named tables, tables and keywords', async t => {
  t.strictSame(completions('SELECT c', views), [
    ['cik', 'companies', 'coupon_rate', 'cusip', 'case', 'count', 'coalesce', 'cast'],
    'c',
  ])
  t.strictSame(completions('FROM bonds WHERE cu', views), [['cusip'], 'cu'])
  t.strictSame(completions('SELECT "pri', views), [['"pricing.ytm"'], '"pri'])
  t.strictSame(completions('SEL', views), [['SELECT'], 'SEL'])
  t.strictSame(completions('.sch', views), [['.schema'], '.sch'])
  t.strictSame(completions('.schema bo', views), [['.schema bonds'], '.schema bo'])
})
