import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  fundName,
  type Holding,
  mayBeCorporateDebt,
  notCorporateDebt,
  ReportedDebt,
  sentence,
  tallyNotes,
} from './nport-holdings.ts'
import { HoldingTerms, NumberList, TERMS, type Term } from './nport-terms.ts'
import { type Reader, type ReadOptions, Refused, type Sink, type SourceFile } from './reader.ts'
import { dateIn } from './source-cells.ts'
import { type Cell, eachTabRow, memberName, tabHeader } from './tab-separated.ts'

/** The tables that are read, and the columns that each must have. */
const TABLES = {
  SUBMISSION: ['ACCESSION_NUMBER', 'FILING_DATE', 'SUB_TYPE', 'REPORT_DATE'],
  REGISTRANT: ['ACCESSION_NUMBER', 'REGISTRANT_NAME'],
  FUND_REPORTED_INFO: ['ACCESSION_NUMBER', 'SERIES_NAME'],
  FUND_REPORTED_HOLDING: [
    ...['ACCESSION_NUMBER', 'HOLDING_ID', 'ISSUER_NAME', 'ISSUER_LEI', 'ISSUER_TITLE', 'ISSUER_CUSIP'],
    ...['BALANCE', 'UNIT', 'CURRENCY_CODE', 'CURRENCY_VALUE', 'EXCHANGE_RATE', 'PAYOFF_PROFILE', 'ASSET_CAT'],
    ...['OTHER_ASSET', 'ISSUER_TYPE', 'OTHER_ISSUER', 'IS_RESTRICTED_SECURITY', 'DERIVATIVE_CAT'],
  ],
  IDENTIFIERS: ['HOLDING_ID', 'IDENTIFIER_ISIN'],
  DEBT_SECURITY: [
    ...['HOLDING_ID', 'MATURITY_DATE', 'COUPON_TYPE', 'ANNUALIZED_RATE', 'IS_DEFAULT'],
    ...['ARE_ANY_INTEREST_PAYMENT', 'IS_CONVTIBLE_MANDATORY'],
  ],
} as const satisfies Record<string, readonly string[]>

type Table = keyof typeof TABLES
const names = Object.keys(TABLES) as readonly Table[]

/** Columns of holdings of which nothing is read. */
const UNREAD = ['OTHER_UNIT_DESC', 'PERCENTAGE', 'INVESTMENT_COUNTRY', 'FAIR_VALUE_LEVEL']

/** `FUND_REPORTED_HOLDING` of `2026q2_nport/FUND_REPORTED_HOLDING.tsv.gz`. */
const tableName = (name: string): string =>
  memberName({ name })
    .replace(/\.(tsv|txt)(\.gz)?$/i, '')
    .toUpperCase()

const isTable = (file: SourceFile, name: Table): boolean => {
  const header = tabHeader(file)
  return TABLES[name].every(column => header.includes(column))
}

/** First columns of the other tables of a quarter. */
const OTHER_TABLE =
  /^\uFEFF?(HOLDING_ID\t[A-Z_]+|ACCESSION_NUMBER\t(BORROWER_ID|BORROW_AGGREGATE_ID|INTEREST_RATE_RISK_ID|MONTHLY_TOTAL_RETURN_ID|ASSET_CAT|DESIGNATED_INDEX_NAME|HOLDING_ID|SERIES_NAME|CIK\tREGISTRANT_NAME\tFILE_NUM))\b/

const ALONE =
  'a table of the quarterly N-PORT data sets: it is read with FUND_REPORTED_HOLDING.tsv, from the zip as published or a folder that has all tables'

