import { distance } from 'fastest-levenshtein'

/** A page of the explorer, or something it does, by name. */
export interface Place {
  readonly name: string
  /** Other words it is found by. */
  readonly words: string
  readonly hint: 'Page' | 'Screen' | 'Command'
  readonly run: () => void
}

/** Slips allowed in a word of this many letters. */
const slipsIn = (word: string): number => (word.length < 4 ? 0 : word.length < 5 ? 1 : 2)

const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}&]+/u)
    .filter(Boolean)

/** Places each written word of which begins one of theirs, or nearly does; the closest first. */
export function placesFor<P extends Pick<Place, 'name' | 'words'>>(
  written: string,
  among: readonly P[],
): P[] {
  const asked = wordsIn(written)
  if (asked.length === 0) return []
  return among
    .flatMap(place => {
      const [own, other] = [wordsIn(place.name), wordsIn(place.words)]
      // A name that is being typed comes before those with the same words.
      let off = place.name.toLowerCase().startsWith(written.toLowerCase()) ? -0.25 : 0
      for (const word of asked) {
        const nearest = Math.min(...own.map(w => slips(word, w)), ...other.map(w => slips(word, w) + 0.5))
        if (nearest > slipsIn(word) + 0.5) return []
        off += nearest
      }
      return [{ place, off }]
    })
    .sort((a, b) => a.off - b.off)
    .map(({ place }) => place)
}

/** Letters that differ between a written word and the beginning of another. */
const slips = (written: string, word: string): number =>
  Math.min(...[-1, 0, 1].map(more => distance(written, word.slice(0, written.length + more))))
