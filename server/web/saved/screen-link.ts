import { href } from '../app/route.ts'
import type { SavedScreen } from '../ask/saved.ts'

/** A saved screen as a link; one saved without a day shows the reader's. */
export const screenLink = ({ resource, query }: Pick<SavedScreen, 'resource' | 'query'>): string =>
  href(['screen', resource], Object.fromEntries(new URLSearchParams(query)))

/** Parameters in one order, to tell whether two screens are the same. */
export function sameQuery(one: string, other: string): boolean {
  const ordered = (text: string) => {
    const params = new URLSearchParams(text)
    params.sort()
    return params.toString()
  }
  return ordered(one) === ordered(other)
}
