import t from 'tap'
import { companySearch } from '../../engine/names/company-search.ts'

const companies = [
  ['F', 'Ford Motor Co'],
  ['FORM', 'FormFactor Inc'],
  ['GM', 'General Motors Co'],
  ['GE', 'General Electric Co'],
  ['CHTR', 'Charter Communications Inc'],
  ['MCD', "McDonald's Corp"],
  ['NEST', 'Nestlé Holdings'],
].map(([ticker, name]) => ({ ticker: ticker!, name: name! }))

t.test('the beginning of a name finds its company, the shortest first', async t => {
  const find = await companySearch(companies)
  const tickers = (written: string) => find(written, 3).map(({ ticker }) => ticker)
  t.equal(tickers('ford mot')[0], 'F')
  t.equal(tickers('ford')[0], 'F')
  t.strictSame(tickers('general').sort(), ['GE', 'GM'])
  t.equal(tickers('general mo')[0], 'GM')
  t.equal(tickers('electric')[0], 'GE', 'a later word too')
  t.equal(tickers('nestle')[0], 'NEST')
})

t.test('a misspelt name finds its company, an unknown one finds none', async t => {
  const find = await companySearch(companies)
  const first = (written: string) => find(written, 1)[0]?.ticker
  t.equal(first('genral motors'), 'GM')
  t.equal(first('chartr communications'), 'CHTR')
  t.equal(first('mcdonalds'), 'MCD')
  for (const nobody of ['zebra', '', '???', 'x'.repeat(10_000)]) t.strictSame(find(nobody, 3), [])
})
