import t from 'tap'
import { xbrlDescriptions, xbrlInstance } from '../../engine/ingest/readers/xbrl-instance.ts'
import { readWith, sourceOf } from './financial-sources.ts'

const instance = `<?xml version="1.0"?>
<!-- facts stand before the contexts they name -->
<x:xbrl xmlns:x="http://www.xbrl.org/2003/instance" xmlns:gaap="http://fasb.org/us-gaap/2024" xmlns:dei="http://xbrl.sec.gov/dei/2024"
  xmlns:acme="http://acme.com/20241231" xmlns:xbrldi="http://xbrl.org/2006/xbrldi" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:iso="http://www.xbrl.org/2003/iso4217">
  <link:schemaRef href="acme.xsd"/>
  <gaap:Revenues contextRef="year" unitRef="usd" decimals="-6">9000000000</gaap:Revenues>
  <gaap:EarningsPerShareBasic contextRef="year" unitRef="eps" decimals="2">-1.25</gaap:EarningsPerShareBasic>
  <gaap:Assets contextRef="end" unitRef="usd" decimals="INF">5e9</gaap:Assets>
  <gaap:Assets contextRef="gas" unitRef="usd" decimals="-6">1</gaap:Assets>
  <gaap:Goodwill contextRef="end" unitRef="usd" xsi:nil="true"/>
  <gaap:DebtDisclosureTextBlock contextRef="year">&lt;p&gt;Notes &amp;amp; more&lt;/p&gt;</gaap:DebtDisclosureTextBlock>
  <acme:GasStored contextRef="gone" unitRef="usd">5</acme:GasStored>
  <dei:DocumentType contextRef="year">10-K</dei:DocumentType>
  <dei:DocumentFiscalYearFocus contextRef="year">2024</dei:DocumentFiscalYearFocus>
  <dei:DocumentFiscalPeriodFocus contextRef="year">FY</dei:DocumentFiscalPeriodFocus>
  <dei:DocumentPeriodEndDate contextRef="year">2024-12-31</dei:DocumentPeriodEndDate>
  <dei:EntityRegistrantName contextRef="year">Acme Inc.</dei:EntityRegistrantName>
  <x:context id="year"><x:entity><x:identifier scheme="http://www.sec.gov/CIK">0000001234</x:identifier></x:entity>
    <x:period><x:startDate>2024-01-01</x:startDate><x:endDate>2024-12-31</x:endDate></x:period></x:context>
  <x:context id="end"><x:entity><x:identifier scheme="http://www.sec.gov/CIK">1234</x:identifier></x:entity>
    <x:period><x:instant>2025-01-01T00:00:00</x:instant></x:period></x:context>
  <x:context id="gas"><x:entity><x:identifier scheme="http://www.sec.gov/CIK">1234</x:identifier>
    <x:segment><xbrldi:explicitMember dimension="gaap:Axis">acme:Gas</xbrldi:explicitMember></x:segment></x:entity>
    <x:period><x:instant>2024-12-31</x:instant></x:period></x:context>
  <x:unit id="usd"><x:measure>iso:USD</x:measure></x:unit>
  <x:unit id="eps"><x:divide><x:unitNumerator><x:measure>iso:USD</x:measure></x:unitNumerator>
    <x:unitDenominator><x:measure>x:shares</x:measure></x:unitDenominator></x:divide></x:unit>
</x:xbrl>`

t.test('an instance gives its figures, with any prefixes and order', async t => {
  const file = sourceOf('acme.xml', instance)
  t.ok(xbrlInstance.recognises(file))
  const { rows } = await readWith(xbrlInstance, file)
  t.match(rows('facts'), [
    {
      concept: 'us-gaap:Revenues',
      unit: 'USD',
      period_start: '2024-01-01',
      period_end: '2024-12-31',
      value: 9e9,
      decimals: -6,
      cik: '0000001234',
      company_name: 'Acme Inc.',
      form: '10-K',
      fiscal_year: 2024,
      fiscal_period: 'FY',
      report_date: '2024-12-31',
      known_from: '2025-03-31',
      filed_date: null,
    },
    { concept: 'us-gaap:EarningsPerShareBasic', unit: 'USD/shares', value: -1.25 },
    {
      concept: 'us-gaap:Assets',
      period_start: null,
      period_end: '2024-12-31',
      value: 5e9,
      decimals: null,
      dimensions: null,
    },
    { concept: 'us-gaap:Assets', period_end: '2024-12-31', dimensions: 'us-gaap:Axis=acme:Gas' },
  ])
})

t.test('other facts are refused: nil, text, a missing context', async t => {
  const { refused, taken } = await readWith(xbrlInstance, sourceOf('acme.xml', instance))
  t.equal(taken.length + refused.length, 12)
  t.strictSame(
    refused.slice(0, 3).map(({ at, reason }) => [at, reason]),
    [
      ['fact 5', 'nil'],
      ['fact 6', 'text, not a figure'],
      ['fact 7', 'context "gone" is not in the file'],
    ],
  )
})

t.test('a truncated instance is refused whole', async t => {
  const { why, taken } = await readWith(xbrlInstance, sourceOf('acme.xml', instance.slice(0, 1500)))
  t.match(why, /not well-formed XML/)
  t.equal(taken.length, 0)
})

t.test('linkbases and schemas contain no figures', async t => {
  for (const text of [
    '<?xml version="1.0"?><link:linkbase xmlns:link="http://www.xbrl.org/2003/linkbase"></link:linkbase>',
    '<!-- a --><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:x="http://www.xbrl.org/2003/instance"/>',
  ]) {
    t.ok(xbrlDescriptions.recognises(sourceOf('a.xml', text)))
    t.notOk(xbrlInstance.recognises(sourceOf('a.xml', text)))
    t.match((await readWith(xbrlDescriptions, sourceOf('a.xml', text))).why, /holds no figures/)
  }
})

t.test('the note on debt that an instance tags gives the instruments that it tells', async t => {
  const note = `<p>Long-term Debt</p><p>In November 2024, the Company issued $200.0 million aggregate principal amount of 8.50% senior notes
    due November 15, 2032.</p>`
  const text = (html: string) => html.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const told = (concept: string, context = 'year') =>
    instance.replace(
      /<gaap:DebtDisclosureTextBlock.*<\/gaap:DebtDisclosureTextBlock>/,
      `<gaap:${concept} contextRef="${context}">${text(note)}</gaap:${concept}>`,
    )
  const read = async (source: string) =>
    (await readWith(xbrlInstance, sourceOf('acme.xml', source))).rows('instruments')
  t.match(await read(told('LongTermDebtTextBlock')), [
    {
      name: '8.5% Senior Notes due November 15, 2032',
      cik: '0000001234',
      coupon_rate: 8.5,
      maturity: '2032-11-15',
      principal: 20_000_000_000,
      balance_date: '2024-12-31',
      known_from: '2025-03-31',
      rule: 'note_text',
      evidence_section: 'Long-term Debt',
    },
  ])
  t.strictSame(await read(told('DebtPolicyTextBlock')), [], 'a policy is no note')
  t.strictSame(await read(told('LongTermDebtTextBlock', 'gas')), [], 'nor is that of a part of the company')
})