export const nportDataSets: Reader = {
  kind: 'nport-data-sets',
  doc: "SEC Form N-PORT Data Sets: a quarter of all funds' holdings, zip or folder of tab-separated tables; corporate bonds and loans with the marks of the funds.",
  recognises: file =>
    OTHER_TABLE.test(file.head) || names.some(name => file.head.includes('\t') && isTable(file, name)),

  async read(file, sink, options) {
    if (!isTable(file, 'FUND_REPORTED_HOLDING') && tableName(file.name) !== 'FUND_REPORTED_HOLDING')
      throw new Refused(ALONE)
    const tables = await tablesBeside(file)
    await readQuarter({ ...tables, FUND_REPORTED_HOLDING: file }, sink, options, 'row')
  },

  archive: {
    recognises: members => {
      const found = members.map(tableName)
      return (
        found.includes('FUND_REPORTED_HOLDING') ||
        (found.includes('DEBT_SECURITY') && found.includes('FUND_REPORTED_INFO'))
      )
    },
    async read(members, sink, options) {
      const tables = new Map(members.map(file => [tableName(file.name), file]))
      await readQuarter(Object.fromEntries(tables), sink, options, 'FUND_REPORTED_HOLDING.tsv row')
    },
  },
}

/** The other tables of an unpacked quarter, from the folder of its holdings. */
async function tablesBeside(file: SourceFile): Promise<Partial<Record<string, SourceFile>>> {
  const { beside } = file
  const entries = beside ? await readdir(dirname(file.name)).catch(() => []) : []
  const tables: Partial<Record<string, SourceFile>> = {}
  for (const entry of entries.sort()) {
    const name = tableName(entry)
    if (name === 'FUND_REPORTED_HOLDING' || !names.some(each => each === name)) continue
    if (beside) tables[name] ??= await beside(entry)
  }
  return tables
}

/** What the small tables say of a filing, and how many of its holdings may be corporate debt. */
interface Filing {
  readonly date: string | null
  readonly filed: string | null
  readonly isAmendment: boolean
  registrant?: string
  series?: string
  hasHoldings: boolean
  left: number
  debt?: ReportedDebt
}

class Quarter {
  readonly tables: Readonly<Record<Table, SourceFile>>
  readonly sink: Sink
  readonly filings = new Map<string, Filing>()

  constructor(tables: Partial<Record<string, SourceFile>>, sink: Sink) {
    const missing = names.filter(name => !tables[name])
    if (missing.length > 0)
      throw new Refused(
        `the data set has no ${missing.map(name => `${name}.tsv`).join(', ')}: load the zip as published, or a folder with all its tables`,
      )
    this.tables = tables as Record<Table, SourceFile>
    this.sink = sink
  }

  /** The rows of a table; `null` in place of the sink passes over rows that are refused when they are read again. */
  each(
    name: Table,
    onRow: (cell: Cell, at: string, raw: string) => void | Promise<void>,
    { at = `${name}.tsv row`, sink = this.sink }: { at?: string; sink?: Sink } = {},
  ): Promise<void> {
    return eachTabRow({ file: this.tables[name], sink, at, needed: TABLES[name], isWhole: true }, onRow)
  }
}

async function readQuarter(
  tables: Partial<Record<string, SourceFile>>,
  sink: Sink,
  options: ReadOptions,
  at: string,
): Promise<void> {
  const quarter = new Quarter(tables, sink)
  await readFilings(quarter)
  const terms = await readTerms(quarter, await wantedHoldings(quarter))
  const { filings } = quarter
  const tally = { unpriced: 0, unnamed: 0, unexplained: 0 }
  const reports = { clean: 0, dirty: 0, fractions: [] as string[] }
  const others = new Map<string, string>()

  const end = async (filing: Filing, debt: ReportedDebt) => {
    await debt.end()
    delete filing.debt
    if (!debt.isEmpty) reports[debt.priceBasis]++
    if (debt.hasFractions) reports.fractions.push(nameOf(filing))
  }
  /** The row of a holding that may be corporate debt. */
  const give = async (filing: Filing, id: number, holding: Holding) => {
    filing.debt ??= new ReportedDebt(reportOf(filing, options), sink, tally)
    const { debt } = filing
    const other = notCorporateDebt(holding.fields)
    if (other)
      await sink.refuse(
        holding.at,
        holding.raw,
        other.described ? `${other.why}, described in words` : other.why,
      )
    else {
      if (!terms.hasDebt(id)) tally.unexplained++
      const done = debt.add(holding)
      if (done) await done
    }
    if (--filing.left === 0) await end(filing, debt)
  }

  await quarter.each(
    'FUND_REPORTED_HOLDING',
    (cell, at, raw) => {
      const filing = filings.get(cell('ACCESSION_NUMBER'))
      const fault = faultOf(filing, cell)
      if (fault !== null || !filing) return sink.refuse(at, raw, fault ?? NO_FILING)
      const [asset, issuer] = [cell('ASSET_CAT'), cell('ISSUER_TYPE')]
      if (isWanted(cell)) {
        const id = Number(cell('HOLDING_ID'))
        return give(filing, id, { at, raw, fields: terms.addTo(fieldsOf(cell), id) })
      }
      // Millions of shares and Treasuries: their position says which, so that their text is not kept.
      const key = `${asset} ${issuer}`
      const known = others.get(key)
      if (known !== undefined) return sink.refuse(at, '', known)
      const other = notCorporateDebt({ assetCat: asset, issuerCat: issuer, units: 'PA' })
      const reason = other ? sentence(other) : 'not corporate debt'
      others.set(key, reason)
      return sink.refuse(at, '', reason)
    },
    { at },
  )
  for (const filing of filings.values()) if (filing.debt) await end(filing, filing.debt)
  for (const note of notesOf(quarter, reports, tally)) sink.note(note)
}

