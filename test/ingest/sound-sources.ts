import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Database, literal } from '../../engine/database/database.ts'
import { annualReport } from '../filing/make-filing.ts'
import { makeZip } from './make-zip.ts'
import { quarterOf, tsv } from './nport-quarter.ts'

/**
 * What a damaged copy may still give.
 * - `exact`: rows of the sound file and no others, wherever the damage is (checksums, or a kind that is always refused).
 * - `columnar`: rows of the sound file and no others, where bytes are missing or repeated. Parquet has no checksum of its
 *   values that is written or read as a rule: a value that was changed in place is another value.
 * - `structured`: cut short, nothing at all. Whatever else is wrong with it, its values have the declared form.
 * - `lines`: damage beyond the header touches only the rows that it lies in.
 * - `prose`: cut short, the rows name the same company and filing.
 */
export type Guarantee = 'exact' | 'columnar' | 'structured' | 'lines' | 'prose'

export interface SoundSource {
  /** Kind of a reader, or `table` for users' own. */
  readonly kind: string
  /** Name of the file. */
  readonly name: string
  readonly content: Buffer
  readonly holds: Guarantee
  /** A kind that is recognised and always refused. */
  readonly isRefused?: true
}

const CUSIPS = ['037833100', '594918104', '459200101', '912828YK0', '17275RAN2', '023135BW5']
const WORDS = 'ALFA BRAVO CHARLIE DELTA ECHO FOXTROT GOLF HOTEL INDIA JULIETT'.split(' ')
const WEEKDAYS = [11, 12, 13, 14, 15, 18, 19, 20, 21, 22]
const TEN = Array.from({ length: 10 }, (_, i) => i)
const lines = (header: string, row: (i: number) => string) =>
  Buffer.from(`${[header, ...TEN.map(row)].join('\n')}\n`)
const json = (value: unknown) => Buffer.from(JSON.stringify(value))

const cusip = (i: number) => CUSIPS[i % 3]!
const day = (i: number) => `2024-03-${String(i + 10).padStart(2, '0')}`

const itemsOfReport = {
  cik: '12345',
  company: 'Acme Pipelines Inc.',
  filing_type: '10-K',
  filing_date: '2011-11-29',
  period_of_report: '2011-09-30',
  item_1: `Item 1.\nBusiness\n${WORDS.join(' ')}.`,
  item_7: `Item 7.\nManagement’s Discussion and Analysis\n${WORDS.join(' ')}.`,
}

const fact = (i: number) => ({
  end: day(i),
  val: 1_000_000 + i,
  accn: '0000001234-24-000010',
  fy: 2024,
  fp: 'Q1',
  form: '10-Q',
  filed: '2024-05-02',
})

const nportHolding = (
  i: number,
) => `<invstOrSec><name>Acme ${i} Corp</name><lei>N/A</lei><title>Acme Corp</title>
<cusip>${cusip(i)}</cusip><identifiers><other otherDesc="INTERNAL" value="${i}"/></identifiers>
<balance>100000.00</balance><units>PA</units><curCd>USD</curCd><valUSD>9812${i}.00</valUSD><pctVal>0.1</pctVal>
<payoffProfile>Long</payoffProfile><assetCat>DBT</assetCat><issuerCat>CORP</issuerCat><invCountry>US</invCountry>
<isRestrictedSec>N</isRestrictedSec><debtSec><maturityDt>2030-06-15</maturityDt><couponKind>Fixed</couponKind>
<annualizedRt>4.5</annualizedRt><isDefault>N</isDefault><areIntrstPmntsInArrs>N</areIntrstPmntsInArrs><isPaidKind>N</isPaidKind></debtSec></invstOrSec>`

const fundFiling = {
  accession: '0001111111-23-000001',
  filed: '2023-05-26',
  date: '2023-03-31',
  registrant: 'MADE UP TRUST',
  series: 'Bond Fund',
  positions: TEN.map(i => ({ cusip: cusip(i), value: `9812${i}.00` })),
}

