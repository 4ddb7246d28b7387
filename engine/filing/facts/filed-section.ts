/** A section of a filing as extraction rules are given it. */
export interface FiledSection {
  readonly text: string
  readonly title: string | null
  readonly section_type: string
  /** Where `text` begins in the text of its document, characters. */
  readonly offset: number
  /** Form or exhibit, `10-K`, `EX-10.1`. */
  readonly doc_type: string
  readonly accession: string | null
  readonly filing_date: string | null
  readonly company_name: string | null
  readonly cik: string | null
}
