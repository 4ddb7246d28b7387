import { fixed, money, NOTHING } from './figures.ts'
import { wordsOf } from './words.ts'

/** An input in `_explain`: a fact of a filing (`concept`), or another figure (`item`). */
export interface Input {
  readonly item?: string | null
  readonly concept?: string | null
  readonly value?: number | string | boolean | null
  readonly unit?: string | null
  readonly bond_id?: string | null
  readonly accession?: string | null
  readonly source?: string | null
}

/** Label of an input: `us-gaap:LongTermDebtNoncurrent` as Long term debt noncurrent. */
export function inputName({ item, concept, bond_id }: Input): string {
  if (bond_id) return `Bond ${bond_id}`
  if (item) return wordsOf(item)
  if (!concept) return NOTHING
  const words = concept
    .slice(concept.indexOf(':') + 1)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A value in a readable unit: `$4.20bn` for cents and for dollars alike. */
export function inputValue({ value, unit }: Input): string {
  if (value === null || value === undefined) return NOTHING
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value !== 'number') return value
  const minor = /^([A-Z]{3}) (cents|minor units)$/.exec(unit ?? '')
  if (minor) return money(value, minor[1])
  if (/^[A-Z]{3}$/.test(unit ?? '')) return money(value * 100, unit)
  const text = fixed(value, Number.isInteger(value) ? 0 : 2)
  return unit && unit !== 'count' ? `${text} ${unit}` : text
}

/** A file name and position, without the server's folders. */
export const fileName = (source: string): string => source.split(/[/\\]/).at(-1)!

/** The filing's page at the SEC; null if this is not an accession number. */
export function filingUrl(
  accession: string | null | undefined,
  cik: string | null | undefined,
): string | null {
  if (!accession || !/^\d{10}-\d{2}-\d{6}$/.test(accession)) return null
  const filer = Number(cik && /^\d{1,10}$/.test(cik) ? cik : accession.slice(0, 10))
  return `https://www.sec.gov/Archives/edgar/data/${filer}/${accession.replaceAll('-', '')}/${accession}-index.htm`
}