const instance = `<?xml version="1.0"?>
<x:xbrl xmlns:x="http://www.xbrl.org/2003/instance" xmlns:gaap="http://fasb.org/us-gaap/2024" xmlns:dei="http://xbrl.sec.gov/dei/2024" xmlns:iso="http://www.xbrl.org/2003/iso4217">
${TEN.map(i => `<gaap:Revenues${i} contextRef="year" unitRef="usd" decimals="-6">90000000${i}</gaap:Revenues${i}>`).join('\n')}
<dei:DocumentType contextRef="year">10-K</dei:DocumentType><dei:EntityRegistrantName contextRef="year">Acme Inc.</dei:EntityRegistrantName>
<x:context id="year"><x:entity><x:identifier scheme="http://www.sec.gov/CIK">0000001234</x:identifier></x:entity>
<x:period><x:startDate>2024-01-01</x:startDate><x:endDate>2024-12-31</x:endDate></x:period></x:context>
<x:unit id="usd"><x:measure>iso:USD</x:measure></x:unit></x:xbrl>`

const leiRecord = (lei: string, i: number) =>
  `{"LEI":{"$":"${lei}"},"Entity":{"LegalName":{"$":"Acme ${i}"},"LegalJurisdiction":{"$":"US-DE"}},"Registration":{"RegistrationStatus":{"$":"ISSUED"}}}`
const LEIS = ['HWUPKR0MPOU8FGXBT394', '7ZW8QJWVPR4P1J1KQY45']

const relationships =
  'Relationship.StartNode.NodeID,Relationship.StartNode.NodeIDType,Relationship.EndNode.NodeID,Relationship.EndNode.NodeIDType,Relationship.RelationshipType,Relationship.RelationshipStatus,Relationship.Period.1.startDate,Relationship.Period.1.endDate,Relationship.Period.1.periodType,Relationship.Quantifiers.1.QuantifierAmount,Relationship.Quantifiers.1.QuantifierUnits,Registration.InitialRegistrationDate,Registration.LastUpdateDate,Registration.RegistrationStatus'

const adsh = '0000001234-09-000010'
const sub = `adsh\tcik\tname\tfye\tform\tperiod\tfy\tfp\tfiled\taccepted\n${adsh}\t1234\tACME PIPELINES INC\t0926\t10-Q\t20090630\t2009\tQ3\t20090807\t2009-08-06 21:13:00.0\n`
const calculations = `<?xml version="1.0" encoding="UTF-8"?><link:linkbase xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink"><link:calculationLink xlink:role="http://acme.com/role/Debt" xlink:type="extended"><link:loc xlink:label="all" xlink:href="us-gaap.xsd#us-gaap_Liabilities"/>${TEN.map(i => `<link:loc xlink:label="l${i}" xlink:href="acme.xsd#acme_Loan${i}"/><link:calculationArc weight="1.0" xlink:from="all" xlink:to="l${i}"/>`).join('\n')}</link:calculationLink></link:linkbase>`
const num = `adsh\ttag\tversion\tddate\tqtrs\tuom\tsegments\tcoreg\tvalue\tfootnote\n${TEN.map(i => `${adsh}\tRevenues${i}\tus-gaap/2009\t20090630\t3\tUSD\t\t\t90000000${i}.0000\t\n`).join('')}`

const submissionsBody = {
  cik: '0000001234',
  name: 'Acme Pipelines Inc.',
  sic: '4922',
  tickers: ['ACME'],
  fiscalYearEnd: '1231',
  formerNames: [],
  filings: {
    recent: {
      accessionNumber: TEN.map(i => `0000001234-24-00002${i}`),
      filingDate: TEN.map(day),
      reportDate: TEN.map(() => ''),
      acceptanceDateTime: TEN.map(i => `${day(i)}T16:31:00.000Z`),
      form: TEN.map(() => '8-K'),
      items: TEN.map(() => '2.02'),
      isXBRL: TEN.map(() => 1),
      isInlineXBRL: TEN.map(() => 1),
      primaryDocument: TEN.map(i => `acme-${i}.htm`),
    },
    files: [],
  },
}

const TRACE =
  'cusip_id,bond_sym_id,trd_exctn_dt,trd_exctn_tm,trd_rpt_dt,msg_seq_nb,trc_st,asof_cd,orig_msg_seq_nb,rptd_pr,entrd_vol_qt,yld_pt,yld_sign_cd,rpt_side_cd,cntra_mp_id,cmsn_trd,buy_cpcty_cd,sell_cpcty_cd,wis_fl,spcl_trd_fl'
