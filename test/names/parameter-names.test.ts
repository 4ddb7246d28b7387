import t from 'tap'
import { meantParameter, whyNoParameter } from '../../engine/names/parameter-names.ts'
import { operations } from '../../engine/operations/api.ts'
import { sqlEndpoint } from '../../server/v1/operations/sql.ts'

const paramsOf = (name: string): string[] => Object.keys(operations.find(each => each.name === name)!.params)
const sql = Object.keys(sqlEndpoint({ limits: { rows: 1 } } as never).params)

t.test('the usual names of other interfaces lead to the parameter that is meant', async t => {
  const meant: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
    'search.bonds': {
      size: 'limit',
      pageSize: 'limit',
      per_page: 'limit',
      page: 'offset',
      order: 'sort',
      orderBy: 'sort',
      columns: 'fields',
      symbol: 'ticker',
      tickers: 'ticker',
      CUSIP: 'cusip',
      min_yield: 'min_ytm',
      rating: 'rating_bucket',
      type: 'instrument_type',
      date: 'as_of',
      asOf: 'as_of',
    },
    'search.pricing': { start: 'date_from', end: 'date_to', start_date: 'date_from' },
    'search.ratings': { start: 'from_date', end: 'to_date', type: 'rating_type' },
    'search.covenants': { type: 'covenant_type', start: 'offset' },
    'search.documents': { query: 'q', search: 'q' },
    'resolve.bond': { ISIN: 'isin', query: 'q', name: 'q' },
    panel: { start: 'from', end: 'to', date: 'dates', table: 'resource' },
    export: { type: 'data_type' },
    'search.companies': { type: undefined, min_lev: 'min_leverage' },
  }
  for (const [operation, names] of Object.entries(meant))
    for (const [written, expected] of Object.entries(names))
      t.equal(meantParameter(written, paramsOf(operation)), expected, `${operation} ${written}`)
})

t.test('a statement under another name is that of the parameter sql', async t => {
  for (const name of ['query', 'q', 'statement', 'SQL', 'text'])
    t.equal(meantParameter(name, sql), 'sql', name)
  t.equal(meantParameter('parameters', sql), 'params')
})

t.test('what a list has not for a reason says where it is', async t => {
  t.match(whyNoParameter('reported', paramsOf('search.instruments')), /first prints are of companies/)
  t.match(whyNoParameter('ISIN', paramsOf('search.bonds')), /resolve finds the bond/)
  t.match(whyNoParameter('q', paramsOf('search.companies')), /suggest finds a company/)
  t.equal(whyNoParameter('q', sql), null)
  t.equal(whyNoParameter('reported', paramsOf('search.financials')), null, 'it has it')
})
