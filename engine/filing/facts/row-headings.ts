import type { ScheduleLine } from './debt-schedules.ts'
import { flatten } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'

/** What a heading calls the rows below it, `fixed-rate senior notes`; else nothing. */
export const groupNamed = (heading: string): string =>
  /^[a-z][a-z, -]{3,58}\b(?:notes|bonds|debentures)(?: due)?:?$/i.test(flatten(heading).trim())
    ? flatten(heading)
        .trim()
        .replace(/(?: due)?:?$/, '')
        .toLowerCase()
    : ''

const INTRODUCED =
  /\b(?:the following|(?:our|its|company's) outstanding|(?:summari[sz]es|details|sets forth|presents|lists|shows) (?:(?:our|the|its|company's) ){0,2}(?:outstanding )?|(?:tranches|series|classes) of) ?(?<kind>(?:(?:senior|unsecured|secured|subordinated|fixed-rate|medium-term|euro|u\.s\. dollar|first|mortgage|recovery|transition|securitization) ){0,4}(?:notes|bonds|debentures))\b[^.:]{0,80}:?$/i

/** What the sentence right above a table calls its rows, `In 2024, we issued the following senior notes:`; else nothing. */
export function groupIntroduced(above: string): string {
  const line = above.split('\n').findLast(each => !each.includes('|') && /[a-z]{4}/i.test(each))
  return INTRODUCED.exec(flatten(line ?? '').trim())?.groups?.['kind']?.toLowerCase() ?? ''
}

const SENIOR =
  /\b(?:senior(?: unsecured)?|unsecured(?: senior)?) (?:(?:fixed|floating)[ -]rate |public )?(?:notes|bonds|debentures|debt(?: securities)?)\b/i
/** Other debt beside them, so that the words are not of all rows. */
const BESIDE =
  /\b(?:secured|subordinated|mortgages?|loans?|credit (?:facilit|agreement)\w*|revolv\w+|commercial paper|leases?|other (?:debt|borrowings|notes))\b/i
/** Names of debt that is no note of the rank that is told of notes. */
export const NOT_NOTES =
  /\b(?:secured|subordinated|mortgages?|loans?|facilit\w+|revolv\w+|paper|lines? of credit|leases?|other|convertible|borrowings)\b/i

/** `Unsecured:`, `Fixed Rate Secured:`, `Senior secured notes:`. */
const GROUP =
  /^(?:(?:senior|(?:fixed|floating|variable)[ -]rate),? ){0,2}(?<is>unsecured|secured)(?: (?:fixed|floating|variable)[ -]rate)?(?: (?:debt|borrowings|indebtedness|financings?|obligations)|(?<=\bsecured) notes)?:?$/i

/**
 * The rank that the heading of a row, or the sentence that introduces its table, says of all notes below it: `Senior
 * unsecured notes:`.
 */
export function rankAbove({ row, head, isWhole }: ScheduleLine, name: string): InstrumentLine {
  const heading = flatten(row.heading)
  const group = GROUP.exec(heading.trim())?.groups?.['is']
  // A rank that a name states goes before.
  if (group !== undefined && row.isInGroup && !/secured|subordinated/i.test(name))
    return /^un/i.test(group) ? { security_type: 'unsecured' } : { seniority: 'senior_secured' }
  if (NOT_NOTES.test(name)) return {}
  // The introduction ends before the heads of the columns.
  const intro = isWhole && row.heading === '' ? (/^[^:|]{0,300}/.exec(head)?.[0] ?? '') : ''
  const said = [heading, intro].find(words => SENIOR.test(words) && !BESIDE.test(words))
  if (said === undefined) return {}
  return {
    seniority: 'senior_unsecured',
    ...(/\bunsecured\b/i.test(SENIOR.exec(said)?.[0] ?? '') && { security_type: 'unsecured' as const }),
  }
}
