/** A section of a filing as input of extraction rules. */
export interface FiledSection {
  readonly text: string
  readonly title: string | null
  readonly section_type: string
  /** Where `text` begins in the document's text, characters. */
  readonly offset: number
  /** Form or exhibit, `10-K`, `EX-10.1`. */
  readonly doc_type: string
  readonly accession: string | null
  readonly filing_date: string | null
  /** End of the period that the document reports. */
  readonly period_end: string | null
  readonly company_name: string | null
  readonly cik: string | null
}
