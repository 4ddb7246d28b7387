/** A section as the index takes it. */
export interface Section {
  readonly id: string
  readonly ticker: string | null
  readonly company_name: string | null
  readonly company_id: string | null
  readonly coverage: string | null
  readonly doc_type: string
  readonly section_type: string
  readonly section_title: string | null
  /** `YYYY-MM-DD`. */
  readonly filing_date: string | null
  readonly known_from: string | null
  readonly content: string
  /** What a hit shows beside the fields above. */
  readonly shown: Readonly<Record<string, unknown>>
}

/** The heading of a section: searched beside its text, and prefixed to its passages. */
export const headingOf = ({
  company_name,
  section_title,
}: Pick<Section, 'company_name' | 'section_title'>): string =>
  [company_name, section_title].filter(part => part !== null && part !== '').join('. ')

/** Days since 1970; the minimum integer if there is none. */
export const NO_DAY = -0x80000000
export const dayNumber = (day: string | null): number =>
  day === null ? NO_DAY : Math.round(Date.parse(`${day}T00:00:00Z`) / 86_400_000)
