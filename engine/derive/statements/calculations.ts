/** The calculation links of one filing: the totals that include each concept. */
export class Calculations {
  private readonly totalsOf = new Map<string, Set<string>>()

  add(total: string, part: string): void {
    const totals = this.totalsOf.get(part) ?? new Set<string>()
    this.totalsOf.set(part, totals.add(total))
  }

  /** Whether a concept is part of a total, directly or through other totals. */
  isWithin(part: string, total: string, passed: ReadonlySet<string> = new Set()): boolean {
    if (passed.has(part)) return false
    for (const next of this.totalsOf.get(part) ?? [])
      if (next === total || this.isWithin(next, total, new Set([...passed, part]))) return true
    return false
  }

  /** Whether two concepts are siblings in one total, neither within the other. */
  areSiblings(a: string, b: string): boolean {
    const totals = this.totalsOf.get(b)
    const shared = [...(this.totalsOf.get(a) ?? [])].some(total => totals?.has(total))
    return shared && !this.isWithin(a, b) && !this.isWithin(b, a)
  }
}

/** The name that a filing's files share, in the `source` of a fact: `acme-20241231` of `acme-20241231_htm.xml.gz`. */
export function documentOfSource(source: string | null): string | null {
  const file = source?.slice(Math.max(source.lastIndexOf('/'), source.lastIndexOf('!')) + 1) ?? ''
  const end = file.indexOf('.xml')
  return end < 0 ? null : file.slice(0, end).replace(/_htm$/, '')
}
