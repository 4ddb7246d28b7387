import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { ingest } from '../../engine/ingest/ingest.ts'
import { nport } from '../../engine/ingest/readers/nport.ts'
import { nportDataSets } from '../../engine/ingest/readers/nport-data-sets.ts'
import { ensureLake } from '../../engine/lake/lake.ts'
import { testFolder } from '../folder.ts'
import { refusedIn, rowsOf as storedRows } from './lake-rows.ts'
import { makeZip } from './make-zip.ts'
import {
  type Filing,
  filingXml,
  type Position,
  type Quarter,
  quarterOf,
  type TableName,
  tsv,
} from './nport-quarter.ts'
import { gathering, type Reading, reading, sourceOf } from './reading.ts'

const ACME = '0001111111-23-000001'
const BETA = '0002222222-23-000002'

const filing = (positions: readonly Position[], more: Partial<Filing> = {}): Filing => ({
  accession: ACME,
  filed: '2023-05-26',
  date: '2023-03-31',
  registrant: 'MADE UP TRUST',
  series: 'Bond Fund',
  positions,
  ...more,
})

const members = (quarter: Partial<Quarter>, chunk?: number) =>
  Object.entries(quarter).map(([name, rows]) => ({
    ...sourceOf(tsv(rows), chunk),
    name: `2023q2_nport.zip!${name}.tsv`,
  }))

/** What the reader makes of a quarter's archive. */
async function readQuarter(quarter: Partial<Quarter>, options = {}, chunk?: number): Promise<Reading> {
  const { result, sink } = gathering()
  await nportDataSets.archive!.read(members(quarter, chunk), sink, options)
  return result
}

/** Positions of every kind that the form knows, and that the reader treats apart. */
const everyKind: readonly Position[] = [
  { lei: 'HWUPKR0MPOU8FGXBT394', isin: 'US0378331005' },
  {
    cusip: '000000000',
    isin: 'XS2103218538',
    balance: '650000',
    value: '606468.07',
    currency: 'EUR',
    rate: '0.92208400',
  },
  { cusip: '000000000', isin: 'XS2103218538', currency: 'EUR' },
  { cusip: 'N/A', name: 'Société Générale', title: 'Société Générale 5% 2030' },
  { asset: 'LON', title: 'Acme Term Loan B', cusip: 'N/A', debt: { kind: 'Floating', coupon: '9.1' } },
  {
    asset: 'OTHER',
    assetSaid: 'Bank Loan',
    cusip: 'N/A',
    title: 'Acme Revolver',
    debt: { kind: 'Variable' },
  },
  { asset: 'OTHER', assetSaid: 'Mortgage loan pool' },
  { issuer: 'OTHER', issuerSaid: 'REIT' },
  { issuer: 'OTHER', issuerSaid: 'derivative' },
  { issuer: 'MUN' },
  { issuer: 'UST' },
  { asset: 'EC', units: 'NS', debt: null },
  { asset: 'ABS-CBDO' },
  { asset: 'LON', cusip: 'N/A', title: 'A loan without terms', debt: null },
  { payoff: 'Short' },
  { balance: '-100' },
  { units: 'NC' },
  { derivative: 'SWP' },
  { balance: '0' },
  { value: '0.00', debt: { isDefault: 'Y' } },
  { debt: { isInArrears: 'Y' } },
  { value: '98123000' },
  { debt: { kind: 'None', coupon: '0' } },
  { debt: { kind: 'None', coupon: '5.1' } },
  { debt: { coupon: 'much' } },
  { debt: { isConvertible: 'N' } },
  { cusip: 'N/A', name: 'N/A', title: 'N/A' },
]

const rowsOf = ({ taken }: Reading) => taken.map(({ outputs }) => outputs)

t.test('a filing gives the same rows from the data set as from its own XML', async t => {
  const made = filing(everyKind)
  const xml = await reading(nport, filingXml(made), { known_from: made.filed })
  for (const chunk of [7, 65_536]) {
    const quarter = await readQuarter(quarterOf([made]), {}, chunk)
    t.strictSame(rowsOf(quarter), rowsOf(xml))
    t.equal(quarter.refused.length, xml.refused.length)
    t.strictSame(
      quarter.refused.map(({ at }) => Number(at.replace('FUND_REPORTED_HOLDING.tsv row ', '')) - 1),
      xml.refused.map(({ at }) => Number(at.replace('invstOrSec ', ''))),
    )
  }
  t.equal(xml.taken.length, 14, 'so that the comparison is of something')
})