const NO_FILING = 'its filing (ACCESSION_NUMBER) is not in SUBMISSION.tsv'

/** Why nothing can be read of a holding; null of those that can. */
function faultOf(filing: Filing | undefined, cell: Cell): string | null {
  if (!filing) return NO_FILING
  if (filing.date === null) return 'SUBMISSION.tsv has no REPORT_DATE of its filing'
  if (filing.filed === null) return 'SUBMISSION.tsv has no FILING_DATE of its filing'
  return /^\d{1,15}$/.test(cell('HOLDING_ID')) ? null : 'HOLDING_ID is not a whole number'
}

const isWanted = (cell: Cell): boolean =>
  mayBeCorporateDebt(cell('OTHER_ASSET') === '' ? cell('ASSET_CAT') : '', cell('ISSUER_TYPE'))

async function readFilings(quarter: Quarter): Promise<void> {
  const { filings } = quarter
  await quarter.each('SUBMISSION', cell => {
    filings.set(cell('ACCESSION_NUMBER'), {
      date: dateIn(cell('REPORT_DATE')),
      filed: dateIn(cell('FILING_DATE')),
      isAmendment: cell('SUB_TYPE').endsWith('/A'),
      hasHoldings: false,
      left: 0,
    })
  })
  await quarter.each('REGISTRANT', cell => {
    const filing = filings.get(cell('ACCESSION_NUMBER'))
    if (filing) filing.registrant = own(cell('REGISTRANT_NAME'))
  })
  await quarter.each('FUND_REPORTED_INFO', cell => {
    const filing = filings.get(cell('ACCESSION_NUMBER'))
    if (filing) filing.series = own(cell('SERIES_NAME'))
  })
}

/** A copy: a piece of a text keeps the whole of it in memory. */
const own = (text: string): string => Buffer.from(text.trim()).toString()

/** The ids of holdings that may be corporate debt, so that of other tables only their rows are kept. */
async function wantedHoldings(quarter: Quarter): Promise<Float64Array> {
  const ids = new NumberList()
  const sink = { ...quarter.sink, refuse: () => {} }
  await quarter.each(
    'FUND_REPORTED_HOLDING',
    cell => {
      const filing = quarter.filings.get(cell('ACCESSION_NUMBER'))
      if (filing) filing.hasHoldings = true
      if (!filing || faultOf(filing, cell) !== null || !isWanted(cell)) return
      filing.left++
      ids.push(Number(cell('HOLDING_ID')))
    },
    { sink },
  )
  return ids.taken()
}

async function readTerms(quarter: Quarter, ids: Float64Array): Promise<HoldingTerms> {
  const terms = new HoldingTerms(ids)
  const columns = Object.keys(TERMS) as Term[]
  for (const table of ['DEBT_SECURITY', 'IDENTIFIERS'] as const) {
    const own = columns.filter(column => (TABLES[table] as readonly string[]).includes(column))
    await quarter.each(table, cell => {
      const at = terms.placeOf(Number(cell('HOLDING_ID')))
      if (at < 0) return
      if (table === 'DEBT_SECURITY') terms.setDebt(at)
      for (const column of own) terms.set(at, column, cell(column).trim())
    })
  }
  return terms
}

