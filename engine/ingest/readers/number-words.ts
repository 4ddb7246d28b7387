const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const SCALES: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, billion: 1e9 }
const NONE = new Set(['no', 'none', 'nil'])

/** The whole number that English words say: `twenty-one`, `one hundred and five`, `no`; null for any other text. */
export function numberInWords(text: string): number | null {
  const spoken = text.trim().toLowerCase()
  if (NONE.has(spoken)) return 0
  let total = 0
  let group = 0
  let said = false
  for (const word of spoken.split(/[\s-]+/)) {
    if (word === 'and' && said) continue
    const small = SMALL.indexOf(word)
    const tens = TENS.indexOf(word)
    const scale = SCALES[word]
    if (word === 'a' && !said) group = 1
    else if (small >= 0) group += small
    else if (tens >= 0) group += 10 * (tens + 2)
    else if (word === 'hundred' && said) group *= 100
    else if (scale !== undefined && said) {
      total += group * scale
      group = 0
    } else return null
    said = true
  }
  return said ? total + group : null
}
