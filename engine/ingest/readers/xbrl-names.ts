import { groupOf } from '../../base/elements.ts'
import { formatDay, parseDay } from '../../credit/calendar.ts'
import { dateIn } from './source-cells.ts'

export const XBRLI = 'http://www.xbrl.org/2003/instance'
export const LINK = 'http://www.xbrl.org/2003/linkbase'
export const XBRLDI = 'http://xbrl.org/2006/xbrldi'
export const XSI = 'http://www.w3.org/2001/XMLSchema-instance'
export const LONGEST_SHOWN = 300

/** A date with a time of midnight means the end of the day before. */
export function lastDay(text: string): string {
  const day = dateIn(text)
  if (day === null) return text
  return /T00:00:00/.test(text) ? formatDay(parseDay(day) - 1) : day
}

/** A name with its taxonomy's usual prefix; text that is not a name is returned unchanged. */
export function standardName(resolve: (prefix: string) => string | undefined, text: string): string {
  // at most 300 characters: a longer text is not a name
  const [, prefix, local] = text.length <= LONGEST_SHOWN ? (/^([\w.-]+):([\w.-]+)$/.exec(text) ?? []) : []
  if (prefix === undefined || local === undefined) return text.slice(0, LONGEST_SHOWN)
  return `${prefixOf({ prefix, uri: resolve(prefix) ?? '' })}:${local}`
}

/** A taxonomy's name in the SEC's own tables, whatever prefix and year this file uses. */
export function prefixOf({ uri, prefix }: { readonly uri: string; readonly prefix: string }): string {
  const standard = /^https?:\/\/(?:fasb\.org|xbrl\.us|xbrl\.sec\.gov|xbrl\.fasb\.org)\/([a-z-]+)\/\d{4}/.exec(
    uri,
  )
  if (standard) return groupOf(standard, 1)
  if (/^https?:\/\/xbrl\.ifrs\.org\/taxonomy\/.*\/ifrs-full$/.test(uri)) return 'ifrs-full'
  return prefix || 'custom'
}
