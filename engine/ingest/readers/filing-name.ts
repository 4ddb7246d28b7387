import { basename } from 'node:path'
import { groupOf } from '../../base/elements.ts'
import { formNamed } from '../../filing/form.ts'
import { accessionIn } from './inline-facts.ts'
import { dateIn } from './source-cells.ts'

/** What a file's name and folders reveal about its filing. */
export interface FilingName {
  readonly accession: string | null
  readonly cik: string | null
  readonly ticker: string | null
  readonly company: string | null
  /** Form or exhibit. */
  readonly type: string | null
  /** The default if the content says nothing else: an earnings release is an exhibit of a current report. */
  readonly likely: string | null
  readonly date: string | null
}

const EXTENSION = /(?<!\.(?:html?|xhtml|txt|text|xml|gz))(?:\.(?:html?|xhtml|txt|text|xml|gz))+$/i
const FORM = /(?:^|[_\-. ])((?:10|8|6|20|40)-?[kqf](?:sb|405|t)?|424b\d)(?:-?a)?(?=$|[_\-. ])/i
const EXHIBIT = /(?:^|[_\-. ])((?:exhibit|ex)[-_. ]?\d{1,2}(?:[-_.]\d{1,2})?)(?=$|[_\-. ])/i
const DAY = /(?:^|[_\-. ])(\d{4}-\d{2}-\d{2}|(?:19|20)\d{6})(?=$|[_\-. T])/
/** `3M_2019_10K`, `ACME_2023Q2_10Q`, `ACME_2022_8K_dated-2022-05-04`. */
const COMPANY = /^([A-Za-z0-9&.'_-]{2,}?)_(\d{4})(Q[1-4])?_([A-Za-z0-9]+)/
/** `PacificGas.424B5`, `form8-K.Nordstrom`. */
const AROUND_FORM =
  /^(?:form)?[-_. ]*|(?:^|(?<![-_. ])[-_. ]+)(?:primary|main|document|filing|d\d\w*|\d+)(?=$|[-_. ])|(?<![-_. ])[-_. ]+$/gi

export function filingName(path: string): FilingName {
  const file = basename(path.slice(path.lastIndexOf('!') + 1)).replace(EXTENSION, '')
  const folders = path.split('/').slice(0, -1)
  const exhibit = EXHIBIT.exec(file)?.[1]
  const form = FORM.exec(file)?.[1]
  const named = COMPANY.exec(file)
  const release = named && /^(earnings|release|pressrelease)/i.test(groupOf(named, 4)) ? 'EX-99' : null
  const type = exhibit ? formNamed(exhibit) : form ? formNamed(form) : null
  const day = DAY.exec(file)?.[1]
  return {
    accession: accessionIn(path),
    cik: cikIn(path),
    ticker: tickerOf(file, folders),
    company: named ? groupOf(named, 1).replaceAll('_', ' ') : besideForm(file, form),
    type,
    likely: release,
    date: day === undefined ? null : dateIn(day),
  }
}

/** The part of a file's name beside the form, if it can be a company and is not a ticker. */
function besideForm(file: string, form: string | undefined): string | null {
  if (form === undefined) return null
  const rest = file.replace(form, '').replace(DAY, '').replace(AROUND_FORM, '')
  return /^[A-Za-z][A-Za-z0-9&' ]{3,}$/.test(rest) && rest !== rest.toLowerCase() ? rest : null
}

/** `edgar/data/320193/...`, `CIK0000320193`, `320193-0000320193-24-000123`. */
function cikIn(path: string): string | null {
  const match =
    /(?:\/data\/|\bCIK)(\d{1,10})(?=\D|$)/i.exec(path) ?? /(?:^|[/!])(\d{1,10})-\d{10}-\d{2}-\d{6}/.exec(path)
  return match ? groupOf(match, 1).padStart(10, '0') : null
}

/** `aapl-10-k-2024-11-01`, `ex21_xom`, `AAPL/10-K/0000320193-24-000123/...`. */
function tickerOf(file: string, folders: readonly string[]): string | null {
  const before = /^([a-z]{1,5})[-_](?:10-?[kq]|8-?k)(?=[-_]|$)/i.exec(file)?.[1]
  const after = /^ex(?:hibit)?-?\d{1,2}[-_]([a-z]{1,5})$/i.exec(file)?.[1]
  if (before ?? after) return (before ?? after)!.toUpperCase()
  const at = folders.findIndex(folder => accessionIn(folder) !== null)
  const near = at < 0 ? [] : folders.slice(Math.max(0, at - 2), at).reverse()
  return near.find(folder => /^[A-Z]{1,5}(\.[A-Z])?$/.test(folder)) ?? null
}
