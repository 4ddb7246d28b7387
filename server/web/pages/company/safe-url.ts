/** A source may write anything where an address belongs. */
export const safeUrl = (url: string | null | undefined): boolean => /^https?:\/\//i.test(url ?? '')
