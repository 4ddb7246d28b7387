import { elementAt } from '../base/elements.ts'

/** What windows-1252 has where Latin-1 has control characters. */
const CP1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'

const byteOf = new Map([...CP1252].map((character, i) => [character, 0x80 + i]))

const TAIL = `[${CP1252}\\u0080-\\u00bf]`
/** UTF-8 that was read as windows-1252: a lead byte and its continuation bytes. */
const MISREAD = new RegExp(
  `[\\u00c2-\\u00df]${TAIL}|[\\u00e0-\\u00ef]${TAIL}{2}|[\\u00f0-\\u00f4]${TAIL}{3}`,
  'g',
)

const strict = new TextDecoder('utf-8', { fatal: true })

/** Node 20 reads windows-1252 as Latin-1; this corrects the difference. */
export const western = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, character => elementAt(CP1252, character.charCodeAt(0) - 0x80))

/** Decodes UTF-8 if valid, else windows-1252, which old filings use. */
export function decode(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    return western(bytes)
  }
}

/** Turns `â€™` back into `’`; other text stays. */
export function repaired(text: string): string {
  if (!/[\u00c2-\u00f4]/.test(text)) return text
  return text.replace(MISREAD, run => {
    const bytes = Uint8Array.from(run, character => byteOf.get(character) ?? character.charCodeAt(0))
    try {
      return strict.decode(bytes)
    } catch {
      return run
    }
  })
}

/** One line of text with white space collapsed and invisible characters removed. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff\0-\x08\x0e-\x1f\x7f]/g, '')
    .replace(/[\s\u00a0\u2000-\u200a\u202f\u3000]+/g, ' ')
    .trim()
