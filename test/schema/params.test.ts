import t from 'tap'
import { QueryError } from '../../engine/base/errors.ts'
import {
  boolean,
  cents,
  date,
  integer,
  maxDays,
  number,
  oneOf,
  percent,
  ratingOn,
  ratio,
  shaped,
  text,
} from '../../engine/schema/column.ts'
import { fallback, many, one, parseParams, required, splitList } from '../../engine/schema/params.ts'

const params = {
  ticker: many(shaped('ticker', 'Tickers.')),
  cusip: many(shaped('cusip', 'CUSIPs.')),
  sector: many(text('Sector.')),
  min_debt: one(cents('Least debt.')),
  min_leverage: one(number('Least leverage.')),
  since: one(date('From.')),
  bucket: many(oneOf(['IG', 'HY-BB'], 'Bucket.')),
  has_pricing: one(boolean('Priced.')),
  limit: fallback(one(integer('Rows.'), { min: 1, max: 100 }), 50),
}

const refusal = (input: Record<string, unknown>) => {
  try {
    parseParams(params, input)
  } catch (error) {
    if (error instanceof QueryError) return { code: error.code, ...error.details }
    throw error
  }
  return null
}

t.test('absent and empty parameters are equal, and defaults are filled in', async t => {
  t.strictSame(parseParams(params, { ticker: '', sector: [], since: undefined }), { limit: 50 })
})

t.test('lists may be commas, repeats or arrays, and tickers and enums any case', async t => {
  const args = parseParams(params, {
    ticker: ['aapl,MSFT', 'aapl'],
    bucket: 'hy-bb,ig',
    sector: '"Oil, Gas",Energy',
  })
  t.strictSame(args.ticker, ['AAPL', 'MSFT'])
  t.strictSame(args.bucket, ['HY-BB', 'IG'])
  t.strictSame(args.sector, ['Oil, Gas', 'Energy'])
})

t.test('numbers and booleans may be typed or text', async t => {
  const args = parseParams(params, {
    min_debt: '100000',
    min_leverage: 4.5,
    has_pricing: 'TRUE',
    limit: '10',
  })
  t.match(args, { min_debt: 100000, min_leverage: 4.5, has_pricing: true, limit: 10 })
})

t.test('a limit that is not a whole number in its range is refused, never clamped', async t => {
  for (const limit of ['0', '-1', '1e9', '1.5', 'NaN', 'Infinity', '0x10', '１０', '101', 'ten', [1, 2]])
    t.match(refusal({ limit }), { code: 'INVALID_PARAMETER', parameter: 'limit' }, String(limit))
})

t.test('an overlong number, day or name is refused at once, with the maximum length', async t => {
  for (const name of ['min_leverage', 'min_debt', 'since', 'has_pricing', 'bucket'])
    t.match(refusal({ [name]: '9'.repeat(80_000) }), {
      code: 'INVALID_PARAMETER',
      parameter: name,
      max: 100,
    })
})

t.test('dates that do not exist are refused', async t => {
  for (const since of [
    '2026-02-30',
    '0000-01-01',
    '12026-01-01',
    '2026-1-1',
    '2026-01-01T00:00Z',
    '20260101',
    5,
  ])
    t.match(refusal({ since }), { code: 'INVALID_PARAMETER', parameter: 'since' }, String(since))
  t.equal(parseParams(params, { since: '2024-02-29' }).since, '2024-02-29')
})

t.test('money above 2^53 is refused as inexact', async t => {
  t.match(refusal({ min_debt: '9007199254740993' }), {
    code: 'INVALID_PARAMETER',
    max: Number.MAX_SAFE_INTEGER,
  })
  t.match(refusal({ min_debt: '9'.repeat(400) }), { code: 'INVALID_PARAMETER' })
})

t.test('a CUSIP needs its check digit', async t => {
  t.strictSame(parseParams(params, { cusip: '037833ak6' }).cusip, ['037833AK6'])
  t.match(refusal({ cusip: '037833AK5' }), { code: 'INVALID_PARAMETER', parameter: 'cusip' })
})

