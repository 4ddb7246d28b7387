import { hash } from 'node:crypto'
import { version } from '../../engine/base/version.ts'

/** Arguments as one text: in the order of their names, without those that are absent. */
export function canonical(args: Readonly<Record<string, unknown>>): string {
  let text = ''
  for (const name of Object.keys(args).sort()) {
    const value = args[name]
    if (value === undefined) continue
    const isPlain = typeof value === 'number' || typeof value === 'boolean'
    text += `${name}=${isPlain ? value : JSON.stringify(value)}\n`
  }
  return text
}

/** What an answer is a function of: equal parts give equal answers, but for the request's own id. */
export const etagOf = (...parts: readonly string[]): string =>
  `W/"${hash('sha256', [version, ...parts].join('\n'), 'base64url').slice(0, 27)}"`

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')

/** Whether If-None-Match names the tag: a list, or `*` for any; strength does not matter. */
export const matches = (header: string, tag: string): boolean =>
  header.trim() === '*' ||
  (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some(given => opaque(given) === opaque(tag))
