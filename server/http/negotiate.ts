import { firstOf } from '../../engine/base/elements.ts'
import { QueryError } from '../../engine/base/errors.ts'
import { type FormatName, formatNames, formats } from '../../engine/encode/formats.ts'

interface Range {
  readonly type: string
  readonly q: number
}

const bare = (type: string): string => type.replace(/;.*/s, '').trim().toLowerCase()

const mediaTypes = formatNames.map(name => ({ name, type: bare(formats[name].type) }))

/** Types in the order in which a caller likes them; those of equal weight as they are written. */
function rangesOf(accept: string): Range[] {
  const ranges = accept
    .split(',')
    .filter(part => part.trim() !== '')
    .map(part => {
      const [type = '', ...parameters] = part.split(';')
      const weight = parameters.map(p => /^\s*q\s*=\s*([0-9.]+)\s*$/i.exec(p)?.[1]).find(Boolean)
      const q = weight === undefined ? 1 : Number(weight)
      return { type: bare(type), q: Number.isNaN(q) ? 0 : q }
    })
  return ranges.sort((a, b) => b.q - a.q || exactness(b.type) - exactness(a.type))
}

const exactness = (type: string): number => (type === '*/*' ? 0 : type.endsWith('/*') ? 1 : 2)

const covers = (range: string, type: string): boolean =>
  range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))

/** The form an Accept header asks for: among `offered`, of which the first is the usual one. */
export function negotiate(accept: string | undefined, offered: readonly FormatName[]): FormatName {
  if (accept === undefined || accept.trim() === '' || accept.trim() === '*/*') return firstOf(offered)
  const ranges = rangesOf(accept)
  const types = offered.map(name => mediaTypes.find(m => m.name === name)!)
  const refused = (type: string) => {
    const nearest = ranges
      .filter(r => covers(r.type, type))
      .sort((a, b) => exactness(b.type) - exactness(a.type))
    return nearest[0]?.q === 0
  }
  for (const range of ranges) {
    if (range.q <= 0) continue
    const found = types.find(({ type }) => covers(range.type, type) && !refused(type))
    if (found) return found.name
  }
  throw new QueryError(
    'NOT_ACCEPTABLE',
    `nothing the Accept header names can be had here: ask for ${types.map(t => t.type).join(', ')}`,
    { allowed: types.map(t => t.type) },
  )
}