const HOLDINGS =
  'Name,Sector,Asset Class,Market Value,Weight (%),Notional Value,Par Value,CUSIP,ISIN,SEDOL,Price,Location,Exchange,Currency,Duration,YTM (%),FX Rate,Maturity,Coupon (%),Mod. Duration,Yield to Call (%),Yield to Worst (%),Real Duration,Real YTM (%),Market Currency,Accrual Date,Effective Date'

const submission = `<SEC-DOCUMENT>0000012345-25-000007.txt : 20250214
<SEC-HEADER>0000012345-25-000007.hdr.sgml : 20250214
ACCESSION NUMBER:		0000012345-25-000007
CONFORMED SUBMISSION TYPE:	10-K
CONFORMED PERIOD OF REPORT:	20241231
FILED AS OF DATE:		20250214
FILER:
	COMPANY DATA:
		COMPANY CONFORMED NAME:			ACME PIPELINES INC
		CENTRAL INDEX KEY:			0000012345
</SEC-HEADER>
<DOCUMENT>\n<TYPE>10-K\n<SEQUENCE>1\n<FILENAME>d.htm\n<TEXT>\n${annualReport}\n</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>`

async function parquet(select: string): Promise<Buffer> {
  const path = join(tmpdir(), `tranche-test-${process.pid}-${Math.random()}.parquet`)
  const database = await Database.create({ threads: 1 })
  try {
    await database.run(`COPY (${select}) TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd)`)
    return await readFile(path)
  } finally {
    database.close()
    await rm(path, { force: true })
  }
}

const prices = 'cusip,price_date,price,price_source'
const priceRow = (i: number) => ({
  cusip: cusip(i),
  price_date: day(i),
  price: 90 + i,
  price_source: 'vendor',
})

