/** A position of a fund, as Form N-PORT asks for it; what is left out is as in most positions. */
export interface Position {
  readonly name?: string
  readonly lei?: string
  readonly title?: string
  readonly cusip?: string
  readonly isin?: string
  readonly balance?: string
  readonly units?: string
  readonly currency?: string
  /** Of a foreign currency. */
  readonly rate?: string
  readonly value?: string
  readonly payoff?: string
  readonly asset?: string
  readonly assetSaid?: string
  readonly issuer?: string
  readonly issuerSaid?: string
  readonly derivative?: string
  /** Null for positions without debt terms. */
  readonly debt?: DebtTerms | null
}

interface DebtTerms {
  readonly maturity?: string
  readonly kind?: string
  readonly coupon?: string
  readonly isDefault?: string
  readonly isInArrears?: string
  readonly isConvertible?: string
}

export interface Filing {
  readonly accession: string
  readonly filed: string
  readonly date: string
  readonly registrant: string
  readonly series: string
  readonly type?: string
  readonly positions: readonly Position[]
}

const filled = (position: Position) => ({
  name: 'Acme & Sons Corp',
  lei: 'N/A',
  title: 'Acme Corp',
  cusip: '037833100',
  isin: '',
  balance: '100000.00',
  units: 'PA',
  currency: 'USD',
  rate: '',
  value: '98123.00',
  payoff: 'Long',
  asset: 'DBT',
  assetSaid: '',
  issuer: 'CORP',
  issuerSaid: '',
  derivative: '',
  ...position,
})

const terms = (debt: DebtTerms = {}) => ({
  maturity: '2030-06-15',
  kind: 'Fixed',
  coupon: '4.5',
  isDefault: 'N',
  isInArrears: 'N',
  isConvertible: '',
  ...debt,
})

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function positionXml(position: Position): string {
  const p = filled(position)
  const said = (element: string, value: string, words: string) =>
    words === ''
      ? `<${element}Cat>${value}</${element}Cat>`
      : `<${element}Conditional ${element}Cat="${value}" desc="${escaped(words)}"/>`
  const debt = () => {
    const d = terms(p.debt ?? {})
    const convertible =
      d.isConvertible === '' ? '' : `<isMandatoryConvrtbl>${d.isConvertible}</isMandatoryConvrtbl>`
    return `<debtSec><maturityDt>${d.maturity}</maturityDt><couponKind>${d.kind}</couponKind><annualizedRt>${d.coupon}</annualizedRt>
<isDefault>${d.isDefault}</isDefault><areIntrstPmntsInArrs>${d.isInArrears}</areIntrstPmntsInArrs><isPaidKind>N</isPaidKind>${convertible}</debtSec>`
  }
  const currency =
    p.rate === ''
      ? `<curCd>${p.currency}</curCd>`
      : `<currencyConditional curCd="${p.currency}" exchangeRt="${p.rate}"/>`
  const derivative =
    p.derivative === ''
      ? ''
      : `<derivativeInfo><swapDeriv derivCat="${p.derivative}"><x/></swapDeriv></derivativeInfo>`
  return `<invstOrSec><name>${escaped(p.name)}</name><lei>${p.lei}</lei><title>${escaped(p.title)}</title><cusip>${p.cusip}</cusip>
<identifiers>${p.isin === '' ? '' : `<isin value="${p.isin}"/>`}<other otherDesc="INTERNAL" value="1"/></identifiers>
<balance>${p.balance}</balance><units>${p.units}</units>${currency}<valUSD>${p.value}</valUSD><pctVal>0.1</pctVal>
<payoffProfile>${p.payoff}</payoffProfile>${said('asset', p.asset, p.assetSaid)}${said('issuer', p.issuer, p.issuerSaid)}
<invCountry>US</invCountry><isRestrictedSec>N</isRestrictedSec>${p.debt === null ? '' : debt()}${derivative}</invstOrSec>`
}

