import t from 'tap'
import { companyTickers } from '../../engine/ingest/readers/company-tickers.ts'
import { gleif } from '../../engine/ingest/readers/gleif.ts'
import { indexConstituents } from '../../engine/ingest/readers/index-constituents.ts'
import { issuerCodes } from '../../engine/ingest/readers/issuer-codes.ts'
import { listedFilers } from '../../engine/ingest/readers/listed-filers.ts'
import { refusedKinds } from '../../engine/ingest/refused-kinds.ts'
import { reading, rowsFor, sourceOf } from './reading.ts'

t.test('the SEC list keeps its order: the first ticker of a CIK is canonical', async t => {
  const text =
    '{"0":{"cik_str":1652044,"ticker":"GOOGL","title":"Alphabet Inc."},"1":{"cik_str":1652044,"ticker":"GOOG","title":"Alphabet Inc."},"2":{"cik_str":"x","ticker":"Q","title":"Q"}}'
  t.ok(companyTickers.recognises(sourceOf(text)))
  const r = await reading(companyTickers, text)
  t.strictSame(rowsFor(r, 'directory'), [
    { registry: 'sec', name: 'Alphabet Inc.', position: 1, ticker: 'GOOGL', cik: '0001652044' },
    { registry: 'sec', name: 'Alphabet Inc.', position: 2, ticker: 'GOOG', cik: '0001652044' },
  ])
  t.match(r.refused, [{ at: 'entry 3', reason: /CIK "x"/ }])
  const exchange =
    '{"fields":["cik","name","ticker","exchange"],"data":[[320193,"Apple Inc.","AAPL","Nasdaq"],[1,"No Ticker",null,null]]}'
  t.ok(companyTickers.recognises(sourceOf(exchange)))
  t.strictSame(
    rowsFor(await reading(companyTickers, exchange), 'directory').map(v => [
      v['ticker'],
      v['cik'],
      v['name'],
    ]),
    [
      ['AAPL', '0000320193', 'Apple Inc.'],
      [null, '0000000001', 'No Ticker'],
    ],
  )
  await t.rejects(reading(companyTickers, text.slice(0, 50)), { name: 'Refused', message: /not JSON/ })
})

t.test('index members are companies to cover, with share classes in both spellings', async t => {
  const text = `Symbol,Security,GICS Sector,GICS Sub-Industry,Headquarters Location,Date added,CIK,Founded
BRK.B,Berkshire Hathaway,Financials,Multi-Sector Holdings,"Omaha, Nebraska",2010-02-16,1067983,1839
,Nobody,Financials,,,,1,
`
  t.ok(indexConstituents.recognises(sourceOf(text)))
  const r = await reading(indexConstituents, text)
  t.strictSame(rowsFor(r, 'companies'), [
    {
      ticker: 'BRK.B',
      name: 'Berkshire Hathaway',
      cik: '0001067983',
      sector: 'Financials',
      industry: 'Multi-Sector Holdings',
      aliases: ['BRK-B'],
    },
  ])
  t.match(r.refused, [{ at: 'row 3', reason: 'no Symbol' }])
})

const record = (lei: string, name: string) => `
{ "LEI": { "$": "${lei}" }, "Entity": { "LegalName": { "@xml:lang": "en", "$": ${JSON.stringify(name)} },
  "OtherEntityNames": { "OtherEntityName": [ { "@type": "PREVIOUS_LEGAL_NAME", "$": "OLD {NAME}" } ] },
  "LegalJurisdiction": { "$": "US-DE" } }, "Registration": { "RegistrationStatus": { "$": "ISSUED" } } }`

t.test('LEI records are streamed from a golden copy cut anywhere', async t => {
  const text = `{"records":[${record('HWUPKR0MPOU8FGXBT394', 'Acme } "Inc", Zürich')},${record('HWUPKR0MPOU8FGXBT395', 'Bad')}]}`
  t.ok(gleif.recognises(sourceOf(text)))
  for (const chunk of [1, 5, 1000, 65_536]) {
    const r = await reading(gleif, text, {}, chunk)
    t.strictSame(rowsFor(r, 'directory'), [
      {
        registry: 'gleif',
        name: 'Acme } "Inc", Zürich',
        position: 1,
        lei: 'HWUPKR0MPOU8FGXBT394',
        jurisdiction: 'US-DE',
        other_names: ['OLD {NAME}'],
        status: 'ISSUED',
      },
    ])
    t.match(r.refused, [{ at: 'record 2', reason: /valid check digits/ }])
  }
  await t.rejects(reading(gleif, text.slice(0, -3)), { name: 'Refused', message: /is truncated/ })
})

t.test('the CSV form of the golden copy gives the same rows', async t => {
  const text = `"LEI","Entity.LegalName","Entity.LegalName.xmllang","Entity.OtherEntityNames.OtherEntityName.1","Entity.OtherEntityNames.OtherEntityName.1.type","Entity.LegalJurisdiction","Registration.RegistrationStatus"
"HWUPKR0MPOU8FGXBT394","Acme Inc","en","Old Name","PREVIOUS_LEGAL_NAME","US-DE","LAPSED"
`
  t.ok(gleif.recognises(sourceOf(text)))
  t.match(rowsFor(await reading(gleif, text), 'directory'), [
    { lei: 'HWUPKR0MPOU8FGXBT394', name: 'Acme Inc', other_names: ['Old Name'], status: 'LAPSED' },
  ])
})

