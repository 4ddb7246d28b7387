import type { Context, ListAnswer } from './operation.ts'

type Explain = (context: Context) => NonNullable<ListAnswer['explain']>

/** The source of a record: the words of a document, or the file it was loaded from. */
export const explainEvidence: Explain = () => ({
  needs: [
    'source',
    'accession',
    'evidence',
    'evidence_section',
    'evidence_offset',
    'rule',
    'extraction_confidence',
    'source_document_date',
    'known_from',
  ],
  of: async rows =>
    rows.map(row => ({
      source: row['source'],
      accession: row['accession'],
      document_date: row['source_document_date'],
      known_from: row['known_from'],
      rule: row['rule'] ?? 'as loaded',
      confidence: row['extraction_confidence'],
      evidence:
        row['evidence'] === null
          ? null
          : { text: row['evidence'], section: row['evidence_section'], offset: row['evidence_offset'] },
    })),
})

const formulas = {
  rating_rank: "rank on the agency's scale, from 1 (best) to 22 (default)",
  rating_bucket: 'IG at rank 10 or better, HY-BB to 13, HY-B to 16, HY-CCC below, NR if withdrawn',
}

/** The source of a rating, and how its rank and bucket follow from it. */
export const explainRatings: Explain = () => ({
  needs: ['source', 'source_section_type', 'rating', 'rating_rank', 'effective_date', 'known_from'],
  of: async rows =>
    rows.map(row => ({
      source: row['source'],
      rule: row['source_section_type'],
      evidence: null,
      effective_date: row['effective_date'],
      known_from: row['known_from'],
      inputs: { rating: row['rating'], rating_rank: row['rating_rank'] },
      formulas,
    })),
})

/** The source of an index spread, and its conversion to basis points. */
export const explainIndexSpreads: Explain = () => ({
  needs: ['source', 'option_adjusted_spread', 'spread_bps', 'known_from'],
  of: async rows =>
    rows.map(row => ({
      source: row['source'],
      rule: 'as published',
      known_from: row['known_from'],
      spread_bps: {
        value: row['spread_bps'],
        unit: 'basis points',
        formula: '100 * option_adjusted_spread',
        inputs: [{ item: 'option_adjusted_spread', value: row['option_adjusted_spread'], unit: 'percent' }],
      },
    })),
})
