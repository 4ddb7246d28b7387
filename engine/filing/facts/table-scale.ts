const unit =
  /\bin (millions|thousands|billions)\b|\b(millions|thousands) of dollars\b|\((millions|thousands)\)/i

/** Minor units of one unit of a table, from the words above it; null if they do not say. */
export function scaleOf(head: string): number | null {
  const match = unit.exec(head)
  return scaleNamed((match?.[1] ?? match?.[2] ?? match?.[3])?.toLowerCase())
}

export const scaleNamed = (units: string | null | undefined): number | null =>
  units === 'millions' ? 1e8 : units === 'thousands' ? 1e5 : units === 'billions' ? 1e11 : null
