const FRACTIONS: Readonly<Record<string, string>> = {
  '\u00bc': '.25',
  '\u00bd': '.5',
  '\u00be': '.75',
  '\u215b': '.125',
  '\u215c': '.375',
  '\u215d': '.625',
  '\u215e': '.875',
}
const fraction = /(?<=\d)\s?([\u00bc-\u00be\u215b-\u215e])(?=\s{0,3}(?:%|percent\b))/g

/** Rates with a fraction in one character, `5\u215d%`, as decimals. The text becomes longer, so that positions in it change. */
export const withDecimals = (text: string): string =>
  text.replace(fraction, (_, character: string) => FRACTIONS[character] ?? character)
