import { invalid } from '../base/errors.ts'
import { exactJson } from '../base/exact-number.ts'

/**
 * `{type, id}` as `{'start.type', 'start.id'}`, so that an error names the member; JSON text and `type:id` are also
 * accepted.
 */
export function membersOf(name: string, given: unknown): Record<string, unknown> {
  if (given === undefined) return {}
  const value = typeof given === 'string' ? readText(name, given) : given
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(name, exactJson(value).slice(0, 120), `${name} must be a JSON object`)
  return Object.fromEntries(Object.entries(value).map(([member, v]) => [`${name}.${member}`, v]))
}

function readText(name: string, text: string): unknown {
  const short = /^(company|bond|entity):(.+)$/s.exec(text.trim())
  if (name === 'start' && short) return { type: short[1], id: short[2] }
  try {
    return JSON.parse(text)
  } catch {
    const also = name === 'start' ? ', or company:TICKER, bond:CUSIP, entity:ID' : ''
    throw invalid(name, text.slice(0, 120), `${name} must be a JSON object${also}`)
  }
}
