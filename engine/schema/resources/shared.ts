import {
  boolean,
  date,
  derived,
  integer,
  json,
  list,
  nullable,
  oneOf,
  onRequest,
  shaped,
  text,
} from '../column.ts'
import { evidenceFields } from '../datasets/shared.ts'
import { covenantEnds, coverages } from '../vocabulary.ts'

/** Who a row is about. */
export const companyColumns = {
  ticker: nullable(shaped('ticker', 'Ticker of the company.', { example: 'AAPL' })),
  company_name: nullable(text('Name of the company.')),
}

/** The words of a document behind a record; returned only when named. */
export const evidenceColumns = {
  evidence: onRequest(evidenceFields.evidence),
  evidence_section: onRequest(evidenceFields.evidence_section),
  evidence_offset: onRequest(evidenceFields.evidence_offset),
  rule: onRequest(evidenceFields.rule),
  accession: onRequest(evidenceFields.accession),
}

/** Whether what documents state holds on the as-of day, and which of them state it. */
export const standingColumns = {
  in_force: derived(boolean('Whether no document known on the as-of day ends it.')),
  ended_on: derived(
    nullable(
      date('Day it ended; for `not_repeated` the date of the first annual report that leaves it out.'),
    ),
  ),
  ended_because: derived(nullable(oneOf(covenantEnds, 'Why it ended.'))),
  evidence_count: derived(integer('Passages of documents that state it.')),
  last_stated: derived(nullable(date('Date of the newest document that states it.'))),
  evidences: onRequest(
    json(
      'Every passage that states it, newest first: document, day, level or lien, clause, offset, rule, confidence, words.',
    ),
  ),
  ended_by: onRequest(
    nullable(
      json(
        'What a document says of its end: the words, their place, the day; null if it ended otherwise or is in force.',
      ),
    ),
  ),
}

/** Corrections of a row that was read out of a document; returned only when named. */
export const correctionColumns = {
  corrections: onRequest(
    nullable(
      json("Users' corrections of the row: field, value read, value set, by whom, from when, and why."),
    ),
  ),
}

/** The column that is true of rows with the figures as most recently reported, and as first reported. */
export const printFlags = { latest: 'is_latest', original: 'is_original' } as const

/** The versions of statements for which a row holds. */
export const printColumns = {
  is_latest: derived(boolean('The row holds for figures as most recently reported.')),
  is_original: derived(boolean('The row holds for figures as first reported.')),
}

/** A version of a statement: the last known on the day, or the first. */
export type Print = keyof typeof printFlags

/** How reliable a leverage ratio is; returned only when named. */
export const leverageQualityColumns = {
  '_metadata.leverage_data_quality.ebitda_source': derived(
    onRequest(nullable(text('How EBITDA was formed.'))),
  ),
  '_metadata.leverage_data_quality.ebitda_quarters': derived(
    onRequest(nullable(integer('Quarters behind EBITDA.'))),
  ),
  '_metadata.leverage_data_quality.is_annualized': derived(
    onRequest(nullable(boolean('EBITDA was annualised.'))),
  ),
  '_metadata.leverage_data_quality.ebitda_estimated': derived(
    onRequest(nullable(boolean('Operating income is used for EBITDA.'))),
  ),
  '_metadata.leverage_data_quality.ttm_quarters': derived(onRequest(nullable(list('Quarters in the sum.')))),
}

/** On every table about companies; returned only when named. */
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
