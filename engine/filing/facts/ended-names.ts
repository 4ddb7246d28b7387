import { groupOf } from '../../base/elements.ts'

const NAME =
  "(?<name>(?:[A-Z0-9][\\w&'.-]*\\s){1,8}(?:Agreement|Facility|Facilities|Loan|Loans|Revolver|Notes))"
/** `to replace the existing Credit Agreement, which was terminated`. */
const which = new RegExp(
  `\\b(?:existing|prior|previous|former)\\s{1,3}${NAME},?\\s{1,3}(?:which|that)\\s{1,3}(?:was|were|has\\s{1,3}been|have\\s{1,3}been)\\s{1,3}(?:terminated|cancell?ed|repaid|retired|replaced)\\b`,
  'g',
)
/** `In May 2024 the 2019 Credit Agreement was terminated.` */
const was = new RegExp(
  `\\b(?:the|our|its)\\s{1,3}${NAME}\\s{1,3}(?:was|were)\\s{1,3}(?:terminated|cancell?ed|(?:fully\\s{1,3})?repaid\\s{1,3}(?:in\\s{1,3}full\\s{1,3})?and\\s{1,3}terminated)\\b`,
  'g',
)

/** `All amounts outstanding under the Credit Agreement were repaid and the agreement was terminated.` */
const underWas = new RegExp(
  `\\b(?:[Aa]ll|any)\\s(?:outstanding\\s{1,3})?(?:amounts|borrowings|obligations|loans|indebtedness)\\b[^.;]{0,40}?\\sunder\\s{1,3}(?:the|our|its)\\s{1,3}${NAME}\\s{1,3}(?:was|were)\\b[^.;]{0,40}?\\b(?:repaid|paid|satisfied)\\b[^.;]{0,60}?\\bterminated\\b`,
  'g',
)
/** `On August 27 we terminated the Prior Credit Agreement`, by a name that is not that of its successor. */
const terminates = new RegExp(
  `\\bterminated\\s{1,3}(?:the|our|its)\\s{1,3}(?=(?:\\d{4}|Prior|Previous|Former|Existing|Original|Old)\\s)${NAME}`,
  'g',
)

/** `The A&R Credit Agreement contained … covenants`, of which nothing is said in the present. */
const contained = new RegExp(`\\b(?:the|our|The|Our)\\s{1,3}${NAME}\\s{1,3}contained\\b`, 'g')
const contains = new RegExp(
  `\\b(?:the|our|The|Our)\\s{1,3}${NAME}\\s{1,3}(?:also\\s{1,3})?(?:contains|requires|includes|imposes|limits)\\b`,
  'g',
)

/** What a report calls agreements that it says have been terminated: what it says of them before holds no more. */
export function endedNames(flat: string): ReadonlySet<string> {
  const names = (pattern: RegExp) => [...flat.matchAll(pattern)].map(match => normal(groupOf(match, 'name')))
  const present = new Set(names(contains))
  return new Set([
    ...[which, was, underWas, terminates].flatMap(names),
    ...names(contained).filter(name => !present.has(name)),
  ])
}

const normal = (name: string): string => name.replace(/\s+/g, ' ').toLowerCase()

export const isEnded = (ended: ReadonlySet<string>, name: string | null | undefined): boolean =>
  name !== null && name !== undefined && ended.has(normal(name))
