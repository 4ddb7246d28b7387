import type { GuidePage } from './page.ts'

/** A part of a page as the search of the guide reads it: address, page, heading, text. */
export type SearchedSection = readonly [address: string, page: string, heading: string, text: string]

/** What can be searched: each section of the pages, and of the requests of the API their names. */
export const searchedSections = (pages: readonly GuidePage[]): SearchedSection[] =>
  pages.flatMap(({ address, title, sections, isSearched }) =>
    (isSearched ? sections : sections.slice(0, 1)).map(
      ({ level, id, title: heading, text }) =>
        [
          level === 1 ? address : `${address}#${id}`,
          title,
          level === 1 ? '' : heading,
          text.replaceAll(/\s+/g, ' ').trim(),
        ] as const,
    ),
  )