t.test('an unknown parameter gets a suggestion', async t => {
  t.match(refusal({ min_leverge: 4 }), {
    code: 'INVALID_PARAMETER',
    parameter: 'min_leverge',
    suggestion: 'min_leverage',
  })
  for (const name of ['__proto__x', 'constructor', 'toString', 'hasOwnProperty'])
    t.match(refusal({ [name]: '1' }), { code: 'INVALID_PARAMETER' }, name)
})

t.test('a misspelt enum value gets the allowed ones', async t => {
  t.match(refusal({ bucket: 'HY-B' }), { allowed: ['IG', 'HY-BB'], suggestion: 'HY-BB' })
})

t.test('objects, NUL and lone surrogates are not text', async t => {
  for (const sector of [{ a: 1 }, 'a\0b', '\ud800'])
    t.match(refusal({ sector }), { code: 'INVALID_PARAMETER', parameter: 'sector' })
})

t.test('a missing required parameter is named', async t => {
  try {
    parseParams({ q: required(one(text('Query.'))) }, {})
    t.fail('nothing was thrown')
  } catch (error) {
    t.match(error, { code: 'MISSING_PARAMETER', details: { parameter: 'q' } })
  }
})

t.test('a missing choice and a number that is none are answered with what may be given', async t => {
  const asked = {
    table: required(one(oneOf(['bonds', 'companies'], 'Table.'))),
    min_ytm: one(percent('Least yield.')),
    min_debt: one(cents('Least debt.')),
    min_leverage: one(ratio('Least leverage.')),
  }
  const problem = (input: Record<string, unknown>): QueryError => {
    try {
      parseParams(asked, input)
    } catch (error) {
      return error as QueryError
    }
    throw new Error('nothing was thrown')
  }
  t.match(problem({}), {
    message: 'table is required: Table. One of bonds, companies.',
    details: { parameter: 'table', allowed: ['bonds', 'companies'] },
  })
  for (const [input, message] of [
    [{ min_ytm: 'high' }, 'min_ytm must be a number of percent'],
    [{ min_debt: 'much' }, 'min_debt must be a whole number of cents'],
    [{ min_leverage: '1.2.3' }, 'min_leverage must be a number'],
  ] as const)
    t.equal(problem({ table: 'bonds', ...input }).message, message)
})

