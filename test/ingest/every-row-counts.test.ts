import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { Database, literal } from '../../engine/database/database.ts'
import { ingest } from '../../engine/ingest/ingest.ts'
import { readRejects } from '../../engine/ingest/rejects.ts'
import { ensureLake } from '../../engine/lake/lake.ts'
import { testFolder } from '../folder.ts'

/** A row of a generated file: rows with the same number are equal, and a flaw makes a row invalid. */
interface Row {
  readonly n: number
  readonly isFlawed: boolean
}

const CUSIPS = ['037833100', '594918104', '459200101', '17275RAN2', '023135BW5', '000000AA7']
const LEIS = ['HWUPKR0MPOU8FGXBT394', '7ZW8QJWVPR4P1J1KQY45']
/** Mondays to Fridays. */
const day = ({ n, isFlawed }: Row): string => (isFlawed ? 'no day' : `2024-03-${11 + n}`)
const amount = ({ n, isFlawed }: Row): string => (isFlawed ? 'n0ne' : String(90 + n))

const lines = (header: string, line: (row: Row) => string) => (rows: readonly Row[]) =>
  `${[header, ...rows.map(line)].join('\n')}\n`
const price = (row: Row) => ({
  cusip: CUSIPS[row.n],
  price_date: day({ ...row, isFlawed: false }),
  price: row.isFlawed ? -1 : 90 + row.n,
  price_source: 'vendor',
})

/** How rows are written in each kind of file. XML and JSON documents are about one company or fund. */
const kinds: Readonly<Record<string, { file: string; text: (rows: readonly Row[]) => string }>> = {
  'table as CSV': {
    file: 'prices.csv',
    text: lines('cusip,price_date,price,price_source', row => `${Object.values(price(row)).join(',')}`),
  },
  'table as NDJSON': {
    file: 'prices.ndjson',
    text: rows => rows.map(row => `${JSON.stringify(price(row))}\n`).join(''),
  },
  'table as JSON': { file: 'prices.json', text: rows => JSON.stringify(rows.map(price)) },
  treasury: {
    file: 'treasury.csv',
    text: lines('Date,1 Mo,1 Yr,10 Yr', row => `${day(row)},5.${row.n},4.9,4.2`),
  },
  fred: { file: 'DGS3MO.csv', text: lines('observation_date,DGS3MO', row => `${day(row)},5.${row.n}`) },
  'index-spreads': { file: 'oas.csv', text: lines('DATE,BAMLC0A0CM', row => `${day(row)},0.9${row.n}`) },
  trace: {
    file: 'trace.csv',
    text: lines(
      'cusip_id,bond_sym_id,trd_exctn_dt,trd_exctn_tm,trd_rpt_dt,msg_seq_nb,trc_st,asof_cd,orig_msg_seq_nb,rptd_pr,entrd_vol_qt,yld_pt,yld_sign_cd,rpt_side_cd,cntra_mp_id,cmsn_trd,buy_cpcty_cd,sell_cpcty_cd,wis_fl,spcl_trd_fl',
      row => {
        const traded = day({ ...row, isFlawed: false })
        return `${CUSIPS[row.n]},,${traded},9:31:05,${traded},001234${row.n},T,,,${amount(row)},250000,0.31,-,S,C,N,,A,N,`
      },
    ),
  },
  'rating-actions': {
    file: 'actions.csv',
    text: lines(
      'Rating,Name,Symbol,Rating Agency Name,Date,Sector,currentRatio',
      ({ n, isFlawed }) =>
        `${isFlawed ? 'ZZZ' : 'BBB'},"Acme ${n}, Inc.",AC${n},Standard & Poor's Ratings Services,2/1${n}/2014,Capital Goods,0.9`,
    ),
  },
  'issuer-codes': {
    file: 'codes.csv',
    text: lines('cik,cusip6', ({ n, isFlawed }) => `${isFlawed ? 'none' : `10000${n}.0`},03783${n}`),
  },
  gleif: {
    file: 'gleif.csv',
    text: lines(
      '"LEI","Entity.LegalName","Entity.LegalJurisdiction","Registration.RegistrationStatus"',
      ({ n, isFlawed }) => `"${isFlawed ? 'SHORT' : LEIS[n % 2]}","Acme ${n % 2}","US-DE","ISSUED"`,
    ),
  },
  companyfacts: {
    file: 'facts.json',
    text: rows => {
      const facts = rows.map(({ n, isFlawed }) => ({
        end: `2024-03-1${n}`,
        val: isFlawed ? 'much' : 1_000_000 + n,
        accn: '0000001234-24-000010',
        fy: 2024,
        fp: 'Q1',
        form: '10-Q',
        filed: '2024-05-02',
      }))
      return JSON.stringify({
        cik: 1234,
        entityName: 'Acme',
        facts: { 'us-gaap': { Assets: { units: { USD: facts } } } },
      })
    },
  },
  nport: {
    file: 'nport.xml',
    text: rows =>
      `<?xml version="1.0" encoding="UTF-8"?><edgarSubmission xmlns="http://www.sec.gov/edgar/nport"><headerData/><formData><genInfo><regName>MADE UP TRUST</regName><seriesName>Bond Fund</seriesName><repPdEnd>2023-10-31</repPdEnd><repPdDate>2023-03-31</repPdDate></genInfo><invstOrSecs>${rows.map(holding).join('\n')}</invstOrSecs></formData></edgarSubmission>`,
  },
  'xbrl-instance': {
    file: 'acme.xml',
    text: rows =>
      `<?xml version="1.0"?><x:xbrl xmlns:x="http://www.xbrl.org/2003/instance" xmlns:gaap="http://fasb.org/us-gaap/2024" xmlns:dei="http://xbrl.sec.gov/dei/2024" xmlns:iso="http://www.xbrl.org/2003/iso4217">
${rows.map(({ n, isFlawed }) => `<gaap:Revenues${n} contextRef="${isFlawed ? 'gone' : 'year'}" unitRef="usd" decimals="-6">90000000${n}</gaap:Revenues${n}>`).join('\n')}
<dei:DocumentType contextRef="year">10-K</dei:DocumentType><dei:EntityRegistrantName contextRef="year">Acme Inc.</dei:EntityRegistrantName>
<x:context id="year"><x:entity><x:identifier scheme="http://www.sec.gov/CIK">0000001234</x:identifier></x:entity>
<x:period><x:startDate>2024-01-01</x:startDate><x:endDate>2024-12-31</x:endDate></x:period></x:context>
<x:unit id="usd"><x:measure>iso:USD</x:measure></x:unit></x:xbrl>`,
  },
}

