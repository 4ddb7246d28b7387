// Words of covenants that a page breaks in two, `maxim um of 50%`, `indebted ness`. Long enough that no two words of English
// are their halves.
const COVENANT_WORDS = [
  'maximum',
  'minimum',
  'leverage',
  'coverage',
  'consolidated',
  'covenant',
  'covenants',
  'capitalization',
  'indebtedness',
  'indenture',
  'agreement',
  'agreements',
  'facility',
  'facilities',
  'interest',
  'collateral',
  'redeemable',
  'borrower',
  'subsidiaries',
  'restrictions',
  'limitations',
  'percentage',
]
/** Shortest half: one letter is too often a word or a list item of its own. */
const LEAST = 2

const halves = COVENANT_WORDS.flatMap(word =>
  [...word].flatMap((_, i) =>
    i < LEAST || word.length - i < LEAST ? [] : `${word.slice(0, i)} ${word.slice(i)}`,
  ),
)
// The first half a word by itself: `inter est`, never `over age`.
const broken = new RegExp(String.raw`\b(?:${halves.join('|')})\b`, 'gi')

/** A text with the words of covenants that a page broke made whole, of the same length: the blank goes behind the word. */
export const withWholeWords = (flat: string): string =>
  flat.replace(broken, half => `${half.replace(' ', '')} `)
