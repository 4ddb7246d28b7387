import t from 'tap'
import {
  sectorLabels,
  sectorOf,
  sectorOfSic,
  sectors,
  sectorsAgree,
  sicRanges,
} from '../../engine/names/sector.ts'

t.test('every label and code maps to one of eleven sectors, or to none', async t => {
  t.equal(sectors.length, 11)
  for (const { label, sectors: meant } of sectorLabels)
    t.ok(
      meant.every(sector => sectors.includes(sector)),
      label,
    )
  const labels = sectorLabels.map(({ label }) => label.toUpperCase())
  t.equal(new Set(labels).size, labels.length, 'a label stands once')
  for (const { from, to, what } of sicRanges) t.ok(from <= to, what)
})

t.test('a company list precedes the SIC code, then fund labels, then rating lists', async t => {
  const all = {
    name: 'Acme Corp',
    listed: 'Information Technology',
    sic: '4911',
    fund: 'Banking',
    rated: 'Energy',
  }
  t.strictSame(sectorOf(all), { sector: 'Technology', source: 'Information Technology' })
  t.strictSame(sectorOf({ ...all, listed: null }), { sector: 'Utilities', source: 'SIC 4911' })
  t.strictSame(sectorOf({ ...all, listed: null, sic: null }), { sector: 'Financials', source: 'Banking' })
  t.strictSame(sectorOf({ name: 'Acme Corp', rated: 'Energy' }), { sector: 'Energy', source: 'Energy' })
})

t.test('an uninformative label is used only without another one', async t => {
  t.strictSame(sectorOf({ name: 'Acme', listed: 'Miscellaneous', rated: 'Energy' }), {
    sector: 'Energy',
    source: 'Energy',
  })
  t.strictSame(sectorOf({ name: 'Acme', fund: 'Owned No Guarantee' }), {
    sector: null,
    source: 'Owned No Guarantee',
  })
  t.strictSame(sectorOf({ name: 'Acme', listed: 'Widgets' }), { sector: null, source: 'Widgets' })
  t.strictSame(sectorOf({ name: 'Acme' }), { sector: null, source: null })
})

t.test('a state-owned issuer that funds file under Agency is known by name', async t => {
  const agency = (name: string) => sectorOf({ name, fund: 'Agency' })
  t.strictSame(agency('PETROBRAS GLOBAL FINANCE BV'), { sector: 'Energy', source: 'name: PETROBRAS' })
  t.equal(agency('SAUDI ELECTRICITY GLOBAL SUKUK CO RegS').sector, 'Utilities')
  t.equal(agency('CHINA CITIC BANK INTERNATIONAL LTD').sector, 'Financials')
  t.equal(agency('KOREA EXPRESSWAY CORP MTN RegS').sector, 'Industrials')
  t.strictSame(agency('JOY TREASURE ASSETS HOLDINGS INC'), { sector: null, source: 'Agency' })
})

t.test('the class of all issuers that are neither financial nor utilities names no sector', async t => {
  const industrial = (name: string) => sectorOf({ name, fund: 'Industrial' })
  t.strictSame(industrial('ALFA HOLDINGS LTD'), { sector: null, source: 'Industrial' })
  t.strictSame(industrial('ALFA AIRLINES LTD'), { sector: 'Industrials', source: 'name: AIRLINES' })
  t.equal(sectorsAgree('Industrial', 'Materials'), null, 'it may be')
  t.equal(sectorsAgree('Industrial', 'Financials'), false)
  t.equal(sectorOf({ name: 'ALFA PROPERTIES LTD', fund: 'Financial Institutions' }).sector, 'Real Estate')
})

t.test('a broad label is refined by the name', async t => {
  const fund = (name: string, label: string) => sectorOf({ name, fund: label }).sector
  t.equal(fund('ASCENSION HEALTH', 'Consumer Non-Cyclical'), 'Health Care')
  t.equal(fund('KRAFT HEINZ FOODS CO', 'Consumer Non-Cyclical'), 'Consumer Staples')
  t.equal(
    sectorOf({ name: 'Windstream Communications', rated: 'Public Utilities' }).sector,
    'Communication Services',
  )
})

t.test('SIC codes are read by their narrowest range', async t => {
  const cases = [
    ['6021', 'Financials'],
    ['6798', 'Real Estate'],
    ['6324', 'Health Care'],
    ['2834', 'Health Care'],
    ['2821', 'Materials'],
    ['3711', 'Consumer Discretionary'],
    ['3721', 'Industrials'],
    ['4812', 'Communication Services'],
    ['4911', 'Utilities'],
    ['1311', 'Energy'],
    ['1040', 'Materials'],
    ['7372', 'Technology'],
    ['5812', 'Consumer Discretionary'],
    ['5411', 'Consumer Staples'],
    ['6770', null],
    ['x', null],
  ] as const
  for (const [code, sector] of cases) t.equal(sectorOfSic(code), sector, code)
})

t.test('businesses are compared as far as both are known', async t => {
  t.equal(sectorsAgree('Banking', 'Financials'), true)
  t.equal(sectorsAgree('Banking', 'Energy'), false)
  t.equal(sectorsAgree('Technology', 'Real Estate'), true, 'data centres')
  t.equal(sectorsAgree('Banking', null), null)
  t.equal(sectorsAgree(null, 'Energy'), null)
  t.equal(sectorsAgree('Owned No Guarantee', 'Energy'), null)
})
