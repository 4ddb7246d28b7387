// Indices below are within bounds by construction: checks would cost in the loops.

const consonant = '[^aeiou]'
const vowel = '[aeiouy]'
const consonants = `${consonant}[^aeiouy]*`
const vowels = `${vowel}[aeiou]*`

const measured = new RegExp(`^(${consonants})?${vowels}${consonants}`)
const measuredOnce = new RegExp(`^(${consonants})?${vowels}${consonants}(${vowels})?$`)
const measuredTwice = new RegExp(`^(${consonants})?${vowels}${consonants}${vowels}${consonants}`)
const hasVowel = new RegExp(`^(${consonants})?${vowel}`)
const shortEnd = new RegExp(`^${consonants}${vowel}[^aeiouwxy]$`)

const second: Readonly<Record<string, string>> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
}
const third: Readonly<Record<string, string>> = {
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
}
const secondEnd = new RegExp(`^(.+?)(${Object.keys(second).join('|')})$`)
const thirdEnd = new RegExp(`^(.+?)(${Object.keys(third).join('|')})$`)
const fourthEnd =
  /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$/

/** The stem of an English word in small letters (Porter, 1980): covenants and covenant are one. */
export function stem(word: string): string {
  if (word.length < 3 || word.length > 40 || !/^[a-z]+$/.test(word)) return word
  let w = word.startsWith('y') ? `Y${word.slice(1)}` : word
  w = w.replace(/^(.+?)(ss|i)es$/, '$1$2').replace(/^(.+?)([^s])s$/, '$1$2')
  w = pastAndGerund(w)
  let found = /^(.+?)y$/.exec(w)
  if (found && hasVowel.test(found[1]!)) w = `${found[1]}i`
  found = secondEnd.exec(w)
  if (found && measured.test(found[1]!)) w = found[1]! + second[found[2]!]!
  found = thirdEnd.exec(w)
  if (found && measured.test(found[1]!)) w = found[1]! + third[found[2]!]!
  found = fourthEnd.exec(w)
  if (found && measuredTwice.test(found[1]!)) w = found[1]!
  found = /^(.+?)e$/.exec(w)
  if (found && (measuredTwice.test(found[1]!) || (measuredOnce.test(found[1]!) && !shortEnd.test(found[1]!))))
    w = found[1]!
  if (w.endsWith('ll') && measuredTwice.test(w)) w = w.slice(0, -1)
  return w.toLowerCase()
}

function pastAndGerund(word: string): string {
  const agreed = /^(.+?)eed$/.exec(word)
  if (agreed) return measured.test(agreed[1]!) ? word.slice(0, -1) : word
  const found = /^(.+?)(ed|ing)$/.exec(word)
  if (!found || !hasVowel.test(found[1]!)) return word
  const bare = found[1]!
  if (/(at|bl|iz)$/.test(bare)) return `${bare}e`
  if (/([^aeiouylsz])\1$/.test(bare)) return bare.slice(0, -1)
  return shortEnd.test(bare) ? `${bare}e` : bare
}
