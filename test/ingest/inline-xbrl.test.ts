import t from 'tap'
import { filing } from '../../engine/ingest/readers/filing.ts'
import { numberInWords } from '../../engine/ingest/readers/number-words.ts'
import { readWith, sourceOf } from './financial-sources.ts'

const contexts = `
<ix:header><ix:hidden>
  <ix:nonNumeric name="dei:DocumentType" contextRef="year">10-K</ix:nonNumeric>
  <ix:nonNumeric name="dei:EntityCentralIndexKey" contextRef="year">0000001234</ix:nonNumeric>
  <ix:nonNumeric name="dei:DocumentFiscalYearFocus" contextRef="year">2024</ix:nonNumeric>
  <ix:nonNumeric name="dei:DocumentFiscalPeriodFocus" contextRef="year">FY</ix:nonNumeric>
  <ix:nonNumeric name="dei:DocumentPeriodEndDate" contextRef="year">2024-12-31</ix:nonNumeric>
  <ix:nonNumeric name="dei:EntityRegistrantName" contextRef="year">Acme Inc.</ix:nonNumeric>
  <ix:nonFraction name="acme:Stores" contextRef="end" unitRef="store" decimals="INF">17</ix:nonFraction>
</ix:hidden><ix:resources>
  <xbrli:context id="year"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0000001234</xbrli:identifier></xbrli:entity>
    <xbrli:period><xbrli:startDate>2024-01-01</xbrli:startDate><xbrli:endDate>2024-12-31</xbrli:endDate></xbrli:period></xbrli:context>
  <xbrli:context id="end"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0000001234</xbrli:identifier></xbrli:entity>
    <xbrli:period><xbrli:instant>2024-12-31</xbrli:instant></xbrli:period></xbrli:context>
  <xbrli:context id="notes"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0000001234</xbrli:identifier><xbrli:segment>
    <xbrldi:explicitMember dimension="gaap:DebtInstrumentAxis">acme:NotesDue2030Member</xbrldi:explicitMember>
    <xbrldi:typedMember dimension="acme:LotAxis"><acme:Lot>7</acme:Lot></xbrldi:typedMember></xbrli:segment></xbrli:entity>
    <xbrli:period><xbrli:instant>2024-12-31</xbrli:instant></xbrli:period></xbrli:context>
  <xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>
  <xbrli:unit id="store"><xbrli:measure>acme:store</xbrli:measure></xbrli:unit>
  <xbrli:unit id="eps"><xbrli:divide><xbrli:unitNumerator><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unitNumerator>
    <xbrli:unitDenominator><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unitDenominator></xbrli:divide></xbrli:unit>
</ix:resources></ix:header>`

const report = (body: string) => `<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" xmlns:xbrli="http://www.xbrl.org/2003/instance"
  xmlns:xbrldi="http://xbrl.org/2006/xbrldi" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:ixt="http://www.xbrl.org/inlineXBRL/transformation/2020-02-12"
  xmlns:gaap="http://fasb.org/us-gaap/2024" xmlns:dei="http://xbrl.sec.gov/dei/2024" xmlns:acme="http://acme.com/20241231"><body>
<div style="display:none">${contexts}</div><p>FORM 10-K</p><p>Acme Inc.</p><p>Item 8. Financial Statements</p><p>${body}</p></body></html>`

const tagged = (name: string, context: string, unit: string, shown: string, more = '') =>
  `<ix:nonFraction name="${name}" contextRef="${context}" unitRef="${unit}" ${more}>${shown}</ix:nonFraction>`

const read = (body: string, options = {}) =>
  readWith(filing, sourceOf('acme-10-k-2025-02-14.htm', report(body)), options)

