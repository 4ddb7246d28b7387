import type { InstrumentLine } from './instrument-line.ts'

/** What a table calls its one revolving facility or term loan. */
const plain = {
  revolver:
    /^(?:(?:senior|secured|unsecured|bank|our) ){0,3}(?:revolver|revolving (?:(?:credit|loan) )?(?:facility|agreement|loan)s?|line of credit)$/i,
  term_loan: /^(?:(?:senior|secured|unsecured|bank|our) ){0,3}term loans?(?: facility)?$/i,
} as const
const ofKind = { revolver: /\brevolv\w+|\bline of credit\b/i, term_loan: /\bterm loans?\b/i } as const

/**
 * Lines of tables and facilities of the text of one note. Where a table has one revolving facility, or one term loan, without its
 * maturity, and the text tells of one, they are the same: one row with the balance and the terms.
 */
export function withToldFacilities(
  read: readonly InstrumentLine[],
  told: readonly InstrumentLine[],
): InstrumentLine[] {
  // A sentence says more of a facility than a table of terms that names it by its size.
  const lines = read.filter(
    ({ rule, instrument_type: type, commitment }) =>
      rule !== 'facility_text' ||
      !told.some(each => each.instrument_type === type && each.commitment === commitment),
  )
  // A line of its kind says more than a facility whose maturity the text does not state.
  const isTold = ({ rule, maturity, instrument_type: type }: InstrumentLine): boolean =>
    rule !== 'facility_text' ||
    maturity != null ||
    lines.every(({ name }) => !(type === 'term_loan' ? ofKind.term_loan : ofKind.revolver).test(name ?? ''))
  let all = [...lines, ...told.filter(each => isTold(each) && !isFormerLoan(each, lines))]
  for (const kind of ['revolver', 'term_loan'] as const) {
    const [line, ...otherLines] = lines.filter(({ name }) => ofKind[kind].test(name ?? ''))
    const [facility, ...others] = told.filter(
      ({ instrument_type: type, rule }) => type === kind && rule === 'facility_text',
    )
    if (line === undefined || facility === undefined || otherLines.length > 0 || others.length > 0) continue
    if (line.rule !== 'debt_schedule' || line.maturity != null || !plain[kind].test(line.name ?? '')) continue
    const owed = Number(line.principal ?? line.carrying_amount ?? 0)
    if (owed > Number(facility.commitment ?? 0) || line.currency !== facility.currency) continue
    const terms = { ...facility, ...dropNulls(line) }
    all = all.filter(each => each !== facility).map(each => (each === line ? terms : each))
  }
  return withoutDoubles(all)
}

const ofLetter = /\bterm loan[- ](?<letter>[a-c])\b|\bterm (?<before>[a-c]) loans?\b/i
const letterOf = (name: string | null | undefined): string | undefined => {
  const groups = ofLetter.exec(name ?? '')?.groups
  return (groups?.['letter'] ?? groups?.['before'])?.toLowerCase()
}
const ofEither = { revolver: ofKind.revolver, term_loan: /\bterm (?:[a-c] )?loans?\b/i } as const

/** Facilities of a text that a table has as a line of their kind and letter with their maturity: one row, the line with the terms. */
function withoutDoubles(all: readonly InstrumentLine[]): InstrumentLine[] {
  const told = all.filter(({ rule, maturity }) => rule === 'facility_text' && maturity != null)
  const isSame = (line: InstrumentLine, facility: InstrumentLine): boolean =>
    line.rule === 'debt_schedule' &&
    ofEither[facility.instrument_type === 'term_loan' ? 'term_loan' : 'revolver'].test(line.name ?? '') &&
    letterOf(line.name) === letterOf(facility.name) &&
    line.maturity === facility.maturity &&
    line.currency === facility.currency &&
    Number(line.principal ?? line.carrying_amount ?? 0) <= Number(facility.commitment ?? 0)
  const pairs = told.flatMap(facility => {
    const [line, ...others] = all.filter(each => isSame(each, facility))
    const isOnly =
      line !== undefined && others.length === 0 && told.filter(each => isSame(line, each)).length === 1
    return isOnly ? [{ facility, line }] : []
  })
  return all
    .filter(each => pairs.every(({ facility }) => facility !== each))
    .map(each => {
      const pair = pairs.find(({ line }) => line === each)
      return pair === undefined ? each : { ...pair.facility, ...dropNulls(each) }
    })
}

/**
 * Whether a term loan is told as it was agreed, and a table has what it became: the loan of its letter, which falls due in another
 * year, `Amended Term Loan B Facility due 2029`.
 */
function isFormerLoan(
  { rule, instrument_type: type, name, maturity }: InstrumentLine,
  lines: readonly InstrumentLine[],
): boolean {
  const letter = letterOf(name)
  if (rule !== 'facility_text' || type !== 'term_loan' || letter === undefined || maturity == null)
    return false
  const same = lines.filter(line => letterOf(line.name) === letter)
  return (
    same.length > 0 &&
    same.every(line => line.maturity != null && line.maturity.slice(0, 4) !== maturity.slice(0, 4))
  )
}

const dropNulls = (line: InstrumentLine): InstrumentLine =>
  Object.fromEntries(Object.entries(line).filter(([, value]) => value != null))
