import type { Company } from '../../../engine/schema/resources/companies.ts'

/** Codes of the caveats that pages say themselves, with the day of the figures. */
const saidByPages: ReadonlySet<string> = new Set(['stale_figures', 'old_figures'])

/** The caveats about a company's figures that its page does not say by itself. */
export function caveatsOf({ _metadata }: Pick<Company, '_metadata'>): string[] {
  const { warnings, warning_codes: codes } = _metadata ?? {}
  return (warnings ?? []).filter((_, at) => !saidByPages.has(codes?.[at] ?? ''))
}
