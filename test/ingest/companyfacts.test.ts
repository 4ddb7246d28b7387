import t from 'tap'
import { companyfacts } from '../../engine/ingest/readers/companyfacts.ts'
import { readWith, sourceOf } from './financial-sources.ts'

const body = (cik: unknown) =>
  JSON.stringify({
    cik,
    entityName: 'Acme Pipelines Inc.',
    facts: {
      'us-gaap': {
        Revenues: {
          label: 'Revenues',
          description: 'Sales.',
          units: {
            USD: [
              {
                start: '2024-01-01',
                end: '2024-03-31',
                val: 1_250_000_000,
                accn: '0000001234-24-000010',
                fy: 2024,
                fp: 'Q1',
                form: '10-Q',
                filed: '2024-05-02',
                frame: 'CY2024Q1',
              },
              {
                start: '2024-01-01',
                end: '2024-06-30',
                val: '2.5e9',
                accn: '0000001234-24-000022',
                fy: 2024,
                fp: 'Q2',
                form: '10-Q',
                filed: '2024-08-01',
              },
            ],
          },
        },
      },
      dei: {
        EntityCommonStockSharesOutstanding: {
          units: {
            shares: [
              {
                end: '2024-04-20',
                val: 9_000_000,
                accn: '0000001234-24-000010',
                fy: null,
                fp: null,
                form: '10-Q',
                filed: '2024-05-02',
              },
            ],
          },
        },
      },
    },
  })

t.test('a fact keeps its own dates, filing and unit', async t => {
  for (const cik of [1234, '1234', '0000001234']) {
    const file = sourceOf('facts.json', body(cik))
    t.ok(companyfacts.recognises(file))
    const { taken, rows } = await readWith(companyfacts, file)
    t.strictSame(
      taken.map(({ at }) => at),
      ['us-gaap:Revenues USD 1', 'dei:EntityCommonStockSharesOutstanding shares 1'],
    )
    t.strictSame(rows('facts')[0], {
      cik: '0000001234',
      company_name: 'Acme Pipelines Inc.',
      ticker: null,
      concept: 'us-gaap:Revenues',
      unit: 'USD',
      period_start: '2024-01-01',
      period_end: '2024-03-31',
      value: 1_250_000_000,
      decimals: null,
      accession: '0000001234-24-000010',
      form: '10-Q',
      fiscal_year: 2024,
      fiscal_period: 'Q1',
      report_date: null,
      filed_date: '2024-05-02',
      dates_rounded: null,
      dimensions: null,
    })
    t.match(rows('facts')[1], { unit: 'shares', period_start: null, fiscal_year: null })
  }
})

t.test('a text value is refused with its position', async t => {
  const { refused } = await readWith(companyfacts, sourceOf('facts.json', body(1234)))
  t.match(refused, [{ at: 'us-gaap:Revenues USD 2', reason: 'val "2.5e9" is not a number' }])
})

t.test('a truncated file and a file without a CIK are refused whole', async t => {
  t.match((await readWith(companyfacts, sourceOf('a', body(1234).slice(0, 300)))).why, /not valid JSON/)
  t.match(
    (await readWith(companyfacts, sourceOf('a', body('Acme')))).why,
    /"Acme" is not a central index key/,
  )
})

t.test('the figures of one concept are those that companyfacts would give', async t => {
  const units = {
    USD: [
      {
        end: '2024-09-28',
        val: 500,
        accn: '0001234567-24-000123',
        fy: 2024,
        fp: 'FY',
        form: '10-K',
        filed: '2024-11-01',
        frame: 'CY2024Q3I',
      },
    ],
  }
  const of = { cik: 1234567, entityName: 'Acme Corp.' }
  const concept = JSON.stringify({
    ...of,
    taxonomy: 'us-gaap',
    tag: 'LongTermDebtNoncurrent',
    label: 'x',
    units,
  })
  t.ok(companyfacts.recognises(sourceOf('concept.json', concept)))
  const all = JSON.stringify({ ...of, facts: { 'us-gaap': { LongTermDebtNoncurrent: { units } } } })
  const [one, many] = [
    await readWith(companyfacts, sourceOf('made-up', concept)),
    await readWith(companyfacts, sourceOf('made-up', all)),
  ]
  t.strictSame([one.taken.length, one.rows('facts')[0]?.['concept']], [1, 'us-gaap:LongTermDebtNoncurrent'])
  t.strictSame([one.taken, one.refused], [many.taken, many.refused])
})
