/** The style of text at a position in the tree. */
export interface Frame {
  readonly tag: string
  readonly bold: boolean
  readonly emphasised: boolean
  /** Set apart from the text around it: raised or slanted. */
  readonly apart: boolean
  readonly centred: boolean
  readonly hidden: boolean
  readonly pre: boolean
  readonly link: string | null
  readonly indent: number
}

export const ROOT: Frame = {
  tag: '',
  bold: false,
  emphasised: false,
  apart: false,
  centred: false,
  hidden: false,
  pre: false,
  link: null,
  indent: 0,
}

const DROPPED = new Set(['script', 'style', 'title', 'ix:header', 'noscript', 'template', 'object', 'select'])

/** What a redline strikes: out of the final text. In old tables `<S>` is a column instead. */
const isStruck = (tag: string, style: string, outer: Frame): boolean =>
  tag === 'strike' ||
  tag === 'del' ||
  (tag === 's' && !outer.pre && RUNNING.has(outer.tag)) ||
  /text-decoration(?:-line)?\s{0,9}:[^;]{0,60}line-through/i.test(style)

/** Tags around running text. */
const RUNNING = new Set(['p', 'div', 'span', 'font', 'td', 'li', 'b', 'i', 'u', 'a', 'ins'])

const PAGE_BREAKS = {
  before: /break-before\s*:\s*(always|page)/i,
  after: /break-after\s*:\s*(always|page)/i,
} as const

export const breaksPage = (style: string, side: 'before' | 'after'): boolean => PAGE_BREAKS[side].test(style)

/** The style inside a tag, from its attributes and the style around it. */
export function frameOf(tag: string, attributes: Readonly<Record<string, string>>, outer: Frame): Frame {
  const style = attributes['style'] ?? ''
  const weight = /font-weight\s*:\s*(bold|bolder|[1-9]00|normal)/i.exec(style)?.[1]?.toLowerCase()
  const isStrong = tag === 'b' || tag === 'strong' || /^h[1-6]$/.test(tag)
  const bold = weight ? weight.startsWith('bold') || Number(weight) >= 600 : isStrong || outer.bold
  const isMarked =
    tag === 'u' ||
    tag === 'i' ||
    tag === 'em' ||
    /font-style\s*:\s*italic|text-decoration\s*:\s*underline/i.test(style)
  const align = (/text-align\s*:\s*([a-z]+)/i.exec(style)?.[1] ?? attributes['align'])?.toLowerCase()
  const href = tag === 'a' ? attributes['href'] : undefined
  return {
    tag,
    bold,
    emphasised: bold || isMarked || outer.emphasised,
    apart:
      outer.apart ||
      tag === 'sup' ||
      tag === 'i' ||
      tag === 'em' ||
      /font-style\s*:\s*italic|vertical-align\s*:\s*super/i.test(style),
    centred: align ? align === 'center' : tag === 'center' || outer.centred,
    hidden:
      outer.hidden || DROPPED.has(tag) || /display\s*:\s*none/i.test(style) || isStruck(tag, style, outer),
    pre: tag === 'pre' || outer.pre,
    link: href === undefined ? outer.link : href.includes('#') ? href.slice(href.indexOf('#') + 1) : null,
    indent: tag === 'td' || tag === 'th' ? indentOf(style) : outer.indent + indentOf(style),
  }
}

const POINTS: Readonly<Record<string, number>> = {
  pt: 1,
  px: 0.75,
  em: 12,
  rem: 12,
  in: 72,
  cm: 28.35,
  mm: 2.835,
  '%': 6,
}

const points = (value = '', unit = ''): number => Number(value) * (POINTS[unit.toLowerCase()] ?? 0)

/** How far a style indents the first line, points. */
function indentOf(style: string): number {
  if (!/left|indent|padding|margin/i.test(style)) return 0
  let sum = 0
  for (const [, value, unit] of style.matchAll(
    /(?:^|[;\s])(?:margin-left|padding-left|text-indent)\s*:\s*(-?[\d.]+)(pt|px|em|rem|in|cm|mm|%)/gi,
  ))
    sum += points(value, unit)
  for (const [, values] of style.matchAll(/(?:^|[;\s])(?:padding|margin)\s*:\s*([^;]+)/gi)) {
    const sides = (values ?? '').trim().split(/\s+/)
    const left = /^(-?[\d.]+)(pt|px|em|rem|in|cm|mm|%)$/i.exec(sides[3] ?? sides[1] ?? sides[0] ?? '')
    if (left) sum += points(left[1], left[2])
  }
  return sum
}
