import { cikOf, parseJson } from './companyfacts.ts'
import { type Output, type Reader, Refused, type Sink } from './reader.ts'

type Columnar = Readonly<Record<string, readonly unknown[] | undefined>>

interface Submissions {
  readonly cik?: unknown
  readonly name?: string
  readonly lei?: string | null
  readonly sic?: string | number | null
  readonly sicDescription?: string | null
  readonly tickers?: readonly (string | null)[]
  readonly fiscalYearEnd?: string | null
  readonly stateOfIncorporation?: string | null
  readonly stateOfIncorporationDescription?: string | null
  readonly formerNames?: readonly { readonly name: string }[]
  readonly filings?: { readonly recent?: Columnar }
}

const MAIN = /^\s*\ufeff?\{(?=[\s\S]*"filings"\s*:)(?=[\s\S]*"recent"\s*:)[\s\S]*"accessionNumber"\s*:\s*\[/
const CONTINUATION = /^\s*\ufeff?\{\s*"accessionNumber"\s*:\s*\[/

export const submissions: Reader = {
  kind: 'submissions',
  doc: "SEC submissions JSON: a company's filings, and its continuation files.",
  recognises: ({ head }) => CONTINUATION.test(head) || MAIN.test(head),

  async read(file, sink) {
    const body = parseJson(await file.text()) as Submissions & Columnar
    if (body.filings?.recent === undefined) {
      const cik = cikOf(/CIK(\d{10})-submissions-\d+\.json/i.exec(file.name)?.[1])
      if (cik === null)
        throw new Refused(
          'a continuation file does not identify its filer: ' +
            'keep the name it is published under, CIK##########-submissions-###.json',
        )
      return takeFilings(body, { cik, name: null }, sink)
    }
    const cik = cikOf(body.cik)
    if (cik === null) throw new Refused(`cik ${JSON.stringify(body.cik)} is not a central index key`)
    await sink.take('company', [companyRow(cik, body)])
    await takeFilings(body.filings.recent, { cik, name: body.name ?? null }, sink)
  },
}

function companyRow(cik: string, body: Submissions): Output {
  const tickers = [...new Set((body.tickers ?? []).filter(ticker => ticker !== null && ticker !== ''))]
  const former = [...new Set((body.formerNames ?? []).map(({ name }) => name))]
  return {
    dataset: 'companies',
    values: {
      ticker: tickers[0] ?? null,
      name: body.name ?? null,
      cik,
      lei: body.lei || null,
      sector: null,
      industry: body.sicDescription || null,
      sic: String(body.sic ?? '') || null,
      country: countryOf(body),
      fiscal_year_end: body.fiscalYearEnd || null,
      former_names: former.length ? former : null,
      aliases: tickers.length > 1 ? tickers.slice(1) : null,
      coverage: null,
    },
  }
}

// A US state is described by its own two letters, anywhere else by its name.
function countryOf({ stateOfIncorporation: code, stateOfIncorporationDescription: says }: Submissions) {
  if (!code) return null
  return !says || says === code ? 'US' : says
}

async function takeFilings(
  columns: Columnar,
  company: { cik: string; name: string | null },
  sink: Sink,
): Promise<void> {
  const accessions = columns['accessionNumber'] ?? []
  const uneven = Object.entries(columns).find(
    ([, column]) => Array.isArray(column) && column.length !== accessions.length,
  )
  if (uneven)
    throw new Refused(
      `${uneven[0]} has ${uneven[1]?.length} values for ${accessions.length} filings: fetch the file again`,
    )
  const text = (name: string, i: number) => {
    const value = columns[name]?.[i]
    return value === undefined || value === null || value === '' ? null : String(value)
  }
  for (const i of accessions.keys()) {
    const accession = text('accessionNumber', i)
    const main = text('primaryDocument', i)
    const folder = `https://www.sec.gov/Archives/edgar/data/${Number(company.cik)}/${accession?.replaceAll('-', '')}`
    await sink.take(`filing ${i + 1}`, [
      {
        dataset: 'filings',
        values: {
          cik: company.cik,
          company_name: company.name,
          accession,
          form: text('form', i),
          filed_date: text('filingDate', i),
          report_date: text('reportDate', i),
          accepted: text('acceptanceDateTime', i),
          primary_document: main,
          items: text('items', i),
          is_xbrl: columns['isXBRL'] ? Boolean(columns['isXBRL'][i] || columns['isInlineXBRL']?.[i]) : null,
          source_url: main === null ? `${folder}/` : `${folder}/${main}`,
        },
      },
    ])
    if (i % 10_000 === 9_999) await sink.drain()
  }
}
