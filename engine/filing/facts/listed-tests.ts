import { sentenceBefore, words } from './flat-text.ts'

/** `Coverage Ratio, as defined, to be at least 2.00 to 1.00`, behind `financial covenants: Leverage Ratio to be no higher than`. */
export const isOfListedTests = (flat: string, start: number, to: number, comparison: number): boolean =>
  /^\s{0,3}(?:,\s{1,3}[^,.;:]{1,60},|\([^()]{1,60}\))?\s{1,3}to\s{1,3}be\s{0,3}$/i.test(
    flat.slice(to, comparison),
  ) && listsTests.test(sentenceBefore(flat, start))
const listsTests = words(String.raw`\bfinancial covenants?\b[^;]{0,300}: [^:;]{3,160} to be\b`)
