import { documentText } from '../../filing/document-text.ts'
import { agreedFacilitiesIn } from '../../filing/facts/agreed-facilities.ts'
import { agreedNotesIn } from '../../filing/facts/agreed-notes.ts'
import { withRowsOfCells } from '../../filing/facts/cell-lines.ts'
import { creditFacilitiesIn } from '../../filing/facts/credit-facilities.ts'
import { debtLinesIn } from '../../filing/facts/debt-tables.ts'
import { toldSince } from '../../filing/facts/events-since.ts'
import { asNoteOnDebt, type FiledSection } from '../../filing/facts/filed-section.ts'
import type { InstrumentLine } from '../../filing/facts/instrument-line.ts'
import type { NotesOf } from '../../filing/facts/note-series.ts'
import { noteTermsIn } from '../../filing/facts/note-terms.ts'
import { offeredNotesIn } from '../../filing/facts/offered-notes.ts'
import { termSheetNotesIn } from '../../filing/facts/term-sheets.ts'
import { withToldFacilities } from '../../filing/facts/told-facilities.ts'
import { htmlLines } from '../../filing/html-lines.ts'
import type { Output } from './reader.ts'

/** What is known of a filing whose note on debt is read. */
interface FilingOfNote {
  readonly ticker: string | null
  /** Known with the filing, not on the day of its balances. */
  readonly known: string | null
}

/** Rows of `instruments` that a section states. */
export function instrumentsIn(
  section: FiledSection,
  { ticker, known }: FilingOfNote,
  notes?: NotesOf,
): Output[] {
  const filed = asNoteOnDebt(section)
  const note = withRowsOfCells(filed)
  const lines = debtLinesIn(note)
  const rows = [
    ...withToldFacilities(lines, creditFacilitiesIn(note, lines.length === 0)),
    ...noteTermsIn(section, notes),
    ...offeredNotesIn(section),
    ...termSheetNotesIn(section),
    ...agreedFacilitiesIn(section),
    ...agreedNotesIn(section),
    ...toldSince(section, report => [...offeredNotesIn(report), ...creditFacilitiesIn(report)]),
  ]
  return rows.map(row => ({
    dataset: 'instruments',
    values: {
      ticker,
      ...row,
      ...(note !== filed && asFiled(row, filed)),
      known_from: laterOf(known, row.known_from),
    },
  }))
}

/** The words of a row as they are filed, without the bars set between its cells. */
function asFiled({ evidence, evidence_offset: at }: InstrumentLine, { text, offset }: FiledSection) {
  return evidence == null || at == null
    ? {}
    : { evidence: text.slice(Number(at) - offset, Number(at) - offset + evidence.length) }
}

/** Of a filing that no day is known of, nothing is known from a day. */
const laterOf = (known: string | null, from: string | null | undefined): string | null =>
  known !== null && from != null && from > known ? from : known

const NOTE =
  /^(?:us-gaap:(?:DebtDisclosure|LongTermDebt|ShortTermDebt)|(?!us-gaap:)[A-Za-z0-9-]+:[A-Za-z]{0,80}(?:Debt|Borrowings?|TermLoans?|NotesPayable|CreditFacilit(?:y|ies))[A-Za-z]{0,80})TextBlock$/
const NO_NOTE = /Polic|Schedule|Table|Securities|Investment|Receivable|FairValue|Maturit|Detail/

/** Whether a text that an instance tags is a note on debt, whole. */
export const isDebtNote = (concept: string): boolean =>
  NOTE.test(concept) && !NO_NOTE.test(concept.slice(0, -'TextBlock'.length))

/** The text of a tagged note, which is HTML, and its first line of words. */
export function textOfNote(html: string): { text: string; title: string | null } {
  const { text } = documentText(htmlLines(`<html><body>${html}</body></html>`))
  return {
    text,
    title:
      text
        .split('\n')
        .find(line => /[a-z]{3}/i.test(line))
        ?.slice(0, 200) ?? null,
  }
}
