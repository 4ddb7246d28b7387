import { isAfter } from '../../base/days.ts'
import { allNotesTold } from './all-notes.ts'
import { notesOfTwoTables } from './balances-apart.ts'
import { shortTermToldIn } from './commercial-paper.ts'
import { scheduleLinesIn } from './debt-breakdowns.ts'
import type { ScheduleLine } from './debt-schedules.ts'
import { exactMaturities } from './exact-maturity.ts'
import { fairValueNotesIn } from './fair-value-notes.ts'
import { type FiledSection, tellsOfDebt } from './filed-section.ts'
import { flatten, oneLine } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { withLastPayments } from './last-payments.ts'
import { withToldTerms } from './line-terms.ts'
import { loansToldIn } from './loans-told.ts'
import { marginIn } from './margins.ts'
import { fullDate, spelledMaturity } from './maturities.ts'
import { withDaysNamed } from './named-series.ts'
import { notesInColumns } from './note-columns.ts'
import { notesIn, OTHER_DOLLARS } from './note-rows.ts'
import { type DescribedNote, noteSentencesIn, notesDescribedIn, titled } from './note-sentences.ts'
import { rankAbove } from './row-headings.ts'
import {
  areLinesOf,
  bySeries,
  grouped,
  hasNote,
  isLineOf,
  isOfCoupon,
  isReopened,
  isRestOf,
  isSameNote,
  namedByText,
  withBothIssues,
  withMaturityOfCoupon,
  withoutAmount,
} from './same-notes.ts'
import { type DebtLine, debtLineOf, onceShortTerm } from './schedule-lines.ts'
import { datesIn } from './spelled-dates.ts'
import { ownCurrency, scaleIn, scaleOf, scaleOfStatements } from './table-scale.ts'
import { facilitiesOfTerms, withTermsOfTables } from './terms-tables.ts'
import { withToldRanks } from './told-ranks.ts'
import { notesWithoutCoupon } from './uncouponed-notes.ts'
import { withYearsNamed } from './years-named.ts'

/**
 * Notes of debt tables in a debt footnote, one row an instrument: coupon, maturity, and the balance of the report's
 * own day where the head of the table says which column has it. Rows that cover several instruments are left out.
 */
export function debtLinesIn(section: FiledSection): InstrumentLine[] {
  if (section.section_type === 'notes') return [...noteSentencesIn(section), ...fairValueNotesIn(section)]
  if (section.section_type === 'mda_liquidity')
    return [...noteSentencesIn(section), ...(tellsOfDebt(section) ? shortTermToldIn(section, []) : [])]
  if (section.section_type !== 'debt_footnote') return []
  const rows = notesIn(section)
  const told = bySeries(noteSentencesIn(section))
  const series = [...told.values()].flatMap(([one]) => one ?? [])
  const inRows = scheduledIn(section, rows)
  const isOwn = (note: InstrumentLine) => !hasYear([...inRows, ...rows.filter(isStated)], note)
  const inColumns = notesInColumns(section).filter(note => !hasYear([...inRows, ...rows], note))
  const apart = notesOfTwoTables(section).filter(note => isOwn(note) && !hasYear(inColumns, note))
  const named = namedByText(onceShortTerm([...inRows, ...inColumns, ...apart]), series)
  const scheduled = withTermsOfTables(
    section,
    withToldTerms(
      section,
      withDaysNamed(
        section.text,
        withMaturityOfCoupon(named, [...rows, ...series], section.period_end),
        section.period_end,
      ),
    ),
  )
  const listed = bySeries(scheduled)
  const places = new Set(scheduled.map(({ evidence_offset: offset }) => offset))
  // A row of terms alone is of notes whose balance stands in another table.
  const isTermsOf = (row: InstrumentLine) =>
    !isStated(row) && apart.some(({ maturity }) => maturity?.slice(0, 4) === row.maturity?.slice(0, 4))
  const others = rows.filter(
    row => !places.has(row.evidence_offset) && !hasNote(listed, row) && !isTermsOf(row),
  )
  // Of a row without an amount a sentence may tell more.
  const inTables = [...scheduled, ...others.filter(row => isStated(row) || !hasNote(told, row))]
  const known = bySeries(inTables)
  const inText = [...told.values()].flatMap(same =>
    same
      .filter(
        (one, i) =>
          !hasNote(known, one) &&
          !same.slice(0, i).some(other => isSameNote(one, other)) &&
          !scheduled.some(line => isLineOf(line, one)) &&
          !isRestOf(scheduled, series, one) &&
          !isOfCoupon(scheduled, one) &&
          !areLinesOf(scheduled, one),
      )
      .map(one => (isReopened(same, one) ? (withBothIssues(same, one) ?? withoutAmount(one)) : one)),
  )
  const lines = [
    ...inTables,
    ...inText,
    ...shortTermToldIn(section, inTables),
    ...loansToldIn(section, inTables),
  ]
  const all = [
    ...lines,
    ...(lines.length === 0 ? notesWithoutCoupon(section) : []),
    ...allNotesTold(section, lines),
    ...facilitiesOfTerms(section, lines),
  ]
  return withToldRanks(section, withLastPayments(section, withYearsNamed(all, section.period_end)))
}

