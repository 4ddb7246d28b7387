const CUSIP_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ*@#'

const sumOfDigits = (n: number) => Math.floor(n / 10) + (n % 10)

/** The check digit of a CUSIP from its first eight characters. */
export function cusipCheckDigit(base: string): string | null {
  if (!/^[0-9A-Z*@#]{8}$/.test(base)) return null
  let sum = 0
  for (const [i, char] of [...base].entries())
    sum += sumOfDigits(CUSIP_ALPHABET.indexOf(char) * (i % 2 === 1 ? 2 : 1))
  return String((10 - (sum % 10)) % 10)
}

/** Nine upper-case characters with a valid check digit. */
export const isCusip = (text: string): boolean =>
  /^[0-9A-Z*@#]{8}[0-9]$/.test(text) && cusipCheckDigit(text.slice(0, 8)) === text[8]

/** The check digit of an ISIN from its first eleven characters. */
export function isinCheckDigit(base: string): string | null {
  if (!/^[A-Z]{2}[0-9A-Z]{9}$/.test(base)) return null
  const digits = [...base].map(char => Number.parseInt(char, 36)).join('')
  let sum = 0
  for (let i = digits.length - 1, doubled = true; i >= 0; i--, doubled = !doubled)
    sum += sumOfDigits(Number(digits[i]) * (doubled ? 2 : 1))
  return String((10 - (sum % 10)) % 10)
}

/** Twelve upper-case characters with a valid check digit. */
export const isIsin = (text: string): boolean =>
  /^[A-Z]{2}[0-9A-Z]{9}[0-9]$/.test(text) && isinCheckDigit(text.slice(0, 11)) === text[11]

/** The CUSIP inside a US or Canadian ISIN; null for other countries, whose ISINs contain other identifiers. */
export function cusipFromIsin(isin: string): string | null {
  if (!isIsin(isin) || !/^(US|CA)/.test(isin)) return null
  const cusip = isin.slice(2, 11)
  return isCusip(cusip) ? cusip : null
}

/**
 * The CUSIP of a cell that a spreadsheet may have turned into a number (`3.45E+71`) or a date (`88732Jan8`), or
 * stripped of leading zeros: the cell itself if its check digit is valid, else the CUSIP in the ISIN, else null.
 */
export function repairCusip(mangled: string, isin: string | null): string | null {
  const cell = mangled.trim().toUpperCase()
  if (isCusip(cell)) return cell
  const inside = isin === null ? null : cusipFromIsin(isin.trim().toUpperCase())
  if (inside) return inside
  const padded = cell.padStart(9, '0')
  return /^[0-9]{6,8}$/.test(cell) && isCusip(padded) ? padded : null
}

/** The 20 characters of a legal entity identifier, with an ISO 7064 remainder of 1. */
export function isLei(text: string): boolean {
  if (!/^[0-9A-Z]{18}[0-9]{2}$/.test(text)) return false
  let remainder = 0
  for (const char of text) {
    const value = Number.parseInt(char, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder === 1
}
