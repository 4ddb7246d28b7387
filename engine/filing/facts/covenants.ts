import { ownerOf } from '../../names/instrument-owner.ts'
import type { RowOf } from '../../schema/column.ts'
import type { covenants } from '../../schema/datasets/covenants.ts'
import { agreementTerms } from './agreement.ts'
import { basketsIn } from './baskets.ts'
import { withWholeWords } from './broken-words.ts'
import { type Clause, clausesIn } from './clauses.ts'
import { debtLimitsIn } from './debt-limits.ts'
import { Definitions } from './definitions.ts'
import { withoutDeleted } from './deleted-text.ts'
import { endedNames, isEnded } from './ended-names.ts'
import { equityCureIn } from './equity-cure.ts'
import { quoted } from './evidence.ts'
import { type FiledSection, isDiscussion, isOfAgreement, isOtherNote, voiceOf } from './filed-section.ts'
import { type FinancialTest, financialTestsIn } from './financial-covenants.ts'
import { flatten, oneLine } from './flat-text.ts'
import { footnoteName } from './footnote-names.ts'
import { bothNamed, definedName, instrumentNear, isProspectus, shownName } from './instrument-name.ts'
import { listedRestrictionsIn } from './listed-restrictions.ts'
import { isInThousands } from './money.ts'
import { type Restriction, restrictionsIn } from './negative-covenants.ts'
import { itemRestrictionsIn } from './prohibited-items.ts'
import type { Protection } from './protection.ts'
import { protectionsIn } from './protective-covenants.ts'
import type { Reading } from './reading.ts'
import { recordId } from './record-id.ts'
import { restrictionSentencesIn } from './restriction-sentences.ts'
import type { Step } from './step-schedule.ts'
import { rowTestsIn } from './test-tables.ts'
import { investeesIn, isOfOwnDebt, withoutOwnName } from './told-in-passing.ts'

export type CovenantRow = Partial<RowOf<typeof covenants.columns>>

// Five in six notes on other subjects have none of these words, and are not read further.
const ofLenders =
  /\b(?:covenants?|indentures?|debentures|lenders?|(?:credit|loan|bank|counterparty|guarantee|lease)\s+agreements?|credit\s+facilit(?:y|ies)|lines?\s+of\s+credit|term\s+loans?|swaps?|guarantor|make[-\s]?whole|treasury\s+rate|(?:senior|convertible|subordinated|placement)\s+notes)\b/i

/** Rows of the dataset `covenants` in a section, each with its words. */
export function covenantsIn(section: FiledSection): CovenantRow[] {
  const voice = voiceOf(section)
  if (voice === null || (isOtherNote(section) && !ofLenders.test(section.text))) return []
  const isContract = voice === 'agreement'
  const reading: Reading = {
    flat: withoutDeleted(withWholeWords(flatten(section.text))),
    clauses: isContract ? clausesIn(section.text) : [],
    day: section.filing_date,
    isContract,
    isInThousands: !isContract && isInThousands(section.text, section.amounts_in ?? null),
  }
  const isAgreement = isOfAgreement(section) && !isProspectus(section)
  const about = {
    company_name: section.company_name,
    cik: section.cik,
    ...(isAgreement && agreementTerms(section.text, isContract ? 'agreement' : 'announcement')),
    document_type: section.doc_type,
    source_document_date: section.filing_date,
    accession: section.accession,
  }
  const cure = equityCureIn(reading.flat)
  const definitions = isContract ? new Definitions(reading.flat) : null
  const nameOf = (found: { from: number; to: number }): string | null =>
    about.instrument_name ??
    footnoteName(
      section.text,
      found,
      definedName(reading.flat, instrumentNear(reading.flat, section.text, found.from, found.to)),
    )
  // A sentence about two instruments states the covenant of each.
  const namesOf = (found: { from: number; to: number }): readonly (string | null)[] => {
    const both =
      isContract || about.instrument_name ? [] : bothNamed(reading.flat.slice(found.from, found.to))
    return both.length > 0 ? both : [nameOf(found)]
  }
  const rowsOf = (
    found: { from: number; to: number; clause: Clause | null } & Pick<FinancialTest, 'namedIn' | 'namedAs'>,
    facts: CovenantRow,
  ): CovenantRow[] => {
    const quote = quoted(section, found.from, found.to, found.clause)
    const [from, to] = found.namedIn ?? [found.from, found.to]
    const told = found.namedAs === undefined ? namesOf({ from, to }) : [found.namedAs]
    const names = told.map(name => withoutOwnName(name, section.company_name))
    return names.map(instrument_name => ({
      id: recordId(section, instrument_name, facts.covenant_name, facts.test_metric),
      ...about,
      instrument_name: shownName(instrument_name),
      ...facts,
      description: oneLine(quote.evidence, 400),
      ...quote,
    }))
  }
  const titled = isContract ? [...restrictionsIn(reading), ...itemRestrictionsIn(reading)] : []
  const named = new Set(titled.map(r => r.covenant_name))
  const rows = [
    ...testsIn(reading, section.text).flatMap(test =>
      rowsOf(test, {
        ...ofTest(test),
        cure_period_days: cure?.period_days ?? null,
        equity_cure: cure,
        definitions: someOf(definitions?.behind(reading.flat.slice(...test.mention)), section.offset),
      }),
    ),
    ...[
      ...titled,
      ...(isContract ? restrictionSentencesIn(reading).filter(s => !named.has(s.covenant_name)) : []),
      ...(isContract && !isProspectus(section) ? [] : listedRestrictionsIn(reading)),
    ].flatMap(r =>
      rowsOf(r, {
        ...ofRestriction(r),
        baskets: someOf(r.clause && isContract ? basketsIn(reading.flat, r.clause) : []),
      }),
    ),
    ...protectionsIn(reading).flatMap(p => rowsOf(p, ofProtection(p))),
  ]
  return best(isContract ? rows : ofOwnAgreements(rows, section, reading.flat))
}