/** Whether a line that was read by its row falls due, or is called by a year, as notes in a column do. */
function hasYear(lines: readonly InstrumentLine[], { maturity, name }: InstrumentLine): boolean {
  const year = maturity?.slice(0, 4) ?? /\b20\d\d\b/.exec(name ?? '')?.[0]
  return lines.some(
    line => year === undefined || line.maturity?.slice(0, 4) === year || line.name?.includes(year) === true,
  )
}

const isStated = ({ principal, carrying_amount }: InstrumentLine): boolean =>
  principal != null || carrying_amount != null

/** The lines of tables that add up to debt, with their balances; those that are notes as their row was read. */
function scheduledIn(section: FiledSection, rows: readonly InstrumentLine[]): InstrumentLine[] {
  const flat = flatten(section.text)
  const unit = scaleOfStatements(section)
  const exactMaturity = exactMaturities(flat, section.period_end)
  const names = new Set<string>()
  const ofLine = grouped(rows, ({ evidence_offset: offset }) => offset)
  const series = notesDescribedIn(flat, null).filter(({ alias }) => alias !== null)
  return scheduleLinesIn(section).flatMap(line => {
    const { row, amount } = line
    const at = section.offset + row.from
    const words = section.text.slice(row.from, row.to)
    const offset = at + (words.length - words.trimStart().length)
    const own = ofLine.get(offset) ?? []
    const debt = withSeries(debtLineOf(line), series)
    if (own.length > 1 || (own.length === 0 && debt === null) || amount < 0) return []
    const balance = balanceOf(line, debt, { unit, day: section.period_end })
    const isNote = debt !== null && debt.maturity !== null && (debt.coupon !== null || debt.isFloating)
    const [note] = own
    const plain =
      note !== undefined &&
      (debt === null || (isTelling(note.name) && !(debt.isFloating && /^floating-rate/i.test(debt.name))))
        ? note.name
        : debt?.name
    // What no longer is owed is told of notes alone, whose names say which; so is a line without the unit of its amount.
    if (
      plain === undefined ||
      (note === undefined &&
        !isNote &&
        ((amount === 0 && !isUndrawn(debt, section.period_end)) || balance.carrying_amount === undefined))
    )
      return []
    const name = nameOf(plain, line, names)
    if (name === undefined) return []
    names.add(name)
    // The amount issued is that of notes without a balance.
    if (note !== undefined)
      return [
        {
          ...(balance.carrying_amount === undefined ? note : withoutAmount(note)),
          name,
          ...(note.rate_type === 'floating' && note.spread_bps == null && marginOf(line, words)),
          ...balance,
          ...rankAbove(line, name),
        },
      ]
    if (debt === null) return []
    const maturity = exactMaturity(debt)
    return [
      {
        company_name: section.company_name,
        cik: section.cik,
        name,
        ...(debt.isFloating
          ? { rate_type: 'floating' as const, ...marginOf(line, words) }
          : debt.isFixed
            ? { rate_type: 'fixed' as const, coupon_rate: debt.coupon }
            : {}),
        maturity,
        maturity_date: fullDate(maturity),
        ...{ ...balance, ...rankAbove(line, name) },
        ...(debt.isFacility &&
          balance.carrying_amount !== undefined && { drawn: balance.principal ?? balance.carrying_amount }),
        evidence: words.trim(),
        evidence_section: section.title ?? section.section_type,
        evidence_offset: offset,
        rule: isNote ? 'debt_table' : 'debt_schedule',
        accession: section.accession,
      },
    ]
  })
}

const ofSize = /^(?:US)?\$ ?(?<amount>\d{1,4}(?:\.\d{1,3})?) ?(?<unit>M{1,2}|B|million|billion)\b.*\brevolv/i

