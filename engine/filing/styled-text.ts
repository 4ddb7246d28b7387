import type { Frame } from './html-style.ts'

/** The text of a line or cell while it is read, with the number of its letters that are bold, emphasised or linked. */
export class StyledText {
  text = ''
  letters = 0
  bold = 0
  emphasised = 0
  linked = 0
  link: string | null = null
  centred = false
  indent = 0
  marks = ''

  add(text: string, frame: Frame): void {
    const letters = text.replace(/[^\p{L}\p{N}]+/gu, '').length
    if (this.letters === 0 && letters > 0) {
      this.indent = frame.indent + 3 * leadingBlanks(this.text + text)
      this.centred = frame.centred
    }
    if (frame.apart && this.letters > 0 && MARKS.test(text)) this.marks += text
    else if (letters > 0) this.marks = ''
    this.text += text
    this.letters += letters
    if (frame.bold) this.bold += letters
    if (frame.emphasised) this.emphasised += letters
    if (frame.link !== null) {
      this.linked += letters
      this.link ??= frame.link
    }
  }
}

const MARKS =
  /^[\s\u00a0,]*(?:\(?\d{1,2}\)?|[*†‡§+#]|\([a-z]\))(?:[\s\u00a0,]*(?:\(\d{1,2}\)|[*†‡§+#]|\([a-z]\)))*[\s\u00a0]*$/

/** No-break spaces are indentation; the blanks of the source are not. */
function leadingBlanks(text: string): number {
  const [lead = ''] = /^[\s\u00a0\u2000-\u200a]*/.exec(text)!
  return lead.replace(/[ \t\r\n\f]/g, '').length
}

/** The style of a line: bold or emphasised if nine tenths of its letters are. */
export const looks = ({ letters, bold, emphasised, linked, link, centred, indent }: StyledText) => ({
  bold: letters > 0 && bold >= 0.9 * letters,
  emphasised: letters > 0 && emphasised >= 0.9 * letters,
  link: linked > 0 && linked >= 0.3 * letters ? link : null,
  centred,
  indent,
})

/** The letter counts of several cells, as of one line. */
export function merged(parts: readonly StyledText[]): StyledText {
  const all = new StyledText()
  for (const part of parts) {
    if (all.letters === 0) {
      all.indent = part.indent
      all.centred = part.centred
    }
    all.letters += part.letters
    all.bold += part.bold
    all.emphasised += part.emphasised
    all.linked += part.linked
    all.link ??= part.link
  }
  return all
}