/** A filing as EDGAR keeps it. */
export const filingXml = ({ registrant, series, date, positions }: Filing): string =>
  `<?xml version="1.0" encoding="UTF-8"?><edgarSubmission xmlns="http://www.sec.gov/edgar/nport"><headerData/><formData>
<genInfo><regName>${escaped(registrant)}</regName><seriesName>${escaped(series)}</seriesName><repPdEnd>2023-10-31</repPdEnd>
<repPdDate>${date}</repPdDate></genInfo><invstOrSecs>${positions.map(positionXml).join('\n')}</invstOrSecs></formData></edgarSubmission>`

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
/** `2023-03-31` as the data sets write it. */
const day = (date: string) =>
  date.replace(/^(\d{4})-(\d{2})-(\d{2})$/, (_, y, m, d) => `${d}-${MONTHS[m - 1]}-${y}`)

const HEADERS = {
  SUBMISSION:
    'ACCESSION_NUMBER FILING_DATE FILE_NUM SUB_TYPE REPORT_ENDING_PERIOD REPORT_DATE IS_LAST_FILING',
  REGISTRANT:
    'ACCESSION_NUMBER CIK REGISTRANT_NAME FILE_NUM LEI ADDRESS1 ADDRESS2 CITY STATE COUNTRY ZIP PHONE',
  FUND_REPORTED_INFO: 'ACCESSION_NUMBER SERIES_NAME SERIES_ID SERIES_LEI TOTAL_ASSETS',
  FUND_REPORTED_HOLDING:
    'ACCESSION_NUMBER HOLDING_ID ISSUER_NAME ISSUER_LEI ISSUER_TITLE ISSUER_CUSIP BALANCE UNIT OTHER_UNIT_DESC CURRENCY_CODE CURRENCY_VALUE EXCHANGE_RATE PERCENTAGE PAYOFF_PROFILE ASSET_CAT OTHER_ASSET ISSUER_TYPE OTHER_ISSUER INVESTMENT_COUNTRY IS_RESTRICTED_SECURITY FAIR_VALUE_LEVEL DERIVATIVE_CAT',
  IDENTIFIERS:
    'HOLDING_ID IDENTIFIERS_ID IDENTIFIER_ISIN IDENTIFIER_TICKER OTHER_IDENTIFIER OTHER_IDENTIFIER_DESC',
  DEBT_SECURITY:
    'HOLDING_ID MATURITY_DATE COUPON_TYPE ANNUALIZED_RATE IS_DEFAULT ARE_ANY_INTEREST_PAYMENT IS_ANY_PORTION_INTEREST_PAID IS_CONVTIBLE_MANDATORY IS_CONVTIBLE_CONTINGENT',
} as const

export type TableName = keyof typeof HEADERS
export type Quarter = Record<TableName, string[][]>

/** The tables of a quarter with these filings, each with its header. */
export function quarterOf(filings: readonly Filing[]): Quarter {
  const rows = Object.fromEntries(
    Object.entries(HEADERS).map(([name, header]) => [name, [header.split(' ')]]),
  ) as Quarter
  let id = 167_000_000
  for (const { accession, filed, date, registrant, series, type = 'NPORT-P', positions } of filings) {
    rows.SUBMISSION.push([accession, day(filed), '811-1', type, '31-OCT-2023', day(date), 'N'])
    rows.REGISTRANT.push([accession, '0000001234', registrant, '811-1', '', '', '', '', '', '', '', ''])
    rows.FUND_REPORTED_INFO.push([accession, series, 'S000000001', '', '1000000'])
    for (const position of positions) {
      const p = filled(position)
      const at = String(++id)
      rows.FUND_REPORTED_HOLDING.push([
        ...[
          accession,
          at,
          p.name,
          p.lei,
          p.title,
          p.cusip,
          p.balance,
          p.units,
          '',
          p.currency,
          p.value,
          p.rate,
        ],
        ...['0.1', p.payoff, p.asset, p.assetSaid, p.issuer, p.issuerSaid, 'US', 'N', '2', p.derivative],
      ])
      rows.IDENTIFIERS.push([at, `${id}1`, '', '', '1', 'INTERNAL'])
      if (p.isin) rows.IDENTIFIERS.push([at, `${id}2`, p.isin, '', '', ''])
      const d = terms(p.debt ?? {})
      if (p.debt !== null)
        rows.DEBT_SECURITY.push([
          ...[at, day(d.maturity), d.kind, d.coupon, d.isDefault, d.isInArrears, 'N', d.isConvertible],
          d.isConvertible,
        ])
    }
  }
  return rows
}

export const tsv = (rows: readonly (readonly string[])[]): string =>
  rows.map(row => `${row.join('\t')}\n`).join('')
