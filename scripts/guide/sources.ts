import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { anchorOf, type Links, renderMarkdown } from './markdown.ts'
import type { GuidePage, NavGroup, NavLink } from './page.ts'

/** Pages outside `docs/` that are part of the site, and their names in it. */
const outside: Readonly<Record<string, string>> = {
  'README.md': 'about',
  'CHANGELOG.md': 'changes',
  'CONTRIBUTING.md': 'contributing',
  'SECURITY.md': 'reporting',
  'bench/README.md': 'benchmarks',
}

/** What pages link to that is not a page: the server's own address of it. */
const elsewhere: Readonly<Record<string, string>> = { 'docs/openapi.json': '/v1/openapi.json' }

const REFERENCE = 'docs/reference.md'

/** The site's address of a file of the project; null if it has none. */
function addressOf(file: string, outsideIsShown: (file: string) => boolean): string | null {
  if (elsewhere[file]) return elsewhere[file]
  const name = outside[file]
  if (name) return outsideIsShown(file) ? `/guide/${name}` : null
  const own = /^docs\/([\w-]+)\.md$/.exec(file)?.[1]
  return own === undefined ? null : own === 'README' ? '/guide' : `/guide/${own}`
}

/** A chapter of the reference that is a page of its own. */
interface Chapter {
  readonly title: string
  readonly address: string
  readonly text: string
  /** The heading above it: `Operations`. */
  readonly part: string
}

/** Parts of the reference whose text is a page of its own; of the others each section is one. */
const whole: ReadonlySet<string> = new Set(['Functions', 'Errors'])

/** The reference cut at its headings: what stays on its first page, and the chapters. */
export function cutReference(text: string): { readonly rest: string; readonly chapters: readonly Chapter[] } {
  const rest: string[] = []
  const chapters: { title: string; address: string; lines: string[]; part: string }[] = []
  let into = rest
  let part = ''
  for (const line of text.split('\n')) {
    const heading = /^(##|###) (.+)$/.exec(line)
    const title = heading?.[2] ?? ''
    if (heading?.[1] === '##') part = title
    if (heading?.[1] === '##' && !whole.has(title)) into = rest
    else if (heading && (heading[1] === '###' || whole.has(title))) {
      const name = title.toLowerCase().replaceAll(' ', '-')
      const chapter = { title, address: `/guide/reference/${name}`, lines: [`# ${title}`], part }
      chapters.push(chapter)
      into = chapter.lines
      continue
    }
    into.push(line)
  }
  return {
    rest: rest.join('\n'),
    chapters: chapters.map(({ lines, ...chapter }) => ({ ...chapter, text: lines.join('\n') })),
  }
}

/** The groups of pages that `docs/README.md` lists, in its order. */
export function navigationOf(index: string, link: Links['link']): NavGroup[] {
  const groups: { title: string; links: NavLink[] }[] = []
  for (const line of index.split('\n')) {
    const title = /^([A-Z][\w ]+):/.exec(line)?.[1]
    if (title) groups.push({ title, links: [] })
    for (const [, text, to] of line.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)) {
      const address = link(to as string)
      if (address?.startsWith('/guide/')) groups.at(-1)?.links.push({ title: text as string, address })
    }
  }
  return groups
}

export interface Sources {
  readonly pages: readonly GuidePage[]
  readonly navigation: readonly NavGroup[]
  /** Pictures by their names in the site. */
  readonly images: ReadonlyMap<string, string>
}

/** Every page of the project as pages of the site. */
export function readSources(root: string): Sources {
  const images = new Map<string, string>()
  const isShown = (file: string) => existsSync(join(root, file))
  const reference = cutReference(readFileSync(join(root, REFERENCE), 'utf8'))
  const chapterAt = new Map(reference.chapters.map(({ title, address }) => [anchorOf(title), address]))

  const linksOf = (file: string): Links => ({
    link(to) {
      if (/^\w+:/.test(to)) return to
      const [path = '', anchor] = to.split('#')
      const target = path === '' ? file : posix.normalize(posix.join(posix.dirname(file), path))
      const chapter = target === REFERENCE && anchor !== undefined ? chapterAt.get(anchor) : undefined
      if (chapter) return chapter
      const address = addressOf(target, isShown)
      return address === null ? null : anchor === undefined ? address : `${address}#${anchor}`
    },
    image(from) {
      const path = posix.join(posix.dirname(file), from)
      const name = path.replace(/^docs\/images\//, '').replaceAll('/', '-')
      images.set(name, join(root, path))
      return `/guide/images/${name}`
    },
  })

  const pageOf = (file: string, address: string, text: string, beside?: NavGroup): GuidePage => {
    const { html, sections } = renderMarkdown(text, linksOf(file))
    const title = sections[0]?.title ?? file
    // The other pages say what the changes led to.
    const isSearched = file !== 'CHANGELOG.md'
    return { address, title, html, sections, isSearched, ...(beside && { beside }) }
  }

  const parts = new Map<string, NavGroup>()
  for (const { part } of reference.chapters)
    parts.set(part, {
      title: part,
      links: reference.chapters
        .filter(chapter => chapter.part === part)
        .map(({ title, address }) => ({ title: title.replace(/^(Table|Dataset) /, ''), address })),
    })

  const pages: GuidePage[] = []
  const docs = readdirSync(join(root, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`)
  for (const file of [...docs, ...Object.keys(outside).filter(isShown)]) {
    const text =
      file === REFERENCE ? withLists(reference.rest, parts) : readFileSync(join(root, file), 'utf8')
    pages.push(pageOf(file, addressOf(file, isShown) as string, text))
  }
  for (const { address, text, part } of reference.chapters)
    pages.push(pageOf(REFERENCE, address, text, whole.has(part) ? undefined : parts.get(part)))
  const navigation = navigationOf(
    readFileSync(join(root, 'docs/README.md'), 'utf8'),
    linksOf('docs/README.md').link,
  )
  return { pages, navigation, images }
}

/** The first page of the reference, with lists of the chapters that it does not link to itself. */
function withLists(rest: string, parts: ReadonlyMap<string, NavGroup>): string {
  const listOf = (part: string) =>
    (parts.get(part)?.links ?? [])
      .map(({ title, address }) => `[\`${title}\`](#${anchorOf(address.split('/').at(-1) as string)})`)
      .join(', ')
  const text = rest
    .trimEnd()
    .replace(
      /^## (Tables|Datasets)$[\s\S]*?(?=^## |$(?![\s\S]))/gm,
      (all, part: string) => `${all.trimEnd()}\n\n${listOf(part)}\n\n`,
    )
  return `${text.trimEnd()}\n\n## Functions and errors\n\n[Functions in SQL](#functions), [Errors](#errors)\n`
}
