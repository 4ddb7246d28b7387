import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'

/** A fenced block of a page, with the comment above it. */
export interface Snippet {
  /** `docs/start.md:12` */
  readonly at: string
  readonly language: string
  readonly text: string
  /** Why it is not run. */
  readonly notRun?: string
  /** The file whose content it shows. */
  readonly file?: string
}

const fence = /(?:^<!-- (not run|file): (.+?) -->\n+)?^```(\w*)\n([\s\S]*?)^```$/gm

/** The blocks of a page in order. */
export function snippetsOf(page: string): readonly Snippet[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(fence)].map(({ index, 1: mark, 2: said, 3: language, 4: block }) => ({
    at: `${page}:${text.slice(0, text.indexOf('```', index)).split('\n').length}`,
    language: language!,
    text: block!,
    ...(mark === 'not run' && { notRun: said! }),
    ...(mark === 'file' && { file: said! }),
  }))
}

/** Commands of a block, without comments: a command continues where a line ends in `\` or within quotes. */
export function commandsOf(text: string): readonly string[] {
  const parts = /(?<comment>(?<=^|\s)#.*)|(?<end>\n)|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\[\s\S]|[^'"\\\n]/gm
  const commands = ['']
  for (const { 0: part, groups } of text.matchAll(parts))
    if (groups!['end']) commands.push('')
    else if (!groups!['comment']) commands.push(commands.pop()! + part)
  return commands.map(command => command.trim()).filter(Boolean)
}

/** A command independent of line breaks and of how it is started. */
export const sameCommand = (command: string): string =>
  command.replaceAll('\\\n', ' ').replace(/^npx /, '').replaceAll(/\s+/g, ' ')

/** A page without its fenced blocks. */
const proseOf = (page: string): string =>
  readFileSync(join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')

/** Files that a page links to, without addresses on the web and anchors. */
export const linksOf = (page: string): readonly string[] =>
  [...proseOf(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, to]) => to!)
    .filter(to => !/^\w+:/.test(to))

/** Headings that a page links to, with the page that has them: empty for its own. */
export const placesOf = (page: string): readonly { readonly to: string; readonly heading: string }[] =>
  [...proseOf(page).matchAll(/\]\(([^)#\s]*)#([^)]+)\)/g)]
    .map(([, to, heading]) => ({ to: to!, heading: heading! }))
    .filter(({ to }) => !/^\w+:/.test(to))

/** Anchors of a page's headings, as GitHub makes them. */
export const headingsOf = (page: string): readonly string[] =>
  [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