/** What may be borrowed under a revolving facility, in a column or the name of the line, `$700M Revolving Credit Facility`. */
function commitmentOf(label: string, stated: number | null): InstrumentLine {
  const { amount, unit } = ofSize.exec(label)?.groups ?? {}
  const named = amount === undefined ? null : Number(amount) * (/^b/i.test(unit ?? '') ? 1e11 : 1e8)
  const commitment = stated ?? named
  return commitment === null ? {} : { commitment: Math.round(commitment) }
}

/** What a line says is owed at the report's day; nothing where its unit or currency is not known. */
function balanceOf(
  { row, amount, face, committed, head }: ScheduleLine,
  debt: DebtLine | null,
  { unit, day }: { readonly unit: ReturnType<typeof scaleOfStatements>; readonly day: string | null },
): InstrumentLine {
  const scale = scaleOf(head) ?? unit
  const currency = ownCurrency(head)
  if (scale === null || currency === null || OTHER_DOLLARS.test(head)) return {}
  const minor = scaleIn(currency, scale)
  return {
    carrying_amount: Math.round(amount * minor),
    ...(face !== null && face >= 0 && { principal: Math.round(face * minor) }),
    ...(debt?.isFacility && commitmentOf(row.label, committed === null ? null : committed * minor)),
    currency,
    balance_date: day,
  }
}

/** Whether a facility under which nothing is owed stands for borrowing: it falls due after the report's day. */
const isUndrawn = (debt: DebtLine | null, day: string | null): boolean =>
  debt?.isFacility === true &&
  debt.maturity !== null &&
  day !== null &&
  isAfter(debt.maturity, day) &&
  !/\b(?:prior|former|previous|old|retired|terminated|repaid|term loan)\b/i.test(debt.name)

const BESIDE =
  /\|\s{0,9}(?:(?:adjusted|adj\.?|term|daily|[136][- ]?m(?:onth)?)\s)?(?<benchmark>libor|sofr|euribor)(?:\s?\(\w\))?\s{0,3}\|\s{0,9}(?<margin>\d{1,2}(?:\.\d{1,5})?)\s?(?:\|\s?)?%/i

/** The margin in the words of a line, or in the column of margins behind its reference, `LIBOR | 1.75% | 2.21%`. */
function marginOf({ row, head }: ScheduleLine, words: string): InstrumentLine {
  const said = marginIn(`${row.label} ${row.others}`)
  const { benchmark, margin } =
    (/\b(?:margin|spread)\b/i.test(head) ? BESIDE.exec(words) : null)?.groups ?? {}
  return said.spread_bps != null || benchmark === undefined
    ? said
    : { benchmark: benchmark.toUpperCase(), spread_bps: Math.round(Number(margin) * 1e5) / 1e3 }
}

/**
 * The name of a line that no other has: with an amount in its label, else its heading or what introduces its table, else with
 * its number.
 */
function nameOf(
  plain: string,
  { row, head, isWhole }: ScheduleLine,
  names: ReadonlySet<string>,
): string | undefined {
  const issued = /\((?<amount>[^()]{0,30}\d[^()]{0,30})\)/.exec(row.label)?.groups?.['amount']
  const isNamed = row.heading !== '' && datesIn(`${row.heading} 2000`).length === 0
  const number = String(names.size)
  const words = issued ?? (isNamed ? row.heading : isWhole ? head : number)
  return [plain, `${plain} (${oneLine(words, 60)})`, `${plain} (${number})`].find(name => !names.has(name))
}

/** A line called by a name that the text gives a series, `2021 Notes`, with the coupon and maturity of the series. */
function withSeries(debt: DebtLine | null, series: readonly DescribedNote[]): DebtLine | null {
  if (debt === null || debt.isFloating) return debt
  const same = series.filter(({ alias }) => alias?.toLowerCase() === debt.name.toLowerCase())
  const [one, ...others] = same
  if (one === undefined || others.length > 0 || one.coupon === null || one.maturity === null) return debt
  const name = `${one.coupon}% ${titled(one.kind)} due ${spelledMaturity(one.maturity)}`
  return { ...debt, name, coupon: one.coupon, isFixed: true, maturity: one.maturity }
}

/** Whether a name says what kind of debt it is, and not only that it is debt. */
const isTelling = (name: string | undefined): boolean =>
  !/^[\d.]{1,8}% debt due\b/.test(name ?? '') &&
  /\b(?:notes?|bonds?|debentures?|loans?|debt|certificates?|securities|paper|facility)\b/i.test(name ?? '')
