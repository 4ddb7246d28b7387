import type { Section } from './markdown.ts'

/** A link in the navigation. */
export interface NavLink {
  readonly title: string
  readonly address: string
}

export interface NavGroup {
  readonly title: string
  readonly links: readonly NavLink[]
}

/** A page of the site. */
export interface GuidePage {
  /** Where the server has it: `/guide/start`. */
  readonly address: string
  readonly title: string
  readonly html: string
  readonly sections: readonly Section[]
  /** Pages beside this one, shown in the navigation: the operations of the reference. */
  readonly beside?: NavGroup
  /** Whether its text is searched, or only its title. */
  readonly isSearched: boolean
}