/** Columns of holdings, and the elements of Form N-PORT that they are. */
const ELEMENTS: readonly (readonly [string, string])[] = [
  ['ISSUER_NAME', 'name'],
  ['ISSUER_LEI', 'lei'],
  ['ISSUER_TITLE', 'title'],
  ['ISSUER_CUSIP', 'cusip'],
  ['BALANCE', 'balance'],
  ['UNIT', 'units'],
  ['CURRENCY_VALUE', 'valUSD'],
  ['PAYOFF_PROFILE', 'payoffProfile'],
  ['IS_RESTRICTED_SECURITY', 'isRestrictedSec'],
  ['DERIVATIVE_CAT', 'derivativeInfo/derivative@derivCat'],
]

/** A row as the elements of the form, of which some have another place where the filer writes in words. */
function fieldsOf(cell: Cell): Record<string, string> {
  const fields: Record<string, string> = {}
  const keep = (element: string, text: string) => {
    const trimmed = text.trim()
    if (trimmed !== '') fields[element] = trimmed
  }
  for (const [column, element] of ELEMENTS) keep(element, cell(column))
  const asset = cell('OTHER_ASSET') === '' ? 'assetCat' : 'assetConditional@assetCat'
  keep(asset, cell('ASSET_CAT'))
  keep('assetConditional@desc', cell('OTHER_ASSET'))
  keep(cell('OTHER_ISSUER') === '' ? 'issuerCat' : 'issuerConditional@issuerCat', cell('ISSUER_TYPE'))
  keep('issuerConditional@desc', cell('OTHER_ISSUER'))
  const isForeign = cell('EXCHANGE_RATE') !== '' && cell('CURRENCY_CODE') !== 'USD'
  keep(isForeign ? 'currencyConditional@curCd' : 'curCd', cell('CURRENCY_CODE'))
  if (isForeign) keep('currencyConditional@exchangeRt', cell('EXCHANGE_RATE'))
  return fields
}

const nameOf = ({ registrant, series }: Filing): string => fundName(registrant, series)

/** The report of a filing whose dates are known. */
const reportOf = (filing: Filing, { known_from }: ReadOptions) => ({
  date: filing.date ?? '',
  fund: nameOf(filing),
  known_from: known_from ?? filing.filed ?? '',
})

function notesOf(
  { filings, tables }: Quarter,
  { clean, dirty, fractions }: { clean: number; dirty: number; fractions: readonly string[] },
  tally: { unpriced: number; unnamed: number; unexplained: number },
): string[] {
  const all = [...filings.values()]
  const amended = all.filter(({ isAmendment }) => isAmendment).length
  const empty = all.filter(({ hasHoldings }) => !hasHoldings).length
  const known: readonly string[] = [...TABLES.FUND_REPORTED_HOLDING, ...UNREAD]
  const unknown = tabHeader(tables.FUND_REPORTED_HOLDING).filter(name => !known.includes(name))
  const notes: [number, string][] = [
    [
      clean + dirty,
      `${clean + dirty} of ${all.length} reports have corporate debt: ${clean} with clean prices, ${dirty} with accrued interest in them`,
    ],
    [amended, `${amended} reports are amendments (NPORT-P/A), known from their own filing day`],
    [
      fractions.length,
      `coupons are fractions in ${fractions.length} reports, read as percent: ${fractions.slice(0, 3).join('; ')}`,
    ],
    [
      tally.unexplained,
      `${tally.unexplained} corporate holdings have no row in DEBT_SECURITY.tsv: their bonds are taken without coupon and maturity`,
    ],
    [
      empty,
      `${empty} reports have no holdings: if that is most of them, FUND_REPORTED_HOLDING.tsv is not whole`,
    ],
    [
      unknown.length,
      `columns unknown to this reader were ignored in FUND_REPORTED_HOLDING.tsv: ${unknown.join(', ')}`,
    ],
  ]
  return [...notes.flatMap(([n, note]) => (n > 0 ? [note] : [])), ...tallyNotes(tally)]
}
