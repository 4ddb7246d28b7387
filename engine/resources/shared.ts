import { date, nullable, oneOf, onRequest, shaped, text } from '../column.ts'
import { evidence } from '../datasets.ts'
import { coverages } from '../vocabulary.ts'

/** Who a row is about. */
export const companyColumns = {
  ticker: nullable(shaped('ticker', 'Ticker of the company.', { example: 'AAPL' })),
  company_name: nullable(text('Name of the company.')),
}

/** The words of a document behind a record, returned only when named. */
export const evidenceColumns = {
  evidence: onRequest(evidence.evidence),
  evidence_section: onRequest(evidence.evidence_section),
  evidence_offset: onRequest(evidence.evidence_offset),
  rule: onRequest(evidence.rule),
  accession: onRequest(evidence.accession),
}

/** Carried by every table about companies, returned only when named. */
export const linkColumns = {
  company_id: onRequest(
    nullable(
      text(
        'Id of the company: its ticker, else `CIK` and ten digits, else its LEI, else `NAME:` and its name.',
      ),
    ),
  ),
  coverage: onRequest(nullable(oneOf(coverages, 'Coverage set of the company.'))),
  known_from: onRequest(nullable(date('Day the market could first know the row.'))),
}
