import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { elementAt } from '../base/elements.ts'
import { TITLES, type Titles } from './text/title.ts'
import { bestCompletions, type Completion, Typeahead } from './typeahead.ts'

/** A title that what was typed may become. */
export interface CompletedTitle extends Completion {
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
    return new TitleCompletion(titles, await Typeahead.open(titles.map(([title]) => title)))
  }

  /** @param allowed by section: 1 if it may be seen; null for all */
  complete(typed: string, allowed: Uint8Array | null): CompletedTitle[] {
    const found = this.typeahead.complete(typed).flatMap((completion): CompletedTitle[] => {
      const [title, sections] = elementAt(this.titles, completion.text)
      const seen = allowed ? sections.filter(section => allowed[section] === 1).length : sections.length
      return seen > 0 ? [{ ...completion, title, sections: seen }] : []
    })
    return bestCompletions(found, { weightOf: ({ sections }) => sections, textOf: ({ title }) => title })
  }
}
