import { type Output, type Reader, Refused } from './reader.ts'

interface Entry {
  readonly cik?: unknown
  readonly cik_str?: unknown
  readonly ticker?: unknown
  readonly title?: unknown
  readonly name?: unknown
}

export const companyTickers: Reader = {
  kind: 'company-tickers',
  doc: "The SEC's list of tickers, CIKs and names (company_tickers.json, company_tickers_exchange.json).",
  recognises: ({ head }) =>
    /^[\s\uFEFF]*[{[]\s*(?:"\d+"\s*:\s*)?\{[^{}]*"cik_str"\s*:/.test(head) ||
    /^[\s\uFEFF]*\{\s*"fields"\s*:\s*\[(?=[^\]]*"cik")(?=[^\]]*"name")(?=[^\]]*"ticker")/.test(head),

  async read(file, sink) {
    const entries = entriesOf(parsed((await file.text()).replace(/^\uFEFF/, '')))
    for (const [i, entry] of entries.entries()) {
      const at = `entry ${i + 1}`
      const made = outputOf(entry, i + 1)
      if (typeof made === 'string') await sink.refuse(at, JSON.stringify(entry), made)
      else await sink.take(at, [made])
    }
  },
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Refused(`not JSON (${(error as Error).message}): fetch the file again`)
  }
}

/** Both forms in file order: the first ticker of a CIK is canonical. */
function entriesOf(json: unknown): Entry[] {
  const { fields, data } = json as { fields?: string[]; data?: unknown[][] }
  if (Array.isArray(fields) && Array.isArray(data))
    return data.map(row => Object.fromEntries(fields.map((field, i) => [field, row[i]])))
  return Object.values(json as Record<string, Entry>)
}

function outputOf(entry: Entry, position: number): Output | string {
  const cik = String(entry.cik_str ?? entry.cik ?? '')
  const name = String(entry.title ?? entry.name ?? '').trim()
  const ticker = String(entry.ticker ?? '').trim()
  if (!/^\d{1,10}$/.test(cik)) return `the CIK ${JSON.stringify(cik)} is not a number of up to 10 digits`
  if (name === '') return 'no name'
  return {
    dataset: 'directory',
    values: {
      registry: 'sec',
      name,
      position,
      ticker: ticker === '' ? null : ticker.toUpperCase(),
      cik: cik.padStart(10, '0'),
    },
  }
}
