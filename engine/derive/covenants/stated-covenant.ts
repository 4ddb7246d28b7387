import type { covenantEnds } from '../../schema/vocabulary.ts'

export type EndReason = (typeof covenantEnds)[number]

/** What one document states about a covenant. Its index in the list is its `n`; later ones became known later. */
export interface StatedCovenant {
  /** Equal in rows that replace each other. */
  readonly id: string
  readonly company_id: string | null
  readonly instrument_name: string | null
  readonly covenant_name: string
  readonly test_metric: string | null
  readonly threshold_value: number | null
  readonly steps: readonly { readonly date: string | null; readonly threshold_value: number }[]
  /** Null for a row loaded from elsewhere than documents. */
  readonly rule: string | null
  readonly document_type: string | null
  /** Date of the document, else the day it was known. */
  readonly day: string | null
  readonly evidence_section: string | null
  readonly agreement_date: string | null
  readonly agreement_maturity_date: string | null
  readonly replaces_agreement_date: string | null
  readonly ended_on: string | null
  readonly ended_because: EndReason | null
}
