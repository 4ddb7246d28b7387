import type { FiledSection } from './filed-section.ts'

const unit =
  /\bin (millions|thousands|billions)\b|\b(millions|thousands) of dollars\b|\((millions|thousands)\)/i

/** Minor units of one unit of a table, from the words above it; null if they do not say. */
export function scaleOf(head: string): number | null {
  const match = unit.exec(head)
  return scaleNamed((match?.[1] ?? match?.[2] ?? match?.[3])?.toLowerCase())
}

const everyUnit = /\bin (millions|thousands|billions)\b/gi

/** That of the document's statements, for a table whose head says none; null where its section names another. */
export function scaleOfStatements({
  text,
  amounts_in: unitOfAll,
}: Pick<FiledSection, 'text' | 'amounts_in'>): number | null {
  const isOther = [...text.matchAll(everyUnit)].some(match => match[1]?.toLowerCase() !== unitOfAll)
  return isOther ? null : scaleNamed(unitOfAll)
}

const scaleNamed = (units: string | null | undefined): number | null =>
  units === 'millions' ? 1e8 : units === 'thousands' ? 1e5 : units === 'billions' ? 1e11 : null