t.test('values with accrued interest and coupons as fractions are told apart for each filing', async t => {
  const positions = (coupon: (i: number) => number, accrued: number): Position[] =>
    Array.from({ length: 12 }, (_, i) => ({
      balance: '10000000',
      value: ((95.123 + i * 0.731 + accrued * (4 + i / 8)) * 100_000).toFixed(2),
      debt: { maturity: '2031-06-15', coupon: String(coupon(i)) },
    }))
  const filings = [
    filing(
      positions(i => 4 + i / 8, 0),
      { accession: ACME, series: 'Clean' },
    ),
    filing(
      positions(i => 4 + i / 8, 106 / 360),
      { accession: BETA, series: 'Dirty' },
    ),
    filing(
      positions(i => (4 + i / 8) / 100, 0),
      { accession: '0003333333-23-000003', series: 'Fractions' },
    ),
  ]
  const each = await Promise.all(
    filings.map(one => reading(nport, filingXml(one), { known_from: one.filed })),
  )
  const quarter = quarterOf(filings)
  const together = await readQuarter(quarter)
  t.strictSame(rowsOf(together), each.flatMap(rowsOf))
  t.match(together.notes, [
    '3 of 3 reports have corporate debt: 2 with clean prices, 1 with accrued interest in them',
    'coupons are fractions in 1 reports, read as percent: MADE UP TRUST, Fractions',
  ])
  const [header, ...rows] = quarter.FUND_REPORTED_HOLDING
  const mixed = [...rows].sort((a, b) => (Number(a[1]) % 12) - (Number(b[1]) % 12))
  const shuffled = await readQuarter({ ...quarter, FUND_REPORTED_HOLDING: [header!, ...mixed] })
  const inOrder = (r: Reading) =>
    rowsOf(r)
      .map(row => JSON.stringify(row))
      .sort()
  t.strictSame(inOrder(shuffled), inOrder(together), 'also where the rows of filings are mixed')
})

t.test('holdings are known on the day of their own filing, those of an amendment later', async t => {
  const r = await readQuarter(
    quarterOf([
      filing([{}]),
      filing([{ value: '97000.00' }], { accession: BETA, filed: '2023-06-20', type: 'NPORT-P/A' }),
    ]),
  )
  const prices = r.taken.map(({ outputs }) => outputs[1]!.values)
  t.match(prices, [
    { price_date: '2023-03-31', known_from: '2023-05-26', price: 98.123 },
    { price_date: '2023-03-31', known_from: '2023-06-20', price: 97 },
  ])
  t.match(r.notes.join('; '), /1 reports are amendments/)
  const given = await readQuarter(quarterOf([filing([{}])]), { known_from: '2024-01-02' })
  t.equal(given.taken[0]!.outputs[0]!.values['known_from'], '2024-01-02')
})

t.test('a holding whose filing or id is unknown is refused, with its row', async t => {
  const quarter = quarterOf([filing([{}, {}, {}, { asset: 'EC' }])])
  quarter.FUND_REPORTED_HOLDING[1]![0] = '0009999999-23-000009'
  quarter.FUND_REPORTED_HOLDING[2]![1] = 'one'
  quarter.FUND_REPORTED_HOLDING[3]!.pop()
  const r = await readQuarter(quarter)
  t.strictSame(
    r.refused.map(({ at, reason }) => `${at}: ${reason}`),
    [
      'FUND_REPORTED_HOLDING.tsv row 2: its filing (ACCESSION_NUMBER) is not in SUBMISSION.tsv',
      'FUND_REPORTED_HOLDING.tsv row 3: HOLDING_ID is not a whole number',
      'FUND_REPORTED_HOLDING.tsv row 4: 21 cells where the header has 22',
      'FUND_REPORTED_HOLDING.tsv row 5: not a corporate bond or loan: asset category EC, common equity',
    ],
  )
  t.strictSame(
    r.refused.map(({ raw }) => raw.slice(0, 12)),
    ['0009999999-2', '0001111111-2', '0001111111-2', ''],
  )
  for (const [column, reason] of [
    [1, /no FILING_DATE/],
    [5, /no REPORT_DATE/],
  ] as const) {
    const undated = quarterOf([filing([{}])])
    undated.SUBMISSION[1]![column] = '31-FEB-2023'
    t.match((await readQuarter(undated)).refused, [{ reason }])
  }
})