t.test('a value in another form is refused with the one to write', async t => {
  const bond = {
    cusip: many(shaped('cusip', 'CUSIPs.')),
    isin: many(shaped('isin', 'ISINs.')),
    currency: many(shaped('currency', 'Currencies.')),
    sp_rating: many(ratingOn('sp', 'Rating.')),
    moodys_rating: many(ratingOn('moodys', 'Rating.')),
    bucket: many(oneOf(['IG', 'HY-BB', 'HY-B'], 'Bucket.')),
    min_ytm: one(percent('Least yield.')),
    min_spread: one(integer('Least spread.', { unit: 'basis points' })),
    min_debt: one(cents('Least debt.')),
    min_leverage: one(ratio('Least leverage.')),
    max_age: one(maxDays('Oldest figures.')),
    matures_after: one(date('From.')),
    as_of: one(date('Day.')),
    is_active: one(boolean('Active.')),
    limit: one(integer('Rows.'), { min: 1, max: 100 }),
  }
  const problem = (input: Record<string, unknown>): string => {
    try {
      parseParams(bond, input)
    } catch (error) {
      if (!(error instanceof QueryError)) throw error
      const { suggestion } = error.details
      return `${error.message.split('; ').slice(1).join('; ')} | ${suggestion ?? ''}`
    }
    throw new Error(`${JSON.stringify(input)} was accepted`)
  }
  for (const [input, says] of [
    [{ cusip: 'US0378331005' }, 'US0378331005 is the ISIN of CUSIP 037833100 | 037833100'],
    [{ cusip: '037833 10 0' }, 'did you mean 037833100? | 037833100'],
    [{ cusip: '03783310' }, 'with its check digit 03783310 is 037833100 | 037833100'],
    [{ cusip: '037833101' }, 'the check digit of 03783310 is 0, so a character is wrong | '],
    [
      { cusip: 'US0378331006' },
      'this ISIN has a wrong character: its check digit would be 5; the CUSIP in it is 037833100 | 037833100',
    ],
    [{ cusip: 'DE000BASF119' }, 'this ISIN has a wrong character: its check digit would be 1 | '],
    [{ cusip: 'DE0005190003' }, 'DE0005190003 is an ISIN that contains no CUSIP: resolve finds its bond | '],
    [{ cusip: '3.45E+71' }, 'a spreadsheet has turned it into a number: format the column as text | '],
    [
      { isin: '037833100' },
      '037833100 is a CUSIP: give it as cusip, or its US ISIN US0378331005 | US0378331005',
    ],
    [{ isin: 'US 037833100 5' }, 'did you mean US0378331005? | US0378331005'],
    [{ min_ytm: '5%' }, 'for 5% write 5 | 5'],
    [{ min_ytm: '525 bps' }, 'for 525 bps write 5.25 | 5.25'],
    [{ min_spread: '3%' }, 'for 3% write 300 | 300'],
    [{ min_spread: '300bp' }, 'for 300bp write 300 | 300'],
    [{ min_debt: '500mm' }, '500mm is 50000000000 | 50000000000'],
    [{ min_debt: '$1bn' }, '$1bn is 100000000000 | 100000000000'],
    [{ min_debt: '1.5 billion dollars' }, '1.5 billion dollars is 150000000000 | 150000000000'],
    // Dollars or cents: both are usual.
    [{ min_debt: '1,000,000' }, '$1,000,000 is 100000000 | '],
    [{ min_leverage: '4x' }, 'for 4x write 4 | 4'],
    [{ min_leverage: '4.5 turns' }, 'for 4.5 turns write 4.5 | 4.5'],
    [{ max_age: '90 days' }, 'for 90 days write 90 | 90'],
    // A suggestion would be refused.
    [{ limit: '1,000' }, ' | '],
    [{ sp_rating: 'Baa1' }, 'Baa1 is BBB+ on this scale | BBB+'],
    [{ moodys_rating: 'BBB+' }, 'BBB+ is Baa1 on this scale | Baa1'],
    [{ moodys_rating: 'BBB ' }, 'BBB+ is Baa1 on this scale | Baa1'],
    [{ bucket: 'bb' }, 'did you mean HY-BB? | HY-BB'],
    [{ bucket: 'HY' }, 'did you mean HY-BB,HY-B? | HY-BB,HY-B'],
    [{ currency: 'US$' }, 'did you mean USD? | USD'],
    [{ currency: 'euro' }, 'did you mean EUR? | EUR'],
    [{ is_active: 'yes' }, ' | true'],
    [{ as_of: '06/30/2024' }, '06/30/2024 is 2024-06-30 | 2024-06-30'],
    [{ as_of: '06/07/2024' }, '06/07/2024 may be 2024-06-07 or 2024-07-06 | 2024-06-07'],
    [{ as_of: '30.6.2024' }, '30.6.2024 is 2024-06-30 | 2024-06-30'],
    [{ as_of: '20240630' }, '20240630 is 2024-06-30 | 2024-06-30'],
    [{ as_of: '2024-06-30T00:00:00Z' }, '2024-06-30T00:00:00Z is 2024-06-30 | 2024-06-30'],
    [{ as_of: 'June 30th, 2024' }, 'June 30th, 2024 is 2024-06-30 | 2024-06-30'],
    [{ as_of: '30-Jun-24' }, '30-Jun-24 is 2024-06-30 | 2024-06-30'],
    [{ as_of: '2024Q2' }, '2024Q2 is 2024-04-01 to 2024-06-30 | 2024-06-30'],
    [{ as_of: '2Q24' }, '2Q24 is 2024-04-01 to 2024-06-30 | 2024-06-30'],
    [{ as_of: 'Feb 2024' }, 'Feb 2024 is 2024-02-01 to 2024-02-29 | 2024-02-29'],
    [{ matures_after: 'June 2024' }, 'June 2024 is 2024-06-01 to 2024-06-30 | 2024-06-01'],
    [{ matures_after: '2024' }, '2024 is 2024-01-01 to 2024-12-31 | 2024-01-01'],
    [{ as_of: '2024-02-30' }, ' | '],
    [{ as_of: 'Smarch 2024' }, ' | '],
  ] as const)
    t.equal(problem(input), says, JSON.stringify(input))
})

t.test('a comma list may quote a value that contains a comma', async t => {
  t.strictSame(splitList('a, "b ""x"", c",d'), ['a', 'b "x", c', 'd'])
})
