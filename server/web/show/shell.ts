/**
 * A word of a command, quoted for sh if necessary. Control characters, which a terminal would act on when the command is
 * pasted, are escaped in the form that bash, zsh and sh of POSIX 2024 read.
 */
export function shellWord(text: string): string {
  if (/^[\w.,:/@%+=-]+$/.test(text)) return text
  if (!/\p{Cc}/u.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  const escaped = text
    .replace(/[\\']/g, '\\$&')
    .replace(/\p{Cc}/gu, c => [...new TextEncoder().encode(c)].map(octal).join(''))
  return `$'${escaped}'`
}

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`
