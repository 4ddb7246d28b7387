import { elementAt } from '../base/elements.ts'
import type { Context, ListAnswer } from './operation.ts'

type Row = Readonly<Record<string, unknown>>
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
    'corrections',
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
      ...(row['corrections'] ? { corrections: row['corrections'] } : {}),
    })),
})

const standingNeeds = [
  'evidences',
  'evidence_count',
  'last_stated',
  'in_force',
  'ended_on',
  'ended_because',
  'ended_by',
]

/** Why a fact is or is not in force; `more` are further fields that say so. */
const standingOf = (row: Row, ...more: readonly string[]) => ({
  value: row['in_force'],
  ended_on: row['ended_on'],
  ended_because: row['ended_because'],
  ended_by: row['ended_by'],
  agreement_date: row['agreement_date'],
  agreement_maturity_date: row['agreement_maturity_date'],
  ...Object.fromEntries(more.map(name => [name, row[name]])),
  last_stated: row['last_stated'],
})

const evidencesOf = (row: Row) => ({ evidence_count: row['evidence_count'], evidences: row['evidences'] })

/** The words behind a pledge, every passage that states it, and why it is or is not in force. */
export const explainCollateral: Explain = context => {
  const { needs, of } = explainEvidence(context)
  return {
    needs: [...needs, ...standingNeeds, 'agreement_date', 'agreement_maturity_date'],
    of: async rows =>
      (await of(rows)).map((explained, i) => {
        const row = elementAt(rows, i)
        return { ...(explained as object), in_force: standingOf(row), ...evidencesOf(row) }
      }),
  }
}

/** The words behind a covenant, every passage that states it, and why it is or is not in force. */
export const explainCovenants: Explain = context => {
  const { needs, of } = explainEvidence(context)
  return {
    needs: [
      ...needs,
      ...standingNeeds,
      'agreement_date',
      'agreement_maturity_date',
      'effective_from',
      'step_down_schedule',
      'threshold_value',
      'definitions',
      'baskets',
      'equity_cure',
    ],
    of: async rows =>
      (await of(rows)).map((explained, i) => {
        const row = elementAt(rows, i)
        return {
          ...(explained as object),
          threshold_value: {
            value: row['threshold_value'],
            formula: isCorrected(row, 'threshold_value')
              ? 'as corrected'
              : 'the newest stated level; of a schedule the last step begun by the as-of day',
            inputs: [{ item: 'step_down_schedule', value: row['step_down_schedule'] }],
          },
          in_force: standingOf(row, 'effective_from'),
          definitions: row['definitions'],
          baskets: row['baskets'],
          equity_cure: row['equity_cure'],
          ...evidencesOf(row),
        }
      }),
  }
}

/** Whether a user's correction set a field of a row. */
const isCorrected = (row: Row, field: string): boolean =>
  ((row['corrections'] ?? []) as readonly { readonly field: string }[]).some(set => set.field === field)

/** Who made a correction and why, and the value that was read. */
export const explainCorrections: Explain = () => ({
  needs: ['source', 'known_from', 'field', 'value', 'was', 'reason', 'made_by', 'made_at', 'is_applied'],
  of: async rows =>
    rows.map(row => ({
      source: row['source'],
      rule: 'as corrected',
      evidence: null,
      known_from: row['known_from'],
      field: row['field'],
      was: row['was'],
      value: row['value'],
      by: row['made_by'],
      at: row['made_at'],
      because: row['reason'],
      is_applied: row['is_applied'],
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
