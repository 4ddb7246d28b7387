import type { Snippet } from './snippets.ts'

/** A change of the sources shown on a page: a new file, or lines added to an existing one. */
export interface SourceEdit {
  /** Its place on the page. */
  readonly at: string
  readonly path: string
  /** The content of a new file; null if lines are changed. */
  readonly text: string | null
  readonly hunks: readonly Hunk[]
}

interface Hunk {
  readonly before: string
  readonly after: string
}

/**
 * The edit in a block; null if it contains none. New files are TypeScript blocks that begin with `// path`; changes
 * are diffs that begin with `--- path`, whose hunks have no line numbers.
 */
export function sourceEdit({ at, language, text }: Snippet): SourceEdit | null {
  const created = /^\/\/ (\S+\.ts)\n([\s\S]*)$/.exec(text)
  if (language === 'ts' && created) return { at, path: created[1]!, text: created[2]!, hunks: [] }
  const changed = /^--- (\S+)\n@@\n([\s\S]*)$/.exec(text)
  if (language !== 'diff' || !changed) return null
  return { at, path: changed[1]!, text: null, hunks: changed[2]!.split(/^@@\n/m).map(hunkOf) }
}

function hunkOf(text: string): Hunk {
  const lines = text.split('\n').filter(line => line !== '')
  const side = (other: string) =>
    lines.flatMap(line => (line.startsWith(other) ? [] : [`${line.slice(1)}\n`])).join('')
  return { before: side('+'), after: side('-') }
}

/** The text of a file after an edit; throws if a place that it names is missing or not unique. */
export function edited({ at, path, text, hunks }: SourceEdit, source: string | null): string {
  if (text !== null) {
    if (source !== null) throw new Error(`${at}: ${path} is there already`)
    return text
  }
  if (source === null) throw new Error(`${at}: there is no ${path}`)
  return hunks.reduce((whole, { before, after }) => {
    const lines = `\n${whole}`
    const place = lines.indexOf(`\n${before}`)
    if (place < 0 || place !== lines.lastIndexOf(`\n${before}`))
      throw new Error(
        `${at}: ${path} has these lines ${place < 0 ? 'nowhere' : 'more than once'}:\n${before}`,
      )
    return whole.slice(0, place) + after + whole.slice(place + before.length)
  }, source)
}
