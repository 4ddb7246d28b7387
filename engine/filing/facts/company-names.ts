import { firstOf } from '../../base/elements.ts'
import { oneLine } from './flat-text.ts'

/** Legal forms that end a company's name. */
const FORM =
  /(?:^|[\s,.(])(?:inc|incorporated|l\.?l\.?c|l\.?l\.?p|l\.?p|ltd|limited|corp|corporation|co|company|companies|plc|p\.l\.c|gmbh|ag|s\.?a|s\.?a\.?s|s\.? ?[aà]\.? ?r\.? ?l|s\.?p\.?a|b\.?v|n\.?v|u\.?l\.?c|s\.?e|a\.?b|a\/s|oyj?|k\.?k|pty|pte|trust|partnership|holdings?|international|group|partners|ventures?)\.?\)?$/i
const ONLY_FORM =
  /^(?:inc|incorporated|l\.?l\.?c|l\.?l\.?p|l\.?p|ltd|limited|corp|corporation|co|company|plc|s\.?a|b\.?v|n\.?v|u\.?l\.?c|n\.?a|pty|pte)\b[.\s]*(?:ltd\.?)?$/i
const SMALL = /^(?:of|and|the|de|del|du|la|le|van|von|der|y|e|for|in|&)$/
/** Generic parties that name nobody. */
// at most 120 characters: `isCompanyName` reads no more
const GENERIC =
  /^(?:the |such |each |any |an? |our |certain |other |its |their )*(?:(?:domestic|foreign|material|restricted|wholly[- ]owned|limited|public|new|existing|parent|issuing|holding|operating|general|subsidiary|u\.?s\.?|real estate investment|statutory|business|insurance|trust|liability|obligor|guarantor|bank|title)[\s,]*)*(?:company|companies|corporation|holdings?|partnership|trust|group|partners|parent|borrowers?|issuers?|guarantors?|subsidiar\w+|limited|international|incorporated|ventures?|co|corp|inc|llc|lp|ltd)\.?$/i

/** Whether a name ends in a legal form and is not just a generic party. */
export function isCompanyName(text: string): boolean {
  const words = text.split(' ')
  return (
    text.length <= 120 &&
    words.length <= 12 &&
    /^["'(]?[\p{Lu}\d]/u.test(text) &&
    FORM.test(text) &&
    !GENERIC.test(text) &&
    !/[;:]|\b(?:Agreement|Indenture|Notes?|Section|Article|Schedule|Dated|Amendment)\b/i.test(text) &&
    words.every(
      word => SMALL.test(word) || /^[("']?[\p{Lu}\d&]/u.test(word) || /^[a-z]?\d|^e[A-Z]/.test(word),
    ) &&
    /\p{L}{2}/u.test(firstOf(words).length > 1 ? text : words.slice(1).join(' '))
  )
}

export interface NamedAt {
  readonly name: string
  /** Where it begins in the text. */
  readonly at: number
}

/** Parts of an enumeration, with `, Inc.` kept with the name before it. */
function partsOf(flat: string, from: number, to: number): NamedAt[] {
  const parts: { name: string; at: number }[] = []
  let at = from
  for (const piece of flat
    .slice(from, to)
    .split(/(,\s+(?:and\s+|or\s+)?|;\s*(?:and\s+)?|(?<!\s)\s+and\s+(?:by\s+)?)/)) {
    const begin = at
    at += piece.length
    if (/^(?:[,;]\s*(?:(?:and|or)\s+)?|\s+and\s+(?:by\s+)?)$/.test(piece)) continue
    const name = piece.trim()
    const last = parts[parts.length - 1]
    if (last && ONLY_FORM.test(name)) last.name = `${last.name}, ${name}`
    else parts.push({ name, at: begin + (piece.length - piece.trimStart().length) })
  }
  return parts
}

const DESCRIBED =
  /^(?:each )?(?:an? |the )?[\w .-]{0,40}?\b(?:corporation|company|partnership|limited liability company|trust|organized|incorporated|existing)\b[\w .-]{0,40}$/

/** The trailing names of an enumeration that ends at a position, in order: all of them, or the last. */
export function namesBefore(flat: string, to: number, isPlural: boolean): NamedAt[] {
  const parts = partsOf(flat, Math.max(0, to - (isPlural ? 3000 : 300)), to)
  const names: NamedAt[] = []
  for (const part of parts.reverse()) {
    if (part.name === '' || (DESCRIBED.test(part.name) && !isCompanyName(part.name))) continue
    const named = nameAtEnd(part)
    if (named === null) break
    names.unshift(named)
    if (named.at !== part.at || !isPlural) break
  }
  return names
}

/** The name at the end of a part, which may have an introduction: `by and among Acme Inc.` */
function nameAtEnd({ name, at }: NamedAt): NamedAt | null {
  if (isCompanyName(name)) return cleaned(name, at)
  for (const match of [
    ...name.matchAll(
      /(?:\b(?:among|between|by|with|from|of|to|means|both)|(?<![A-Z.])[.:)"]) +(?:\(?[ivx\d]+\) +)?/g,
    ),
  ].reverse()) {
    const begin = match.index + match[0].length
    if (isCompanyName(name.slice(begin))) return cleaned(name.slice(begin), at + begin)
  }
  return null
}

/** The leading names of an enumeration at a position; `rest` may describe the last of them. */
export function namesAfter(
  flat: string,
  from: number,
  rest = /(?<!\s)\s+(?:as|on|with|under|pursuant|in|for|to|which|that|who|until|\(|each)\b.*$|[.(].{0,3}$/s,
): NamedAt[] {
  const names: NamedAt[] = []
  const end = /[;]|\.\s+(?=["“]?[A-Z][a-z]* [a-z])|$/s.exec(flat.slice(from, from + 3000))!.index
  for (const part of partsOf(flat, from, from + end)) {
    const whole = part.name.replace(/\.$/, '')
    const short = part.name
      .replace(/(?<!\s)\s+\(.*$/s, '')
      .replace(rest, '')
      .trim()
    const name = [part.name, whole, short].find(isCompanyName)
    if (name === undefined) {
      if (DESCRIBED.test(part.name) && names.length > 0) continue
      break
    }
    names.push(cleaned(name, part.at))
    if (name === short && short !== whole && !(part.name.endsWith(')') && /\s\(/.test(part.name))) break
  }
  return names
}

const cleaned = (name: string, at: number): NamedAt => ({
  name: oneLine(name.replace(/^["'(]+|(?<!["'])["']+$/g, ''), 120),
  at,
})
