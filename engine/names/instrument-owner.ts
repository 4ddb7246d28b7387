/** Words for a party of an agreement, which name no company. */
const PARTY =
  /^(?:company|borrowers?|issuers?|parent|partnership|corporation|registrant|trust|bank|group|holdings|guarantors?|lenders?|agent)$/i

/** Whose an instrument is, the Alfa of `Alfa's Revolving Credit Facility`; null where its name does not say. */
export function ownerOf(instrument: string | null | undefined): string | null {
  const owner =
    /^(?<owner>[A-Z][\w&]{1,30}(?:\s(?:&|and|of|[A-Z][\w&]{0,30})){0,5})'s\s/.exec(instrument ?? '')
      ?.groups?.['owner'] ?? null
  return owner === null || PARTY.test(owner) ? null : owner
}

/** Whether an owner is the company itself: the beginning of its name, or its initials, `BPLP`. */
export function isOwnName(owner: string, company: string): boolean {
  if (company.toLowerCase().startsWith(owner.toLowerCase())) return true
  const initials = company
    .split(/[^A-Za-z]+/)
    .map(word => word.charAt(0).toUpperCase())
    .join('')
  return /^[A-Z]{2,8}$/.test(owner) && initials.startsWith(owner)
}
