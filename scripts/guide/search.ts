import type { Section } from './markdown.ts'
import type { GuidePage } from './page.ts'

/** A part of a page as the search of the guide reads it: address, page, heading, text. */
export type SearchedSection = readonly [address: string, page: string, heading: string, text: string]

/** How something was measured is told in long tables, which are found by their headings. */
const isMeasurement = /\bmeasure(?:d|ment|ments)\b/i

/** The sections of a page, without the text of those on measurements and of sections below them. */
function searched(sections: readonly Section[]): Section[] {
  let within = Number.POSITIVE_INFINITY
  return sections.map(section => {
    if (section.level <= within)
      within = isMeasurement.test(section.title) ? section.level : Number.POSITIVE_INFINITY
    return section.level >= within ? { ...section, text: '' } : section
  })
}

/** What can be searched: each section of the pages, and of the requests of the API their names. */
export const searchedSections = (pages: readonly GuidePage[]): SearchedSection[] =>
  pages.flatMap(({ address, title, sections, isSearched }) =>
    (isSearched ? searched(sections) : sections.slice(0, 1)).map(
      ({ level, id, title: heading, text }) =>
        [
          level === 1 ? address : `${address}#${id}`,
          title,
          level === 1 ? '' : heading,
          text.replaceAll(/\s+/g, ' ').trim(),
        ] as const,
    ),
  )
