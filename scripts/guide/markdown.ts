import MarkdownIt, { type Token } from 'markdown-it'
import { highlighted } from './highlight.ts'
import { escapeHtml } from './html.ts'

/** A heading of a page, with the text below it up to the next one. */
export interface Section {
  readonly level: number
  readonly id: string
  readonly title: string
  readonly text: string
}

export interface Rendered {
  readonly html: string
  readonly sections: readonly Section[]
}

export interface Links {
  /** The address of what a page links to; null if the site does not have it: only its text is shown then. */
  readonly link: (to: string) => string | null
  /** The address of a picture. */
  readonly image: (from: string) => string
}

/** The anchor of a heading, as GitHub makes it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

/** Forms of one example. Blocks of different forms that follow each other directly become tabs. */
const forms: Readonly<Record<string, string>> = {
  sh: 'CLI',
  http: 'HTTP',
  ts: 'TypeScript',
  python: 'Python',
}

const code = ({ content, info }: Token): string =>
  `<div class="code"><pre tabindex="0"><code>${highlighted(content, info.trim())}</code></pre></div>\n`

/** Blocks of code of one example: tabs where there are several forms of it. */
export const tabs = (blocks: readonly { readonly form: string; readonly html: string }[]): string =>
  `<div class="tabs">${blocks
    .map(({ form, html }) => `<section data-tab="${form}" aria-label="${form}">${html}</section>`)
    .join('')}</div>\n`

export const codeTabs = (blocks: readonly { readonly language: string; readonly text: string }[]): string =>
  tabs(
    blocks.map(({ language, text }) => ({
      form: forms[language] ?? language,
      html: code({ content: text, info: language } as Token),
    })),
  )

/** Adjacent blocks of code in different forms, as lists of tokens; any other token is a list of its own. */
function grouped(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = []
  for (const token of tokens) {
    const last = groups.at(-1)
    const isForm = token.type === 'fence' && forms[token.info.trim()] !== undefined
    const joins =
      isForm &&
      last?.[0]?.type === 'fence' &&
      last.every(other => forms[other.info.trim()] !== undefined && other.info !== token.info)
    if (joins) last.push(token)
    else groups.push([token])
  }
  return groups
}

const plainText = (token: Token): string =>
  token.type === 'fence' || token.type === 'code_block'
    ? token.content
    : (token.children ?? [])
        .map(child => (/^(text|code_inline)$/.test(child.type) ? child.content : ' '))
        .join('')

/** Marks headings with their anchors, and gathers what is below each. */
function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: { level: number; id: string; title: string; text: string }[] = []
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const title = plainText(tokens[i + 1] ?? token)
      const id = anchorOf(title)
      token.attrSet('id', id)
      sections.push({ level: Number(token.tag.slice(1)), id, title, text: '' })
    } else if (tokens[i - 1]?.type !== 'heading_open') {
      const text = plainText(token)
      const last = sections.at(-1)
      if (text && last) last.text += `${last.text ? ' ' : ''}${text.trim()}`
    }
  }
  return sections
}

/** Rewrites links and pictures. A link that leads out of the site loses its mark-up and keeps its text. */
function rewrite(inline: readonly Token[], { link, image }: Links): void {
  const open: boolean[] = []
  for (const token of inline) {
    if (token.type === 'image') token.attrSet('src', image(String(token.attrGet('src') ?? '')))
    if (token.type === 'link_open') {
      const to = link(String(token.attrGet('href') ?? ''))
      open.push(to !== null)
      if (to === null) token.hidden = true
      else token.attrSet('href', to)
    }
    if (token.type === 'link_close' && open.pop() === false) token.hidden = true
  }
}

const parser = new MarkdownIt({ html: true })
parser.renderer.rules['table_open'] = () => '<div class="scroll" tabindex="0"><table>\n'
parser.renderer.rules['table_close'] = () => '</table></div>\n'
for (const rule of ['link_open', 'link_close'] as const)
  parser.renderer.rules[rule] = (tokens, i, options, _env, self) =>
    tokens[i]?.hidden ? '' : self.renderToken(tokens, i, options)
parser.renderer.rules['heading_close'] = (tokens, i) => {
  const { tag } = tokens[i] as Token
  const id = tokens[i - 2]?.attrGet('id') ?? ''
  const title = escapeHtml(plainText(tokens[i - 1] as Token))
  const anchor = tag === 'h1' ? '' : `<a class="anchor" href="#${id}" aria-label="Link to ${title}">#</a>`
  return `${anchor}</${tag}>\n`
}

/** A page as HTML. Comments are left out; other HTML in a page is refused, because pages are also read as they are. */
export function renderMarkdown(text: string, links: Links): Rendered {
  const env = {}
  const all = parser.parse(text, env)
  for (const { type, content } of all)
    if (type === 'html_block' && !/^<!--[\s\S]*-->\s*$/.test(content))
      throw new Error(`a page has HTML of its own: ${content}`)
  const tokens = all.filter(({ type }) => type !== 'html_block')
  for (const token of tokens) {
    if (token.children) rewrite(token.children, links)
    // Columns are aligned by a class: the policy of the pages refuses inline styles.
    if (token.attrGet('style') === 'text-align:right') token.attrSet('class', 'number')
    token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null
  }
  const sections = sectionsOf(tokens)
  const html: string[] = []
  let run: Token[] = []
  const flush = () => {
    html.push(parser.renderer.render(run, parser.options, env))
    run = []
  }
  for (const group of grouped(tokens)) {
    const [first] = group
    if (first?.type !== 'fence') run.push(...group)
    else {
      flush()
      html.push(
        group.length === 1
          ? code(first)
          : tabs(group.map(token => ({ form: forms[token.info.trim()] as string, html: code(token) }))),
      )
    }
  }
  flush()
  return { html: html.join(''), sections }
}