t.test('a missing table or column, and a table that is cut off, refuse the whole', async t => {
  const whole = quarterOf([filing([{}, {}])])
  for (const name of Object.keys(whole) as TableName[]) {
    const { [name]: _, ...rest } = whole
    await t.rejects(readQuarter(rest), {
      name: 'Refused',
      message: `the data set has no ${name}.tsv: load the zip`,
    })
    const [header, ...rows] = whole[name]
    const renamed = header!.map((column, i) => (i === 0 ? 'SOMETHING' : column))
    await t.rejects(readQuarter({ ...whole, [name]: [renamed, ...rows] }), {
      message: new RegExp(`^${name}.tsv has no column ${header![0]}`),
    })
    const text = tsv(whole[name])
    const lastTab = text.lastIndexOf('\t')
    const cut = members(whole).map(file =>
      file.name.endsWith(`!${name}.tsv`) ? { ...sourceOf(text.slice(0, lastTab)), name: file.name } : file,
    )
    const sink = { take: () => {}, refuse: () => {}, drain: async () => {}, note: () => {} }
    await t.rejects(nportDataSets.archive!.read(cut, sink, {}), {
      message: new RegExp(`^${name}.tsv is cut off in row [23]`),
    })
  }
})

t.test('what is unknown or lacking is said in the notes', async t => {
  const quarter = quarterOf([filing([{}]), filing([], { accession: BETA })])
  for (const [i, row] of quarter.FUND_REPORTED_HOLDING.entries()) row.push(i === 0 ? 'NEW_COLUMN' : 'x')
  quarter.DEBT_SECURITY.pop()
  const { notes, taken } = await readQuarter(quarter)
  t.match(taken[0]!.outputs[0]!.values, { coupon_rate: null, maturity_date: null })
  t.strictSame(notes.slice(1), [
    '1 corporate holdings have no row in DEBT_SECURITY.tsv: their bonds are taken without coupon and maturity',
    '1 reports have no holdings: if that is most of them, FUND_REPORTED_HOLDING.tsv is not whole',
    'columns unknown to this reader were ignored in FUND_REPORTED_HOLDING.tsv: NEW_COLUMN',
  ])
})

const parts = (quarter: Quarter) =>
  Object.entries({ ...quarter, BORROWER: [['ACCESSION_NUMBER', 'BORROWER_ID', 'NAME']] }).map(
    ([name, rows]) => ({ name: `${name}.tsv`, content: tsv(rows) }),
  )

t.test('the zip, its folder and the one table of holdings beside the others give the same rows', async t => {
  const folder = testFolder(t)
  const content = parts(quarterOf([filing(everyKind)]))
  await writeFile(join(folder, '2023q2_nport.zip'), makeZip(content))
  await mkdir(join(folder, 'quarter'))
  for (const { name, content: text } of content) await writeFile(join(folder, 'quarter', name), text)
  const loaded = async (name: string, path: string) => {
    const lake = await ensureLake(join(folder, name))
    const report = await ingest(lake, [join(folder, path)])
    const rejects = await refusedIn(lake)
    const without = (rows: Record<string, unknown>[]) =>
      rows.map(({ source: _, ingested_at: __, ...row }) => row)
    return {
      report,
      rejects: rejects.length,
      prices: without(await storedRows(lake, 'prices')),
      bonds: without(await storedRows(lake, 'bonds')),
    }
  }
  const zip = await loaded('zip', '2023q2_nport.zip')
  t.match(zip.report.files, [{ status: 'taken', kinds: ['nport-data-sets'], read: 27, rejected: 13 }])
  t.equal(zip.report.totals.accepted + zip.report.totals.duplicate, 14)
  t.equal(zip.rejects, 13)
  const unpacked = await loaded('unpacked', 'quarter')
  const alone = await loaded('alone', 'quarter/FUND_REPORTED_HOLDING.tsv')
  for (const { prices, bonds } of [unpacked, alone]) {
    t.strictSame(prices, zip.prices)
    t.strictSame(bonds, zip.bonds)
  }
  t.strictSame(
    unpacked.report.files.map(({ status, read }) => [status, read]),
    [...Array(2).fill(['refused', 0]), ['taken', 27], ...Array(4).fill(['refused', 0])],
  )
  t.match(unpacked.report.files[0]!.reason, /read with FUND_REPORTED_HOLDING.tsv/)
})