t.test('a report in HTML gives the figures that it tags, as an instance would', async t => {
  const { rows, refused, notes } = await read(
    [
      tagged(
        'gaap:Revenues',
        'year',
        'usd',
        '1,234.5',
        'scale="6" decimals="-5" format="ixt:num-dot-decimal"',
      ),
      tagged('gaap:EarningsPerShareBasic', 'year', 'eps', '0.35', 'sign="-" decimals="2"'),
      tagged(
        'gaap:DebtInstrumentCarryingAmount',
        'notes',
        'usd',
        '<span>1</span><ix:exclude> (see note 4) </ix:exclude>.1',
        'scale="6" decimals="-5" format="ixt:num-dot-decimal"',
      ),
      tagged('gaap:ShortTermBorrowings', 'end', 'usd', '—', 'scale="6" format="ixt:fixed-zero"'),
      tagged('acme:Mines', 'end', 'store', 'twenty-one', 'format="ixt:num-word-en"'),
      tagged('gaap:Goodwill', 'end', 'usd', '', 'xsi:nil="true"'),
      tagged('gaap:Assets', 'gone', 'usd', '5'),
    ].join(' and '),
  )
  t.strictSame(refused, [])
  const about = {
    cik: '0000001234',
    company_name: 'Acme Inc.',
    form: '10-K',
    fiscal_year: 2024,
    fiscal_period: 'FY',
  }
  const days = { report_date: '2024-12-31', filed_date: '2025-02-14', known_from: '2025-02-14' }
  const at = { period_start: null, period_end: '2024-12-31', dimensions: null }
  t.match(rows('facts'), [
    { concept: 'acme:Stores', unit: 'store', value: 17, decimals: null, ...at, ...about, ...days },
    {
      concept: 'us-gaap:Revenues',
      unit: 'USD',
      value: 1_234_500_000,
      decimals: -5,
      period_start: '2024-01-01',
    },
    { concept: 'us-gaap:EarningsPerShareBasic', unit: 'USD/shares', value: -0.35 },
    {
      concept: 'us-gaap:DebtInstrumentCarryingAmount',
      value: 1_100_000,
      dimensions: 'acme:LotAxis=7;us-gaap:DebtInstrumentAxis=acme:NotesDue2030Member',
    },
    { concept: 'us-gaap:ShortTermBorrowings', value: 0, ...at },
    { concept: 'acme:Mines', value: 21 },
  ])
  t.equal(rows('facts').length, 6)
  t.ok(rows('documents').length > 0, 'its text is read as before')
  t.match(notes.join('\n'), /tagged figures without a value \(nil\): 1/)
  t.match(
    notes.join('\n'),
    /tagged figures of periods or units that another document of the filing defines: 1/,
  )
})

t.test('a figure inside another is a figure of its own', async t => {
  const inner = tagged('gaap:Assets', 'end', 'usd', '75', 'scale="3"')
  const { rows } = await read(tagged('gaap:AssetsFairValue', 'end', 'usd', inner, 'scale="3"'))
  t.match(
    rows('facts').filter(({ unit }) => unit === 'USD'),
    [
      { concept: 'us-gaap:AssetsFairValue', value: 75_000 },
      { concept: 'us-gaap:Assets', value: 75_000 },
    ],
  )
})

t.test('what is no number in its form is refused, with the reason', async t => {
  const { refused } = await read(
    `${tagged('gaap:Assets', 'end', 'usd', '1,234')} ${tagged('gaap:Cash', 'end', 'usd', '12', 'format="ixt:date-day-month"')}`,
  )
  t.match(refused, [
    { reason: '"1,234" is no number' },
    { reason: '"12" is no number in the form date-day-month' },
  ])
})

t.test('numbers are as their form says', async t => {
  const stated = async (text: string, format?: string, more = '') => {
    const form = format === undefined ? '' : `format="ixt:${format}"`
    const { rows } = await read(tagged('gaap:Assets', 'end', 'usd', text, `${form} ${more}`))
    return rows('facts').find(({ unit }) => unit === 'USD')?.['value'] ?? null
  }
  t.equal(await stated('1,234,567.89', 'numdotdecimal'), 1_234_567.89)
  t.equal(await stated('1.234.567,89', 'num-comma-decimal'), 1_234_567.89)
  t.equal(await stated('1 234', 'num-dot-decimal', 'scale="3"'), 1_234_000)
  t.equal(await stated('4.375', 'num-dot-decimal', 'scale="-2"'), 0.04375)
  t.equal(await stated('-', 'zerodash'), 0)
  t.equal(await stated('no', 'numwordsen'), 0)
  t.equal(await stated('5', undefined, 'sign="-"'), -5)
  for (const [text, format] of [
    ['(5)'],
    ['5%', 'num-dot-decimal'],
    ['', 'num-dot-decimal'],
    ['many', 'numwordsen'],
  ])
    t.equal(await stated(text!, format), null, `${text} ${format}`)
})

t.test('whole numbers in words', async t => {
  for (const [words, value] of [
    ['one hundred and five', 105],
    ['Two thousand three hundred', 2300],
    ['a million', 1e6],
    ['none', 0],
  ] as const)
    t.equal(numberInWords(words), value)
  for (const words of ['', 'and', 'hundred', 'twenty percent', 'several']) t.equal(numberInWords(words), null)
})
