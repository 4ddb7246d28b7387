import { annualReport } from '../filing/make-filing.ts'
import { makeZip } from '../ingest/make-zip.ts'

/** Small made-up files under the addresses of the public ones. */

const ARCHIVE = 'www.sec.gov/Archives/edgar/data'
export const ANNUAL = '0000012345-25-000010'
export const CURRENT = '0000012345-25-000020'
export const EARLIER = '0000012345-23-000001'
export const HOLDINGS = '0000077777-25-000100'

export const paths = {
  tickers: 'www.sec.gov/files/company_tickers.json',
  funds: 'www.sec.gov/files/company_tickers_mf.json',
  submissions: 'data.sec.gov/submissions/CIK0000012345.json',
  continuation: 'data.sec.gov/submissions/CIK0000012345-submissions-001.json',
  facts: 'data.sec.gov/api/xbrl/companyfacts/CIK0000012345.json',
  annual: `${ARCHIVE}/12345/${ANNUAL.replaceAll('-', '')}/${ANNUAL}.txt`,
  index: `${ARCHIVE}/12345/${ANNUAL.replaceAll('-', '')}/index.json`,
  instance: `${ARCHIVE}/12345/${ANNUAL.replaceAll('-', '')}/acme-20241231_htm.xml`,
  current: `${ARCHIVE}/12345/${CURRENT.replaceAll('-', '')}/${CURRENT}.txt`,
  earlier: `${ARCHIVE}/12345/${EARLIER.replaceAll('-', '')}/${EARLIER}.txt`,
  series:
    'www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=S000000001&type=NPORT-P&dateb=&owner=include&count=100&output=atom',
  holdings: `${ARCHIVE}/77777/${HOLDINGS.replaceAll('-', '')}/primary_doc.xml`,
  fred: 'fred.stlouisfed.org/graph/fredgraph.csv?id=DGS10',
  lei: 'goldencopy.gleif.org/api/v2/golden-copies/publishes/lei2/latest.csv',
  parents: 'goldencopy.gleif.org/api/v2/golden-copies/publishes/rr/latest.csv',
} as const

export const treasuryPath = (year: number): string =>
  'home.treasury.gov/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv/' +
  `${year}/all?type=daily_treasury_yield_curve&field_tdr_date_value=${year}&page&_format=csv`

const filings = (
  rows: readonly (readonly [accession: string, form: string, filed: string, period: string])[],
) => ({
  accessionNumber: rows.map(([accession]) => accession),
  filingDate: rows.map(([, , filed]) => filed),
  reportDate: rows.map(([, , , period]) => period),
  acceptanceDateTime: rows.map(([, , filed]) => `${filed}T16:31:00.000Z`),
  form: rows.map(([, form]) => form),
  items: rows.map(([, form]) => (form === '8-K' ? '2.03' : '')),
  isXBRL: rows.map(([, form]) => (form === '10-K' ? 1 : 0)),
  isInlineXBRL: rows.map(([, form]) => (form === '10-K' ? 1 : 0)),
  primaryDocument: rows.map(([, form]) => `${form.toLowerCase()}.htm`),
})

export const submissions = (...more: (readonly [string, string, string, string])[]): string =>
  JSON.stringify({
    cik: '12345',
    name: 'Acme Pipelines Inc.',
    sic: '4922',
    tickers: ['ACME'],
    fiscalYearEnd: '1231',
    formerNames: [],
    filings: {
      recent: filings([
        ...more,
        [CURRENT, '8-K', '2025-05-10', '2025-05-09'],
        [ANNUAL, '10-K', '2025-02-20', '2024-12-31'],
        ['0000012345-25-000005', '4', '2025-01-20', ''],
      ]),
      files: [
        { name: 'CIK0000012345-submissions-001.json', filingTo: '2023-05-01' },
        { name: 'CIK0000012345-submissions-002.json', filingTo: '2012-05-01' },
      ],
    },
  })

const fact = (val: number, isFlow: boolean) => ({
  ...(isFlow && { start: '2024-01-01' }),
  end: '2024-12-31',
  val,
  accn: ANNUAL,
  fy: 2024,
  fp: 'FY',
  form: '10-K',
  filed: '2025-02-20',
})
const flow = (millions: number) => ({ units: { USD: [fact(millions * 1e6, true)] } })
const balance = (millions: number) => ({ units: { USD: [fact(millions * 1e6, false)] } })