/** The financial tests of a section; a row of a table of levels is no sentence. */
function testsIn(reading: Reading, text: string): FinancialTest[] {
  const inRows = rowTestsIn(reading, text)
  const inSentences = [...financialTestsIn(reading), ...debtLimitsIn(reading)].filter(
    ({ mention: [at] }) => !inRows.some(row => row.from <= at && at < row.to),
  )
  return [...inSentences, ...inRows]
}

/** What a report tells of the company's own agreements that have not been replaced since. */
function ofOwnAgreements(rows: readonly CovenantRow[], section: FiledSection, flat: string): CovenantRow[] {
  const ended = endedNames(flat)
  const investees = investeesIn(flat)
  return rows.filter(
    ({ instrument_name: name, evidence }) =>
      !isEnded(ended, name) &&
      !investees.has(ownerOf(name) ?? '') &&
      (!isDiscussion(section) || isOfOwnDebt(flatten(evidence ?? ''), name)),
  )
}

const ofTest = (test: FinancialTest): CovenantRow => ({
  covenant_type: test.frequency === 'incurrence' ? 'incurrence' : 'financial',
  covenant_name: test.metric.covenant_name,
  test_metric: test.metric.test_metric,
  threshold_value: test.threshold,
  threshold_type: test.metric.direction,
  test_frequency: test.frequency,
  has_step_down: test.hasStepDown,
  step_down_schedule: test.steps,
  extraction_confidence: test.confidence,
  rule: test.rule,
})

const ofRestriction = ({ test, ...restriction }: Restriction): CovenantRow => ({
  covenant_type: test ? 'incurrence' : 'negative',
  covenant_name: restriction.covenant_name,
  ...(test && {
    test_metric: test.metric.test_metric,
    threshold_value: test.threshold,
    threshold_type: test.metric.direction,
  }),
  test_frequency: test ? 'incurrence' : 'ongoing',
  has_step_down: false,
  extraction_confidence: restriction.confidence,
  rule: restriction.rule,
})

const ofProtection = (protection: Protection): CovenantRow => ({
  covenant_type: 'protective',
  covenant_name: protection.covenant_name,
  threshold_value: protection.threshold,
  threshold_type: protection.threshold === null ? null : 'minimum',
  test_frequency: protection.rule === 'reporting' ? 'ongoing' : 'event',
  has_step_down: false,
  put_price_pct: protection.putPricePct,
  extraction_confidence: protection.confidence,
  rule: protection.rule,
})

/** A list, or null in place of an empty one; definitions with their offset in the document. */
function someOf<T extends object>(all: readonly T[] = [], offset = 0): T[] | null {
  if (all.length === 0) return null
  return all.map(each => ('offset' in each ? { ...each, offset: offset + Number(each.offset) } : each))
}

/** One row per covenant of a section: the most confident, then one with a level, then the first. */
function best(rows: readonly CovenantRow[]): CovenantRow[] {
  const bestOf = new Map<string, CovenantRow>()
  for (const row of rows) {
    const key = `${row.instrument_name?.toLowerCase() ?? ''}|${row.covenant_name}|${row.test_metric ?? ''}`
    const other = bestOf.get(key)
    if (!other || hasStepsTo(row, other) || (sureness(row) > sureness(other) && !hasStepsTo(other, row)))
      bestOf.set(key, row)
  }
  return [...bestOf.values()].sort((a, b) => a.evidence_offset! - b.evidence_offset!)
}

/** Whether a row tells by steps what another tells of one of them. */
const hasStepsTo = (row: CovenantRow, other: CovenantRow): boolean =>
  ((row.step_down_schedule ?? []) as readonly Step[]).some(
    step => step.threshold_value === other.threshold_value,
  ) && (other.step_down_schedule ?? null) === null

const sureness = (row: CovenantRow): number =>
  row.extraction_confidence! + (row.covenant_type === 'financial' && row.threshold_value === null ? -1 : 0)
