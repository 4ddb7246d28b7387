import { flatten } from './flat-text.ts'

const statement =
  /\bconsolidated (?:balance sheets?|statements? of (?:financial (?:position|condition)|income|operations|earnings|cash flows))\b[^$]{0,160}?\b(?:dollars |amounts |shares )?in (?<unit>millions|thousands)\b/gi

/** Of several units that statements name, one counts if it is named this often. */
const MOSTLY = 0.75

/** The unit in which a document's statements say their amounts are, `millions`; null where they differ or do not say. */
export function unitOfStatements(texts: readonly string[]): string | null {
  const units = texts.flatMap(text =>
    [...flatten(text).matchAll(statement)].map(match => match.groups?.['unit']?.toLowerCase()),
  )
  const isMost = (unit: string) => units.filter(each => each === unit).length > MOSTLY * units.length
  return ['millions', 'thousands'].find(isMost) ?? null
}