const holding = (
  row: Row,
) => `<invstOrSec><name>Acme ${row.n} Corp</name><lei>N/A</lei><title>Acme Corp</title>
<cusip>${CUSIPS[row.n]}</cusip><identifiers><other otherDesc="INTERNAL" value="${row.n}"/></identifiers>
<balance>100000.00</balance><units>PA</units><curCd>USD</curCd><valUSD>9812${row.n}.00</valUSD><pctVal>0.1</pctVal>
<payoffProfile>Long</payoffProfile><assetCat>${row.isFlawed ? 'EC' : 'DBT'}</assetCat><issuerCat>CORP</issuerCat><invCountry>US</invCountry>
<isRestrictedSec>N</isRestrictedSec><debtSec><maturityDt>2030-06-15</maturityDt><couponKind>Fixed</couponKind>
<annualizedRt>4.5</annualizedRt><isDefault>N</isDefault><areIntrstPmntsInArrs>N</areIntrstPmntsInArrs><isPaidKind>N</isPaidKind></debtSec></invstOrSec>`

async function putParquet(path: string, rows: readonly Row[]): Promise<void> {
  const values = rows.map(
    row => `('${CUSIPS[row.n]}', DATE '2024-03-${11 + row.n}', ${row.isFlawed ? -1 : 90 + row.n}, 'vendor')`,
  )
  const database = await Database.create({ threads: 1 })
  await database.run(
    `COPY (SELECT * FROM (VALUES ${values.join(', ')}) v(cusip, price_date, price, price_source)) TO ${literal(path)} (FORMAT parquet)`,
  )
  database.close()
}

/** Kinds for which one generated row is one row of the accounting; instances also have facts about the document. */
const counts = (kind: string): boolean => kind !== 'xbrl-instance'

/** The nightly run generates more, with another seed each time. */
const RUNS = process.env['TRANCHE_MUTATIONS'] ? 40 : 3
const SEED = Number(process.env['TRANCHE_MUTATION_SEED'] ?? 7)

const rows = fc.array(fc.record({ n: fc.nat({ max: 4 }), isFlawed: fc.boolean() }), {
  minLength: 1,
  maxLength: 12,
})
const names = [...Object.keys(kinds), 'table as Parquet']

t.test('in every kind of file each row read is accepted, a duplicate or rejected', async t => {
  let round = 0
  const property = fc.asyncProperty(fc.tuple(...names.map(() => rows)), async files => {
    const folder = join(t.testdirName, String(round++))
    await mkdir(folder, { recursive: true })
    const paths: string[] = []
    for (const [i, name] of names.entries()) {
      const kind = kinds[name]
      await mkdir(join(folder, String(i)))
      const path = join(folder, String(i), kind?.file ?? 'prices.parquet')
      if (kind) await writeFile(path, kind.text(files[i]!))
      else await putParquet(path, files[i]!)
      paths.push(path)
    }
    const lake = await ensureLake(join(folder, 'lake'))
    const report = await ingest(lake, paths, { known_from: '2024-05-02' })
    const rejects = new Map<string, number>()
    for await (const { file, position } of readRejects(lake))
      if (position !== null) rejects.set(file, (rejects.get(file) ?? 0) + 1)
    for (const [i, name] of names.entries()) {
      const { read, accepted, duplicate, rejected, failure, reason, status } = report.files[i]!
      const said = `${name}: ${JSON.stringify({ read, accepted, duplicate, rejected, status, reason })}`
      if (failure) throw new Error(`${said}: ${failure}`)
      if (accepted + duplicate + rejected !== read) throw new Error(said)
      if (counts(name) && read !== files[i]!.length) throw new Error(`${said} of ${files[i]!.length} rows`)
      if ((rejects.get(paths[i]!) ?? 0) !== rejected)
        throw new Error(`${said}, and ${rejects.get(paths[i]!) ?? 0} rows among the rejects`)
      const flawed = files[i]!.filter(row => row.isFlawed).length
      if (counts(name) && rejected !== flawed) throw new Error(`${said}, and ${flawed} rows have a flaw`)
    }
  })
  testFolder(t)
  await t.resolves(fc.assert(property, { numRuns: RUNS, seed: SEED }))
})