const facts = JSON.stringify({
  cik: 12345,
  entityName: 'Acme Pipelines Inc.',
  facts: {
    'us-gaap': {
      Revenues: flow(900),
      OperatingIncomeLoss: flow(150),
      DepreciationDepletionAndAmortization: flow(50),
      InterestExpense: flow(40),
      NetIncomeLoss: flow(80),
      Assets: balance(2000),
      LongTermDebt: balance(800),
      CashAndCashEquivalentsAtCarryingValue: balance(100),
      StockholdersEquity: balance(700),
    },
  },
})

const submission = (accession: string, form: string, filed: string, period: string, body: string) =>
  `<SEC-DOCUMENT>${accession}.txt : ${filed}
<SEC-HEADER>${accession}.hdr.sgml : ${filed}
ACCESSION NUMBER:		${accession}
CONFORMED SUBMISSION TYPE:	${form}
CONFORMED PERIOD OF REPORT:	${period}
FILED AS OF DATE:		${filed}

FILER:
	COMPANY DATA:
		COMPANY CONFORMED NAME:			ACME PIPELINES INC
		CENTRAL INDEX KEY:			0000012345
</SEC-HEADER>
<DOCUMENT>
<TYPE>${form}
<SEQUENCE>1
<FILENAME>${form.toLowerCase()}.htm
<TEXT>
${body}
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>EX-21.1
<SEQUENCE>2
<FILENAME>ex21.htm
<TEXT>
<html><body><p>Exhibit 21.1</p><p>Subsidiaries of Acme Pipelines Inc.</p><table><tr><td>Acme Gas LLC</td><td>Delaware</td></tr></table></body></html>
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`

const instance = `<?xml version="1.0"?>
<xbrl xmlns="http://www.xbrl.org/2003/instance" xmlns:xbrldi="http://xbrl.org/2006/xbrldi" xmlns:us-gaap="http://fasb.org/us-gaap/2024" xmlns:acme="http://acme.example/2024" xmlns:dei="http://xbrl.sec.gov/dei/2024" xmlns:iso4217="http://www.xbrl.org/2003/iso4217">
<context id="now"><entity><identifier scheme="http://www.sec.gov/CIK">0000012345</identifier></entity><period><instant>2024-12-31</instant></period></context>
<context id="notes"><entity><identifier scheme="http://www.sec.gov/CIK">0000012345</identifier><segment><xbrldi:explicitMember dimension="us-gaap:DebtInstrumentAxis">acme:SixPercentSeniorNotesDue2030Member</xbrldi:explicitMember></segment></entity><period><instant>2024-12-31</instant></period></context>
<context id="year"><entity><identifier scheme="http://www.sec.gov/CIK">0000012345</identifier></entity><period><startDate>2024-01-01</startDate><endDate>2024-12-31</endDate></period></context>
<unit id="usd"><measure>iso4217:USD</measure></unit><unit id="pure"><measure>pure</measure></unit>
<dei:DocumentType contextRef="year">10-K</dei:DocumentType><dei:DocumentPeriodEndDate contextRef="year">2024-12-31</dei:DocumentPeriodEndDate>
<dei:EntityCentralIndexKey contextRef="year">0000012345</dei:EntityCentralIndexKey><dei:EntityRegistrantName contextRef="year">Acme Pipelines Inc.</dei:EntityRegistrantName>
<us-gaap:LongTermDebt contextRef="now" unitRef="usd" decimals="-6">800000000</us-gaap:LongTermDebt>
<us-gaap:LongTermDebt contextRef="notes" unitRef="usd" decimals="-6">800000000</us-gaap:LongTermDebt>
<us-gaap:DebtInstrumentInterestRateStatedPercentage contextRef="notes" unitRef="pure" decimals="4">0.06</us-gaap:DebtInstrumentInterestRateStatedPercentage>
</xbrl>
`

const holdings = `<?xml version="1.0" encoding="UTF-8"?><edgarSubmission xmlns="http://www.sec.gov/edgar/nport"><headerData/><formData><genInfo><regName>MADE UP TRUST</regName><seriesName>Bond Fund</seriesName><repPdEnd>2025-10-31</repPdEnd><repPdDate>2025-04-30</repPdDate></genInfo><invstOrSecs>
<invstOrSec><name>Acme Pipelines Inc</name><lei>N/A</lei><title>Acme Pipelines 6% 2030</title>
<cusip>998XSRA10</cusip><balance>100000.00</balance><units>PA</units><curCd>USD</curCd><valUSD>98200.00</valUSD><pctVal>0.1</pctVal>
<payoffProfile>Long</payoffProfile><assetCat>DBT</assetCat><issuerCat>CORP</issuerCat><invCountry>US</invCountry>
<isRestrictedSec>N</isRestrictedSec><debtSec><maturityDt>2030-06-15</maturityDt><couponKind>Fixed</couponKind>
<annualizedRt>6</annualizedRt><isDefault>N</isDefault><areIntrstPmntsInArrs>N</areIntrstPmntsInArrs><isPaidKind>N</isPaidKind></debtSec></invstOrSec>
</invstOrSecs></formData></edgarSubmission>
`

