import { invalid } from '../../engine/base/errors.ts'

/** Control characters, and those that change text direction. */
const hidden = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** Text shown to other people: nothing in it may be hidden. `lines` allows several lines. */
export function checkPlain(name: string, text: string | undefined, { lines = false } = {}): void {
  if (text !== undefined && hidden.test(lines ? text.replaceAll(/[\n\r\t]/g, '') : text))
    throw invalid(name, null, `${name} contains control characters: send plain text`)
}
