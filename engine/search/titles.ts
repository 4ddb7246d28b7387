import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { elementAt, firstOf } from '../base/elements.ts'
import { type Spellings, TITLES, type Titles } from './text/title.ts'
import { bestCompletions, type Completion, Typeahead } from './typeahead.ts'

/** A title that what was typed may become. */
export interface CompletedTitle extends Completion {
  /** As the newest of them writes it. */
  readonly title: string
  /** Sections with it that may be seen. */
  readonly sections: number
}

/** Completes what is being typed to titles of sections. */
export class TitleCompletion {
  private readonly titles: Titles
  private readonly typeahead: Typeahead

  private constructor(titles: Titles, typeahead: Typeahead) {
    this.titles = titles
    this.typeahead = typeahead
  }

  static async open(folder: string): Promise<TitleCompletion> {
    const titles = JSON.parse(readFileSync(join(folder, TITLES), 'utf8')) as Titles
    return new TitleCompletion(titles, await Typeahead.open(titles.map(spellings => firstOf(spellings)[0])))
  }

  /** @param allowed by section: 1 if it may be seen; null for all */
  complete(typed: string, allowed: Uint8Array | null): CompletedTitle[] {
    const found = this.typeahead.complete(typed).flatMap((completion): CompletedTitle[] => {
      const seen = seenOf(elementAt(this.titles, completion.text), allowed)
      return seen ? [{ ...completion, ...seen }] : []
    })
    return bestCompletions(found, { weightOf: ({ sections }) => sections, textOf: ({ title }) => title })
  }
}

/** A title as the newest section that may be seen writes it, and how many there are; null for none. Newer ones have lower numbers. */
function seenOf(
  spellings: Spellings,
  allowed: Uint8Array | null,
): Pick<CompletedTitle, 'title' | 'sections'> | null {
  let [title, sections, newest] = ['', 0, Infinity]
  for (const [spelling, those] of spellings) {
    const seen = allowed ? those.filter(section => allowed[section] === 1) : those
    sections += seen.length
    if (seen.length === 0 || firstOf(seen) > newest) continue
    newest = firstOf(seen)
    title = spelling
  }
  return sections > 0 ? { title, sections } : null
}
