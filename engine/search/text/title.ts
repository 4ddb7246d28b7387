const LONGEST = 80

// at most 160 characters: plainTitle
const number =
  /^(?:(?:item|note|section|article|part)\s{1,3}[\dIVX]{1,5}(?:\.\d{1,3})?[A-C]?|\d{1,3}(?:\.\d{1,3})?)(?:[.:)]|\s{0,3}[-–—|]|\s)\s{0,3}[-–—|]?\s{0,3}/i
// at most 160 characters: plainTitle
const part = /\s{0,3}\(part \d{1,3} of \d{1,3}\)$/i

/** A section's title without its number and part, as one would search for it; null where no short text is left. */
function plainTitle(title: string): string | null {
  if (title.length > 2 * LONGEST) return null
  const text = title.replace(part, '').replace(number, '').replaceAll(/\s/g, ' ').trim().replace(/\.$/, '')
  return text.length <= LONGEST && /\p{L}{3}/u.test(text) ? text : null
}

/** Titles of sections and the sections that have each, by the way in which these write it. */
export const TITLES = 'titles.json'

/** One title, as the sections with it write it: upper and lower case differ. */
export type Spellings = readonly (readonly [title: string, sections: readonly number[]])[]

export type Titles = readonly Spellings[]

/** Collects titles while an index is built, newest section first. */
export class TitleList {
  private readonly byKey = new Map<string, Map<string, number[]>>()

  add(title: string | null, section: number): void {
    const plain = title && plainTitle(title)
    if (!plain) return
    const key = plain.toLowerCase()
    const spellings = this.byKey.get(key) ?? new Map<string, number[]>()
    this.byKey.set(key, spellings)
    const sections = spellings.get(plain)
    if (sections) sections.push(section)
    else spellings.set(plain, [section])
  }

  toJson(): string {
    const titles: Titles = [...this.byKey.values()].map(spellings => [...spellings])
    return `${JSON.stringify(titles)}\n`
  }
}
