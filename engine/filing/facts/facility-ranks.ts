import type { InstrumentLine } from './instrument-line.ts'

/** `senior unsecured $2.0 billion revolving credit facility`, `The line is secured by spare parts`. */
const ranked = [
  /\b(?:senior\s{1,3})?(?:un)?secured\s{1,3}(?:[$\u20ac\u00a3][\d.,]{1,12}\s{1,3}(?:(?:b|m)illion\s{1,3})?)?(?:[\w-]{1,20}\s{1,3}){0,3}?(?:facilit\w+|agreement|loans?|line\s{1,3}of\s{1,3}credit)\b/i,
  /\b(?:facility|agreement|line|loans?|revolver|obligations|borrowings)\b[^.;]{0,120}\b(?:is|are)\s{1,3}(?:(?:also|fully|guaranteed|and|jointly)\s{1,3}){0,3}secured\s{1,3}(?=by\b)/i,
]
/** Before the words: they are of what was, or of other debt. */
const isOther =
  /\b(?:prior|previous|former|existing|replac\w+|terminat\w+|notes|permit\w*|may(?!\s{1,3}\d)|other)\b[^.;]{0,40}$/i

/** The words that say what rank a facility has, in the sentences that describe it; empty if they do not, or say two. */
export function rankTold(sentences: readonly string[]): string {
  const said = sentences.flatMap(each =>
    ranked.flatMap(pattern => {
      const match = pattern.exec(each)
      return match === null || isOther.test(each.slice(0, match.index)) ? [] : [match[0]]
    }),
  )
  const [first, ...others] = said
  const isUnsecured = (words: string) => /\bunsecured\b/i.test(words)
  return first !== undefined && others.every(each => isUnsecured(each) === isUnsecured(first)) ? first : ''
}

export function rankOf(words: string): InstrumentLine {
  if (/\bunsecured\b/i.test(words)) return { seniority: 'senior_unsecured', security_type: 'unsecured' }
  return /\bsecured\b|\basset-based\b|\bmortgage\s{1,3}loan\b/i.test(words)
    ? { seniority: 'senior_secured' }
    : {}
}
