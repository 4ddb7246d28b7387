import { go, href } from '../app/route.ts'
import { api } from '../ask/api.ts'
import { money, NOTHING } from '../show/figures.ts'
import { type Place, placesFor } from './place.ts'

/** One thing found, and what choosing it does. */
export interface Found {
  readonly id: string
  readonly group: 'Pages and commands' | 'Companies' | 'Bonds' | 'Filings'
  readonly name: string
  readonly detail: string
  readonly go: () => void
}

export interface Asked {
  readonly text: string
  readonly asOf: string | null
  readonly signal: AbortSignal
}

/** Below this a resolved bond is a guess among many. */
const LEAST_CONFIDENCE = 0.02
const MOST_BONDS = 6
const MOST_SUGGESTIONS = 8
const MOST_PLACES = 4

const goTo = (to: string) => () => go(to)

/** Terms of a bond, or an identifier or a part of one, have digits; names and titles seldom do. */
export const mayBeBond = (text: string): boolean => /\d/.test(text)

/** What a text may mean, the likeliest first; filings can always be searched for it. */
export async function findAll(
  { text, asOf, signal }: Asked,
  places: readonly Place[],
): Promise<readonly Found[]> {
  const day = asOf === null ? {} : { as_of: asOf }
  const [suggested, resolved] = await Promise.all([
    api.call('suggest', { q: text, limit: MOST_SUGGESTIONS, ...day }, { signal }),
    mayBeBond(text) ? api.call('resolve.bond', { q: text, limit: MOST_BONDS, ...day }, { signal }) : null,
  ])
  const companies = suggested.data.flatMap(({ kind, text: name, ticker, company_id }): Found[] =>
    kind === 'company'
      ? [
          {
            id: `company-${company_id}`,
            group: 'Companies',
            name,
            detail: ticker ?? '',
            go: goTo(href(['company', ticker ?? company_id ?? ''])),
          },
        ]
      : [],
  )
  const titles = suggested.data.flatMap(({ kind, text: title, sections }): Found[] =>
    kind === 'title'
      ? [
          {
            id: `title-${title}`,
            group: 'Filings',
            name: title,
            detail: sections === 1 ? '1 section' : `${sections ?? NOTHING} sections`,
            go: goTo(href(['search'], { q: title })),
          },
        ]
      : [],
  )
  const bonds = (resolved?.data.matches ?? []).flatMap(({ confidence, bond }): Found[] =>
    confidence < LEAST_CONFIDENCE
      ? []
      : [
          {
            id: `bond-${bond.id}`,
            group: 'Bonds',
            name: bond.display_name ?? bond.name ?? bond.id,
            detail: [bond.cusip, bond.outstanding && money(bond.outstanding)].filter(Boolean).join(' · '),
            go: goTo(href(['bond', bond.cusip ?? bond.id])),
          },
        ],
  )
  const own = placesFor(text, places)
    .slice(0, MOST_PLACES)
    .map(
      (place): Found => ({
        id: `place-${place.name}`,
        group: 'Pages and commands',
        name: place.name,
        detail: place.hint,
        go: place.run,
      }),
    )
  const search: Found = {
    id: 'search',
    group: 'Filings',
    name: `Search filings for “${text}”`,
    detail: '',
    go: goTo(href(['search'], { q: text })),
  }
  const lists = isTicker(text, companies)
    ? [companies, bonds, own, [search, ...titles]]
    : own.some(({ name }) => name.toLowerCase().startsWith(text.toLowerCase()))
      ? [own, companies, bonds, [search, ...titles]]
      : mayBeBond(text)
        ? [bonds, companies, own, [search, ...titles]]
        : [companies, bonds, own, [search, ...titles]]
  return lists.flat()
}

const isTicker = (text: string, companies: readonly Found[]): boolean =>
  companies.some(({ detail }) => detail === text.toUpperCase())
