import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { open } from '../../engine/engine.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { builtLake } from '../built-lake.ts'
import type { Rows } from '../make-lake.ts'

t.setTimeout(180_000)

const END = '2025-06-30'

const rating = (ticker: string, rating: string, day: string) => ({
  ticker,
  agency: 'sp',
  rating,
  rating_type: 'issuer',
  effective_date: day,
  known_from: day,
})

const letter = (ticker: string, known_from: string | null, accession: string) => ({
  id: accession,
  ticker,
  doc_type: '8-K',
  accession,
  content: `${ticker} told the market.`,
  known_from,
})

/** Nobody knows when the letter of LATE became known. */
const rows: Rows = {
  companies: ['LATE', 'KNWN'].map((ticker, i) => ({
    ticker,
    name: `${ticker} Corp`,
    cik: `000000005${i}`,
    sector: 'Energy',
  })),
  ratings: ['LATE', 'KNWN'].flatMap(ticker => [
    rating(ticker, 'BB', '2024-01-10'),
    rating(ticker, 'BBB-', '2025-05-20'),
  ]),
  documents: [letter('LATE', null, 'L-1'), letter('KNWN', '2025-05-21', 'K-1')],
}

const lake = await builtLake(t.teardown, rows, { asOf: END })

const filesOf = async (day: string): Promise<string[]> =>
  (await readdir(join(lake.root, 'days', day), { recursive: true })).filter(name => name.endsWith('.parquet'))

/** What the build stored of its own day. */
const built = new Set(await filesOf(END))

/** The days of which tables were derived and stored. */
const derivedDays = async (): Promise<string[]> => {
  const days = (await readdir(join(lake.root, 'days'))).filter(name => /^\d/.test(name)).sort()
  const derived = await Promise.all(
    days.map(async day => day !== END || (await filesOf(day)).some(name => !built.has(name))),
  )
  return days.filter((_, i) => derived[i])
}

t.test('a build says which datasets have undated rows, and which companies they are about', async t => {
  const { options } = await currentManifest(lake)
  t.match(options, { undated_rows: 1, undated_in: ['documents'], undated_companies: ['LATE'] })
})

t.test('migrations to the newest day derive the earlier one alone', async t => {
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const { data } = await engine.call('search.migrations', { since: '2025-03-31' })
  t.strictSame(
    data.map(row => [row.ticker, row.migration]),
    [
      ['KNWN', 'rising_star'],
      ['LATE', 'rising_star'],
    ],
  )
  t.strictSame(await derivedDays(), ['2025-03-31'])
})

t.test('changes to the newest day read its tables, but for a company with undated rows', async t => {
  // Whole days, which leave files.
  const engine = await open(lake, { companiesOfDay: 0 } as never)
  t.teardown(() => engine.close())
  const filings = async (ticker: string) =>
    (await engine.call('changes.company', { ticker, since: '2025-03-31' })).data.changes.new_filings.map(
      row => row['accession'],
    )
  t.strictSame(await filings('KNWN'), ['K-1'])
  t.strictSame(await derivedDays(), ['2025-03-31'])
  t.strictSame(await filings('LATE'), [], 'what no past day has is no news')
  t.strictSame(await derivedDays(), ['2025-03-31', END])
})
