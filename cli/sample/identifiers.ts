import { createHash } from 'node:crypto'
import { cusipCheckDigit, isinCheckDigit } from '../../engine/credit/identifiers.ts'

// CUSIP reserves issuer numbers that begin with 99 for private use: no published security has one. The other
// identifiers here begin with 99 too, where no registrant, filer agent or LEI issuer has one.
const ALPHABET = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const ISSUERS = ALPHABET.length ** 4

/** Six characters that begin the CUSIPs of the nth issuer. */
export function cusipIssuer(n: number): string {
  if (n >= ISSUERS) throw new RangeError(`at most ${ISSUERS} issuers have a CUSIP number of their own`)
  let left = (n * 7919 + 40_361) % ISSUERS
  let text = ''
  for (let i = 0; i < 4; i++) {
    text = ALPHABET[left % ALPHABET.length] + text
    left = Math.floor(left / ALPHABET.length)
  }
  return `99${text}`
}

const withCheck = (base: string) => base + cusipCheckDigit(base)

/** The CUSIP of an issuer's nth issue. */
export const cusipOf = (issuer: string, n: number): string =>
  withCheck(`${issuer}${'ABCDEFGHJK'[Math.floor(n / 10) % 10]}${n % 10}`)

export const usIsin = (cusip: string): string => `US${cusip}${isinCheckDigit(`US${cusip}`)}`

/** The ISIN of an issuer's nth bond outside the United States. */
export function foreignIsin(issuer: string, n: number): string {
  const base = `XS${issuer}${String(n).padStart(3, '0')}`
  return base + isinCheckDigit(base)
}

export const cikOf = (n: number): string => `99${String(n + 1).padStart(8, '0')}`

/** A legal entity identifier with valid check digits. */
export function leiOf(text: string): string {
  const base = `999900${createHash('md5').update(text).digest('hex').slice(0, 12).toUpperCase()}`
  let remainder = 0
  for (const char of `${base}00`) {
    const value = Number.parseInt(char, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return base + String(98 - remainder).padStart(2, '0')
}

export function uuidOf(text: string): string {
  const h = createHash('md5').update(text).digest('hex')
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-8${h.slice(13, 16)}-a${h.slice(17, 20)}-${h.slice(20)}`
}

/** As `uuidOf`, in SQL over a text expression. */
export const uuidSql = (text: string): string =>
  `regexp_replace(md5(${text}), '^(.{8})(.{4}).(.{3}).(.{3})(.{12})$', '\\1-\\2-8\\3-a\\4-\\5')`

/** An accession number; the sequence counts per filer and year. */
export const accessionOf = (cik: string, year: number, sequence: number): string =>
  `${cik}-${String(year % 100).padStart(2, '0')}-${String(sequence).padStart(6, '0')}`