const entry = (accession: string, filed: string) => `<entry><category label="form type" term="NPORT-P" />
<content type="text/xml"><accession-number>${accession}</accession-number><filing-date>${filed}</filing-date>
<filing-href>https://www.sec.gov/Archives/edgar/data/77777/${accession.replaceAll('-', '')}/${accession}-index.htm</filing-href>
<filing-type>NPORT-P</filing-type></content></entry>`

const feed = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<feed xmlns="http://www.w3.org/2005/Atom">
<author><name>Webmaster</name></author>
${entry(HOLDINGS, '2025-06-27')}
${entry('0000077777-24-000100', '2024-06-28')}
</feed>
`

const curve = `Date,"1 Mo","2 Mo","3 Mo","4 Mo","6 Mo","1 Yr","2 Yr","3 Yr","5 Yr","7 Yr","10 Yr","20 Yr","30 Yr"
04/30/2025,4.35,4.35,4.31,4.29,4.19,3.85,3.60,3.58,3.72,3.93,4.17,4.68,4.66
04/29/2025,4.37,4.36,4.32,4.30,4.21,3.86,3.65,3.64,3.77,3.97,4.19,4.68,4.64
`

const LEI = '5493001KJTIIGC8Y1R12'

/** Everything that is published, by path. */
export const published: Readonly<Record<string, string | Buffer>> = {
  [paths.tickers]: JSON.stringify({
    0: { cik_str: 12345, ticker: 'ACME', title: 'Acme Pipelines Inc.' },
    1: { cik_str: 54321, ticker: 'VEGA-B', title: 'Vega Corp' },
  }),
  [paths.funds]: JSON.stringify({
    fields: ['cik', 'seriesId', 'classId', 'symbol'],
    data: [[77777, 'S000000001', 'C000000001', 'MBND']],
  }),
  [paths.submissions]: submissions(),
  [paths.continuation]: JSON.stringify(filings([[EARLIER, '8-K', '2023-03-02', '2023-03-01']])),
  [paths.facts]: facts,
  [paths.annual]: submission(ANNUAL, '10-K', '20250220', '20241231', annualReport),
  [paths.current]: submission(
    CURRENT,
    '8-K',
    '20250510',
    '20250509',
    '<html><body><p>FORM 8-K</p><p>Item 2.03 Creation of a Direct Financial Obligation.</p><p>On May 9, 2025 the company issued notes.</p></body></html>',
  ),
  [paths.earlier]: submission(
    EARLIER,
    '8-K',
    '20230302',
    '20230301',
    '<html><body><p>FORM 8-K</p><p>Item 8.01 Other Events.</p><p>On March 1, 2023 the company said something.</p></body></html>',
  ),
  [paths.index]: JSON.stringify({
    directory: {
      item: [
        { name: `${ANNUAL}-index.html`, type: 'text.gif', size: '' },
        { name: 'acme-20241231.htm', type: 'text.gif', size: '900000' },
        { name: 'acme-20241231_htm.xml', type: 'text.gif', size: '900000' },
      ],
      name: '/Archives/edgar/data/12345/000001234525000010',
    },
  }),
  [paths.instance]: instance,
  [paths.series]: feed,
  [paths.holdings]: holdings,
  [treasuryPath(2025)]: curve,
  [paths.fred]: 'observation_date,DGS10\n2025-04-29,4.19\n2025-04-30,4.17\n',
  [paths.lei]: makeZip([
    {
      name: '20250501-0800-gleif-goldencopy-lei2-golden-copy.csv',
      content: `"LEI","Entity.LegalName","Entity.LegalJurisdiction","Registration.RegistrationStatus"\n"${LEI}","Acme Pipelines Inc.","US-DE","ISSUED"\n`,
    },
  ]),
  [paths.parents]: makeZip([
    {
      name: '20250501-0800-gleif-goldencopy-rr-golden-copy.csv',
      content:
        '"Relationship.StartNode.NodeID","Relationship.EndNode.NodeID","Relationship.RelationshipType"\n',
    },
  ]),
}
