import { readFile } from 'node:fs/promises'
import { isJson, isListOf, isObject, isSubmission, isXml } from './content-checks.ts'
import {
  ciksOf,
  filingsOf,
  folderUrl,
  type ListedFiling,
  tenDigits,
  tickerList,
  writeIndex,
} from './edgar.ts'
import type { Session } from './session.ts'

export interface SecRequest {
  readonly source: 'sec'
  readonly tickers: readonly string[]
  readonly ciks: readonly string[]
  /** Filings from this day on. */
  readonly since: string
  /** Forms, without amendments, which are taken with them. */
  readonly forms: readonly string[]
}

/** Reports. Prospectuses can be asked for: banks file thousands for their structured notes. */
export const usualForms: readonly string[] = ['10-K', '10-Q', '8-K', '20-F', '40-F', '6-K']

/** The same request by CIK: a ticker may leave the SEC's list, or go to another company. */
export async function resolveSec(session: Session, request: SecRequest): Promise<SecRequest> {
  const found = request.tickers.length > 0 ? await ciksOf(session, request.tickers) : []
  return { ...request, tickers: [], ciks: [...new Set([...request.ciks.map(tenDigits), ...found])] }
}

/** Submissions, company facts, and filings with their exhibits and figures. */
export async function fetchSec(session: Session, { ciks, since, forms }: SecRequest): Promise<void> {
  await session.file(tickerList)
  for (const cik of ciks) {
    const filings = await filingsOf(session, cik, since)
    const facts = await session.file({
      url: `https://data.sec.gov/api/xbrl/companyfacts/CIK${cik}.json`,
      file: `sec/companyfacts/CIK${cik}.json`,
      check: isJson(['facts']),
    })
    if (facts === null) session.notes.push(`CIK ${cik}: no company facts, because it files no XBRL`)
    const missing: string[] = []
    for (const filing of filings)
      if (forms.includes(filing.form.replace(/\/A$/, '').toUpperCase()))
        await fetchFiling(session, cik, filing, missing)
    if (missing.length > 0)
      session.notes.push(
        `CIK ${cik}: ${missing.length} listed filings have no text there: ${shortened(missing)}`,
      )
  }
}

const MOST_NAMED = 5
const shortened = (names: readonly string[]): string =>
  names.length <= MOST_NAMED ? names.join(', ') : `${names.slice(0, MOST_NAMED).join(', ')}, …`

/** The full text of a filing, and its XBRL documents, which ingest reads from files of their own. */
async function fetchFiling(
  session: Session,
  cik: string,
  filing: ListedFiling,
  missing: string[],
): Promise<void> {
  const { accession, form, filed, period, isXbrl } = filing
  const folder = `sec/filings/${cik}`
  const text = await session.file({
    url: `${folderUrl(cik, accession)}/${accession}.txt`,
    file: `${folder}/${accession}.txt`,
    check: isSubmission,
    isFinal: true,
  })
  if (text === null) missing.push(`${form} ${accession}`)
  if (!isXbrl || !isPeriodic(form)) return
  const figures = await figuresOf(session, cik, accession)
  const fileOf = (name: string) => `${accession}-${name}`
  const lines = figures.map(({ name }) => ({ file: fileOf(name), cik, accession, form, filed, period }))
  // Before the files: whoever ingests an unfinished folder must not take them without their day.
  await writeIndex(session, folder, lines)
  for (const { name, root } of figures)
    await session.file({
      url: `${folderUrl(cik, accession)}/${name}`,
      file: `${folder}/${fileOf(name)}`,
      check: isXml(root),
      isFinal: true,
    })
}

/** Only periodic reports have figures of debt by instrument. */
const isPeriodic = (form: string): boolean => /^(10-?[KQ]|20-F|40-F)/i.test(form)

/** The XBRL instance of a filing and its calculations, by the index of its folder. */
async function figuresOf(
  session: Session,
  cik: string,
  accession: string,
): Promise<{ name: string; root: string }[]> {
  const wanted = {
    url: `${folderUrl(cik, accession)}/index.json`,
    file: `.fetch/index/${accession}.json`,
    check: isJson(
      ['directory'],
      ({ directory }) =>
        isObject(directory) && (directory['item'] === undefined || isListOf(directory['item'], isObject)),
    ),
    isFinal: true,
  }
  const found = await session.file(wanted)
  if (found === null || found.status === 'failed') return []
  const { directory } = JSON.parse(await readFile(session.folder.path(wanted.file), 'utf8')) as {
    directory: { item?: readonly { readonly name?: unknown }[] }
  }
  const names = (directory.item ?? []).flatMap(({ name }) =>
    typeof name === 'string' && /^[\w.-]{1,120}$/.test(name) ? [name] : [],
  )
  // EDGAR extracts an instance from inline documents; before 2019 filers sent one, named by its day.
  const instance =
    names.find(name => name.endsWith('_htm.xml')) ?? names.find(name => /-\d{8}\.xml$/.test(name))
  const calculations = names.find(name => name.endsWith('_cal.xml'))
  return [
    ...(instance === undefined ? [] : [{ name: instance, root: 'xbrl' }]),
    ...(calculations === undefined ? [] : [{ name: calculations, root: 'linkbase' }]),
  ]
}
