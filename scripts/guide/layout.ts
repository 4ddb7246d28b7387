import { escapeHtml } from './html.ts'
import type { GuidePage, NavGroup, NavLink } from './page.ts'

/** Addresses of the scripts and styles that every page loads. */
export interface Assets {
  readonly script: string
  readonly styles: readonly string[]
}

interface Site {
  readonly navigation: readonly NavGroup[]
  readonly assets: Assets
}

const linkOf = ({ title, address }: NavLink, current: string): string =>
  `<li><a href="${escapeHtml(address)}"${address === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`

const groupOf = ({ title, links }: NavGroup, current: string): string =>
  `<h2>${escapeHtml(title)}</h2>\n<ul>${links.map(link => linkOf(link, current)).join('')}</ul>`

/** Where the page stands: of a chapter, the page that it belongs to is marked. */
const placeOf = ({ address }: GuidePage): string =>
  address.startsWith('/guide/reference/') ? '/guide/reference' : address

function contentsOf({ sections, address }: GuidePage): string {
  const shown = sections.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < 2) return ''
  const links = shown.map(
    ({ id, title, level }) => `<li class="h${level}"><a href="#${id}">${escapeHtml(title)}</a></li>`,
  )
  return `<nav class="contents" aria-label="On this page" data-page="${escapeHtml(address)}"><h2>On this page</h2><ul>${links.join('')}</ul></nav>`
}

/** Links to the pages before and after, in the order of the navigation. */
function neighbours(page: GuidePage, navigation: readonly NavGroup[]): string {
  const all = page.beside?.links ?? navigation.flatMap(({ links }) => links)
  const at = all.findIndex(({ address }) => address === page.address)
  if (at < 0) return ''
  const part = (link: NavLink | undefined, rel: 'prev' | 'next') =>
    link ? `<a rel="${rel}" href="${escapeHtml(link.address)}">${escapeHtml(link.title)}</a>` : ''
  return `<nav class="neighbours" aria-label="Before and after">${part(all[at - 1], 'prev')}${part(all[at + 1], 'next')}</nav>`
}

const top = (name: string, address: string, isCurrent: boolean): string =>
  `<a href="${address}"${isCurrent ? ' aria-current="true"' : ''}>${name}</a>`

/** A page with everything around it. Addresses begin at the server's root: it adds the prefix that it is mounted under. */
export function layout(page: GuidePage, { navigation, assets }: Site): string {
  const isApi = page.address === '/docs' || page.address.startsWith('/docs/')
  const groups = [...(page.beside ? [page.beside] : []), ...(isApi ? [] : navigation)]
  const title = page.address === '/guide' ? 'Tranche guide' : `${page.title} · Tranche guide`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/guide/mark.svg" type="image/svg+xml">
<script src="/guide/theme.js"></script>
${assets.styles.map(style => `<link rel="stylesheet" href="${style}">`).join('\n')}
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the page</a>
<header class="bar">
<a class="brand" href="/guide">Tranche</a>
<nav aria-label="Site">${top('Guide', '/guide', !isApi)}${top('API', '/docs', isApi)}${top('Explorer', '/', false)}</nav>
<search></search>
<button type="button" class="theme" aria-label="Change colours" hidden></button>
</header>
<div class="body">
<details class="menu" open><summary>Pages</summary><nav aria-label="Pages">
${groups.map(group => groupOf(group, group === page.beside ? page.address : placeOf(page))).join('\n')}
</nav></details>
<main id="main" tabindex="-1">
<article>
${page.html}</article>
${neighbours(page, navigation)}
</main>
${contentsOf(page)}
</div>
</body>
</html>
`
}
