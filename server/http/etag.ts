import { hash } from 'node:crypto'
import { version } from '../../engine/base/version.ts'

/** Arguments as canonical text: sorted by name, without absent ones. */
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

/** Everything that determines an answer except the request id: equal parts give equal answers. */
export const etagOf = (...parts: readonly string[]): string =>
  `W/"${hash('sha256', [version, ...parts].join('\n'), 'base64url').slice(0, 27)}"`

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')

/** Whether If-None-Match names the tag: a list, or `*`; weak and strong tags compare equal. */
export const matches = (header: string, tag: string): boolean =>
  header.trim() === '*' ||
  (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some(given => opaque(given) === opaque(tag))
