/** Sources may contain anything in place of a URL. */
export const safeUrl = (url: string | null | undefined): boolean => /^https?:\/\//i.test(url ?? '')