t.test('answers of the API of GLEIF, of one record or of a page, give the same rows', async t => {
  const attributes = {
    lei: 'HWUPKR0MPOU8FGXBT394',
    entity: {
      legalName: { name: 'Acme Inc', language: 'en' },
      otherNames: [{ name: 'Old Name', type: 'PREVIOUS_LEGAL_NAME' }],
      jurisdiction: 'US-DE',
    },
    registration: { status: 'LAPSED' },
  }
  const record = { type: 'lei-records', id: attributes.lei, attributes }
  const bad = { type: 'lei-records', id: 'HWUPKR0MPOU8FGXBT395', attributes: {} }
  const row = { lei: attributes.lei, name: 'Acme Inc', other_names: ['Old Name'], status: 'LAPSED' }
  const page = JSON.stringify({ meta: { pagination: { total: 2 } }, data: [record, bad] })
  t.ok(gleif.recognises(sourceOf(page)))
  const r = await reading(gleif, page)
  t.match(rowsFor(r, 'directory'), [{ ...row, jurisdiction: 'US-DE' }])
  t.match(r.refused, [{ at: 'record 2', reason: /HWUPKR0MPOU8FGXBT395.* valid check digits/ }])
  const alone = JSON.stringify({ data: record })
  t.ok(gleif.recognises(sourceOf(alone)))
  t.match(rowsFor(await reading(gleif, alone), 'directory'), [row])
  await t.rejects(reading(gleif, page.slice(0, -3)), { name: 'Refused' })
})

t.test('unusable reference files are recognised and refused with a reason', async t => {
  const cases: Record<string, string> = {
    'fund-weights': ',Carnival Corporation 11.5%,Sprint 6.88%,FORD 4.5 01.01.27\n07/09/2021,2.03,1.5,\n',
    'index-series': 'Date,HY_OAS_PERCENT,TREASURY_10Y\n2024-01-02,3.4,4.1\n',
    'subsidiary-labels': 'Filename,Subsidiary,Location of Incorporation,Ownership Percentage\nx,y,,\n',
    'xbrl-frames': '{"taxonomy":"us-gaap","tag":"Assets","ccp":"CY2025Q1I","uom":"USD","data":[]}',
    'fred-observations':
      '{"realtime_start":"2025-07-18","observations":[{"date":"2025-07-15","value":"4.5"}]}',
    'fund-tickers': '{"fields":["cik","seriesId","classId","symbol"],"data":[]}',
    'edgar-form':
      '<?xml version="1.0"?><edgarSubmission xmlns="http://www.sec.gov/edgar/schedule13D"></edgarSubmission>',
    'edgar-index':
      'Description:           Master Index of EDGAR Dissemination Feed\n\nCIK|Company Name|Form Type\n',
    'unnamed-curve': 'date,3M,6M,1Y,10Y\n2026-01-02,3.65,3.58,3.47,4.19\n',
    'filing-labels': 'filename,filer_count,block,block_count,key,value\nx,0,company_data,0,k,v\n',
  }
  for (const [kind, text] of Object.entries(cases)) {
    const known = refusedKinds.filter(reader => reader.recognises(sourceOf(text)))
    t.strictSame(
      known.map(reader => reader.kind),
      [kind],
    )
    await t.rejects(reading(known[0]!, text), { name: 'Refused' })
  }
  for (const text of ['ticker,oas,date\n', 'Date,ticker,oas\n', ',a,b,c\n1,2,3,4\n', '', 'id,name\n'])
    t.notOk(
      refusedKinds.some(reader => reader.recognises(sourceOf(text))),
      text,
    )
})

t.test('a list of filers gives SIC codes and places, one row per ticker', async t => {
  const text = `name,cik,tickers,exchanges,sic,sicDescription,category,stateOfIncorporation,fiscalYearEnd,ein
Alphabet Inc.,0001652044,"['GOOGL', 'GOOG']","['Nasdaq', 'Nasdaq']",7370,Services-Computer Programming,Large,DE,1231,1
Quiet Corp,123.0,[],[],100,Agricultural Production-Crops,,F4,1231,
,5,['Q'],['NYSE'],1,x,,DE,1231,
`
  t.ok(listedFilers.recognises(sourceOf(text)))
  const r = await reading(listedFilers, text)
  const alphabet = {
    registry: 'sec_listed',
    name: 'Alphabet Inc.',
    position: 1,
    cik: '0001652044',
    jurisdiction: 'US-DE',
    sic: '7370',
    industry: 'Services-Computer Programming',
  }
  t.match(rowsFor(r, 'directory'), [
    { ...alphabet, ticker: 'GOOGL' },
    { ...alphabet, ticker: 'GOOG' },
    { name: 'Quiet Corp', ticker: null, cik: '0000000123', jurisdiction: null, sic: '0100' },
  ])
  t.match(r.refused, [{ at: 'row 4', reason: 'no name' }])
})

t.test('CUSIP issuer codes are read by CIK, however a spreadsheet wrote it', async t => {
  const text = 'cik,cusip6,cusip8\n828119.0,55616P,55616P10\n5,5561,55610000\nx,55616P,55616P10\n'
  t.ok(issuerCodes.recognises(sourceOf(text)))
  const r = await reading(issuerCodes, text)
  t.strictSame(rowsFor(r, 'issuer_codes'), [{ cik: '0000828119', cusip6: '55616P' }])
  t.match(r.refused, [
    { at: 'row 3', reason: /"5561" is not six/ },
    { at: 'row 4', reason: /"x" is not a central/ },
  ])
})
