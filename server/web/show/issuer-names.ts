import { issuerName, withoutSecurityMarks } from '../../../engine/names/issuer-name.ts'

/** Letters of both cases read better than capitals alone, and a short name better than a long one. */
const order = (a: string, b: string): number =>
  Number(/[a-z]{2}/.test(b)) - Number(/[a-z]{2}/.test(a)) || a.length - b.length || (a < b ? -1 : 1)

/**
 * How each name of an issuer is shown: sources write one issuer in capitals, in usual letters and with marks of the security, and
 * all of these are shown as the best of them.
 */
export function shownIssuers(names: Iterable<string>): ReadonlyMap<string, string> {
  const groups = new Map<string, string[]>()
  for (const name of new Set(names)) {
    const { base, form } = issuerName(name)
    const key = `${base}|${form}`
    groups.set(key, [...(groups.get(key) ?? []), name])
  }
  return new Map(
    [...groups.values()].flatMap(written => {
      const best = written.map(withoutSecurityMarks).sort(order)[0] ?? ''
      return written.map(name => [name, best] as const)
    }),
  )
}