/** A sound file of every kind, and archives of them. */
export async function soundSources(): Promise<SoundSource[]> {
  const text = (kind: string, name: string, content: string | Buffer, holds: Guarantee): SoundSource => ({
    kind,
    name,
    content: Buffer.from(content as string),
    holds,
  })
  const refused = (kind: string, name: string, content: string | Buffer): SoundSource => ({
    ...text(kind, name, content, 'lines'),
    isRefused: true,
  })
  const plain = [
    text(
      'companyfacts',
      'facts.json',
      json({
        cik: 1234,
        entityName: 'Acme',
        facts: { 'us-gaap': { Assets: { units: { USD: TEN.map(fact) } } } },
      }),
      'structured',
    ),
    text('submissions', 'CIK0000001234.json', json(submissionsBody), 'structured'),
    text(
      'company-tickers',
      'tickers.json',
      json(
        Object.fromEntries(TEN.map(i => [i, { cik_str: 1000 + i, ticker: `T${i}`, title: `Company ${i}` }])),
      ),
      'structured',
    ),
    text('gleif', 'gleif.json', `{"records":[${LEIS.map(leiRecord).join(',')}]}`, 'structured'),
    text(
      'gleif',
      'gleif.csv',
      `"LEI","Entity.LegalName","Entity.LegalJurisdiction","Registration.RegistrationStatus"\n${LEIS.map((lei, i) => `"${lei}","Acme ${i}","US-DE","ISSUED"\n`).join('')}`,
      'lines',
    ),
    text(
      'gleif-relationships',
      'relationships.csv',
      lines(
        relationships,
        i =>
          `${LEIS[i % 2]},LEI,${LEIS[(i + 1) % 2]},LEI,IS_DIRECTLY_CONSOLIDATED_BY,ACTIVE,${day(i)}T00:00:00Z,,RELATIONSHIP_PERIOD,80,PERCENTAGE,${day(i)}T09:00:00Z,${day(i)}T09:00:00Z,PUBLISHED`,
      ),
      'lines',
    ),
    text(
      'nport',
      'nport.xml',
      `<?xml version="1.0" encoding="UTF-8"?><edgarSubmission xmlns="http://www.sec.gov/edgar/nport"><headerData/><formData><genInfo><regName>MADE UP TRUST</regName><seriesName>Bond Fund</seriesName><repPdEnd>2023-10-31</repPdEnd><repPdDate>2023-03-31</repPdDate></genInfo><invstOrSecs>${TEN.map(nportHolding).join('\n')}</invstOrSecs></formData></edgarSubmission>`,
      'structured',
    ),
    text(
      'bond-terms',
      'issues.csv',
      lines(
        'issue_id,prospectus_issuer_name,issue_name,maturity,security_level,coupon,coupon_type,offering_amt,offering_date,complete_cusip,interest_frequency,day_count_basis',
        i =>
          `12345${i},ACME ${i} CORP,SR NT,2036-03-1${i},SEN,4.3${i},F,500000,2016-03-15,${cusip(i)},2,30/360`,
      ),
      'lines',
    ),
    text('xbrl-instance', 'acme.xml', instance, 'structured'),
    text('xbrl-calculations', 'acme_cal.xml', calculations, 'structured'),
    refused(
      'xbrl-linkbase',
      'acme_lab.xml',
      '<?xml version="1.0"?><link:linkbase xmlns:link="http://www.xbrl.org/2003/linkbase"><link:labelLink/></link:linkbase>',
    ),
    text('statement-data-sets', 'sub.txt', sub, 'lines'),
    text(
      'inline-facts',
      'inline.csv',
      lines(
        'ticker,cik,entity,form,fiscal_year,fiscal_period,doc_period_end,concept,unit,start,end,dims,value,decimals,source',
        i =>
          `ACME,0000001234,"Acme, Inc.",10-K,2024,FY,2024-12-31,us-gaap:Assets${i},USD,,2024-12-31,,50000000${i},-6,a.html`,
      ),
      'lines',
    ),
    refused(
      'vendor-statements',
      'stmt.parquet',
      await parquet(
        `SELECT 5.0 AS "2026-03-31T00:00:00", 4.0 AS "2025-12-31T00:00:00", 'Total Debt' AS __index_level_0__`,
      ),
    ),
    text(
      'treasury',
      'treasury.csv',
      lines('Date,1 Mo,2 Mo,1 Yr,10 Yr', i => `${day(i)},5.${i},5.1,4.9,4.2`),
      'lines',
    ),
    text(
      'fred',
      'DGS3MO.csv',
      lines('observation_date,DGS3MO', i => `${day(i)},5.${i}`),
      'lines',
    ),
    text(
      'holdings',
      'holdings-2025-12-19.csv',
      lines(
        HOLDINGS,
        i =>
          `ACME INC,Technology,Fixed Income,"99,187,000.00",0.1,"99,187,000.00","100,000,000.00",${cusip(i)},-,-,98.2${i},United States,-,USD,3.86,4.32,1,"Apr 15, 2030",3.88,3.91,-,4.31,3.91,4.32,USD,"Apr 15, 2021","May 21, 2021"`,
      ),
      'lines',
    ),
    text(
      'price-list',
      'marks.csv',
      lines(
        'fund,price_date,name,maturity,coupon,price,ytm',
        i => `EMCO,2025-12-17,${WORDS[i]} SA,2030-01-${i + 10},5.125,99.${i},5.2`,
      ),
      'lines',
    ),
    text(
      'index-spreads',
      'oas.csv',
      lines('DATE,BAMLC0A0CM', i => `2024-03-${WEEKDAYS[i]},0.9${i}`),
      'lines',
    ),
    text(
      'trace',
      'trace.csv',
      lines(
        TRACE,
        i => `${cusip(i)},,${day(i)},9:31:05,${day(i)},001234${i},T,,,101.2${i},250000,0.31,-,S,C,N,,A,N,`,
      ),
      'lines',
    ),
    text(
      'rating-actions',
      'actions.csv',
      lines(
        'Rating,Name,Symbol,Rating Agency Name,Date,Sector,currentRatio',
        i => `BBB,"Acme, Inc.",ACM,Standard & Poor's Ratings Services,2/${i + 1}/2014,Capital Goods,0.9`,
      ),
      'lines',
    ),
    text(
      'rating-list',
      'list.csv',
      lines('symbol,sp,moodys,source,retrieved,verified', i => `T${i},AA+,Aaa,press,2026-07-26,yes`),
      'lines',
    ),
    text(
      'index-constituents',
      'members.csv',
      lines(
        'Symbol,Security,GICS Sector,GICS Sub-Industry,Headquarters Location,Date added,CIK,Founded',
        i => `T${i},Company ${i},Financials,Banks,"Omaha, Nebraska",2010-02-16,106798${i},1839`,
      ),
      'lines',
    ),
    text(
      'listed-filers',
      'filers.csv',
      lines(
        'name,cik,tickers,sic,sicDescription,stateOfIncorporation',
        i => `${WORDS[i]} Inc,10000${i},['A${i}'],3571,Electronic Computers,DE`,
      ),
      'lines',
    ),
    text(
      'issuer-codes',
      'codes.csv',
      lines('cik,cusip6', i => `10000${i}.0,03783${i}`),
      'lines',
    ),
    refused('xbrl-frames', 'frames.json', '{"tag":"Assets","ccp":"CY2025Q1I","uom":"USD","data":[]}'),
    refused('fred-observations', 'dgs10.json', '{"realtime_start":"2025-07-18","observations":[]}'),
    refused('fund-tickers', 'company_tickers_mf.json', '{"fields":["cik","seriesId"],"data":[]}'),
    refused('edgar-form', 'primary_doc.xml', '<edgarSubmission xmlns="x"></edgarSubmission>'),
    refused('edgar-index', 'master.idx', 'CIK|Company Name|Form Type|Date Filed|Filename\n'),
    refused(
      'unnamed-curve',
      'curve.csv',
      lines('date,3M,1Y,10Y', i => `${day(i)},5.4,5,4.2`),
    ),
    refused('sic-codes', 'sic.csv', 'sic,description\n3571,Electronic Computers\n'),
    refused(
      'fund-weights',
      'weights.csv',
      ',Carnival Corporation 11.5%,Sprint 6.88%,FORD 4.5 01.01.27\n07/09/2021,2.03,1.5,\n',
    ),
    refused('index-series', 'oas.csv', 'Date,HY_OAS_PERCENT,TREASURY_10Y\n2024-01-02,3.4,4.1\n'),
    refused(
      'subsidiary-labels',
      'labels.csv',
      'Filename,Subsidiary,Location of Incorporation,Ownership Percentage\nx,y,,\n',
    ),
    refused(
      'filing-labels',
      'headers.csv',
      'filename,filer_count,block,block_count,key,value\nx,0,company_data,0,k,v\n',
    ),
    refused('filing-index', 'INDEX.csv', 'file,cik,form,filing_date\na.htm,1234,10-K,2025-02-14\n'),
    refused(
      'section-labels',
      'sections.json',
      '[{"identifier":"item1","title":"Business","character_count":100}]',
    ),
    refused('pdf', 'report.pdf', '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n'),
    text('filing', '0000012345-25-000007.txt', submission, 'prose'),
    text('filing', 'acme-10k.htm', annualReport, 'prose'),
    text('filing-items', 'acme-10k.json', json(itemsOfReport), 'structured'),
    text(
      'table',
      'prices.csv',
      lines(prices, i => Object.values(priceRow(i)).join(',')),
      'lines',
    ),
    text('table', 'prices.ndjson', `${TEN.map(i => JSON.stringify(priceRow(i))).join('\n')}\n`, 'lines'),
    text('table', 'prices.json', json(TEN.map(priceRow)), 'structured'),
    text(
      'table',
      'prices.parquet',
      await parquet(
        `SELECT ['037833100', '594918104', '459200101'][1 + i % 3] AS cusip, DATE '2024-03-10' + i::INT AS price_date, 90.0 + i AS price, 'vendor' AS price_source FROM range(3000) t(i)`,
      ),
      'columnar',
    ),
  ]
  // Only a third: each damaged copy of the archive is read member by member.
  const mixed = plain
    .filter((source, i) => i % 3 === 0 && !source.isRefused && source.holds !== 'prose')
    .map(({ name, content }) => ({ name, content }))
  return [
    ...plain,
    {
      kind: 'statement-data-sets',
      name: '2009q3.zip',
      content: makeZip([
        { name: 'sub.txt', content: sub },
        { name: 'num.txt', content: num },
      ]),
      holds: 'exact',
    },
    {
      kind: 'nport-data-sets',
      name: '2023q2_nport.zip',
      content: makeZip(
        Object.entries(quarterOf([fundFiling])).map(([name, rows]) => ({
          name: `${name}.tsv`,
          content: tsv(rows),
        })),
      ),
      holds: 'exact',
    },
    { kind: 'zip', name: 'mixed.zip', content: makeZip(mixed), holds: 'exact' },
    {
      kind: 'gzip',
      name: 'prices.csv.gz',
      content: gzipSync(lines(prices, i => Object.values(priceRow(i)).join(','))),
      holds: 'exact',
    },
  ]
}
