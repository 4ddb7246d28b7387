import { eachWord } from './words.ts'

const MOST = 20_000

/** The words of headings, by how many have each. */
export class HeadingWords {
  private readonly found = new Map<string, number>()

  add(heading: string): void {
    const words = new Set<string>()
    eachWord(heading, word => words.add(word.toLowerCase()))
    for (const word of words)
      if (/^[a-z]{4,32}$/.test(word)) this.found.set(word, (this.found.get(word) ?? 0) + 1)
  }

  /** In lower case, the most frequent first. */
  frequent(): string[] {
    return [...this.found]
      .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
      .slice(0, MOST)
      .map(([word]) => word)
  }
}
